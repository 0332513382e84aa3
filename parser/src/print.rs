//! The canonical text of a tree: one parameter per line, one blank where blanks may be, no comments.
//!
//! Made from the tree alone, so that printing and parsing again checks the tree. To lay out a text
//! that a person wrote, with its comments, use [`format()`](crate::format()).

use crate::lexical;
use crate::source::{Source, Span};
use crate::syntax::{Block, Document, NodeId, NodeKind, UnaryOp};

/// The canonical text of a document that was parsed from `source`.
pub fn print(source: &Source, document: &Document) -> String {
    let mut printer = Printer { source, document, out: String::new() };
    for block in document.blocks() {
        printer.block(block, 0);
    }
    printer.out
}

/// One step of indentation.
const STEP: &str = "    ";

struct Printer<'t> {
    source: &'t Source,
    document: &'t Document,
    out: String,
}

/// A part of a value that remains to be printed.
#[derive(Clone, Copy)]
enum PrintedPiece<'t> {
    /// A part of an expression.
    Node(NodeId),
    /// A value or a member of a list, which may be a word.
    Value(NodeId),
    /// Text between them.
    Text(&'t str),
}

impl<'t> Printer<'t> {
    fn text(&self, span: Span) -> &'t str {
        let start = span.start.saturating_sub(self.source.base()) as usize;
        self.source.text().get(start..start + span.len()).unwrap_or("")
    }

    fn extend(&mut self, pieces: &[&str]) {
        self.out.extend(pieces.iter().copied());
    }

    /// A block and its inner blocks; the grammar bounds how deep blocks nest.
    fn block(&mut self, block: &Block, depth: usize) {
        let document = self.document;
        let indent = STEP.repeat(depth);
        let name = self.text(block.name);
        self.extend(&[&indent, self.text(block.keyword)]);
        if !block.name.is_empty() {
            self.extend(&[" \"", name, "\""]);
        }
        self.extend(&[" {\n"]);
        for parameter in document.parameters(block) {
            self.extend(&[&indent, STEP, self.text(parameter.name), " = "]);
            for (index, &value) in document.values(parameter).iter().enumerate() {
                self.extend(&[if index > 0 { ", " } else { "" }]);
                self.value(value);
            }
            self.extend(&[";\n"]);
        }
        for equation in document.equations(block) {
            self.extend(&[&indent, STEP]);
            self.expression(equation.left);
            self.extend(&[" = "]);
            self.expression(equation.right);
            self.extend(&[";\n"]);
        }
        for transition in document.transitions(block) {
            let (from, to) = (self.text(transition.from), self.text(transition.to));
            self.extend(&[&indent, STEP, from, " -> ", to, " : "]);
            self.expression(transition.condition);
            self.extend(&[";\n"]);
        }
        for inner in document.inner(block) {
            self.block(inner, depth + 1);
        }
        self.extend(&[&indent, "}\n"]);
    }

    /// A value, which may be a word.
    fn value(&mut self, id: NodeId) {
        self.pieces(vec![PrintedPiece::Value(id)]);
    }

    /// An expression, which is never a word.
    fn expression(&mut self, id: NodeId) {
        self.pieces(vec![PrintedPiece::Node(id)]);
    }

    /// Prints pieces, by a list of what remains to be done: a chain of a million terms must not recurse.
    fn pieces(&mut self, mut pieces: Vec<PrintedPiece<'t>>) {
        while let Some(piece) = pieces.pop() {
            match piece {
                PrintedPiece::Text(text) => self.out.push_str(text),
                PrintedPiece::Node(id) => self.node(id, &mut pieces),
                PrintedPiece::Value(id) => self.whole_value(id, &mut pieces),
            }
        }
    }

    fn whole_value(&mut self, id: NodeId, pieces: &mut Vec<PrintedPiece<'t>>) {
        let node = self.document.node(id);
        let text = self.text(node.span);
        if matches!(lexical::word_run(text), Ok(("", _))) {
            // `a-b` may be a name.
            self.out.push_str(text);
        } else if let NodeKind::Unary(UnaryOp::Negate, operand) = node.kind {
            // `- a` must not become `-a`, which may be a name.
            pieces.push(PrintedPiece::Node(operand));
            self.out.push_str("- ");
        } else {
            self.node(id, pieces);
        }
    }

    /// Prints what begins the node and leaves the rest for later, last things first.
    fn node(&mut self, id: NodeId, pieces: &mut Vec<PrintedPiece<'t>>) {
        let node = self.document.node(id);
        let text = self.text(node.span);
        match node.kind {
            NodeKind::Number(_) | NodeKind::Name | NodeKind::Word | NodeKind::Text => {
                self.out.push_str(text);
            }
            // Blanks in brackets are kept: the text of the path is its name.
            NodeKind::Indexed(_) => self.out.push_str(text),
            NodeKind::List(run) => {
                self.out.push_str("{ ");
                pieces.push(PrintedPiece::Text(" }"));
                push_members(self.document.members(run), PrintedPiece::Value, pieces);
            }
            NodeKind::Parenthesis(inner) => {
                self.out.push('(');
                pieces.extend([PrintedPiece::Text(")"), PrintedPiece::Node(inner)]);
            }
            NodeKind::Unary(operator, operand) => {
                self.out.push_str(operator.symbol());
                pieces.push(PrintedPiece::Node(operand));
            }
            NodeKind::Binary(operator, left, right) => pieces.extend([
                PrintedPiece::Node(right),
                PrintedPiece::Text(" "),
                PrintedPiece::Text(operator.symbol()),
                PrintedPiece::Text(" "),
                PrintedPiece::Node(left),
            ]),
            NodeKind::Call { name_len, arguments } => {
                self.out.push_str(text.get(..usize::from(name_len)).unwrap_or(""));
                self.out.push('(');
                pieces.push(PrintedPiece::Text(")"));
                push_members(self.document.members(arguments), PrintedPiece::Node, pieces);
            }
        }
    }
}

fn push_members<'t>(
    members: &[NodeId],
    piece: impl Fn(NodeId) -> PrintedPiece<'t>,
    pieces: &mut Vec<PrintedPiece<'t>>,
) {
    for (index, &member) in members.iter().enumerate().rev() {
        pieces.push(piece(member));
        if index > 0 {
            pieces.push(PrintedPiece::Text(", "));
        }
    }
}
