//! A given speed: w_a - w_b = W, with whatever torque it takes.

use crate::blocks::network::{TWO_SHAFTS, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::RotationalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A given speed.
    pub struct SpeedSource {
        a: RotationalNode = "a", Plus, Unit::None, Required, Any, "shaft that turns";
        b: RotationalNode = "b", Plus, Unit::None, Word("base"), Any, "shaft that takes the reaction";
        speed: Program = "W", Plus, Unit::Is("rad/s"), Required, Any, "speed w_a - w_b";
        angle: Option<f64> = "Phiinit", Plus, Unit::Is("rad"), Absent("0, or what the train asks for"), Any, "angle phi_a - phi_b at the start";
    }
}

/// The table of the SpeedSource block.
pub static SPEED_SOURCE: BlockSchema = element_schema(
    "SpeedSource",
    "A given speed: w_a - w_b = W; `tau` is the torque delivered to a.",
    &[SpeedSource::PARAMETERS],
    &[TWO_SHAFTS],
);

impl SpeedSource {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let flanges = e.two_flange(self.a, self.b);
        e.rigid_tie(self.a, self.b);
        e.given_speed(flanges, e.time(&self.speed), self.angle);
    }
}

impl Sketched for SpeedSource {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.b, self.a);
        s.one((ElementKind::Sf, ""), Value::of("W", &self.speed), spot, readings::TORQUE_SOURCE);
    }
}
