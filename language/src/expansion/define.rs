//! Makes the definition of a component: what it adds to its bases and changes.

use super::declarations::{
    declare_input, declare_one_parameter, declare_port, declare_short_parameters, plain_text,
    unknown_attribute,
};
use super::definitions::{base_of, first_of_path};
use super::names_in_values::names_in;
use super::ordering::order_by_needs;

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use rustc_hash::FxHashMap;

use super::Expander;
use super::definitions::{Definition, Item, Layer, ParameterKind};
use crate::codes;

/// Adds what the block itself declares.
pub(super) fn fill<'s>(
    expander: &mut Expander<'s>,
    definition: &mut Definition<'s>,
    layer: Layer<'s>,
) {
    let Layer { place, block } = layer;
    definition.is_damaged |= block.damaged;
    for parameter in place.document.parameters(block) {
        match expander.sources.text(parameter.name) {
            "About" => definition.about = plain_text(expander, place, parameter),
            "Extends" | "If" => {}
            name => unknown_attribute(
                expander,
                "Component",
                name,
                parameter.name,
                &["About", "Extends"],
            ),
        }
    }
    let (mut own, mut own_inputs) = (Vec::new(), Vec::new());
    for inner in place.document.inner(block) {
        let inner = Layer { place, block: inner };
        match expander.sources.text(inner.block.keyword) {
            "Component" => {}
            "Parameter" => declare_one_parameter(expander, definition, inner),
            "Parameters" => declare_short_parameters(expander, definition, inner),
            "Port" => declare_port(expander, definition, inner),
            "Input" => {
                own_inputs.push(expander.sources.text(inner.block.name));
                declare_input(expander, definition, inner);
            }
            _ => own.extend(item(expander, inner)),
        }
    }
    // What a base takes from outside a derived component may work out itself, and the other way round.
    for item in own.iter().filter(|item| !own_inputs.contains(&item.name)) {
        definition.remove_input(item.name);
    }
    definition.items.retain(|item| item.keyword == "Repeat" || !own_inputs.contains(&item.name));
    lay_over(&mut definition.items, own);
    collect_names(&definition.items, &mut |base| {
        definition.blocks.insert(base);
        // A name may have dots of its own; a path is looked up by its first part.
        definition.blocks.insert(first_of_path(base));
    });
    for (name, span) in definition.ports.iter().map(|p| (p.name, p.span)).collect::<Vec<_>>() {
        check_unique(expander, definition, name, span, "a port");
    }
    for (name, span) in definition.inputs.iter().map(|p| (p.name, p.span)).collect::<Vec<_>>() {
        check_unique(expander, definition, name, span, "an input");
    }
    order_defaults(expander, definition);
}

/// A name may stand for one thing only, or expressions would be ambiguous.
fn check_unique<'s>(
    expander: &mut Expander<'s>,
    definition: &Definition<'s>,
    name: &str,
    span: Span,
    what: &str,
) {
    let other = if definition.parameter_index.contains_key(name) {
        "a parameter"
    } else if what == "an input" && definition.port_index.contains_key(name) {
        "a port"
    } else if definition.blocks.contains(name) {
        "a block"
    } else {
        return;
    };
    let message =
        format!("`{name}` is the name of {what} and of {other} in component `{}`", definition.name);
    let help = "give one of the two another name";
    expander.report(Diagnostic::new(codes::DUPLICATE_NAME, span, message).help(help));
}

