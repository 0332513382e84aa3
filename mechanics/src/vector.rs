//! Vectors and matrices of three dimensions: the scalars of the mechanics.
//!
//! Own types instead of a general matrix library because the sweeps live from three shapes only
//! (vector, square, symmetric), each with a hand-written product that the compiler keeps in
//! registers also in unoptimised test builds. No spatial (six-dimensional) algebra here.

use std::ops::{Add, AddAssign, Index, Mul, Neg, Sub, SubAssign};

/// A vector of three components; the unit is that of its use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3 {
    /// First component.
    pub x: f64,
    /// Second component.
    pub y: f64,
    /// Third component.
    pub z: f64,
}

/// A vector from its three components.
#[inline(always)]
pub const fn vec3(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3 { x, y, z }
}

impl Vec3 {
    /// The zero vector.
    pub const ZERO: Vec3 = vec3(0.0, 0.0, 0.0);
    /// The unit vector of the first axis.
    pub const X: Vec3 = vec3(1.0, 0.0, 0.0);
    /// The unit vector of the second axis.
    pub const Y: Vec3 = vec3(0.0, 1.0, 0.0);
    /// The unit vector of the third axis.
    pub const Z: Vec3 = vec3(0.0, 0.0, 1.0);

    /// Inner product.
    #[inline(always)]
    pub fn dot(self, b: Vec3) -> f64 {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    /// Cross product.
    #[inline(always)]
    pub fn cross(self, b: Vec3) -> Vec3 {
        vec3(self.y * b.z - self.z * b.y, self.z * b.x - self.x * b.z, self.x * b.y - self.y * b.x)
    }

    /// Euclidean length.
    #[inline]
    pub fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// Largest absolute component; NaN counts as infinity so that no check overlooks it.
    #[inline]
    pub fn max_abs(self) -> f64 {
        if self.is_finite() {
            self.x.abs().max(self.y.abs()).max(self.z.abs())
        } else {
            f64::INFINITY
        }
    }

    /// The vector of length one in the same direction; `None` for the zero vector and for
    /// components that are not finite.
    #[inline]
    pub fn normalized(self) -> Option<Vec3> {
        // Scaling first keeps the squares of very small and very large components in range.
        let scale = self.max_abs();
        if scale == 0.0 || !scale.is_finite() {
            return None;
        }
        let unit = vec3(self.x / scale, self.y / scale, self.z / scale);
        Some(unit * (1.0 / unit.norm()))
    }

    /// Whether all components are finite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// The components as an array.
    #[inline]
    pub fn to_array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }
}

impl From<[f64; 3]> for Vec3 {
    #[inline]
    fn from(a: [f64; 3]) -> Vec3 {
        vec3(a[0], a[1], a[2])
    }
}

impl Index<usize> for Vec3 {
    type Output = f64;
    #[inline]
    fn index(&self, i: usize) -> &f64 {
        match i {
            0 => &self.x,
            1 => &self.y,
            _ => &self.z,
        }
    }
}

impl Add for Vec3 {
    type Output = Vec3;
    #[inline(always)]
    fn add(self, b: Vec3) -> Vec3 {
        vec3(self.x + b.x, self.y + b.y, self.z + b.z)
    }
}

impl Sub for Vec3 {
    type Output = Vec3;
    #[inline(always)]
    fn sub(self, b: Vec3) -> Vec3 {
        vec3(self.x - b.x, self.y - b.y, self.z - b.z)
    }
}

impl Neg for Vec3 {
    type Output = Vec3;
    #[inline(always)]
    fn neg(self) -> Vec3 {
        vec3(-self.x, -self.y, -self.z)
    }
}

impl Mul<f64> for Vec3 {
    type Output = Vec3;
    #[inline(always)]
    fn mul(self, s: f64) -> Vec3 {
        vec3(self.x * s, self.y * s, self.z * s)
    }
}

impl AddAssign for Vec3 {
    #[inline(always)]
    fn add_assign(&mut self, b: Vec3) {
        *self = *self + b;
    }
}

