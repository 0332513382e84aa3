//! A potentiometer: x R between w and n, (1 - x) R between p and w.

use crate::element::BlockSchema;
use crate::expression::Program;
use crate::model::fields::ElectricalNode;
use crate::model::read::{Group, parameters};
use crate::network::elements::{TWO_PIN, element_schema, signal};

parameters! {
    /// A potentiometer.
    pub struct Potentiometer {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "end at position 1";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "end at position 0";
        w: ElectricalNode = "w", Plus, Unit::None, Required, Any, "wiper";
        resistance: f64 = "R", Plus, Unit::Is("Ohm"), Required, Positive, "resistance from end to end";
        position: Program = "Position", Plus, Unit::None, Number(0.5), Between(0.0, 1.0), "position of the wiper, from 0 at n to 1 at p";
    }
}

/// The table of the Potentiometer block.
pub static POTENTIOMETER: BlockSchema = element_schema(
    "Potentiometer",
    "A potentiometer: unloaded, the wiper is at Position times the voltage.",
    &[Potentiometer::PARAMETERS],
    &[TWO_PIN, &[signal("iw", "A", "current into the wiper")]],
);
