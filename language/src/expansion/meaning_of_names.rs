//! What a name means in the place where it stands.

use super::definitions::first_of_path;
use super::parameter_values::{index_of, number_text};
use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::NodeId;

use super::Expander;
use super::environment::{Binding, Leaf, View};
use super::parameter_values::Value;
use crate::codes;
use equations::domain::Domain;

/// A path in its parts: `Keyword:`, the first name, the rest.
struct PathParts<'t> {
    qualifier: &'t str,
    is_quoted: bool,
    first: &'t str,
    /// What follows the first name, and its quote.
    rest: &'t str,
}

fn split(path: &str) -> PathParts<'_> {
    let (qualifier, body) = match path.find([':', '"']) {
        Some(at) if path[at..].starts_with(':') => path.split_at(at + 1),
        _ => ("", path),
    };
    let first = first_of_path(body);
    let is_quoted = body.starts_with('"');
    let behind = first.len() + if is_quoted { 2 } else { 0 };
    PathParts { qualifier, is_quoted, first, rest: body.get(behind..).unwrap_or("") }
}

/// The text of a path with numbers in its brackets; nothing after a mistake, which is reported.
pub(super) fn indexed_text<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    span: Span,
    indices: &[NodeId],
) -> Option<String> {
    let mut text = String::new();
    let mut cursor = span.start;
    for &id in indices {
        let node = view.place.document.node(id);
        text.push_str(expander.sources.text(Span::new(cursor, node.span.start)));
        let number = expander.number(view, id)?;
        let Some(index) = index_of(number) else {
            let message =
                format!("this index is {}, not a whole number from 0", number_text(number));
            expander.report_once(Diagnostic::new(codes::WRONG_INDEX, node.span, message));
            return None;
        };
        text.push_str(&index.to_string());
        cursor = node.span.end;
    }
    text.push_str(expander.sources.text(Span::new(cursor, span.end)));
    text.retain(|c| !c.is_whitespace());
    Some(text)
}

/// What a path in an expression means; `path` has numbers in its brackets.
pub(super) fn leaf<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    path: &str,
    span: Span,
) -> Leaf {
    expander.instance = view.environment.instance;
    let PathParts { qualifier, is_quoted, first, rest } = split(path);
    let is_plain = qualifier.is_empty() && !is_quoted;
    if is_plain && rest.is_empty() {
        if let Some(value) = view.index(first) {
            return Leaf::Number(value);
        }
        if view.arguments.contains(&first) {
            return Leaf::Keep;
        }
    }
    // A parameter has no parts: with a dot behind it, the name can only be that of a block.
    let is_block = rest.starts_with('.') && view.definition().is_some_and(|d| d.has(first));
    if is_plain
        && !is_block
        && let Some(value) = view.parameter(first)
    {
        return match value {
            Some(value) if rest.is_empty() => leaf_of(value),
            Some(value) => element(expander, value, rest, path, span),
            None => Leaf::Broken,
        };
    }
    if let Some(definition) = view.definition() {
        if let Some(&port) = definition.port_index.get(first)
            && let Some(Binding::Outside(outer)) = view.environment.ports.get(port)
        {
            return Leaf::Path([qualifier, outer, rest].concat());
        }
        if definition.has(first) {
            let prefix = &view.environment.prefix;
            let quote = if is_quoted { "\"" } else { "" };
            return Leaf::Path([qualifier, quote, prefix, first, quote, rest].concat());
        }
    }
    if is_plain && let Some(leaf) = constant_leaf(expander, view, path, first, rest, span) {
        return leaf;
    }
    if Domain::ALL.iter().any(|domain| domain.reference() == first) || first == "world" {
        return Leaf::Keep;
    }
    if matches!((first, rest), ("pi" | "e" | "t" | "yes" | "no", "")) {
        return Leaf::Keep;
    }
    match view.definition() {
        None => match path == expander.sources.text(span) {
            true => Leaf::Keep,
            false => Leaf::Path(path.to_string()),
        },
        Some(_) => {
            unknown_inside(expander, view, first, span);
            Leaf::Broken
        }
    }
}

