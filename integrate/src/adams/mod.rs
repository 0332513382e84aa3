//! `de` and `derf`: the Adams method of Shampine and Gordon, orders 1 to 12, variable step.
//!
//! L. F. Shampine, M. K. Gordon, *Computer Solution of Ordinary Differential Equations: The
//! Initial Value Problem*, Freeman 1975. Predict, evaluate, correct, evaluate (PECE) with a
//! predictor of order k and a corrector of order k + 1 (local extrapolation), written in modified
//! divided differences, self starting, with interpolation from the last step (chapters 5 to 10).
//!
//! | letter | meaning | book |
//! |---|---|---|
//! | `k` | order of the predictor; the corrector has k + 1 | ch. 5 |
//! | `psi_i` | `h_n + h_{n-1} + ... + h_{n-i+1}` | ch. 5 |
//! | `alpha_i` | `h_n / psi_i` | ch. 5 |
//! | `beta_i` | scales a difference of the old spacing to the new one | ch. 5 |
//! | `phi_i` | modified divided difference `psi_1 ... psi_{i-1} f[x_n, ..., x_{n-i+1}]` | ch. 5 |
//! | `g_i` | integral that weighs `phi_i` in the predictor | ch. 5 |
//! | `sigma_i` | turns the error of a variable step into that of equal steps | ch. 7 |
//! | `gamma*_k` | constant of the error at order k with equal steps | ch. 7 |
//! | `ns` | steps taken with the present size | ch. 10 |
//! | `eps` | level of the tolerance, see [`Tolerance::level`] | ch. 7 |
//!
//! The arithmetic keeps the order of operations of the published method, so that the steps, orders
//! and evaluation counts are its own; `tests/integrators/work.rs` holds them against it.
//!
//! Not here: output points, too much work, stiffness (`driver.rs`), roots (`roots.rs`).

mod coefficients;
mod history;
mod interpolation;
mod order;
mod starter;

use super::method::accessors;
use super::problem::check_finite;
use super::tolerance::{ROUND_OFF, time_resolution};
use super::{
    EvaluationError, HybridSystem, IntegrationError, Method, Start, Statistics, StepLimits,
    StepOutcome, StepReport, Target, Tolerance,
};
use coefficients::{Coefficients, MAX_ORDER, StepShape};
use history::History;
use order::ErrorEstimates;
use starter::Starter;

/// The history that the next call of `step` finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing but `(t, y)`: the first step chooses its own size.
    Fresh(Start),
    /// Order and step are raised at every success until an estimate or a failure ends this phase.
    Opening,
    /// Order and step follow the error estimates.
    Regular,
}

/// The Shampine-Gordon Adams method.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct Adams {
    tolerance: Tolerance,
    limits: StepLimits,
    phase: Phase,
    /// Compensated summation: additions of `h sum g phi` to `y` carry their round-off along, for tight tolerances.
    compensated: bool,
    t: f64,
    h: f64,
    h_old: f64,
    /// Length of the last accepted step; differs from `h_old` only after a fast start.
    span: f64,
    k: usize,
    k_old: usize,
    coefficients: Coefficients,
    history: History,
    starter: Starter,
    y: Vec<f64>,
    p: Vec<f64>,
    ydot: Vec<f64>,
    weights: Vec<f64>,
    /// The branch of the problem at the present point, if it is known.
    branch: Option<u64>,
    statistics: Statistics,
}

/// A step of at most this many units of the resolution of time may contain a jump of any size.
const JUMP_STEP: f64 = 4.0;

impl Adams {
    /// A method for `n` components that waits for [`Method::restart`].
    pub fn new(n: usize, tolerance: Tolerance, limits: StepLimits) -> Self {
        Self {
            tolerance,
            limits,
            phase: Phase::Fresh(Start::Cold),
            compensated: false,
            t: 0.0,
            h: 0.0,
            h_old: 0.0,
            span: 0.0,
            k: 1,
            k_old: 0,
            coefficients: Coefficients::new(),
            history: History::new(n),
            starter: Starter::new(n),
            y: vec![0.0; n],
            p: vec![0.0; n],
            ydot: vec![0.0; n],
            weights: vec![0.0; n],
            branch: None,
            statistics: Statistics::default(),
        }
    }

