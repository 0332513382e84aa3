//! What blocks switch on: limits and comparisons with events, of expressions and of time alone.
//!
//! An operand that depends on time only stays a program, so that the instants at which it switches are known
//! beforehand. Any other becomes a variable of the equations, whose crossings are searched for.

use super::programs;
use super::writer::Writer;
use equations::expr::Ex;
use equations::expression::{Formula, Op, Program};
use equations::programs::UsedSignal;

/// Something that a block compares with numbers.
#[derive(Clone, Debug)]
pub(crate) struct Operand(Program);

impl<'a> Writer<'a> {
    /// The operand of a time expression, and its value.
    pub(crate) fn input(&self, program: &Program) -> (Operand, Ex<'a>) {
        let value = self.time(program);
        let timed = !program.ops().iter().any(|op| matches!(op, Op::Signal(_)));
        let operand = if timed { Operand(program.clone()) } else { self.operand(value) };
        (operand, value)
    }

    /// An expression as an operand.
    pub(crate) fn operand(&self, value: Ex<'a>) -> Operand {
        if let Some(number) = value.value() {
            return Operand(Program::constant(number));
        }
        let number = programs::number_of(self, UsedSignal::Network(self.named(value)));
        Operand(Program::signal(programs::by_number(number)))
    }

    /// The value of a formula of an operand; what switches in it does so with events.
    pub(crate) fn switching(
        &self,
        operand: &Operand,
        formula: impl FnOnce(Formula) -> Formula,
    ) -> Ex<'a> {
        self.numbered(&formula(Formula::of(&operand.0)).program())
    }

    /// Limits, each of which may be missing.
    pub(crate) fn limited(
        &self,
        value: Ex<'a>,
        operand: &Operand,
        [low, high]: [Option<f64>; 2],
    ) -> Ex<'a> {
        match (low, high) {
            (None, None) => value,
            (Some(low), None) => self.switching(operand, |u| u.call("max", &[low])),
            (None, Some(high)) => self.switching(operand, |u| u.call("min", &[high])),
            (Some(low), Some(high)) => self.switching(operand, |u| u.clamp(low, high)),
        }
    }
}
