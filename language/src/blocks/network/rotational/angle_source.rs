//! A given angle: phi_a - phi_b = Phi, with whatever torque it takes.

use crate::blocks::network::{TWO_SHAFTS, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::RotationalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A given angle.
    pub struct AngleSource {
        a: RotationalNode = "a", Plus, Unit::None, Required, Any, "shaft that turns";
        b: RotationalNode = "b", Plus, Unit::None, Word("base"), Any, "shaft that takes the reaction";
        angle: Program = "Phi", Plus, Unit::Is("rad"), Required, Any, "angle phi_a - phi_b; speed and acceleration follow from it";
    }
}

/// The table of the AngleSource block.
pub static ANGLE_SOURCE: BlockSchema = element_schema(
    "AngleSource",
    "A given angle: phi_a - phi_b = Phi; `tau` is the torque delivered to a.",
    &[AngleSource::PARAMETERS],
    &[TWO_SHAFTS],
);

impl AngleSource {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let flanges = e.two_flange(self.a, self.b);
        e.rigid_tie(self.a, self.b);
        e.equal(-flanges.x, e.time(&self.angle));
    }
}

impl Sketched for AngleSource {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.b, self.a);
        s.like(ElementKind::Sf, spot, "its flow is the rate of an angle");
    }
}
