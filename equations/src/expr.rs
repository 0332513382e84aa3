//! Symbolic expressions: a graph in one arena, equal nodes stored once, constants folded as they arise.
//!
//! Handles are copied freely, so that an element writes its law as a textbook does: `e.equal(v, r * i)`.
//! No walk here recurses; the depth of an expression follows the text of a model.

use std::cell::RefCell;
use std::hash::BuildHasher;
use std::num::NonZeroU32;
use std::ops::{Add, Div, Mul, Neg, Sub};

use hashbrown::HashTable;
use parser::syntax::BinaryOp;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::expression::FUNCTIONS;
use crate::expression::program::binary;

/// A node of the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// An unknown of the equations; derivatives are unknowns of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

impl VarId {
    /// Index in the list of variables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operation or a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A number, by its bits.
    Constant(u64),
    /// The time.
    Time,
    /// An unknown.
    Variable(VarId),
    /// A number from outside: a signal of the mechanics, or a former value.
    Input(u32),
    /// The frozen state of a switch in a time expression.
    State(u32),
    /// A register, which changes at events only.
    Memory(u32),
    /// -a.
    Negate(ExprId),
    /// A function of the language with one argument, by its index.
    Function(u16, ExprId),
    /// exp(a), continued linearly above [`EXPONENT_LIMIT`].
    LimitedExp(ExprId),
    /// An operator with two operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// Angle of the point (b, a).
    Atan2(ExprId, ExprId),
    /// b if a > 0, else c; without an event.
    IfPositive(ExprId, ExprId, ExprId),
    /// a while the switch is in that state, else b.
    IfState(u32, i32, ExprId, ExprId),
    /// a while the mode has that value, else b: another structure of the equations.
    IfMode(u32, i8, ExprId, ExprId),
}

/// The kinds of leaves that occur in an expression, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents(u8);

impl Contents {
    /// Unknowns.
    pub const VARIABLES: Self = Self(1);
    /// Numbers from outside.
    pub const INPUTS: Self = Self(2);
    /// Choices by a mode.
    pub const MODES: Self = Self(4);
    /// The time.
    pub const TIME: Self = Self(8);

    /// The union of two sets.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }
}

/// Exponents of junctions above this go on linearly.
pub const EXPONENT_LIMIT: f64 = 200.0;

/// The arena.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    nodes: Vec<Node>,
    /// The kinds of leaves that occur in each node.
    contents: Vec<Contents>,
    /// The number of each expression, found by its node.
    known: HashTable<ExprId>,
    /// The expressions of the variables, which are asked for most often: their numbers, counted from 1.
    variables: Vec<Option<NonZeroU32>>,
    /// Numbers from outside whose derivatives nobody knows, ascending.
    pub without_rate: Vec<u32>,
    /// Numbers from outside whose derivatives are known: a number from outside again, or a variable.
    pub input_rates: FxHashMap<u32, ExprId>,
    /// Terms of the sum that is being split, and whether they are subtracted; empty in between.
    pub(crate) signed_terms: Vec<(ExprId, bool)>,
}

fn hash_of(node: &Node) -> u64 {
    FxBuildHasher.hash_one(node)
}

/// The outermost operation of a sum.
#[derive(Clone, Copy)]
pub enum Linear {
    /// Two terms, each with its sign.
    Sum([(ExprId, f64); 2]),
    /// A number times a term.
    Times(f64, ExprId),
    /// A term over a number that is not zero.
    Over(ExprId, f64),
}

impl Linear {
    /// The terms of `factor` times the sum.
    pub fn terms(self, factor: f64) -> impl Iterator<Item = (ExprId, f64)> {
        let (first, second) = match self {
            Self::Sum([a, b]) => ((a.0, factor * a.1), Some((b.0, factor * b.1))),
            Self::Times(number, a) => ((a, factor * number), None),
            Self::Over(a, number) => ((a, factor / number), None),
        };
        second.into_iter().chain([first])
    }
}