    /// Limits the coming step, before any estimate, to the target's bound and `TstepMax`.
    fn limit_step(&mut self, target: Target) {
        // The first step reaches for the target at most, and for the initial size that the user gives.
        if let Phase::Fresh(_) = self.phase {
            let reach = target.toward - self.t;
            let size = reach.abs().max(time_resolution(self.t));
            self.h = size.min(self.limits.initial.unwrap_or(size)).copysign(reach);
        }
        let room = (target.bound - self.t).abs();
        self.h = self.h.abs().min(room).min(self.limits.max).copysign(self.h);
    }

    /// Compares the tolerance with the round-off `2u ||y/w||` of storing the solution; raises the tolerance if half of it is
    /// below the round-off. Returns the round-off.
    fn check_resolution(&mut self) -> Result<f64, StepOutcome> {
        let smallest = time_resolution(self.t);
        if self.h.abs() < smallest {
            self.h = smallest.copysign(self.h);
            return Err(StepOutcome::StepLengthened);
        }
        // Norm of the state, weighted by the tolerance.
        let sum: f64 = self
            .y
            .iter()
            .zip(&self.weights)
            .map(|(y, w)| (y / w) * (y / w))
            .fold(0.0, |s, x| s + x);
        let round = 2.0 * ROUND_OFF * sum.sqrt();
        if 0.5 * self.tolerance.level() < round {
            return Err(self.raise_tolerance(2.0 * round * (1.0 + 4.0 * ROUND_OFF)));
        }
        Ok(round)
    }

    fn raise_tolerance(&mut self, level: f64) -> StepOutcome {
        self.tolerance = self.tolerance.at_level(level);
        self.statistics.tolerance_raises += 1;
        StepOutcome::ToleranceRaised(self.tolerance)
    }

    /// History of one point and first step size: order 1, `h = 1/4 sqrt(eps / ||f/w||)`, so that the
    /// error of the first step is well below the tolerance.
    fn begin(&mut self, round: f64) {
        self.history.begin(&self.ydot);
        let sum: f64 = (self.ydot.iter().zip(&self.weights))
            .map(|(f, w)| (f / w) * (f / w))
            .fold(0.0, |s, x| s + x);
        let speed = sum.sqrt();
        let eps = self.tolerance.level();
        let mut size = self.h.abs();
        if eps < 16.0 * speed * self.h * self.h {
            size = 0.25 * (eps / speed).sqrt();
        }
        size = size.max(self.limits.min).min(self.h.abs());
        self.h = size.max(time_resolution(self.t)).copysign(self.h);
        self.h_old = 0.0;
        self.k = 1;
        self.k_old = 0;
        self.phase = Phase::Opening;
        self.compensated = 0.5 * eps <= 100.0 * round;
    }

    /// After an event: rates that are zero at the start say nothing about the first step, and where they are zero at its
    /// end as well, as a sine is after a period, it would pass. Two points within, at parts that no period shares, limit it.
    fn look_ahead(&mut self, problem: &mut dyn HybridSystem) {
        const PARTS: [f64; 2] = [0.381_966, 0.071_237];
        let speed = self.weighted(|l, adams| adams.ydot[l]);
        let eps = self.tolerance.level();
        let is_given = self.limits.initial.is_some_and(|initial| self.h.abs() <= initial);
        if is_given || eps < speed * self.h.abs() {
            return;
        }
        self.branch.get_or_insert(problem.branch());
        for part in PARTS {
            let dt = part * self.h;
            for l in 0..self.y.len() {
                self.p[l] = self.y[l] + dt * self.history.column(1)[l];
            }
            self.statistics.evaluations += 1;
            let evaluated = problem.derivatives(self.t + dt, &self.p, &mut self.ydot);
            if evaluated.is_err() || check_finite(&self.ydot).is_err() {
                continue;
            }
            // The error of a first step is h^2/2 times the rate of the rate.
            let slope =
                self.weighted(|l, adams| adams.ydot[l] - adams.history.column(1)[l]) / dt.abs();
            if eps < 2.0 * slope * self.h * self.h {
                let size = (0.5 * eps / slope).sqrt().max(self.limits.min);
                self.h = size.max(time_resolution(self.t)).min(self.h.abs()).copysign(self.h);
            }
        }
        self.ydot.copy_from_slice(self.history.column(1));
    }

    /// The Euclidean norm of a list over the weights.
    fn weighted(&self, entry: impl Fn(usize, &Self) -> f64) -> f64 {
        let terms = self.weights.iter().enumerate().map(|(l, w)| entry(l, self) / w);
        terms.fold(0.0, |sum: f64, x| sum + x * x).sqrt()
    }

