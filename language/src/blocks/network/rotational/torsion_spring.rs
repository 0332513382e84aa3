//! A torsion spring with damper and backlash. With x = phi - phi0 and half the play B:
//! tau = d w + (x > B ? c (x - B) : x < -B ? c (x + B) : 0).

use crate::blocks::network::spring_law::Spring;
use crate::blocks::network::{TWO_SHAFTS, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::RotationalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{Sketch, Sketched};
use crate::writing::Writer;

parameters! {
    /// A torsion spring.
    pub struct TorsionSpring {
        a: RotationalNode = "a", Plus, Unit::None, Required, Any, "one end";
        b: RotationalNode = "b", Plus, Unit::None, Word("base"), Any, "the other end";
        stiffness: f64 = "c", Plus, Unit::Is("Nm/rad"), Number(0.0), NotNegative, "stiffness";
        damping: f64 = "d", Plus, Unit::Is("Nm s/rad"), Number(0.0), NotNegative, "damping";
        relaxed: f64 = "phi0", Plus, Unit::Is("rad"), Number(0.0), Any, "angle without torque";
        backlash: f64 = "Backlash", Plus, Unit::Is("rad"), Number(0.0), NotNegative, "half of the play: free for phi0 - Backlash < phi < phi0 + Backlash";
    }
}

/// The table of the TorsionSpring block.
pub static TORSION_SPRING: BlockSchema = element_schema(
    "TorsionSpring",
    "A torsion spring with damper and backlash.",
    &[TorsionSpring::PARAMETERS],
    &[
        TWO_SHAFTS,
        &[
            signal("energy", "J", "energy stored"),
            signal("state", "", "-1 below the play, 0 inside, 1 above; 1 without play"),
        ],
    ],
);

impl TorsionSpring {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let spring = Spring {
            stiffness: self.stiffness,
            damping: self.damping,
            relaxed: self.relaxed,
            backlash: self.backlash,
        };
        spring.equations(e, e.two_flange(self.a, self.b));
    }
}

impl Sketched for TorsionSpring {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spring = Spring {
            stiffness: self.stiffness,
            damping: self.damping,
            relaxed: self.relaxed,
            backlash: self.backlash,
        };
        spring.sketch(s, (self.a, self.b));
    }
}
