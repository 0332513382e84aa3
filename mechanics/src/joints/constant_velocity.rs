//! ConstantVelocity: two rotations that transmit shaft speed without oscillation.
//!
//! A double Cardan joint with equal outer angles (Schubert 2014, 4.3):
//! `D = R(n1, q1) R(n2, q2) R(n1, q1)`. The product reads the same backwards, so its quaternion
//! has no component along n1 x n2, the shaft; that is the homokinetic condition, for oblique n1 and
//! n2 too. Regular at zero bend, singular only when the second angle reaches half a turn.

use super::dual::{DualBases, fill_bases_of_two_rotations, near};
use super::{FramedJoint, Joint, Kinematics, check_independent, unit_axis};
use crate::error::{BuildError, Quantity};
use crate::quaternion::Quaternion;
use crate::spatial::{Motion, Pose};
use crate::vector::{Mat3, Vec3, vec3};

/// Both axes in the coordinates of T0 at q = 0; the shaft is normal to them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantVelocityAxes {
    /// Outer axis; any length but zero.
    pub axis1: Vec3,
    /// Inner axis; any length but zero, not parallel to the outer one.
    pub axis2: Vec3,
    /// Centre of the joint (m).
    pub point: Vec3,
}

/// Outer axis along x, inner axis in the xy plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantVelocity {
    /// Unit vector of the inner axis at q = 0.
    inner: Vec3,
}

impl ConstantVelocityAxes {
    /// Base and tip frame have x along the outer axis and z along the shaft.
    pub(super) fn prepare(&self) -> Result<FramedJoint, BuildError> {
        if !self.point.is_finite() {
            return Err(BuildError::NotFinite(Quantity::Joint));
        }
        let (x, b) = (unit_axis(self.axis1, 1)?, unit_axis(self.axis2, 2)?);
        check_independent(x, b)?;
        let shaft = unit_axis(x.cross(b), 2)?;
        let rotation = Mat3::from_columns(x, shaft.cross(x), shaft);
        let in_plane = rotation.transpose_mul(b);
        let inner = unit_axis(vec3(in_plane.x, in_plane.y, 0.0), 2)?;
        let frame = Pose::new(rotation, self.point);
        let joint = Joint::ConstantVelocity(ConstantVelocity { inner });
        Ok(FramedJoint { base: frame, tip: frame, joint })
    }
}

impl ConstantVelocity {
    /// The angles of a rotation, on the branch near the `last` ones.
    ///
    /// With the inner axis (x, y, 0) the quaternion of the three rotations is
    /// `(cos b/2 + i x sin b/2) (cos a + i sin a) + j y sin b/2`: its third component gives b, the
    /// first two give a; the fourth vanishes, which is the constraint.
    pub(super) fn angles(&self, r: &Mat3, last: [f64; 2]) -> (f64, f64) {
        let q = Quaternion::from_matrix(r);
        let branch = |sign: f64| {
            let sine = (sign * q.v.y / self.inner.y).clamp(-1.0, 1.0);
            let half = sine.asin();
            let product = (sign * q.v.x).atan2(sign * q.w);
            let outer = near(product - (sine * self.inner.x).atan2(half.cos()), last[0]);
            (outer, near(2.0 * half, last[1]))
        };
        let far = |(a, b): (f64, f64)| (a - last[0]).abs() + (b - last[1]).abs();
        let (one, other) = (branch(1.0), branch(-1.0));
        if far(one) <= far(other) { one } else { other }
    }
}

impl Kinematics for ConstantVelocity {
    const N_FREEDOMS: usize = 2;
    const HAS_CONSTANT_MOTION: bool = false;

    /// Outer, inner, and again outer rotation.
    #[inline]
    fn transform(&self, q: &[f64]) -> Pose {
        let outer = Mat3::rotation_x(q[0]);
        Pose::new(outer * Mat3::rotation(self.inner, q[1]) * outer, Vec3::ZERO)
    }

    /// Sum of the outer axis at the input and at the output (x in the tip frame), and the inner
    /// axis.
    #[inline]
    fn fill_motion(&self, q: &[f64], x: &Pose, phi: &mut [Motion]) {
        let (s, c) = q[0].sin_cos();
        let b = self.inner;
        phi[0] = Motion::new(x.rotation.rows[0] + Vec3::X, Vec3::ZERO);
        phi[1] = Motion::new(vec3(b.x, b.y * c, -b.y * s), Vec3::ZERO);
    }