/// A block as an item, with the blocks of a Repeat; nothing for one that cannot stand in a component.
pub(super) fn item<'s>(expander: &mut Expander<'s>, layer: Layer<'s>) -> Option<Item<'s>> {
    let keyword = expander.sources.text(layer.block.keyword);
    let name = expander.sources.text(layer.block.name);
    let where_to = match keyword {
        "Header" | "System" | "Solver" | "Output" => "at top level: it is for the whole model",
        "Include" => "at top level, before the components that need it",
        "Component" => "at top level or directly in a component",
        "Parameter" | "Port" => "directly in a Component block",
        _ => "",
    };
    if !where_to.is_empty() {
        let message = format!("`{keyword}` blocks cannot stand here");
        let mistake = Diagnostic::new(codes::WRONG_PLACE, layer.block.keyword, message);
        expander.report(mistake.help(format!("write it {where_to}")));
        return None;
    }
    let mut inner = Vec::new();
    if keyword == "Repeat" {
        for block in layer.place.document.inner(layer.block) {
            inner.extend(item(expander, Layer { block, ..layer }));
        }
    }
    Some(Item { keyword, base: base_of(name), name, layers: vec![layer], inner })
}

/// Finds the order in which the defaults of a component can be worked out.
fn order_defaults<'s>(expander: &mut Expander<'s>, definition: &mut Definition<'s>) {
    let needs = |at: usize| -> Vec<usize> {
        let Some((place, values)) = &definition.parameters[at].default else { return vec![] };
        let mut all = Vec::new();
        names_in(*place, values, &mut |span| {
            let base = first_of_path(expander.sources.text(span));
            all.extend(definition.parameter_index.get(base));
        });
        // A component by default is a name, and no parameter.
        match definition.parameters[at].kind {
            ParameterKind::Any => all,
            _ => vec![],
        }
    };
    let (order, cycles) = order_by_needs(definition.parameters.len(), needs);
    for cycle in cycles {
        let names: Vec<&str> = cycle.iter().map(|&at| definition.parameters[at].name).collect();
        let message = format!(
            "parameter `{}` depends on itself: {} -> {}",
            names[0],
            names.join(" -> "),
            names[0]
        );
        let span = definition.parameters[cycle[0]].span;
        expander.report(Diagnostic::new(codes::PARAMETER_CYCLE, span, message));
    }
    definition.order = order;
}

/// Lays the blocks of a derived component over those of its bases: a block of the same name changes the parameters that
/// it gives, or replaces the block if its keyword differs.
fn lay_over<'s>(items: &mut Vec<Item<'s>>, own: Vec<Item<'s>>) {
    let mut of_base: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, item) in items.iter().enumerate() {
        of_base.entry(item.name).or_default().push(at);
    }
    for new in own {
        // The name of a Repeat is its index: it is no block that something else could replace.
        let named = of_base.get(new.name).map_or(&[] as &[usize], Vec::as_slice);
        let named = named.iter().filter(|&&at| continues(&items[at], &new));
        let named: Vec<usize> = named.copied().collect();
        let same = named.iter().find(|&&at| items[at].keyword == new.keyword);
        match (same, &named[..]) {
            (Some(&at), _) => {
                items[at].layers.extend(new.layers);
                lay_over(&mut items[at].inner, new.inner);
            }
            (None, [at]) => items[*at] = new,
            _ => items.push(new),
        }
    }
}

/// May a block of a derived component change or replace this block of its name? A Repeat changes one that has blocks of the
/// same names, or, without blocks, only the limits; any other is one more Repeat.
fn continues(known: &Item<'_>, new: &Item<'_>) -> bool {
    match (known.keyword == "Repeat", new.keyword == "Repeat") {
        (false, false) => true,
        (true, true) => {
            let is_known = |inner: &Item<'_>| known.inner.iter().any(|k| k.name == inner.name);
            new.inner.is_empty() || new.inner.iter().any(is_known)
        }
        _ => false,
    }
}

/// Calls `visit` with the base names of items, also inside of Repeats.
fn collect_names<'s>(items: &[Item<'s>], visit: &mut impl FnMut(&'s str)) {
    let mut open: Vec<&Item<'s>> = items.iter().collect();
    while let Some(item) = open.pop() {
        match item.keyword {
            "Repeat" => open.extend(&item.inner),
            _ => visit(item.base),
        }
    }
}
