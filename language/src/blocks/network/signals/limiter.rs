//! A limiter: y = clamp(u, ymin, ymax).

use std::sync::Arc;

use super::laws::HoldLaw;
use super::{OUTPUT, SampledBlock, Sampling, SignalBlock, check_limits};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::{Operand, Writer};
use equations::expression::Program;

parameters! {
    /// A limiter.
    pub struct Limiter {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        low: f64 = "ymin", Plus, Unit::None, Number(-1.0), Any, "lowest output";
        high: f64 = "ymax", Plus, Unit::None, Number(1.0), Any, "highest output";
    }
}

/// The table of the Limiter block.
pub static LIMITER: BlockSchema = element_schema(
    "Limiter",
    "A limiter: y = clamp(u, ymin, ymax).",
    &[Limiter::PARAMETERS, Sampling::PARAMETERS],
    &[OUTPUT],
);

impl SignalBlock for Limiter {
    fn equations(&self, e: &Writer<'_>) {
        check_limits(e, ["ymin", "ymax"], Some(self.low), Some(self.high));
        let (operand, u) = Operand::input(e, &self.u);
        e.signal("y", operand.limited(e, u, [Some(self.low), Some(self.high)]));
    }
}

impl SampledBlock for Limiter {
    fn sampled(&self, e: &Writer<'_>, _: f64) -> Option<SampledForm> {
        check_limits(e, ["ymin", "ymax"], Some(self.low), Some(self.high));
        let law = HoldLaw { quantum: 0.0, limits: [Some(self.low), Some(self.high)] };
        Some(SampledForm {
            inputs: vec![self.u.clone()],
            initial: Vec::new(),
            outputs: 1,
            before: None,
            feeds_through: true,
            law: Arc::new(law),
        })
    }
}
