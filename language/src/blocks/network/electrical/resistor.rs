//! A resistor: v = R i.

use crate::blocks::network::{TWO_PIN, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::{ElectricalNode, ThermalNode};
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::{TwoPin, Writer};
use equations::expression::Program;

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

impl Resistor {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPin { v, i } = e.two_pin(self.p, self.n);
        let r = e.time(&self.resistance);
        e.equal(v, r * i);
        e.tie(self.p, self.n);
        e.heat(self.heat, v * i);
    }
}

impl Sketched for Resistor {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.p, self.n);
        s.one((ElementKind::R, ""), Value::of("R", &self.resistance), spot, readings::CONSUMER);
        s.heat(self.heat, "&.power");
    }
}
