//! TriPrismatic: three translations along the axes of T0, no rotation.

use crate::spatial::{Motion, Pose};
use crate::vector::{Mat3, Vec3, vec3};

/// The shift.
#[inline]
pub(super) fn transform(q: &[f64]) -> Pose {
    Pose::new(Mat3::IDENTITY, vec3(q[0], q[1], q[2]))
}

/// Velocities along x, y, z.
#[inline]
pub(super) fn fill_motion(phi: &mut [Motion]) {
    for (column, axis) in phi.iter_mut().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
        *column = Motion::new(Vec3::ZERO, axis);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        testing::check_derivatives(&Geometry::TriPrismatic);
    }

    #[test]
    fn coordinates_are_the_position_of_t1_in_t0() {
        let pose = testing::joint_pose(&Geometry::TriPrismatic, &[1.0, -2.0, 3.0]);
        assert_eq!(pose, Pose::from_translation(vec3(1.0, -2.0, 3.0)));
    }
}
