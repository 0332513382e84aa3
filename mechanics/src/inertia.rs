//! Mass and inertia: of one rigid body, and of a body with the articulated subtree that it carries.

use super::error::{BuildError, Quantity};
use super::spatial::{Load, Motion, Pose};
use super::vector::{Mat3, Sym3, Vec3};

/// Negative principal moments up to this fraction of the largest are round-off of a tensor that
/// was written with 16 digits (a thin rod has an exact zero), not a mistake.
const MOMENT_ROUND_OFF: f64 = 1e-12;

/// Inertia of a rigid body about the origin of some frame, in the axes of that frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RigidInertia {
    /// Mass (kg).
    pub mass: f64,
    /// Mass times position of the centre of gravity (kg m).
    pub first_moment: Vec3,
    /// Inertia tensor about the origin (kg m^2).
    pub theta: Sym3,
}

impl RigidInertia {
    /// The inertia about the origin of a frame A from mass (kg), inertia tensor (kg m^2) about the
    /// centre of gravity in the axes of a frame S placed there, and the pose `x_as`.
    pub fn from_centre(mass: f64, theta_s: Sym3, x_as: &Pose) -> RigidInertia {
        let c = x_as.translation;
        let turned = theta_s.rotated(&x_as.rotation);
        RigidInertia {
            mass,
            first_moment: c * mass,
            // Steiner: Theta_K = Theta_S + m (c.c E - c c^T).
            theta: turned
                + Sym3 {
                    xx: mass * (c.y * c.y + c.z * c.z),
                    yy: mass * (c.x * c.x + c.z * c.z),
                    zz: mass * (c.x * c.x + c.y * c.y),
                    xy: -mass * c.x * c.y,
                    xz: -mass * c.x * c.z,
                    yz: -mass * c.y * c.z,
                },
        }
    }

    /// The load that accelerates the body from rest: `M x`.
    #[inline(always)]
    pub fn mul(&self, x: &Motion) -> Load {
        Load::new(
            self.theta * x.ang + self.first_moment.cross(x.lin),
            x.lin * self.mass + x.ang.cross(self.first_moment),
        )
    }

    /// The load that keeps the body turning with constant angular velocity (rad/s):
    /// `h = (w x Theta w; w x (w x m c))`.
    #[inline(always)]
    pub fn gyroscopic(&self, omega: Vec3) -> Load {
        Load::new(omega.cross(self.theta * omega), omega.cross(omega.cross(self.first_moment)))
    }
}

/// The principal moments (kg m^2) of an inertia tensor in rising order.
pub fn principal_moments(theta: &Sym3) -> [f64; 3] {
    let m = nalgebra::Matrix3::new(
        theta.xx, theta.xy, theta.xz, theta.xy, theta.yy, theta.yz, theta.xz, theta.yz, theta.zz,
    );
    let e = m.symmetric_eigenvalues();
    let mut moments = [e[0], e[1], e[2]];
    moments.sort_by(f64::total_cmp);
    moments
}

/// Refuses masses and tensors about the centre of gravity that no matter can have.
pub fn check_physical(mass: f64, theta: &Sym3) -> Result<(), BuildError> {
    if !mass.is_finite() || !theta.is_finite() {
        return Err(BuildError::NotFinite(Quantity::Inertia));
    }
    if mass < 0.0 {
        return Err(BuildError::NegativeMass(mass));
    }
    let [smallest, _, largest] = principal_moments(theta);
    if smallest < -MOMENT_ROUND_OFF * largest.abs() {
        return Err(BuildError::IndefiniteInertia(smallest));
    }
    Ok(())
}

/// Whether one principal moment exceeds the sum of the other two, which no distribution of mass
/// can give; worth a warning.
pub fn violates_triangle_inequality(theta: &Sym3) -> bool {
    let [a, b, c] = principal_moments(theta);
    c > (a + b) * (1.0 + MOMENT_ROUND_OFF)
}

/// A symmetric map from accelerations to loads in three blocks:
/// `torque = theta alpha + cross a`, `force = cross^T alpha + mass a`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArticulatedInertia {
    /// Block of rotations (kg m^2).
    pub theta: Sym3,
    /// Block that couples torque and acceleration (kg m).
    pub cross: Mat3,
    /// Block of translations (kg).
    pub mass: Sym3,
}