    /// Rates of the two axes as seen from the tip, which turns with v2 about the inner axis and v1
    /// about x after them.
    #[inline]
    fn bias(&self, phi: &[Motion], v: &[f64]) -> Motion {
        let (input, inner) = (phi[0].ang - Vec3::X, phi[1].ang);
        let input_rate = input.cross(Vec3::X * v[0] + inner * v[1]);
        let inner_rate = inner.cross(Vec3::X * v[0]);
        Motion::new(input_rate * v[0] + inner_rate * v[1], Vec3::ZERO)
    }

    /// Changes of the input and the inner axis, as in the bias.
    #[inline]
    fn vary_motion(&self, phi: &[Motion], step: &[f64], u: &[f64]) -> Motion {
        let (input, inner) = vary_axes(phi, step);
        Motion::new(input * u[0] + inner * u[1], Vec3::ZERO)
    }

    /// Each factor of the bias in turn.
    #[inline]
    fn vary_bias(&self, phi: &[Motion], v: &[f64], step: &[f64], dv: &[f64]) -> Motion {
        let (input, inner) = (phi[0].ang - Vec3::X, phi[1].ang);
        let (dinput, dinner) = vary_axes(phi, step);
        let turning = Vec3::X * v[0] + inner * v[1];
        let dturning = Vec3::X * dv[0] + inner * dv[1] + dinner * v[1];
        let input_rate = input.cross(turning);
        let dinput_rate = dinput.cross(turning) + input.cross(dturning);
        let crossed = inner.cross(Vec3::X);
        let of_input = dinput_rate * v[0] + input_rate * dv[0];
        let of_inner =
            dinner.cross(Vec3::X) * (v[0] * v[1]) + crossed * (v[0] * dv[1] + v[1] * dv[0]);
        Motion::new(of_input + of_inner, Vec3::ZERO)
    }

    fn fill_dual_bases(&self, phi: &[Motion], bases: &mut DualBases) {
        fill_bases_of_two_rotations(phi, bases);
    }

    fn locate(&self, x: &Pose, q: &mut [f64]) {
        (q[0], q[1]) = self.angles(&x.rotation, [q[0], q[1]]);
    }
}

/// Changes of the input axis and the inner axis, seen from the tip: both turn back under the last rotation about x, the
/// input axis under that about the inner axis too.
#[inline]
fn vary_axes(phi: &[Motion], step: &[f64]) -> (Vec3, Vec3) {
    let (input, inner) = (phi[0].ang - Vec3::X, phi[1].ang);
    let outer = Vec3::X * step[0];
    (input.cross(outer + inner * step[1]), inner.cross(outer))
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;
    use crate::quaternion::Quaternion;

    const AXES: ConstantVelocityAxes = ConstantVelocityAxes {
        axis1: vec3(1.0, 0.5, 0.0),
        axis2: vec3(0.2, 1.0, 0.3),
        point: vec3(0.3, 0.1, -0.8),
    };

    #[test]
    fn motion_loads_and_coordinates_belong_to_the_transform() {
        testing::check(&Geometry::ConstantVelocity(AXES));
    }

    #[test]
    fn the_rotation_has_no_component_along_the_shaft() {
        let shaft = AXES.axis1.cross(AXES.axis2).normalized().unwrap();
        for (a, b) in [(0.3, 0.5), (-1.0, 2.0), (2.5, -0.7)] {
            let pose = testing::joint_pose(&Geometry::ConstantVelocity(AXES), &[a, b]);
            let q = Quaternion::from_matrix(&pose.rotation);
            assert!(q.v.dot(shaft).abs() < 1e-15);
            // The centre of the joint stays where it is.
            assert!((pose.transform_point(AXES.point) - AXES.point).max_abs() < 1e-15);
        }
    }

    #[test]
    fn parallel_axes_are_refused() {
        let axes = ConstantVelocityAxes { axis2: AXES.axis1, ..AXES };
        assert_eq!(axes.prepare().err(), Some(BuildError::DependentAxes));
    }
}
