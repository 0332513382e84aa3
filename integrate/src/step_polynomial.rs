//! A polynomial through the last step of a one-step method.
//!
//! Cubic Hermite interpolation has a local error O(h^4). Derivatives taken on it are good enough to
//! raise the degree by one, and again (bootstrapping, Enright, Jackson, Norsett, Thomsen 1986):
//! one evaluation gives a quartic with O(h^5), two more a quintic with O(h^6).
//!
//! Not here: extrapolation methods, which have a polynomial of their own (`bulirsch_stoer.rs`).

use super::one_step::LastStep;
use super::problem::check_finite;
use super::{EvaluationError, HybridSystem, IntegrationError, Statistics};

/// Degree of the interpolating polynomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(super) enum Degree {
    /// From the two ends only.
    Cubic,
    /// One evaluation more.
    Quartic,
    /// Three evaluations more.
    Quintic,
}

/// The polynomial through a step from `(t0, y0, f0)` to `(t1, y1, f1)`.
///
/// With `theta = (t - t0)/h` and `B = theta^2 (1 - theta)^2` it is
/// `H3(theta) + B (c + d (theta - 1/2))`, where `H3` is the cubic.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct Polynomial {
    c: Vec<f64>,
    d: Vec<f64>,
    degree: Degree,
    point: Vec<f64>,
    slope: Vec<f64>,
    sample_a: Vec<f64>,
    sample_b: Vec<f64>,
}

impl Polynomial {
    pub fn new(n: usize) -> Self {
        let zero = || vec![0.0; n];
        Self {
            c: zero(),
            d: zero(),
            degree: Degree::Cubic,
            point: zero(),
            slope: zero(),
            sample_a: zero(),
            sample_b: zero(),
        }
    }

    /// There is a new step: the polynomial is the cubic again.
    pub fn reset(&mut self) {
        self.c.fill(0.0);
        self.d.fill(0.0);
        self.degree = Degree::Cubic;
    }

    /// Raises the polynomial to the wanted degree. Returns the evaluations made.
    fn raise(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: &LastStep,
        wanted: Degree,
    ) -> Result<u64, EvaluationError> {
        let h = step.t1 - step.t0;
        let mut evaluations = 0;
        if self.degree < Degree::Quartic && wanted >= Degree::Quartic {
            // B'(1/3) = 4/27.
            self.residual(problem, step, 1.0 / 3.0, true)?;
            for l in 0..self.c.len() {
                self.c[l] = (h * self.sample_a[l] - h * self.slope[l]) * (27.0 / 4.0);
            }
            self.degree = Degree::Quartic;
            evaluations += 1;
        }
        if self.degree < Degree::Quintic && wanted == Degree::Quintic {
            // At theta = 1/4 and 3/4 B' = +-3/16, and d/dtheta [B (theta - 1/2)] = -3/256.
            self.residual(problem, step, 0.25, true)?;
            self.residual_to_cubic(step, 0.25, true);
            self.residual(problem, step, 0.75, false)?;
            self.residual_to_cubic(step, 0.75, false);
            for l in 0..self.c.len() {
                let (a, b) = (h * self.sample_a[l], h * self.sample_b[l]);
                self.c[l] = (a - b) * (8.0 / 3.0);
                self.d[l] = -(a + b) * (128.0 / 3.0);
            }
            self.degree = Degree::Quintic;
            evaluations += 2;
        }
        Ok(evaluations)
    }

    /// Raises the polynomial for values inside the last step of a method of some order, and counts the evaluations.
    pub fn prepare(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: &LastStep,
        (wanted, order): (Degree, usize),
        statistics: &mut Statistics,
    ) -> Result<(), IntegrationError> {
        let (t, h) = (step.t0, step.t1 - step.t0);
        let failure = |source| IntegrationError::Evaluation { t, h, order, source };
        statistics.evaluations += self.raise(problem, step, wanted).map_err(failure)?;
        Ok(())
    }

