//! The equations of a step: what the iterations are given, and how they end.

use super::super::EvaluationError;
use super::super::implicit::{Mass, Matrix};
use super::systems::Systems;
use super::tableau::Tableau;

/// A stage of a step.
#[derive(Clone, Copy)]
pub(super) struct StagePoint<'a> {
    /// Its time, s.
    pub t: f64,
    /// Its state.
    pub y: &'a [f64],
    /// The derivatives there.
    pub f: &'a [f64],
}

/// The course of an iteration that converged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Convergence {
    /// Passes made.
    pub passes: usize,
    /// Factor by which a pass shrinks the error; `None` if a single pass gave no estimate.
    pub contraction: Option<f64>,
    /// Estimate of the error left in the stages, over the allowed error.
    pub left: f64,
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug)]
pub(super) enum Failure {
    /// The iteration does not converge; a step of this fraction should.
    Slow { fraction: f64 },
    /// The problem has no value at a stage.
    Evaluation(EvaluationError),
}

/// The step whose stages are sought.
pub(super) struct StepEquations<'a> {
    pub tableau: &'a Tableau,
    pub systems: &'a Systems,
    pub mass: &'a Mass,
    pub jacobian: &'a Matrix,
    pub t0: f64,
    pub t1: f64,
    pub h: f64,
    pub y0: &'a [f64],
    /// The first guess continues the polynomial of the step before; otherwise the guess is zero.
    pub is_foreseen: bool,
    /// Allowed error of each component.
    pub allowed: &'a [f64],
    /// Fraction of the allowed error that the iteration may leave.
    pub kappa: f64,
    /// Error, over the allowed error, that the stages may have after a single pass; zero if round-off calls for a second pass.
    pub sure: f64,
}

impl StepEquations<'_> {
    /// The time of a stage.
    pub fn time(&self, stage: usize) -> f64 {
        let last = stage + 1 == self.tableau.s;
        if last { self.t1 } else { self.t0 + self.tableau.c[stage] * self.h }
    }
}