impl Arena {
    /// An operation through which sums are flattened.
    pub fn linear(&self, id: ExprId) -> Option<Linear> {
        match self.node(id) {
            Node::Binary(BinaryOp::Add, a, b) => Some(Linear::Sum([(a, 1.0), (b, 1.0)])),
            Node::Binary(BinaryOp::Subtract, a, b) => Some(Linear::Sum([(a, 1.0), (b, -1.0)])),
            Node::Negate(a) => Some(Linear::Times(-1.0, a)),
            Node::Binary(BinaryOp::Multiply, a, b) => match (self.value(a), self.value(b)) {
                (Some(number), _) => Some(Linear::Times(number, b)),
                (_, Some(number)) => Some(Linear::Times(number, a)),
                _ => None,
            },
            Node::Binary(BinaryOp::Divide, a, b) => {
                self.value(b).filter(|number| *number != 0.0).map(|number| Linear::Over(a, number))
            }
            _ => None,
        }
    }

    /// The node itself.
    pub fn node(&self, id: ExprId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there no node?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The value of a constant.
    pub fn value(&self, id: ExprId) -> Option<f64> {
        match self.node(id) {
            Node::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// Does one of these stand in an expression?
    pub fn has(&self, id: ExprId, any: Contents) -> bool {
        self.contents[id.0 as usize].has(any)
    }

    fn is(&self, id: ExprId, number: f64) -> bool {
        self.value(id) == Some(number)
    }

    fn intern(&mut self, node: Node) -> ExprId {
        if let Node::Variable(variable) = node {
            return self.variable(variable);
        }
        let hash = hash_of(&node);
        if let Some(&known) = self.known.find(hash, |id| self.nodes[id.0 as usize] == node) {
            return known;
        }
        let id = self.add(node);
        let Self { nodes, known, .. } = self;
        known.insert_unique(hash, id, |id| hash_of(&nodes[id.0 as usize]));
        id
    }

    /// Adds a node that is new.
    fn add(&mut self, node: Node) -> ExprId {
        let id = ExprId(self.nodes.len() as u32);
        self.nodes.push(node);
        let own = match node {
            Node::Variable(_) => Contents::VARIABLES,
            Node::Input(_) => Contents::INPUTS,
            Node::Time => Contents::TIME,
            Node::IfMode(..) => Contents::MODES,
            _ => Contents::default(),
        };
        let (operands, count) = self.operands(id);
        let of_operand = |operand: &ExprId| self.contents[operand.0 as usize];
        self.contents.push(operands[..count].iter().map(of_operand).fold(own, Contents::and));
        id
    }

    /// Makes room for so many further expressions.
    pub fn reserve(&mut self, count: usize) {
        self.nodes.reserve(count);
        self.contents.reserve(count);
        let Self { nodes, known, .. } = self;
        known.reserve(count, |id| hash_of(&nodes[id.0 as usize]));
    }

    /// A number.
    pub fn constant(&mut self, number: f64) -> ExprId {
        // One zero is enough.
        let number = if number == 0.0 { 0.0 } else { number };
        self.intern(Node::Constant(number.to_bits()))
    }

    /// A variable.
    pub fn variable(&mut self, variable: VarId) -> ExprId {
        let at = variable.index();
        if at >= self.variables.len() {
            self.variables.resize(at + 1, None);
        }
        if let Some(known) = self.variables[at] {
            return ExprId(known.get() - 1);
        }
        let id = self.add(Node::Variable(variable));
        self.variables[at] = NonZeroU32::new(id.0 + 1);
        id
    }

    /// Adds a node; simplifies where that changes no value.
    pub fn make(&mut self, node: Node) -> ExprId {
        match node {
            Node::Negate(a) => self.negate(a),
            Node::Binary(operator, a, b) => self.binary(operator, a, b),
            Node::Function(function, a) => match self.value(a) {
                Some(x) => self.constant((FUNCTIONS[usize::from(function)].value)(&[x])),
                None => self.intern(node),
            },
            Node::LimitedExp(a) => match self.value(a) {
                Some(x) => self.constant(limited_exp(x)),
                None => self.intern(node),
            },
            Node::Atan2(a, b) => match (self.value(a), self.value(b)) {
                (Some(x), Some(y)) => self.constant(x.atan2(y)),
                _ => self.intern(node),
            },
            Node::IfPositive(c, a, b) => match self.value(c) {
                _ if a == b => a,
                Some(x) if x > 0.0 => a,
                Some(_) => b,
                None => self.intern(node),
            },
            Node::IfState(_, _, a, b) | Node::IfMode(_, _, a, b) if a == b => a,
            node => self.intern(node),
        }
    }

    fn negate(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Constant(bits) => self.constant(-f64::from_bits(bits)),
            Node::Negate(inner) => inner,
            Node::Binary(BinaryOp::Subtract, x, y) => self.binary(BinaryOp::Subtract, y, x),
            _ => self.intern(Node::Negate(a)),
        }
    }

    /// `a operator b`.
    pub fn binary(&mut self, operator: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let value = binary(operator, x, y);
            if value.is_finite() {
                return self.constant(value);
            }
        }
        match operator {
            BinaryOp::Add if self.is(a, 0.0) => b,
            BinaryOp::Add | BinaryOp::Subtract if self.is(b, 0.0) => a,
            BinaryOp::Subtract if self.is(a, 0.0) => self.negate(b),
            BinaryOp::Subtract if a == b => self.constant(0.0),
            BinaryOp::Multiply if self.is(a, 0.0) || self.is(b, 0.0) => self.constant(0.0),
            BinaryOp::Multiply if self.is(a, 1.0) => b,
            BinaryOp::Multiply if self.is(a, -1.0) => self.negate(b),
            BinaryOp::Multiply if self.is(b, -1.0) => self.negate(a),
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Power if self.is(b, 1.0) => a,
            BinaryOp::Divide if self.is(a, 0.0) => a,
            BinaryOp::Divide if self.is(b, -1.0) => self.negate(a),
            _ => match (self.node(a), self.node(b)) {
                (_, Node::Negate(b)) if operator == BinaryOp::Add => {
                    self.binary(BinaryOp::Subtract, a, b)
                }
                (_, Node::Negate(b)) if operator == BinaryOp::Subtract => {
                    self.binary(BinaryOp::Add, a, b)
                }
                _ => self.intern(Node::Binary(operator, a, b)),
            },
        }
    }

    /// The operands of a node.
    pub fn operands(&self, id: ExprId) -> ([ExprId; 3], usize) {
        match self.node(id) {
            Node::Negate(a) | Node::Function(_, a) | Node::LimitedExp(a) => ([a; 3], 1),
            Node::Binary(_, a, b)
            | Node::Atan2(a, b)
            | Node::IfState(_, _, a, b)
            | Node::IfMode(_, _, a, b) => ([a, b, b], 2),
            Node::IfPositive(a, b, c) => ([a, b, c], 3),
            _ => ([id; 3], 0),
        }
    }

    /// The operation of a node on other operands.
    pub fn with_operands(&mut self, id: ExprId, x: [ExprId; 3]) -> ExprId {
        let node = match self.node(id) {
            Node::Negate(_) => Node::Negate(x[0]),
            Node::Function(function, _) => Node::Function(function, x[0]),
            Node::LimitedExp(_) => Node::LimitedExp(x[0]),
            Node::Binary(operator, ..) => Node::Binary(operator, x[0], x[1]),
            Node::Atan2(..) => Node::Atan2(x[0], x[1]),
            Node::IfState(switch, state, ..) => Node::IfState(switch, state, x[0], x[1]),
            Node::IfMode(mode, value, ..) => Node::IfMode(mode, value, x[0], x[1]),
            Node::IfPositive(..) => Node::IfPositive(x[0], x[1], x[2]),
            _ => return id,
        };
        self.make(node)
    }
}

/// exp(x), with the tangent at the limit beyond it.
pub fn limited_exp(x: f64) -> f64 {
    if x > EXPONENT_LIMIT { EXPONENT_LIMIT.exp() * (1.0 + x - EXPONENT_LIMIT) } else { x.exp() }
}

/// A handle that knows its arena: expressions are written with operators.
#[derive(Clone, Copy)]
pub struct Ex<'a> {
    /// Where the expression is kept.
    pub arena: &'a RefCell<Arena>,
    /// Its number there.
    pub id: ExprId,
}

