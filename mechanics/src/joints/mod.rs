//! The joints, one file each: transform, motion subspace, bias, in that order.
//!
//! A joint is written by its geometry in the coordinates of the triad T0 (`Geometry`). For the
//! sweeps it is brought into a canonical form (`Joint`) between a base frame fixed to T0 and a tip
//! frame fixed to T1, chosen so that rotations turn about the third axis through the origin:
//! `joint(q) = base * transform(q) * tip^-1`. With body-fixed axes at the joint most motion
//! subspaces are constant, and numbers stay as small as the bodies.
//!
//! All results of a canonical joint are in the axes of the tip frame, about its origin:
//! * motion subspace: the columns `phi_k` with relative twist `sum phi_k v_k`;
//! * bias: relative acceleration at `vdot = 0`. Its linear part is the second derivative of the
//!   origin's position seen from the base, so constant speeds along fixed directions give zero.

pub mod bi_prismatic;
pub mod bracket;
pub mod constant_velocity;
pub mod cylindrical;
pub mod dual;
pub mod free;
pub mod planar;
pub mod prismatic;
pub mod revolute;
pub mod screw;
pub mod spherical;
pub mod tri_prismatic;
pub mod universal;

use super::error::{BuildError, Quantity};
use super::spatial::{Motion, Pose};
use super::vector::{Mat3, Vec3};

use bi_prismatic::{BiPrismatic, BiPrismaticAxes};
use constant_velocity::{ConstantVelocity, ConstantVelocityAxes};
use cylindrical::CylindricalAxis;
use planar::PlanarNormal;
use prismatic::PrismaticAxis;
use revolute::RevoluteAxis;
use screw::{Screw, ScrewAxis};
use universal::{Universal, UniversalAxes};

/// A joint as the user describes it, in the coordinates of T0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Geometry {
    /// Six freedoms.
    Free,
    /// No freedom.
    Bracket,
    /// One rotation.
    Revolute(RevoluteAxis),
    /// Two rotations about successive axes.
    Universal(UniversalAxes),
    /// Three rotations.
    Spherical,
    /// One translation.
    Prismatic(PrismaticAxis),
    /// Two translations.
    BiPrismatic(BiPrismaticAxes),
    /// Three translations.
    TriPrismatic,
    /// Rotation with proportional advance.
    Screw(ScrewAxis),
    /// Rotation and translation on one axis.
    Cylindrical(CylindricalAxis),
    /// Two translations in a plane and a rotation about its normal.
    Planar(PlanarNormal),
    /// Two rotations, homokinetic.
    ConstantVelocity(ConstantVelocityAxes),
}

/// A joint in canonical form, with the poses of its frames in T0 and T1 (the same numbers, as T0
/// and T1 coincide at q = 0).
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Pose of the base frame in T0.
    pub base: Pose,
    /// Pose of the tip frame in T1.
    pub tip: Pose,
    /// The joint between the two.
    pub joint: Joint,
}

/// A joint in canonical form.
#[derive(Clone, Debug)]
pub enum Joint {
    /// Six freedoms: `q` = position (3), quaternion (4); `v` = velocity in T0 axes (3), angular
    /// velocity in T1 axes (3).
    Free,
    /// No freedom.
    Bracket,
    /// Rotation about z.
    Revolute,
    /// Rotation about z, fixed pose, rotation about z.
    Universal(Box<Universal>),
    /// Three rotations: `q` = quaternion (4); `v` = angular velocity in T1 axes (3).
    Spherical,
    /// Translation along z.
    Prismatic,
    /// Translations along two directions.
    BiPrismatic(BiPrismatic),
    /// Translations along x, y, z.
    TriPrismatic,
    /// Rotation about z with advance.
    Screw(Screw),
    /// Rotation about z and translation along z.
    Cylindrical,
    /// Translations along x and y, rotation about z.
    Planar,
    /// Rotations about x, an axis in the xy plane, and x again.
    ConstantVelocity(ConstantVelocity),
}

impl Geometry {
    /// Checks the geometry and brings the joint into canonical form.
    pub fn prepare(&self) -> Result<Prepared, BuildError> {
        let plain = |joint| Ok(Prepared { base: Pose::IDENTITY, tip: Pose::IDENTITY, joint });
        match self {
            Geometry::Free => plain(Joint::Free),
            Geometry::Bracket => plain(Joint::Bracket),
            Geometry::Revolute(axis) => axis.prepare(),
            Geometry::Universal(axes) => axes.prepare(),
            Geometry::Spherical => plain(Joint::Spherical),
            Geometry::Prismatic(axis) => axis.prepare(),
            Geometry::BiPrismatic(axes) => axes.prepare(),
            Geometry::TriPrismatic => plain(Joint::TriPrismatic),
            Geometry::Screw(axis) => axis.prepare(),
            Geometry::Cylindrical(axis) => axis.prepare(),
            Geometry::Planar(normal) => normal.prepare(),
            Geometry::ConstantVelocity(axes) => axes.prepare(),
        }
    }
}

