//! A planetary gear: (1 + i) w_carrier = w_sun + i w_ring, tau_ring = i tau_sun, and the torques sum to zero.

use crate::blocks::network::{POWER, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::RotationalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Place, Sketch, Sketched, Value};
use crate::writing::Writer;

parameters! {
    /// A planetary gear.
    pub struct Planetary {
        sun: RotationalNode = "sun", Plus, Unit::None, Required, Any, "sun wheel";
        carrier: RotationalNode = "carrier", Plus, Unit::None, Required, Any, "carrier of the planets";
        ring: RotationalNode = "ring", Plus, Unit::None, Required, Any, "ring wheel";
        ratio: f64 = "Ratio", Plus, Unit::None, Required, Positive, "number of teeth of the ring over that of the sun";
    }
}

/// The table of the Planetary block.
pub static PLANETARY: BlockSchema = element_schema(
    "Planetary",
    "A planetary gear: (1 + Ratio) w_carrier = w_sun + Ratio w_ring.",
    &[Planetary::PARAMETERS],
    &[&[
        signal("tau_sun", "Nm", "torque into the gear at the sun"),
        signal("tau_carrier", "Nm", "torque into the gear at the carrier"),
        signal("tau_ring", "Nm", "torque into the gear at the ring"),
        POWER,
    ]],
);

impl Planetary {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let i = self.ratio;
        let tau = e.unknown("tau_sun");
        let torques = [(self.sun, tau), (self.carrier, -(1.0 + i) * tau), (self.ring, i * tau)];
        let [sun, carrier, ring] = e.flanges(torques);
        e.equal((1.0 + i) * carrier, sun + i * ring);
        e.signal("tau_sun", tau);
        e.signal("tau_carrier", -(1.0 + i) * tau);
        e.signal("tau_ring", i * tau);
        e.signal("power", tau * (sun + i * ring - (1.0 + i) * carrier));
    }
}

impl Sketched for Planetary {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let teeth = s.alone(true, "");
        let [sun, carrier, ring] =
            [self.sun, self.carrier, self.ring].map(|shaft| Place::Node(shaft.0));
        s.join(sun, teeth);
        s.two((ElementKind::Transformer, "ring"), Value::number(self.ratio), [ring, teeth], &[]);
        let modulus = Value::number(1.0 / (1.0 + self.ratio));
        s.two((ElementKind::Transformer, "carrier"), modulus, [teeth, carrier], &[]);
    }
}
