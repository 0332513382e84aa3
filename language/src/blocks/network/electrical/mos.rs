//! Field-effect transistors after Shichman and Hodges (level 1).
//!
//! For vds >= 0, with Vth = Vto + Gamma (sqrt(Phi - vbs) - sqrt(Phi)), K = Kp W/L, x = vgs - Vth:
//! x <= 0: id = 0; vds < x: id = K (x - vds/2) vds (1 + Lambda vds); else id = K/2 x^2 (1 + Lambda vds).
//! For vds < 0 drain and source change roles. The capacitances of the oxide follow from the voltages after Meyer (RCA Review
//! 32 (1971) 42), as SPICE has them. A PMOS transistor is the same with every voltage,
//! current and Vto reversed.

use super::junction::DepletionLayer;
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
        bulk_drain_edge: f64 = "Cbdsw", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance of the edge of the drain at 0 V";
        bulk_source_edge: f64 = "Cbssw", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance of the edge of the source at 0 V";
        bulk_potential: f64 = "PB", Plus, Unit::Is("V"), Number(0.8), Positive, "potential of the bulk junctions";
        bulk_grading: f64 = "MJ", Plus, Unit::None, Number(0.0), Between(0.0, 0.999), "grading of the bulk junctions; 0: constant capacitances";
        edge_grading: f64 = "MJSW", Plus, Unit::None, Number(0.33), Between(0.0, 0.999), "grading of their edges";
        depletion: f64 = "FC", Plus, Unit::None, Number(0.5), Between(0.0, 0.9999), "where the depletion capacitances go on linearly";
        oxide: f64 = "Cox", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance of the oxide, shared out after Meyer";
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
        // The inner source is a variable of its own: which voltages determine each other shows by it.
        let source = match self.source_resistance {
            0.0 => vs,
            resistance => {
                let source = e.unknown("vsi");
                e.equal(source, vs - resistance * is);
                source
            }
        };
        e.equal(vds, sign * (vd - self.drain_resistance * id - source));
        e.equal(vgs, sign * (vg - source));
        e.equal(vbs, sign * (vb - source));
        let (vgd, vbd, vgb) = (vgs - vds, vbs - vds, vgs - vbs);
        let channel =
            vds.if_positive(self.channel(vgs, vds, vbs, sign), -self.channel(vgd, -vds, vbd, sign));
        let oxide = self.oxide_capacitances([vgs, vds, vbs], sign);
        let gate_source = charging(e, self.gate_source, oxide.map(|[gs, ..]| gs), vgs);
        let gate_drain = charging(e, self.gate_drain, oxide.map(|[_, gd, _]| gd), vgd);
        let gate_bulk = charging(e, self.gate_bulk, oxide.map(|[.., gb]| gb), vgb);
        let bulk_drain =
            self.layers(e, [self.bulk_drain, self.bulk_drain_edge], vbd) + self.junction(vbd);
        let bulk_source =
            self.layers(e, [self.bulk_source, self.bulk_source_edge], vbs) + self.junction(vbs);
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

    /// The threshold voltage.
    fn threshold<'a>(&self, vbs: Ex<'a>, sign: f64) -> Ex<'a> {
        let threshold = vbs.number(sign * self.threshold.unwrap_or(sign));
        if self.body_effect == 0.0 {
            return threshold;
        }
        // A bulk above the source goes on along the tangent, until there is no depletion left.
        let root = self.surface.sqrt();
        let tangent = root - vbs / (2.0 * root);
        let forward = tangent.if_positive(tangent, vbs.number(0.0));
        let depletion = vbs.if_positive(forward, (self.surface - vbs).sqrt());
        threshold + self.body_effect * (depletion - root)
    }

    /// Current from drain to source for vds >= 0.
    fn channel<'a>(&self, vgs: Ex<'a>, vds: Ex<'a>, vbs: Ex<'a>, sign: f64) -> Ex<'a> {
        let x = vgs - self.threshold(vbs, sign);
        let k = self.transconductance * self.width / self.length;
        let longer = 1.0 + self.modulation * vds;
        let linear = k * (x - 0.5 * vds) * vds * longer;
        let saturated = 0.5 * k * x * x * longer;
        x.if_positive((x - vds).if_positive(linear, saturated), 0.0 * x)
    }

    /// The parts of the oxide's capacitance between gate and source, drain, bulk.
    fn oxide_capacitances<'a>(
        &self,
        [vgs, vds, vbs]: [Ex<'a>; 3],
        sign: f64,
    ) -> Option<[Ex<'a>; 3]> {
        if self.oxide == 0.0 {
            return None;
        }
        let [near, far, bulk] = self.meyer(vgs - self.threshold(vbs, sign), vds);
        let [near_back, far_back, bulk_back] =
            self.meyer(vgs - vds - self.threshold(vbs - vds, sign), -vds);
        Some([
            vds.if_positive(near, far_back),
            vds.if_positive(far, near_back),
            vds.if_positive(bulk, bulk_back),
        ])
    }

    /// The same for vds >= 0, from how far the gate is above the threshold.
    fn meyer<'a>(&self, x: Ex<'a>, vds: Ex<'a>) -> [Ex<'a>; 3] {
        /// Saturation begins here at the least, V.
        const LEAST: f64 = 0.025;
        let zero = x.number(0.0);
        let (cox, phi) = (self.oxide, self.surface);
        let saturation = (x - LEAST).if_positive(x, x.number(LEAST));
        // In the linear region both ends share, with the denominator 2 vdsat - vds.
        let sum = 2.0 * saturation - vds;
        let (a, b) = ((saturation - vds) / sum, saturation / sum);
        let is_linear = saturation - vds;
        let near = is_linear.if_positive(1.0 - a * a, x.number(1.0));
        let far = is_linear.if_positive(1.0 - b * b, zero);
        // Below the threshold the channel goes as the depletion widens.
        let weak = x / (0.75 * phi) + 2.0 / 3.0;
        let strength = x.if_positive(x.number(2.0 / 3.0), (x + 0.5 * phi).if_positive(weak, zero));
        let depleted = (x + phi).if_positive(-x / phi, x.number(1.0));
        let bulk = x.if_positive(zero, depleted);
        // Where the gate sees nothing of an end, a trace is left: what it charges needs some capacitance.
        const TRACE: f64 = 1e-4;
        [strength * near, strength * far, bulk].map(|part| cox * (part + TRACE))
    }

    /// The current that charges the depletion layers of a bulk junction and of its edge.
    fn layers<'a>(&self, e: &Writer<'a>, [bottom, edge]: [f64; 2], v: Ex<'a>) -> Ex<'a> {
        let layer = |capacitance: f64, grading: f64| DepletionLayer {
            capacitance,
            potential: self.bulk_potential,
            grading,
            depletion: self.depletion,
        };
        layer(bottom, self.bulk_grading).current(e, v)
            + layer(edge, self.edge_grading).current(e, v)
    }

    /// Current of a bulk diode.
    fn junction<'a>(&self, v: Ex<'a>) -> Ex<'a> {
        self.saturation * ((v / self.thermal).exp() - 1.0)
    }

    fn ties(&self, e: &Writer<'_>, bulk: ElectricalNode) {
        e.tie(self.d, self.s);
        if self.gate_source + self.gate_drain + self.gate_bulk + self.oxide > 0.0 {
            e.tie(self.g, self.s);
        }
        let edges = self.bulk_source_edge + self.bulk_drain_edge;
        if self.saturation + self.bulk_source + self.bulk_drain + edges + self.oxide > 0.0 {
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

/// The current into a constant capacitance and the one of the oxide beside it.
fn charging<'a>(e: &Writer<'a>, constant: f64, oxide: Option<Ex<'a>>, v: Ex<'a>) -> Ex<'a> {
    match oxide {
        Some(oxide) => (constant + oxide) * e.rate(v),
        None => e.rate(constant * v),
    }
}
