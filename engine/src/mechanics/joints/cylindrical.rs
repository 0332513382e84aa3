//! Cylindrical: rotation about an axis and translation along it; coordinates (angle, shift).

use super::{Joint, Prepared, axis_frame};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::mechanics::error::BuildError;
use crate::mechanics::spatial::{Motion, Pose};
use crate::mechanics::vector::{Mat3, Vec3, vec3};
use crate::model::joint::{CONNECTION, COORDINATE_OPTIONS, SIGNALS, joint_schema};
use crate::reading::fields::Degrees;
use crate::reading::{Group, parameters};

parameters! {
    /// A rotation about an axis and a translation along it.
    pub struct CylindricalParameters {
        axis: [f64; 3] = "JointAxis", Plus, Unit::None, Numbers(&[0.0, 0.0, 1.0]), Any, "common axis, in T0";
        point: [f64; 3] = "JointPoint", Plus, Unit::Is("m"), Number(0.0), Any, "a point of the axis, in T0";
        q: [f64; 2] = "Qinit", Plus, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 2] = "QDinit", Plus, Unit::Rate, Number(0.0), Any, "initial rates";
        degrees: Degrees = "Degrees", Plus, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Cylindrical block.
pub static CYLINDRICAL: BlockSchema = joint_schema(
    "Cylindrical",
    Origin::Plus,
    "A rotation about an axis and a translation along it.",
    &[CONNECTION, CylindricalParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Angle, Coordinate::Shift],
    SIGNALS,
);

/// The axis in the coordinates of T0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CylindricalAxis {
    /// Direction; any length but zero.
    pub axis: Vec3,
    /// A point of the axis (m).
    pub point: Vec3,
}

impl CylindricalAxis {
    /// Base and tip frame lie on the axis with z along it.
    pub(super) fn prepare(&self) -> Result<Prepared, BuildError> {
        let frame = axis_frame(self.axis, self.point)?;
        Ok(Prepared { base: frame, tip: frame, joint: Joint::Cylindrical })
    }
}

/// Rotation about z and translation along z.
pub(super) fn transform(q: &[f64]) -> Pose {
    Pose::new(Mat3::rotation_z(q[0]), vec3(0.0, 0.0, q[1]))
}

/// Angular velocity about z, velocity along z.
pub(super) fn fill_motion(phi: &mut [Motion]) {
    phi[0] = Motion::new(Vec3::Z, Vec3::ZERO);
    phi[1] = Motion::new(Vec3::ZERO, Vec3::Z);
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    const AXIS: CylindricalAxis =
        CylindricalAxis { axis: vec3(0.0, 3.0, 4.0), point: vec3(0.3, 0.1, -0.8) };

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        testing::check_derivatives(&Geometry::Cylindrical(AXIS));
    }

    #[test]
    fn angle_comes_first_and_shift_second() {
        let turn = testing::rotation_about(AXIS.axis, AXIS.point, 0.5);
        let shift = vec3(0.0, 0.6, 0.8) * 2.0;
        let expected = Pose::new(turn.rotation, turn.translation + shift);
        let found = testing::joint_pose(&Geometry::Cylindrical(AXIS), &[0.5, 2.0]);
        testing::assert_same_pose(&found, &expected);
    }
}