    /// Derivative at the prediction, into `ydot`.
    fn evaluate_predicted(
        &mut self,
        problem: &mut dyn HybridSystem,
    ) -> Result<(), EvaluationError> {
        self.statistics.evaluations += 1;
        problem.derivatives(self.t + self.h, &self.p, &mut self.ydot)?;
        check_finite(&self.ydot)
    }

    /// Derivative at `(t, y)`, into `ydot`.
    fn evaluate_corrected(
        &mut self,
        problem: &mut dyn HybridSystem,
    ) -> Result<(), IntegrationError> {
        self.statistics.evaluations += 1;
        let evaluated = problem.derivatives(self.t, &self.y, &mut self.ydot);
        evaluated.and_then(|()| check_finite(&self.ydot)).map_err(|source| self.failure(source))
    }

    fn failure(&self, source: EvaluationError) -> IntegrationError {
        IntegrationError::Evaluation { t: self.t, h: self.h, order: self.k, source }
    }

    /// Coefficients and prediction for the present trial.
    fn predict(&mut self) {
        let shape = StepShape { h: self.h, h_old: self.h_old, k: self.k, k_old: self.k_old };
        self.coefficients.update(shape);
        self.history.scale(&self.coefficients, self.k);
        self.history.predict(
            &self.coefficients,
            self.k,
            self.h,
            self.compensated,
            &self.y,
            &mut self.p,
        );
    }

    fn estimate_errors(&self) -> ErrorEstimates {
        order::estimate_errors(
            &self.coefficients,
            &self.history,
            self.k,
            self.h,
            &self.ydot,
            &self.weights,
        )
    }

    /// Corrects, evaluates, updates the differences and plans the next step.
    fn accept(
        &mut self,
        problem: &mut dyn HybridSystem,
        errors: &ErrorEstimates,
    ) -> Result<StepOutcome, IntegrationError> {
        // y = p + h g_{k+1} (f_p - phi_1): the corrector of order k + 1.
        let factor = self.h * self.coefficients.g[self.k + 1];
        self.history.correct(factor, self.compensated, &self.p, &self.ydot, &mut self.y);
        self.t += self.h;
        self.k_old = self.k;
        self.h_old = self.h;
        self.span = self.h;
        // The projection stands between the corrector and its evaluation, so that the differences belong to the projected
        // solution.
        let projected = problem.project(self.t, &mut self.y);
        projected.map_err(|source| self.failure(source))?;
        self.evaluate_corrected(problem)?;
        self.branch = Some(problem.branch());
        self.history.update(self.k, &self.ydot);
        self.plan(errors);
        self.statistics.accept(self.k_old);
        Ok(StepOutcome::Accepted)
    }

    /// Order and size of the next step.
    fn plan(&mut self, errors: &ErrorEstimates) {
        let k = self.k;
        // The opening phase ends when lower order would be better, or at the highest order.
        if errors.k_new + 1 == k || k == MAX_ORDER {
            self.phase = Phase::Regular;
        }
        // In the opening phase order and step grow at every success.
        if self.phase == Phase::Opening {
            self.k = k + 1;
            self.h = self.limits.clamp(self.h + self.h);
            return;
        }
        // The estimate one order up needs k + 1 equal steps before this point.
        let constant = k < self.coefficients.ns;
        let higher =
            constant.then(|| order::error_at_order(&self.history, k + 1, self.h, &self.weights));
        let (k_next, error) = order::choose_order(k, errors, higher);
        let factor = order::step_factor(k_next, error, 0.5 * self.tolerance.level());
        let size = if factor < 1.0 {
            (self.h.abs() * factor).max(time_resolution(self.t))
        } else {
            self.h.abs() * factor
        };
        self.k = k_next;
        self.h = self.limits.clamp(size.copysign(self.h));
    }

