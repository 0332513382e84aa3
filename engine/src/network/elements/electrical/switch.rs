//! An ideal switch: closed v = Ron i, open i = v/Roff.

use crate::element::BlockSchema;
use crate::model::fields::{Condition, ElectricalNode, ThermalNode};
use crate::model::read::{Group, parameters};
use crate::network::elements::{TWO_PIN, element_schema, signal};

parameters! {
    /// An ideal switch.
    pub struct Switch {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "one contact";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "the other contact";
        closed: Condition = "Closed", Plus, Unit::None, Required, Any, "when it conducts";
        on: f64 = "Ron", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance while closed";
        off: f64 = "Roff", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance while open; 0 is infinite";
        heat: Option<ThermalNode> = "Heat", Plus, Unit::None, Absent("nowhere"), Any, "thermal node that takes the loss";
    }
}

/// The table of the Switch block.
pub static SWITCH: BlockSchema = element_schema(
    "Switch",
    "An ideal switch: closed v = Ron i, open i = v/Roff.",
    &[Switch::PARAMETERS],
    &[TWO_PIN, &[signal("state", "", "0 open, 1 closed")]],
);
