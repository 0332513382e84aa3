//! Spherical: three rotations about the common origin of the triads.

use super::dual::{DualBases, FORCES, TORQUES, locate_quaternion};
use super::{Kinematics, SweepForm};
use crate::quaternion::Quaternion;
use crate::spatial::{Motion, Pose};
use crate::vector::{Vec3, vec3};

/// Three rotations.
#[derive(Clone, Copy, Debug)]
pub struct Spherical;

impl Kinematics for Spherical {
    const N_FREEDOMS: usize = 3;
    const N_COORDINATES: usize = 4;
    const QUATERNION: Option<usize> = Some(0);
    const PLAIN_FORM: SweepForm = SweepForm::Spherical;

    /// The rotation of the quaternion.
    #[inline(always)]
    fn transform(&self, q: &[f64]) -> Pose {
        Pose::new(Quaternion::from_slice(q).matrix(), Vec3::ZERO)
    }

    /// Angular velocities about the axes of T1.
    #[inline]
    fn fill_motion(&self, _q: &[f64], _x: &Pose, phi: &mut [Motion]) {
        for (column, axis) in phi.iter_mut().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
            *column = Motion::new(axis, Vec3::ZERO);
        }
    }

    /// The quaternion changes with the angular velocity.
    #[inline]
    fn fill_coordinate_rates(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        let rate = Quaternion::from_slice(q).rates(vec3(v[0], v[1], v[2]));
        qdot[..4].copy_from_slice(&rate.to_array());
    }

    fn fill_dual_bases(&self, _phi: &[Motion], bases: &mut DualBases) {
        bases.fill(&TORQUES, &FORCES);
    }

    fn locate(&self, x: &Pose, q: &mut [f64]) {
        locate_quaternion(&x.rotation, q);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;
    use crate::rotation::AngleType;

    #[test]
    fn motion_loads_and_coordinates_belong_to_the_transform() {
        testing::check(&Geometry::Spherical);
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
