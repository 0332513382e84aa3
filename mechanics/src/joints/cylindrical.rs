//! Cylindrical: rotation about an axis and translation along it; coordinates (angle, shift).

use super::dual::{DualBases, FORCES, TORQUES, angle_z, near};
use super::{FramedJoint, Joint, Kinematics, axis_frame};
use crate::error::BuildError;
use crate::spatial::{Motion, Pose};
use crate::vector::{Mat3, Vec3, vec3};

/// The axis in the coordinates of T0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CylindricalAxis {
    /// Direction; any length but zero.
    pub axis: Vec3,
    /// A point of the axis (m).
    pub point: Vec3,
}

/// Rotation about z and translation along z.
#[derive(Clone, Copy, Debug)]
pub struct Cylindrical;

impl CylindricalAxis {
    /// Base and tip frame lie on the axis with z along it.
    pub(super) fn prepare(&self) -> Result<FramedJoint, BuildError> {
        let frame = axis_frame(self.axis, self.point)?;
        Ok(FramedJoint { base: frame, tip: frame, joint: Joint::Cylindrical(Cylindrical) })
    }
}

impl Kinematics for Cylindrical {
    const N_FREEDOMS: usize = 2;

    /// Rotation about z and translation along z.
    #[inline]
    fn transform(&self, q: &[f64]) -> Pose {
        Pose::new(Mat3::rotation_z(q[0]), vec3(0.0, 0.0, q[1]))
    }

    /// Angular velocity about z, velocity along z.
    #[inline]
    fn fill_motion(&self, _q: &[f64], _x: &Pose, phi: &mut [Motion]) {
        phi[0] = Motion::new(Vec3::Z, Vec3::ZERO);
        phi[1] = Motion::new(Vec3::ZERO, Vec3::Z);
    }

    fn fill_dual_bases(&self, _phi: &[Motion], bases: &mut DualBases) {
        let [tx, ty, tz] = TORQUES;
        let [fx, fy, fz] = FORCES;
        bases.fill(&[tz, fz], &[tx, ty, fx, fy]);
    }

    fn locate(&self, x: &Pose, q: &mut [f64]) {
        q[0] = near(angle_z(&x.rotation), q[0]);
        q[1] = x.translation.z;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    const AXIS: CylindricalAxis =
        CylindricalAxis { axis: vec3(0.0, 3.0, 4.0), point: vec3(0.3, 0.1, -0.8) };

    #[test]
    fn motion_loads_and_coordinates_belong_to_the_transform() {
        testing::check(&Geometry::Cylindrical(AXIS));
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
