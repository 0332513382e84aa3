//! A relay with three positions: Amplitude above the zone, -Amplitude below it, else 0.

use super::{OUTPUT, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::{Operand, Writer};
use equations::expression::Program;

parameters! {
    /// A relay with three positions.
    pub struct Relay {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        zone: f64 = "Zone", Plus, Unit::None, Number(0.0), NotNegative, "half width of the zone in which it is off";
        amplitude: f64 = "Amplitude", Plus, Unit::None, Number(1.0), Any, "output above the zone";
    }
}

/// The table of the Relay block.
pub static RELAY: BlockSchema = element_schema(
    "Relay",
    "A relay with three positions: Amplitude for u > Zone, -Amplitude for u < -Zone, else 0.",
    &[Relay::PARAMETERS],
    &[OUTPUT],
);

impl SignalBlock for Relay {
    fn equations(&self, e: &Writer<'_>) {
        let (operand, _) = Operand::input(e, &self.u);
        let above = operand.switching(e, |u| u.above(self.zone));
        let below = operand.switching(e, |u| u.below(-self.zone));
        e.signal("y", self.amplitude * (above - below));
    }
}
