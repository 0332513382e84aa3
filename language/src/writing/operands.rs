//! What blocks switch on: limits and comparisons with events, of expressions and of time alone.
//!
//! An operand that depends on time only stays a program, so that the instants at which it switches are known
//! beforehand. Any other becomes a variable of the equations, whose crossings are searched for.

use super::time_programs;
use super::writer::Writer;
use equations::expr::Ex;
use equations::expression::{Formula, Op, Program};
use equations::programs::UsedSignal;

/// Something that a block compares with numbers.
#[derive(Clone, Debug)]
pub(crate) struct Operand(Program);

impl Operand {
    /// The operand of a time expression, and its value.
    pub(crate) fn input<'a>(w: &Writer<'a>, program: &Program) -> (Operand, Ex<'a>) {
        let value = w.time(program);
        let timed = !program.ops().iter().any(|op| matches!(op, Op::Signal(_)));
        let operand = if timed { Operand(program.clone()) } else { Operand::of(w, value) };
        (operand, value)
    }

    /// An expression as an operand.
    pub(crate) fn of<'a>(w: &Writer<'a>, value: Ex<'a>) -> Operand {
        if let Some(number) = value.value() {
            return Operand(Program::constant(number));
        }
        let number = time_programs::number_of(w, UsedSignal::Network(w.named(value)));
        Operand(Program::signal(time_programs::by_number(number)))
    }

    /// The value of a formula of the operand; what switches in the formula does so with events.
    pub(crate) fn switching<'a>(
        &self,
        w: &Writer<'a>,
        formula: impl FnOnce(Formula) -> Formula,
    ) -> Ex<'a> {
        w.numbered(&formula(Formula::of(&self.0)).program())
    }

    /// The operand, whose value is given, within limits, each of which may be missing.
    pub(crate) fn limited<'a>(
        &self,
        w: &Writer<'a>,
        value: Ex<'a>,
        [low, high]: [Option<f64>; 2],
    ) -> Ex<'a> {
        match (low, high) {
            (None, None) => value,
            (Some(low), None) => self.switching(w, |u| u.call("max", &[low])),
            (None, Some(high)) => self.switching(w, |u| u.call("min", &[high])),
            (Some(low), Some(high)) => self.switching(w, |u| u.clamp(low, high)),
        }
    }
}
