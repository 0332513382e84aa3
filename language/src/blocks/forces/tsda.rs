//! A linear spring and damper in a prismatic joint.
//!
//! f = k (q0 - q) - r dq/dt on the joint coordinate.

use super::{COORDINATE_SIGNALS, force_schema};
use crate::element::{BlockSchema, Origin};
use crate::reading::fields::{OneSide, SlidingJoint};
use crate::reading::{Group, parameters};

parameters! {
    /// A linear spring and damper in a prismatic joint.
    pub struct Tsda {
        joint: SlidingJoint = "Joint1D", DySim, Unit::None, Required, Any, "the Prismatic joint it acts in";
        elastic: f64 = "ElasticLinear", DySim, Unit::Is("N/m"), Number(0.0), Any, "stiffness";
        damping: f64 = "DampingLinear", DySim, Unit::Is("N s/m"), Number(0.0), Any, "damping";
        zero_length: f64 = "ZeroLength", DySim, Unit::Is("m"), Number(0.0), Any, "relaxed coordinate";
        one_side: OneSide = "OneSide", DySim, Unit::None, Word("bi"), Any, "`+` acts only with positive, `-` only with negative force";
    }
}

/// The table of the TSDA block.
pub static TSDA: BlockSchema = force_schema(
    "TSDA",
    Origin::DySim,
    "A linear spring and damper in a prismatic joint.",
    &[Tsda::PARAMETERS],
    COORDINATE_SIGNALS,
);
