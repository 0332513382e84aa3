//! ConstantVelocity: two rotations that transmit shaft speed without oscillation.
//!
//! A double Cardan joint with equal outer angles (Schubert 2014, 4.3):
//! `D = R(n1, q1) R(n2, q2) R(n1, q1)`. The product reads the same backwards, so its quaternion
//! has no component along n1 x n2, the shaft; that is the homokinetic condition, for oblique n1 and
//! n2 too. Regular at zero bend, singular only when the second angle reaches half a turn.

use super::{CONNECTION, COORDINATE_OPTIONS, JointTable, SIGNALS, joint_schema, vector};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::reading::fields::Degrees;
use crate::reading::{Group, parameters};
use mechanics::Geometry;
use mechanics::joints::constant_velocity::ConstantVelocityAxes;

parameters! {
    /// Two rotations of a homokinetic shaft joint.
    pub struct ConstantVelocityParameters {
        axis1: [f64; 3] = "JointAxis1", Plus, Unit::None, Numbers(&[1.0, 0.0, 0.0]), Any, "first bending axis, perpendicular to the shaft, in T0";
        axis2: [f64; 3] = "JointAxis2", Plus, Unit::None, Numbers(&[0.0, 1.0, 0.0]), Any, "second bending axis, perpendicular to the shaft, in T0";
        point: [f64; 3] = "JointPoint", Plus, Unit::Is("m"), Number(0.0), Any, "centre of the joint, in T0";
        q: [f64; 2] = "Qinit", Plus, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 2] = "QDinit", Plus, Unit::Rate, Number(0.0), Any, "initial rates";
        degrees: Degrees = "Degrees", Plus, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the ConstantVelocity block.
pub static CONSTANT_VELOCITY: BlockSchema = joint_schema(
    "ConstantVelocity",
    Origin::Plus,
    "Two rotations of a homokinetic shaft joint.",
    &[CONNECTION, ConstantVelocityParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Angle, Coordinate::Angle],
    SIGNALS,
);

impl JointTable for ConstantVelocityParameters {
    fn geometry(&self) -> Geometry {
        Geometry::ConstantVelocity(ConstantVelocityAxes {
            axis1: vector(self.axis1),
            axis2: vector(self.axis2),
            point: vector(self.point),
        })
    }

    fn initial(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.qd)
    }

    fn axes(&self) -> Vec<(&'static str, [f64; 3])> {
        vec![("JointAxis1", self.axis1), ("JointAxis2", self.axis2)]
    }
}
