//! Do two texts say the same? Their trees are compared without regard to places, and their comments.

use crate::Parsed;
use crate::lexical::{self, unix_lines};
use crate::source::{Source, Span};
use crate::syntax::{Block, Document, Node, NodeId, NodeKind, Parameter, UnaryOp};

/// Whether both texts have the same blocks, parameters, values and comments in the same order.
///
/// Numbers count as equal when they are spelled equally. A value such as `a-b` may be a name and is
/// not the same as `a - b`.
pub fn same_meaning(a: (&Source, &Parsed), b: (&Source, &Parsed)) -> bool {
    let comments = (Text::new(a.0, &a.1.document), Text::new(b.0, &b.1.document));
    same_comments(&comments.0, &comments.1) && same_tree(a, b)
}

/// As [`same_meaning`], whatever the comments are.
pub fn same_tree(a: (&Source, &Parsed), b: (&Source, &Parsed)) -> bool {
    let (a, b) = (Text::new(a.0, &a.1.document), Text::new(b.0, &b.1.document));
    let (blocks_a, blocks_b) = (a.document.blocks(), b.document.blocks());
    blocks_a.len() == blocks_b.len()
        && blocks_a.iter().zip(blocks_b).all(|(x, y)| same_blocks(&a, x, &b, y))
}

/// A tree with the text that its spans refer to.
struct Text<'t> {
    text: &'t str,
    base: u32,
    document: &'t Document,
}

impl<'t> Text<'t> {
    fn new(source: &'t Source, document: &'t Document) -> Self {
        Self { text: source.text(), base: source.base(), document }
    }

    fn of(&self, span: Span) -> &'t str {
        let start = span.start.checked_sub(self.base).map(|start| start as usize);
        start.and_then(|start| self.text.get(start..start + span.len())).unwrap_or("")
    }
}

fn same_comments(a: &Text, b: &Text) -> bool {
    // Line ends and the white space behind a line comment are layout, not content.
    let same = |x: Span, y: Span| {
        let (x, y) = (a.of(x), b.of(y));
        x == y || unix_lines(x.trim_end()) == unix_lines(y.trim_end())
    };
    let (comments_a, comments_b) = (a.document.comments(), b.document.comments());
    comments_a.len() == comments_b.len()
        && comments_a.iter().zip(comments_b).all(|(&x, &y)| same(x, y))
}

fn same_blocks(a: &Text, x: &Block, b: &Text, y: &Block) -> bool {
    let (parameters_x, parameters_y) = (a.document.parameters(x), b.document.parameters(y));
    a.of(x.keyword) == b.of(y.keyword)
        && a.of(x.name) == b.of(y.name)
        && parameters_x.len() == parameters_y.len()
        && parameters_x.iter().zip(parameters_y).all(|(x, y)| same_parameters(a, x, b, y))
        && same_lines(a, x, b, y)
        && same_inner_blocks(a, x, b, y)
}

/// Compares inner blocks; the grammar bounds how deep blocks nest.
fn same_inner_blocks(a: &Text, x: &Block, b: &Text, y: &Block) -> bool {
    let (inner_x, inner_y) = (a.document.inner(x), b.document.inner(y));
    inner_x.len() == inner_y.len()
        && inner_x.iter().zip(inner_y).all(|(x, y)| same_blocks(a, x, b, y))
}

/// Compares equations and transitions.
fn same_lines(a: &Text, x: &Block, b: &Text, y: &Block) -> bool {
    let (equations_x, equations_y) = (a.document.equations(x), b.document.equations(y));
    let (transitions_x, transitions_y) = (a.document.transitions(x), b.document.transitions(y));
    let mut pairs = Pairs::default();
    for (x, y) in equations_x.iter().zip(equations_y) {
        pairs.add(x.left, y.left);
        pairs.add(x.right, y.right);
    }
    let mut same_states = true;
    for (x, y) in transitions_x.iter().zip(transitions_y) {
        same_states &= a.of(x.from) == b.of(y.from) && a.of(x.to) == b.of(y.to);
        pairs.add(x.condition, y.condition);
    }
    equations_x.len() == equations_y.len()
        && transitions_x.len() == transitions_y.len()
        && same_states
        && pairs.all_equal(a, b)
}

