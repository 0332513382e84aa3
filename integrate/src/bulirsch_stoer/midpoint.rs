//! Rows of the modified midpoint rule over one step, and the polynomial that they define inside.
//!
//! Dense output after Hairer & Ostermann 1990 (Hairer, Norsett, Wanner, *Solving ODEs I*, II.9):
//! derivatives of the solution at the middle of the step are central differences of the stored
//! derivatives, extrapolated like the solution itself; with the values and slopes at both ends
//! they fix a polynomial.
//!
//! Not here: error estimates and control (`mod.rs`).

use super::super::problem::check_finite;
use super::super::step_polynomial::hermite;
use super::super::{EvaluationError, HybridSystem};

/// Rows of the extrapolation table.
pub(super) const ROWS: usize = 8;
/// Substeps per row: even, with odd halves.
pub(super) const SUBSTEPS: [usize; ROWS] = [2, 6, 10, 14, 18, 22, 26, 30];
/// First stored derivative of each row, in units of the system's length, and the total.
const OFFSETS: [usize; ROWS + 1] = [0, 2, 8, 18, 32, 50, 72, 98, 128];
/// Most derivatives at the middle that a step can give.
const MAX_TERMS: usize = 2 * ROWS;

/// One step with all its midpoint rows.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct MidpointRows {
    n: usize,
    pub t0: f64,
    pub t1: f64,
    /// Size of the step as it was computed; `t1 - t0` is rounded.
    pub h: f64,
    pub y0: Vec<f64>,
    pub f0: Vec<f64>,
    pub y1: Vec<f64>,
    pub f1: Vec<f64>,
    /// Result of the row filled last.
    pub end: Vec<f64>,
    behind: Vec<f64>,
    derivatives: Vec<f64>,
    middles: Vec<f64>,
    /// Row in which the step converged.
    row: usize,
    prepared: bool,
    /// Taylor coefficients at the middle, `d^k y/ds^k / k!`, coefficient by coefficient.
    taylor: Vec<f64>,
    /// The rest of the polynomial, `s^terms A(s)`: values and slopes of the cubic `A` at both ends.
    rest: Vec<[f64; 4]>,
}

impl MidpointRows {
    pub fn new(n: usize) -> Self {
        let zero = |k: usize| vec![0.0; k * n];
        Self {
            n,
            t0: 0.0,
            t1: 0.0,
            h: 0.0,
            y0: zero(1),
            f0: zero(1),
            y1: zero(1),
            f1: zero(1),
            end: zero(1),
            behind: zero(1),
            derivatives: zero(OFFSETS[ROWS]),
            middles: zero(ROWS),
            row: 0,
            prepared: false,
            taylor: zero(MAX_TERMS),
            rest: vec![[0.0; 4]; n],
        }
    }

    pub fn reset(&mut self, t: f64, y: &[f64], f: &[f64]) {
        self.t0 = t;
        self.t1 = t;
        self.y1.copy_from_slice(y);
        self.f1.copy_from_slice(f);
    }

    /// The end of the last step becomes the beginning of the next.
    pub fn turn_over(&mut self) {
        self.t0 = self.t1;
        std::mem::swap(&mut self.y0, &mut self.y1);
        std::mem::swap(&mut self.f0, &mut self.f1);
    }

    /// Undoes `turn_over` after a trial that failed.
    pub fn turn_back(&mut self) {
        self.t1 = self.t0;
        std::mem::swap(&mut self.y0, &mut self.y1);
        std::mem::swap(&mut self.f0, &mut self.f1);
    }

    pub fn complete(&mut self, t1: f64, h: f64, row: usize) {
        self.t1 = t1;
        self.h = h;
        self.row = row;
        self.prepared = false;
    }

    /// `y_1 = y_0 + h f_0`, `y_{i+1} = y_{i-1} + 2h f(t_i, y_i)`; keeps all derivatives and the
    /// middle value. Returns the number of evaluations.
    pub fn fill(
        &mut self,
        problem: &mut dyn HybridSystem,
        j: usize,
        span: f64,
    ) -> Result<u64, EvaluationError> {
        let (n, substeps) = (self.n, SUBSTEPS[j]);
        let h = span / substeps as f64;
        let derivatives = &mut self.derivatives[OFFSETS[j] * n..OFFSETS[j + 1] * n];
        derivatives[..n].copy_from_slice(&self.f0);
        self.behind.copy_from_slice(&self.y0);
        // One step of Euler's explicit method starts the midpoint rule.
        for l in 0..n {
            self.end[l] = self.y0[l] + h * self.f0[l];
        }
        for i in 1..substeps {
            if i == substeps / 2 {
                self.middles[j * n..(j + 1) * n].copy_from_slice(&self.end);
            }
            let f = &mut derivatives[i * n..(i + 1) * n];
            problem.derivatives(self.t0 + i as f64 * h, &self.end, f)?;
            check_finite(f)?;
            for ((behind, end), f) in self.behind.iter_mut().zip(&mut self.end).zip(f) {
                let ahead = *behind + 2.0 * h * *f;
                *behind = *end;
                *end = ahead;
            }
        }
        Ok(substeps as u64 - 1)
    }

