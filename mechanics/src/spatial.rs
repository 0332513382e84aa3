//! Poses, twists and loads: the six-dimensional quantities of a rigid body.
//!
//! The angular part comes first. Accelerations are the classical ones (the second derivative of
//! the position of the reference point), so that the equations of a link never contain its linear
//! velocity: a common translation of the whole system cannot cost digits (Schubert 2014, 2.2).
//! Masses are in `inertia.rs`.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use super::vector::{Mat3, Vec3};

/// The pose `x_ab` of a frame B in a frame A: `r_a = translation + rotation * r_b` (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Maps components in B to components in A.
    pub rotation: Mat3,
    /// Origin of B in A (m).
    pub translation: Vec3,
}

impl Pose {
    /// Two coincident frames.
    pub const IDENTITY: Pose = Pose { rotation: Mat3::IDENTITY, translation: Vec3::ZERO };

    /// A pose from its parts; `rotation` must be orthonormal.
    #[inline(always)]
    pub const fn new(rotation: Mat3, translation: Vec3) -> Pose {
        Pose { rotation, translation }
    }

    /// A pure translation (m).
    #[inline]
    pub const fn from_translation(translation: Vec3) -> Pose {
        Pose { rotation: Mat3::IDENTITY, translation }
    }

    /// The pose of A in B.
    #[inline]
    pub fn inverse(&self) -> Pose {
        Pose::new(self.rotation.transpose(), -self.rotation.transpose_mul(self.translation))
    }

    /// The coordinates in A of a point given in B (m).
    #[inline]
    pub fn transform_point(&self, r_b: Vec3) -> Vec3 {
        self.translation + self.rotation * r_b
    }

    /// Whether all entries are finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.max_abs().is_finite()
    }
}

impl Mul for Pose {
    type Output = Pose;
    #[inline(always)]
    fn mul(self, x_bc: Pose) -> Pose {
        Pose::new(
            self.rotation * x_bc.rotation,
            self.translation + self.rotation * x_bc.translation,
        )
    }
}

/// A twist (rad/s, m/s) or its rate (rad/s^2, m/s^2) at a reference point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Angular velocity or acceleration.
    pub ang: Vec3,
    /// Velocity or acceleration of the reference point.
    pub lin: Vec3,
}

impl Motion {
    /// Rest.
    pub const ZERO: Motion = Motion { ang: Vec3::ZERO, lin: Vec3::ZERO };

    /// A motion from its parts.
    #[inline(always)]
    pub const fn new(ang: Vec3, lin: Vec3) -> Motion {
        Motion { ang, lin }
    }

    /// Power of a load on this twist (W), or the corresponding inner product of other motions.
    #[inline(always)]
    pub fn dot(&self, load: &Load) -> f64 {
        self.ang.dot(load.torque) + self.lin.dot(load.force)
    }

    /// The six components, angular part first.
    #[inline(always)]
    pub fn to_array(&self) -> [f64; 6] {
        [self.ang.x, self.ang.y, self.ang.z, self.lin.x, self.lin.y, self.lin.z]
    }
}

impl Add for Motion {
    type Output = Motion;
    #[inline(always)]
    fn add(self, b: Motion) -> Motion {
        Motion::new(self.ang + b.ang, self.lin + b.lin)
    }
}

impl Mul<f64> for Motion {
    type Output = Motion;
    #[inline(always)]
    fn mul(self, s: f64) -> Motion {
        Motion::new(self.ang * s, self.lin * s)
    }
}

impl AddAssign for Motion {
    #[inline(always)]
    fn add_assign(&mut self, b: Motion) {
        *self = *self + b;
    }
}

/// A force (N) acting at a reference point and a torque (N m) about it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Torque about the reference point (N m).
    pub torque: Vec3,
    /// Force (N).
    pub force: Vec3,
}

impl Load {
    /// No load.
    pub const ZERO: Load = Load { torque: Vec3::ZERO, force: Vec3::ZERO };

    /// A load from its parts.
    #[inline(always)]
    pub const fn new(torque: Vec3, force: Vec3) -> Load {
        Load { torque, force }
    }

    /// This load, given in B, in the axes of A about the origin of A; `x_ab` is the pose of B in A.
    #[inline(always)]
    pub fn transformed(&self, x_ab: &Pose) -> Load {
        let force = x_ab.rotation * self.force;
        Load::new(x_ab.rotation * self.torque + x_ab.translation.cross(force), force)
    }

    /// Whether all components are finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.torque.is_finite() && self.force.is_finite()
    }
}

impl Add for Load {
    type Output = Load;
    #[inline(always)]
    fn add(self, b: Load) -> Load {
        Load::new(self.torque + b.torque, self.force + b.force)
    }
}

impl Sub for Load {
    type Output = Load;
    #[inline(always)]
    fn sub(self, b: Load) -> Load {
        Load::new(self.torque - b.torque, self.force - b.force)
    }
}

impl Neg for Load {
    type Output = Load;
    #[inline(always)]
    fn neg(self) -> Load {
        Load::new(-self.torque, -self.force)
    }
}

impl Mul<f64> for Load {
    type Output = Load;
    #[inline(always)]
    fn mul(self, s: f64) -> Load {
        Load::new(self.torque * s, self.force * s)
    }
}

impl AddAssign for Load {
    #[inline(always)]
    fn add_assign(&mut self, b: Load) {
        *self = *self + b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::vec3;

    /// Round-off of a few products of numbers of size one.
    const ROUND_OFF: f64 = 4e-15;

    fn sample() -> Pose {
        Pose::new(Mat3::rotation(vec3(0.48, -0.6, 0.64), 1.1), vec3(0.3, -2.0, 1.0))
    }

    #[test]
    fn a_pose_times_its_inverse_is_the_identity() {
        let x = sample() * sample().inverse();
        assert!((x.rotation - Mat3::IDENTITY).max_abs() < ROUND_OFF);
        assert!(x.translation.max_abs() < ROUND_OFF);
    }

    #[test]
    fn power_does_not_depend_on_the_frame() {
        let x_ab = sample();
        let load_b = Load::new(vec3(1.0, 2.0, -0.5), vec3(-0.3, 0.7, 0.2));
        let motion_a = Motion::new(vec3(0.4, -0.1, 0.9), vec3(1.0, 0.5, -0.6));
        // Velocity of the origin of B in the axes of B.
        let r = &x_ab.rotation;
        let motion_b = Motion::new(
            r.transpose_mul(motion_a.ang),
            r.transpose_mul(motion_a.lin + motion_a.ang.cross(x_ab.translation)),
        );
        let difference = motion_a.dot(&load_b.transformed(&x_ab)) - motion_b.dot(&load_b);
        assert!(difference.abs() < ROUND_OFF);
    }
}
