//! Field-effect transistors after Shichman and Hodges (level 1).
//!
//! For vds >= 0, with Vth = Vto + Gamma (sqrt(Phi - vbs) - sqrt(Phi)), K = Kp W/L, x = vgs - Vth:
//! x <= 0: id = 0; vds < x: id = K (x - vds/2) vds (1 + Lambda vds); else id = K/2 x^2 (1 + Lambda vds).
//! For vds < 0 drain and source change roles. A PMOS transistor is the same with every voltage,
//! current and Vto reversed.

use crate::blocks::network::{POWER, THERMAL_VOLTAGE, element_schema};
use crate::element::{BlockSchema, SignalSchema, signal};
use crate::reading::fields::ElectricalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{Sketch, Sketched, TRANSISTOR};
use crate::writing::Writer;
use equations::expr::Ex;

parameters! {
    /// A field-effect transistor.
    pub struct Mos {
        d: ElectricalNode = "d", Plus, Unit::None, Required, Any, "drain";
        g: ElectricalNode = "g", Plus, Unit::None, Required, Any, "gate";
        s: ElectricalNode = "s", Plus, Unit::None, Required, Any, "source";
        b: Option<ElectricalNode> = "b", Plus, Unit::None, Absent("the node of s"), Any, "bulk";
        threshold: Option<f64> = "Vto", Plus, Unit::Is("V"), Absent("1 (NMOS), -1 (PMOS)"), Any, "threshold voltage";
        transconductance: f64 = "Kp", Plus, Unit::Is("A/V^2"), Number(2e-5), Positive, "transconductance";
        width: f64 = "W", Plus, Unit::Is("m"), Number(1e-4), Positive, "channel width";
        length: f64 = "L", Plus, Unit::Is("m"), Number(1e-4), Positive, "channel length";
        modulation: f64 = "Lambda", Plus, Unit::Is("1/V"), Number(0.0), NotNegative, "channel length modulation";
        body_effect: f64 = "Gamma", Plus, Unit::Is("V^0.5"), Number(0.0), NotNegative, "body effect";
        surface: f64 = "Phi", Plus, Unit::Is("V"), Number(0.6), Positive, "surface potential";
        drain_resistance: f64 = "RD", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "drain resistance";
        source_resistance: f64 = "RS", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "source resistance";
        gate_source: f64 = "Cgs", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance from gate to source";
        gate_drain: f64 = "Cgd", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance from gate to drain";
        gate_bulk: f64 = "Cgb", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance from gate to bulk";
        bulk_drain: f64 = "Cbd", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance from bulk to drain";
        bulk_source: f64 = "Cbs", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance from bulk to source";
        saturation: f64 = "Is", Plus, Unit::Is("A"), Number(0.0), NotNegative, "saturation current of the bulk diodes; 0 is none";
        thermal: f64 = "Vt", Plus, Unit::Is("V"), Number(THERMAL_VOLTAGE), Positive, "thermal voltage of the bulk diodes";
    }
}

const SIGNALS: &[SignalSchema] = &[
    signal("id", "A", "current into the drain"),
    signal("ig", "A", "current into the gate"),
    signal("is", "A", "current into the source"),
    signal("ib", "A", "current into the bulk"),
    signal("vgs", "V", "voltage from gate to source"),
    signal("vds", "V", "voltage from drain to source"),
    POWER,
];

/// The table of the NMOS block.
pub static NMOS: BlockSchema = element_schema(
    "NMOS",
    "A MOS transistor with an n channel, level 1.",
    &[Mos::PARAMETERS],
    &[SIGNALS],
);
/// The table of the PMOS block.
pub static PMOS: BlockSchema = element_schema(
    "PMOS",
    "A MOS transistor with a p channel: NMOS with every voltage, current and Vto reversed.",
    &[Mos::PARAMETERS],
    &[SIGNALS],
);

