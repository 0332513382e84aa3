//! Revolute: one rotation about an axis fixed in both triads.

use super::{Joint, Prepared, axis_frame};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::mechanics::error::BuildError;
use crate::mechanics::spatial::{Motion, Pose};
use crate::mechanics::vector::{Mat3, Vec3};
use crate::model::joint::{CONNECTION, COORDINATE_OPTIONS, SIGNALS, joint_schema};
use crate::reading::fields::Degrees;
use crate::reading::{Group, parameters};

parameters! {
    /// One rotation about an axis.
    pub struct RevoluteParameters {
        axis: [f64; 3] = "JointAxis", DySim, Unit::None, Numbers(&[0.0, 0.0, 1.0]), Any, "axis of rotation, in T0";
        point: [f64; 3] = "JointPoint", DySim, Unit::Is("m"), Number(0.0), Any, "a point of the axis, in T0";
        q: [f64; 1] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinate";
        qd: [f64; 1] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rate";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Revolute block.
pub static REVOLUTE: BlockSchema = joint_schema(
    "Revolute",
    Origin::DySim,
    "One rotation about an axis.",
    &[CONNECTION, RevoluteParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Angle],
    SIGNALS,
);

/// The axis in the coordinates of T0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RevoluteAxis {
    /// Direction; any length but zero.
    pub axis: Vec3,
    /// A point of the axis (m).
    pub point: Vec3,
}

impl RevoluteAxis {
    /// Base and tip frame lie on the axis with z along it.
    pub(super) fn prepare(&self) -> Result<Prepared, BuildError> {
        let frame = axis_frame(self.axis, self.point)?;
        Ok(Prepared { base: frame, tip: frame, joint: Joint::Revolute })
    }
}

/// Rotation about z.
#[inline(always)]
pub(super) fn transform(q: &[f64]) -> Pose {
    Pose::new(Mat3::rotation_z(q[0]), Vec3::ZERO)
}

/// Angular velocity about z.
pub(super) fn fill_motion(phi: &mut [Motion]) {
    phi[0] = Motion::new(Vec3::Z, Vec3::ZERO);
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;
    use crate::mechanics::vector::vec3;

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        let axis = RevoluteAxis { axis: Vec3::Z, point: Vec3::ZERO };
        testing::check_derivatives(&Geometry::Revolute(axis));
    }

    #[test]
    fn points_of_the_axis_stay_and_the_others_turn() {
        let (axis, point) = (vec3(1.0, -2.0, 0.5), vec3(0.3, 0.1, -0.8));
        let geometry = Geometry::Revolute(RevoluteAxis { axis, point });
        for angle in [-2.0, 0.0, 0.4, 3.0] {
            let expected = testing::rotation_about(axis, point, angle);
            testing::assert_same_pose(&testing::joint_pose(&geometry, &[angle]), &expected);
        }
    }

    #[test]
    fn an_axis_without_length_is_refused() {
        let zero = RevoluteAxis { axis: Vec3::ZERO, point: Vec3::ZERO };
        assert_eq!(zero.prepare().err(), Some(BuildError::ZeroAxis(1)));
        let nan = RevoluteAxis { axis: Vec3::Z, point: vec3(f64::NAN, 0.0, 0.0) };
        assert!(nan.prepare().is_err());
    }
}
