//! Laurent series in eps = 1/s, cut off after a number of terms, with a bound of the error of each coefficient.
//!
//! They form an ordered field: a series is positive if its first coefficient that is not zero is positive. A coefficient
//! within its bound counts as zero. The bounds follow from a running error analysis (Wilkinson 1963; Higham,
//! *Accuracy and Stability of Numerical Algorithms*, 2002, 3.3).

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Coefficients that are kept.
pub(crate) const TERMS: usize = 12;

/// Unit roundoff.
const UNIT: f64 = f64::EPSILON / 2.0;

/// A coefficient counts as zero up to this times its bound.
const SAFETY: f64 = 4.0;

/// `sum of coefficients[k] eps^(first + k)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Series {
    first: i32,
    len: usize,
    coefficients: [f64; TERMS],
    errors: [f64; TERMS],
    /// Are all further coefficients zero? Else nobody knows them.
    is_whole: bool,
}

impl Series {
    /// 0.
    pub const ZERO: Self =
        Self { first: 0, len: 0, coefficients: [0.0; TERMS], errors: [0.0; TERMS], is_whole: true };

    /// 1.
    pub fn one() -> Self {
        Self::exact(1.0)
    }

    /// A number without error.
    pub fn exact(number: f64) -> Self {
        Self::power(number, 0)
    }

    /// `number * eps^order`.
    pub fn power(number: f64, order: i32) -> Self {
        Self::bounded(order, &[number], &[0.0])
    }

    /// A number that was rounded.
    pub fn rounded(number: f64) -> Self {
        Self::bounded(0, &[number], &[UNIT * number.abs()])
    }

    /// Coefficients from `eps^first` on, with their bounds; all further ones are zero.
    pub fn bounded(first: i32, coefficients: &[f64], errors: &[f64]) -> Self {
        let mut series = Self { first, ..Self::ZERO };
        series.len = coefficients.len().min(TERMS);
        series.is_whole = coefficients.len() <= TERMS;
        series.coefficients[..series.len].copy_from_slice(&coefficients[..series.len]);
        series.errors[..series.len].copy_from_slice(&errors[..series.len]);
        series.trimmed()
    }

    /// Coefficients of which nobody knows the further ones.
    pub fn cut_off(first: i32, coefficients: &[f64], errors: &[f64]) -> Self {
        let mut series = Self { first, is_whole: false, ..Self::ZERO };
        series.len = coefficients.len().min(TERMS);
        series.coefficients[..series.len].copy_from_slice(&coefficients[..series.len]);
        series.errors[..series.len].copy_from_slice(&errors[..series.len]);
        series.trimmed()
    }

    /// The same without zeros at its ends.
    fn trimmed(mut self) -> Self {
        let is_zero = |s: &Self, k: usize| s.coefficients[k] == 0.0 && s.errors[k] == 0.0;
        while self.is_whole && self.len > 0 && is_zero(&self, self.len - 1) {
            self.len -= 1;
        }
        let empty = (0..self.len).take_while(|&k| is_zero(&self, k)).count();
        if empty > 0 {
            self.coefficients.copy_within(empty..self.len, 0);
            self.errors.copy_within(empty..self.len, 0);
            self.len -= empty;
            self.coefficients[self.len..].fill(0.0);
            self.errors[self.len..].fill(0.0);
            self.first += empty as i32;
        }
        if self.len == 0 && self.is_whole {
            self.first = 0;
        }
        self
    }

    /// The order behind the last that is known.
    fn end(&self) -> i32 {
        self.first + self.len as i32
    }

    /// Is it exactly zero?
    pub fn is_nothing(&self) -> bool {
        self.len == 0 && self.is_whole
    }

    /// Are all its coefficients numbers?
    pub fn is_finite(&self) -> bool {
        self.coefficients.iter().chain(&self.errors).all(|x| x.is_finite())
    }

    /// The coefficient of a power and the bound of its error.
    pub fn term(&self, order: i32) -> (f64, f64) {
        let place = order - self.first;
        match usize::try_from(place) {
            Ok(place) if place < self.len => (self.coefficients[place], self.errors[place]),
            _ => (0.0, 0.0),
        }
    }

    /// The coefficient of a power.
    pub fn coefficient(&self, order: i32) -> f64 {
        self.term(order).0
    }

    /// Is the coefficient of a power known?
    pub fn knows(&self, order: i32) -> bool {
        self.is_whole || order < self.end()
    }

    /// The place of the first coefficient that is not zero.
    fn leading_place(&self) -> Option<usize> {
        (0..self.len).find(|&k| self.coefficients[k].abs() > SAFETY * self.errors[k])
    }

    /// Order and value of the first coefficient that is not zero.
    pub fn leading(&self) -> Option<(i32, f64)> {
        self.leading_place().map(|k| (self.first + k as i32, self.coefficients[k]))
    }

    /// The sign of the first coefficient that is not zero.
    pub fn sign(&self) -> Ordering {
        self.leading().map_or(Ordering::Equal, |(_, c)| c.total_cmp(&0.0))
    }

    /// The order by the first coefficient that differs.
    pub fn compare(&self, other: &Self) -> Ordering {
        (*self - *other).sign()
    }