impl SubAssign for Vec3 {
    #[inline(always)]
    fn sub_assign(&mut self, b: Vec3) {
        *self = *self - b;
    }
}

/// A square matrix of three rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat3 {
    /// The rows.
    pub rows: [Vec3; 3],
}

impl Mat3 {
    /// The unit matrix.
    pub const IDENTITY: Mat3 = Mat3 { rows: [Vec3::X, Vec3::Y, Vec3::Z] };
    /// The zero matrix.
    pub const ZERO: Mat3 = Mat3 { rows: [Vec3::ZERO; 3] };

    /// The matrix with the given rows.
    #[inline(always)]
    pub const fn from_rows(a: Vec3, b: Vec3, c: Vec3) -> Mat3 {
        Mat3 { rows: [a, b, c] }
    }

    /// The matrix with the given columns.
    #[inline(always)]
    pub fn from_columns(a: Vec3, b: Vec3, c: Vec3) -> Mat3 {
        Mat3::from_rows(a, b, c).transpose()
    }

    /// The matrix `s~` of the cross product: `s~ b = s x b`.
    #[inline(always)]
    pub fn skew(s: Vec3) -> Mat3 {
        Mat3::from_rows(vec3(0.0, -s.z, s.y), vec3(s.z, 0.0, -s.x), vec3(-s.y, s.x, 0.0))
    }

    /// The column with index 0, 1 or 2.
    #[inline(always)]
    pub fn column(&self, j: usize) -> Vec3 {
        vec3(self.rows[0][j], self.rows[1][j], self.rows[2][j])
    }

    /// The transposed matrix.
    #[inline(always)]
    pub fn transpose(&self) -> Mat3 {
        let [a, b, c] = self.rows;
        Mat3::from_rows(vec3(a.x, b.x, c.x), vec3(a.y, b.y, c.y), vec3(a.z, b.z, c.z))
    }

    /// Product of the transposed matrix with a vector.
    #[inline(always)]
    pub fn transpose_mul(&self, v: Vec3) -> Vec3 {
        self.rows[0] * v.x + self.rows[1] * v.y + self.rows[2] * v.z
    }

    /// Product with a matrix whose transpose is given: `self * b^T`.
    #[inline(always)]
    pub fn mul_transpose(&self, b: &Mat3) -> Mat3 {
        let row = |r: Vec3| vec3(r.dot(b.rows[0]), r.dot(b.rows[1]), r.dot(b.rows[2]));
        Mat3::from_rows(row(self.rows[0]), row(self.rows[1]), row(self.rows[2]))
    }

    /// Rotation about the first axis (angle in rad).
    #[inline]
    pub fn rotation_x(angle: f64) -> Mat3 {
        let (s, c) = angle.sin_cos();
        Mat3::from_rows(Vec3::X, vec3(0.0, c, -s), vec3(0.0, s, c))
    }

    /// Rotation about the second axis (angle in rad).
    #[inline]
    pub fn rotation_y(angle: f64) -> Mat3 {
        let (s, c) = angle.sin_cos();
        Mat3::from_rows(vec3(c, 0.0, s), Vec3::Y, vec3(-s, 0.0, c))
    }

    /// Rotation about the third axis (angle in rad).
    #[inline(always)]
    pub fn rotation_z(angle: f64) -> Mat3 {
        let (s, c) = angle.sin_cos();
        Mat3::from_rows(vec3(c, -s, 0.0), vec3(s, c, 0.0), Vec3::Z)
    }

    /// The product with a rotation about the third axis (angle in rad), which mixes two columns
    /// only.
    #[inline(always)]
    pub fn times_rotation_z(&self, angle: f64) -> Mat3 {
        let (s, c) = angle.sin_cos();
        let turn = |r: Vec3| vec3(r.x * c + r.y * s, r.y * c - r.x * s, r.z);
        Mat3::from_rows(turn(self.rows[0]), turn(self.rows[1]), turn(self.rows[2]))
    }

