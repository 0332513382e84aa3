//! `euler`, `euler_implicit`, `euler_mixed`: steps of fixed size and known cost, for real time.
//!
//! A step in real time has to be over when its time is, so there is nothing to iterate and nothing to repeat.
//! Of the states some are *fast* and take a backward difference, the others are *slow* and take a forward one:
//!
//! ```text
//! slow:  x_1 = x_0 + h f(t_0, x_0, z_0)
//! fast:  z_1 = z_0 + h f(t_1, x_1, z_1),   solved by one step of Newton's iteration from z_0:
//!        (E - h df/dz) (z_1 - z_0) = h f(t_1, x_1, z_0)
//! ```
//!
//! If no state is fast, this is the explicit method of Euler; if all states are fast, the linearly implicit method. With
//! some fast states it is mixed mode (Schiela and Olsson, *Mixed-mode Integration for Real-time Simulation*, Modelica
//! Workshop 2000), where only the block of the fast states is differenced and factorised. `partition.rs` decides which
//! states are fast. All three methods have order one and no error control.
//!
//! The Jacobian of the fast states is kept while it serves; in the implicit method, where all states are fast, it is formed
//! in every step.
//!
//! The fast states see the slow states at the end of the step. A coordinate that is fast beside its slow speed makes the
//! semi-implicit method of Euler, which keeps the energy of an oscillator within bounds and needs no matrix.
//!
//! | file | subject |
//! |---|---|
//! | `partition.rs` | which states are fast |
//! | `modal.rs`, `rows.rs` | fast states of one group of states, from its eigenvalues or from its rows |
//! | `components.rs` | states that depend on each other |
//! | `fast.rs` | the block of the fast states |
//!
//! Not here: the clock, which only the simulation knows.

mod fast;
mod modal;
mod partition;
mod rows;

use rustc_hash::FxHashSet;

use super::implicit::{Differences, Matrix, Pattern, StatePoint, is_sparse};
use super::method::accessors;
use super::one_step::{LastStep, fixed_step_toward};
use super::problem::check_finite;
use super::{
    EvaluationError, HybridSystem, IntegrationError, Method, Start, Statistics, StepOutcome,
    StepReport, Target, Tolerance,
};
use fast::{FastStates, StepEnd};
use partition::Kinds;

/// New combinations of discrete states in a row that brought no fast state; after so many no further one is inspected.
const FRUITLESS: usize = 1000;

/// Which states take a backward difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EulerKind {
    /// None.
    Explicit,
    /// All.
    Implicit,
    /// The states for which the step is too long, as found at the start and whenever the discrete states take a new
    /// combination of values.
    Mixed,
}

/// Euler's method with a fixed step.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct Euler {
    kind: EulerKind,
    /// The fast states are to be found at the start.
    divides: bool,
    h: f64,
    step: LastStep,
    pattern: Option<Pattern>,
    fast: FastStates,
    /// Discrete states for which fast states were looked for.
    looked_at: FxHashSet<u64>,
    fruitless: usize,
    statistics: Statistics,
}

impl Euler {
    /// A method for `n` components with steps of length `h`, s; steps are shorter where a target asks for it. A Jacobian of
    /// known pattern takes fewer evaluations.
    pub fn new(kind: EulerKind, n: usize, h: f64, pattern: Option<Pattern>) -> Self {
        let all: Vec<usize> =
            if kind == EulerKind::Implicit { (0..n).collect() } else { Vec::new() };
        Self {
            kind,
            divides: kind == EulerKind::Mixed,
            h: h.abs(),
            step: LastStep::new(n),
            fast: FastStates::new(n, &all, pattern.as_ref()),
            pattern,
            looked_at: FxHashSet::with_capacity_and_hasher(64, Default::default()),
            fruitless: 0,
            statistics: Statistics::default(),
        }
    }

    /// The mixed method with a given partition: `states` are fast, in ascending order.
    #[must_use]
    pub fn with_fast_states(mut self, states: &[usize]) -> Self {
        self.divides = false;
        self.fast = FastStates::new(self.step.y1.len(), states, self.pattern.as_ref());
        self
    }

    /// Forms the Jacobian and divides the states. A state that was fast in other discrete states stays fast, unless the run is
    /// `fresh`.
    fn divide(
        &mut self,
        problem: &mut dyn HybridSystem,
        fresh: bool,
    ) -> Result<(), EvaluationError> {
        let n = self.step.y1.len();
        // The pattern of the fast block covers all discrete states seen so far.
        let has_grown = match (&mut self.pattern, problem.held_pattern()) {
            (Some(known), Some(now)) if !fresh => known.unite(&now),
            (known, now) => {
                *known = now;
                true
            }
        };
        let now = problem.pattern_now();
        let jacobian = self.jacobian(problem, now)?;
        // The old partition stays if the step is stable with it in the new discrete states.
        let fast = self.fast.states();
        let is_still_stable = !fresh && partition::is_stable(&jacobian, self.h, fast);
        let mut states = Vec::new();
        if !is_still_stable {
            let kinds = Kinds { integrals: problem.integrals(), cheap: problem.cheap_states() };
            states = partition::fast_states(&jacobian, self.h, &kinds);
        }
        // Former fast states stay fast, so that the partition does not change to and fro.
        if !fresh {
            states.extend(fast);
            states.sort_unstable();
            states.dedup();
        }
        if states == fast && !has_grown {
            self.fruitless += 1;
            return Ok(());
        }
        self.fruitless = 0;
        self.fast = FastStates::new(n, &states, self.pattern.as_ref());
        Ok(())
    }

