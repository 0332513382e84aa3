//! A diode, ideal or after Shockley.
//!
//! Ideal, with G = 1/Roff: open i = G v, until v > Vf; closed v = Vf + Ron (i - G Vf), until i < G Vf.
//!
//! Exponential, with the junction voltage vj: v = vj + Rs i,
//! i = if/(1 + sqrt(if/IKF)) + Gmin vj - IBV exp(-(vj + BV)/(NBV Vt)) + dQ/dt,
//! if = id + ISR (exp(vj/(NR Vt)) - 1) ((1 - vj/Vj)^2 + 0.005)^(M/2), id = Is (exp(vj/(N Vt)) - 1),
//! Q = Tt if/(1 + sqrt(if/IKF)) + charge of the depletion layer.

use super::junction::DepletionLayer;
use crate::blocks::network::valve::Valve;
use crate::blocks::network::{THERMAL_VOLTAGE, TWO_PIN, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::{ElectricalNode, ThermalNode};
use crate::reading::{Group, parameters, words};
use crate::sketch::{ElementKind, Sketch, Sketched, VALVE};
use crate::writing::{TwoPin, Writer};
use equations::expr::Ex;

words! {
    /// Which law a diode follows.
    pub enum DiodeModel {
        /// Piecewise linear, switching.
        Ideal = "ideal",
        /// Shockley's equation.
        Exponential = "exponential",
    }
}

parameters! {
    /// A diode.
    pub struct Diode {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "anode";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "cathode";
        model: DiodeModel = "Model", Plus, Unit::None, Word("ideal"), Any, "the law";
        forward: f64 = "Vf", Plus, Unit::Is("V"), Number(0.0), Any, "ideal: forward voltage";
        on: f64 = "Ron", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "ideal: resistance while closed";
        off: f64 = "Roff", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "ideal: resistance while open; 0 is infinite";
        saturation: f64 = "Is", Plus, Unit::Is("A"), Number(1e-14), Positive, "exponential: saturation current";
        emission: f64 = "N", Plus, Unit::None, Number(1.0), Positive, "exponential: emission coefficient";
        thermal: f64 = "Vt", Plus, Unit::Is("V"), Number(THERMAL_VOLTAGE), Positive, "exponential: thermal voltage";
        series: f64 = "Rs", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "exponential: series resistance";
        leakage: f64 = "Gmin", Plus, Unit::Is("S"), Number(0.0), NotNegative, "exponential: conductance across the junction";
        knee: f64 = "IKF", Plus, Unit::Is("A"), Number(0.0), NotNegative, "exponential: current at which it grows slower; 0 is none";
        recombination: f64 = "ISR", Plus, Unit::Is("A"), Number(0.0), NotNegative, "exponential: saturation current of the recombination";
        recombination_emission: f64 = "NR", Plus, Unit::None, Number(2.0), Positive, "exponential: its emission coefficient";
        breakdown: f64 = "BV", Plus, Unit::Is("V"), Number(0.0), NotNegative, "exponential: breakdown voltage; 0 is none";
        breakdown_current: f64 = "IBV", Plus, Unit::Is("A"), Number(1e-3), Positive, "exponential: current at breakdown";
        breakdown_emission: Option<f64> = "NBV", Plus, Unit::None, Absent("N"), Positive, "exponential: emission coefficient of the breakdown";
        junction_capacitance: f64 = "Cj0", Plus, Unit::Is("F"), Number(0.0), NotNegative, "exponential: junction capacitance at 0 V";
        junction_potential: f64 = "Vj", Plus, Unit::Is("V"), Number(1.0), Positive, "exponential: junction potential";
        grading: f64 = "M", Plus, Unit::None, Number(0.5), Between(0.0, 0.999), "exponential: grading coefficient";
        depletion: f64 = "FC", Plus, Unit::None, Number(0.5), Between(0.0, 0.9999), "exponential: where the depletion capacitance goes on linearly, over Vj";
        transit: f64 = "Tt", Plus, Unit::Is("s"), Number(0.0), NotNegative, "exponential: transit time";
        heat: Option<ThermalNode> = "Heat", Plus, Unit::None, Absent("nowhere"), Any, "thermal node that takes the loss";
    }
}

/// The table of the Diode block.
pub static DIODE: BlockSchema = element_schema(
    "Diode",
    "A diode, ideal (with Vf, Ron, Roff) or exponential (all other parameters).",
    &[Diode::PARAMETERS],
    &[
        TWO_PIN,
        &[
            signal("state", "", "ideal: 0 open, 1 closed"),
            signal("vj", "V", "voltage of the junction"),
            signal("ij", "A", "current of the junction"),
        ],
    ],
);

impl Diode {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let pins = e.two_pin(self.p, self.n);
        match self.model {
            DiodeModel::Ideal => {
                let valve = Valve { forward: self.forward, on: self.on, off: self.off };
                let state = e.mode(0, &[(0, "open"), (1, "closed")]);
                e.valve(state, valve.law(e, pins, state), pins);
                e.change(state, 0, 1, pins.v - valve.forward);
                e.change(state, 1, 0, valve.least_current() - pins.i);
                valve.tie(e, state, 1, self.p, self.n);
                e.signal("state", e.if_mode(state, 1, e.number(1.0), e.number(0.0)));
                e.signal("vj", pins.v);
                e.signal("ij", pins.i);
            }
            DiodeModel::Exponential => self.exponential(e, pins),
        }
        e.heat(self.heat, pins.v * pins.i);
    }

    fn exponential<'a>(&self, e: &Writer<'a>, TwoPin { v, i }: TwoPin<'a>) {
        let vj = e.unknown("vj");
        e.equal(vj, v - self.series * i);
        let nvt = self.emission * self.thermal;
        let diffusion = self.saturation * ((vj / nvt).exp() - 1.0);
        let carried = self.carried(vj, diffusion);
        let mut ij = carried + self.leakage * vj;
        if self.breakdown > 0.0 {
            let nvt = self.breakdown_emission.unwrap_or(self.emission) * self.thermal;
            ij = ij - self.breakdown_current * (-(vj + self.breakdown) / nvt).exp();
        }
        let layer = DepletionLayer {
            capacitance: self.junction_capacitance,
            potential: self.junction_potential,
            grading: self.grading,
            depletion: self.depletion,
        };
        let charge = self.transit * carried;
        e.equal(i, ij + e.rate(charge) + layer.current(e, vj));
        e.tie(self.p, self.n);
        e.signal("state", e.number(1.0));
        e.signal("vj", vj);
        e.signal("ij", ij);
    }

    /// The diffusion current with what recombines, behind the knee of high injection.
    fn carried<'a>(&self, vj: Ex<'a>, diffusion: Ex<'a>) -> Ex<'a> {
        let mut carried = diffusion;
        if self.recombination > 0.0 {
            let nvt = self.recombination_emission * self.thermal;
            let away = 1.0 - vj / self.junction_potential;
            let widening = (away * away + 0.005).power(self.grading / 2.0);
            carried = carried + self.recombination * ((vj / nvt).exp() - 1.0) * widening;
        }
        if self.knee > 0.0 {
            let part = carried / self.knee;
            carried = part.if_positive(carried / (1.0 + part.sqrt()), carried);
        }
        carried
    }
}

impl Sketched for Diode {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.p, self.n);
        let why = match self.model {
            DiodeModel::Ideal => VALVE,
            DiodeModel::Exponential => {
                "a resistor with an exponential law, and the charge of the junction"
            }
        };
        s.like(ElementKind::R, spot, why);
        s.heat(self.heat, "&.power");
    }
}
