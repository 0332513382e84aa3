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
        Self::with_terms(first, coefficients, errors, coefficients.len() <= TERMS)
    }

    /// Coefficients of which nobody knows the further ones.
    pub fn cut_off(first: i32, coefficients: &[f64], errors: &[f64]) -> Self {
        Self::with_terms(first, coefficients, errors, false)
    }

    fn with_terms(first: i32, coefficients: &[f64], errors: &[f64], is_whole: bool) -> Self {
        let mut series = Self { first, is_whole, ..Self::ZERO };
        series.len = coefficients.len().min(TERMS);
        series.coefficients[..series.len].copy_from_slice(&coefficients[..series.len]);
        series.errors[..series.len].copy_from_slice(&errors[..series.len]);
        series.trim();
        series
    }

    /// Takes zeros at the ends away.
    fn trim(&mut self) {
        let is_zero = |s: &Self, k: usize| s.coefficients[k] == 0.0 && s.errors[k] == 0.0;
        while self.is_whole && self.len > 0 && is_zero(self, self.len - 1) {
            self.len -= 1;
        }
        let empty = (0..self.len).take_while(|&k| is_zero(self, k)).count();
        if empty > 0 {
            self.coefficients.copy_within(empty..self.len, 0);
            self.errors.copy_within(empty..self.len, 0);
            self.len -= empty;
            self.first += empty as i32;
        }
        if self.len == 0 && self.is_whole {
            self.first = 0;
        }
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
        let (coefficients, errors) = (&self.coefficients[..self.len], &self.errors[..self.len]);
        coefficients.iter().chain(errors).all(|x| x.is_finite())
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
        (self - other).sign()
    }

    /// All terms.
    fn all(&self) -> Terms<'_> {
        self.terms_from(0)
    }

    /// The terms without leading ones that count as zero: what these multiply would take the place of what counts.
    fn counting(&self) -> Terms<'_> {
        self.terms_from(self.leading_place().unwrap_or(self.len))
    }

    fn terms_from(&self, place: usize) -> Terms<'_> {
        Terms {
            first: self.first + place as i32,
            coefficients: &self.coefficients[place..self.len],
            errors: &self.errors[place..self.len],
            is_whole: self.is_whole,
        }
    }

    /// Subtracts a product.
    pub fn subtract_product(&mut self, a: &Self, b: &Self) {
        *self = &*self - &(a * b);
    }

    /// `a + sign b`, where the sign is 1 or -1.
    fn sum(a: &Self, b: &Self, sign: f64) -> Self {
        if b.is_nothing() {
            return *a;
        }
        if a.is_nothing() {
            let mut sum = *b;
            sum.coefficients[..b.len].iter_mut().for_each(|c| *c *= sign);
            return sum;
        }
        let first = a.first.min(b.first);
        let end = match (a.is_whole, b.is_whole) {
            (true, true) => a.end().max(b.end()),
            (true, false) => b.end(),
            (false, true) => a.end(),
            (false, false) => a.end().min(b.end()),
        };
        let mut sum = Self::span(first, end, a.is_whole && b.is_whole);
        // Places behind the first term of each.
        let (behind_a, behind_b) = ((a.first - first) as usize, (b.first - first) as usize);
        let (a, b) = (a.all(), b.all());
        for k in 0..sum.len {
            let (x, dx) = a.at(k.wrapping_sub(behind_a));
            let (y, dy) = b.at(k.wrapping_sub(behind_b));
            let c = x + sign * y;
            sum.coefficients[k] = c;
            // Zero plus a number is exact.
            let rounding = if x == 0.0 || y == 0.0 { 0.0 } else { UNIT * c.abs() };
            sum.errors[k] = dx + dy + rounding;
        }
        sum.trim();
        sum
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

/// Terms of a series, all or from one of them on.
#[derive(Clone, Copy)]
struct Terms<'a> {
    first: i32,
    coefficients: &'a [f64],
    errors: &'a [f64],
    is_whole: bool,
}

impl Terms<'_> {
    fn len(&self) -> usize {
        self.coefficients.len()
    }

    fn is_nothing(&self) -> bool {
        self.len() == 0 && self.is_whole
    }

    fn end(&self) -> i32 {
        self.first + self.len() as i32
    }

    /// A coefficient and the bound of its error, by place.
    fn at(&self, place: usize) -> (f64, f64) {
        match self.coefficients.get(place) {
            Some(c) => (*c, self.errors[place]),
            None => (0.0, 0.0),
        }
    }
}

