//! Writes the values of a block's parameters: what a value means is decided by the table of the block.

use super::choices::chosen;
use super::definitions::{bare, first_of_path};
use super::meaning_of_names::{indexed_text, leaf, reference};
use super::parameter_values::number_text;
use std::path::Path;

use parser::diagnostic::Diagnostic;
use parser::lexical;
use parser::source::Span;
use parser::syntax::{NodeId, NodeKind};

use super::Expander;
use super::environment::{Leaf, View};
use super::parameter_values::Value;
use crate::codes;
use crate::element::Kind;
use equations::expression::TRUE_ABOVE;

/// What a value is to the expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Numbers, conditions, signals.
    Expression,
    /// A friction law, in which `v` is the speed.
    Law,
    /// One of the words of the block.
    Word,
    /// A text or the name of a file.
    Text,
    /// A file, whose path is relative to the text that names it.
    File,
    /// The name of a block.
    Reference,
    /// The name of a node.
    Node,
    /// Nobody knows: it stays as it is written.
    Unknown,
}

impl Role {
    /// The role of values of a kind.
    pub(super) fn of(kind: Kind) -> Self {
        match kind {
            Kind::Word(_) | Kind::Words(_) | Kind::Name | Kind::Names => Self::Word,
            Kind::File => Self::File,
            Kind::Text => Self::Text,
            Kind::Reference(crate::element::Target::BondEnd(_)) | Kind::Node(_) | Kind::Flange => {
                Self::Node
            }
            Kind::Reference(_) => Self::Reference,
            Kind::Friction => Self::Law,
            _ => Self::Expression,
        }
    }
}

/// Writes one value; gives its node in the flat tree.
pub(super) fn flat_value<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    id: NodeId,
    role: Role,
) -> NodeId {
    let role = match view.place.document.node(id).kind {
        // A name in quotes is a reference; other texts stay.
        NodeKind::Text if !matches!(role, Role::Reference | Role::Node | Role::File) => {
            Role::Unknown
        }
        _ => role,
    };
    match role {
        Role::Expression => number_value(expander, view, id),
        Role::Law => {
            let arguments = [view.arguments, &["v"]].concat();
            number_value(expander, View { arguments: &arguments, ..view }, id)
        }
        Role::Unknown => as_written(expander, view, id),
        _ => match chosen(expander, view, id) {
            Some(id) => word_value(expander, view, id, role),
            None => broken(expander, view.place.document.node(id).span),
        },
    }
}

/// A value after a mistake that is reported.
fn broken<'s>(expander: &mut Expander<'s>, origin: Span) -> NodeId {
    expander.is_broken = true;
    let span = expander.emitter.piece("0", origin);
    expander.emitter.node(span, NodeKind::Number(0.0))
}

fn as_written<'s>(expander: &mut Expander<'s>, view: View<'_, 's>, id: NodeId) -> NodeId {
    let node = view.place.document.node(id);
    let kind = match node.kind {
        kind @ (NodeKind::Number(_) | NodeKind::Name | NodeKind::Text) => kind,
        _ => NodeKind::Word,
    };
    let span = expander.emitter.piece(expander.sources.text(node.span), node.span);
    expander.emitter.node(span, kind)
}

fn number_value<'s>(expander: &mut Expander<'s>, view: View<'_, 's>, id: NodeId) -> NodeId {
    let node = view.place.document.node(id);
    if node.kind == NodeKind::Word {
        return as_written(expander, view, id);
    }
    // A whole value that is a parameter of a component is written like a literal.
    if node.kind == NodeKind::Name {
        let text = expander.sources.text(node.span);
        if let Leaf::Number(number) = leaf(expander, view, text, node.span) {
            let span = expander.emitter.piece(&number_text(number), node.span);
            return expander.emitter.node(span, NodeKind::Number(number));
        }
    }
    expander.expression(view, id)
}

