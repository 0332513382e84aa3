//! `odeint_bs`: Bulirsch and Stoer's extrapolation of the modified midpoint rule.
//!
//! Bulirsch & Stoer 1966; order and step control after Deuflhard 1983, as in Hairer, Norsett,
//! Wanner, *Solving ODEs I*, II.9; Press et al., *Numerical Recipes*, section 16.4. The midpoint
//! rule has an error expansion in even powers of its step, so polynomial extrapolation to step
//! zero gains two orders per row. Substeps per row are 2, 6, 10, ...: half of each is odd, so the
//! values at the middle of the step have an expansion of their own, which gives dense output of
//! the order of the step without further evaluations (`midpoint.rs`).
//!
//! Not here: landing on outputs and events (`driver.rs`).

mod midpoint;

use super::method::accessors;
use super::one_step::{first_step, fit_step, ratio};
use super::problem::check_finite;
use super::tolerance::time_resolution;
use super::{
    EvaluationError, HybridSystem, IntegrationError, Method, Start, Statistics, StepLimits,
    StepOutcome, StepReport, Target, Tolerance,
};
use midpoint::{MidpointRows, ROWS, SUBSTEPS};

/// Factors of the step control: the step is planned for an error of `AIM` times the tolerance, and then shortened by the
/// factor `SAFETY`.
const AIM: f64 = 0.65;
const SAFETY: f64 = 0.94;
/// Limits of a change of the step size.
const SHRINK: f64 = 0.02;
const GROW: f64 = 4.0;
/// A step of at most this many times the shortest step may contain a jump of any size.
const JUMP_STEP: f64 = 4.0;

/// Bulirsch-Stoer method with variable order and step.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct BulirschStoer {
    tolerance: Tolerance,
    limits: StepLimits,
    /// Planned size; 0 before the first step.
    h: f64,
    /// Row in which convergence is expected.
    target_row: usize,
    /// Row in which the last step converged.
    last_row: usize,
    rows: MidpointRows,
    /// Diagonal of the extrapolation table, newest row.
    table: Vec<f64>,
    scratch: Vec<f64>,
    /// The branch of the problem at the beginning of the next step, if it is known.
    branch: Option<u64>,
    statistics: Statistics,
}

/// Error, step size and work of one row of a trial.
#[derive(Clone, Copy, Debug)]
struct RowReport {
    /// Error over tolerance.
    error: f64,
    /// Step that would make this row the last.
    h: f64,
    /// Evaluations per unit of time with that step.
    work: f64,
}

impl BulirschStoer {
    /// A method for `n` components that waits for [`Method::restart`].
    pub fn new(n: usize, tolerance: Tolerance, limits: StepLimits) -> Self {
        Self {
            tolerance,
            limits,
            h: 0.0,
            target_row: first_row(&tolerance),
            last_row: 1,
            rows: MidpointRows::new(n),
            table: vec![0.0; ROWS * n],
            scratch: vec![0.0; n],
            branch: None,
            statistics: Statistics::default(),
        }
    }

    /// Neville's scheme for row j in the variable `h^2`: column i from columns i - 1 of rows j and
    /// j - 1. The row stands in `table`, column by column; `scratch` carries the corner.
    fn extrapolate(&mut self, j: usize) {
        let n = self.scratch.len();
        for l in 0..n {
            let mut value = self.rows.end[l];
            let mut above = self.table[l];
            self.table[l] = value;
            for i in 1..=j {
                let quotient = SUBSTEPS[j] as f64 / SUBSTEPS[j - i] as f64;
                let next = value + (value - above) / (quotient * quotient - 1.0);
                above = self.table[i * n + l];
                self.table[i * n + l] = next;
                value = next;
            }
        }
    }

    /// Largest `|T_jj - T_j,j-1|` over the allowed error.
    fn row_error(&self, j: usize) -> f64 {
        let n = self.scratch.len();
        let mut worst: f64 = 0.0;
        for l in 0..n {
            let (new, before) = (self.table[j * n + l], self.table[(j - 1) * n + l]);
            let size = self.rows.y0[l].abs().max(new.abs());
            let allowed = self.tolerance.relative * size + self.tolerance.absolute;
            worst = worst.max(ratio(new - before, allowed));
        }
        worst
    }

    /// The step with which row `j` would just converge, as the error of the row grows with `h^(2j+1)`.
    fn row_report(&self, j: usize, h: f64, error: f64) -> RowReport {
        let factor = SAFETY * (AIM / error.max(f64::MIN_POSITIVE)).powf(1.0 / (2 * j + 1) as f64);
        let planned = h.abs() * factor.clamp(SHRINK, GROW);
        RowReport { error, h: planned, work: work(j) / planned }
    }