impl Mos {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let sign = if e.keyword() == "PMOS" { -1.0 } else { 1.0 };
        let bulk = self.b.unwrap_or(self.s);
        let [vd, vg, vs, vb] = [self.d, self.g, self.s, bulk].map(|node| e.potential(node.0));
        let [id, is] = ["id", "is"].map(|label| e.unknown(label));
        // Inner voltages, as an n channel sees them.
        let [vds, vgs, vbs] = ["vds", "vgs", "vbs"].map(|label| e.unknown(label));
        let source = vs - self.source_resistance * is;
        e.equal(vds, sign * (vd - self.drain_resistance * id - source));
        e.equal(vgs, sign * (vg - source));
        e.equal(vbs, sign * (vb - source));
        let channel = vds.if_positive(
            self.channel(vgs, vds, vbs, sign),
            -self.channel(vgs - vds, -vds, vbs - vds, sign),
        );
        let charging = |c: f64, v| e.rate(c * v);
        let (vgd, vbd, vgb) = (vgs - vds, vbs - vds, vgs - vbs);
        let gate_source = charging(self.gate_source, vgs);
        let gate_drain = charging(self.gate_drain, vgd);
        let gate_bulk = charging(self.gate_bulk, vgb);
        let bulk_drain = charging(self.bulk_drain, vbd) + self.junction(vbd);
        let bulk_source = charging(self.bulk_source, vbs) + self.junction(vbs);
        e.equal(sign * id, channel - gate_drain - bulk_drain);
        e.equal(sign * is, -channel - gate_source - bulk_source);
        let ig = sign * (gate_source + gate_drain + gate_bulk);
        let ib = sign * (bulk_drain + bulk_source - gate_bulk);
        for (node, current) in [(self.d, id), (self.g, ig), (self.s, is), (bulk, ib)] {
            e.flow(node.0, current);
        }
        self.ties(e, bulk);
        e.signal("id", id);
        e.signal("ig", ig);
        e.signal("is", is);
        e.signal("ib", ib);
        e.signal("vgs", vg - vs);
        e.signal("vds", vd - vs);
        e.signal("power", vd * id + vg * ig + vs * is + vb * ib);
    }

    /// Current from drain to source for vds >= 0.
    fn channel<'a>(&self, vgs: Ex<'a>, vds: Ex<'a>, vbs: Ex<'a>, sign: f64) -> Ex<'a> {
        let threshold = sign * self.threshold.unwrap_or(sign);
        let mut x = vgs - threshold;
        if self.body_effect > 0.0 {
            // A bulk above the source by more than Phi has no depletion left.
            let room = self.surface - vbs;
            let depletion = room.if_positive(room, 0.0 * room).sqrt();
            x = x - self.body_effect * (depletion - self.surface.sqrt());
        }
        let k = self.transconductance * self.width / self.length;
        let longer = 1.0 + self.modulation * vds;
        let linear = k * (x - 0.5 * vds) * vds * longer;
        let saturated = 0.5 * k * x * x * longer;
        x.if_positive((x - vds).if_positive(linear, saturated), 0.0 * x)
    }

    /// Current of a bulk diode.
    fn junction<'a>(&self, v: Ex<'a>) -> Ex<'a> {
        self.saturation * ((v / self.thermal).exp() - 1.0)
    }

    fn ties(&self, e: &Writer<'_>, bulk: ElectricalNode) {
        e.tie(self.d, self.s);
        if self.gate_source + self.gate_drain + self.gate_bulk > 0.0 {
            e.tie(self.g, self.s);
        }
        if self.saturation + self.bulk_source + self.bulk_drain > 0.0 {
            e.tie(bulk, self.s);
        }
    }
}

impl Sketched for Mos {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let bulk = self.b.filter(|bulk| *bulk != self.s);
        let pins = [Some(self.d), Some(self.g), Some(self.s), bulk];
        let pins: Vec<_> = pins.into_iter().flatten().map(|pin| pin.0).collect();
        s.boxed(&pins, TRANSISTOR);
    }
}