impl ArticulatedInertia {
    /// No inertia.
    pub const ZERO: ArticulatedInertia =
        ArticulatedInertia { theta: Sym3::ZERO, cross: Mat3::ZERO, mass: Sym3::ZERO };

    /// The inertia of a rigid body alone.
    #[inline(always)]
    pub fn from_rigid(r: &RigidInertia) -> ArticulatedInertia {
        ArticulatedInertia {
            theta: r.theta,
            cross: Mat3::skew(r.first_moment),
            mass: Sym3::diagonal(r.mass, r.mass, r.mass),
        }
    }

    /// The load for an acceleration.
    #[inline(always)]
    pub fn mul(&self, x: &Motion) -> Load {
        Load::new(
            self.theta * x.ang + self.cross * x.lin,
            self.cross.transpose_mul(x.ang) + self.mass * x.lin,
        )
    }

    /// The inertia in the axes of A about the origin of A, given in B, with `x_ab`.
    #[inline]
    pub fn transformed(&self, x_ab: &Pose) -> ArticulatedInertia {
        let r = &x_ab.rotation;
        ArticulatedInertia {
            theta: self.theta.rotated(r),
            cross: (*r * self.cross).mul_transpose(r),
            mass: self.mass.rotated(r),
        }
        .shifted(x_ab.translation)
    }

    /// The inertia about a point from which the present reference point is at `d` (m).
    ///
    /// With `a = a' - d~ alpha` and `torque' = torque + d~ force`:
    /// `C' = C + d~ M` and `Theta' = Theta + d~ C'^T - C d~`.
    #[inline(always)]
    pub fn shifted(&self, d: Vec3) -> ArticulatedInertia {
        let c = &self.cross.rows;
        let m = self.mass.to_mat3().rows;
        let n = [
            c[0] + (m[2] * d.y - m[1] * d.z),
            c[1] + (m[0] * d.z - m[2] * d.x),
            c[2] + (m[1] * d.x - m[0] * d.y),
        ];
        // Entry (i, j) of d~ C'^T is (d x row j of C')_i, entry (i, j) of C d~ is (row i of C x d)_j.
        let [p0, p1, p2] = [d.cross(n[0]), d.cross(n[1]), d.cross(n[2])];
        let [s0, s1, s2] = [c[0].cross(d), c[1].cross(d), c[2].cross(d)];
        let t = &self.theta;
        ArticulatedInertia {
            theta: Sym3 {
                xx: t.xx + (p0.x - s0.x),
                yy: t.yy + (p1.y - s1.y),
                zz: t.zz + (p2.z - s2.z),
                xy: t.xy + (p1.x - s0.y),
                xz: t.xz + (p2.x - s0.z),
                yz: t.yz + (p2.y - s1.z),
            },
            cross: Mat3 { rows: n },
            mass: self.mass,
        }
    }

    /// Adds an inertia about the same point.
    #[inline(always)]
    pub fn add(&mut self, b: &ArticulatedInertia) {
        self.theta = self.theta + b.theta;
        self.cross = self.cross + b.cross;
        self.mass = self.mass + b.mass;
    }

    /// Adds a rigid body about the same point.
    #[inline(always)]
    pub fn add_rigid(&mut self, r: &RigidInertia) {
        let c = r.first_moment;
        let n = &mut self.cross.rows;
        self.theta = self.theta + r.theta;
        n[0].y -= c.z;
        n[0].z += c.y;
        n[1].x += c.z;
        n[1].z -= c.x;
        n[2].x -= c.y;
        n[2].y += c.x;
        self.mass.xx += r.mass;
        self.mass.yy += r.mass;
        self.mass.zz += r.mass;
    }

    /// Subtracts the dyad `y y^T s` of a load `y`.
    #[inline(always)]
    pub fn subtract_dyad(&mut self, y: &Load, s: f64) {
        let (a, b) = (y.torque * s, y.force * s);
        self.theta = minus_outer(&self.theta, a, y.torque);
        self.mass = minus_outer(&self.mass, b, y.force);
        let c = &mut self.cross.rows;
        c[0] -= y.force * a.x;
        c[1] -= y.force * a.y;
        c[2] -= y.force * a.z;
    }
}

