//! Fast restart after an event: one Runge-Kutta step that fills the history at order 5.
//!
//! A cold start of the Adams method climbs from order 1 and a tiny step, at two evaluations per
//! doubling of the step. After an event the solution has the same scales as before, so the step
//! that was good then is a good guess now. One step of Dormand and Prince's 5(4) pair with its
//! continuous extension (Hairer, Norsett, Wanner, *Solving ODEs I*, II.4 and II.6) gives the
//! solution at six equally spaced points; their derivatives are the history of an Adams method of
//! order 5 with a fifth of the step. That takes ten evaluations where the climb takes twenty to
//! thirty. Measured on relays and a bouncing mass at tolerances of 1e-6 to 1e-10, a stretch between
//! two events costs 71 to 85 % of its cost with cold starts; four or six points do no better.
//!
//! Not here: when a warm start is wanted (`driver.rs`).

use super::super::tolerance::time_resolution;
use super::{Adams, HybridSystem, IntegrationError, Phase, StepShape, Target, check_finite, order};

/// Subdivisions of the starting step, and order of the history that they give.
const PARTS: usize = 5;
/// Trials with shrinking steps before the cold start takes over.
const TRIALS: usize = 2;
/// Fraction of the tolerance that the starting step may use up: its interior points are less
/// accurate than its end, and they all enter the history.
const SHARE: f64 = 0.5;

/// Stage times of the pair.
const C: [f64; 7] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];
/// Stage weights; the last row is the solution of order 5.
const A: [[f64; 6]; 7] = [
    [0.0; 6],
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
/// Weights of the difference between the solutions of order 5 and 4.
const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339_200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];
/// Weights of the highest term of the continuous extension.
const D: [f64; 7] = [
    -12_715_105_075.0 / 11_282_082_432.0,
    0.0,
    87_487_479_700.0 / 32_700_410_799.0,
    -10_690_763_975.0 / 1_880_347_072.0,
    701_980_252_875.0 / 199_316_789_632.0,
    -1_453_857_185.0 / 822_651_844.0,
    69_997_945.0 / 29_380_423.0,
];

/// Buffers of the starting step, and the size that is expected to fit next time.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct Starter {
    n: usize,
    /// Size for the next warm start; 0 while nothing is known.
    guess: f64,
    stages: Vec<f64>,
    samples: Vec<f64>,
}

impl Starter {
    pub fn new(n: usize) -> Self {
        Self { n, guess: 0.0, stages: vec![0.0; 7 * n], samples: vec![0.0; (PARTS + 1) * n] }
    }

    /// Takes the size of the last Adams step as a first guess.
    pub fn remember(&mut self, h_old: f64, k_old: usize) {
        if self.guess == 0.0 && k_old > 2 {
            self.guess = h_old.abs();
        }
    }

    /// `sum_s weights_s k_s` for component l.
    fn combine(&self, weights: &[f64], l: usize) -> f64 {
        weights.iter().enumerate().map(|(s, w)| w * self.stages[s * self.n + l]).sum()
    }
}

impl Adams {
    /// Takes the starting step. Returns false if no trial was good; then nothing has changed but
    /// the counts, and the cold start that is already set up goes ahead.
    pub(super) fn start_fast(
        &mut self,
        problem: &mut dyn HybridSystem,
        target: Target,
    ) -> Result<bool, IntegrationError> {
        let room = (target.bound - self.t).abs().min(self.limits.max);
        // If the cold start begins with a step nearly as long, there is nothing to gain.
        if self.starter.guess <= 4.0 * self.h.abs() || room <= 4.0 * self.h.abs() {
            return Ok(false);
        }
        for _ in 0..TRIALS {
            let wanted = self.starter.guess.max(PARTS as f64 * time_resolution(self.t));
            let h = wanted.min(room).copysign(self.h);
            let ratio =
                self.trial(problem, h).map_or(f64::INFINITY, |e| e / self.tolerance.level());
            // The error of the embedded solution grows as h^5; the step is planned a tenth shorter than the error allows.
            let factor = 0.9 * (SHARE / ratio).powf(0.2);
            if ratio <= SHARE {
                // A step cut short by the bound of the target tells little about longer steps.
                self.starter.guess = wanted.max(h.abs() * factor.clamp(1.0, 4.0));
                self.enter(problem, h)?;
                return Ok(true);
            }
            self.statistics.rejected += 1;
            self.starter.guess = h.abs() * factor.clamp(0.1, 0.8);
        }
        // `ydot` gets back the derivative at the starting point.
        self.ydot.copy_from_slice(&self.starter.stages[..self.starter.n]);
        Ok(false)
    }

