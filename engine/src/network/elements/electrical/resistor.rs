//! A resistor: v = R i.

use crate::element::BlockSchema;
use crate::expression::Program;
use crate::model::fields::{ElectricalNode, ThermalNode};
use crate::model::read::{Group, parameters};
use crate::network::elements::{TWO_PIN, element_schema};

parameters! {
    /// A resistor.
    pub struct Resistor {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "node where the current enters";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "node where it leaves";
        resistance: Program = "R", Plus, Unit::Is("Ohm"), Required, Any, "resistance; may be 0 or negative";
        heat: Option<ThermalNode> = "Heat", Plus, Unit::None, Absent("nowhere"), Any, "thermal node that takes the loss";
    }
}

/// The table of the Resistor block.
pub static RESISTOR: BlockSchema =
    element_schema("Resistor", "A resistor: v = R i.", &[Resistor::PARAMETERS], &[TWO_PIN]);
