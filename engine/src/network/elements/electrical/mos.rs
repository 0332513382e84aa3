//! Field-effect transistors after Shichman and Hodges (level 1).
//!
//! For vds >= 0, with Vth = Vto + Gamma (sqrt(Phi - vbs) - sqrt(Phi)), K = Kp W/L, x = vgs - Vth:
//! x <= 0: id = 0; vds < x: id = K (x - vds/2) vds (1 + Lambda vds); else id = K/2 x^2 (1 + Lambda vds).
//! For vds < 0 drain and source change roles. A PMOS transistor is the same with every voltage,
//! current and Vto reversed.

use crate::element::{BlockSchema, SignalSchema};
use crate::model::fields::ElectricalNode;
use crate::model::read::{Group, parameters};
use crate::network::elements::{POWER, element_schema, signal};

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
