//! A limiter: y = clamp(u, ymin, ymax).

use super::{OUTPUT, SignalBlock, check_limits};
use crate::element::BlockSchema;
use crate::expression::Program;
use crate::model::read::{Group, parameters};
use crate::network::elements::element_schema;
use crate::network::flatten::Writer;

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
    &[Limiter::PARAMETERS],
    &[OUTPUT],
);

impl SignalBlock for Limiter {
    fn equations(&self, e: &Writer<'_>) {
        check_limits(e, ["ymin", "ymax"], Some(self.low), Some(self.high));
        let (operand, u) = e.input(&self.u);
        e.signal("y", e.limited(u, &operand, [Some(self.low), Some(self.high)]));
    }
}