    /// Rotation about a unit axis (angle in rad): `1 + n~ sin q + n~^2 (1 - cos q)`.
    pub fn rotation(axis: Vec3, angle: f64) -> Mat3 {
        let n = Mat3::skew(axis);
        // 1 - cos q = 2 sin^2(q/2) keeps all digits of small angles.
        let half = (0.5 * angle).sin();
        Mat3::IDENTITY + n.scale(angle.sin()) + (n * n).scale(2.0 * half * half)
    }

    /// A right-handed orthonormal matrix whose third column is the unit vector `n`. For `n` on a
    /// coordinate axis the entries are exact zeros and ones.
    pub fn with_third_axis(n: Vec3) -> Mat3 {
        // The coordinate axis least aligned with n gives the best conditioned cross product.
        let (a, b, c) = (n.x.abs(), n.y.abs(), n.z.abs());
        let helper = if b <= a && b <= c {
            Vec3::Y
        } else if a <= c {
            Vec3::X
        } else {
            Vec3::Z
        };
        let x = helper.cross(n).normalized().unwrap_or(Vec3::X);
        Mat3::from_columns(x, n.cross(x), n)
    }

    /// The matrix with every entry multiplied.
    #[inline]
    pub fn scale(&self, s: f64) -> Mat3 {
        Mat3 { rows: self.rows.map(|r| r * s) }
    }

    /// Largest absolute entry; not finite entries count as infinity.
    #[inline]
    pub fn max_abs(&self) -> f64 {
        self.rows.iter().fold(0.0, |m, r| m.max(r.max_abs()))
    }
}

impl Add for Mat3 {
    type Output = Mat3;
    #[inline(always)]
    fn add(self, b: Mat3) -> Mat3 {
        Mat3::from_rows(
            self.rows[0] + b.rows[0],
            self.rows[1] + b.rows[1],
            self.rows[2] + b.rows[2],
        )
    }
}

impl Sub for Mat3 {
    type Output = Mat3;
    #[inline(always)]
    fn sub(self, b: Mat3) -> Mat3 {
        Mat3::from_rows(
            self.rows[0] - b.rows[0],
            self.rows[1] - b.rows[1],
            self.rows[2] - b.rows[2],
        )
    }
}

impl Mul<Vec3> for &Mat3 {
    type Output = Vec3;
    #[inline(always)]
    fn mul(self, v: Vec3) -> Vec3 {
        vec3(self.rows[0].dot(v), self.rows[1].dot(v), self.rows[2].dot(v))
    }
}

impl Mul<Vec3> for Mat3 {
    type Output = Vec3;
    #[inline(always)]
    fn mul(self, v: Vec3) -> Vec3 {
        &self * v
    }
}

impl Mul for Mat3 {
    type Output = Mat3;
    #[inline(always)]
    fn mul(self, b: Mat3) -> Mat3 {
        Mat3 { rows: self.rows.map(|r| b.transpose_mul(r)) }
    }
}

/// A symmetric matrix of three rows, stored by its six independent entries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sym3 {
    /// Diagonal entry of the first axis.
    pub xx: f64,
    /// Diagonal entry of the second axis.
    pub yy: f64,
    /// Diagonal entry of the third axis.
    pub zz: f64,
    /// Entry of first row and second column.
    pub xy: f64,
    /// Entry of first row and third column.
    pub xz: f64,
    /// Entry of second row and third column.
    pub yz: f64,
}

impl Sym3 {
    /// The zero matrix.
    pub const ZERO: Sym3 = Sym3 { xx: 0.0, yy: 0.0, zz: 0.0, xy: 0.0, xz: 0.0, yz: 0.0 };

    /// A diagonal matrix.
    #[inline]
    pub const fn diagonal(xx: f64, yy: f64, zz: f64) -> Sym3 {
        Sym3 { xx, yy, zz, xy: 0.0, xz: 0.0, yz: 0.0 }
    }

    /// The symmetric part of a matrix.
    #[inline]
    pub fn symmetric_part(m: &Mat3) -> Sym3 {
        let [a, b, c] = m.rows;
        Sym3 {
            xx: a.x,
            yy: b.y,
            zz: c.z,
            xy: 0.5 * (a.y + b.x),
            xz: 0.5 * (a.z + c.x),
            yz: 0.5 * (b.z + c.y),
        }
    }

