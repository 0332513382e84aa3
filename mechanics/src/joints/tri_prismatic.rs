//! TriPrismatic: three translations along the axes of T0, no rotation.

use super::Kinematics;
use super::dual::{DualBases, FORCES, TORQUES};
use crate::spatial::{Motion, Pose};
use crate::vector::{Mat3, Vec3, vec3};

/// Translations along x, y, z.
#[derive(Clone, Copy, Debug)]
pub struct TriPrismatic;

impl Kinematics for TriPrismatic {
    const N_FREEDOMS: usize = 3;

    /// The shift.
    #[inline]
    fn transform(&self, q: &[f64]) -> Pose {
        Pose::new(Mat3::IDENTITY, vec3(q[0], q[1], q[2]))
    }

    /// Velocities along x, y, z.
    #[inline]
    fn fill_motion(&self, _q: &[f64], _x: &Pose, phi: &mut [Motion]) {
        for (column, axis) in phi.iter_mut().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
            *column = Motion::new(Vec3::ZERO, axis);
        }
    }

    fn fill_dual_bases(&self, _phi: &[Motion], bases: &mut DualBases) {
        bases.fill(&FORCES, &TORQUES);
    }

    fn locate(&self, x: &Pose, q: &mut [f64]) {
        q.copy_from_slice(&x.translation.to_array());
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    #[test]
    fn motion_loads_and_coordinates_belong_to_the_transform() {
        testing::check(&Geometry::TriPrismatic);
    }

    #[test]
    fn coordinates_are_the_position_of_t1_in_t0() {
        let pose = testing::joint_pose(&Geometry::TriPrismatic, &[1.0, -2.0, 3.0]);
        assert_eq!(pose, Pose::from_translation(vec3(1.0, -2.0, 3.0)));
    }
}