    /// Restores the state before a failed trial and plans a shorter one: half the step, from the
    /// third failure at order 1, after that with the size that order 1 asks for.
    fn reject(
        &mut self,
        failures: usize,
        errors: Option<&ErrorEstimates>,
    ) -> Result<Option<StepOutcome>, IntegrationError> {
        self.statistics.rejected += 1;
        self.phase = Phase::Regular;
        self.history.restore(&self.coefficients, self.k);
        self.coefficients.restore(self.h, self.k);
        // From the fourth failure on, at order 1, the error estimate gives the size; before, the step is halved.
        let eps = self.tolerance.level();
        let at_k = errors.map_or(0.0, |e| e.at_k);
        let optimal = failures > 3 && 0.5 * eps < 0.25 * at_k;
        let factor = if optimal { (0.5 * eps / at_k).sqrt() } else { 0.5 };
        let tried = self.h;
        self.h *= factor;
        self.k = if failures >= 3 { 1 } else { errors.map_or(self.k, |e| e.k_new) };
        // `TstepMin` is tried once before the method gives up.
        if self.limits.min > 0.0 && self.h.abs() < self.limits.min {
            if tried.abs() > self.limits.min {
                self.h = self.limits.min.copysign(self.h);
                return Ok(None);
            }
            return Err(self.too_small(tried, errors.map_or(f64::INFINITY, |e| e.local / eps)));
        }
        // At the resolution of time only a larger tolerance helps.
        let smallest = time_resolution(self.t);
        if self.h.abs() >= smallest {
            return Ok(None);
        }
        self.h = smallest.copysign(self.h);
        Ok(Some(self.raise_tolerance(eps + eps)))
    }

    fn too_small(&self, h: f64, error_ratio: f64) -> IntegrationError {
        IntegrationError::StepTooSmall { t: self.t, h, order: self.k, error_ratio }
    }
}

impl Method for Adams {
    accessors! { t: t, y: y, ydot: ydot }

    fn name(&self) -> &'static str {
        "de"
    }

    fn restart(&mut self, t: f64, y: &[f64], ydot: &[f64], start: Start) {
        self.t = t;
        self.y.copy_from_slice(y);
        self.ydot.copy_from_slice(ydot);
        self.starter.remember(self.h_old, self.k_old);
        self.branch = None;
        self.phase = Phase::Fresh(start);
    }

    fn step(
        &mut self,
        problem: &mut dyn HybridSystem,
        target: Target,
    ) -> Result<StepOutcome, IntegrationError> {
        self.limit_step(target);
        self.tolerance.fill_weights(self.t, &self.y, &mut self.weights)?;
        let round = match self.check_resolution() {
            Ok(round) => round,
            Err(outcome) => return Ok(outcome),
        };
        if let Phase::Fresh(start) = self.phase {
            self.begin(round);
            if start == Start::Warm {
                self.look_ahead(problem);
            }
            if start == Start::Warm && self.start_fast(problem, target)? {
                return Ok(StepOutcome::Accepted);
            }
        }
        // The branch at the present point is the branch of the last evaluation, which was made there.
        let branch = *self.branch.get_or_insert(problem.branch());
        let mut failures = 0;
        // One trial per pass of the loop: predict, evaluate, estimate; then accept or restore and shorten.
        loop {
            self.predict();
            let evaluated = self.evaluate_predicted(problem);
            let errors = evaluated.is_ok().then(|| self.estimate_errors());
            // A step across two branches of the problem may contain a jump of the derivative, so its error is bounded, not
            // estimated.
            let jumps =
                problem.branch() != branch && self.h.abs() > JUMP_STEP * time_resolution(self.t);
            if let Some(errors) = &errors
                && if jumps { errors.across_jump } else { errors.local } <= self.tolerance.level()
            {
                return self.accept(problem, errors);
            }
            failures += 1;
            if let Some(outcome) = self.reject(failures, errors.as_ref())? {
                return evaluated.map(|()| outcome).map_err(|source| self.failure(source));
            }
        }
    }

    fn has_short_steps(&self) -> bool {
        true
    }

    fn low_order(&self) -> Option<usize> {
        // Steps double, so a step above half of `TstepMax` is held by that limit, not by stability.
        let held = 2.0 * self.span.abs() > self.limits.max;
        Some(if held { 0 } else { 4 })
    }

    fn interpolate(&mut self, t: f64, y: &mut [f64], ydot: &mut [f64]) {
        interpolation::interpolate(
            &self.history,
            &self.coefficients.psi,
            self.k_old,
            &self.y,
            t - self.t,
            y,
            ydot,
        );
    }

    fn report(&self) -> StepReport {
        StepReport {
            t: self.t,
            h: self.span,
            order: self.k_old,
            h_next: self.h,
            order_next: self.k,
        }
    }

    fn tolerance(&self) -> Tolerance {
        self.tolerance
    }
}
