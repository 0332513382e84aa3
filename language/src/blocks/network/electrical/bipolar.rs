//! Bipolar transistors after Ebers and Moll, in transport form.
//!
//! If = Is (exp(vbe/(NF Vt)) - 1), Ir = Is (exp(vbc/(NR Vt)) - 1),
//! ic = (If - Ir)(1 - vbc/VAF - vbe/VAR) - Ir/BR, ib = If/BF + Ir/BR, ie = -ic - ib,
//! at the inner nodes behind RB, RC, RE; charges TF If and TR Ir and the charges of the depletion layers.
//! A PNP transistor is the same with the sign of every voltage and current reversed.

use super::junction::DepletionLayer;
use crate::blocks::network::{POWER, THERMAL_VOLTAGE, element_schema};
use crate::element::{BlockSchema, SignalSchema, signal};
use crate::reading::fields::ElectricalNode;
use crate::reading::{Group, parameters};
use crate::writing::Writer;

parameters! {
    /// A bipolar transistor.
    pub struct Bipolar {
        c: ElectricalNode = "c", Plus, Unit::None, Required, Any, "collector";
        b: ElectricalNode = "b", Plus, Unit::None, Required, Any, "base";
        e: ElectricalNode = "e", Plus, Unit::None, Required, Any, "emitter";
        saturation: f64 = "Is", Plus, Unit::Is("A"), Number(1e-16), Positive, "saturation current";
        forward_gain: f64 = "BF", Plus, Unit::None, Number(100.0), Positive, "forward current gain";
        reverse_gain: f64 = "BR", Plus, Unit::None, Number(1.0), Positive, "reverse current gain";
        forward_emission: f64 = "NF", Plus, Unit::None, Number(1.0), Positive, "forward emission coefficient";
        reverse_emission: f64 = "NR", Plus, Unit::None, Number(1.0), Positive, "reverse emission coefficient";
        forward_early: f64 = "VAF", Plus, Unit::Is("V"), Number(0.0), NotNegative, "forward Early voltage; 0 is none";
        reverse_early: f64 = "VAR", Plus, Unit::Is("V"), Number(0.0), NotNegative, "reverse Early voltage; 0 is none";
        thermal: f64 = "Vt", Plus, Unit::Is("V"), Number(THERMAL_VOLTAGE), Positive, "thermal voltage";
        base_resistance: f64 = "RB", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "base resistance";
        collector_resistance: f64 = "RC", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "collector resistance";
        emitter_resistance: f64 = "RE", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "emitter resistance";
        leakage: f64 = "Gmin", Plus, Unit::Is("S"), Number(0.0), NotNegative, "conductance across each junction";
        emitter_capacitance: f64 = "CJE", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance of the base-emitter junction at 0 V";
        collector_capacitance: f64 = "CJC", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance of the base-collector junction at 0 V";
        emitter_potential: f64 = "VJE", Plus, Unit::Is("V"), Number(0.75), Positive, "potential of the base-emitter junction";
        collector_potential: f64 = "VJC", Plus, Unit::Is("V"), Number(0.75), Positive, "potential of the base-collector junction";
        emitter_grading: f64 = "MJE", Plus, Unit::None, Number(0.33), Between(0.0, 0.95), "grading of the base-emitter junction";
        collector_grading: f64 = "MJC", Plus, Unit::None, Number(0.33), Between(0.0, 0.95), "grading of the base-collector junction";
        depletion: f64 = "FC", Plus, Unit::None, Number(0.5), Between(0.0, 0.95), "where the depletion capacitances go on linearly";
        forward_transit: f64 = "TF", Plus, Unit::Is("s"), Number(0.0), NotNegative, "forward transit time";
        reverse_transit: f64 = "TR", Plus, Unit::Is("s"), Number(0.0), NotNegative, "reverse transit time";
    }
}

const SIGNALS: &[SignalSchema] = &[
    signal("ic", "A", "current into the collector"),
    signal("ib", "A", "current into the base"),
    signal("ie", "A", "current into the emitter"),
    signal("vbe", "V", "voltage from base to emitter"),
    signal("vce", "V", "voltage from collector to emitter"),
    POWER,
];

/// The table of the NPN block.
pub static NPN: BlockSchema = element_schema(
    "NPN",
    "An npn transistor after Ebers and Moll.",
    &[Bipolar::PARAMETERS],
    &[SIGNALS],
);
/// The table of the PNP block.
pub static PNP: BlockSchema = element_schema(
    "PNP",
    "A pnp transistor: NPN with the sign of every voltage and current reversed.",
    &[Bipolar::PARAMETERS],
    &[SIGNALS],
);

impl Bipolar {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let sign = if e.keyword() == "PNP" { -1.0 } else { 1.0 };
        let (ic, ib) = (e.unknown("ic"), e.unknown("ib"));
        let ie = -ic - ib;
        let [vc, vb, ve] = [self.c, self.b, self.e].map(|node| e.potential(node.0));
        for (node, current) in [(self.c, ic), (self.b, ib), (self.e, ie)] {
            e.flow(node.0, current);
        }
        // Inner voltages, as an npn transistor sees them.
        let (vbe, vbc) = (e.unknown("vbe"), e.unknown("vbc"));
        let base = vb - self.base_resistance * ib;
        e.equal(vbe, sign * (base - (ve - self.emitter_resistance * ie)));
        e.equal(vbc, sign * (base - (vc - self.collector_resistance * ic)));

        let forward =
            self.saturation * ((vbe / (self.forward_emission * self.thermal)).exp() - 1.0);
        let reverse =
            self.saturation * ((vbc / (self.reverse_emission * self.thermal)).exp() - 1.0);
        let early = |voltage: f64| if voltage > 0.0 { 1.0 / voltage } else { 0.0 };
        let narrowing = 1.0 - early(self.forward_early) * vbc - early(self.reverse_early) * vbe;
        let transport = (forward - reverse) * narrowing;
        let (leak_e, leak_c) = (self.leakage * vbe, self.leakage * vbc);
        let emitter =
            self.layer(self.emitter_capacitance, self.emitter_potential, self.emitter_grading);
        let collector = self.layer(
            self.collector_capacitance,
            self.collector_potential,
            self.collector_grading,
        );
        let charging_e = e.rate(self.forward_transit * forward) + emitter.current(e, vbe);
        let charging_c = e.rate(self.reverse_transit * reverse) + collector.current(e, vbc);
        let recombination_c = 1.0 / self.reverse_gain * reverse + leak_c + charging_c;
        let recombination_e = 1.0 / self.forward_gain * forward + leak_e + charging_e;
        e.equal(sign * ic, transport - recombination_c);
        e.equal(sign * ib, recombination_e + recombination_c);
        e.tie(self.c, self.e);
        e.tie(self.b, self.e);
        e.signal("ic", ic);
        e.signal("ib", ib);
        e.signal("ie", ie);
        e.signal("vbe", vb - ve);
        e.signal("vce", vc - ve);
        e.signal("power", vc * ic + vb * ib + ve * ie);
    }

    fn layer(&self, capacitance: f64, potential: f64, grading: f64) -> DepletionLayer {
        DepletionLayer { capacitance, potential, grading, depletion: self.depletion }
    }
}
