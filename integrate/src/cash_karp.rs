//! `odeint_rk`: the embedded Runge-Kutta pair 5(4) of Cash and Karp with step control.
//!
//! Cash & Karp, ACM TOMS 16 (1990) 201; Press et al., *Numerical Recipes*, section 16.2.
//!
//! ```text
//! 1/5   | 1/5
//! 3/10  | 3/40        9/40
//! 3/5   | 3/10       -9/10     6/5
//! 1     | -11/54      5/2     -70/27      35/27
//! 7/8   | 1631/55296  175/512  575/13824  44275/110592  253/4096
//! ------+---------------------------------------------------------------
//! y5    | 37/378      0        250/621    125/594       0          512/1771
//! y4    | 2825/27648  0        18575/48384 13525/55296  277/14336  1/4
//! ```
//!
//! Not here: events, which work on the quintic of `step_polynomial.rs`.

use super::method::accessors;
use super::one_step::{LastStep, first_step, fit_step, ratio};
use super::problem::check_finite;
use super::step_polynomial::{Degree, Polynomial};
use super::tolerance::time_resolution;
use super::{
    EvaluationError, HybridSystem, IntegrationError, Method, Start, Statistics, StepLimits,
    StepOutcome, StepReport, Target, Tolerance,
};

const C: [f64; 6] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 3.0 / 5.0, 1.0, 7.0 / 8.0];
const A: [[f64; 5]; 6] = [
    [0.0; 5],
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0],
    [3.0 / 10.0, -9.0 / 10.0, 6.0 / 5.0, 0.0, 0.0],
    [-11.0 / 54.0, 5.0 / 2.0, -70.0 / 27.0, 35.0 / 27.0, 0.0],
    [1631.0 / 55296.0, 175.0 / 512.0, 575.0 / 13824.0, 44275.0 / 110_592.0, 253.0 / 4096.0],
];
const B5: [f64; 6] = [37.0 / 378.0, 0.0, 250.0 / 621.0, 125.0 / 594.0, 0.0, 512.0 / 1771.0];
const B4: [f64; 6] =
    [2825.0 / 27648.0, 0.0, 18575.0 / 48384.0, 13525.0 / 55296.0, 277.0 / 14336.0, 1.0 / 4.0];

/// The next step is planned a tenth below what the estimate allows.
const SAFETY: f64 = 0.9;
/// Limits of a change of the step size.
const SHRINK: f64 = 0.1;
const GROW: f64 = 5.0;

/// Cash-Karp method with error control.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct CashKarp {
    tolerance: Tolerance,
    limits: StepLimits,
    /// Planned size; 0 before the first step.
    h: f64,
    step: LastStep,
    polynomial: Polynomial,
    stages: Vec<f64>,
    point: Vec<f64>,
    statistics: Statistics,
}

impl CashKarp {
    /// A method for `n` components that waits for [`Method::restart`].
    pub fn new(n: usize, tolerance: Tolerance, limits: StepLimits) -> Self {
        Self {
            tolerance,
            limits,
            h: 0.0,
            step: LastStep::new(n),
            polynomial: Polynomial::new(n),
            stages: vec![0.0; 6 * n],
            point: vec![0.0; n],
            statistics: Statistics::default(),
        }
    }

    /// Fills the stages and `y1` of a step of size `h`; returns error over tolerance.
    fn trial(&mut self, problem: &mut dyn HybridSystem, h: f64) -> Result<f64, EvaluationError> {
        let n = self.point.len();
        let Self { step, stages, point, statistics, tolerance, .. } = self;
        stages[..n].copy_from_slice(&step.f0);
        for s in 1..6 {
            for (l, point) in point.iter_mut().enumerate() {
                *point = step.y0[l] + h * combine(stages, n, &A[s][..s], l);
            }
            statistics.evaluations += 1;
            let stage = &mut stages[s * n..(s + 1) * n];
            problem.derivatives(step.t0 + C[s] * h, point, stage)?;
            check_finite(stage)?;
        }
        let mut worst: f64 = 0.0;
        for l in 0..n {
            let high = combine(stages, n, &B5, l);
            let low = combine(stages, n, &B4, l);
            step.y1[l] = step.y0[l] + h * high;
            let scale = tolerance.relative * step.y0[l].abs().max(step.y1[l].abs());
            let allowed = scale + tolerance.absolute;
            worst = worst.max(ratio(h * (high - low), allowed));
        }
        Ok(worst)
    }

    /// Size of the next trial after one with this error ratio.
    fn adapt(&self, h: f64, error: f64) -> f64 {
        // Rejected: the order of the estimate; accepted: that of the solution, as in odeint.
        let exponent = if error > 1.0 { -0.25 } else { -0.2 };
        h * (SAFETY * error.powf(exponent)).clamp(SHRINK, GROW)
    }

