//! A rack and a pinion: v_b = r w_a, tau_a + r f_b = 0.

use crate::blocks::network::{POWER, element_schema};
use crate::codes;
use crate::element::{BlockSchema, signal};
use crate::reading::fields::{RotationalNode, TranslationalNode};
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Place, Sketch, Sketched, Value, readings};
use crate::writing::Writer;

parameters! {
    /// A rack and a pinion.
    pub struct RackPinion {
        a: RotationalNode = "a", Plus, Unit::None, Required, Any, "pinion";
        b: TranslationalNode = "b", Plus, Unit::None, Required, Any, "rack";
        radius: f64 = "r", Plus, Unit::Is("m"), Required, Any, "radius of the pinion; negative reverses the direction";
    }
}

/// The table of the RackPinion block.
pub static RACK_PINION: BlockSchema = element_schema(
    "RackPinion",
    "A rack and a pinion: v_b = r w_a.",
    &[RackPinion::PARAMETERS],
    &[&[
        signal("tau", "Nm", "torque into the element at a"),
        signal("f", "N", "force into the element at b"),
        POWER,
    ]],
);

impl RackPinion {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let r = self.radius;
        if r == 0.0 {
            e.mistake(
                codes::OUT_OF_RANGE,
                "has the radius 0",
                "v_b = r w_a: choose another number",
            );
        }
        let f = e.unknown("f");
        let [w] = e.flanges([(self.a, -r * f)]);
        let [v] = e.flanges([(self.b, f)]);
        e.equal(v, r * w);
        e.signal("tau", -r * f);
        e.signal("f", f);
        e.signal("power", f * (v - r * w));
    }
}

impl Sketched for RackPinion {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        s.two(
            (ElementKind::Transformer, ""),
            Value::number(self.radius),
            [Place::Node(self.a.0), Place::Node(self.b.0)],
            readings::RACK_PINION,
        );
    }
}
