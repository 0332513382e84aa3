//! Numbers that carry their first and second derivative with respect to one variable, and points made of
//! them: a position written down once also gives velocity and acceleration.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Value, first and second derivative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taylor(pub f64, pub f64, pub f64);

impl Taylor {
    /// The variable itself.
    pub fn variable(value: f64) -> Self {
        Self(value, 1.0, 0.0)
    }

    /// A function of this number, by its own value and derivatives at it: the chain rule.
    fn chain(self, f: f64, df: f64, ddf: f64) -> Self {
        Self(f, df * self.1, df * self.2 + ddf * self.1 * self.1)
    }

    /// Sine.
    pub fn sin(self) -> Self {
        let (sin, cos) = self.0.sin_cos();
        self.chain(sin, cos, -sin)
    }

    /// Cosine.
    pub fn cos(self) -> Self {
        let (sin, cos) = self.0.sin_cos();
        self.chain(cos, -sin, -cos)
    }

    /// Square root.
    pub fn sqrt(self) -> Self {
        let root = self.0.sqrt();
        self.chain(root, 0.5 / root, -0.25 / (root * self.0))
    }
}

impl From<f64> for Taylor {
    fn from(value: f64) -> Self {
        Self(value, 0.0, 0.0)
    }
}

impl Add for Taylor {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Self(self.0 + b.0, self.1 + b.1, self.2 + b.2)
    }
}

impl Sub for Taylor {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        self + -b
    }
}

impl Neg for Taylor {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0, -self.1, -self.2)
    }
}

impl Mul for Taylor {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        let second = self.2 * b.0 + 2.0 * self.1 * b.1 + self.0 * b.2;
        Self(self.0 * b.0, self.1 * b.0 + self.0 * b.1, second)
    }
}

impl Mul<f64> for Taylor {
    type Output = Self;
    fn mul(self, b: f64) -> Self {
        Self(self.0 * b, self.1 * b, self.2 * b)
    }
}

impl Div for Taylor {
    type Output = Self;
    fn div(self, b: Self) -> Self {
        let inverse = 1.0 / b.0;
        self * b.chain(inverse, -inverse * inverse, 2.0 * inverse.powi(3))
    }
}

/// A point or a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point(pub [Taylor; 3]);

/// A point of three numbers.
pub fn point(x: impl Into<Taylor>, y: impl Into<Taylor>, z: impl Into<Taylor>) -> Point {
    Point([x.into(), y.into(), z.into()])
}

impl Point {
    fn map(self, f: impl Fn(Taylor) -> Taylor) -> Self {
        Self(self.0.map(f))
    }

    /// Scalar product.
    pub fn dot(self, b: Self) -> Taylor {
        self.0[0] * b.0[0] + self.0[1] * b.0[1] + self.0[2] * b.0[2]
    }

    /// Vector product.
    pub fn cross(self, b: Self) -> Self {
        let ([a, b], next) = ([self.0, b.0], [1, 2, 0]);
        Self([0, 1, 2].map(|i: usize| {
            let (j, k) = (next[i], next[next[i]]);
            a[j] * b[k] - a[k] * b[j]
        }))
    }

    /// Length.
    pub fn norm(self) -> Taylor {
        self.dot(self).sqrt()
    }

    /// The direction of a vector.
    pub fn unit(self) -> Self {
        let length = self.norm();
        self.map(|x| x / length)
    }

    /// The values.
    pub fn value(self) -> [f64; 3] {
        self.0.map(|x| x.0)
    }

    /// The first derivatives.
    pub fn first(self) -> [f64; 3] {
        self.0.map(|x| x.1)
    }

    /// The second derivatives.
    pub fn second(self) -> [f64; 3] {
        self.0.map(|x| x.2)
    }
}

impl Add for Point {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Self([0, 1, 2].map(|i: usize| self.0[i] + b.0[i]))
    }
}

impl Sub for Point {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        Self([0, 1, 2].map(|i: usize| self.0[i] - b.0[i]))
    }
}

impl Mul<f64> for Point {
    type Output = Self;
    fn mul(self, b: f64) -> Self {
        self.map(|x| x * b)
    }
}

impl Mul<Taylor> for Point {
    type Output = Self;
    fn mul(self, b: Taylor) -> Self {
        self.map(|x| x * b)
    }
}