    /// This matrix in full storage.
    #[inline(always)]
    pub fn to_mat3(&self) -> Mat3 {
        Mat3::from_rows(
            vec3(self.xx, self.xy, self.xz),
            vec3(self.xy, self.yy, self.yz),
            vec3(self.xz, self.yz, self.zz),
        )
    }

    /// Sum of the diagonal.
    #[inline(always)]
    pub fn trace(&self) -> f64 {
        self.xx + self.yy + self.zz
    }

    /// The congruence `r S r^T`: the same tensor in the axes to which `r` maps.
    #[inline(always)]
    pub fn rotated(&self, r: &Mat3) -> Sym3 {
        let [a, b, c] = r.rows;
        let (sa, sb, sc) = (*self * a, *self * b, *self * c);
        Sym3 {
            xx: a.dot(sa),
            yy: b.dot(sb),
            zz: c.dot(sc),
            xy: a.dot(sb),
            xz: a.dot(sc),
            yz: b.dot(sc),
        }
    }

    /// Whether all entries are finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        [self.xx, self.yy, self.zz, self.xy, self.xz, self.yz].iter().all(|e| e.is_finite())
    }
}

impl Add for Sym3 {
    type Output = Sym3;
    #[inline(always)]
    fn add(self, b: Sym3) -> Sym3 {
        Sym3 {
            xx: self.xx + b.xx,
            yy: self.yy + b.yy,
            zz: self.zz + b.zz,
            xy: self.xy + b.xy,
            xz: self.xz + b.xz,
            yz: self.yz + b.yz,
        }
    }
}

impl Mul<Vec3> for Sym3 {
    type Output = Vec3;
    #[inline(always)]
    fn mul(self, v: Vec3) -> Vec3 {
        vec3(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few units in the last place of numbers of size one, summed over three products.
    const ROUND_OFF: f64 = 1e-15;

    #[test]
    fn rotation_about_an_axis_agrees_with_the_elementary_rotations() {
        for angle in [-2.5, -1e-9, 0.0, 0.7, 3.0] {
            for (axis, expected) in [
                (Vec3::X, Mat3::rotation_x(angle)),
                (Vec3::Y, Mat3::rotation_y(angle)),
                (Vec3::Z, Mat3::rotation_z(angle)),
            ] {
                assert!((Mat3::rotation(axis, angle) - expected).max_abs() < ROUND_OFF);
            }
        }
    }

    #[test]
    fn third_axis_frames_are_orthonormal_and_exact_on_coordinate_axes() {
        assert_eq!(Mat3::with_third_axis(Vec3::Z), Mat3::IDENTITY);
        for n in [Vec3::X, Vec3::Y, -Vec3::Z, vec3(0.48, -0.6, 0.64)] {
            let r = Mat3::with_third_axis(n);
            assert!((r.mul_transpose(&r) - Mat3::IDENTITY).max_abs() < ROUND_OFF);
            assert!((r.column(0).cross(r.column(1)) - r.column(2)).max_abs() < ROUND_OFF);
            assert_eq!(r.column(2), n);
        }
    }

    #[test]
    fn congruence_of_a_symmetric_matrix_equals_the_full_product() {
        let s = Sym3 { xx: 1.0, yy: 2.0, zz: 3.0, xy: 0.1, xz: -0.2, yz: 0.3 };
        let r = Mat3::rotation(vec3(0.48, -0.6, 0.64), 1.1);
        let full = (r * s.to_mat3()).mul_transpose(&r);
        assert!((s.rotated(&r).to_mat3() - full).max_abs() < 4.0 * ROUND_OFF);
    }

    #[test]
    fn zero_and_not_finite_vectors_have_no_direction() {
        assert_eq!(Vec3::ZERO.normalized(), None);
        assert_eq!(vec3(f64::NAN, 0.0, 1.0).normalized(), None);
        // Components whose squares underflow still have one.
        assert_eq!(vec3(0.0, 1e-300, 0.0).normalized(), Some(Vec3::Y));
    }
}