fn word_value<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    id: NodeId,
    role: Role,
) -> NodeId {
    let document = view.place.document;
    let node = document.node(id);
    let (text, span) = bare(expander.sources, document, id);
    let path = match node.kind {
        NodeKind::Indexed(run) => {
            match indexed_text(expander, view, node.span, document.members(run)) {
                Some(path) => path,
                None => return broken(expander, span),
            }
        }
        _ => text.to_string(),
    };
    // A condition stands in the place of `yes` and `no`.
    if role == Role::Word
        && node.kind == NodeKind::Name
        && let Leaf::Number(number) = word_leaf(expander, view, &path, span)
    {
        let word = if number > TRUE_ABOVE { "yes" } else { "no" };
        return expander.write_value(&Value::Word(word.into()), span);
    }
    // A parameter of the component wins over a word.
    if matches!(role, Role::Word | Role::Text | Role::File)
        && node.kind != NodeKind::Text
        && let Leaf::Value(value) = word_leaf(expander, view, &path, span)
    {
        return match (role, &value) {
            (Role::File, Value::Text(text, origin)) => file(expander, view, text, *origin),
            (_, Value::Number(_) | Value::List(_)) => as_written(expander, view, id),
            _ => expander.write_value(&value, span),
        };
    }
    match role {
        Role::Word | Role::Text if is_word(node.kind) => as_written(expander, view, id),
        // No word: it is told as it is without components.
        Role::Word | Role::Text => expander.expression(view, id),
        Role::File => file(expander, view, &path, span),
        _ => {
            if path.starts_with(['+', '-']) || path.is_empty() {
                return as_written(expander, view, id);
            }
            if !is_word(node.kind) && !matches!(node.kind, NodeKind::Indexed(_)) {
                return expander.expression(view, id);
            }
            match reference(expander, view, &path, span, role == Role::Node) {
                Some(full) => {
                    let written = expander.emitter.piece(&full, span);
                    let kind = match lexical::path(&full) {
                        Ok(("", _)) => NodeKind::Name,
                        _ => NodeKind::Word,
                    };
                    expander.emitter.node(written, kind)
                }
                None => broken(expander, span),
            }
        }
    }
}

/// May a value be a word or a name?
fn is_word(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Number(_) | NodeKind::Name | NodeKind::Word | NodeKind::Text)
}

/// The value of a parameter of the component in the place of a word.
fn word_leaf<'s>(expander: &mut Expander<'s>, view: View<'_, 's>, path: &str, span: Span) -> Leaf {
    let first = first_of_path(path);
    let is_parameter = view.parameter(first).is_some();
    let scope = &expander.names[view.place.scope];
    let is_text = scope.constants.get(first).is_some_and(|&at| {
        matches!(expander.constants[at].value, Some(Value::Text(..) | Value::List(_)))
    });
    match is_parameter || is_text {
        true => leaf(expander, view, path, span),
        false => Leaf::Keep,
    }
}

/// The name of a file, seen from the main file.
pub(super) fn file<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    name: &str,
    origin: Span,
) -> NodeId {
    let directory = expander.directories.get(view.place.index as usize);
    let main = expander.directories.first();
    let seen = match (directory, main) {
        (Some(directory), Some(main)) if directory != main => {
            let inner = directory.strip_prefix(main).unwrap_or(directory);
            inner.join(name).display().to_string()
        }
        _ => Path::new(name).display().to_string(),
    };
    let span = expander.emitter.piece(&format!("\"{seen}\""), origin);
    expander.emitter.node(span, NodeKind::Text)
}

/// Is a block there? Its `If` is a constant condition; a mistake in it is reported, and the block left out.
pub(super) fn is_there<'s>(expander: &mut Expander<'s>, view: View<'_, 's>, id: NodeId) -> bool {
    match expander.number(view, id) {
        Some(number) => number > TRUE_ABOVE,
        None => {
            let span = view.place.document.node(id).span;
            if !expander.reported.contains(&span) && expander.diagnostics.errors() == 0 {
                let message = "`If` is a constant condition";
                expander.report_once(Diagnostic::new(codes::NOT_CONSTANT, span, message));
            }
            false
        }
    }
}