/// A constant of the file, or of a file that is included under a name.
fn constant_leaf<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    path: &str,
    first: &str,
    rest: &str,
    span: Span,
) -> Option<Leaf> {
    let scope = view.place.scope;
    if let Some(&at) = expander.names[scope].constants.get(first) {
        let is_number = matches!(expander.constants[at].value, None | Some(Value::Number(_)));
        if scope == 0 && rest.is_empty() && is_number {
            return Some(Leaf::Keep);
        }
        return Some(match expander.constants[at].value.clone() {
            Some(value) if rest.is_empty() => leaf_of(&value),
            Some(value) => element(expander, &value, rest, path, span),
            // What is wrong with the main file is told when the flat model is read.
            None if scope == 0 => Leaf::Keep,
            None => Leaf::Broken,
        });
    }
    let other = *expander.names[scope].namespaces.get(first)?;
    let inside = rest.strip_prefix('.')?;
    let name = first_of_path(inside);
    let at = *expander.names[other].constants.get(name)?;
    let rest = inside.get(name.len()..).unwrap_or("");
    Some(match expander.constants[at].value.clone() {
        Some(value) if rest.is_empty() => leaf_of(&value),
        Some(value) => element(expander, &value, rest, path, span),
        None => Leaf::Broken,
    })
}

/// An element of a list: `rest` is `[2]` or `[2,1]`, counted from 1.
pub(super) fn element<'s>(
    expander: &mut Expander<'s>,
    value: &Value,
    rest: &str,
    path: &str,
    span: Span,
) -> Leaf {
    let inside = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let Some(inside) = inside.filter(|inside| !inside.contains(['[', ']', '.'])) else {
        let message = format!("`{path}`: a parameter has no parts");
        expander.report_once(Diagnostic::new(codes::NOT_IN_COMPONENT, span, message));
        return Leaf::Broken;
    };
    let mut value = value;
    for index in inside.split(',') {
        let Value::List(all) = value else {
            let message = format!("`{path}`: this is {}, which has no elements", value.words());
            expander.report_once(Diagnostic::new(codes::WRONG_INDEX, span, message));
            return Leaf::Broken;
        };
        let at = index.parse::<usize>().unwrap_or(0);
        match at.checked_sub(1).and_then(|at| all.get(at)) {
            Some(inner) => value = inner,
            None => {
                let message = format!("`{path}`: the list has {} elements", all.len());
                let help = "elements count from 1";
                let mistake = Diagnostic::new(codes::WRONG_INDEX, span, message);
                expander.report_once(mistake.help(help));
                return Leaf::Broken;
            }
        }
    }
    leaf_of(value)
}

/// Reports a name that a component does not have.
fn unknown_inside<'s>(expander: &mut Expander<'s>, view: View<'_, 's>, name: &str, span: Span) {
    let Some(definition) = view.definition() else { return };
    if expander.lost_blocks || definition.is_damaged || expander.reported.contains(&span) {
        return;
    }
    let constants = expander.names[view.place.scope].constants.keys().copied();
    let near = nearest(name, definition.names().chain(constants));
    let message = format!("there is no `{name}` in component `{}`", definition.name);
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "a component sees its own names and the Parameters of its file; pass other values in by a \
                 Parameter, an Input or a Port"
            .into(),
    };
    expander.report_once(Diagnostic::new(codes::NOT_IN_COMPONENT, span, message).help(help));
}

/// The full name of a block that is referred to; nothing after a mistake, which is reported.
pub(super) fn reference<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    path: &str,
    span: Span,
    may_be_node: bool,
) -> Option<String> {
    let PathParts { qualifier, is_quoted, first, rest } = split(path);
    let Some(definition) = view.definition() else { return Some(path.to_string()) };
    let is_global = Domain::ALL.iter().any(|domain| domain.reference() == first);
    if (first == "world" || (may_be_node && is_global)) && rest.is_empty() {
        return Some(path.to_string());
    }
    if rest.is_empty()
        && let Some(Some(Value::Word(word))) = view.parameter(first)
    {
        return Some(word.to_string());
    }
    if let Some(&port) = definition.port_index.get(first)
        && let Some(Binding::Outside(outer)) = view.environment.ports.get(port)
        && rest.is_empty()
    {
        return Some(outer.clone());
    }
    let prefix = &view.environment.prefix;
    if definition.has(first) || may_be_node {
        let quote = if is_quoted { "\"" } else { "" };
        return Some([qualifier, quote, prefix, first, quote, rest].concat());
    }
    unknown_inside(expander, view, first, span);
    None
}

/// A value in an expression.
fn leaf_of(value: &Value) -> Leaf {
    match value {
        Value::Number(number) => Leaf::Number(*number),
        other => Leaf::Value(other.clone()),
    }
}
