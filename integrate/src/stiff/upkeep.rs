//! The present Jacobian: which entries it has, how old it is, and whether it still serves.

use rustc_hash::FxHashSet;

use super::super::implicit::{Differences, Mass, Matrix, Pattern, StatePoint, is_sparse};
use super::super::{EvaluationError, HybridSystem, Statistics};
use super::hidden::Hidden;
use super::solver::form;
use super::step_equations::Convergence;
use super::tableau::Tableau;

/// Contraction up to which a Jacobian also serves the next step: the first limit if a new Jacobian costs at most the
/// evaluations of one pass of the iteration, the second if it is expensive.
const KEEP_CHEAP: f64 = 1e-3;
const KEEP_EXPENSIVE: f64 = 3e-2;

/// The state of the present Jacobian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// It has to be formed.
    Missing,
    /// It was formed at an earlier step.
    Older,
    /// It was formed at this point.
    Current,
}

/// A Jacobian with its history.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct Upkeep {
    pub jacobian: Matrix,
    pub age: Age,
    pub differences: Differences,
    /// What its steep slopes hide.
    pub hidden: Hidden,
    /// Entries in all discrete states seen so far; `None` means that all entries may differ from zero.
    pattern: Option<Pattern>,
    /// The discrete states in which the pattern was asked for, and the present discrete states.
    looked_at: FxHashSet<u64>,
    modes: u64,
    /// Evaluations spent on second and later passes since the present Jacobian was formed.
    spent: usize,
}

/// Evaluations that forming an extended Jacobian and its factors are worth.
const EXTENDED_COST: usize = 30;

/// True for a pattern of states alone.
fn is_plain(pattern: &Pattern) -> bool {
    pattern.order().is_none()
}

/// The pattern, if it is so sparse that sparse factors are faster.
pub(super) fn sparse<'a>(mass: &Mass, pattern: Option<&'a Pattern>) -> Option<&'a Pattern> {
    pattern.filter(|pattern| *mass == Mass::Identity && is_sparse(pattern))
}

impl Upkeep {
    /// Room for a Jacobian of `n` states; only the entries of the `pattern` are stored if the pattern is sparse.
    pub fn new(n: usize, most_stages: usize, pattern: Option<Pattern>, mass: &Mass) -> Self {
        let entries = sparse(mass, pattern.as_ref());
        Self {
            jacobian: entries.map_or_else(|| Matrix::zeros(n), Matrix::sparse),
            age: Age::Missing,
            differences: Differences::new(n, pattern.clone().filter(is_plain)),
            hidden: Hidden::new(n, most_stages),
            pattern,
            looked_at: FxHashSet::with_capacity_and_hasher(64, Default::default()),
            modes: 0,
            spent: 0,
        }
    }

    /// Asks for the pattern in discrete states that are new, or at the start. Gives the united pattern if it has grown; the
    /// factors must be allocated again then.
    pub fn look(&mut self, problem: &dyn HybridSystem, states: Option<u64>) -> Option<&Pattern> {
        let (modes, is_fresh) = (states.unwrap_or(0), states.is_none());
        // The Jacobian of other discrete states is that of other equations.
        if is_fresh || modes != self.modes {
            self.age = Age::Missing;
        }
        if is_fresh {
            self.looked_at.clear();
        }
        // The pattern is asked for once in each combination of discrete states.
        self.modes = modes;
        // The entries of an extended Jacobian hold in all discrete states.
        if self.jacobian.is_extended() {
            return None;
        }
        if !self.looked_at.insert(modes) {
            return None;
        }
        let mut pattern = problem.pattern_now()?;
        // Entries of all discrete states so far are united, so that a change back needs no new factors.
        if let Some(known) = self.pattern.as_ref().filter(|_| !is_fresh) {
            pattern.unite(known);
        }
        if self.pattern.as_ref() == Some(&pattern) {
            return None;
        }
        self.pattern = Some(pattern);
        self.pattern.as_ref()
    }

    /// Allocates the Jacobian for the pattern that was found.
    pub fn reshape(&mut self, mass: &Mass) {
        let Some(pattern) = &self.pattern else { return };
        let n = pattern.len();
        self.jacobian =
            sparse(mass, Some(pattern)).map_or_else(|| Matrix::zeros(n), Matrix::sparse);
        self.differences.reshape(pattern.clone());
        self.age = Age::Missing;
    }

    /// Forms the Jacobian at a point.
    pub fn form(
        &mut self,
        problem: &mut dyn HybridSystem,
        point: StatePoint<'_>,
        statistics: &mut Statistics,
    ) -> Result<(), EvaluationError> {
        let tools = (&mut self.differences, &mut self.hidden);
        form(problem, tools, point, &mut self.jacobian, statistics)?;
        self.age = Age::Current;
        self.spent = 0;
        Ok(())
    }

    /// Whether the Jacobian serves the next step, after a step whose iteration converged like this.
    pub fn serves(&mut self, tableau: &Tableau, convergence: Convergence) -> bool {
        let is_extended = self.jacobian.is_extended();
        let cost = if is_extended { EXTENDED_COST } else { self.differences.cost() };
        // A Jacobian that costs more than a pass may converge more slowly before it is formed anew.
        let limit = if cost > tableau.s { KEEP_EXPENSIVE } else { KEEP_CHEAP };
        let serves = convergence.contraction.is_none_or(|contraction| contraction <= limit);
        if self.age != Age::Older {
            return serves;
        }
        // The further passes would probably not have been needed with a new Jacobian; once they have cost as much as a new
        // Jacobian, the old one goes.
        self.spent += (convergence.passes - 1) * tableau.s;
        serves && self.spent <= cost
    }

    /// The integration goes on at another point, so a current Jacobian becomes an older one.
    pub fn grow_older(&mut self) {
        if self.age == Age::Current {
            self.age = Age::Older;
        }
    }
}
