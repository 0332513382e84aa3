//! Expressions as sums of variables and a Taylor polynomial in the time after an instant.
//!
//! What is linear stays as it is; what is not is replaced by its tangent at the values of the instant. No walk recurses.

use rustc_hash::FxHashMap;

use super::time_taylor::{Taylor, slope};
use equations::expr::{Arena, EXPONENT_LIMIT, ExprId, Node, VarId, limited_exp};
use equations::expression::FUNCTIONS;
use equations::expression::program::binary;
use parser::syntax::BinaryOp;

/// All numbers at an instant.
pub(crate) struct Instant<'a> {
    /// The time, and how exactly it is known.
    pub t: f64,
    pub t_error: f64,
    /// Values of all variables, for what is not linear.
    pub values: &'a [f64],
    /// Numbers from outside.
    pub inputs: &'a [f64],
    /// States of what switches in time expressions.
    pub states: &'a [f64],
    /// Registers.
    pub memory: &'a [f64],
}

/// `free + sum of factors times variables`.
#[derive(Clone, Debug)]
pub(crate) struct Affine {
    /// Variables, ascending, with factors that are not zero.
    pub terms: Vec<(VarId, f64)>,
    pub free: Taylor,
}

impl Affine {
    /// A number.
    pub fn constant(number: f64) -> Self {
        Self { terms: Vec::new(), free: Taylor::constant(number) }
    }

    /// `a * self + b * other`.
    pub fn sum(&self, a: f64, other: &Self, b: f64) -> Self {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut i, mut j) = (0, 0);
        while i < self.terms.len() || j < other.terms.len() {
            let (x, y) = (self.terms.get(i), other.terms.get(j));
            let variable = match (x, y) {
                (Some(x), Some(y)) => x.0.min(y.0),
                (Some(x), None) | (None, Some(x)) => x.0,
                (None, None) => break,
            };
            let mut factor = 0.0;
            if let Some(x) = x.filter(|x| x.0 == variable) {
                factor += a * x.1;
                i += 1;
            }
            if let Some(y) = y.filter(|y| y.0 == variable) {
                factor += b * y.1;
                j += 1;
            }
            if factor != 0.0 {
                terms.push((variable, factor));
            }
        }
        Self { terms, free: self.free.sum(a, &other.free, b) }
    }

    /// A number times it.
    pub fn times(&self, factor: f64) -> Self {
        self.sum(factor, &Self::constant(0.0), 0.0)
    }

    /// The value at the instant.
    pub fn value(&self, values: &[f64]) -> f64 {
        let terms = self.terms.iter().map(|(variable, factor)| factor * values[variable.index()]);
        terms.fold(self.free.c[0], |sum, term| sum + term)
    }

    fn is_free(&self) -> bool {
        self.terms.is_empty()
    }
}

/// Evaluates expressions at an instant; remembers those that it has met.
pub(crate) struct Lineariser<'a> {
    arena: &'a Arena,
    at: &'a Instant<'a>,
    /// The modes in force.
    modes: &'a [i8],
    /// Registers that count as variables.
    excited: FxHashMap<u32, VarId>,
    done: FxHashMap<ExprId, Affine>,
    /// Stands for what was not evaluated.
    unknown: Affine,
}

impl<'a> Lineariser<'a> {
    /// Expressions in these modes.
    pub fn new(arena: &'a Arena, at: &'a Instant<'a>, modes: &'a [i8]) -> Self {
        let (done, unknown) = (FxHashMap::default(), Affine::constant(f64::NAN));
        Self { arena, at, modes, excited: FxHashMap::default(), done, unknown }
    }

    /// Counts registers as variables, which stand behind all others.
    pub fn excited(self, excited: FxHashMap<u32, VarId>) -> Self {
        Self { excited, ..self }
    }

    /// The sum of expressions.
    pub fn sum(&mut self, terms: &[ExprId]) -> Affine {
        terms.iter().fold(Affine::constant(0.0), |sum, &term| {
            self.follow(term);
            sum.sum(1.0, self.known(term), 1.0)
        })
    }

    /// An expression.
    pub fn find(&mut self, root: ExprId) -> Affine {
        self.follow(root);
        self.known(root).clone()
    }

    /// An expression that was evaluated.
    fn known(&self, id: ExprId) -> &Affine {
        self.done.get(&id).unwrap_or(&self.unknown)
    }