    /// The same without leading coefficients that count as zero: what they multiply would take the place of what counts.
    fn cleared(mut self) -> Self {
        let place = self.leading_place().unwrap_or(self.len);
        self.coefficients[..place].fill(0.0);
        self.errors[..place].fill(0.0);
        self.trimmed()
    }

    /// Room for a result between two orders.
    fn span(first: i32, end: i32, is_whole: bool) -> Self {
        let wanted = usize::try_from(end - first).unwrap_or(0);
        let len = wanted.min(TERMS);
        Self { first, len, is_whole: is_whole && len == wanted, ..Self::ZERO }
    }

    /// The value at a number.
    #[cfg(test)]
    pub fn at(&self, eps: f64) -> f64 {
        (0..self.len).map(|k| self.coefficients[k] * eps.powi(self.first + k as i32)).sum()
    }
}

impl Add for Series {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        if self.is_nothing() {
            return other;
        }
        if other.is_nothing() {
            return self;
        }
        let first = self.first.min(other.first);
        let end = match (self.is_whole, other.is_whole) {
            (true, true) => self.end().max(other.end()),
            (true, false) => other.end(),
            (false, true) => self.end(),
            (false, false) => self.end().min(other.end()),
        };
        let mut sum = Self::span(first, end, self.is_whole && other.is_whole);
        for k in 0..sum.len {
            let order = first + k as i32;
            let ((a, da), (b, db)) = (self.term(order), other.term(order));
            let c = a + b;
            sum.coefficients[k] = c;
            // Zero plus a number is exact.
            let rounding = if a == 0.0 || b == 0.0 { 0.0 } else { UNIT * c.abs() };
            sum.errors[k] = da + db + rounding;
        }
        sum.trimmed()
    }
}

impl Neg for Series {
    type Output = Self;

    fn neg(mut self) -> Self {
        self.coefficients.iter_mut().for_each(|c| *c = -*c);
        self
    }
}

impl Sub for Series {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + (-other)
    }
}

impl Mul for Series {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        if self.is_nothing() || other.is_nothing() {
            return Self::ZERO;
        }
        let (a, b) = (self.cleared(), other.cleared());
        if a.is_nothing() || b.is_nothing() {
            return Self::ZERO;
        }
        let first = a.first + b.first;
        // Beyond what is known of either, times the first term of the other.
        let unknown = |a: &Self, b: &Self| if a.is_whole { i32::MAX } else { a.end() + b.first };
        let whole_end =
            if a.len == 0 || b.len == 0 { i32::MAX } else { first + (a.len + b.len) as i32 - 1 };
        let end = unknown(&a, &b).min(unknown(&b, &a)).min(whole_end);
        let mut product = Self::span(first, end, a.is_whole && b.is_whole);
        for j in 0..a.len.min(product.len) {
            let (x, dx) = (a.coefficients[j], a.errors[j]);
            for k in 0..b.len.min(product.len - j) {
                let (y, dy) = (b.coefficients[k], b.errors[k]);
                product.coefficients[j + k] += x * y;
                // One rounding of the product and one of the sum.
                product.errors[j + k] +=
                    x.abs() * dy + y.abs() * dx + dx * dy + 2.0 * UNIT * (x * y).abs();
            }
        }
        product.trimmed()
    }
}

impl Div for Series {
    type Output = Self;

    /// Long division. Zero divided by anything is zero; a divisor that counts as zero gives no number.
    fn div(self, other: Self) -> Self {
        if self.is_nothing() {
            return Self::ZERO;
        }
        let by = other.cleared();
        let single = by.is_whole && by.len == 1;
        // A coefficient that counts as zero keeps its error where it takes no place from others: it may only be inexact.
        let own = if single { self } else { self.cleared() };
        if by.len == 0 {
            return Self { coefficients: [f64::NAN; TERMS], len: 1, ..Self::ZERO };
        }
        if own.is_nothing() {
            return Self::ZERO;
        }
        let first = own.first - by.first;
        let of_self = if own.is_whole { i32::MAX } else { own.end() - by.first };
        let of_divisor = if by.is_whole { i32::MAX } else { first + by.len as i32 };
        let whole_end = if single { own.end() - by.first } else { first + TERMS as i32 };
        let end = of_self.min(of_divisor).min(whole_end);
        let mut quotient = Self::span(first, end, single && own.is_whole);
        let (b0, db0) = (by.coefficients[0], by.errors[0]);
        for k in 0..quotient.len {
            let (mut rest, mut error) = own.term(own.first + k as i32);
            for j in 1..by.len.min(k + 1) {
                let (b, db) = (by.coefficients[j], by.errors[j]);
                let (c, dc) = (quotient.coefficients[k - j], quotient.errors[k - j]);
                rest -= b * c;
                error += b.abs() * dc + c.abs() * db + db * dc + 2.0 * UNIT * (b * c).abs();
            }
            let c = rest / b0;
            quotient.coefficients[k] = c;
            quotient.errors[k] = (error + c.abs() * db0) / b0.abs() + 2.0 * UNIT * c.abs();
        }
        quotient.trimmed()
    }
}

#[cfg(test)]
#[path = "series/tests.rs"]
mod tests;
