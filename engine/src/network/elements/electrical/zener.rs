//! A Zener diode: forward and off as an ideal diode, in breakdown v = -Vz + Rz i.

use crate::element::BlockSchema;
use crate::model::fields::{ElectricalNode, ThermalNode};
use crate::model::read::{Group, parameters};
use crate::network::elements::{TWO_PIN, element_schema, signal};

parameters! {
    /// A Zener diode.
    pub struct Zener {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "anode";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "cathode";
        zener: f64 = "Vz", Plus, Unit::Is("V"), Required, Positive, "breakdown voltage";
        forward: f64 = "Vf", Plus, Unit::Is("V"), Number(0.7), Any, "forward voltage";
        on: f64 = "Ron", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance in forward direction";
        breakdown: f64 = "Rz", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance in breakdown";
        off: f64 = "Roff", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance while open; 0 is infinite";
        heat: Option<ThermalNode> = "Heat", Plus, Unit::None, Absent("nowhere"), Any, "thermal node that takes the loss";
    }
}

/// The table of the Zener block.
pub static ZENER: BlockSchema = element_schema(
    "Zener",
    "An ideal Zener diode: conducts forward above Vf and backward above Vz.",
    &[Zener::PARAMETERS],
    &[TWO_PIN, &[signal("state", "", "0 open, 1 forward, -1 breakdown")]],
);