    /// One trial: rows until one converges. `Ok(None)` is a rejection; the plan is updated.
    fn trial(
        &mut self,
        problem: &mut dyn HybridSystem,
        h: f64,
    ) -> Result<Option<usize>, EvaluationError> {
        let mut before = RowReport { error: f64::INFINITY, h: h.abs(), work: f64::INFINITY };
        let last = (self.target_row + 1).min(ROWS - 1);
        for j in 0..=last {
            self.statistics.evaluations += self.rows.fill(problem, j, h)?;
            self.extrapolate(j);
            if j == 0 {
                continue;
            }
            let report = self.row_report(j, h, self.row_error(j));
            // Converged, in the window from one row before the target.
            if report.error <= 1.0 && j + 1 >= self.target_row {
                self.plan_after_success(j, before, report);
                return Ok(Some(j));
            }
            // Gives up at the last row of the window, or when the rows still to come cannot help.
            if j == last || hopeless(j, self.target_row, report.error) {
                self.plan_after_failure(j, before, report);
                return Ok(None);
            }
            before = report;
        }
        Ok(None)
    }

    /// Order with the least work per unit of time among the last two rows and the next one.
    fn plan_after_success(&mut self, j: usize, before: RowReport, report: RowReport) {
        // One row less is cheaper; one row more is tried if the work still falls; otherwise the order stays.
        if before.work < 0.8 * report.work {
            self.target_row = (j - 1).max(1);
            self.h = before.h;
        } else if report.work < 0.9 * before.work && j + 2 < ROWS {
            self.target_row = j + 1;
            self.h = report.h * work(j + 1) / work(j);
        } else {
            self.target_row = j.min(ROWS - 2);
            self.h = report.h;
        }
    }

    fn plan_after_failure(&mut self, j: usize, before: RowReport, report: RowReport) {
        let lower = before.work < 0.8 * report.work;
        self.target_row = if lower { j - 1 } else { j }.clamp(1, self.target_row);
        self.h = if lower { before.h } else { report.h };
    }

    /// Takes over the converged row and evaluates the derivatives at the end of the step.
    fn finish(
        &mut self,
        problem: &mut dyn HybridSystem,
        t1: f64,
        row: usize,
    ) -> Result<(), EvaluationError> {
        let n = self.scratch.len();
        self.rows.y1.copy_from_slice(&self.table[row * n..(row + 1) * n]);
        self.statistics.evaluations += 1;
        problem.project(t1, &mut self.rows.y1)?;
        problem.derivatives(t1, &self.rows.y1, &mut self.rows.f1)?;
        check_finite(&self.rows.f1)
    }

    /// Trial and end of step; the row of convergence, or `None` for a rejection.
    fn attempt(
        &mut self,
        problem: &mut dyn HybridSystem,
        h: f64,
        t1: f64,
    ) -> Result<Option<usize>, EvaluationError> {
        let Some(row) = self.trial(problem, h)? else { return Ok(None) };
        self.finish(problem, t1, row)?;
        let branch = Some(problem.branch());
        let jump = if self.branch == branch { 0.0 } else { self.jump_error(h) };
        // A jump cannot be resolved by shorter steps: the step across it has the shortest length that is allowed.
        let shortest = self.limits.min.max(time_resolution(t1));
        if jump > 1.0 && h.abs() > JUMP_STEP * shortest {
            self.h = h.abs() * (AIM / jump).clamp(SHRINK, 0.5);
            return Ok(None);
        }
        self.branch = branch;
        Ok(Some(row))
    }

    /// An upper bound for the error, over the allowed error, of a step that ends in another branch of the problem: the
    /// derivative differs by its jump for at most the whole step. The rows do not show the jump: none evaluates the end of the
    /// step, so that a jump behind their last substep stays unseen, and elsewhere a jump has no expansion in powers of h.
    fn jump_error(&self, h: f64) -> f64 {
        let MidpointRows { y0, y1, f0, f1, .. } = &self.rows;
        let mut worst: f64 = 0.0;
        for l in 0..self.scratch.len() {
            let size = y0[l].abs().max(y1[l].abs());
            let allowed = self.tolerance.relative * size + self.tolerance.absolute;
            worst = worst.max(ratio(h * (f1[l] - f0[l]), allowed));
        }
        worst
    }
}

