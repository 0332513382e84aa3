//! Revolute: one rotation about an axis fixed in both triads.

use super::dual::{DualBases, FORCES, TORQUES, angle_z, near};
use super::{FramedJoint, Joint, Kinematics, SweepForm, axis_frame};
use crate::error::BuildError;
use crate::spatial::{Motion, Pose};
use crate::vector::{Mat3, Vec3};

/// The axis in the coordinates of T0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RevoluteAxis {
    /// Direction; any length but zero.
    pub axis: Vec3,
    /// A point of the axis (m).
    pub point: Vec3,
}

/// Rotation about z.
#[derive(Clone, Copy, Debug)]
pub struct Revolute;

impl RevoluteAxis {
    /// Base and tip frame lie on the axis with z along it.
    pub(super) fn prepare(&self) -> Result<FramedJoint, BuildError> {
        let frame = axis_frame(self.axis, self.point)?;
        Ok(FramedJoint { base: frame, tip: frame, joint: Joint::Revolute(Revolute) })
    }
}

impl Kinematics for Revolute {
    const N_FREEDOMS: usize = 1;
    const PLAIN_FORM: SweepForm = SweepForm::Revolute;
    const DRIVEN_FORM: SweepForm = SweepForm::Driven;

    /// Rotation about z.
    #[inline(always)]
    fn transform(&self, q: &[f64]) -> Pose {
        Pose::new(Mat3::rotation_z(q[0]), Vec3::ZERO)
    }

    /// Angular velocity about z.
    #[inline]
    fn fill_motion(&self, _q: &[f64], _x: &Pose, phi: &mut [Motion]) {
        phi[0] = Motion::new(Vec3::Z, Vec3::ZERO);
    }

    fn fill_dual_bases(&self, _phi: &[Motion], bases: &mut DualBases) {
        let [tx, ty, tz] = TORQUES;
        let [fx, fy, fz] = FORCES;
        bases.fill(&[tz], &[tx, ty, fx, fy, fz]);
    }

    fn locate(&self, x: &Pose, q: &mut [f64]) {
        q[0] = near(angle_z(&x.rotation), q[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;
    use crate::vector::vec3;

    #[test]
    fn motion_loads_and_coordinates_belong_to_the_transform() {
        let axis = RevoluteAxis { axis: Vec3::Z, point: Vec3::ZERO };
        testing::check(&Geometry::Revolute(axis));
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
