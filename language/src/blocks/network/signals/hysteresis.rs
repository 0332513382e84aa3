//! A switch with hysteresis: y becomes yhigh when u > uhigh and ylow when u < ulow, and stays in between.

use std::sync::Arc;

use super::latch::Remembering;
use super::{OUTPUT, SignalBlock, check_limits};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::{Operand, Writer};
use equations::expression::Program;

parameters! {
    /// A switch with hysteresis.
    pub struct Hysteresis {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        from: f64 = "ulow", Plus, Unit::None, Required, Any, "below this it is off";
        to: f64 = "uhigh", Plus, Unit::None, Required, Any, "above this it is on";
        low: f64 = "ylow", Plus, Unit::None, Number(0.0), Any, "output while it is off";
        high: f64 = "yhigh", Plus, Unit::None, Number(1.0), Any, "output while it is on";
        initial: f64 = "yinit", Plus, Unit::None, SameAs("ylow"), Any, "output at the start, if u is in between";
    }
}

/// The table of the Hysteresis block.
pub static HYSTERESIS: BlockSchema = element_schema(
    "Hysteresis",
    "A switch with hysteresis: y becomes yhigh when u > uhigh and ylow when u < ulow, and stays in between.",
    &[Hysteresis::PARAMETERS],
    &[OUTPUT],
);

impl SignalBlock for Hysteresis {
    fn equations(&self, e: &Writer<'_>) {
        check_limits(e, ["ulow", "uhigh"], Some(self.from), Some(self.to));
        let (registers, y) = e.registers().remembered(&[self.initial]);
        e.signal("y", y[0]);
        let (operand, _) = Operand::input(e, &self.u);
        let above = operand.switching(e, |u| u.above(self.to));
        let below = operand.switching(e, |u| u.below(self.from));
        let law = Remembering { first: self.high, second: self.low, initial: self.initial };
        e.registers().watch(&[above, below], &[], registers, Arc::new(law));
    }
}
