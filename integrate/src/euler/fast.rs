//! The block of the fast states: its Jacobian, its factors, its step.
//!
//! A Jacobian serves until it proves wrong, in other modes too. After a step the derivatives at its end are known, and with
//! them the correction that a second pass of Newton's iteration would make; while this correction is small beside the
//! change of the first pass, the factors are kept. Circuits, filters and controllers are linear between events, so that a
//! step costs two substitutions.

use super::super::implicit::{Differences, Factors, Mass, Matrix, Pattern, StatePoint};
use super::super::problem::check_finite_at;
use super::super::{EvaluationError, HybridSystem, Statistics};

/// Largest correction of a second pass over the change of the first pass. Linearly implicit methods of order one keep this
/// order with any matrix in the place of the Jacobian (Steihaug and Wolfbrandt, Math. Comp. 33 (1979) 521): an error of a
/// tenth in J changes the error of a step, which is h^2/2 J z' at least, by a fifth.
const LINEAR: f64 = 0.1;
/// Correction that is allowed besides: over the size of the state, for a state at rest; and over the largest state, where
/// the state is only noise.
const RESTING: f64 = 1e-6;
const NOISE: f64 = 1e-9;
/// Steps that differ by less than this, over their length, have the same factors.
const SAME_STEP: f64 = 1e-9;
/// Blocks with fewer states than this are dense.
const MANY_STATES: usize = 12;
/// A pattern that fills less than this part of the block is sparse.
const SPARSE_SHARE: usize = 5;

/// The end of a step, and its length.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepEnd {
    /// Time at the end, s.
    pub t: f64,
    /// Length with the sign of the direction, s.
    pub h: f64,
}

/// The fast states, and room for their linear system.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct FastStates {
    /// Numbers of the fast states, ascending.
    states: Vec<usize>,
    differences: Differences,
    jacobian: Matrix,
    /// The Jacobian is kept from step to step; not if all states are fast, which is the implicit method.
    keeps: bool,
    /// There is a Jacobian that has served so far; and it was formed in this very step.
    is_formed: bool,
    is_new: bool,
    factors: Factors<f64>,
    /// The step length that the factors belong to, s; zero without factors.
    h: f64,
    /// Derivatives of the fast states at the point where the slow states have taken their step already.
    f: Vec<f64>,
    change: Vec<f64>,
    correction: Vec<f64>,
    /// The largest value of each state so far.
    sizes: Vec<f64>,
    scratch: Vec<f64>,
}

impl FastStates {
    /// The given `states` of `n` states are fast; `pattern` belongs to the whole Jacobian.
    pub fn new(n: usize, states: &[usize], pattern: Option<&Pattern>) -> Self {
        let count = states.len();
        let block = pattern.map(|pattern| pattern.of_part(states));
        let sparse = block.as_ref().filter(|block| is_sparse(block));
        let zero = || vec![0.0; count];
        Self {
            states: states.to_vec(),
            jacobian: sparse.map_or_else(|| Matrix::zeros(count), Matrix::sparse),
            keeps: count < n,
            is_formed: false,
            is_new: false,
            factors: Factors::new(count, sparse),
            h: 0.0,
            differences: Differences::of_part(n, states, pattern),
            f: vec![0.0; n],
            change: zero(),
            correction: zero(),
            sizes: zero(),
            scratch: zero(),
        }
    }

    pub fn states(&self) -> &[usize] {
        &self.states
    }

    /// True if some states are fast and some are slow.
    pub fn are_some(&self) -> bool {
        self.keeps && !self.states.is_empty()
    }