    /// Evaluates the derivative on the present polynomial at `theta`, into sample a or b, and
    /// leaves the polynomial's own slope in `slope`.
    fn residual(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: &LastStep,
        theta: f64,
        first: bool,
    ) -> Result<(), EvaluationError> {
        let t = step.t0 + theta * (step.t1 - step.t0);
        let mut point = std::mem::take(&mut self.point);
        let mut slope = std::mem::take(&mut self.slope);
        self.evaluate(step, theta, &mut point, &mut slope);
        self.point = point;
        self.slope = slope;
        let sample = if first { &mut self.sample_a } else { &mut self.sample_b };
        problem.derivatives(t, &self.point, sample)?;
        check_finite(sample)
    }

    /// Subtracts the slope of the cubic from a sample.
    fn residual_to_cubic(&mut self, step: &LastStep, theta: f64, first: bool) {
        let h = step.t1 - step.t0;
        let sample = if first { &mut self.sample_a } else { &mut self.sample_b };
        for (l, sample) in sample.iter_mut().enumerate() {
            let (_, slope) = hermite(theta, step.y0[l], step.y1[l], h * step.f0[l], h * step.f1[l]);
            *sample -= slope / h;
        }
    }

    /// Writes value and derivative at the time `t`.
    pub fn interpolate(&self, step: &LastStep, t: f64, y: &mut [f64], ydot: &mut [f64]) {
        self.evaluate(step, (t - step.t0) / (step.t1 - step.t0), y, ydot);
    }

    fn evaluate(&self, step: &LastStep, theta: f64, y: &mut [f64], ydot: &mut [f64]) {
        let h = step.t1 - step.t0;
        let rest = 1.0 - theta;
        let bubble = theta * theta * rest * rest;
        let bubble_slope = 2.0 * theta * rest * (rest - theta);
        for l in 0..y.len() {
            let (value, slope) =
                hermite(theta, step.y0[l], step.y1[l], h * step.f0[l], h * step.f1[l]);
            let factor = self.c[l] + self.d[l] * (theta - 0.5);
            y[l] = value + bubble * factor;
            ydot[l] = (slope + bubble_slope * factor + bubble * self.d[l]) / h;
        }
    }
}

/// Value and slope (per unit of `theta`) of the cubic with end values `y0`, `y1` and end slopes
/// `s0`, `s1`.
pub(super) fn hermite(theta: f64, y0: f64, y1: f64, s0: f64, s1: f64) -> (f64, f64) {
    let rise = y1 - y0;
    let a = s0 - rise;
    let b = rise - s1;
    // y0 + theta rise + theta (1 - theta) [a (1 - theta) + b theta]
    let rest = 1.0 - theta;
    let inner = a * rest + b * theta;
    let value = y0 + theta * rise + theta * rest * inner;
    let slope = rise + (rest - theta) * inner + theta * rest * (b - a);
    (value, slope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Events, Hints, Problem};

    struct Powers;

    /// `y' = 5 t^4`: the quintic must be exact up to round-off.
    impl Problem for Powers {
        fn len(&self) -> usize {
            1
        }

        fn derivatives(&mut self, t: f64, _: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
            f[0] = 5.0 * t.powi(4);
            Ok(())
        }
    }

    impl Events for Powers {}

    impl Hints for Powers {}

    #[test]
    fn the_quintic_reproduces_a_fifth_power() {
        let (mut step, mut polynomial) = (LastStep::new(1), Polynomial::new(1));
        step.reset(1.0, &[1.0], &[5.0]);
        step.turn_over();
        step.y1[0] = 32.0;
        step.f1[0] = 80.0;
        step.complete(2.0, 1.0);
        assert_eq!(polynomial.raise(&mut Powers, &step, Degree::Quintic), Ok(3));
        for t in [1.0f64, 1.1, 1.37, 1.5, 1.9, 2.0] {
            let (mut y, mut f) = ([0.0], [0.0]);
            polynomial.interpolate(&step, t, &mut y, &mut f);
            // Coefficients reach 128/3 * 80: some thousand round-offs.
            assert!((y[0] - t.powi(5)).abs() < 1e-12, "{t}: {}", y[0]);
            assert!((f[0] - 5.0 * t.powi(4)).abs() < 1e-11);
        }
    }
}
