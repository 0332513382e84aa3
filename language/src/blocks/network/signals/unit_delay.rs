//! A delay of one period: y_k = u_(k-1).

use super::laws::StepMatrices;
use super::linear::Linear;
use super::{OUTPUT, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A delay of one period.
    pub struct UnitDelay {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        period: f64 = "Tsample", Plus, Unit::Is("s"), Required, Positive, "period";
        offset: f64 = "Toffset", Plus, Unit::Is("s"), Number(0.0), NotNegative, "first instant after the start";
        initial: Option<f64> = "yinit", Plus, Unit::None, Absent("0"), Any, "output until the second instant";
    }
}

/// The table of the UnitDelay block.
pub static UNIT_DELAY: BlockSchema = element_schema(
    "UnitDelay",
    "A delay of one period: y_k = u_(k-1).",
    &[UnitDelay::PARAMETERS],
    &[OUTPUT],
);

impl SignalBlock for UnitDelay {
    fn equations(&self, e: &Writer<'_>) {
        let memory = Linear::first_order([0.0, 0.0, 1.0, 0.0], self.initial);
        let step = StepMatrices { a: vec![0.0], b: vec![1.0], excess: Vec::new() };
        let form = memory.with_steps(vec![self.u.clone()], step, [None; 2]);
        let (_, y) = e.registers().sampled(form, [self.period, self.offset]);
        y.iter().for_each(|&y| e.signal("y", y));
    }
}
