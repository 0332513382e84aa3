//! Quaternions as coordinates of rotations without singularity.
//!
//! Nothing here demands the norm one: `matrix` divides by the norm, and `rates` is homogeneous of
//! degree one, so the rotation that an integrator obtains does not depend on a norm that drifts by
//! its error. `q . q' = 0` holds for every norm, hence the exact flow keeps it. An integrator with
//! memory therefore never needs a projection between steps that would disturb its history.

use super::vector::{Mat3, Vec3, vec3};

/// A quaternion `w + v`, not necessarily of norm one, for the rotation by the angle
/// `2 atan2(|v|, w)` about `v`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion {
    /// Scalar part.
    pub w: f64,
    /// Vector part.
    pub v: Vec3,
}

impl Quaternion {
    /// No rotation.
    pub const IDENTITY: Quaternion = Quaternion { w: 1.0, v: Vec3::ZERO };

    /// From four coordinates, the scalar part first.
    #[inline(always)]
    pub const fn new(w: f64, x: f64, y: f64, z: f64) -> Quaternion {
        Quaternion { w, v: vec3(x, y, z) }
    }

    /// From the first four entries of a slice of coordinates.
    #[inline(always)]
    pub fn from_slice(q: &[f64]) -> Quaternion {
        Quaternion::new(q[0], q[1], q[2], q[3])
    }

    /// The rotation about a unit axis (angle in rad).
    #[inline]
    pub fn from_axis_angle(axis: Vec3, angle: f64) -> Quaternion {
        let (s, c) = (0.5 * angle).sin_cos();
        Quaternion { w: c, v: axis * s }
    }

    /// The four coordinates, the scalar part first.
    #[inline]
    pub fn to_array(self) -> [f64; 4] {
        [self.w, self.v.x, self.v.y, self.v.z]
    }

    /// Square of the norm.
    #[inline(always)]
    pub fn norm_squared(self) -> f64 {
        self.w * self.w + self.v.dot(self.v)
    }

    /// The quaternion of norm one of the same rotation; the identity if there is none.
    #[inline]
    pub fn normalized(self) -> Quaternion {
        let norm = self.norm_squared().sqrt();
        if norm > 0.0 && norm.is_finite() {
            Quaternion { w: self.w / norm, v: self.v * (1.0 / norm) }
        } else {
            Quaternion::IDENTITY
        }
    }

    /// The rotation matrix `1 + 2 (w v~ + v~ v~) / |q|^2`.
    #[inline(always)]
    pub fn matrix(self) -> Mat3 {
        let Quaternion { w, v } = self;
        let s = 2.0 / self.norm_squared();
        let (sx, sy, sz) = (s * v.x, s * v.y, s * v.z);
        let (wx, wy, wz) = (w * sx, w * sy, w * sz);
        let (xx, yy, zz) = (v.x * sx, v.y * sy, v.z * sz);
        let (xy, xz, yz) = (v.x * sy, v.x * sz, v.y * sz);
        Mat3::from_rows(
            vec3(1.0 - (yy + zz), xy - wz, xz + wy),
            vec3(xy + wz, 1.0 - (xx + zz), yz - wx),
            vec3(xz - wy, yz + wx, 1.0 - (xx + yy)),
        )
    }

    /// The unit quaternion of a rotation matrix. The largest of the four components is found from
    /// the diagonal first, so that no digits are lost at half turns (Shepperd 1978).
    #[inline]
    pub fn from_matrix(m: &Mat3) -> Quaternion {
        let [a, b, c] = m.rows;
        let t = [a.x + b.y + c.z, a.x - b.y - c.z, b.y - a.x - c.z, c.z - a.x - b.y];
        let k = (1..4).fold(0, |best, i| if t[i] > t[best] { i } else { best });
        // Four times the products of the components with the largest one.
        let p = match k {
            0 => [1.0 + t[0], c.y - b.z, a.z - c.x, b.x - a.y],
            1 => [c.y - b.z, 1.0 + t[1], a.y + b.x, a.z + c.x],
            2 => [a.z - c.x, a.y + b.x, 1.0 + t[2], b.z + c.y],
            _ => [b.x - a.y, a.z + c.x, b.z + c.y, 1.0 + t[3]],
        };
        Quaternion::new(p[0], p[1], p[2], p[3]).normalized()
    }

    /// The rotation `self` followed by `b` in the turned frame.
    #[inline]
    pub fn times(self, b: Quaternion) -> Quaternion {
        Quaternion {
            w: self.w * b.w - self.v.dot(b.v),
            v: b.v * self.w + self.v * b.w + self.v.cross(b.v),
        }
    }

    /// Time derivative of the four coordinates for an angular velocity in the turned (body) axes
    /// (rad/s): `q' = q (0, w) / 2`.
    #[inline(always)]
    pub fn rates(self, omega: Vec3) -> Quaternion {
        let half = omega * 0.5;
        Quaternion { w: -self.v.dot(half), v: half * self.w + self.v.cross(half) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Round-off of a few products of numbers of size one.
    const ROUND_OFF: f64 = 2e-15;

    fn samples() -> Vec<Quaternion> {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z, vec3(0.48, -0.6, 0.64), vec3(-0.6, 0.0, 0.8)];
        let angles = [0.0, 1e-9, 0.5, 1.5, 3.0, std::f64::consts::PI, -2.9];
        axes.iter()
            .flat_map(|&n| angles.map(|angle| Quaternion::from_axis_angle(n, angle)))
            .collect()
    }

    #[test]
    fn matrix_and_quaternion_return_to_each_other() {
        for q in samples() {
            let back = Quaternion::from_matrix(&q.matrix());
            assert!((back.matrix() - q.matrix()).max_abs() < ROUND_OFF);
        }
    }

    #[test]
    fn the_matrix_does_not_depend_on_the_norm() {
        for q in samples() {
            let long = Quaternion { w: 3.7 * q.w, v: q.v * 3.7 };
            assert!((long.matrix() - q.matrix()).max_abs() < ROUND_OFF);
        }
    }

    #[test]
    fn the_product_is_the_product_of_the_matrices() {
        for a in samples() {
            for b in samples() {
                let difference = a.times(b).matrix() - a.matrix() * b.matrix();
                assert!(difference.max_abs() < 2.0 * ROUND_OFF);
            }
        }
    }

    #[test]
    fn rates_follow_the_body_fixed_angular_velocity_and_keep_the_norm() {
        let omega = vec3(0.3, -1.1, 0.7);
        for q in samples() {
            let rate = q.rates(omega);
            assert!((q.w * rate.w + q.v.dot(rate.v)).abs() < ROUND_OFF);
            // D' = D w~ by central differences: error h^2 |w|^3 / 6 + eps / h = 1e-10.
            let h = 1e-5;
            let at = |s: f64| Quaternion { w: q.w + s * rate.w, v: q.v + rate.v * s }.matrix();
            let numeric = (at(h) - at(-h)).scale(0.5 / h);
            let exact = q.matrix() * Mat3::skew(omega);
            assert!((numeric - exact).max_abs() < 1e-9);
        }
    }
}
