//! Complex numbers, as far as a linear solver needs them, and what it needs of any number.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number that a matrix can be factorised in.
pub trait Scalar:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// A size for comparing: within a factor of `sqrt(2)` of the absolute value.
    fn size(self) -> f64;
}

impl Scalar for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    fn size(self) -> f64 {
        self.abs()
    }
}

/// `re + i im`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Complex {
    /// A number of two parts.
    pub const fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    /// A real number times it.
    pub fn scaled(self, factor: f64) -> Self {
        Self::new(self.re * factor, self.im * factor)
    }
}

impl Scalar for Complex {
    const ZERO: Self = Self::new(0.0, 0.0);
    const ONE: Self = Self::new(1.0, 0.0);

    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
}

impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl Neg for Complex {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.re, -self.im)
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}

impl Div for Complex {
    type Output = Self;
    /// Smith's algorithm (1962): divides by the larger part first, so that nothing overflows.
    fn div(self, other: Self) -> Self {
        if other.re.abs() >= other.im.abs() {
            let ratio = other.im / other.re;
            let denominator = other.re + other.im * ratio;
            Self::new(
                (self.re + self.im * ratio) / denominator,
                (self.im - self.re * ratio) / denominator,
            )
        } else {
            let ratio = other.re / other.im;
            let denominator = other.re * ratio + other.im;
            Self::new(
                (self.re * ratio + self.im) / denominator,
                (self.im * ratio - self.re) / denominator,
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_undoes_multiplication() {
        for (a, b) in [((3.0, -4.0), (0.5, 2.0)), ((1e200, 1e200), (1e200, -1e199))] {
            let (a, b) = (Complex::new(a.0, a.1), Complex::new(b.0, b.1));
            let q = a / b;
            let back = q * b;
            // Two roundings of each part.
            assert!((back - a).size() <= 8.0 * f64::EPSILON * a.size());
        }
    }
}
