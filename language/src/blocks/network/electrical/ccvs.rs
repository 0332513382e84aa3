//! A voltage source controlled by a current: v = Gain Control.i.

use crate::blocks::network::{TWO_PIN, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::{ElectricalNode, TwoPinRef};
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::{TwoPin, Writer};

parameters! {
    /// A voltage source controlled by a current.
    pub struct Ccvs {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "positive node";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "negative node";
        control: TwoPinRef = "Control", Plus, Unit::None, Required, Any, "element whose current controls";
        gain: f64 = "Gain", Plus, Unit::Is("Ohm"), Required, Any, "gain";
    }
}

/// The table of the CCVS block.
pub static CCVS: BlockSchema = element_schema(
    "CCVS",
    "A voltage source controlled by a current: v = Gain Control.i.",
    &[Ccvs::PARAMETERS],
    &[TWO_PIN],
);

impl Ccvs {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPin { v, .. } = e.two_pin(self.p, self.n);
        e.equal(v, self.gain * e.signal_of(self.control.0, "i"));
        e.rigid_tie(self.p, self.n);
    }
}

impl Sketched for Ccvs {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.n, self.p);
        s.one(
            (ElementKind::Se, ""),
            Value::of_current(self.gain, self.control.0),
            spot,
            readings::VOLTAGE_SOURCE,
        );
    }
}
