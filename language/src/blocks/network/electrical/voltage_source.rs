//! A voltage source: v = V.

use crate::blocks::network::{TWO_PIN, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::ElectricalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::{TwoPin, Writer};
use equations::expression::Program;

parameters! {
    /// A voltage source.
    pub struct VoltageSource {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "positive node";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "negative node";
        voltage: Program = "V", Plus, Unit::Is("V"), Required, Any, "voltage v_p - v_n";
    }
}

/// The table of the VoltageSource block.
pub static VOLTAGE_SOURCE: BlockSchema = element_schema(
    "VoltageSource",
    "A voltage source: v = V, whatever the current.",
    &[VoltageSource::PARAMETERS],
    &[TWO_PIN],
);

impl VoltageSource {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPin { v, .. } = e.two_pin(self.p, self.n);
        e.equal(v, e.time(&self.voltage));
        e.rigid_tie(self.p, self.n);
    }
}

impl Sketched for VoltageSource {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.n, self.p);
        s.one((ElementKind::Se, ""), Value::of("V", &self.voltage), spot, readings::VOLTAGE_SOURCE);
    }
}
