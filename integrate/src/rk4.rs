//! `rk4`: the classical Runge-Kutta method of order 4 with a fixed step.
//!
//! Kutta 1901; Press et al., *Numerical Recipes*, section 16.1. No error control: `AbsErr` and
//! `RelErr` mean nothing to it.
//!
//! Not here: events, which work on the quartic of `step_polynomial.rs`.

use super::method::accessors;
use super::one_step::{LastStep, fixed_step_toward};
use super::problem::check_finite;
use super::step_polynomial::{Degree, Polynomial};
use super::{
    EvaluationError, HybridSystem, IntegrationError, Method, Start, Statistics, StepOutcome,
    StepReport, Target, Tolerance,
};

/// Step that divides the output interval into the fewest equal parts not longer than `t_step_max`:
/// `h = Tstep / ceil(Tstep / TstepMax)`.
pub fn fixed_step(t_step: f64, t_step_max: f64) -> f64 {
    // A quotient that is an integer up to round-off must not be taken for the next one.
    let parts = (t_step / t_step_max * (1.0 - 4.0 * f64::EPSILON)).ceil().max(1.0);
    t_step / parts
}

/// Classical Runge-Kutta method.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct Rk4 {
    h: f64,
    step: LastStep,
    polynomial: Polynomial,
    k: Vec<f64>,
    sum: Vec<f64>,
    point: Vec<f64>,
    statistics: Statistics,
}

impl Rk4 {
    /// A method for `n` components with steps of length `h`, s; shorter ones where a target asks.
    pub fn new(n: usize, h: f64) -> Self {
        Self {
            h: h.abs(),
            step: LastStep::new(n),
            polynomial: Polynomial::new(n),
            k: vec![0.0; n],
            sum: vec![0.0; n],
            point: vec![0.0; n],
            statistics: Statistics::default(),
        }
    }

    /// `y1 = y0 + h/6 (k1 + 2 k2 + 2 k3 + k4)`; k1 is the derivative kept from the last step.
    fn advance(&mut self, problem: &mut dyn HybridSystem, h: f64) -> Result<(), EvaluationError> {
        let (t0, n) = (self.step.t0, self.k.len());
        self.k.copy_from_slice(&self.step.f0);
        self.sum.copy_from_slice(&self.step.f0);
        for (reach, weight) in [(0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            for l in 0..n {
                self.point[l] = self.step.y0[l] + reach * h * self.k[l];
            }
            self.statistics.evaluations += 1;
            problem.derivatives(t0 + reach * h, &self.point, &mut self.k)?;
            check_finite(&self.k)?;
            for l in 0..n {
                self.sum[l] += weight * self.k[l];
            }
        }
        for l in 0..n {
            self.step.y1[l] = self.step.y0[l] + h / 6.0 * self.sum[l];
        }
        Ok(())
    }
}

impl Method for Rk4 {
    accessors! { t: step.t1, y: step.y1, ydot: step.f1 }

    fn name(&self) -> &'static str {
        "rk4"
    }

    fn restart(&mut self, t: f64, y: &[f64], ydot: &[f64], _: Start) {
        self.step.reset(t, y, ydot);
    }

    fn step(
        &mut self,
        problem: &mut dyn HybridSystem,
        target: Target,
    ) -> Result<StepOutcome, IntegrationError> {
        let (h, t1) = fixed_step_toward(self.step.t1, self.h, target);
        self.step.turn_over();
        let failure = |source| IntegrationError::Evaluation { t: t1, h, order: 4, source };
        self.advance(problem, h).map_err(failure)?;
        self.statistics.evaluations += 1;
        problem.project(t1, &mut self.step.y1).map_err(failure)?;
        problem.derivatives(t1, &self.step.y1, &mut self.step.f1).map_err(failure)?;
        check_finite(&self.step.f1).map_err(failure)?;
        self.step.complete(t1, h);
        self.polynomial.reset();
        self.statistics.accept(4);
        Ok(StepOutcome::Accepted)
    }

    fn prepare_interpolation(
        &mut self,
        problem: &mut dyn HybridSystem,
    ) -> Result<(), IntegrationError> {
        let Self { polynomial, step, statistics, .. } = self;
        polynomial.prepare(problem, step, (Degree::Quartic, 4), statistics)
    }

    fn interpolate(&mut self, t: f64, y: &mut [f64], ydot: &mut [f64]) {
        self.polynomial.interpolate(&self.step, t, y, ydot);
    }

    fn lands_on_outputs(&self) -> bool {
        true
    }

    fn report(&self) -> StepReport {
        let h = self.step.h;
        StepReport { t: self.step.t1, h, order: 4, h_next: self.h.copysign(h), order_next: 4 }
    }

    fn tolerance(&self) -> Tolerance {
        Tolerance::new(f64::INFINITY, f64::INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fixed_step_divides_the_output_interval() {
        assert_eq!(fixed_step(0.01, 0.01), 0.01);
        assert_eq!(fixed_step(0.01, 1.0), 0.01);
        assert_eq!(fixed_step(0.3, 0.1), 0.3 / 3.0);
        assert_eq!(fixed_step(0.01, 0.004), 0.01 / 3.0);
    }
}
