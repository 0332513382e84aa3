//! Several complex numbers side by side, one for each of several matrices of the same pattern.
//!
//! Real and imaginary parts lie apart, so that one operation works on neighbours.

use super::complex::Complex;

/// `L` complex numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(16))]
pub struct Lanes<const L: usize> {
    pub re: [f64; L],
    pub im: [f64; L],
}

impl<const L: usize> Lanes<L> {
    pub const ZERO: Self = Self { re: [0.0; L], im: [0.0; L] };

    /// One real number in all lanes.
    #[inline]
    pub fn real(x: f64) -> Self {
        Self { re: [x; L], im: [0.0; L] }
    }

    pub fn from_numbers(numbers: &[Complex; L]) -> Self {
        Self { re: numbers.map(|x| x.re), im: numbers.map(|x| x.im) }
    }

    #[inline]
    pub fn lane(&self, lane: usize) -> Complex {
        Complex::new(self.re[lane], self.im[lane])
    }

    #[inline]
    pub fn set_lane(&mut self, lane: usize, x: Complex) {
        (self.re[lane], self.im[lane]) = (x.re, x.im);
    }

    #[inline]
    pub fn add(&mut self, other: &Self) {
        for k in 0..L {
            self.re[k] += other.re[k];
            self.im[k] += other.im[k];
        }
    }

    #[inline]
    pub fn scale(&mut self, factor: f64) {
        self.re.iter_mut().chain(&mut self.im).for_each(|x| *x *= factor);
    }

    /// Adds a multiple.
    #[inline]
    pub fn add_multiple(&mut self, other: &Self, factor: f64) {
        for k in 0..L {
            self.re[k] += factor * other.re[k];
            self.im[k] += factor * other.im[k];
        }
    }

    #[inline]
    pub fn product(&self, other: &Self) -> Self {
        let mut product = Self::ZERO;
        for k in 0..L {
            product.re[k] = self.re[k] * other.re[k] - self.im[k] * other.im[k];
            product.im[k] = self.re[k] * other.im[k] + self.im[k] * other.re[k];
        }
        product
    }

    /// Subtracts a product.
    #[inline]
    pub fn subtract(&mut self, a: &Self, b: &Self) {
        for k in 0..L {
            self.re[k] -= a.re[k] * b.re[k] - a.im[k] * b.im[k];
            self.im[k] -= a.re[k] * b.im[k] + a.im[k] * b.re[k];
        }
    }

    /// Sizes for comparing: within a factor of `sqrt(2)` of the absolute values.
    #[inline]
    pub fn sizes(&self) -> [f64; L] {
        let mut sizes = self.re.map(f64::abs);
        sizes.iter_mut().zip(&self.im).for_each(|(size, im)| *size += im.abs());
        sizes
    }

    /// Reciprocals; `None` if the square of one is out of the range of the numbers.
    #[inline]
    pub fn reciprocal(&self) -> Option<Self> {
        let (mut reciprocal, mut is_in_range) = (Self::ZERO, true);
        for k in 0..L {
            let square = self.re[k] * self.re[k] + self.im[k] * self.im[k];
            is_in_range &= (f64::MIN_POSITIVE..=f64::MAX).contains(&square);
            let scale = 1.0 / square;
            reciprocal.re[k] = self.re[k] * scale;
            reciprocal.im[k] = -self.im[k] * scale;
        }
        is_in_range.then_some(reciprocal)
    }
}

#[cfg(test)]
mod tests {
    use super::super::complex::Scalar;
    use super::*;

    #[test]
    fn lanes_calculate_like_single_numbers() {
        let a = [Complex::new(2.0, 0.0), Complex::new(-0.3, 4.0), Complex::new(1e-9, -5.0)];
        let b = [Complex::new(-7.0, 0.0), Complex::new(1e6, 0.1), Complex::new(0.7, 0.9)];
        let (many, others) = (Lanes::from_numbers(&a), Lanes::from_numbers(&b));
        let product = many.product(&others);
        let mut rest = many;
        rest.subtract(&many, &others);
        let mut sum = many;
        sum.add(&others);
        let reciprocal = many.reciprocal();
        for k in 0..3 {
            assert_eq!(product.lane(k), a[k] * b[k]);
            assert_eq!(rest.lane(k), a[k] - a[k] * b[k]);
            assert_eq!(sum.lane(k), a[k] + b[k]);
            assert_eq!(many.sizes()[k], a[k].size());
            let off = reciprocal.map(|x| (x.lane(k) * a[k] - Complex::ONE).size());
            // A few roundings.
            assert!(off.is_some_and(|off| off < 8.0 * f64::EPSILON), "{k} {off:?}");
        }
    }

    #[test]
    fn numbers_out_of_range_have_no_reciprocal() {
        for x in [0.0, 1e-170, 1e170, f64::INFINITY, f64::NAN] {
            let numbers = [Complex::ONE, Complex::new(0.0, x)];
            assert_eq!(Lanes::from_numbers(&numbers).reciprocal(), None, "{x}");
        }
    }
}
