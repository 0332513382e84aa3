//! An ideal converter between electrical and rotational power: v = k w, and the torque k i on the shaft.

use crate::blocks::network::{POWER, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::{ElectricalNode, RotationalNode};
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::{TwoPin, Writer};
use equations::expression::Program;

parameters! {
    /// An ideal electro-mechanical converter.
    pub struct Emf {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "node where the current enters";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "node where it leaves";
        shaft: RotationalNode = "shaft", Plus, Unit::None, Required, Any, "shaft that a positive current drives forward";
        stator: RotationalNode = "stator", Plus, Unit::None, Word("base"), Any, "what takes the reaction";
        constant: Program = "k", Plus, Unit::Is("Vs"), Required, Any, "torque over current, voltage over speed";
    }
}

/// The table of the EMF block.
pub static EMF: BlockSchema = element_schema(
    "EMF",
    "An ideal electro-mechanical converter: v = k w, torque k i on the shaft.",
    &[Emf::PARAMETERS],
    &[&[
        signal("v", "V", "voltage v_p - v_n"),
        signal("i", "A", "current into p"),
        signal("w", "rad/s", "speed of the shaft in the stator"),
        signal("tau", "Nm", "torque on the shaft"),
        POWER,
    ]],
);

impl Emf {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPin { v, i } = e.two_pin(self.p, self.n);
        let k = e.time(&self.constant);
        let tau = k * i;
        let [shaft, stator] = e.flanges([(self.shaft, -tau), (self.stator, tau)]);
        let w = shaft - stator;
        e.equal(v, k * w);
        e.tie(self.p, self.n);
        e.signal("w", w);
        e.signal("tau", tau);
        e.signal("power", v * i - tau * w);
    }
}

impl Sketched for Emf {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let winding = s.bridge(self.p, self.n, "v");
        let shaft = s.bridge(self.stator, self.shaft, "w");
        s.two(
            (ElementKind::Gyrator, ""),
            Value::of("k", &self.constant),
            [winding, shaft],
            readings::EMF,
        );
    }
}
