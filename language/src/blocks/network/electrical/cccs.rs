//! A current source controlled by a current: i = Gain Control.i, into p.

use crate::blocks::network::{TWO_PIN, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::{ElectricalNode, TwoPinRef};
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::{TwoPin, Writer};

parameters! {
    /// A current source controlled by a current.
    pub struct Cccs {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "positive node";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "negative node";
        control: TwoPinRef = "Control", Plus, Unit::None, Required, Any, "element whose current controls";
        gain: f64 = "Gain", Plus, Unit::None, Required, Any, "gain";
    }
}

/// The table of the CCCS block.
pub static CCCS: BlockSchema = element_schema(
    "CCCS",
    "A current source controlled by a current: i = Gain Control.i, into p.",
    &[Cccs::PARAMETERS],
    &[TWO_PIN],
);

impl Cccs {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPin { i, .. } = e.two_pin(self.p, self.n);
        e.equal(i, self.gain * e.signal_of(self.control.0, "i"));
    }
}

impl Sketched for Cccs {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.p, self.n);
        s.one(
            (ElementKind::Sf, ""),
            Value::of_current(self.gain, self.control.0),
            spot,
            readings::CURRENT_SOURCE,
        );
    }
}
