//! A compiled expression: operations in postfix order, evaluated without allocating.

use parser::syntax::{BinaryOp, UnaryOp};

use super::functions::{FUNCTIONS, is_true};

/// A signal of the model: which block, which of its signals, which component (from 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SignalRef {
    /// Index of the block in the model's list of blocks.
    pub block: u32,
    /// Index of the signal in the block's schema.
    pub signal: u16,
    /// Component, from 0.
    pub component: u16,
}

/// One operation on the stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// Pushes a number.
    Constant(f64),
    /// Pushes the time.
    Time,
    /// Pushes the argument of the law.
    Argument,
    /// Pushes a signal.
    Signal(SignalRef),
    /// Replaces the top.
    Unary(UnaryOp),
    /// Replaces the two on top.
    Binary(BinaryOp),
    /// Replaces the arguments on top: index in [`FUNCTIONS`] and their number.
    Call(u16, u32),
    /// The derivative of the top with respect to time. It stands in equations only, which take such programs apart; a
    /// program that is evaluated has none.
    Rate,
}

/// A compiled expression.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    ops: Box<[Op]>,
    /// Deepest stack that evaluation needs.
    depth: usize,
}

/// The value of an operator with one operand.
pub(super) fn unary(operator: UnaryOp, x: f64) -> f64 {
    match operator {
        UnaryOp::Negate => -x,
        UnaryOp::Plus => x,
        UnaryOp::Not => f64::from(!is_true(x)),
    }
}

/// The value of an operator with two operands; truth values are 0 and 1.
pub fn binary(operator: BinaryOp, a: f64, b: f64) -> f64 {
    match operator {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        BinaryOp::Power => a.powf(b),
        BinaryOp::Less => f64::from(a < b),
        BinaryOp::LessEqual => f64::from(a <= b),
        BinaryOp::Greater => f64::from(a > b),
        BinaryOp::GreaterEqual => f64::from(a >= b),
        BinaryOp::Equal => f64::from(a == b),
        BinaryOp::NotEqual => f64::from(a != b),
        BinaryOp::And => f64::from(is_true(a) && is_true(b)),
        BinaryOp::Or => f64::from(is_true(a) || is_true(b)),
    }
}

impl Program {
    /// A program of operations in postfix order.
    pub fn new(ops: Vec<Op>) -> Self {
        let (mut height, mut depth) = (0usize, 0);
        for op in &ops {
            height = match op {
                Op::Constant(_) | Op::Time | Op::Argument | Op::Signal(_) => height + 1,
                Op::Unary(_) | Op::Rate => height,
                Op::Binary(_) => height.saturating_sub(1),
                Op::Call(_, count) => (height + 1).saturating_sub(*count as usize),
            };
            depth = depth.max(height);
        }
        Self { ops: ops.into_boxed_slice(), depth }
    }

    /// A program that gives a number.
    pub fn constant(number: f64) -> Self {
        Self::new(vec![Op::Constant(number)])
    }

    /// A program that gives a signal.
    pub fn signal(signal: SignalRef) -> Self {
        Self::new(vec![Op::Signal(signal)])
    }

    /// The number, if the program is one.
    pub fn as_constant(&self) -> Option<f64> {
        match *self.ops {
            [Op::Constant(number)] => Some(number),
            _ => None,
        }
    }

    /// The operations in postfix order.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Length of the stack that [`Program::evaluate`] needs.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// This program with more operations behind it.
    pub fn followed_by(&self, more: &[Op]) -> Self {
        Self::new([&self.ops, more].concat())
    }

    /// This program with its signals renamed.
    pub fn map_signals(&self, mut rename: impl FnMut(SignalRef) -> SignalRef) -> Self {
        let rename = |op: &Op| match *op {
            Op::Signal(signal) => Op::Signal(rename(signal)),
            op => op,
        };
        Self { ops: self.ops.iter().map(rename).collect(), depth: self.depth }
    }

    /// This program with other programs in place of some of its signals.
    pub fn with_programs(&self, program: impl Fn(SignalRef) -> Option<Self>) -> Self {
        let mut ops = Vec::with_capacity(self.ops.len());
        for &op in &self.ops {
            let other = if let Op::Signal(signal) = op { program(signal) } else { None };
            match other {
                Some(other) => ops.extend_from_slice(&other.ops),
                None => ops.push(op),
            }
        }
        Self::new(ops)
    }

    /// The value at time `t`, for a law with this `argument` (any number where there is none).
    /// `stack` has at least [`Program::depth`] entries; `signal` gives the values of signals.
    /// Allocates nothing.
    pub fn evaluate(
        &self,
        t: f64,
        argument: f64,
        signal: impl Fn(SignalRef) -> f64,
        stack: &mut [f64],
    ) -> f64 {
        debug_assert!(stack.len() >= self.depth);
        let mut top = 0;
        for op in &self.ops {
            top = op.apply(t, argument, &signal, stack, top);
        }
        stack[0]
    }
}

impl Op {
    /// Number of operands that it takes from the stack.
    pub fn operands(self) -> usize {
        match self {
            Op::Constant(_) | Op::Time | Op::Argument | Op::Signal(_) => 0,
            Op::Unary(_) | Op::Rate => 1,
            Op::Binary(_) => 2,
            Op::Call(_, count) => count as usize,
        }
    }

    /// Replaces the operands below `top` by the result; gives the new top.
    #[inline]
    pub fn apply(
        self,
        t: f64,
        argument: f64,
        signal: impl Fn(SignalRef) -> f64,
        stack: &mut [f64],
        top: usize,
    ) -> usize {
        let first = top - self.operands();
        stack[first] = match self {
            Op::Constant(number) => number,
            Op::Time => t,
            Op::Argument => argument,
            Op::Signal(reference) => signal(reference),
            Op::Unary(operator) => unary(operator, stack[first]),
            Op::Rate => f64::NAN,
            Op::Binary(operator) => binary(operator, stack[first], stack[first + 1]),
            Op::Call(function, _) => (FUNCTIONS[function as usize].value)(&stack[first..top]),
        };
        first + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_runs_on_its_stack() {
        // 2*t + a, limited to 5 from above
        let signal = SignalRef { block: 0, signal: 0, component: 0 };
        let min = super::super::functions::find("min").unwrap() as u16;
        let program = Program::new(vec![
            Op::Constant(2.0),
            Op::Time,
            Op::Binary(BinaryOp::Multiply),
            Op::Signal(signal),
            Op::Binary(BinaryOp::Add),
            Op::Constant(5.0),
            Op::Call(min, 2),
        ]);
        assert_eq!(program.depth(), 2);
        let mut stack = [0.0; 2];
        assert_eq!(program.evaluate(1.0, 0.0, |_| 0.5, &mut stack), 2.5);
        assert_eq!(program.evaluate(4.0, 0.0, |_| 0.5, &mut stack), 5.0);
        assert_eq!(program.as_constant(), None);
        assert_eq!(Program::constant(3.0).as_constant(), Some(3.0));
    }
}