impl<'a> Ex<'a> {
    /// A node beside this expression.
    pub fn make(self, node: Node) -> Self {
        Self { id: self.arena.borrow_mut().make(node), ..self }
    }

    /// A number beside this expression.
    pub fn number(self, number: f64) -> Self {
        Self { id: self.arena.borrow_mut().constant(number), ..self }
    }

    fn function(self, name: &str) -> Self {
        match crate::expression::function_index(name) {
            Some(index) => self.make(Node::Function(index as u16, self.id)),
            None => self,
        }
    }

    /// exp, continued linearly where it would overflow.
    pub fn exp(self) -> Self {
        self.make(Node::LimitedExp(self.id))
    }

    /// The largest whole number that is not above this one.
    pub fn floor(self) -> Self {
        self.function("floor")
    }

    /// Square root.
    pub fn sqrt(self) -> Self {
        self.function("sqrt")
    }

    /// Tangent.
    pub fn tan(self) -> Self {
        self.function("tan")
    }

    /// A power with a constant exponent. Roots, as of the capacitance of an abrupt junction, are computed faster.
    pub fn power(self, exponent: f64) -> Self {
        if exponent == 0.5 {
            return self.sqrt();
        }
        if exponent == -0.5 {
            return 1.0 / self.sqrt();
        }
        let exponent = self.number(exponent);
        self.make(Node::Binary(BinaryOp::Power, self.id, exponent.id))
    }

