//! Prismatic: one translation along an axis fixed in both triads.

use super::{Joint, Prepared, axis_frame};
use crate::error::BuildError;
use crate::spatial::{Motion, Pose};
use crate::vector::{Mat3, Vec3, vec3};

/// The direction in the coordinates of T0. A point would have no effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrismaticAxis {
    /// Direction; any length but zero.
    pub axis: Vec3,
}

impl PrismaticAxis {
    /// Base and tip frame have z along the axis.
    pub(super) fn prepare(&self) -> Result<Prepared, BuildError> {
        let frame = axis_frame(self.axis, Vec3::ZERO)?;
        Ok(Prepared { base: frame, tip: frame, joint: Joint::Prismatic })
    }
}

/// Translation along z.
#[inline]
pub(super) fn transform(q: &[f64]) -> Pose {
    Pose::new(Mat3::IDENTITY, vec3(0.0, 0.0, q[0]))
}

/// Velocity along z.
#[inline]
pub(super) fn fill_motion(phi: &mut [Motion]) {
    phi[0] = Motion::new(Vec3::ZERO, Vec3::Z);
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        testing::check_derivatives(&Geometry::Prismatic(PrismaticAxis { axis: Vec3::X }));
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
