//! Universal: rotation about a first axis, then about a second one that the first carries. The
//! axes may be oblique and need not meet.

use super::dual::{DualBases, angle_z, fill_bases_of_two_rotations, near};
use super::{FramedJoint, Joint, Kinematics, axis_frame, check_independent, unit_axis};
use crate::error::BuildError;
use crate::spatial::{Motion, Pose};
use crate::vector::{Mat3, Vec3};

/// Both axes in the coordinates of T0 at q = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniversalAxes {
    /// Direction of the axis fixed in T0; any length but zero.
    pub axis1: Vec3,
    /// A point of the first axis (m).
    pub point1: Vec3,
    /// Direction of the axis fixed in T1; any length but zero, not parallel to the first.
    pub axis2: Vec3,
    /// A point of the second axis (m).
    pub point2: Vec3,
}

/// Rotation about z, a fixed pose, rotation about z: `Dz(q1) * middle * Dz(q2)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Universal {
    /// Pose of the second axis frame in the first one at q = 0.
    middle: Box<Pose>,
}

impl UniversalAxes {
    /// The base lies on the first axis, the tip on the second, each with z along it.
    pub(super) fn prepare(&self) -> Result<FramedJoint, BuildError> {
        check_independent(unit_axis(self.axis1, 1)?, unit_axis(self.axis2, 2)?)?;
        let base = axis_frame(self.axis1, self.point1)?;
        let tip = axis_frame(self.axis2, self.point2)?;
        let joint = Joint::Universal(Universal { middle: Box::new(base.inverse() * tip) });
        Ok(FramedJoint { base, tip, joint })
    }
}

impl Universal {
    /// The angles of a rotation: the first turns the second axis to its place, the second does the rest.
    pub(super) fn angles(&self, r: &Mat3) -> [f64; 2] {
        let azimuth = |axis: Vec3| axis.y.atan2(axis.x);
        let first = azimuth(r.column(2)) - azimuth(self.middle.rotation.column(2));
        let before = Mat3::rotation_z(first) * self.middle.rotation;
        [first, angle_z(&(before.transpose() * *r))]
    }
}

impl Kinematics for Universal {
    const N_FREEDOMS: usize = 2;
    const HAS_CONSTANT_MOTION: bool = false;

    /// The two rotations in turn.
    #[inline]
    fn transform(&self, q: &[f64]) -> Pose {
        let first = Mat3::rotation_z(q[0]);
        let turned = first * self.middle.rotation;
        Pose::new(turned.times_rotation_z(q[1]), first * self.middle.translation)
    }

    /// The first axis (the third one of the base) with the velocity that it gives to the tip's
    /// origin, and the second axis z.
    #[inline]
    fn fill_motion(&self, _q: &[f64], x: &Pose, phi: &mut [Motion]) {
        let lever = x.rotation.transpose_mul(Vec3::Z.cross(x.translation));
        phi[0] = Motion::new(x.rotation.rows[2], lever);
        phi[1] = Motion::new(Vec3::Z, Vec3::ZERO);
    }

    /// The first axis turns away under the second rotation, `n1 x z v1 v2`, and the tip's origin
    /// circles about the first axis, `n1 x (n1 x r) v1^2`.
    #[inline]
    fn bias(&self, phi: &[Motion], v: &[f64]) -> Motion {
        let first = &phi[0];
        Motion::new(
            first.ang.cross(Vec3::Z) * (v[0] * v[1]),
            first.ang.cross(first.lin) * (v[0] * v[0]),
        )
    }

    /// Seen from the tip, the first axis and its lever turn back under the second rotation.
    #[inline]
    fn vary_motion(&self, phi: &[Motion], step: &[f64], u: &[f64]) -> Motion {
        let (turn, first) = (Vec3::Z * -step[1], &phi[0]);
        Motion::new(turn.cross(first.ang), turn.cross(first.lin)) * u[0]
    }

    /// The bias turns back with the first axis, and follows the speeds.
    #[inline]
    fn vary_bias(&self, phi: &[Motion], v: &[f64], step: &[f64], dv: &[f64]) -> Motion {
        let (turn, first) = (Vec3::Z * -step[1], &phi[0]);
        let bias = self.bias(phi, v);
        let rates = Motion::new(
            first.ang.cross(Vec3::Z) * (v[0] * dv[1] + v[1] * dv[0]),
            first.ang.cross(first.lin) * (2.0 * v[0] * dv[0]),
        );
        rates + Motion::new(turn.cross(bias.ang), turn.cross(bias.lin))
    }

    fn fill_dual_bases(&self, phi: &[Motion], bases: &mut DualBases) {
        fill_bases_of_two_rotations(phi, bases);
    }

    fn locate(&self, x: &Pose, q: &mut [f64]) {
        let [first, second] = self.angles(&x.rotation);
        (q[0], q[1]) = (near(first, q[0]), near(second, q[1]));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;
    use crate::vector::vec3;

    const OBLIQUE: UniversalAxes = UniversalAxes {
        axis1: vec3(1.0, 0.2, 0.0),
        point1: vec3(0.1, 0.2, 0.3),
        axis2: vec3(0.5, 1.0, -0.4),
        point2: vec3(-0.4, 0.6, 0.9),
    };

    #[test]
    fn motion_loads_and_coordinates_belong_to_the_transform() {
        testing::check(&Geometry::Universal(OBLIQUE));
    }

    #[test]
    fn the_second_axis_is_carried_by_the_first() {
        let expected = testing::rotation_about(OBLIQUE.axis1, OBLIQUE.point1, 0.7)
            * testing::rotation_about(OBLIQUE.axis2, OBLIQUE.point2, -1.9);
        let found = testing::joint_pose(&Geometry::Universal(OBLIQUE), &[0.7, -1.9]);
        testing::assert_same_pose(&found, &expected);
    }

    #[test]
    fn parallel_axes_are_refused() {
        let axes = UniversalAxes { axis2: -OBLIQUE.axis1, ..OBLIQUE };
        assert_eq!(axes.prepare().err(), Some(BuildError::DependentAxes));
    }
}
