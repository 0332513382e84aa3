//! A mass: s_a = s_b = s, m s'' = f_a + f_b; weight is a ForceSource.

use crate::blocks::network::{POWER, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::TranslationalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{Sketch, Sketched, sketch_inertia};
use crate::writing::Writer;

parameters! {
    /// A mass.
    pub struct Mass {
        a: TranslationalNode = "a", Plus, Unit::None, Required, Any, "one end";
        b: Option<TranslationalNode> = "b", Plus, Unit::None, Absent("free"), Any, "the other end";
        mass: f64 = "m", Plus, Unit::Is("kg"), Required, Positive, "mass";
        position: Option<f64> = "Sinit", Plus, Unit::Is("m"), Absent("0, or what the train asks for"), Any, "position at the start";
        speed: Option<f64> = "Vinit", Plus, Unit::Is("m/s"), Absent("0, or what the train asks for"), Any, "speed at the start";
    }
}

/// The table of the Mass block.
pub static MASS: BlockSchema = element_schema(
    "Mass",
    "A mass: m s'' = f_a + f_b, without weight.",
    &[Mass::PARAMETERS],
    &[&[
        signal("s", "m", "position"),
        signal("v", "m/s", "speed"),
        signal("a", "m/s^2", "acceleration"),
        signal("ekin", "J", "kinetic energy, m v^2/2"),
        POWER,
    ]],
);

impl Mass {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let [v, a, force] = e.inert((self.a, self.b), self.mass, (self.position, self.speed), None);
        e.signal("v", v);
        e.signal("a", a);
        let energy = 0.5 * self.mass * v * v;
        e.signal("ekin", energy);
        e.stores(energy);
        e.signal("power", force * v);
    }
}

impl Sketched for Mass {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        sketch_inertia(s, [Some(self.a), self.b], self.mass, false);
    }
}
