//! A torque on a, with its reaction on b.

use crate::blocks::network::{TWO_SHAFTS, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::RotationalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A torque.
    pub struct TorqueSource {
        a: RotationalNode = "a", Plus, Unit::None, Required, Any, "shaft that a positive torque pushes forward";
        b: RotationalNode = "b", Plus, Unit::None, Word("base"), Any, "shaft that takes the reaction";
        torque: Program = "Tau", Plus, Unit::Is("Nm"), Required, Any, "torque";
    }
}

/// The table of the TorqueSource block.
pub static TORQUE_SOURCE: BlockSchema = element_schema(
    "TorqueSource",
    "A torque Tau on a, and -Tau on b.",
    &[TorqueSource::PARAMETERS],
    &[TWO_SHAFTS],
);

impl TorqueSource {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let flanges = e.two_flange(self.a, self.b);
        e.equal(flanges.f, e.time(&self.torque));
    }
}

impl Sketched for TorqueSource {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.b, self.a);
        s.one((ElementKind::Se, ""), Value::of("Tau", &self.torque), spot, readings::TORQUE_SOURCE);
    }
}
