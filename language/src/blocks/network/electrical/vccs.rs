//! A current source controlled by a voltage: i = Gain (v_cp - v_cn), into p.

use crate::blocks::network::{TWO_PIN, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::ElectricalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::{TwoPin, Writer};

parameters! {
    /// A current source controlled by a voltage.
    pub struct Vccs {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "positive node";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "negative node";
        cp: ElectricalNode = "cp", Plus, Unit::None, Required, Any, "positive node of the control voltage; draws no current";
        cn: ElectricalNode = "cn", Plus, Unit::None, Required, Any, "negative node of the control voltage; draws no current";
        gain: f64 = "Gain", Plus, Unit::Is("S"), Required, Any, "gain";
    }
}

/// The table of the VCCS block.
pub static VCCS: BlockSchema = element_schema(
    "VCCS",
    "A current source controlled by a voltage: i = Gain (v_cp - v_cn), into p.",
    &[Vccs::PARAMETERS],
    &[TWO_PIN, &[signal("vc", "V", "control voltage")]],
);

impl Vccs {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPin { i, .. } = e.two_pin(self.p, self.n);
        let vc = e.sense(self.cp.0) - e.sense(self.cn.0);
        e.equal(i, self.gain * vc);
        e.signal("vc", vc);
    }
}

impl Sketched for Vccs {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.p, self.n);
        s.one(
            (ElementKind::Sf, ""),
            Value::of_nodes(self.gain, [self.cp.0, self.cn.0]),
            spot,
            readings::CURRENT_SOURCE,
        );
    }
}
