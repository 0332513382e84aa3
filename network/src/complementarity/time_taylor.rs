//! Taylor polynomials in the time after an instant, with a bound of the error of each coefficient.
//!
//! Functions follow the recurrences of Moore (*Interval Analysis*, 1966, chapter 11): y' = g(u) u' gives
//! `k y_k = sum of j u_j g_(k-j)`.

use super::series::Series;

/// Coefficients that are kept.
pub(crate) const ORDERS: usize = 8;

/// Unit roundoff, twice: a product and a sum.
const ROUNDING: f64 = f64::EPSILON;

/// `sum of c[k] t^k`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taylor {
    pub c: [f64; ORDERS],
    pub errors: [f64; ORDERS],
    /// Are all further coefficients zero?
    pub is_whole: bool,
}

impl Taylor {
    /// A number that does not change.
    pub fn constant(number: f64) -> Self {
        let mut c = [0.0; ORDERS];
        c[0] = number;
        Self { c, errors: [0.0; ORDERS], is_whole: true }
    }

    /// The time, known up to an error.
    pub fn time(t: f64, error: f64) -> Self {
        let mut time = Self::constant(t);
        time.c[1] = 1.0;
        time.errors[0] = error;
        time
    }

    /// Does it not change?
    pub fn is_constant(&self) -> bool {
        self.is_whole && self.degree() == 0
    }

    fn degree(&self) -> usize {
        (1..ORDERS).rev().find(|&k| self.c[k] != 0.0 || self.errors[k] != 0.0).unwrap_or(0)
    }

    /// The series `s L{.}(s)` in eps = 1/s: t^k becomes k! eps^k.
    pub fn series(&self) -> Series {
        let len = if self.is_whole { self.degree() + 1 } else { ORDERS };
        let (mut c, mut errors) = (self.c, self.errors);
        let mut factorial = 1.0;
        for k in 1..len {
            factorial *= k as f64;
            c[k] *= factorial;
            errors[k] *= factorial;
        }
        // A number of the model itself is as good as its last digit.
        errors[0] += f64::EPSILON * c[0].abs();
        if self.is_whole {
            Series::bounded(0, &c[..len], &errors[..len])
        } else {
            Series::cut_off(0, &c[..len], &errors[..len])
        }
    }

    /// `a * self + b * other`.
    pub fn sum(&self, a: f64, other: &Self, b: f64) -> Self {
        let mut sum = Self { is_whole: self.is_whole && other.is_whole, ..Self::constant(0.0) };
        for k in 0..ORDERS {
            let (x, y) = (a * self.c[k], b * other.c[k]);
            sum.c[k] = x + y;
            let rounding = if x == 0.0 || y == 0.0 { 0.0 } else { ROUNDING * (x.abs() + y.abs()) };
            sum.errors[k] = a.abs() * self.errors[k] + b.abs() * other.errors[k] + rounding;
        }
        sum
    }

    /// A number times it.
    pub fn times(&self, factor: f64) -> Self {
        self.sum(factor, &Self::constant(0.0), 0.0)
    }

    /// The product.
    pub fn product(&self, other: &Self) -> Self {
        let is_whole = self.is_whole && other.is_whole && self.degree() + other.degree() < ORDERS;
        let mut product = Self { is_whole, ..Self::constant(0.0) };
        for j in 0..ORDERS {
            for k in 0..ORDERS - j {
                let (a, b) = (self.c[j], other.c[k]);
                product.c[j + k] += a * b;
                product.errors[j + k] +=
                    a.abs() * other.errors[k] + b.abs() * self.errors[j] + ROUNDING * (a * b).abs();
            }
        }
        product
    }

    /// The quotient.
    pub fn quotient(&self, other: &Self) -> Self {
        if other.is_constant() {
            return self.times(1.0 / other.c[0]);
        }
        let mut quotient = Self { is_whole: false, ..Self::constant(0.0) };
        for k in 0..ORDERS {
            let (mut rest, mut error) = (self.c[k], self.errors[k]);
            for j in 1..=k {
                rest -= other.c[j] * quotient.c[k - j];
                error += other.c[j].abs() * quotient.errors[k - j]
                    + other.errors[j] * quotient.c[k - j].abs()
                    + ROUNDING * (other.c[j] * quotient.c[k - j]).abs();
            }
            quotient.c[k] = rest / other.c[0];
            quotient.errors[k] = (error + quotient.c[k].abs() * other.errors[0]) / other.c[0].abs()
                + ROUNDING * quotient.c[k].abs();
        }
        quotient
    }

    /// The function with this value whose slope is `slope` at this argument.
    fn with_slope(&self, value: f64, slope: &Self) -> Self {
        let mut result = Self { is_whole: false, ..Self::constant(value) };
        result.errors[0] = slope.c[0].abs() * self.errors[0] + ROUNDING * value.abs();
        for k in 1..ORDERS {
            for j in 1..=k {
                let (u, g) = (j as f64 * self.c[j], slope.c[k - j]);
                result.c[k] += u * g / k as f64;
                result.errors[k] += (u.abs() * slope.errors[k - j]
                    + j as f64 * self.errors[j] * g.abs()
                    + ROUNDING * (u * g).abs())
                    / k as f64;
            }
        }
        result
    }