impl Joint {
    /// Number of position coordinates: four for a quaternion.
    #[inline]
    pub fn n_coordinates(&self) -> usize {
        match self {
            Joint::Free => 7,
            Joint::Spherical => 4,
            _ => self.n_freedoms(),
        }
    }

    /// Number of freedoms, that is of speeds.
    #[inline]
    pub fn n_freedoms(&self) -> usize {
        match self {
            Joint::Bracket => 0,
            Joint::Revolute | Joint::Prismatic | Joint::Screw(_) => 1,
            Joint::Universal(_)
            | Joint::BiPrismatic(_)
            | Joint::Cylindrical
            | Joint::ConstantVelocity(_) => 2,
            Joint::Spherical | Joint::TriPrismatic | Joint::Planar => 3,
            Joint::Free => 6,
        }
    }

    /// The coordinates at which T0 and T1 coincide.
    #[inline]
    pub fn fill_home(&self, q: &mut [f64]) {
        q.fill(0.0);
        match self {
            Joint::Spherical => q[0] = 1.0,
            Joint::Free => q[3] = 1.0,
            _ => {}
        }
    }

    /// Where the quaternion starts within the coordinates, if there is one.
    #[inline]
    pub fn quaternion_offset(&self) -> Option<usize> {
        match self {
            Joint::Spherical => Some(0),
            Joint::Free => Some(3),
            _ => None,
        }
    }

    /// Pose of the tip frame in the base frame.
    #[inline]
    pub fn transform(&self, q: &[f64]) -> Pose {
        match self {
            Joint::Free => free::transform(q),
            Joint::Bracket => bracket::transform(),
            Joint::Revolute => revolute::transform(q),
            Joint::Universal(u) => u.transform(q),
            Joint::Spherical => spherical::transform(q),
            Joint::Prismatic => prismatic::transform(q),
            Joint::BiPrismatic(b) => b.transform(q),
            Joint::TriPrismatic => tri_prismatic::transform(q),
            Joint::Screw(s) => s.transform(q),
            Joint::Cylindrical => cylindrical::transform(q),
            Joint::Planar => planar::transform(q),
            Joint::ConstantVelocity(c) => c.transform(q),
        }
    }

    /// Whether the motion subspace does not depend on the coordinates.
    #[inline]
    pub fn has_constant_motion(&self) -> bool {
        !matches!(
            self,
            Joint::Free | Joint::Universal(_) | Joint::Planar | Joint::ConstantVelocity(_)
        )
    }

    /// Writes the columns of the motion subspace, one per freedom, for the coordinates `q` with
    /// the transform `x`.
    #[inline]
    pub fn fill_motion(&self, q: &[f64], x: &Pose, phi: &mut [Motion]) {
        debug_assert_eq!(phi.len(), self.n_freedoms());
        match self {
            Joint::Free => free::fill_motion(x, phi),
            Joint::Bracket => {}
            Joint::Revolute => revolute::fill_motion(phi),
            Joint::Universal(_) => universal::fill_motion(x, phi),
            Joint::Spherical => spherical::fill_motion(phi),
            Joint::Prismatic => prismatic::fill_motion(phi),
            Joint::BiPrismatic(b) => b.fill_motion(phi),
            Joint::TriPrismatic => tri_prismatic::fill_motion(phi),
            Joint::Screw(s) => s.fill_motion(phi),
            Joint::Cylindrical => cylindrical::fill_motion(phi),
            Joint::Planar => planar::fill_motion(x, phi),
            Joint::ConstantVelocity(c) => c.fill_motion(q, x, phi),
        }
    }

    /// Relative acceleration at `vdot = 0` for the columns `phi` of the motion subspace.
    #[inline]
    pub fn bias(&self, phi: &[Motion], v: &[f64]) -> Motion {
        match self {
            Joint::Universal(_) => universal::bias(phi, v),
            Joint::ConstantVelocity(_) => constant_velocity::bias(phi, v),
            // Motion subspaces that are constant in the tip or in the base axes.
            _ => Motion::ZERO,
        }
    }

    /// Time derivative of the coordinates.
    #[inline]
    pub fn fill_coordinate_rates(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        match self {
            Joint::Spherical => spherical::fill_coordinate_rates(q, v, qdot),
            Joint::Free => free::fill_coordinate_rates(q, v, qdot),
            _ => qdot.copy_from_slice(v),
        }
    }
}

/// The unit vector of axis number `k` (from 1).
fn unit_axis(axis: Vec3, k: u8) -> Result<Vec3, BuildError> {
    if !axis.is_finite() {
        return Err(BuildError::NotFinite(Quantity::Joint));
    }
    axis.normalized().ok_or(BuildError::ZeroAxis(k))
}

/// Refuses two unit axes that are parallel. The sine of their angle must exceed a few units of
/// round-off; anything larger is a legal, if strange, joint.
fn check_independent(a: Vec3, b: Vec3) -> Result<(), BuildError> {
    const SMALLEST_SINE: f64 = 1e-12;
    if a.cross(b).norm() < SMALLEST_SINE { Err(BuildError::DependentAxes) } else { Ok(()) }
}

