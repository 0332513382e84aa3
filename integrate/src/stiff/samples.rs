//! Guards at stages, where the iteration evaluates the derivatives anyway.
//!
//! The samples tell the search for events whether any guard comes near zero inside the step, and cost little because the
//! derivatives are known there. A sample belongs to a stage before its last correction, so the sample is off. The last
//! stage is sampled too, and shows how far: the last correction changes a guard there by the difference between the
//! sample and the value at the end of the step. In the first pass this difference is the error of an extrapolation, which
//! grows from stage to stage, so inner stages are off by less. In later passes it has shrunk by the contraction of the
//! iteration, and inner stages are off by a few times as much at most (`INNER_STAGES` in `newton.rs`). The search adds the
//! difference, with a factor of that size, to the distance from zero that it asks for. A first pass that begins with a
//! guess of zero says nothing about the inside of the step and is not sampled.
//!
//! Not here: the use of the samples in the search (`roots`).

use super::super::implicit::Mass;
use super::super::problem::check_finite;
use super::super::{GuardSamples, HybridSystem, Statistics};
use super::step_equations::{StagePoint, StepEquations};

/// Number of stages inside a step that are sampled: the middle stages, at unequal distances.
const INNER: usize = 3;

/// Guards at some stages of a trial.
#[derive(Debug, Default, educe::Educe)]
#[educe(Clone)]
pub(super) struct StageSamples {
    /// Number of guards; zero if no samples are asked for.
    n: usize,
    /// Values of the guards, stage by stage: the inner stages first, then the last stage.
    values: Vec<f64>,
    /// Number of samples taken in the present pass.
    taken: usize,
    /// The last stage was sampled before its pass began.
    is_ahead: bool,
    /// The present pass begins with a guess of zero, so its samples would say nothing.
    is_blind: bool,
    /// Beginning of the sampled step, s, and the sampled stages as fractions of the step.
    from: f64,
    fractions: [f64; INNER],
}

impl StageSamples {
    /// Asks for samples of `n` guards.
    pub fn ask(&mut self, n: usize) {
        self.n = n;
        self.values = vec![0.0; n * (INNER + 1)];
        self.forget();
    }

    /// Samples stage `i`, if it is a sampled stage; its derivatives have just been computed.
    pub fn take(
        &mut self,
        i: usize,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        stage: StagePoint<'_>,
        statistics: &mut Statistics,
    ) {
        let Some(row) = self.row(i, step) else { return };
        if *step.mass != Mass::Identity || !problem.has_cheap_guards() {
            return;
        }
        statistics.guard_evaluations += 1;
        let values = &mut self.values[row * self.n..(row + 1) * self.n];
        let sampled = problem.guards(stage.t, stage.y, stage.f, values);
        // A guard without a value leaves the samples incomplete, and the search evaluates the guard itself.
        if sampled.and_then(|()| check_finite(values)).is_ok() {
            self.taken += 1;
        }
    }

    /// Samples the last stage before the pass that evaluates it.
    pub fn look_ahead(
        &mut self,
        problem: &mut dyn HybridSystem,
        step: &StepEquations<'_>,
        end: StagePoint<'_>,
        statistics: &mut Statistics,
    ) {
        (self.taken, self.is_blind) = (0, false);
        self.take(step.tableau.s - 1, problem, step, end, statistics);
        self.is_ahead = self.taken == 1;
    }

    /// Prepares the samples of a new pass.
    pub fn begin(&mut self, step: &StepEquations<'_>, pass: usize) {
        self.is_blind = pass == 1 && !step.is_foreseen;
        self.taken = usize::from(std::mem::take(&mut self.is_ahead));
        self.from = step.t0;
        if let Some(stages) = step.tableau.c.get(first(step.tableau.s)..) {
            self.fractions.iter_mut().zip(stages).for_each(|(own, c)| *own = *c);
        }
    }

    /// Discards all samples.
    pub fn forget(&mut self) {
        (self.taken, self.is_ahead) = (0, false);
    }

    /// The samples, if all stages were sampled.
    pub fn get(&self) -> Option<GuardSamples<'_>> {
        let (values, end) = self.values.split_at(INNER * self.n);
        let samples = GuardSamples { from: self.from, fractions: &self.fractions, values, end };
        (self.taken > INNER).then_some(samples)
    }

    /// Row of `values` for stage `i`, if the stage is sampled.
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
