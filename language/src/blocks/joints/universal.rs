//! Universal: rotation about a first axis, then about a second one that the first carries. The
//! axes may be oblique and need not meet.

use super::{CONNECTION, COORDINATE_OPTIONS, SIGNALS, joint_schema};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::reading::fields::Degrees;
use crate::reading::{Group, parameters};

parameters! {
    /// Two rotations: about axis 1, then about axis 2, which axis 1 carries.
    pub struct UniversalParameters {
        axis1: [f64; 3] = "JointAxis1", DySim, Unit::None, Numbers(&[1.0, 0.0, 0.0]), Any, "first axis, in T0";
        point1: [f64; 3] = "JointPoint1", DySim, Unit::Is("m"), Number(0.0), Any, "a point of the first axis, in T0";
        axis2: [f64; 3] = "JointAxis2", DySim, Unit::None, Numbers(&[0.0, 1.0, 0.0]), Any, "second axis, in T0, at q = 0";
        point2: [f64; 3] = "JointPoint2", DySim, Unit::Is("m"), Number(0.0), Any, "a point of the second axis, in T0";
        q: [f64; 2] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 2] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rates";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Universal block.
pub static UNIVERSAL: BlockSchema = joint_schema(
    "Universal",
    Origin::DySim,
    "Two rotations: about axis 1, then about axis 2, which axis 1 carries.",
    &[CONNECTION, UniversalParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Angle, Coordinate::Angle],
    SIGNALS,
);
