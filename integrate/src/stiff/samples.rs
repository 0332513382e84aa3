//! Guards at stages, where the iteration evaluates the derivatives anyway.
//!
//! They tell the search for events whether any guard comes near zero inside the step, and cost next to nothing there. A sample belongs to a
//! stage before its last correction. How much that matters the last stage tells, which is sampled too: what the
//! correction of the last pass does to a guard there is the difference to its value at the end of the step. In the first
//! pass it is the error of an extrapolation, which grows from stage to stage, and inner stages are off by less. In later
//! passes it has shrunk by the contraction of the iteration, and inner stages are off by a few times as much at most
//! (`INNER_STAGES` in `newton.rs`). The search adds the difference, with a factor of that size, to the distance from zero
//! that it asks for. A first pass that begins with no change at all says nothing about the inside of the step and is not
//! sampled.
//!
//! Not here: what the search makes of them (`roots`).

use super::super::implicit::Mass;
use super::super::problem::check_finite;
use super::super::{GuardSamples, HybridSystem, Statistics};
use super::newton::StepEquations;

/// Stages inside a step that are sampled: those in the middle, at unequal distances.
const INNER: usize = 3;

/// Guards at some stages of a trial.
#[derive(Clone, Debug, Default)]
pub(super) struct StageSamples {
    /// Number of guards; zero if nobody asks.
    n: usize,
    /// Their values, stage by stage; those of the last stage are behind them.
    values: Vec<f64>,
    /// Samples of the present pass.
    taken: usize,
    /// The last stage was sampled before its pass began.
    is_ahead: bool,
    /// The present pass begins with no change, and its samples would say nothing.
    is_blind: bool,
    /// Beginning of the step that they belong to, s, and where they lie in it.
    from: f64,
    fractions: [f64; INNER],
}

impl StageSamples {
    /// Asks for samples of so many guards.
    pub fn ask(&mut self, n: usize) {
        self.n = n;
        self.values = vec![0.0; n * (INNER + 1)];
        self.forget();
    }

    /// Samples a stage, if it is one of those; its derivatives have just been computed.
    pub fn take(
        &mut self,
        i: usize,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        (y, f): (&[f64], &[f64]),
        statistics: &mut Statistics,
    ) {
        let Some(row) = self.row(i, step) else { return };
        if *step.mass != Mass::Identity || !problem.has_cheap_guards() {
            return;
        }
        statistics.guard_evaluations += 1;
        let values = &mut self.values[row * self.n..(row + 1) * self.n];
        let sampled = problem.guards(step.time(i), y, f, values);
        // Where a guard has no value the search will find out.
        if sampled.and_then(|()| check_finite(values)).is_ok() {
            self.taken += 1;
        }
    }

    /// Samples the last stage before the pass that it belongs to.
    pub fn look_ahead(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        end: (&[f64], &[f64]),
        statistics: &mut Statistics,
    ) {
        (self.taken, self.is_blind) = (0, false);
        self.take(step.tableau.s - 1, problem, step, end, statistics);
        self.is_ahead = self.taken == 1;
    }

    /// A pass begins.
    pub fn begin(&mut self, step: &StepEquations<'_>, pass: usize) {
        self.is_blind = pass == 1 && !step.is_foreseen;
        self.taken = usize::from(std::mem::take(&mut self.is_ahead));
        self.from = step.t0;
        if let Some(stages) = step.tableau.c.get(first(step.tableau.s)..) {
            self.fractions.iter_mut().zip(stages).for_each(|(own, c)| *own = *c);
        }
    }

    /// There are no samples.
    pub fn forget(&mut self) {
        (self.taken, self.is_ahead) = (0, false);
    }

    /// The samples, if there are any.
    pub fn get(&self) -> Option<GuardSamples<'_>> {
        let (values, end) = self.values.split_at(INNER * self.n);
        let samples = GuardSamples { from: self.from, fractions: &self.fractions, values, end };
        (self.taken > INNER).then_some(samples)
    }

    /// Where the values of a stage go, if it is sampled.
    fn row(&self, i: usize, step: &StepEquations<'_>) -> Option<usize> {
        let stages = step.tableau.s;
        if self.n == 0 || stages <= INNER || self.is_blind {
            return None;
        }
        let row = if i + 1 == stages { INNER } else { i.wrapping_sub(first(stages)) };
        (row < INNER || i + 1 == stages).then_some(row)
    }
}

/// The first stage that is sampled.
fn first(stages: usize) -> usize {
    (stages - INNER) / 2
}
