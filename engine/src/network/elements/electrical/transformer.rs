//! A transformer: ideal, v1 = Ratio v2, i2 = -Ratio i1; or two coupled inductors,
//! v1 = L1 i1' + M i2', v2 = M i1' + L2 i2'.

use crate::element::BlockSchema;
use crate::model::fields::ElectricalNode;
use crate::model::read::{Group, parameters};
use crate::network::elements::{POWER, element_schema, signal};

parameters! {
    /// A transformer.
    pub struct Transformer {
        p1: ElectricalNode = "p1", Plus, Unit::None, Required, Any, "primary winding, dotted end";
        n1: ElectricalNode = "n1", Plus, Unit::None, Required, Any, "primary winding, other end";
        p2: ElectricalNode = "p2", Plus, Unit::None, Required, Any, "secondary winding, dotted end";
        n2: ElectricalNode = "n2", Plus, Unit::None, Required, Any, "secondary winding, other end";
        ratio: Option<f64> = "Ratio", Plus, Unit::None, Absent("from inductances"), Any, "ideal: v1/v2";
        l1: Option<f64> = "L1", Plus, Unit::Is("H"), Absent("ideal"), Positive, "coupled: inductance of the primary winding";
        l2: Option<f64> = "L2", Plus, Unit::Is("H"), Absent("ideal"), Positive, "coupled: inductance of the secondary winding";
        mutual: Option<f64> = "M", Plus, Unit::Is("H"), Absent("from K"), Any, "coupled: mutual inductance, M^2 <= L1 L2";
        coupling: Option<f64> = "K", Plus, Unit::None, Absent("from M"), Between(-1.0, 1.0), "coupled: coupling factor, M = K sqrt(L1 L2)";
        initial1: Option<f64> = "I1init", Plus, Unit::Is("A"), Absent("0, or what the circuit asks for"), Any, "coupled: primary current at the start";
        initial2: Option<f64> = "I2init", Plus, Unit::Is("A"), Absent("0, or what the circuit asks for"), Any, "coupled: secondary current at the start";
    }
}

/// The table of the Transformer block.
pub static TRANSFORMER: BlockSchema = element_schema(
    "Transformer",
    "A transformer: ideal with Ratio, or two coupled inductors with L1, L2 and M or K.",
    &[Transformer::PARAMETERS],
    &[&[
        signal("v1", "V", "primary voltage"),
        signal("i1", "A", "primary current, into p1"),
        signal("v2", "V", "secondary voltage"),
        signal("i2", "A", "secondary current, into p2"),
        POWER,
    ]],
);
