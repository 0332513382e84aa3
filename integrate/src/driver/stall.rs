//! Tells a run that goes on without getting anywhere from one that is slow.
//!
//! Steps and rejected trials are counted, and compared with the time that they covered: a clock would make the end of a
//! run depend on the machine. A run has stalled when [`LIMIT`] steps and trials in a row covered less than a given span
//! together. The state that keeps the steps short is found afterwards: the state whose derivative changes most, in units
//! of its tolerance, in one more step.

use super::super::{IntegrationError, Method, Tolerance};
use super::Driver;

/// Steps and rejected trials without progress that end a run: seconds of work for most models, and far more than the
/// start of any method or the search for an event takes.
const LIMIT: u64 = 50_000;

/// Counts work against progress.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct StallWatch {
    /// Time that counts as progress, s; zero if nothing is watched.
    span: f64,
    /// Where progress was last seen, s, and the work done until then.
    t: f64,
    work: u64,
    /// Events until then.
    events: u64,
    /// Derivatives when the limit was reached, one step before the end.
    rates: Vec<f64>,
}

/// A run that has stalled.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stall {
    /// Steps and trials without progress.
    steps: u64,
    /// Time that they covered, s.
    span: f64,
    /// The state whose derivative changes most.
    state: usize,
    /// Whether most of the steps ended in events.
    has_events: bool,
}

impl StallWatch {
    /// A watch for which `span` counts as progress.
    pub fn new(span: f64) -> Self {
        Self { span, t: 0.0, work: 0, events: 0, rates: Vec::new() }
    }

    /// Counts from where the method stands.
    pub fn reset(&mut self, method: &dyn Method) {
        let statistics = method.statistics();
        (self.t, self.work) = (method.t(), statistics.steps + statistics.rejected);
        self.events = statistics.roots + statistics.step_events;
        self.rates.clear();
    }

    /// Looks at a method after a step or a trial.
    fn look(&mut self, method: &dyn Method) -> Option<Stall> {
        if self.span == 0.0 {
            return None;
        }
        if (method.t() - self.t).abs() >= self.span {
            self.reset(method);
            return None;
        }
        let statistics = method.statistics();
        let steps = statistics.steps + statistics.rejected - self.work;
        if steps < LIMIT {
            return None;
        }
        if self.rates.is_empty() {
            self.rates.extend_from_slice(method.ydot());
            return None;
        }
        let events = statistics.roots + statistics.step_events - self.events;
        Some(Stall {
            steps,
            span: (method.t() - self.t).abs(),
            state: most_changed(&self.rates, method.ydot(), method.y(), &method.tolerance()),
            has_events: 2 * events > steps,
        })
    }
}

impl Driver {
    /// An error if the run has stalled; asked after every step and trial.
    pub(super) fn check_progress(&mut self) -> Result<(), IntegrationError> {
        let Some(stall) = self.stall.look(self.method.as_ref()) else { return Ok(()) };
        let Stall { steps, span, state, has_events } = stall;
        let guard = self.roots.crossed().first().map(|crossing| crossing.guard);
        let guard = guard.filter(|_| has_events);
        Err(IntegrationError::Stalled { t: self.method.t(), steps, span, state, guard })
    }
}

/// The component that changes most in units of its tolerance.
fn most_changed(before: &[f64], now: &[f64], y: &[f64], tolerance: &Tolerance) -> usize {
    let change = |k: usize| {
        let allowed = tolerance.relative * y[k].abs() + tolerance.absolute;
        (now[k] - before[k]).abs() / allowed.max(f64::MIN_POSITIVE)
    };
    let largest = (0..now.len()).max_by(|&a, &b| change(a).total_cmp(&change(b)));
    largest.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_that_changes_most_is_measured_by_its_tolerance() {
        let tolerance = Tolerance::new(1e-6, 1e-9);
        // The second changes less, but is a million times smaller than the first.
        let found = most_changed(&[0.0, 0.0, 1.0], &[1.0, 0.1, 1.0], &[1.0, 1e-6, 0.0], &tolerance);
        assert_eq!(found, 1);
    }
}