/// A frame with its third axis along `axis` through `point` (m).
fn axis_frame(axis: Vec3, point: Vec3) -> Result<Pose, BuildError> {
    if !point.is_finite() {
        return Err(BuildError::NotFinite(Quantity::Joint));
    }
    Ok(Pose::new(Mat3::with_third_axis(unit_axis(axis, 1)?), point))
}

#[cfg(test)]
pub(super) mod testing {
    //! One harness for every joint: the motion subspace and the bias are the derivatives of the
    //! transform.

    use super::*;

    /// Moves the coordinates along constant speeds for a time `h` by one classical Runge-Kutta
    /// step; its error is of order `h^5`.
    fn advance(joint: &Joint, q: &[f64], v: &[f64], h: f64) -> Vec<f64> {
        let rate = |q: &[f64]| {
            let mut r = vec![0.0; q.len()];
            joint.fill_coordinate_rates(q, v, &mut r);
            r
        };
        let plus =
            |k: &[f64], s: f64| -> Vec<f64> { q.iter().zip(k).map(|(q, k)| q + s * k).collect() };
        let k1 = rate(q);
        let k2 = rate(&plus(&k1, 0.5 * h));
        let k3 = rate(&plus(&k2, 0.5 * h));
        let k4 = rate(&plus(&k3, h));
        (0..q.len()).map(|i| q[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])).collect()
    }

    fn motion(joint: &Joint, q: &[f64]) -> Vec<Motion> {
        let mut phi = vec![Motion::ZERO; joint.n_freedoms()];
        joint.fill_motion(q, &joint.transform(q), &mut phi);
        phi
    }

    fn relative_twist(joint: &Joint, q: &[f64], v: &[f64]) -> Motion {
        motion(joint, q).iter().zip(v).fold(Motion::ZERO, |sum, (p, &v)| sum + *p * v)
    }

    /// Compares motion subspace and bias with differences of the transform at several states.
    pub fn check_derivatives(geometry: &Geometry) {
        let joint = geometry.prepare().unwrap().joint;
        let (nq, nv) = (joint.n_coordinates(), joint.n_freedoms());
        // Central differences: h^2 / 6 times third derivatives of size ten, plus eps / h^2.
        let (h, first, second) = (1e-4, 1e-6, 1e-5);
        for state in 0..20 {
            let wave = |k: usize, f: f64| (f * (state * 7 + k + 1) as f64).sin();
            let mut q: Vec<f64> = (0..nq).map(|k| 1.4 * wave(k, 1.3)).collect();
            if let Some(start) = joint.quaternion_offset() {
                q[start] += 2.0;
            }
            let v: Vec<f64> = (0..nv).map(|k| 1.5 * wave(k, 2.1)).collect();
            let (qp, qm) = (advance(&joint, &q, &v, h), advance(&joint, &q, &v, -h));
            let (x, xp, xm) = (joint.transform(&q), joint.transform(&qp), joint.transform(&qm));
            let twist = relative_twist(&joint, &q, &v);
            let bias = joint.bias(&motion(&joint, &q), &v);
            // Velocity and acceleration of the tip origin, resolved in the tip frame.
            let e = &x.rotation;
            let velocity = e.transpose_mul((xp.translation - xm.translation) * (0.5 / h));
            let bend = xp.translation - x.translation - (x.translation - xm.translation);
            let acceleration = e.transpose_mul(bend * (1.0 / (h * h)));
            assert!((velocity - twist.lin).max_abs() < first, "{geometry:?} velocity");
            assert!((acceleration - bias.lin).max_abs() < second, "{geometry:?} acceleration");
            // E' = E w~, and the rate of w seen from the base.
            let spin = e.transpose() * (xp.rotation - xm.rotation).scale(0.5 / h);
            assert!((spin - Mat3::skew(twist.ang)).max_abs() < first, "{geometry:?} spin");
            let wp = xp.rotation * relative_twist(&joint, &qp, &v).ang;
            let wm = xm.rotation * relative_twist(&joint, &qm, &v).ang;
            let alpha = e.transpose_mul((wp - wm) * (0.5 / h));
            assert!((alpha - bias.ang).max_abs() < first, "{geometry:?} angular acceleration");
        }
    }

    /// Pose of T1 in T0.
    pub fn joint_pose(geometry: &Geometry, q: &[f64]) -> Pose {
        let p = geometry.prepare().unwrap();
        p.base * p.joint.transform(q) * p.tip.inverse()
    }

    /// Asserts that two poses agree to round-off.
    pub fn assert_same_pose(a: &Pose, b: &Pose) {
        assert!((a.rotation - b.rotation).max_abs() < 4e-15, "{a:?} {b:?}");
        assert!((a.translation - b.translation).max_abs() < 2e-14, "{a:?} {b:?}");
    }

    /// Rotation about an axis through a point as the language defines it: `t = (1 - D) r`.
    pub fn rotation_about(axis: Vec3, point: Vec3, angle: f64) -> Pose {
        let d = Mat3::rotation(axis.normalized().unwrap(), angle);
        Pose::new(d, point - d * point)
    }
}
