//! A given speed: v_a - v_b = V, with whatever force it takes.

use crate::blocks::network::{TWO_RODS, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::TranslationalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A given speed.
    pub struct VelocitySource {
        a: TranslationalNode = "a", Plus, Unit::None, Required, Any, "rod that moves";
        b: TranslationalNode = "b", Plus, Unit::None, Word("base"), Any, "rod that takes the reaction";
        speed: Program = "V", Plus, Unit::Is("m/s"), Required, Any, "speed v_a - v_b";
        position: Option<f64> = "Sinit", Plus, Unit::Is("m"), Absent("0, or what the train asks for"), Any, "position s_a - s_b at the start";
    }
}

/// The table of the VelocitySource block.
pub static VELOCITY_SOURCE: BlockSchema = element_schema(
    "VelocitySource",
    "A given speed: v_a - v_b = V; `f` is the force delivered to a.",
    &[VelocitySource::PARAMETERS],
    &[TWO_RODS],
);

impl VelocitySource {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let flanges = e.two_flange(self.a, self.b);
        e.rigid_tie(self.a, self.b);
        e.given_speed(flanges, e.time(&self.speed), self.position);
    }
}

impl Sketched for VelocitySource {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.b, self.a);
        s.one((ElementKind::Sf, ""), Value::of("V", &self.speed), spot, readings::FORCE_SOURCE);
    }
}
