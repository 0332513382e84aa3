//! Free: three translations and three rotations.

use super::dual::{DualBases, TORQUES, force, locate_quaternion};
use super::{Kinematics, SweepForm};
use crate::quaternion::Quaternion;
use crate::spatial::{Motion, Pose};
use crate::vector::{Vec3, vec3};

/// Three translations and three rotations.
#[derive(Clone, Copy, Debug)]
pub struct Free;

impl Kinematics for Free {
    const N_FREEDOMS: usize = 6;
    const N_COORDINATES: usize = 7;
    const QUATERNION: Option<usize> = Some(3);
    const HAS_CONSTANT_MOTION: bool = false;
    const PLAIN_FORM: SweepForm = SweepForm::Free;

    /// Position in T0 axes, then the rotation of the quaternion.
    #[inline]
    fn transform(&self, q: &[f64]) -> Pose {
        Pose::new(Quaternion::from_slice(&q[3..7]).matrix(), vec3(q[0], q[1], q[2]))
    }

    /// Velocities along the axes of T0, then angular velocities about the axes of T1.
    #[inline]
    fn fill_motion(&self, _q: &[f64], x: &Pose, phi: &mut [Motion]) {
        for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            phi[k] = Motion::new(Vec3::ZERO, x.rotation.rows[k]);
            phi[k + 3] = Motion::new(axis, Vec3::ZERO);
        }
    }

    /// Seen from T1, the axes of T0 turn back under the rotation.
    #[inline]
    fn vary_motion(&self, phi: &[Motion], step: &[f64], u: &[f64]) -> Motion {
        let velocity = phi[0].lin * u[0] + phi[1].lin * u[1] + phi[2].lin * u[2];
        Motion::new(Vec3::ZERO, velocity.cross(vec3(step[3], step[4], step[5])))
    }

    /// The position changes with the velocity, the quaternion with the angular velocity.
    #[inline]
    fn fill_coordinate_rates(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        qdot[..3].copy_from_slice(&v[..3]);
        let rate = Quaternion::from_slice(&q[3..7]).rates(vec3(v[3], v[4], v[5]));
        qdot[3..7].copy_from_slice(&rate.to_array());
    }

    fn fill_dual_bases(&self, phi: &[Motion], bases: &mut DualBases) {
        let [x, y, z] = [phi[0].lin, phi[1].lin, phi[2].lin].map(force);
        let [tx, ty, tz] = TORQUES;
        bases.fill(&[x, y, z, tx, ty, tz], &[]);
    }

    fn locate(&self, x: &Pose, q: &mut [f64]) {
        q[..3].copy_from_slice(&x.translation.to_array());
        locate_quaternion(&x.rotation, &mut q[3..7]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;
    use crate::rotation::AngleType;

    #[test]
    fn motion_loads_and_coordinates_belong_to_the_transform() {
        testing::check(&Geometry::Free);
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