    /// `yes` where this is positive, else `no`; without an event, for laws that are smooth there.
    pub fn if_positive(self, yes: Self, no: Self) -> Self {
        self.make(Node::IfPositive(self.id, yes.id, no.id))
    }

    /// `other` where this is not a finite number.
    pub fn or_where_undefined(self, other: Self) -> Self {
        // Zero where this is infinite; no comparison with what is not a number holds.
        (1.0 / (self.function("abs") + 1.0)).if_positive(self, other)
    }

    /// The number, if it is one.
    pub fn value(self) -> Option<f64> {
        self.arena.borrow().value(self.id)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $operator:ident;)*) => {$(
        impl<'a> $trait for Ex<'a> {
            type Output = Ex<'a>;
            fn $method(self, other: Ex<'a>) -> Ex<'a> {
                self.make(Node::Binary(BinaryOp::$operator, self.id, other.id))
            }
        }
        impl<'a> $trait<f64> for Ex<'a> {
            type Output = Ex<'a>;
            fn $method(self, other: f64) -> Ex<'a> {
                let other = self.number(other);
                self.make(Node::Binary(BinaryOp::$operator, self.id, other.id))
            }
        }
        impl<'a> $trait<Ex<'a>> for f64 {
            type Output = Ex<'a>;
            fn $method(self, other: Ex<'a>) -> Ex<'a> {
                let number = other.number(self);
                other.make(Node::Binary(BinaryOp::$operator, number.id, other.id))
            }
        }
    )*};
}

operators! {
    Add add Add;
    Sub sub Subtract;
    Mul mul Multiply;
    Div div Divide;
}

impl<'a> Neg for Ex<'a> {
    type Output = Ex<'a>;
    fn neg(self) -> Ex<'a> {
        self.make(Node::Negate(self.id))
    }
}
