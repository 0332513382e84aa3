//! A shaft with inertia: phi_a = phi_b = phi, J phi'' = tau_a + tau_b.

use crate::blocks::network::{POWER, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::RotationalNode;
use crate::reading::ids::BodyId;
use crate::reading::{Group, parameters};
use crate::sketch::{Sketch, Sketched, sketch_inertia};
use crate::writing::Writer;
use equations::coupling::Mount;

parameters! {
    /// A shaft with inertia.
    pub struct Inertia {
        a: RotationalNode = "a", Plus, Unit::None, Required, Any, "one end";
        b: Option<RotationalNode> = "b", Plus, Unit::None, Absent("free"), Any, "the other end";
        inertia: f64 = "J", Plus, Unit::Is("kg m^2"), Required, Positive, "moment of inertia";
        angle: Option<f64> = "Phiinit", Plus, Unit::Is("rad"), Absent("0, or what the train asks for"), Any, "angle at the start";
        speed: Option<f64> = "Winit", Plus, Unit::Is("rad/s"), Absent("0, or what the train asks for"), Any, "speed at the start";
        body: Option<BodyId> = "MountedOn", Plus, Unit::None, Absent("the axis rests"), Any, "body that carries the shaft, with its mass and, at rest, its inertia; angles count from there";
        axis: [f64; 3] = "MountAxis", Plus, Unit::None, Numbers(&[0.0, 0.0, 1.0]), Any, "axis of the shaft in the frame of that body";
    }
}

/// The table of the Inertia block.
pub static INERTIA: BlockSchema = element_schema(
    "Inertia",
    "A shaft with inertia: J phi'' = tau_a + tau_b. On a moving body with the angular velocity omega and the axis n it \
     is J (phi'' + n omega') = tau_a + tau_b, and the torque - n J phi'' - omega x n J w acts on the body.",
    &[Inertia::PARAMETERS],
    &[&[
        signal("phi", "rad", "angle"),
        signal("w", "rad/s", "speed"),
        signal("a", "rad/s^2", "acceleration"),
        signal("ekin", "J", "kinetic energy, J w^2/2"),
        POWER,
    ]],
);

impl Inertia {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let [w, a, torque] = e.inert(
            (self.a, self.b),
            self.inertia,
            (self.angle, self.speed),
            Mount::of(self.body, self.axis),
        );
        e.signal("w", w);
        e.signal("a", a);
        let energy = 0.5 * self.inertia * w * w;
        e.signal("ekin", energy);
        e.stores(energy);
        e.signal("power", torque * w);
    }
}

impl Sketched for Inertia {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        sketch_inertia(s, [Some(self.a), self.b], self.inertia, self.body.is_some());
    }
}