    fn evaluate_end(
        &mut self,
        problem: &mut dyn HybridSystem,
        t1: f64,
    ) -> Result<(), EvaluationError> {
        self.statistics.evaluations += 1;
        problem.project(t1, &mut self.step.y1)?;
        problem.derivatives(t1, &self.step.y1, &mut self.step.f1)?;
        check_finite(&self.step.f1)
    }

    /// One trial with its end: error ratio, infinite where the problem has no value.
    fn attempt(&mut self, problem: &mut dyn HybridSystem, h: f64, t1: f64) -> Attempt {
        match self.trial(problem, h) {
            Ok(error) if error <= 1.0 => match self.evaluate_end(problem, t1) {
                Ok(()) => Attempt { error, source: None },
                Err(source) => Attempt { error: f64::INFINITY, source: Some(source) },
            },
            Ok(error) => Attempt { error, source: None },
            Err(source) => Attempt { error: f64::INFINITY, source: Some(source) },
        }
    }
}

/// The result of a trial step.
struct Attempt {
    /// Estimated error over tolerance.
    error: f64,
    /// Why the problem could not be evaluated, if so.
    source: Option<EvaluationError>,
}

/// `sum_s weights_s k_s` for component l.
fn combine(stages: &[f64], n: usize, weights: &[f64], l: usize) -> f64 {
    weights.iter().enumerate().map(|(s, w)| w * stages[s * n + l]).sum()
}

impl Method for CashKarp {
    accessors! { t: step.t1, y: step.y1, ydot: step.f1 }

    fn name(&self) -> &'static str {
        "odeint_rk"
    }

    fn restart(&mut self, t: f64, y: &[f64], ydot: &[f64], start: Start) {
        self.step.reset(t, y, ydot);
        // After an event the planned size is still the best guess; a failure shrinks it.
        if start == Start::Cold {
            self.h = 0.0;
        }
    }

    fn step(
        &mut self,
        problem: &mut dyn HybridSystem,
        target: Target,
    ) -> Result<StepOutcome, IntegrationError> {
        if let Some(raised) = self.tolerance.raised_for(&self.step.y1) {
            self.tolerance = raised;
            self.statistics.tolerance_raises += 1;
            return Ok(StepOutcome::ToleranceRaised(raised));
        }
        let (t, room) = (self.step.t1, target.bound - self.step.t1);
        if self.h == 0.0 {
            let Self { tolerance, limits, step, .. } = self;
            self.h = first_step(tolerance, limits, &step.y1, &step.f1, room.abs());
        }
        self.step.turn_over();
        let mut plan = self.limits.clamp(self.h).copysign(room);
        loop {
            let (h, t1) = fit_step(t, plan, target.bound);
            let Attempt { error, source } = self.attempt(problem, h, t1);
            if error <= 1.0 {
                // The step was cut short by the bound of the target, so the longer plan stays valid.
                let next = self.adapt(h, error).abs();
                self.h = self.limits.clamp(if h == plan { next } else { next.max(plan.abs()) });
                self.step.complete(t1, h);
                self.polynomial.reset();
                self.statistics.accept(5);
                return Ok(StepOutcome::Accepted);
            }
            self.statistics.rejected += 1;
            let smallest = self.limits.min.max(time_resolution(t));
            if h.abs() <= smallest {
                self.step.turn_back();
                return Err(match source {
                    Some(source) => IntegrationError::Evaluation { t, h, order: 5, source },
                    None => IntegrationError::StepTooSmall { t, h, order: 5, error_ratio: error },
                });
            }
            plan = self.adapt(h, error);
            plan = plan.abs().max(smallest).copysign(plan);
        }
    }

    fn prepare_interpolation(
        &mut self,
        problem: &mut dyn HybridSystem,
    ) -> Result<(), IntegrationError> {
        let Self { polynomial, step, statistics, .. } = self;
        polynomial.prepare(problem, step, (Degree::Quintic, 5), statistics)
    }

    fn interpolate(&mut self, t: f64, y: &mut [f64], ydot: &mut [f64]) {
        self.polynomial.interpolate(&self.step, t, y, ydot);
    }

    fn lands_on_outputs(&self) -> bool {
        true
    }

    fn report(&self) -> StepReport {
        let h = self.step.h;
        StepReport { t: self.step.t1, h, order: 5, h_next: self.h.copysign(h), order_next: 5 }
    }

    fn tolerance(&self) -> Tolerance {
        self.tolerance
    }
}
