//! A derivative with a lag: k s/(T s + 1); state x: T x' + x = u, y = k (u - x)/T.

use super::linear::Linear;
use super::{OUTPUT, SampledBlock, Sampling, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A derivative with a lag.
    pub struct Dt1 {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        k: f64 = "k", Plus, Unit::None, Number(1.0), Any, "factor of the derivative";
        lag: f64 = "T", Plus, Unit::Is("s"), Required, Positive, "time constant";
        initial: Option<f64> = "xinit", Plus, Unit::None, Absent("0"), Any, "state at the start";
    }
}

/// The table of the DT1 block.
pub static DT1: BlockSchema = element_schema(
    "DT1",
    "A derivative with a lag: k s/(T s + 1); state x: T x' + x = u, y = k (u - x)/T.",
    &[Dt1::PARAMETERS, Sampling::PARAMETERS],
    &[OUTPUT],
);

impl Dt1 {
    fn linear(&self) -> Linear {
        let rate = 1.0 / self.lag;
        Linear::first_order([-rate, rate, -self.k * rate, self.k * rate], self.initial)
    }
}

impl SignalBlock for Dt1 {
    fn equations(&self, e: &Writer<'_>) {
        let (_, y) = self.linear().write(e, &[e.time(&self.u)]);
        y.iter().for_each(|&y| e.signal("y", y));
    }
}

impl SampledBlock for Dt1 {
    fn sampled(&self, _: &Writer<'_>, period: f64) -> Option<SampledForm> {
        Some(self.linear().sampled(vec![self.u.clone()], period))
    }
}
