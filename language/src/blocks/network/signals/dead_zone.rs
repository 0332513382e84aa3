//! A dead zone: u - umax above it, u - umin below it, else 0.

use super::{OUTPUT, SignalBlock, check_limits};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::{Operand, Writer};
use equations::expression::Program;

parameters! {
    /// A dead zone.
    pub struct DeadZone {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        low: f64 = "umin", Plus, Unit::None, Number(-1.0), Any, "lower end of the zone";
        high: f64 = "umax", Plus, Unit::None, Number(1.0), Any, "upper end of the zone";
    }
}

/// The table of the DeadZone block.
pub static DEAD_ZONE: BlockSchema = element_schema(
    "DeadZone",
    "A dead zone: u - umax above it, u - umin below it, else 0.",
    &[DeadZone::PARAMETERS],
    &[OUTPUT],
);

impl SignalBlock for DeadZone {
    fn equations(&self, e: &Writer<'_>) {
        check_limits(e, ["umin", "umax"], Some(self.low), Some(self.high));
        let (operand, u) = Operand::input(e, &self.u);
        e.signal("y", u - operand.limited(e, u, [Some(self.low), Some(self.high)]));
    }
}
