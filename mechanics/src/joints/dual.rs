//! What closes a loop with a joint: the loads that it transmits, and the coordinates of a given pose.
//!
//! A joint whose motion subspace is `Phi` has loads `psi` of two kinds, in the axes of the tip frame about
//! its origin: `Psi` with `Psi^T Phi = 1`, conjugate to the freedoms, and `Psibar` with `Psibar^T Phi = 0`,
//! which the joint carries (the dual bases of Schubert 2014, 2.4). So `Psi^T y` are the speeds of a
//! relative twist `y`, and `Psibar^T y = 0` is the constraint.

use std::f64::consts::TAU;

use crate::quaternion::Quaternion;
use crate::spatial::{Load, Motion, Pose};
use crate::vector::{Mat3, Vec3};

/// The loads of a joint, in tip axes.
#[derive(Clone, Copy, Debug)]
pub struct DualBases {
    /// Conjugate to the freedoms; as many as there are.
    pub free: [Load; 6],
    /// Carried by the joint; the others of six.
    pub locked: [Load; 6],
}

impl DualBases {
    /// No loads.
    pub const ZERO: Self = Self { free: [Load::ZERO; 6], locked: [Load::ZERO; 6] };

    /// Writes the loads of a joint, six together. Numbers behind them stay as they are.
    #[inline]
    pub(super) fn fill(&mut self, free: &[Load], locked: &[Load]) {
        self.free[..free.len()].copy_from_slice(free);
        self.locked[..locked.len()].copy_from_slice(locked);
    }
}

/// Torques about the axes of the tip.
pub(super) const TORQUES: [Load; 3] = [torque(Vec3::X), torque(Vec3::Y), torque(Vec3::Z)];
/// Forces along the axes of the tip.
pub(super) const FORCES: [Load; 3] = [force(Vec3::X), force(Vec3::Y), force(Vec3::Z)];

/// A torque without force.
pub(super) const fn torque(v: Vec3) -> Load {
    Load::new(v, Vec3::ZERO)
}

/// A force through the origin of the tip.
pub(super) const fn force(v: Vec3) -> Load {
    Load::new(Vec3::ZERO, v)
}

/// The vectors `a*`, `b*` in the plane of `a` and `b` with `a*.a = b*.b = 1`, `a*.b = b*.a = 0`, and the
/// unit normal of the plane.
pub(super) fn dual_pair(a: Vec3, b: Vec3) -> (Vec3, Vec3, Vec3) {
    let n = a.cross(b);
    let square = n.dot(n).max(f64::MIN_POSITIVE);
    (b.cross(n) * (1.0 / square), n.cross(a) * (1.0 / square), n * (1.0 / square.sqrt()))
}

/// Writes the loads of two rotations with the columns `phi`, whose axes need not pass through the origin of
/// the tip.
pub(super) fn fill_bases_of_two_rotations(phi: &[Motion], bases: &mut DualBases) {
    let (a, b, n) = dual_pair(phi[0].ang, phi[1].ang);
    // A force at the tip turns the axes that do not pass through it; a torque holds them.
    let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z]
        .map(|e| Load::new(-(a * phi[0].lin.dot(e) + b * phi[1].lin.dot(e)), e));
    bases.fill(&[torque(a), torque(b)], &[torque(n), x, y, z]);
}

/// Of the two quaternions of a rotation the one nearer to the quaternion `q` on entry.
pub(super) fn locate_quaternion(r: &Mat3, q: &mut [f64]) {
    let found = Quaternion::from_matrix(r).to_array();
    let along: f64 = found.iter().zip(q.iter()).map(|(a, b)| a * b).sum();
    let sign = if along < 0.0 { -1.0 } else { 1.0 };
    for (q, found) in q.iter_mut().zip(found) {
        *q = sign * found;
    }
}

/// The rotation about z that is nearest to a rotation.
pub(super) fn angle_z(r: &Mat3) -> f64 {
    (r.rows[1].x - r.rows[0].y).atan2(r.rows[0].x + r.rows[1].y)
}

/// Full turns are added to an angle until it is within half a turn of the target.
pub(super) fn near(angle: f64, target: f64) -> f64 {
    angle - TAU * ((angle - target) / TAU).round()
}

/// The small displacement that leads from the pose `nominal` to `x`, in the axes of `nominal`: twice the
/// vector part of the quaternion of the rotation (its sine for small angles), and the translation.
pub fn displacement(nominal: &Pose, x: &Pose) -> Motion {
    let turn = Quaternion::from_matrix(&(nominal.rotation.transpose() * x.rotation));
    let sign = if turn.w < 0.0 { -2.0 } else { 2.0 };
    let shift = nominal.rotation.transpose_mul(x.translation - nominal.translation);
    Motion::new(turn.v * sign, shift)
}
