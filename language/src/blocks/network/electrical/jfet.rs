//! Junction field effect transistors after Shichman and Hodges.
//!
//! For vds >= 0, with x = vgs - Vto: x <= 0: id = 0; vds < x: id = Beta vds (2 x - vds) (1 + Lambda vds);
//! else id = Beta x^2 (1 + Lambda vds). For vds < 0 drain and source change roles. From the gate to both ends there are
//! diodes Is (exp(v/(N Vt)) - 1) + Gmin v with depletion layers. A transistor with a p channel is the same with every
//! voltage and current reversed. (Antognetti and Massobrio, *Semiconductor Device Modeling with SPICE*, chapter 3.)

use super::junction::DepletionLayer;
use crate::blocks::network::{POWER, THERMAL_VOLTAGE, element_schema};
use crate::element::{BlockSchema, SignalSchema, signal};
use crate::reading::fields::ElectricalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{Sketch, Sketched, TRANSISTOR};
use crate::writing::Writer;
use equations::expr::Ex;

parameters! {
    /// A junction field effect transistor.
    pub struct Jfet {
        d: ElectricalNode = "d", Plus, Unit::None, Required, Any, "drain";
        g: ElectricalNode = "g", Plus, Unit::None, Required, Any, "gate";
        s: ElectricalNode = "s", Plus, Unit::None, Required, Any, "source";
        threshold: f64 = "Vto", Plus, Unit::Is("V"), Number(-2.0), Any, "threshold voltage, of both kinds as of an n channel";
        beta: f64 = "Beta", Plus, Unit::Is("A/V^2"), Number(1e-4), Positive, "transconductance";
        modulation: f64 = "Lambda", Plus, Unit::Is("1/V"), Number(0.0), NotNegative, "channel length modulation";
        drain_resistance: f64 = "RD", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "drain resistance";
        source_resistance: f64 = "RS", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "source resistance";
        saturation: f64 = "Is", Plus, Unit::Is("A"), Number(1e-14), Positive, "saturation current of the gate";
        emission: f64 = "N", Plus, Unit::None, Number(1.0), Positive, "emission coefficient of the gate";
        thermal: f64 = "Vt", Plus, Unit::Is("V"), Number(THERMAL_VOLTAGE), Positive, "thermal voltage";
        leakage: f64 = "Gmin", Plus, Unit::Is("S"), Number(0.0), NotNegative, "conductance across each junction";
        gate_source: f64 = "Cgs", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance from gate to source at 0 V";
        gate_drain: f64 = "Cgd", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance from gate to drain at 0 V";
        potential: f64 = "PB", Plus, Unit::Is("V"), Number(1.0), Positive, "potential of the gate's junctions";
        depletion: f64 = "FC", Plus, Unit::None, Number(0.5), Between(0.0, 0.9999), "where the depletion capacitances go on linearly";
    }
}

const SIGNALS: &[SignalSchema] = &[
    signal("id", "A", "current into the drain"),
    signal("ig", "A", "current into the gate"),
    signal("is", "A", "current into the source"),
    signal("vgs", "V", "voltage from gate to source"),
    signal("vds", "V", "voltage from drain to source"),
    POWER,
];

/// The table of the NJF block.
pub static NJF: BlockSchema = element_schema(
    "NJF",
    "A junction field effect transistor with an n channel.",
    &[Jfet::PARAMETERS],
    &[SIGNALS],
);
/// The table of the PJF block.
pub static PJF: BlockSchema = element_schema(
    "PJF",
    "A junction field effect transistor with a p channel: NJF with every voltage and current reversed.",
    &[Jfet::PARAMETERS],
    &[SIGNALS],
);

impl Jfet {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let sign = if e.keyword() == "PJF" { -1.0 } else { 1.0 };
        let [vd, vg, vs] = [self.d, self.g, self.s].map(|node| e.potential(node.0));
        let [id, is] = ["id", "is"].map(|label| e.unknown(label));
        let ig = -id - is;
        for (node, current) in [(self.d, id), (self.g, ig), (self.s, is)] {
            e.flow(node.0, current);
        }
        // Inner voltages, as an n channel sees them; both are voltages of junctions.
        let [vgs, vgd] = ["vgs", "vgd"].map(|label| e.unknown(label));
        e.equal(vgs, sign * (vg - (vs - self.source_resistance * is)));
        e.equal(vgd, sign * (vg - (vd - self.drain_resistance * id)));
        let vds = vgs - vgd;
        let channel = vds.if_positive(self.channel(vgs, vds), -self.channel(vgd, -vds));
        let source = self.gate(e, self.gate_source, vgs);
        let drain = self.gate(e, self.gate_drain, vgd);
        e.equal(sign * id, channel - drain);
        e.equal(sign * is, -channel - source);
        e.tie(self.d, self.s);
        e.tie(self.g, self.s);
        e.signal("id", id);
        e.signal("ig", ig);
        e.signal("is", is);
        e.signal("vgs", vg - vs);
        e.signal("vds", vd - vs);
        e.signal("power", vd * id + vg * ig + vs * is);
    }

    /// Current from drain to source for vds >= 0.
    fn channel<'a>(&self, vgs: Ex<'a>, vds: Ex<'a>) -> Ex<'a> {
        let x = vgs - self.threshold;
        let longer = self.beta * (1.0 + self.modulation * vds);
        let linear = longer * vds * (2.0 * x - vds);
        let saturated = longer * x * x;
        x.if_positive((x - vds).if_positive(linear, saturated), 0.0 * x)
    }

    /// The current from the gate through one of its junctions.
    fn gate<'a>(&self, e: &Writer<'a>, capacitance: f64, v: Ex<'a>) -> Ex<'a> {
        let carried = self.saturation * ((v / (self.emission * self.thermal)).exp() - 1.0);
        let layer = DepletionLayer {
            capacitance,
            potential: self.potential,
            grading: 0.5,
            depletion: self.depletion,
        };
        carried + self.leakage * v + layer.current(e, v)
    }
}

impl Sketched for Jfet {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let pins = [self.d, self.g, self.s].map(|pin| pin.0);
        s.boxed(&pins, TRANSISTOR);
    }
}
