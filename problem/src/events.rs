//! Guards, and what is said about them at an event.
//!
//! Between events the modes of a system are frozen. A guard is a function whose sign tells when a mode changes; the
//! integrator finds its zero, and the system then settles its modes in passes until none changes.

/// Number of a guard (switching function), counted from zero in the order in which the system writes its guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GuardId(pub usize);

/// The side of zero on which a guard belongs while the present modes hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The guard is positive; its event is the fall through zero.
    Positive,
    /// The guard is negative; its event is the rise through zero.
    Negative,
    /// The guard means nothing in the present modes and is not watched.
    Unwatched,
}

impl Side {
    /// The side of a value; zero counts as positive.
    pub fn of(value: f64) -> Self {
        if value < 0.0 { Self::Negative } else { Self::Positive }
    }

    /// +1, -1, or 0 for an unwatched guard: `sign * g` is positive while nothing happens.
    pub fn sign(self) -> f64 {
        match self {
            Self::Positive => 1.0,
            Self::Negative => -1.0,
            Self::Unwatched => 0.0,
        }
    }
}

/// Why the integration stopped to settle the modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The first instant of a run.
    Start,
    /// A guard crossed zero.
    State,
    /// An instant that the system had announced.
    Time,
    /// The system asked for it after an accepted step.
    Step,
    /// Somebody outside of the integration has changed the problem.
    Outside,
    /// A guard fires again and again without ever leaving zero (Zeno behaviour). The problem may
    /// switch to its state of rest; if it changes nothing, the run ends with an error.
    Accumulation,
}

/// A guard that left its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// Which guard.
    pub guard: GuardId,
    /// True if the guard went from negative to positive.
    pub rising: bool,
}

/// One discrete state that took a new value. The codes are the problem's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The guard that belongs to the state; it names the state in reports.
    pub guard: GuardId,
    /// Code of the value before.
    pub from: i32,
    /// Code of the value after.
    pub to: i32,
}

/// Changes of one pass of the event iteration; keeps its storage from pass to pass.
#[derive(Debug)]
pub struct ChangeList {
    changes: Vec<Change>,
    values_changed: bool,
    counts_anew: bool,
}

/// A copy has as much room, so that an event behind a restored state allocates nothing either.
impl Clone for ChangeList {
    fn clone(&self) -> Self {
        let mut changes = Vec::with_capacity(self.changes.capacity());
        changes.extend_from_slice(&self.changes);
        Self { changes, values_changed: self.values_changed, counts_anew: self.counts_anew }
    }

    fn clone_from(&mut self, source: &Self) {
        self.changes.clone_from(&source.changes);
        self.values_changed = source.values_changed;
    }
}

impl ChangeList {
    /// An empty list that holds `capacity` changes before it has to grow.
    pub fn with_capacity(capacity: usize) -> Self {
        let changes = Vec::with_capacity(capacity);
        Self { changes, values_changed: false, counts_anew: false }
    }

    /// Notes that a discrete state changed; a further pass follows.
    pub fn push(&mut self, change: Change) {
        self.changes.push(change);
    }

    /// Notes that `y` was changed although no discrete state was: a further pass follows too.
    pub fn values_changed(&mut self) {
        self.values_changed = true;
    }

    /// Notes that `y` or remembered numbers were changed on purpose: a further pass follows, and the passes that lead to rest
    /// are counted anew. Whoever says so bounds the number of such changes.
    pub fn count_anew(&mut self) {
        self.values_changed = true;
        self.counts_anew = true;
    }

    /// Are passes counted anew from here?
    pub fn counts_anew(&self) -> bool {
        self.counts_anew
    }

    /// The changes noted in this pass.
    pub fn as_slice(&self) -> &[Change] {
        &self.changes
    }

    /// True if this pass altered nothing, so that the iteration is at its fixed point.
    pub fn is_settled(&self) -> bool {
        self.changes.is_empty() && !self.values_changed
    }

    /// Begins the next pass.
    pub fn clear(&mut self) {
        self.changes.clear();
        self.values_changed = false;
        self.counts_anew = false;
    }
}

/// What a problem is told in one pass of the event iteration.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// Time of the event, s.
    pub t: f64,
    /// Why the integration stopped.
    pub cause: Cause,
    /// Pass of the iteration, from 0.
    pub iteration: usize,
    /// Guards that crossed zero at `t`; filled in pass 0, empty in later ones.
    pub crossed: &'a [Crossing],
    /// Guard values at `t` with the modes as they are before this pass.
    pub guards: &'a [f64],
    /// Half width of the zero band of each guard: inside it the sign of a value is noise.
    pub bands: &'a [f64],
    /// Derivatives at `t` with the modes as they are before this pass.
    pub ydot: &'a [f64],
    /// How long before `t` the guards may have crossed zero, s: the step, if crossings are only looked for at its
    /// end; else nothing.
    pub delay: f64,
    /// Guard values before the system changed `y` or remembered numbers on purpose at this instant
    /// ([`ChangeList::count_anew`]), if it did. A guard that this has moved is where it was put: its sign is no noise.
    pub acted: Option<&'a [f64]>,
}

impl Event<'_> {
    /// The side of a guard, if its value tells: a crossing tells in pass 0, else the value outside
    /// the zero band, or any value but zero where the system has put it. `None` means the value is zero for all we know, and the old state stays.
    pub fn side(&self, guard: GuardId) -> Option<Side> {
        let crossing = self.crossed.iter().find(|c| c.guard == guard);
        if let Some(crossing) = crossing {
            return Some(if crossing.rising { Side::Positive } else { Side::Negative });
        }
        let value = *self.guards.get(guard.0)?;
        let band = if self.was_moved(guard) { 0.0 } else { *self.bands.get(guard.0)? };
        (value.abs() > band).then(|| Side::of(value))
    }

    /// Has the system put the guard where it is, on purpose, at this instant?
    pub fn was_moved(&self, guard: GuardId) -> bool {
        self.acted.is_some_and(|before| before.get(guard.0) != self.guards.get(guard.0))
    }
}