    /// The Jacobian of all states at the present point.
    fn jacobian(
        &mut self,
        problem: &mut dyn HybridSystem,
        pattern: Option<Pattern>,
    ) -> Result<Matrix, EvaluationError> {
        let LastStep { t1: t, y1: y, f1: f, .. } = &self.step;
        let n = y.len();
        let sparse = pattern.as_ref().filter(|pattern| is_sparse(pattern));
        let mut jacobian = sparse.map_or_else(|| Matrix::zeros(n), Matrix::sparse);
        let mut differences = Differences::new(n, pattern);
        // Without a tolerance the differences take coarse increments.
        let point = StatePoint { t: *t, y, f, allowed: &[], direction: 1.0 };
        differences.form(problem, point, &mut jacobian, &mut self.statistics.evaluations)?;
        self.statistics.jacobians += 1;
        Ok(jacobian)
    }

    /// Takes a step; takes it again with a new Jacobian if the old one proves wrong.
    fn advance(
        &mut self,
        problem: &mut dyn HybridSystem,
        h: f64,
        t1: f64,
    ) -> Result<(), EvaluationError> {
        self.attempt(problem, h, t1)?;
        if !self.fast.confirm(h, &self.step.y1, &self.step.f1) {
            self.attempt(problem, h, t1)?;
            self.fast.confirm(h, &self.step.y1, &self.step.f1);
        }
        if self.fast.are_some() {
            problem.follow(&mut self.step.y1)?;
        }
        Ok(())
    }

    /// One trial of a step, with the derivatives at its end.
    fn attempt(
        &mut self,
        problem: &mut dyn HybridSystem,
        h: f64,
        t1: f64,
    ) -> Result<(), EvaluationError> {
        let LastStep { y0, f0, y1, f1, .. } = &mut self.step;
        // The explicit step; fast states are replaced by the implicit step.
        for ((y1, y0), f0) in y1.iter_mut().zip(&*y0).zip(&*f0) {
            *y1 = y0 + h * f0;
        }
        self.fast.advance(problem, StepEnd { t: t1, h }, y0, y1, &mut self.statistics)?;
        self.statistics.evaluations += 1;
        problem.project(t1, y1)?;
        problem.derivatives(t1, y1, f1)?;
        check_finite(f1)
    }
}

impl Method for Euler {
    accessors! { t: step.t1, y: step.y1, ydot: step.f1 }

    fn name(&self) -> &'static str {
        match self.kind {
            EulerKind::Explicit => "euler",
            EulerKind::Implicit => "euler_implicit",
            EulerKind::Mixed => "euler_mixed",
        }
    }

    fn look(
        &mut self,
        problem: &mut dyn HybridSystem,
        states: Option<u64>,
    ) -> Result<(), IntegrationError> {
        let is_known = match states {
            None => {
                self.looked_at.clear();
                self.fruitless = 0;
                false
            }
            Some(_) if !self.divides => true,
            Some(states) => self.looked_at.contains(&states),
        };
        if is_known || self.fruitless >= FRUITLESS {
            return Ok(());
        }
        if self.divides {
            self.looked_at.insert(states.unwrap_or_default());
        }
        let (t, h) = (self.step.t1, self.h);
        let end = StepEnd { t, h };
        let failure = |source| IntegrationError::Evaluation { t, h, order: 1, source };
        if self.divides {
            self.divide(problem, states.is_none()).map_err(failure)?;
        }
        self.fast.rehearse(problem, end, &self.step.y1).map_err(failure)
    }

    fn fast_states(&self) -> &[usize] {
        self.fast.states()
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
        self.advance(problem, h, t1).map_err(|source| IntegrationError::Evaluation {
            t: t1,
            h,
            order: 1,
            source,
        })?;
        self.step.complete(t1, h);
        self.statistics.accept(1);
        Ok(StepOutcome::Accepted)
    }

    /// Straight lines: a method of order one gives no more, and the derivatives of stiff components would bend a polynomial
    /// far away from both ends.
    fn interpolate(&mut self, t: f64, y: &mut [f64], ydot: &mut [f64]) {
        let LastStep { t0, t1, y0, f0, y1, f1, .. } = &self.step;
        let part = (t - t0) / (t1 - t0);
        let line = |from: &[f64], to: &[f64], result: &mut [f64]| {
            for ((result, from), to) in result.iter_mut().zip(from).zip(to) {
                *result = from + part * (to - from);
            }
        };
        line(y0, y1, y);
        line(f0, f1, ydot);
    }

    fn lands_on_outputs(&self) -> bool {
        true
    }

    fn report(&self) -> StepReport {
        let h = self.step.h;
        StepReport { t: self.step.t1, h, order: 1, h_next: self.h.copysign(h), order_next: 1 }
    }

    fn tolerance(&self) -> Tolerance {
        Tolerance::new(f64::INFINITY, f64::INFINITY)
    }
}
