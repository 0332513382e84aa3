//! Bipolar transistors after Gummel and Poon; without high currents after Ebers and Moll, in transport form.
//!
//! If = Is (exp(vbe/(NF Vt)) - 1), Ir = Is (exp(vbc/(NR Vt)) - 1),
//! q1 = 1/(1 - vbc/VAF - vbe/VAR), qb = q1 (1 + sqrt(1 + 4 (If/IKF + Ir/IKR)))/2,
//! Ie = ISE (exp(vbe/(NE Vt)) - 1) + Gmin vbe, Ic = ISC (exp(vbc/(NC Vt)) - 1) + Gmin vbc,
//! ic = (If - Ir)/qb - Ir/BR - Ic, ib = If/BF + Ie + Ir/BR + Ic, ie = -ic - ib,
//! at the inner nodes behind RBB, RC, RE, where RBB = RBM + (RB - RBM)/qb, with IRB
//! RBB = RBM + 3 (RB - RBM) (tan z - z)/(z tan^2 z), z = (sqrt(1 + 14.59025 ib/IRB) - 1)/(2.4317 sqrt(ib/IRB));
//! charges TF If (1 + XTF (If/(If + ITF))^2 exp(vbc/(1.44 VTF)))/qb and TR Ir, and those of the depletion layers; of that
//! of the collector the part 1 - XCJC lies at the outer base. The substrate joins the inner collector, of a lateral
//! transistor the inner base. A PNP transistor is the same with the sign of every voltage and current reversed.
//! (Gummel and Poon, Bell Syst. Tech. J. 49 (1970) 827; Antognetti and Massobrio, *Semiconductor Device Modeling with
//! SPICE*, chapter 2.)

use super::junction::DepletionLayer;
use crate::blocks::network::{POWER, THERMAL_VOLTAGE, element_schema};
use crate::element::{BlockSchema, SignalSchema, signal};
use crate::reading::fields::ElectricalNode;
use crate::reading::{Group, parameters, words};
use crate::sketch::{Sketch, Sketched, TRANSISTOR};
use crate::writing::Writer;
use equations::expr::Ex;

words! {
    /// Where the current flows.
    pub enum Structure {
        /// Downwards: the collector lies on the substrate.
        Vertical = "vertical",
        /// Sideways: the base lies on the substrate.
        Lateral = "lateral",
    }
}