impl ArticulatedInertia {
    /// Makes `- y y^T s`, which was subtracted, `- (y + n) (y + n)^T s` with the torque `n`.
    #[inline(always)]
    pub fn subtract_carried(&mut self, y: &Load, n: Vec3, s: f64) {
        let (a, half) = (n * s, (y.torque + n * 0.5) * s);
        let t = &mut self.theta;
        t.xx -= 2.0 * half.x * n.x;
        t.yy -= 2.0 * half.y * n.y;
        t.zz -= 2.0 * half.z * n.z;
        t.xy -= half.x * n.y + half.y * n.x;
        t.xz -= half.x * n.z + half.z * n.x;
        t.yz -= half.y * n.z + half.z * n.y;
        let c = &mut self.cross.rows;
        c[0] -= y.force * a.x;
        c[1] -= y.force * a.y;
        c[2] -= y.force * a.z;
    }
}

/// `s - a b^T` for parallel `a` and `b`, whose product is symmetric.
#[inline(always)]
pub(super) fn minus_outer(s: &Sym3, a: Vec3, b: Vec3) -> Sym3 {
    Sym3 {
        xx: s.xx - a.x * b.x,
        yy: s.yy - a.y * b.y,
        zz: s.zz - a.z * b.z,
        xy: s.xy - a.x * b.y,
        xz: s.xz - a.x * b.z,
        yz: s.yz - a.y * b.z,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::vec3;

    /// Round-off of sums of some ten products of numbers up to ten.
    const ROUND_OFF: f64 = 1e-13;

    fn body() -> RigidInertia {
        let x = Pose::new(Mat3::rotation(vec3(0.48, -0.6, 0.64), 0.4), vec3(0.3, -0.2, 0.5));
        RigidInertia::from_centre(2.0, Sym3::diagonal(0.3, 0.4, 0.5), &x)
    }

    #[test]
    fn kinetic_energy_does_not_depend_on_the_reference_point() {
        let x_ab = Pose::new(Mat3::rotation(vec3(0.6, 0.0, 0.8), -1.2), vec3(1.0, 2.0, -0.7));
        let inertia_b = ArticulatedInertia::from_rigid(&body());
        let inertia_a = inertia_b.transformed(&x_ab);
        let y_a = Motion::new(vec3(0.4, -0.1, 0.9), vec3(1.0, 0.5, -0.6));
        let r = &x_ab.rotation;
        let y_b = Motion::new(
            r.transpose_mul(y_a.ang),
            r.transpose_mul(y_a.lin + y_a.ang.cross(x_ab.translation)),
        );
        let difference = y_a.dot(&inertia_a.mul(&y_a)) - y_b.dot(&inertia_b.mul(&y_b));
        assert!(difference.abs() < ROUND_OFF);
    }

    #[test]
    fn rigid_and_articulated_products_agree() {
        let x = Motion::new(vec3(0.4, -0.1, 0.9), vec3(1.0, 0.5, -0.6));
        let rigid = body().mul(&x);
        let mut sum = ArticulatedInertia::ZERO;
        sum.add_rigid(&body());
        let full = sum.mul(&x);
        assert!((rigid - full).torque.max_abs() < ROUND_OFF);
        assert!((rigid - full).force.max_abs() < ROUND_OFF);
    }

    #[test]
    fn impossible_inertias_are_refused() {
        assert!(check_physical(1.0, &Sym3::diagonal(1.0, 1.0, 0.0)).is_ok());
        assert_eq!(check_physical(-1.0, &Sym3::ZERO), Err(BuildError::NegativeMass(-1.0)));
        let indefinite = Sym3 { xy: 2.0, ..Sym3::diagonal(1.0, 1.0, 1.0) };
        assert!(matches!(check_physical(1.0, &indefinite), Err(BuildError::IndefiniteInertia(_))));
        assert!(check_physical(f64::NAN, &Sym3::ZERO).is_err());
        assert!(violates_triangle_inequality(&Sym3::diagonal(1.0, 1.0, 3.0)));
        assert!(!violates_triangle_inequality(&Sym3::diagonal(1.0, 1.0, 2.0)));
    }
}
