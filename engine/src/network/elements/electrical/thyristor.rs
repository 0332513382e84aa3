//! A thyristor: an ideal diode that begins to conduct only while its gate is on.

use crate::element::BlockSchema;
use crate::model::fields::{Condition, ElectricalNode, ThermalNode};
use crate::model::read::{Group, parameters};
use crate::network::elements::{TWO_PIN, element_schema, signal};

parameters! {
    /// A thyristor.
    pub struct Thyristor {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "anode";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "cathode";
        gate: Condition = "Gate", Plus, Unit::None, Required, Any, "when it may begin to conduct";
        forward: f64 = "Vf", Plus, Unit::Is("V"), Number(0.0), Any, "forward voltage";
        on: f64 = "Ron", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance while closed";
        off: f64 = "Roff", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance while open; 0 is infinite";
        hold: f64 = "Ihold", Plus, Unit::Is("A"), Number(0.0), NotNegative, "below this current it opens";
        heat: Option<ThermalNode> = "Heat", Plus, Unit::None, Absent("nowhere"), Any, "thermal node that takes the loss";
    }
}

/// The table of the Thyristor block.
pub static THYRISTOR: BlockSchema = element_schema(
    "Thyristor",
    "An ideal thyristor: closes at v > Vf while Gate holds, opens at i < Ihold.",
    &[Thyristor::PARAMETERS],
    &[TWO_PIN, &[signal("state", "", "0 open, 1 closed")]],
);