    /// Sine and cosine.
    fn sine_and_cosine(&self) -> (Self, Self) {
        let (sin, cos) = self.c[0].sin_cos();
        let blank = |x: f64| Self { is_whole: false, ..Self::constant(x) };
        let (mut s, mut c) = (blank(sin), blank(cos));
        let own = self.errors[0];
        s.errors[0] = cos.abs() * own + ROUNDING;
        c.errors[0] = sin.abs() * own + ROUNDING;
        for k in 1..ORDERS {
            for j in 1..=k {
                let u = j as f64 * self.c[j] / k as f64;
                let du = j as f64 * self.errors[j] / k as f64;
                s.c[k] += u * c.c[k - j];
                c.c[k] -= u * s.c[k - j];
                s.errors[k] += u.abs() * (c.errors[k - j] + ROUNDING) + du;
                c.errors[k] += u.abs() * (s.errors[k - j] + ROUNDING) + du;
            }
        }
        (s, c)
    }

    /// e to it.
    fn exponential(&self) -> Self {
        let mut result = Self { is_whole: false, ..Self::constant(self.c[0].exp()) };
        result.errors[0] = result.c[0] * (self.errors[0] + ROUNDING);
        for k in 1..ORDERS {
            for j in 1..=k {
                let u = j as f64 * self.c[j] / k as f64;
                result.c[k] += u * result.c[k - j];
                result.errors[k] += u.abs() * result.errors[k - j]
                    + (j as f64 * self.errors[j] / k as f64 + ROUNDING * u.abs())
                        * result.c[k - j].abs();
            }
        }
        result
    }

    /// A power with a constant exponent: u y' = r y u'.
    pub fn power(&self, exponent: f64) -> Self {
        let mut result = Self { is_whole: false, ..Self::constant(self.c[0].powf(exponent)) };
        let relative = exponent.abs() * self.errors[0] / self.c[0].abs() + ROUNDING;
        result.errors[0] = result.c[0].abs() * relative;
        for k in 1..ORDERS {
            for j in 1..=k {
                let weight = (exponent * j as f64 - (k - j) as f64) / k as f64;
                let u = weight * self.c[j] / self.c[0];
                result.c[k] += u * result.c[k - j];
                result.errors[k] += u.abs() * result.errors[k - j]
                    + (weight * self.errors[j] / self.c[0]).abs() * result.c[k - j].abs()
                    + u.abs() * (relative + ROUNDING) * result.c[k - j].abs();
            }
        }
        result
    }

    /// A function of the language. What only takes steps does not change.
    pub fn function(&self, name: &str, value: f64) -> Self {
        let one = Self::constant(1.0);
        let square = || self.product(self);
        let half = |sign: f64| {
            let (up, down) = (self.exponential(), self.times(-1.0).exponential());
            up.sum(0.5, &down, 0.5 * sign)
        };
        match name {
            _ if self.is_constant() && self.errors[0] == 0.0 => Self::constant(value),
            "sin" => self.sine_and_cosine().0,
            "cos" => self.sine_and_cosine().1,
            "tan" => {
                let (sine, cosine) = self.sine_and_cosine();
                sine.quotient(&cosine)
            }
            "asin" => self.with_slope(value, &one.sum(1.0, &square(), -1.0).power(-0.5)),
            "acos" => {
                self.with_slope(value, &one.sum(1.0, &square(), -1.0).power(-0.5).times(-1.0))
            }
            "atan" => self.with_slope(value, &one.quotient(&one.sum(1.0, &square(), 1.0))),
            "sinh" => half(-1.0),
            "cosh" => half(1.0),
            "tanh" => half(-1.0).quotient(&half(1.0)),
            "exp" => self.exponential(),
            "log" => self.with_slope(value, &one.quotient(self)),
            "log10" => self.with_slope(value, &one.quotient(self).times(std::f64::consts::LOG10_E)),
            "sqrt" => self.power(0.5),
            "abs" => self.times(if self.c[0] < 0.0 { -1.0 } else { 1.0 }),
            _ => Self::constant(value),
        }
    }
}

/// First derivative of a function of the language.
pub(crate) fn slope(name: &str, x: f64) -> f64 {
    // The second coefficient of the function of x + t.
    let mut at = Taylor::constant(x);
    at.c[1] = 1.0;
    at.function(name, f64::NAN).c[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_follow_their_differential_equations() {
        // At 0.3 + 2 t, against differences of the function itself with 4th order and step 1e-3.
        let mut u = Taylor::constant(0.3);
        u.c[1] = 2.0;
        type F = fn(f64) -> f64;
        let list: [(&str, F); 13] = [
            ("sin", f64::sin),
            ("cos", f64::cos),
            ("tan", f64::tan),
            ("asin", f64::asin),
            ("acos", f64::acos),
            ("atan", f64::atan),
            ("sinh", f64::sinh),
            ("cosh", f64::cosh),
            ("tanh", f64::tanh),
            ("exp", f64::exp),
            ("log", f64::ln),
            ("log10", f64::log10),
            ("sqrt", f64::sqrt),
        ];
        for (name, f) in list {
            let y = u.function(name, f(0.3));
            let h = 1e-2f64;
            let sum: f64 = y.c.iter().enumerate().map(|(k, c)| c * h.powi(k as i32)).sum();
            // The first term that is left out: coefficients grow at most as (2/0.3)^8.
            let bound = (2.0 * h / 0.3f64).powi(8) * 2.0;
            assert!((sum - f(0.3 + 2.0 * h)).abs() < bound, "{name}: {sum}");
        }
    }

    #[test]
    fn a_sine_is_a_series_of_its_rates() {
        let w = 314.0;
        let angle = Taylor::time(0.02, 1e-18).times(w);
        let series = angle.function("sin", (w * 0.02f64).sin()).series();
        let rate = w * (w * 0.02f64).cos();
        assert!((series.coefficient(1) - rate).abs() < 1e-12 * w);
        assert!((series.coefficient(2) + w * w * (w * 0.02f64).sin()).abs() < 1e-12 * w * w);
    }
}
