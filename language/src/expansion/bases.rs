//! What a component takes over from its bases. Several bases must not contradict each other.

use parser::diagnostic::Diagnostic;
use parser::source::{Sources, Span};
use parser::syntax::NodeId;

use super::Expander;
use super::definitions::{Definition, Item, ParameterDeclaration, ParameterKind, Place};
use crate::codes;

/// Takes over everything of a base; `own` are the names that the component declares itself, about which bases may differ.
pub(super) fn inherit<'s>(
    expander: &mut Expander<'s>,
    definition: &mut Definition<'s>,
    base: &Definition<'s>,
    span: Span,
    own: &[&str],
) {
    for one in &base.parameters {
        let known = definition.parameter_index.get(one.name).map(|&at| &definition.parameters[at]);
        if let Some(known) = known.filter(|known| differ(expander.sources, known, one))
            && !own.contains(&one.name)
        {
            contradiction(expander, span, ("parameter", one.name), [known.span, one.span]);
        }
        definition.declare_parameter(one.clone());
    }
    for one in &base.ports {
        let known = definition.port_index.get(one.name).map(|&at| &definition.ports[at]);
        if let Some(known) = known.filter(|known| known.domain != one.domain)
            && !own.contains(&one.name)
        {
            contradiction(expander, span, ("port", one.name), [known.span, one.span]);
        }
        definition.declare_port(one.clone());
    }
    base.inputs.iter().for_each(|one| definition.declare_input(one.clone()));
    definition.nested.extend(&base.nested);
    definition.is_damaged |= base.is_damaged;
    // One base may have several blocks of one name: Repeats, or blocks of which one is there at a time.
    let before = definition.items.len();
    for item in &base.items {
        let mut known = definition.items[..before].iter();
        match known.find(|known| known.name == item.name) {
            Some(known) if is_same(known, item) => {}
            Some(known) if known.keyword == item.keyword || item.layers.len() > 1 => {
                let places = [known.first().block.name, item.first().block.name];
                contradiction(expander, span, (item.keyword, item.name), places);
            }
            _ => definition.items.push(item.clone()),
        }
    }
}

/// Reports something that two bases have and that differs.
fn contradiction(
    expander: &mut Expander<'_>,
    span: Span,
    (what, name): (&str, &str),
    [known, new]: [Span; 2],
) {
    let message = format!("two bases have a {what} `{name}`, and they differ");
    let help = match what {
        "parameter" | "port" => format!("declare `{name}` in this component, too, which decides"),
        _ => "take over one of the two, or rename the block in one of them".into(),
    };
    let mistake = Diagnostic::new(codes::WRONG_BASE, span, message);
    expander.report(mistake.also(known, "one of them").also(new, "the other").help(help));
}

/// Do two declarations of a parameter say different things?
fn differ(sources: &Sources, a: &ParameterDeclaration<'_>, b: &ParameterDeclaration<'_>) -> bool {
    let default = |one: &ParameterDeclaration<'_>| {
        let (place, values) = one.default.as_ref()?;
        Some(values.iter().map(|&id| text(sources, *place, id)).collect::<Vec<_>>().join(","))
    };
    let bound =
        |bound: Option<(Place<'_>, NodeId)>| bound.map(|(place, id)| text(sources, place, id));
    let kind = |one: &ParameterDeclaration<'_>| match &one.kind {
        ParameterKind::Any => String::new(),
        ParameterKind::Word(words) => words.join(","),
        ParameterKind::Component(name) => (*name).to_string(),
    };
    let all = |one| (default(one), bound(one.min), bound(one.max), kind(one));
    a.span != b.span && all(a) != all(b)
}

/// The text of a value without white space.
fn text(sources: &Sources, place: Place<'_>, id: NodeId) -> String {
    sources.text(place.document.node(id).span).split_whitespace().collect()
}

/// Are two items the same block of the same base?
fn is_same(a: &Item<'_>, b: &Item<'_>) -> bool {
    a.layers.len() == b.layers.len()
        && a.layers.iter().zip(&b.layers).all(|(x, y)| std::ptr::eq(x.block, y.block))
}