    /// Takes a step from `y0`. On entry `y1` is the end of an explicit step; slow states keep it.
    pub fn advance(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: StepEnd,
        y0: &[f64],
        y1: &mut [f64],
        statistics: &mut Statistics,
    ) -> Result<(), EvaluationError> {
        if self.states.is_empty() {
            return Ok(());
        }
        // Newton's iteration begins at z_0, with the slow states at their end: (E/h - J) (z_1 - z_0) = f(t_1, x_1, z_0).
        for &state in &self.states {
            y1[state] = y0[state];
        }
        self.linearise(problem, step, y1, statistics)?;
        for (change, &state) in self.change.iter_mut().zip(&self.states) {
            *change = self.f[state];
        }
        self.factors.solve(&mut self.change, &mut self.scratch);
        for (change, &state) in self.change.iter().zip(&self.states) {
            y1[state] = y0[state] + change;
        }
        Ok(())
    }

    /// Derivatives at a point, and factors of `E/h - J`.
    fn linearise(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: StepEnd,
        y: &[f64],
        statistics: &mut Statistics,
    ) -> Result<(), EvaluationError> {
        let StepEnd { t, h } = step;
        statistics.part_evaluations += 1;
        problem.held_derivatives(&self.states, t, y, &mut self.f)?;
        self.states.iter().try_for_each(|&state| check_finite_at(&self.f, state))?;
        self.is_new = !(self.keeps && self.is_formed);
        if self.is_new {
            self.is_formed = false;
            // Without a tolerance the differences take coarse increments.
            let point = StatePoint { t, y, f: &self.f, allowed: &[], direction: h.signum() };
            let evaluations = &mut statistics.part_evaluations;
            self.differences.form(problem, point, &mut self.jacobian, evaluations)?;
            statistics.jacobians += 1;
        }
        let is_other_step = (self.h - h).abs() > SAME_STEP * h.abs();
        if self.is_new || is_other_step {
            statistics.factorizations += 1;
            self.h = h;
            if !self.factors.factor(&Mass::Identity, &self.jacobian, 1.0 / h, |x| x) {
                self.is_formed = false;
                let index = self.states[0];
                return Err(EvaluationError::Undefined { index, what: "implicit step of state" });
            }
        }
        self.is_formed = true;
        Ok(())
    }

    /// Checks a step of length `h`, s, with state and derivatives at its end. False if the Jacobian of the step was an old one
    /// that no longer serves, so that the step has to be taken again.
    pub fn confirm(&mut self, h: f64, y1: &[f64], f1: &[f64]) -> bool {
        if !self.are_some() {
            return true;
        }
        // The correction of a second pass: (E/h - J) c = f(t_1, x_1, z_1) - (z_1 - z_0)/h.
        let results = self.correction.iter_mut().zip(&self.change);
        for ((correction, change), &state) in results.zip(&self.states) {
            *correction = f1[state] - change / h;
        }
        self.factors.solve(&mut self.correction, &mut self.scratch);
        for (size, &state) in self.sizes.iter_mut().zip(&self.states) {
            *size = size.max(y1[state].abs());
        }
        let noise = NOISE * self.sizes.iter().fold(0.0, |largest: f64, &size| largest.max(size));
        let is_small = (0..self.states.len()).all(|k| {
            let allowed = LINEAR * self.change[k].abs() + RESTING * self.sizes[k] + noise;
            self.correction[k].abs() <= allowed
        });
        self.is_formed = is_small;
        is_small || self.is_new
    }

    /// Factorises once, so that sparse factors are allocated before the first step. A matrix that is singular here is left for
    /// the step to report.
    pub fn rehearse(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: StepEnd,
        y: &[f64],
    ) -> Result<(), EvaluationError> {
        if self.states.is_empty() {
            return Ok(());
        }
        self.is_formed = false;
        match self.linearise(problem, step, y, &mut Statistics::default()) {
            Err(error @ EvaluationError::NotFinite { .. }) => Err(error),
            _ => Ok(()),
        }
    }
}

/// Whether it pays to store only the entries of a pattern. The limit is lower than in adaptive methods, since a block of
/// several drives has many zeros.
fn is_sparse(pattern: &Pattern) -> bool {
    let n = pattern.len();
    let entries: usize = (0..n).map(|column| pattern.rows(column).len()).sum();
    n >= MANY_STATES && SPARSE_SHARE * entries < n * n
}