    /// Terms of the Taylor part for a step that converged in row j: with these the polynomial has
    /// degree 2j + 3, one more than the order of the step needs.
    fn terms(&self) -> usize {
        2 * self.row
    }

    /// Computes the polynomial of the completed step, once.
    pub fn fill_polynomial(&mut self) {
        if self.prepared {
            return;
        }
        self.prepared = true;
        for l in 0..self.n {
            // Coefficient k is h^k/k! times the k-th derivative at the middle.
            let mut factor = 1.0;
            for k in 0..self.terms() {
                if k > 0 {
                    factor *= (self.t1 - self.t0) / k as f64;
                }
                self.taylor[k * self.n + l] = factor * self.middle_derivative(k, l);
            }
            self.rest[l] = self.rest_at_ends(l);
        }
    }

    /// k-th derivative at the middle of component l: row values extrapolated to step zero.
    fn middle_derivative(&self, k: usize, l: usize) -> f64 {
        // Row j has enough points for derivative k from j = k/2 on; the rows are extrapolated by Neville's scheme.
        let first = k / 2;
        let mut table = [0.0; ROWS];
        for j in first..=self.row {
            let mut value = self.row_derivative(j, k, l);
            let mut above = table[0];
            table[0] = value;
            for i in 1..=j - first {
                let quotient = SUBSTEPS[j] as f64 / SUBSTEPS[j - i] as f64;
                let next = value + (value - above) / (quotient * quotient - 1.0);
                above = table[i];
                table[i] = next;
                value = next;
            }
        }
        table[self.row - first]
    }

    /// Row j's value of the k-th derivative: the middle value itself, or the central difference of
    /// order k - 1 with spacing 2h, `sum_r (-1)^r binomial(k-1, r) f_{m+k-1-2r} / (2h)^{k-1}`.
    fn row_derivative(&self, j: usize, k: usize, l: usize) -> f64 {
        let n = self.n;
        if k == 0 {
            return self.middles[j * n + l];
        }
        let (order, middle) = (k - 1, SUBSTEPS[j] / 2);
        let spacing = 2.0 * (self.t1 - self.t0) / SUBSTEPS[j] as f64;
        let mut binomial = 1.0;
        let mut sum = 0.0;
        for r in 0..=order {
            let index = OFFSETS[j] + middle + order - 2 * r;
            sum += binomial * self.derivatives[index * n + l];
            binomial *= -((order - r) as f64) / (r + 1) as f64;
        }
        sum / spacing.powi(order as i32)
    }

    /// Taylor part and its derivative by `s` at `s` in [-1/2, 1/2].
    fn taylor_part(&self, s: f64, l: usize) -> (f64, f64) {
        let (mut value, mut slope) = (0.0, 0.0);
        for k in (0..self.terms()).rev() {
            slope = slope * s + value;
            value = value * s + self.taylor[k * self.n + l];
        }
        (value, slope)
    }

    /// Ends of the cubic `A` in `y(s) = taylor(s) + s^p A(s)`: from the values and slopes that the
    /// Taylor part misses at `s = -1/2` and `s = 1/2`.
    fn rest_at_ends(&self, l: usize) -> [f64; 4] {
        let (h, p) = (self.t1 - self.t0, self.terms() as i32);
        let end = |s: f64, y: f64, f: f64| {
            let (value, slope) = self.taylor_part(s, l);
            let a = (y - value) / s.powi(p);
            // (s^p A)' = s^(p-1) (p A + s A')
            (a, ((h * f - slope) / s.powi(p - 1) - f64::from(p) * a) / s)
        };
        let (a0, slope0) = end(-0.5, self.y0[l], self.f0[l]);
        let (a1, slope1) = end(0.5, self.y1[l], self.f1[l]);
        [a0, a1, slope0, slope1]
    }

    /// Writes value and derivative at `t`; the polynomial must be filled.
    pub fn interpolate(&self, t: f64, y: &mut [f64], ydot: &mut [f64]) {
        let (h, p) = (self.t1 - self.t0, self.terms() as i32);
        let theta = (t - self.t0) / h;
        let s = theta - 0.5;
        let (power, power_below) = (s.powi(p), s.powi(p - 1));
        for l in 0..y.len() {
            let (value, slope) = self.taylor_part(s, l);
            let [a0, a1, slope0, slope1] = self.rest[l];
            let (a, a_slope) = hermite(theta, a0, a1, slope0, slope1);
            y[l] = value + power * a;
            ydot[l] = (slope + power_below * (f64::from(p) * a + s * a_slope)) / h;
        }
    }
}
