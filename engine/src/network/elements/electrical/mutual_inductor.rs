//! A magnetic coupling of two inductors: flux_1 = L1 i1 + M i2, flux_2 = M i1 + L2 i2.

use crate::element::BlockSchema;
use crate::model::fields::InductorRef;
use crate::model::read::{Group, parameters};
use crate::network::elements::element_schema;

parameters! {
    /// A magnetic coupling of two inductors.
    pub struct MutualInductor {
        inductor1: InductorRef = "Inductor1", Plus, Unit::None, Required, Any, "one inductor";
        inductor2: InductorRef = "Inductor2", Plus, Unit::None, Required, Any, "the other inductor";
        coupling: Option<f64> = "K", Plus, Unit::None, Absent("from M"), Between(-1.0, 1.0), "coupling factor, M = K sqrt(L1 L2); required unless M is given";
        mutual: Option<f64> = "M", Plus, Unit::Is("H"), Absent("from K"), Any, "mutual inductance";
    }
}

/// The table of the MutualInductor block.
pub static MUTUAL_INDUCTOR: BlockSchema = element_schema(
    "MutualInductor",
    "Couples two inductors: adds M di2/dt to v1 and M di1/dt to v2.",
    &[MutualInductor::PARAMETERS],
    &[],
);
