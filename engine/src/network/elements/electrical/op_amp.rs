//! An operational amplifier, ideal or with gain, limits, resistances and a pole.
//!
//! Ideal: v_p = v_n, no input current, any output current. With gain A: v0 = clamp(A (v_p - v_n), Vmin, Vmax),
//! behind a lag of 1/(2 pi Fp) if there is a pole, v_out - v_ref = v0 - Rout i.

use crate::element::BlockSchema;
use crate::model::fields::ElectricalNode;
use crate::model::read::{Group, parameters};
use crate::network::elements::{POWER, element_schema, signal};

parameters! {
    /// An operational amplifier.
    pub struct OpAmp {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "non-inverting input";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "inverting input";
        out: ElectricalNode = "out", Plus, Unit::None, Required, Any, "output";
        reference: ElectricalNode = "ref", Plus, Unit::None, Word("gnd"), Any, "node that the output counts from";
        gain: f64 = "Gain", Plus, Unit::None, Number(0.0), NotNegative, "gain; 0 is ideal";
        lowest: Option<f64> = "Vmin", Plus, Unit::Is("V"), Absent("none"), Any, "lowest output voltage";
        highest: Option<f64> = "Vmax", Plus, Unit::Is("V"), Absent("none"), Any, "highest output voltage";
        input: f64 = "Rin", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance between the inputs; 0 is none";
        output: f64 = "Rout", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "output resistance";
        pole: f64 = "Fp", Plus, Unit::Is("Hz"), Number(0.0), NotNegative, "frequency of the pole; 0 is none";
    }
}

/// The table of the OpAmp block.
pub static OP_AMP: BlockSchema = element_schema(
    "OpAmp",
    "An operational amplifier, ideal (Gain = 0) or with gain, limits, resistances and a pole.",
    &[OpAmp::PARAMETERS],
    &[&[
        signal("vd", "V", "voltage between the inputs"),
        signal("i", "A", "current out of the output"),
        POWER,
        signal("state", "", "-1 at Vmin, 0 free, 1 at Vmax"),
    ]],
);