fn same_parameters(a: &Text, x: &Parameter, b: &Text, y: &Parameter) -> bool {
    let mut pairs = Pairs::default();
    a.of(x.name) == b.of(y.name)
        && pairs.values(a, a.document.values(x), b, b.document.values(y))
        && pairs.all_equal(a, b)
}

/// Pairs of nodes that remain to be compared: a list instead of recursion, because an expression may be
/// a chain of a million terms.
#[derive(Default)]
struct Pairs(Vec<(NodeId, NodeId)>);

impl Pairs {
    fn all_equal(&mut self, a: &Text, b: &Text) -> bool {
        while let Some((x, y)) = self.0.pop() {
            if !self.equal(a, a.document.node(x), b, b.document.node(y)) {
                return false;
            }
        }
        true
    }

    /// Adds the values of a parameter or the members of a list, which may be words.
    fn values(&mut self, a: &Text, x: &[NodeId], b: &Text, y: &[NodeId]) -> bool {
        let alike = |&(x, y): &(&NodeId, &NodeId)| {
            let (x, y) = (a.document.node(*x), b.document.node(*y));
            let (text_x, text_y) = (a.of(x.span), b.of(y.span));
            let (word_x, word_y) = (is_word(text_x), is_word(text_y));
            match (word_x, word_y) {
                (true, true) => text_x == text_y,
                (false, false) => true,
                // `- 1` and `-1` are one number, although only the second is one word.
                (true, false) => matches!(x.kind, NodeKind::Number(_)),
                (false, true) => matches!(y.kind, NodeKind::Number(_)),
            }
        };
        if x.len() != y.len() || !x.iter().zip(y).all(|pair| alike(&pair)) {
            return false;
        }
        self.0.extend(x.iter().copied().zip(y.iter().copied()));
        true
    }

    /// Compares two nodes and leaves their operands for later.
    fn equal(&mut self, a: &Text, x: Node, b: &Text, y: Node) -> bool {
        let (text_x, text_y) = (a.of(x.span), b.of(y.span));
        match (x.kind, y.kind) {
            (NodeKind::Number(_), NodeKind::Number(_))
            | (NodeKind::Name, NodeKind::Name)
            | (NodeKind::Word, NodeKind::Word)
            | (NodeKind::Text, NodeKind::Text) => text_x == text_y,
            // The text of a path is its name; blanks in its brackets do not count.
            (NodeKind::Indexed(_), NodeKind::Indexed(_)) => {
                let letters = |text: &'_ str| -> String {
                    text.chars().filter(|c| !c.is_whitespace()).collect()
                };
                letters(text_x) == letters(text_y)
            }
            (NodeKind::List(x), NodeKind::List(y)) => {
                self.values(a, a.document.members(x), b, b.document.members(y))
            }
            (NodeKind::Parenthesis(x), NodeKind::Parenthesis(y)) => self.add(x, y),
            (NodeKind::Unary(u, x), NodeKind::Unary(v, y)) => u == v && self.add(x, y),
            (NodeKind::Number(_), NodeKind::Unary(UnaryOp::Negate, y)) => is_negated(text_x, b, y),
            (NodeKind::Unary(UnaryOp::Negate, x), NodeKind::Number(_)) => is_negated(text_y, a, x),
            (NodeKind::Binary(u, x1, x2), NodeKind::Binary(v, y1, y2)) => {
                u == v && self.add(x1, y1) && self.add(x2, y2)
            }
            (
                NodeKind::Call { name_len: n, arguments: x },
                NodeKind::Call { name_len: m, arguments: y },
            ) => {
                let names = (text_x.get(..usize::from(n)), text_y.get(..usize::from(m)));
                let (x, y) = (a.document.members(x), b.document.members(y));
                let same = names.0 == names.1 && x.len() == y.len();
                self.0.extend(x.iter().copied().zip(y.iter().copied()));
                same
            }
            _ => false,
        }
    }

    fn add(&mut self, x: NodeId, y: NodeId) -> bool {
        self.0.push((x, y));
        true
    }
}

/// Would the grammar read this value as one word?
fn is_word(text: &str) -> bool {
    matches!(lexical::word_run(text), Ok(("", _)))
}

/// Whether `literal` is a minus sign and then the number of the node.
fn is_negated(literal: &str, text: &Text, node: NodeId) -> bool {
    let node = text.document.node(node);
    matches!(node.kind, NodeKind::Number(_))
        && literal.strip_prefix('-') == Some(text.of(node.span))
}
