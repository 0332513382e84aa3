//! A differential: w_in = Ratio (w_left + w_right)/2, tau_left = tau_right = -Ratio tau_in/2.

use crate::blocks::network::{POWER, element_schema};
use crate::codes;
use crate::element::{BlockSchema, signal};
use crate::reading::fields::RotationalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Place, Sketch, Sketched, Value};
use crate::writing::Writer;

parameters! {
    /// A differential.
    pub struct Differential {
        input: RotationalNode = "in", Plus, Unit::None, Required, Any, "driving shaft";
        left: RotationalNode = "left", Plus, Unit::None, Required, Any, "left shaft";
        right: RotationalNode = "right", Plus, Unit::None, Required, Any, "right shaft";
        ratio: f64 = "Ratio", Plus, Unit::None, Number(1.0), Any, "speed of the driving shaft over the mean of the others";
    }
}

/// The table of the Differential block.
pub static DIFFERENTIAL: BlockSchema = element_schema(
    "Differential",
    "A differential: w_in = Ratio (w_left + w_right)/2.",
    &[Differential::PARAMETERS],
    &[&[
        signal("tau_in", "Nm", "torque into the gear at the driving shaft"),
        signal("tau_left", "Nm", "torque into the gear at the left shaft"),
        signal("tau_right", "Nm", "torque into the gear at the right shaft"),
        POWER,
    ]],
);

impl Differential {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        if self.ratio == 0.0 {
            let help = "w_in = Ratio (w_left + w_right)/2: choose another number";
            e.mistake(codes::OUT_OF_RANGE, "has the ratio 0", help);
        }
        let half = 0.5 * self.ratio;
        let tau = e.unknown("tau_in");
        let torques = [(self.input, tau), (self.left, -half * tau), (self.right, -half * tau)];
        let [input, left, right] = e.flanges(torques);
        e.equal(input, half * (left + right));
        e.signal("tau_in", tau);
        e.signal("tau_left", -half * tau);
        e.signal("tau_right", -half * tau);
        e.signal("power", tau * (input - half * (left + right)));
    }
}

impl Sketched for Differential {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let teeth = s.alone(true, "");
        let [input, left, right] =
            [self.input, self.left, self.right].map(|shaft| Place::Node(shaft.0));
        s.two((ElementKind::Transformer, ""), Value::number(2.0 / self.ratio), [input, teeth], &[]);
        s.join(teeth, left);
        s.join(teeth, right);
    }
}
