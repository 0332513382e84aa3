//! What a run tells while it goes on, and who listens.
//!
//! Not here: words for guards and states. A listener knows the model and finds them.

use super::{Cause, Change, Crossing, GuardId, StepReport, Tolerance};

/// Something worth a line in the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Notice<'a> {
    /// One pass of an event iteration changed discrete states, or pass 0 changed none.
    Switched {
        /// Time of the event, s.
        t: f64,
        /// Why the integration stopped.
        cause: Cause,
        /// Pass, from 0.
        iteration: usize,
        /// Guards that crossed zero (pass 0 only).
        crossed: &'a [Crossing],
        /// States that changed in this pass.
        changes: &'a [Change],
    },
    /// The tolerance was below what the arithmetic resolves and has been raised.
    ToleranceRaised {
        /// Time, s.
        t: f64,
        /// Tolerance from here on.
        tolerance: Tolerance,
    },
    /// The step allowance between two output points is used up; the integration can go on.
    MuchWork {
        /// Time, s.
        t: f64,
        /// Steps since the last output point or notice.
        steps: u64,
    },
    /// The equations appear to be stiff: an implicit method would take longer steps.
    Stiff {
        /// Time, s.
        t: f64,
        /// Step size in use, s.
        h: f64,
        /// Steps since the last output point or notice.
        steps: u64,
    },
    /// Many events in a short time.
    Chattering {
        /// First event of the cluster, s.
        t_first: f64,
        /// Last event, s.
        t: f64,
        /// Events in the cluster.
        events: usize,
        /// Guard of the last one.
        guard: GuardId,
    },
    /// A guard fires again and again without leaving zero; the problem is asked for a state of
    /// rest.
    Zeno {
        /// First event of the accumulation, s.
        t_first: f64,
        /// Last event, s.
        t: f64,
        /// Events counted.
        events: usize,
        /// The guard.
        guard: GuardId,
    },
}

/// The wish of a listener after a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Carry on.
    GoOn,
    /// Return to the caller as soon as the state is consistent.
    Stop,
}

/// Hears what happens during a run.
pub trait Listener {
    /// After every accepted step.
    fn step(&mut self, report: &StepReport) {
        let _ = report;
    }

    /// Before every step, and in every pass of an event iteration: `report` is that of the last accepted step. The place to ask
    /// whether the user still wants the run.
    fn goes_on(&mut self, report: &StepReport) -> Verdict {
        let _ = report;
        Verdict::GoOn
    }

    /// After everything else worth telling.
    fn notice(&mut self, notice: &Notice<'_>) -> Verdict {
        let _ = notice;
        Verdict::GoOn
    }
}

/// A listener that goes on whatever happens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Listener for Silent {}
