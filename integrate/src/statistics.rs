//! Counts of work: every number a user or a test may want to see after a run.
//!
//! Not here: wall time, which is not deterministic.

/// Work done by a method and its driver since construction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: u64,
    /// Trials that failed the error test or could not be evaluated.
    pub rejected: u64,
    /// Calls of the derivatives, including the calls for Jacobians by differences.
    pub evaluations: u64,
    /// Calls for the derivatives of some states only (implicit methods with fixed steps).
    pub part_evaluations: u64,
    /// Jacobian matrices formed (implicit methods).
    pub jacobians: u64,
    /// Factorisations for one step size (implicit methods).
    pub factorizations: u64,
    /// Passes of Newton's iteration (implicit methods).
    pub newton_iterations: u64,
    /// Restarts after events and turns of direction; the first start does not count.
    pub restarts: u64,
    /// Evaluations of the vector of guards, including the inexpensive evaluations at stages of steps.
    pub guard_evaluations: u64,
    /// State events: instants at which guards crossed zero.
    pub roots: u64,
    /// Time events.
    pub time_events: u64,
    /// Step events.
    pub step_events: u64,
    /// Passes of the event iteration.
    pub event_passes: u64,
    /// Raises of a tolerance that was too small for the arithmetic.
    pub tolerance_raises: u64,
    /// Highest order of an accepted step.
    pub highest_order: usize,
}

impl Statistics {
    /// Counts an accepted step of the given order.
    pub fn accept(&mut self, order: usize) {
        self.steps += 1;
        self.highest_order = self.highest_order.max(order);
    }
}
