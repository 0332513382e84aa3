//! A lag of first order: T y' + y = k u.

use super::linear::Linear;
use super::{OUTPUT, SampledBlock, Sampling, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A lag of first order.
    pub struct Pt1 {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        k: f64 = "k", Plus, Unit::None, Number(1.0), Any, "gain";
        lag: f64 = "T", Plus, Unit::Is("s"), Required, Positive, "time constant";
        initial: Option<f64> = "yinit", Plus, Unit::None, Absent("0"), Any, "output at the start";
    }
}

/// The table of the PT1 block.
pub static PT1: BlockSchema = element_schema(
    "PT1",
    "A lag of first order: T y' + y = k u.",
    &[Pt1::PARAMETERS, Sampling::PARAMETERS],
    &[OUTPUT],
);

impl Pt1 {
    fn linear(&self) -> Linear {
        let rate = 1.0 / self.lag;
        Linear::first_order([-rate, self.k * rate, 1.0, 0.0], self.initial)
    }
}

impl SignalBlock for Pt1 {
    fn equations(&self, e: &Writer<'_>) {
        let (_, y) = self.linear().write(e, &[e.time(&self.u)]);
        y.iter().for_each(|&y| e.signal("y", y));
    }
}

impl SampledBlock for Pt1 {
    fn sampled(&self, _: &Writer<'_>, period: f64) -> Option<SampledForm> {
        Some(self.linear().sampled(vec![self.u.clone()], period))
    }
}