    /// Fills the stages of a step of size `h` and returns the weighted norm of its error.
    fn trial(&mut self, problem: &mut dyn HybridSystem, h: f64) -> Option<f64> {
        let n = self.starter.n;
        self.starter.stages[..n].copy_from_slice(self.history.column(1));
        for s in 1..7 {
            for l in 0..n {
                self.p[l] = self.y[l] + h * self.starter.combine(&A[s][..s], l);
            }
            self.statistics.evaluations += 1;
            let stage = &mut self.starter.stages[s * n..(s + 1) * n];
            problem.derivatives(self.t + C[s] * h, &self.p, stage).ok()?;
            check_finite(stage).ok()?;
        }
        // Euclidean norm of the difference of the two solutions, over the weights.
        let mut sum = 0.0;
        for l in 0..n {
            let error = h * self.starter.combine(&E, l) / self.weights[l];
            sum += error * error;
        }
        Some(sum.sqrt())
    }

    /// Samples the derivative along the step and makes the samples the history.
    fn enter(&mut self, problem: &mut dyn HybridSystem, h: f64) -> Result<(), IntegrationError> {
        let n = self.starter.n;
        // After the last stage `p` is the solution at the end; `ydot` serves as scratch.
        for part in 0..=PARTS {
            let theta = part as f64 / PARTS as f64;
            let from = part * n;
            if part == 0 || part == PARTS {
                // Both ends are stages of the step.
                let stage = if part == 0 { 0 } else { 6 * n };
                let ends = &self.starter.stages[stage..stage + n];
                self.starter.samples[from..from + n].copy_from_slice(ends);
                continue;
            }
            self.sample_solution(h, theta);
            self.statistics.evaluations += 1;
            let sample = &mut self.starter.samples[from..from + n];
            let result = problem.derivatives(self.t + theta * h, &self.ydot, sample);
            let checked = result.and_then(|()| check_finite(sample));
            checked.map_err(|source| self.failure(source))?;
        }
        // The end of the step becomes the present point, with equal steps behind it.
        self.history.begin_from_samples(&self.starter.samples, PARTS + 1);
        self.y.copy_from_slice(&self.p);
        self.ydot.copy_from_slice(&self.starter.stages[6 * n..]);
        self.t += h;
        let projected = problem.project(self.t, &mut self.y);
        projected.map_err(|source| self.failure(source))?;
        self.plan_after_start(h);
        self.statistics.accept(PARTS + 1);
        Ok(())
    }

    /// Writes the continuous extension at fraction `theta` of the step into `ydot`.
    fn sample_solution(&mut self, h: f64, theta: f64) {
        let n = self.starter.n;
        let rest = 1.0 - theta;
        for l in 0..n {
            let rise = self.p[l] - self.y[l];
            let r3 = h * self.starter.stages[l] - rise;
            let r4 = rise - h * self.starter.stages[6 * n + l] - r3;
            let r5 = h * self.starter.combine(&D, l);
            self.ydot[l] = self.y[l] + theta * (rise + rest * (r3 + theta * (r4 + rest * r5)));
        }
    }

    /// Order 5 with the spacing of the samples as the last step, as after five equal steps; the
    /// next size from the difference of order 6.
    fn plan_after_start(&mut self, span: f64) {
        let h = span / PARTS as f64;
        // Builds the coefficients up as five equal steps of rising order would.
        for k in 1..=PARTS {
            let h_old = if k == 1 { 0.0 } else { h };
            self.coefficients.update(StepShape { h, h_old, k, k_old: k - 1 });
        }
        self.k = PARTS;
        self.k_old = PARTS;
        self.h_old = h;
        self.span = span;
        self.phase = Phase::Regular;
        let error = order::error_at_order(&self.history, PARTS, h, &self.weights);
        let factor = order::step_factor(PARTS, error, 0.5 * self.tolerance.level());
        self.h = self.limits.clamp(h * factor);
    }
}
