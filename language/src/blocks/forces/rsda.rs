//! A linear torsion spring and damper in a revolute joint.
//!
//! tau = k (phi0 - phi) - r dphi/dt on the joint coordinate.

use super::{COORDINATE_SIGNALS, force_schema};
use crate::element::{BlockSchema, Origin};
use crate::reading::fields::{Degrees, OneSide, TurningJoint};
use crate::reading::{Group, parameters};

parameters! {
    /// A linear torsion spring and damper in a revolute joint.
    pub struct Rsda {
        joint: TurningJoint = "Joint1D", DySim, Unit::None, Required, Any, "the Revolute joint it acts in";
        elastic: f64 = "ElasticLinear", DySim, Unit::Is("Nm/rad"), Number(0.0), Any, "stiffness";
        damping: f64 = "DampingLinear", DySim, Unit::Is("Nm s/rad"), Number(0.0), Any, "damping";
        zero_angle: f64 = "ZeroAngle", DySim, Unit::Is("rad"), Number(0.0), Any, "relaxed angle";
        one_side: OneSide = "OneSide", DySim, Unit::None, Word("bi"), Any, "`+` acts only with positive, `-` only with negative torque";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the RSDA block.
pub static RSDA: BlockSchema = force_schema(
    "RSDA",
    Origin::DySim,
    "A linear torsion spring and damper in a revolute joint.",
    &[Rsda::PARAMETERS],
    COORDINATE_SIGNALS,
);
