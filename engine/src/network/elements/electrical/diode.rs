//! A diode, ideal or after Shockley.
//!
//! Ideal, with G = 1/Roff: open i = G v, until v > Vf; closed v = Vf + Ron (i - G Vf), until i < G Vf.
//!
//! Exponential, with the junction voltage vj: v = vj + Rs i,
//! i = Is (exp(vj/(N Vt)) - 1) + Gmin vj - IBV exp(-(vj + BV)/(N Vt)) + dQ/dt,
//! Q = Tt Is (exp(vj/(N Vt)) - 1) + charge of the depletion layer.

use crate::element::BlockSchema;
use crate::model::fields::{ElectricalNode, ThermalNode};
use crate::model::read::{Group, parameters, words};
use crate::network::elements::{THERMAL_VOLTAGE, TWO_PIN, element_schema, signal};

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
        breakdown: f64 = "BV", Plus, Unit::Is("V"), Number(0.0), NotNegative, "exponential: breakdown voltage; 0 is none";
        breakdown_current: f64 = "IBV", Plus, Unit::Is("A"), Number(1e-3), Positive, "exponential: current at breakdown";
        junction_capacitance: f64 = "Cj0", Plus, Unit::Is("F"), Number(0.0), NotNegative, "exponential: junction capacitance at 0 V";
        junction_potential: f64 = "Vj", Plus, Unit::Is("V"), Number(1.0), Positive, "exponential: junction potential";
        grading: f64 = "M", Plus, Unit::None, Number(0.5), Between(0.0, 0.95), "exponential: grading coefficient";
        depletion: f64 = "FC", Plus, Unit::None, Number(0.5), Between(0.0, 0.95), "exponential: where the depletion capacitance goes on linearly, over Vj";
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
