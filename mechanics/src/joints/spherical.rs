//! Spherical: three rotations about the common origin of the triads.

use crate::quaternion::Quaternion;
use crate::spatial::{Motion, Pose};
use crate::vector::{Vec3, vec3};

/// The rotation of the quaternion.
#[inline(always)]
pub(super) fn transform(q: &[f64]) -> Pose {
    Pose::new(Quaternion::from_slice(q).matrix(), Vec3::ZERO)
}

/// Angular velocities about the axes of T1.
#[inline]
pub(super) fn fill_motion(phi: &mut [Motion]) {
    for (column, axis) in phi.iter_mut().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
        *column = Motion::new(axis, Vec3::ZERO);
    }
}

/// The quaternion changes with the angular velocity.
#[inline]
pub(super) fn fill_coordinate_rates(q: &[f64], v: &[f64], qdot: &mut [f64]) {
    let rate = Quaternion::from_slice(q).rates(vec3(v[0], v[1], v[2]));
    qdot[..4].copy_from_slice(&rate.to_array());
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;
    use crate::rotation::AngleType;

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        testing::check_derivatives(&Geometry::Spherical);
    }

    #[test]
    fn angles_of_the_user_become_the_rotation_of_t1_in_t0() {
        for kind in [AngleType::Euler, AngleType::Cardan] {
            let angles = vec3(0.3, 1.2, -0.7);
            let q = kind.quaternion(angles).to_array();
            let expected = Pose::new(kind.matrix(angles), Vec3::ZERO);
            testing::assert_same_pose(&testing::joint_pose(&Geometry::Spherical, &q), &expected);
        }
    }
}
