//! Free: three translations and three rotations.

use crate::quaternion::Quaternion;
use crate::spatial::{Motion, Pose};
use crate::vector::{Vec3, vec3};

/// Position in T0 axes, then the rotation of the quaternion.
#[inline]
pub(super) fn transform(q: &[f64]) -> Pose {
    Pose::new(Quaternion::from_slice(&q[3..7]).matrix(), vec3(q[0], q[1], q[2]))
}

/// Velocities along the axes of T0, then angular velocities about those of T1.
#[inline]
pub(super) fn fill_motion(x: &Pose, phi: &mut [Motion]) {
    for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
        phi[k] = Motion::new(Vec3::ZERO, x.rotation.rows[k]);
        phi[k + 3] = Motion::new(axis, Vec3::ZERO);
    }
}

/// The position changes with the velocity, the quaternion with the angular velocity.
#[inline]
pub(super) fn fill_coordinate_rates(q: &[f64], v: &[f64], qdot: &mut [f64]) {
    qdot[..3].copy_from_slice(&v[..3]);
    let rate = Quaternion::from_slice(&q[3..7]).rates(vec3(v[3], v[4], v[5]));
    qdot[3..7].copy_from_slice(&rate.to_array());
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;
    use crate::rotation::AngleType;

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        testing::check_derivatives(&Geometry::Free);
    }

    #[test]
    fn position_is_given_in_the_axes_of_t0() {
        let angles = vec3(0.3, 1.2, -0.7);
        let turn = AngleType::Cardan.quaternion(angles).to_array();
        let q = [1.0, 2.0, 3.0, turn[0], turn[1], turn[2], turn[3]];
        let expected = Pose::new(AngleType::Cardan.matrix(angles), vec3(1.0, 2.0, 3.0));
        testing::assert_same_pose(&testing::joint_pose(&Geometry::Free, &q), &expected);
    }
}
