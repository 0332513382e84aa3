//! Prismatic: one translation along an axis fixed in both triads.

use super::dual::{DualBases, FORCES, TORQUES};
use super::{FramedJoint, Joint, Kinematics, SweepForm, axis_frame};
use crate::error::BuildError;
use crate::spatial::{Motion, Pose};
use crate::vector::{Mat3, Vec3, vec3};

/// The direction in the coordinates of T0. A point would have no effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrismaticAxis {
    /// Direction; any length but zero.
    pub axis: Vec3,
}

/// Translation along z.
#[derive(Clone, Copy, Debug)]
pub struct Prismatic;

impl PrismaticAxis {
    /// Base and tip frame have z along the axis.
    pub(super) fn prepare(&self) -> Result<FramedJoint, BuildError> {
        let frame = axis_frame(self.axis, Vec3::ZERO)?;
        Ok(FramedJoint { base: frame, tip: frame, joint: Joint::Prismatic(Prismatic) })
    }
}

impl Kinematics for Prismatic {
    const N_FREEDOMS: usize = 1;
    const PLAIN_FORM: SweepForm = SweepForm::Prismatic;

    /// Translation along z.
    #[inline]
    fn transform(&self, q: &[f64]) -> Pose {
        Pose::new(Mat3::IDENTITY, vec3(0.0, 0.0, q[0]))
    }

    /// Velocity along z.
    #[inline]
    fn fill_motion(&self, _q: &[f64], _x: &Pose, phi: &mut [Motion]) {
        phi[0] = Motion::new(Vec3::ZERO, Vec3::Z);
    }

    fn fill_dual_bases(&self, _phi: &[Motion], bases: &mut DualBases) {
        let [tx, ty, tz] = TORQUES;
        let [fx, fy, fz] = FORCES;
        bases.fill(&[fz], &[tx, ty, tz, fx, fy]);
    }

    fn locate(&self, x: &Pose, q: &mut [f64]) {
        q[0] = x.translation.z;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    #[test]
    fn motion_loads_and_coordinates_belong_to_the_transform() {
        testing::check(&Geometry::Prismatic(PrismaticAxis { axis: Vec3::X }));
    }

    #[test]
    fn the_shift_is_measured_along_the_unit_axis() {
        let geometry = Geometry::Prismatic(PrismaticAxis { axis: vec3(0.0, 3.0, 4.0) });
        let expected = Pose::from_translation(vec3(0.0, 0.6, 0.8) * 2.5);
        testing::assert_same_pose(&testing::joint_pose(&geometry, &[2.5]), &expected);
    }

    #[test]
    fn an_axis_without_length_is_refused() {
        let zero = PrismaticAxis { axis: Vec3::ZERO };
        assert_eq!(zero.prepare().err(), Some(BuildError::ZeroAxis(1)));
    }
}
