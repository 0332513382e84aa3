//! A voltage source controlled by a voltage: v = Gain (v_cp - v_cn).

use crate::blocks::network::{TWO_PIN, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::ElectricalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::{TwoPin, Writer};

parameters! {
    /// A voltage source controlled by a voltage.
    pub struct Vcvs {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "positive node";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "negative node";
        cp: ElectricalNode = "cp", Plus, Unit::None, Required, Any, "positive node of the control voltage; draws no current";
        cn: ElectricalNode = "cn", Plus, Unit::None, Required, Any, "negative node of the control voltage; draws no current";
        gain: f64 = "Gain", Plus, Unit::None, Required, Any, "gain";
    }
}

/// The table of the VCVS block.
pub static VCVS: BlockSchema = element_schema(
    "VCVS",
    "A voltage source controlled by a voltage: v = Gain (v_cp - v_cn).",
    &[Vcvs::PARAMETERS],
    &[TWO_PIN, &[signal("vc", "V", "control voltage")]],
);

impl Vcvs {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPin { v, .. } = e.two_pin(self.p, self.n);
        let vc = e.sense(self.cp.0) - e.sense(self.cn.0);
        e.equal(v, self.gain * vc);
        e.rigid_tie(self.p, self.n);
        e.signal("vc", vc);
    }
}

impl Sketched for Vcvs {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.n, self.p);
        s.one(
            (ElementKind::Se, ""),
            Value::of_nodes(self.gain, [self.cp.0, self.cn.0]),
            spot,
            readings::VOLTAGE_SOURCE,
        );
    }
}
