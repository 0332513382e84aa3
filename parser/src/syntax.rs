//! The syntax tree of a `.dys` text. Every node keeps its span; the tree knows no physics.
//!
//! The tree lies in flat tables that refer to each other by index: a model of a million blocks then
//! costs a few large allocations, and no depth of nesting can exhaust the stack when it is dropped.

use crate::source::Span;

/// Index of a [`Node`] in its [`Document`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub(crate) u32);

/// A run of neighbours in one of the tables of a [`Document`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    pub(crate) first: u32,
    pub(crate) count: u32,
}

impl Run {
    fn of<T>(self, table: &[T]) -> &[T] {
        let first = self.first as usize;
        table.get(first..first + self.count as usize).unwrap_or(&[])
    }

    /// Number of entries.
    pub fn len(self) -> usize {
        self.count as usize
    }

    /// Whether there is no entry.
    pub fn is_empty(self) -> bool {
        self.count == 0
    }
}

/// One text, parsed.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Blocks that stand in no other block.
    pub(crate) blocks: Vec<Block>,
    /// Blocks inside of blocks; the inner blocks of one block are neighbours.
    pub(crate) inner: Vec<Block>,
    pub(crate) equations: Vec<Equation>,
    pub(crate) transitions: Vec<Transition>,
    /// Names with brackets, in the order of the text, and the expressions in their brackets.
    pub(crate) indexed_names: Vec<(Span, Run)>,
    pub(crate) parameters: Vec<Parameter>,
    /// Members of values, lists and argument lists.
    pub(crate) members: Vec<NodeId>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) comments: Vec<Span>,
    /// Could some text not be read that may hold blocks?
    pub(crate) lost_blocks: bool,
}

/// `Keyword "name" { parameters and inner blocks }`, or a section `Set { }`, `Transitions { }`, whose name is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The keyword.
    pub keyword: Span,
    /// The name without its quotes; empty where it is missing.
    pub name: Span,
    /// From the keyword to the closing brace.
    pub span: Span,
    /// Parameters may be missing, because some text of the block could not be read.
    pub damaged: bool,
    pub(crate) parameters: Run,
    pub(crate) inner: Run,
    pub(crate) equations: Run,
    pub(crate) transitions: Run,
}

/// `left = right;` of an Equations block or a Set section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The expression before the equals sign.
    pub left: NodeId,
    /// The expression behind the equals sign.
    pub right: NodeId,
    /// Both sides, without the semicolon.
    pub span: Span,
}

/// `from -> to : condition;` of a Transitions section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The name of the state before the transition.
    pub from: Span,
    /// The name of the state behind the transition.
    pub to: Span,
    /// The condition.
    pub condition: NodeId,
    /// The whole line without the semicolon.
    pub span: Span,
}

/// `Name = value, value, ...;` One whose value could not be read has no values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name.
    pub name: Span,
    /// All values together, without the semicolon.
    pub value: Span,
    pub(crate) values: Run,
}

/// A value or a part of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Place of the node in the text.
    pub span: Span,
    /// Kind of the node.
    pub kind: NodeKind,
}

/// The kinds of values and expressions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeKind {
    /// A number literal.
    Number(f64),
    /// A name, or a path to a signal such as `J1.q[2]`, `Revolute:a.q`, `"a-b".q`.
    Name,
    /// A path with expressions in brackets, such as `link[i-1].q`; the run has these expressions in the order of the text.
    /// A path whose brackets contain only digits is a `Name`.
    Indexed(Run),
    /// A name or word that is not an expression, such as `2link` or the `+` of `OneSide = +`.
    Word,
    /// A quoted text; the span includes the quotes.
    Text,
    /// `{ ... }`
    List(Run),
    /// `(x)`
    Parenthesis(NodeId),
    /// `-x` or `!x`
    Unary(UnaryOp, NodeId),
    /// `a + b` and the like.
    Binary(BinaryOp, NodeId, NodeId),
    /// `name(arguments)`; the name are the first `name_len` bytes of the span.
    Call {
        /// Length of the function's name in bytes.
        name_len: u16,
        /// The arguments.
        arguments: Run,
    },
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-x`
    Negate,
    /// `+x`
    Plus,
    /// `!x`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the operators")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

impl UnaryOp {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Negate => "-",
            UnaryOp::Plus => "+",
            UnaryOp::Not => "!",
        }
    }
}

impl BinaryOp {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Power => "^",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }

    /// How tightly it binds; a larger number binds tighter.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual => 3,
            BinaryOp::Add | BinaryOp::Subtract => 4,
            BinaryOp::Multiply | BinaryOp::Divide => 5,
            BinaryOp::Power => 7,
        }
    }

    /// Whether the operator is one of `< <= > >= == !=`.
    pub fn is_comparison(self) -> bool {
        self.precedence() == 3
    }
}

/// Precedence of `-x` and `!x`: between `*` and `^`, so that `-2^2` is -4.
pub const UNARY_PRECEDENCE: u8 = 6;

impl Document {
    /// A document without blocks.
    pub const EMPTY: Document = Document {
        blocks: Vec::new(),
        inner: Vec::new(),
        equations: Vec::new(),
        transitions: Vec::new(),
        indexed_names: Vec::new(),
        parameters: Vec::new(),
        members: Vec::new(),
        nodes: Vec::new(),
        comments: Vec::new(),
        lost_blocks: false,
    };

    /// The outermost blocks in the order of the text.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The blocks and sections inside of a block, in the order of the text.
    pub fn inner(&self, block: &Block) -> &[Block] {
        block.inner.of(&self.inner)
    }

    /// The equations of an Equations block, or the assignments of a Set section.
    pub fn equations(&self, block: &Block) -> &[Equation] {
        block.equations.of(&self.equations)
    }

    /// The lines of a Transitions section.
    pub fn transitions(&self, block: &Block) -> &[Transition] {
        block.transitions.of(&self.transitions)
    }

    /// The expressions in the brackets of a block's or parameter's name, in the order of the text.
    pub fn name_indices(&self, name: Span) -> &[NodeId] {
        let found = self.indexed_names.binary_search_by_key(&name.start, |(span, _)| span.start);
        found.map_or(&[], |at| self.members(self.indexed_names[at].1))
    }

    /// Whether blocks may be missing, because some text could not be read.
    pub fn lost_blocks(&self) -> bool {
        self.lost_blocks
    }

    /// The parameters of a block in the order of the text.
    pub fn parameters(&self, block: &Block) -> &[Parameter] {
        block.parameters.of(&self.parameters)
    }

    /// The values of a parameter, separated by commas in the text; none after a mistake in it.
    pub fn values(&self, parameter: &Parameter) -> &[NodeId] {
        parameter.values.of(&self.members)
    }

    /// The members of a list or the arguments of a call.
    pub fn members(&self, run: Run) -> &[NodeId] {
        run.of(&self.members)
    }

    /// The node with this index.
    pub fn node(&self, id: NodeId) -> Node {
        // Identifiers come from this document; a foreign one finds an empty name, not a panic.
        let empty = Node { span: Span::default(), kind: NodeKind::Name };
        self.nodes.get(id.0 as usize).copied().unwrap_or(empty)
    }

    /// All nodes in the order in which they were read.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The comments in the order of the text, with their `//` or `/* */`.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }
}
