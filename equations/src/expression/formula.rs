//! Programs written as formulas: functions of time in the laws of blocks, with operators instead of lists of operations.

use std::ops::{Add, Mul, Sub};

use parser::syntax::BinaryOp;

use super::functions::find;
use super::program::{Op, Program, SignalRef};

/// A program in the making.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula(Vec<Op>);

impl Formula {
    /// The time.
    pub fn time() -> Self {
        Self(vec![Op::Time])
    }

    /// The value of a program.
    pub fn of(program: &Program) -> Self {
        Self(program.ops().to_vec())
    }

    /// A signal.
    pub fn signal(signal: SignalRef) -> Self {
        Self(vec![Op::Signal(signal)])
    }

    fn against(mut self, operator: BinaryOp, other: Self) -> Self {
        self.0.extend(other.0);
        self.0.push(Op::Binary(operator));
        self
    }

    /// 1 where this is at least the other, else 0.
    pub fn reaches(self, other: Self) -> Self {
        self.against(BinaryOp::GreaterEqual, other)
    }

    /// 1 where this is below the other, else 0.
    pub fn under(self, other: Self) -> Self {
        self.against(BinaryOp::Less, other)
    }

    /// A function of the language of this and further numbers.
    pub fn call(mut self, name: &str, numbers: &[f64]) -> Self {
        self.0.extend(numbers.iter().map(|&number| Op::Constant(number)));
        self.0.extend(find(name).map(|index| Op::Call(index as u16, numbers.len() as u32 + 1)));
        self
    }

    /// Limited to `low..high`.
    pub fn clamp(self, low: f64, high: f64) -> Self {
        self.call("clamp", &[low, high])
    }

    fn compare(mut self, operator: BinaryOp, number: f64) -> Self {
        self.0.extend([Op::Constant(number), Op::Binary(operator)]);
        self
    }

    /// 1 where this is above the number, else 0.
    pub fn above(self, number: f64) -> Self {
        self.compare(BinaryOp::Greater, number)
    }

    /// 1 where this is below the number, else 0.
    pub fn below(self, number: f64) -> Self {
        self.compare(BinaryOp::Less, number)
    }

    /// 1 where this is at least the number, else 0.
    pub fn at_least(self, number: f64) -> Self {
        self.compare(BinaryOp::GreaterEqual, number)
    }

    /// 1 where this is at most the number, else 0.
    pub fn at_most(self, number: f64) -> Self {
        self.compare(BinaryOp::LessEqual, number)
    }

    /// The program.
    pub fn program(self) -> Program {
        Program::new(self.0)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $operator:ident;)*) => {$(
        impl $trait for Formula {
            type Output = Formula;
            fn $method(self, other: Formula) -> Formula {
                self.against(BinaryOp::$operator, other)
            }
        }
        impl $trait<f64> for Formula {
            type Output = Formula;
            fn $method(self, other: f64) -> Formula {
                self.$method(Formula(vec![Op::Constant(other)]))
            }
        }
        impl $trait<Formula> for f64 {
            type Output = Formula;
            fn $method(self, other: Formula) -> Formula {
                Formula(vec![Op::Constant(self)]).$method(other)
            }
        }
    )*};
}

operators! {
    Add add Add;
    Sub sub Subtract;
    Mul mul Multiply;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_read_as_it_is_written() {
        let ramp = 2.0 + 3.0 * (Formula::time() - 1.0).clamp(0.0, 4.0);
        let program = ramp.program();
        let mut stack = vec![0.0; program.depth()];
        let mut at = |t| program.evaluate(t, 0.0, |_| 0.0, &mut stack);
        assert_eq!([at(0.0), at(2.0), at(9.0)], [2.0, 5.0, 14.0]);
    }
}
