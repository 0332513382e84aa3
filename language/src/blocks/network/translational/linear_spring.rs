//! A linear spring with damper and backlash. With x = s - s0 and half the play B:
//! f = d v + (x > B ? c (x - B) : x < -B ? c (x + B) : 0).

use crate::blocks::network::spring_law::Spring;
use crate::blocks::network::{TWO_RODS, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::TranslationalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{Sketch, Sketched};
use crate::writing::Writer;

parameters! {
    /// A linear spring.
    pub struct LinearSpring {
        a: TranslationalNode = "a", Plus, Unit::None, Required, Any, "one end";
        b: TranslationalNode = "b", Plus, Unit::None, Word("base"), Any, "the other end";
        stiffness: f64 = "c", Plus, Unit::Is("N/m"), Number(0.0), NotNegative, "stiffness";
        damping: f64 = "d", Plus, Unit::Is("N s/m"), Number(0.0), NotNegative, "damping";
        relaxed: f64 = "s0", Plus, Unit::Is("m"), Number(0.0), Any, "distance without force";
        backlash: f64 = "Backlash", Plus, Unit::Is("m"), Number(0.0), NotNegative, "half of the play: free for s0 - Backlash < s < s0 + Backlash";
    }
}

/// The table of the LinearSpring block.
pub static LINEAR_SPRING: BlockSchema = element_schema(
    "LinearSpring",
    "A linear spring with damper and backlash.",
    &[LinearSpring::PARAMETERS],
    &[
        TWO_RODS,
        &[
            signal("energy", "J", "energy stored"),
            signal("state", "", "-1 below the play, 0 inside, 1 above; 1 without play"),
        ],
    ],
);

impl LinearSpring {
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

impl Sketched for LinearSpring {
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
