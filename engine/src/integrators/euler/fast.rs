//! The block of the fast states: its Jacobian, its factors, its step.

use super::super::implicit::{Differences, Factors, Mass, Matrix, Pattern, Point, is_sparse};
use super::super::problem::check_finite_at;
use super::super::{EvaluationError, Problem, Statistics};

/// The fast states, and room for their linear system.
#[derive(Clone, Debug)]
pub(super) struct FastStates {
    /// Ascending.
    states: Vec<usize>,
    differences: Differences,
    jacobian: Matrix,
    factors: Factors<f64>,
    /// Derivatives of the fast states where the slow ones have taken their step already.
    f: Vec<f64>,
    change: Vec<f64>,
    scratch: Vec<f64>,
}

impl FastStates {
    /// Of `n` states these are fast; `pattern` is that of the whole Jacobian.
    pub fn new(n: usize, states: &[usize], pattern: Option<&Pattern>) -> Self {
        let count = states.len();
        let block = pattern.map(|pattern| pattern.of_part(states));
        let sparse = block.as_ref().filter(|block| is_sparse(block));
        Self {
            states: states.to_vec(),
            jacobian: sparse.map_or_else(|| Matrix::zeros(count), Matrix::sparse),
            factors: Factors::new(count, sparse),
            differences: Differences::of_part(n, states, pattern),
            f: vec![0.0; n],
            change: vec![0.0; count],
            scratch: vec![0.0; count],
        }
    }

    pub fn states(&self) -> &[usize] {
        &self.states
    }

    /// Takes a step from `y0` to `t1`. On entry `y1` is the end of an explicit step, which slow states keep.
    pub fn advance(
        &mut self,
        problem: &mut dyn Problem,
        (t1, h): (f64, f64),
        y0: &[f64],
        y1: &mut [f64],
        statistics: &mut Statistics,
    ) -> Result<(), EvaluationError> {
        if self.states.is_empty() {
            return Ok(());
        }
        for &state in &self.states {
            y1[state] = y0[state];
        }
        self.linearise(problem, (t1, h), y1, statistics)?;
        for (change, &state) in self.change.iter_mut().zip(&self.states) {
            *change = self.f[state];
        }
        self.factors.solve(&mut self.change, &mut self.scratch);
        for (change, &state) in self.change.iter().zip(&self.states) {
            y1[state] = y0[state] + change;
        }
        Ok(())
    }

    /// Derivatives, Jacobian and factors of `E/h - J` at a point.
    fn linearise(
        &mut self,
        problem: &mut dyn Problem,
        (t, h): (f64, f64),
        y: &[f64],
        statistics: &mut Statistics,
    ) -> Result<(), EvaluationError> {
        statistics.part_evaluations += 1;
        problem.part_derivatives(&self.states, t, y, &mut self.f)?;
        self.states.iter().try_for_each(|&state| check_finite_at(&self.f, state))?;
        // Coarse increments, which ask for no tolerance.
        let point = Point { t, y, f: &self.f, allowed: &[], direction: h.signum() };
        let evaluations = &mut statistics.part_evaluations;
        self.differences.form(problem, point, &mut self.jacobian, evaluations)?;
        statistics.jacobians += 1;
        statistics.factorizations += 1;
        if self.factors.factor(&Mass::Identity, &self.jacobian, 1.0 / h, |x| x) {
            return Ok(());
        }
        Err(EvaluationError::Undefined { index: self.states[0], what: "implicit step of state" })
    }

    /// Factorises once, so that sparse factors have their room before the first step. A matrix that is
    /// singular here is one for the step to complain about.
    pub fn rehearse(
        &mut self,
        problem: &mut dyn Problem,
        (t, h): (f64, f64),
        y: &[f64],
    ) -> Result<(), EvaluationError> {
        if self.states.is_empty() {
            return Ok(());
        }
        match self.linearise(problem, (t, h), y, &mut Statistics::default()) {
            Err(error @ EvaluationError::NotFinite { .. }) => Err(error),
            _ => Ok(()),
        }
    }
}