/// Row in which a first step is expected to converge, from the digits asked for.
fn first_row(tolerance: &Tolerance) -> usize {
    let digits = -tolerance.level().log10();
    ((0.6 * digits + 0.5).max(1.0) as usize).clamp(2, ROWS - 2)
}

/// Evaluations of all rows up to j.
fn work(j: usize) -> f64 {
    1.0 + SUBSTEPS[..=j].iter().map(|n| (n - 1) as f64).sum::<f64>() + 1.0
}

/// True if the rows still to come cannot bring this error down to one: each row gains at best the square of the quotient
/// of substeps.
fn hopeless(j: usize, target: usize, error: f64) -> bool {
    let reach: f64 = SUBSTEPS[j + 1..ROWS.min(target + 2)]
        .iter()
        .map(|&n| (n as f64 / SUBSTEPS[0] as f64).powi(2))
        .product();
    error > reach
}

impl Method for BulirschStoer {
    accessors! { t: rows.t1, y: rows.y1, ydot: rows.f1 }

    fn name(&self) -> &'static str {
        "odeint_bs"
    }

    fn restart(&mut self, t: f64, y: &[f64], ydot: &[f64], start: Start) {
        self.rows.reset(t, y, ydot);
        self.branch = None;
        // After an event size and order are still the best guess; a failure corrects them.
        if start == Start::Cold {
            self.h = 0.0;
            self.target_row = first_row(&self.tolerance);
        }
    }

    fn step(
        &mut self,
        problem: &mut dyn HybridSystem,
        target: Target,
    ) -> Result<StepOutcome, IntegrationError> {
        if let Some(raised) = self.tolerance.raised_for(&self.rows.y1) {
            self.tolerance = raised;
            self.statistics.tolerance_raises += 1;
            return Ok(StepOutcome::ToleranceRaised(raised));
        }
        let (t, room) = (self.rows.t1, target.bound - self.rows.t1);
        if self.h == 0.0 {
            let Self { tolerance, limits, rows, .. } = self;
            self.h = first_step(tolerance, limits, &rows.y1, &rows.f1, room.abs());
        }
        // The branch at the present point is the branch of the last evaluation, which was made there.
        self.branch.get_or_insert(problem.branch());
        self.rows.turn_over();
        loop {
            let plan = self.limits.clamp(self.h).copysign(room);
            let (h, t1) = fit_step(t, plan, target.bound);
            let outcome = self.attempt(problem, h, t1);
            if let Ok(Some(row)) = outcome {
                // The step was cut short by the bound of the target, so the longer plan stays valid.
                if h != plan {
                    self.h = self.h.max(plan.abs());
                }
                self.last_row = row;
                self.rows.complete(t1, h, row);
                self.statistics.accept(2 * row + 2);
                return Ok(StepOutcome::Accepted);
            }
            self.statistics.rejected += 1;
            // A failure at the smallest size is final; otherwise the next trial is at most half as long.
            let smallest = self.limits.min.max(time_resolution(t));
            let order = 2 * self.target_row + 2;
            if h.abs() <= smallest {
                self.rows.turn_back();
                return Err(match outcome {
                    Err(source) => IntegrationError::Evaluation { t, h, order, source },
                    Ok(_) => {
                        let error_ratio = self.row_error(1);
                        IntegrationError::StepTooSmall { t, h, order, error_ratio }
                    }
                });
            }
            let shorter = if outcome.is_err() { 0.25 * h.abs() } else { self.h.min(0.5 * h.abs()) };
            self.h = shorter.max(smallest);
        }
    }

    fn prepare_interpolation(&mut self, _: &mut dyn HybridSystem) -> Result<(), IntegrationError> {
        self.rows.fill_polynomial();
        Ok(())
    }

    fn interpolate(&mut self, t: f64, y: &mut [f64], ydot: &mut [f64]) {
        self.rows.fill_polynomial();
        self.rows.interpolate(t, y, ydot);
    }

    /// A step of high order spans several turns of an oscillation.
    fn parts_to_inspect(&self) -> usize {
        2 * self.report().order
    }

    fn lands_on_outputs(&self) -> bool {
        true
    }

    fn report(&self) -> StepReport {
        let h = self.rows.h;
        StepReport {
            t: self.rows.t1,
            h,
            order: 2 * self.last_row + 2,
            h_next: self.h.copysign(h),
            order_next: 2 * self.target_row + 2,
        }
    }

    fn tolerance(&self) -> Tolerance {
        self.tolerance
    }
}
