//! A lag of second order: y'' + 2 D w y' + w^2 y = k w^2 u.

use super::linear::Linear;
use super::{OUTPUT, SampledBlock, Sampling, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A lag of second order.
    pub struct Pt2 {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        k: f64 = "k", Plus, Unit::None, Number(1.0), Any, "gain";
        w: f64 = "w", Plus, Unit::Is("rad/s"), Required, Positive, "undamped frequency";
        damping: f64 = "D", Plus, Unit::None, Required, Any, "damping ratio";
        initial: Option<f64> = "yinit", Plus, Unit::None, Absent("0"), Any, "output at the start";
        initial_rate: Option<f64> = "ydinit", Plus, Unit::None, Absent("0"), Any, "rate of the output at the start";
    }
}

/// The table of the PT2 block.
pub static PT2: BlockSchema = element_schema(
    "PT2",
    "A lag of second order: y'' + 2 D w y' + w^2 y = k w^2 u.",
    &[Pt2::PARAMETERS, Sampling::PARAMETERS],
    &[OUTPUT],
);

impl Pt2 {
    fn linear(&self) -> Linear {
        let square = self.w * self.w;
        Linear {
            a: vec![0.0, 1.0, -square, -2.0 * self.damping * self.w],
            b: vec![0.0, self.k * square],
            c: vec![1.0, 0.0],
            d: vec![0.0],
            initial: vec![self.initial, self.initial_rate],
        }
    }
}

impl SignalBlock for Pt2 {
    fn equations(&self, e: &Writer<'_>) {
        let (_, y) = self.linear().write(e, &[e.time(&self.u)]);
        y.iter().for_each(|&y| e.signal("y", y));
    }
}

impl SampledBlock for Pt2 {
    fn sampled(&self, _: &Writer<'_>, period: f64) -> Option<SampledForm> {
        Some(self.linear().sampled(vec![self.u.clone()], period))
    }
}
