//! Universal: rotation about a first axis, then about a second one that the first carries. The
//! axes may be oblique and need not meet.

use super::{CONNECTION, COORDINATE_OPTIONS, JointTable, SIGNALS, joint_schema, vector};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::reading::fields::Degrees;
use crate::reading::{Group, parameters};
use mechanics::Geometry;
use mechanics::joints::universal::UniversalAxes;

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

impl JointTable for UniversalParameters {
    fn geometry(&self) -> Geometry {
        Geometry::Universal(UniversalAxes {
            axis1: vector(self.axis1),
            point1: vector(self.point1),
            axis2: vector(self.axis2),
            point2: vector(self.point2),
        })
    }

    fn initial(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.qd)
    }

    fn axes(&self) -> Vec<(&'static str, [f64; 3])> {
        vec![("JointAxis1", self.axis1), ("JointAxis2", self.axis2)]
    }
}
