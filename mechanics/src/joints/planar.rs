//! Planar: two translations in a plane and a rotation about its normal; coordinates (shift along
//! e1, shift along e2, angle).

use super::dual::{DualBases, FORCES, TORQUES, angle_z, force, near};
use super::{FramedJoint, Joint, Kinematics, unit_axis};
use crate::error::{BuildError, Quantity};
use crate::spatial::{Motion, Pose};
use crate::vector::{Mat3, Vec3, vec3};

/// Length of the projected x axis of T0 below which it counts as vanishing: the projection of a
/// unit vector has errors of 1e-16, so its direction still has eight digits.
const VANISHING: f64 = 1e-8;

/// The plane in the coordinates of T0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarNormal {
    /// Normal of the plane; any length but zero.
    pub normal: Vec3,
    /// The point about which T1 turns (m).
    pub point: Vec3,
}

/// Translations along x and y, rotation about z.
#[derive(Clone, Copy, Debug)]
pub struct Planar;

impl PlanarNormal {
    /// Base and tip frame have z along the normal and x along e1, the x axis of T0 projected into
    /// the plane (the y axis if that vanishes); e2 = n x e1.
    pub(super) fn prepare(&self) -> Result<FramedJoint, BuildError> {
        if !self.point.is_finite() {
            return Err(BuildError::NotFinite(Quantity::Joint));
        }
        let n = unit_axis(self.normal, 1)?;
        let projected = |axis: Vec3| axis - n * n.dot(axis);
        let along_x = projected(Vec3::X);
        let chosen = if along_x.norm() > VANISHING { along_x } else { projected(Vec3::Y) };
        let e1 = unit_axis(chosen, 1)?;
        let frame = Pose::new(Mat3::from_columns(e1, n.cross(e1), n), self.point);
        Ok(FramedJoint { base: frame, tip: frame, joint: Joint::Planar(Planar) })
    }
}

impl Kinematics for Planar {
    const N_FREEDOMS: usize = 3;
    const HAS_CONSTANT_MOTION: bool = false;

    /// Translation in the xy plane, then rotation about z.
    #[inline]
    fn transform(&self, q: &[f64]) -> Pose {
        Pose::new(Mat3::rotation_z(q[2]), vec3(q[0], q[1], 0.0))
    }

    /// Velocities along the x and y axes of the base, angular velocity about z.
    #[inline]
    fn fill_motion(&self, _q: &[f64], x: &Pose, phi: &mut [Motion]) {
        phi[0] = Motion::new(Vec3::ZERO, x.rotation.rows[0]);
        phi[1] = Motion::new(Vec3::ZERO, x.rotation.rows[1]);
        phi[2] = Motion::new(Vec3::Z, Vec3::ZERO);
    }

    /// Seen from the tip, the axes of the base turn back under the rotation.
    #[inline]
    fn vary_motion(&self, phi: &[Motion], step: &[f64], u: &[f64]) -> Motion {
        let velocity = phi[0].lin * u[0] + phi[1].lin * u[1];
        Motion::new(Vec3::ZERO, velocity.cross(Vec3::Z * step[2]))
    }

    fn fill_dual_bases(&self, phi: &[Motion], bases: &mut DualBases) {
        let [tx, ty, tz] = TORQUES;
        let [_, _, fz] = FORCES;
        bases.fill(&[force(phi[0].lin), force(phi[1].lin), tz], &[tx, ty, fz]);
    }

    fn locate(&self, x: &Pose, q: &mut [f64]) {
        (q[0], q[1]) = (x.translation.x, x.translation.y);
        q[2] = near(angle_z(&x.rotation), q[2]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    #[test]
    fn motion_loads_and_coordinates_belong_to_the_transform() {
        let plane = PlanarNormal { normal: vec3(0.0, 3.0, 4.0), point: vec3(0.3, 0.1, -0.8) };
        testing::check(&Geometry::Planar(plane));
    }

    #[test]
    fn shifts_follow_the_projected_axes_of_t0() {
        let point = vec3(0.3, 0.1, -0.8);
        for (normal, e1) in
            [(Vec3::Z, Vec3::X), (vec3(2.0, 0.0, 0.0), Vec3::Y), (-Vec3::Y, Vec3::X)]
        {
            let n = normal.normalized().unwrap();
            let turn = testing::rotation_about(normal, point, 0.5);
            let shift = e1 * 2.0 + n.cross(e1) * 3.0;
            let expected = Pose::new(turn.rotation, turn.translation + shift);
            let geometry = Geometry::Planar(PlanarNormal { normal, point });
            let found = testing::joint_pose(&geometry, &[2.0, 3.0, 0.5]);
            testing::assert_same_pose(&found, &expected);
        }
    }
}
