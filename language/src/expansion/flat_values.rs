//! Writes the values of a block's parameters: what a value means is decided by the table of the block.

use std::path::Path;

use parser::diagnostic::Diagnostic;
use parser::lexical;
use parser::source::Span;
use parser::syntax::{NodeId, NodeKind};

use super::Expander;
use super::definitions::bare;
use super::environment::{Leaf, View};
use super::parameter_values::{Value, number_text};
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

impl<'s> Expander<'s> {
    /// Writes one value; gives its node in the flat tree.
    pub(super) fn flat_value(&mut self, view: View<'_, 's>, id: NodeId, role: Role) -> NodeId {
        let role = match view.place.document.node(id).kind {
            // A name in quotes is a reference; other texts stay.
            NodeKind::Text if !matches!(role, Role::Reference | Role::Node | Role::File) => {
                Role::Unknown
            }
            _ => role,
        };
        match role {
            Role::Expression => self.number_value(view, id),
            Role::Law => {
                let arguments = [view.arguments, &["v"]].concat();
                self.number_value(View { arguments: &arguments, ..view }, id)
            }
            Role::Unknown => self.as_written(view, id),
            _ => match self.chosen(view, id) {
                Some(id) => self.word_value(view, id, role),
                None => self.broken(view.place.document.node(id).span),
            },
        }
    }

    /// A value after a mistake that is reported.
    fn broken(&mut self, origin: Span) -> NodeId {
        self.is_broken = true;
        let span = self.emitter.piece("0", origin);
        self.emitter.node(span, NodeKind::Number(0.0))
    }

    fn as_written(&mut self, view: View<'_, 's>, id: NodeId) -> NodeId {
        let node = view.place.document.node(id);
        let kind = match node.kind {
            kind @ (NodeKind::Number(_) | NodeKind::Name | NodeKind::Text) => kind,
            _ => NodeKind::Word,
        };
        let span = self.emitter.piece(self.sources.text(node.span), node.span);
        self.emitter.node(span, kind)
    }

    fn number_value(&mut self, view: View<'_, 's>, id: NodeId) -> NodeId {
        let node = view.place.document.node(id);
        if node.kind == NodeKind::Word {
            return self.as_written(view, id);
        }
        // A whole value that is a parameter of a component is written like a literal.
        if node.kind == NodeKind::Name {
            let text = self.sources.text(node.span);
            if let Leaf::Number(number) = self.leaf(view, text, node.span) {
                let span = self.emitter.piece(&number_text(number), node.span);
                return self.emitter.node(span, NodeKind::Number(number));
            }
        }
        self.expression(view, id)
    }

    /// The branch that an `if` chooses in the place of a word; any other value is itself.
    fn chosen(&mut self, view: View<'_, 's>, id: NodeId) -> Option<NodeId> {
        let document = view.place.document;
        let mut id = id;
        loop {
            let node = document.node(id);
            let NodeKind::Call { name_len, arguments } = node.kind else { return Some(id) };
            let name = self.sources.text(node.span).get(..usize::from(name_len));
            let [condition, yes, no] = document.members(arguments) else { return Some(id) };
            if name != Some("if") {
                return Some(id);
            }
            let truth = self.number(view, *condition)?;
            id = if truth > TRUE_ABOVE { *yes } else { *no };
        }
    }

    fn word_value(&mut self, view: View<'_, 's>, id: NodeId, role: Role) -> NodeId {
        let document = view.place.document;
        let node = document.node(id);
        let (text, span) = bare(self.sources, document, id);
        let path = match node.kind {
            NodeKind::Indexed(run) => {
                match self.indexed_text(view, node.span, document.members(run)) {
                    Some(path) => path,
                    None => return self.broken(span),
                }
            }
            _ => text.to_string(),
        };
        // A condition stands in the place of `yes` and `no`.
        if role == Role::Word
            && node.kind == NodeKind::Name
            && let Leaf::Number(number) = self.word_leaf(view, &path, span)
        {
            let word = if number > TRUE_ABOVE { "yes" } else { "no" };
            return self.write_value(&Value::Word(word.into()), span);
        }
        // A parameter of the component wins over a word.
        if matches!(role, Role::Word | Role::Text | Role::File)
            && node.kind != NodeKind::Text
            && let Leaf::Value(value) = self.word_leaf(view, &path, span)
        {
            return match (role, &value) {
                (Role::File, Value::Text(text, origin)) => self.file(view, text, *origin),
                (_, Value::Number(_) | Value::List(_)) => self.as_written(view, id),
                _ => self.write_value(&value, span),
            };
        }
        match role {
            Role::Word | Role::Text => self.as_written(view, id),
            Role::File => self.file(view, &path, span),
            _ => {
                if path.starts_with(['+', '-']) || path.is_empty() {
                    return self.as_written(view, id);
                }
                match self.reference(view, &path, span, role == Role::Node) {
                    Some(full) => {
                        let written = self.emitter.piece(&full, span);
                        let kind = match lexical::path(&full) {
                            Ok(("", _)) => NodeKind::Name,
                            _ => NodeKind::Word,
                        };
                        self.emitter.node(written, kind)
                    }
                    None => self.broken(span),
                }
            }
        }
    }

    /// The value of a parameter of the component in the place of a word.
    fn word_leaf(&mut self, view: View<'_, 's>, path: &str, span: Span) -> Leaf {
        let first = super::definitions::first_of_path(path);
        let is_parameter = view.parameter(first).is_some();
        let scope = &self.names[view.place.scope];
        let is_text = scope.constants.get(first).is_some_and(|&at| {
            matches!(self.constants[at].value, Some(Value::Text(..) | Value::List(_)))
        });
        match is_parameter || is_text {
            true => self.leaf(view, path, span),
            false => Leaf::Keep,
        }
    }

    /// The name of a file, seen from the main file.
    fn file(&mut self, view: View<'_, 's>, name: &str, origin: Span) -> NodeId {
        let directory = self.directories.get(view.place.index as usize);
        let main = self.directories.first();
        let seen = match (directory, main) {
            (Some(directory), Some(main)) if directory != main => {
                let inner = directory.strip_prefix(main).unwrap_or(directory);
                inner.join(name).display().to_string()
            }
            _ => Path::new(name).display().to_string(),
        };
        let span = self.emitter.piece(&format!("\"{seen}\""), origin);
        self.emitter.node(span, NodeKind::Text)
    }

    /// Is a block there? Its `If` is a constant condition; a mistake in it is reported, and the block left out.
    pub(super) fn is_there(&mut self, view: View<'_, 's>, id: NodeId) -> bool {
        match self.number(view, id) {
            Some(number) => number > TRUE_ABOVE,
            None => {
                let span = view.place.document.node(id).span;
                if !self.reported.contains(&span) && self.diagnostics.errors() == 0 {
                    let message = "`If` is a constant condition";
                    self.report_once(Diagnostic::new(codes::NOT_CONSTANT, span, message));
                }
                false
            }
        }
    }
}
