//! Elastic end stops. With s = s_b - s_a: above smax f = max(0, c (s - smax) + d v), below smin
//! f = min(0, c (s - smin) + d v), and none between: a stop pushes and never pulls.

use crate::blocks::network::{TWO_RODS, element_schema};
use crate::codes;
use crate::element::{BlockSchema, signal};
use crate::reading::fields::TranslationalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched};
use crate::writing::{TwoFlange, Writer};
use equations::expr::Ex;

parameters! {
    /// Elastic end stops.
    pub struct Stop {
        a: TranslationalNode = "a", Plus, Unit::None, Required, Any, "one side";
        b: TranslationalNode = "b", Plus, Unit::None, Word("base"), Any, "the other side";
        lower: Option<f64> = "smin", Plus, Unit::Is("m"), Absent("none"), Any, "distance at which the lower stop is met";
        upper: Option<f64> = "smax", Plus, Unit::Is("m"), Absent("none"), Any, "distance at which the upper stop is met";
        stiffness: f64 = "c", Plus, Unit::Is("N/m"), Required, Positive, "stiffness of a stop";
        damping: f64 = "d", Plus, Unit::Is("N s/m"), Number(0.0), NotNegative, "damping of a stop";
    }
}

/// The table of the Stop block.
pub static STOP: BlockSchema = element_schema(
    "Stop",
    "Elastic end stops, which push and never pull.",
    &[Stop::PARAMETERS],
    &[TWO_RODS, &[signal("state", "", "-1 at the lower stop, 0 between, 1 at the upper stop")]],
);

impl Stop {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoFlange { x, f } = e.two_flange(self.a, self.b);
        let limits = Limits {
            lower: self.lower,
            upper: self.upper,
            stiffness: self.stiffness,
            damping: self.damping,
        };
        match (self.lower, self.upper) {
            (None, None) => e.missing("smax", "where the stop is met; or `smin`, or both"),
            (Some(lower), Some(upper)) if lower >= upper => e.mistake(
                codes::OUT_OF_RANGE,
                "has its lower stop above the upper one",
                "the rod moves between `smin` and `smax`: choose smin < smax",
            ),
            _ => {}
        }
        let (force, state) = limits.force(e, x);
        e.equal(f, force);
        e.signal("state", state);
    }
}

/// Where stops are met, and how hard they are.
pub(in crate::blocks::network) struct Limits {
    /// smin.
    pub lower: Option<f64>,
    /// smax.
    pub upper: Option<f64>,
    /// c.
    pub stiffness: f64,
    /// d.
    pub damping: f64,
}

impl Limits {
    /// The force that pulls x back, and -1, 0 or 1 for the stop that is met.
    pub fn force<'a>(&self, e: &Writer<'a>, x: Ex<'a>) -> (Ex<'a>, Ex<'a>) {
        let mut force = e.number(0.0);
        let mut state = e.number(0.0);
        let stops = [(self.lower, -1.0), (self.upper, 1.0)];
        for (limit, side) in stops.into_iter().filter_map(|(at, side)| Some((at?, side))) {
            let depth = side * (x - limit);
            let met = e.positive(depth);
            let mut push = self.stiffness * depth;
            if self.damping > 0.0 {
                push = e.not_negative(push + self.damping * e.rate(depth));
            }
            force = force + side * met * push;
            state = state + side * met;
        }
        (force, state)
    }
}

impl Sketched for Stop {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.b, self.a);
        s.like(ElementKind::C, spot, "a spring and a damper that only push");
    }
}