parameters! {
    /// A bipolar transistor.
    pub struct Bipolar {
        c: ElectricalNode = "c", Plus, Unit::None, Required, Any, "collector";
        b: ElectricalNode = "b", Plus, Unit::None, Required, Any, "base";
        e: ElectricalNode = "e", Plus, Unit::None, Required, Any, "emitter";
        s: Option<ElectricalNode> = "s", Plus, Unit::None, Absent("nowhere"), Any, "substrate";
        saturation: f64 = "Is", Plus, Unit::Is("A"), Number(1e-16), Positive, "saturation current";
        forward_gain: f64 = "BF", Plus, Unit::None, Number(100.0), Positive, "forward current gain";
        reverse_gain: f64 = "BR", Plus, Unit::None, Number(1.0), Positive, "reverse current gain";
        forward_emission: f64 = "NF", Plus, Unit::None, Number(1.0), Positive, "forward emission coefficient";
        reverse_emission: f64 = "NR", Plus, Unit::None, Number(1.0), Positive, "reverse emission coefficient";
        forward_early: f64 = "VAF", Plus, Unit::Is("V"), Number(0.0), NotNegative, "forward Early voltage; 0 is none";
        reverse_early: f64 = "VAR", Plus, Unit::Is("V"), Number(0.0), NotNegative, "reverse Early voltage; 0 is none";
        forward_knee: f64 = "IKF", Plus, Unit::Is("A"), Number(0.0), NotNegative, "current at which the forward gain falls; 0 is none";
        reverse_knee: f64 = "IKR", Plus, Unit::Is("A"), Number(0.0), NotNegative, "current at which the reverse gain falls; 0 is none";
        emitter_leakage: f64 = "ISE", Plus, Unit::Is("A"), Number(0.0), NotNegative, "saturation current of what leaks from base to emitter";
        emitter_leakage_emission: f64 = "NE", Plus, Unit::None, Number(1.5), Positive, "its emission coefficient";
        collector_leakage: f64 = "ISC", Plus, Unit::Is("A"), Number(0.0), NotNegative, "saturation current of what leaks from base to collector";
        collector_leakage_emission: f64 = "NC", Plus, Unit::None, Number(2.0), Positive, "its emission coefficient";
        thermal: f64 = "Vt", Plus, Unit::Is("V"), Number(THERMAL_VOLTAGE), Positive, "thermal voltage";
        base_resistance: f64 = "RB", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "base resistance";
        least_base_resistance: Option<f64> = "RBM", Plus, Unit::Is("Ohm"), Absent("RB"), NotNegative, "base resistance at high currents";
        base_resistance_current: f64 = "IRB", Plus, Unit::Is("A"), Number(0.0), NotNegative, "base current at which its resistance is half way; 0: it goes with qb";
        collector_resistance: f64 = "RC", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "collector resistance";
        emitter_resistance: f64 = "RE", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "emitter resistance";
        leakage: f64 = "Gmin", Plus, Unit::Is("S"), Number(0.0), NotNegative, "conductance across each junction";
        emitter_capacitance: f64 = "CJE", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance of the base-emitter junction at 0 V";
        collector_capacitance: f64 = "CJC", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance of the base-collector junction at 0 V";
        substrate_capacitance: f64 = "CJS", Plus, Unit::Is("F"), Number(0.0), NotNegative, "capacitance of the substrate junction at 0 V";
        emitter_potential: f64 = "VJE", Plus, Unit::Is("V"), Number(0.75), Positive, "potential of the base-emitter junction";
        collector_potential: f64 = "VJC", Plus, Unit::Is("V"), Number(0.75), Positive, "potential of the base-collector junction";
        substrate_potential: f64 = "VJS", Plus, Unit::Is("V"), Number(0.75), Positive, "potential of the substrate junction";
        emitter_grading: f64 = "MJE", Plus, Unit::None, Number(0.33), Between(0.0, 0.999), "grading of the base-emitter junction";
        collector_grading: f64 = "MJC", Plus, Unit::None, Number(0.33), Between(0.0, 0.999), "grading of the base-collector junction";
        substrate_grading: f64 = "MJS", Plus, Unit::None, Number(0.0), Between(0.0, 0.999), "grading of the substrate junction";
        inner: f64 = "XCJC", Plus, Unit::None, Number(1.0), Between(0.0, 1.0), "part of CJC at the inner base";
        depletion: f64 = "FC", Plus, Unit::None, Number(0.5), Between(0.0, 0.9999), "where the depletion capacitances go on linearly";
        forward_transit: f64 = "TF", Plus, Unit::Is("s"), Number(0.0), NotNegative, "forward transit time";
        transit_bias: f64 = "XTF", Plus, Unit::None, Number(0.0), NotNegative, "how the forward transit time grows";
        transit_voltage: f64 = "VTF", Plus, Unit::Is("V"), Number(0.0), NotNegative, "with vbc; 0: it does not";
        transit_current: f64 = "ITF", Plus, Unit::Is("A"), Number(0.0), NotNegative, "with the current; 0: it does not";
        reverse_transit: f64 = "TR", Plus, Unit::Is("s"), Number(0.0), NotNegative, "reverse transit time";
        structure: Structure = "Structure", Plus, Unit::None, Word("vertical"), Any, "what lies on the substrate";
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
    "An npn transistor after Gummel and Poon.",
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

/// What a transistor's equations are made of.
#[derive(Clone, Copy)]
struct Inside<'a> {
    vbe: Ex<'a>,
    vbc: Ex<'a>,
    /// If and Ir.
    forward: Ex<'a>,
    reverse: Ex<'a>,
    /// The charge of the base over that at rest.
    base_charge: Ex<'a>,
}

impl Bipolar {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let sign = if e.keyword() == "PNP" { -1.0 } else { 1.0 };
        let (ic, ib) = (e.unknown("ic"), e.unknown("ib"));
        let (vbe, vbc) = (e.unknown("vbe"), e.unknown("vbc"));
        let inside = self.inside(vbe, vbc);
        let [vc, vb, ve] = [self.c, self.b, self.e].map(|node| e.potential(node.0));
        // The inner nodes are variables of their own: which voltages of junctions determine each other shows by them.
        let inner_collector = inner(e, "vci", self.collector_resistance, vc, ic);
        // What the outer base and the substrate carry past the junctions.
        let outer = self.outer_capacitance(e, sign, inner_collector, vb);
        let base_current = ib - outer;
        let inner_base = match self.base_resistance {
            0.0 => vb,
            _ => {
                let drop = self.base_resistance(inside, sign * base_current) * base_current;
                let inner = e.unknown("vbi");
                e.equal(inner, vb - drop);
                inner
            }
        };
        let (substrate, at_collector) = self.substrate(e, sign, inner_collector, inner_base);
        let ie = -ic - ib - substrate;
        for (node, current) in [(self.c, ic), (self.b, ib), (self.e, ie)] {
            e.flow(node.0, current);
        }
        // Inner voltages, as an npn transistor sees them.
        e.equal(vbe, sign * (inner_base - inner(e, "vei", self.emitter_resistance, ve, ie)));
        e.equal(vbc, sign * (inner_base - inner_collector));

        let (emitter, collector) = self.recombination(e, inside);
        let transport = (inside.forward - inside.reverse) / inside.base_charge;
        let zero = e.number(0.0);
        let (into_collector, into_base) =
            if at_collector { (substrate, zero) } else { (zero, substrate) };
        e.equal(sign * (ic + outer + into_collector), transport - collector);
        e.equal(sign * (base_current + into_base), emitter + collector);
        e.tie(self.c, self.e);
        e.tie(self.b, self.e);
        e.signal("ic", ic);
        e.signal("ib", ib);
        e.signal("ie", ie);
        e.signal("vbe", vb - ve);
        e.signal("vce", vc - ve);
        let at_substrate = self.s.map_or(zero, |node| e.potential(node.0) * substrate);
        e.signal("power", vc * ic + vb * ib + ve * ie + at_substrate);
    }

    fn inside<'a>(&self, vbe: Ex<'a>, vbc: Ex<'a>) -> Inside<'a> {
        let forward = self.junction(self.saturation, vbe, self.forward_emission);
        let reverse = self.junction(self.saturation, vbc, self.reverse_emission);
        let over = |size: f64| if size > 0.0 { 1.0 / size } else { 0.0 };
        let narrowing = 1.0 - over(self.forward_early) * vbc - over(self.reverse_early) * vbe;
        let base_charge = if self.forward_knee > 0.0 || self.reverse_knee > 0.0 {
            let high = over(self.forward_knee) * forward + over(self.reverse_knee) * reverse;
            let inside = 1.0 + 4.0 * high;
            // In reverse the currents are those of saturation: the root exists but for absurd knees.
            const LEAST: f64 = 1e-9;
            let root = (inside - LEAST).if_positive(inside, vbe.number(LEAST)).sqrt();
            (1.0 + root) / (2.0 * narrowing)
        } else {
            1.0 / narrowing
        };
        Inside { vbe, vbc, forward, reverse, base_charge }
    }

    /// Is (exp(v/(N Vt)) - 1).
    fn junction<'a>(&self, saturation: f64, v: Ex<'a>, emission: f64) -> Ex<'a> {
        match saturation {
            0.0 => v.number(0.0),
            _ => saturation * ((v / (emission * self.thermal)).exp() - 1.0),
        }
    }

    /// What the junctions to the emitter and to the collector take from the base, with what charges them.
    fn recombination<'a>(&self, e: &Writer<'a>, inside: Inside<'a>) -> (Ex<'a>, Ex<'a>) {
        let Inside { vbe, vbc, forward, reverse, .. } = inside;
        let leak_e = self.junction(self.emitter_leakage, vbe, self.emitter_leakage_emission);
        let leak_c = self.junction(self.collector_leakage, vbc, self.collector_leakage_emission);
        let emitter = self
            .layer(self.emitter_capacitance, self.emitter_potential, self.emitter_grading)
            .current(e, vbe);
        let collector = self.collector_layer(self.inner).current(e, vbc);
        let charging_e = self.diffusion(e, inside) + emitter;
        let charging_c = e.rate(self.reverse_transit * reverse) + collector;
        (
            1.0 / self.forward_gain * forward + leak_e + self.leakage * vbe + charging_e,
            1.0 / self.reverse_gain * reverse + leak_c + self.leakage * vbc + charging_c,
        )
    }

    /// The rate of the charge that carries the forward current.
    fn diffusion<'a>(&self, e: &Writer<'a>, inside: Inside<'a>) -> Ex<'a> {
        let Inside { vbe, vbc, forward, base_charge, .. } = inside;
        if self.forward_transit == 0.0 {
            return e.number(0.0);
        }
        let mut growth = e.number(self.transit_bias);
        if self.transit_bias > 0.0 && self.transit_voltage > 0.0 {
            growth = growth * (vbc / (1.44 * self.transit_voltage)).exp();
        }
        if self.transit_bias > 0.0 && self.transit_current > 0.0 {
            let part = forward / (forward + self.transit_current);
            growth = growth * part * part;
        }
        let carried = forward * (1.0 + growth) / base_charge;
        e.rate(self.forward_transit * vbe.if_positive(carried, forward))
    }

    /// RBB.
    fn base_resistance<'a>(&self, inside: Inside<'a>, ib: Ex<'a>) -> Ex<'a> {
        let least = self.least_base_resistance.unwrap_or(self.base_resistance);
        let rest = self.base_resistance - least;
        if rest == 0.0 {
            return ib.number(self.base_resistance);
        }
        if self.base_resistance_current == 0.0 {
            return least + rest / inside.base_charge;
        }
        // Below this part of IRB the current has no effect.
        const LEAST: f64 = 1e-9;
        let part = ib / self.base_resistance_current;
        let part = (part - LEAST).if_positive(part, ib.number(LEAST));
        let z = ((1.0 + 14.59025 * part).sqrt() - 1.0) / (2.4317 * part.sqrt());
        let tan = z.tan();
        least + 3.0 * rest * (tan - z) / (z * tan * tan)
    }

    /// The current that charges the part of the collector's depletion layer at the outer base.
    fn outer_capacitance<'a>(
        &self,
        e: &Writer<'a>,
        sign: f64,
        collector: Ex<'a>,
        base: Ex<'a>,
    ) -> Ex<'a> {
        let layer = self.collector_layer(1.0 - self.inner);
        if layer.capacitance == 0.0 {
            return e.number(0.0);
        }
        let v = e.unknown("vbx");
        e.equal(v, sign * (base - collector));
        sign * layer.current(e, v)
    }

    /// The current out of the substrate, and whether it flows to the collector.
    fn substrate<'a>(
        &self,
        e: &Writer<'a>,
        sign: f64,
        collector: Ex<'a>,
        base: Ex<'a>,
    ) -> (Ex<'a>, bool) {
        let at_collector = matches!(self.structure, Structure::Vertical);
        let Some(node) = self.s else { return (e.number(0.0), at_collector) };
        // Of a lateral transistor the base is of the same kind as the collector of a vertical one.
        let sign = if at_collector { sign } else { -sign };
        let other = if at_collector { collector } else { base };
        let v = e.unknown("vs");
        e.equal(v, sign * (e.potential(node.0) - other));
        let layer = DepletionLayer {
            capacitance: self.substrate_capacitance,
            potential: self.substrate_potential,
            grading: self.substrate_grading,
            depletion: 0.0,
        };
        let current = sign * (layer.current(e, v) + self.leakage * v);
        e.flow(node.0, current);
        e.tie(node, if at_collector { self.c } else { self.b });
        (current, at_collector)
    }

    fn collector_layer(&self, part: f64) -> DepletionLayer {
        let capacitance = part * self.collector_capacitance;
        self.layer(capacitance, self.collector_potential, self.collector_grading)
    }

    fn layer(&self, capacitance: f64, potential: f64, grading: f64) -> DepletionLayer {
        DepletionLayer { capacitance, potential, grading, depletion: self.depletion }
    }
}

impl Sketched for Bipolar {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let pins = [Some(self.c), Some(self.b), Some(self.e), self.s];
        let pins: Vec<_> = pins.into_iter().flatten().map(|pin| pin.0).collect();
        s.boxed(&pins, TRANSISTOR);
    }
}

/// The potential of the node behind a resistance.
fn inner<'a>(
    e: &Writer<'a>,
    label: &'static str,
    resistance: f64,
    outer: Ex<'a>,
    current: Ex<'a>,
) -> Ex<'a> {
    if resistance == 0.0 {
        return outer;
    }
    let inner = e.unknown(label);
    e.equal(inner, outer - resistance * current);
    inner
}