    /// Evaluates an expression and all that it needs.
    fn follow(&mut self, root: ExprId) {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.done.contains_key(&id) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            // Of a choice only the branch in force is looked at, once its condition is known.
            match self.chosen(id) {
                Choice::Known(branch) => match self.done.get(&branch).cloned() {
                    Some(known) => {
                        self.done.insert(id, known);
                    }
                    None => stack.push(branch),
                },
                Choice::Ask(condition) => stack.push(condition),
                Choice::None => {
                    let (operands, count) = self.arena.operands(id);
                    let open = operands[..count].iter().filter(|id| !self.done.contains_key(id));
                    stack.extend(open);
                    if stack.len() == waiting {
                        let result = self.evaluate(id);
                        self.done.insert(id, result);
                    }
                }
            }
        }
    }

    fn chosen(&self, id: ExprId) -> Choice {
        let known = |is: bool, a: ExprId, b: ExprId| Choice::Known(if is { a } else { b });
        match self.arena.node(id) {
            Node::IfMode(mode, value, a, b) => {
                known(self.modes.get(mode as usize) == Some(&value), a, b)
            }
            Node::IfState(switch, state, a, b) => {
                let now = self.at.states.get(switch as usize).copied().unwrap_or(0.0);
                known(now == f64::from(state), a, b)
            }
            Node::IfPositive(condition, a, b) => match self.done.get(&condition) {
                Some(condition) => known(condition.value(self.at.values) > 0.0, a, b),
                None => Choice::Ask(condition),
            },
            _ => Choice::None,
        }
    }

    fn evaluate(&self, id: ExprId) -> Affine {
        let of = |id: ExprId| self.known(id);
        let number =
            |list: &[f64], k: u32| Affine::constant(list.get(k as usize).copied().unwrap_or(0.0));
        match self.arena.node(id) {
            Node::Constant(bits) => Affine::constant(f64::from_bits(bits)),
            Node::Time => {
                Affine { terms: Vec::new(), free: Taylor::time(self.at.t, self.at.t_error) }
            }
            Node::Variable(variable) => {
                Affine { terms: vec![(variable, 1.0)], free: Taylor::constant(0.0) }
            }
            Node::Input(k) => number(self.at.inputs, k),
            Node::State(k) => number(self.at.states, k),
            Node::Memory(k) => match self.excited.get(&k) {
                Some(&own) => Affine { terms: vec![(own, 1.0)], free: Taylor::constant(0.0) },
                None => number(self.at.memory, k),
            },
            Node::Negate(a) => of(a).times(-1.0),
            Node::Function(function, a) => {
                let function = &FUNCTIONS[usize::from(function)];
                let a = of(a);
                let x = a.value(self.at.values);
                let value = (function.value)(&[x]);
                if a.is_free() {
                    let free = a.free.function(function.name, value);
                    return Affine { terms: Vec::new(), free };
                }
                self.tangent(value, &[(a, slope(function.name, x))])
            }
            Node::LimitedExp(a) => {
                let a = of(a);
                let x = a.value(self.at.values);
                self.tangent(limited_exp(x), &[(a, limited_exp(x.min(EXPONENT_LIMIT)))])
            }
            Node::Atan2(y, x) => {
                let (y, x) = (of(y), of(x));
                let (b, a) = (y.value(self.at.values), x.value(self.at.values));
                let square = a * a + b * b;
                self.tangent(b.atan2(a), &[(y, a / square), (x, -b / square)])
            }
            Node::Binary(operator, a, b) => self.operator(operator, of(a), of(b)),
            Node::IfPositive(..) | Node::IfState(..) | Node::IfMode(..) => {
                Affine::constant(f64::NAN)
            }
        }
    }

    fn operator(&self, operator: BinaryOp, a: &Affine, b: &Affine) -> Affine {
        let free = |free: Taylor| Affine { terms: Vec::new(), free };
        let (x, y) = (a.value(self.at.values), b.value(self.at.values));
        match operator {
            BinaryOp::Add => a.sum(1.0, b, 1.0),
            BinaryOp::Subtract => a.sum(1.0, b, -1.0),
            BinaryOp::Multiply if a.is_free() && b.is_free() => free(a.free.product(&b.free)),
            BinaryOp::Multiply if a.is_free() && a.free.is_constant() => b.times(x),
            BinaryOp::Multiply if b.is_free() && b.free.is_constant() => a.times(y),
            BinaryOp::Multiply => self.tangent(x * y, &[(a, y), (b, x)]),
            BinaryOp::Divide if a.is_free() && b.is_free() => free(a.free.quotient(&b.free)),
            BinaryOp::Divide if b.is_free() && b.free.is_constant() => a.times(1.0 / y),
            BinaryOp::Divide => self.tangent(x / y, &[(a, 1.0 / y), (b, -x / (y * y))]),
            BinaryOp::Power if a.is_free() && b.is_free() && b.free.is_constant() && x != 0.0 => {
                free(a.free.power(y))
            }
            BinaryOp::Power => {
                let by_exponent = if b.is_free() && b.free.is_constant() { 0.0 } else { x.ln() };
                let value = x.powf(y);
                self.tangent(value, &[(a, y * x.powf(y - 1.0)), (b, value * by_exponent)])
            }
            _ => Affine::constant(binary(operator, x, y)),
        }
    }

    /// `value + sum of slope (argument - its value)`.
    fn tangent(&self, value: f64, arguments: &[(&Affine, f64)]) -> Affine {
        let mut result = Affine::constant(0.0);
        let mut rest = value;
        for (argument, slope) in arguments {
            result = result.sum(1.0, argument, *slope);
            rest -= slope * argument.value(self.at.values);
        }
        let mut result = result.sum(1.0, &Affine::constant(rest), 1.0);
        result.free.errors[0] += f64::EPSILON * value.abs();
        result
    }
}

/// How a choice between expressions stands.
enum Choice {
    /// It is made.
    Known(ExprId),
    /// It depends on this.
    Ask(ExprId),
    /// There is none.
    None,
}
