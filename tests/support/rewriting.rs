//! Changing the values of a model's text.

use std::ops::Range;

use engine::internals::element::{Kind, ParameterSchema};
use engine::internals::model::registry;
use parser::source::Sources;
use parser::syntax::{Document, NodeId, NodeKind};

/// Calls `visit` for each parameter of the language with its values, the members of lists included.
fn visit(text: &str, mut visit: impl FnMut(&Document, &str, &ParameterSchema, &[NodeId])) {
    let mut sources = Sources::default();
    if sources.add("text.dys", text).is_err() {
        return;
    }
    let document = parser::parse(&sources.all()[0]).document;
    for block in document.blocks() {
        let keyword = sources.text(block.keyword);
        let schema = registry::blocks().find(|schema| schema.keyword == keyword);
        for parameter in document.parameters(block) {
            let name = sources.text(parameter.name);
            let Some(known) = schema.and_then(|schema| schema.parameter(name)) else { continue };
            let mut values = document.values(parameter);
            if let [single] = values
                && let NodeKind::List(run) = document.node(*single).kind
            {
                values = document.members(run);
            }
            visit(&document, &format!("{keyword}.{name}"), known, values);
        }
    }
}

/// The places of all number literals that are values of parameters.
pub fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    visit(text, |document, _, _, values| {
        for node in values.iter().map(|&id| document.node(id)) {
            if matches!(node.kind, NodeKind::Number(_)) {
                places.push(node.span.start as usize..node.span.end as usize);
            }
        }
    });
    places
}

/// For each parameter that takes numbers: the place of its first value, whether it is a time
/// expression, and its name.
pub fn numeric_parameters(text: &str) -> Vec<(Range<usize>, bool, String)> {
    let mut places = Vec::new();
    visit(text, |document, name, schema, values| {
        let is_time = matches!(
            schema.kind,
            Kind::Time | Kind::TimeList | Kind::TimeVector(_) | Kind::TimePerCoordinate
        );
        let first = values.first().map(|&id| document.node(id));
        if let Some(node) = first.filter(|node| matches!(node.kind, NodeKind::Number(_))) {
            let place = node.span.start as usize..node.span.end as usize;
            places.push((place, is_time, name.to_string()));
        }
    });
    places
}

/// The text with the given places, in rising order, replaced.
pub fn replace(text: &str, places: &[Range<usize>], new: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut done = 0;
    for place in places {
        out += &text[done..place.start];
        out += &new(&text[place.clone()]);
        done = place.end;
    }
    out + &text[done..]
}