impl Add for &Series {
    type Output = Series;

    fn add(self, other: Self) -> Series {
        Series::sum(self, other, 1.0)
    }
}

impl Sub for &Series {
    type Output = Series;

    fn sub(self, other: Self) -> Series {
        Series::sum(self, other, -1.0)
    }
}

impl Mul for &Series {
    type Output = Series;

    fn mul(self, other: Self) -> Series {
        if self.is_nothing() || other.is_nothing() {
            return Series::ZERO;
        }
        let (a, b) = (self.counting(), other.counting());
        if a.is_nothing() || b.is_nothing() {
            return Series::ZERO;
        }
        let first = a.first + b.first;
        // Beyond what is known of either, times the first term of the other.
        let unknown =
            |a: Terms<'_>, b: Terms<'_>| if a.is_whole { i32::MAX } else { a.end() + b.first };
        let whole_end = match a.len() == 0 || b.len() == 0 {
            true => i32::MAX,
            false => first + (a.len() + b.len()) as i32 - 1,
        };
        let end = unknown(a, b).min(unknown(b, a)).min(whole_end);
        let mut product = Series::span(first, end, a.is_whole && b.is_whole);
        for (j, (x, dx)) in a.coefficients.iter().zip(a.errors).enumerate().take(product.len) {
            // Many series have gaps.
            if *x == 0.0 && *dx == 0.0 {
                continue;
            }
            let (coefficients, errors) =
                (&mut product.coefficients[j..product.len], &mut product.errors[j..product.len]);
            let own = coefficients.iter_mut().zip(errors);
            for ((c, error), (y, dy)) in own.zip(b.coefficients.iter().zip(b.errors)) {
                *c += x * y;
                // One rounding of the product and one of the sum.
                *error += x.abs() * dy + y.abs() * dx + dx * dy + 2.0 * UNIT * (x * y).abs();
            }
        }
        product.trim();
        product
    }
}

impl Div for &Series {
    type Output = Series;

    /// Long division. Zero divided by anything is zero; a divisor that counts as zero gives no number.
    fn div(self, other: Self) -> Series {
        if self.is_nothing() {
            return Series::ZERO;
        }
        let by = other.counting();
        let single = by.is_whole && by.len() == 1;
        // A coefficient that counts as zero keeps its error where it takes no place from others: it may only be inexact.
        let own = if single { self.all() } else { self.counting() };
        if by.len() == 0 {
            return Series { coefficients: [f64::NAN; TERMS], len: 1, ..Series::ZERO };
        }
        if own.is_nothing() {
            return Series::ZERO;
        }
        let first = own.first - by.first;
        let of_self = if own.is_whole { i32::MAX } else { own.end() - by.first };
        let of_divisor = if by.is_whole { i32::MAX } else { first + by.len() as i32 };
        let whole_end = if single { own.end() - by.first } else { first + TERMS as i32 };
        let end = of_self.min(of_divisor).min(whole_end);
        let mut quotient = Series::span(first, end, single && own.is_whole);
        let (b0, db0) = by.at(0);
        for k in 0..quotient.len {
            let (mut rest, mut error) = own.at(k);
            for j in 1..by.len().min(k + 1) {
                let (b, db) = by.at(j);
                if b == 0.0 && db == 0.0 {
                    continue;
                }
                let (c, dc) = (quotient.coefficients[k - j], quotient.errors[k - j]);
                rest -= b * c;
                error += b.abs() * dc + c.abs() * db + db * dc + 2.0 * UNIT * (b * c).abs();
            }
            let c = rest / b0;
            quotient.coefficients[k] = c;
            quotient.errors[k] = (error + c.abs() * db0) / b0.abs() + 2.0 * UNIT * c.abs();
        }
        quotient.trim();
        quotient
    }
}

impl Neg for Series {
    type Output = Self;

    fn neg(mut self) -> Self {
        self.coefficients[..self.len].iter_mut().for_each(|c| *c = -*c);
        self
    }
}

/// An operation of two series themselves, by the one of references.
macro_rules! by_value {
    ($($operation:ident $method:ident,)*) => {
        $(impl $operation for Series {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                (&self).$method(&other)
            }
        })*
    };
}

by_value! { Add add, Sub sub, Mul mul, Div div, }

#[cfg(test)]
#[path = "series/tests.rs"]
mod tests;
