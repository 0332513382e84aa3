//! What the integrators ask of a system: derivatives, guards, known instants, settling of modes.
//!
//! Not here: the search for roots (`roots.rs`) and the event iteration (`driver.rs`).

use super::{EvaluationError, Mass, Matrix, Pattern};

/// Number of a guard (switching function), counted from zero in the order of [`Problem::guards`].
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
    /// An instant that [`Problem::next_time_event`] had announced.
    Time,
    /// [`Problem::step_event`] asked for it after an accepted step.
    Step,
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
#[derive(Clone, Debug)]
pub struct ChangeList {
    changes: Vec<Change>,
    values_changed: bool,
}

impl ChangeList {
    /// An empty list that holds `capacity` changes before it has to grow.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { changes: Vec::with_capacity(capacity), values_changed: false }
    }

    /// Notes that a discrete state changed; a further pass follows.
    pub fn push(&mut self, change: Change) {
        self.changes.push(change);
    }

    /// Notes that `y` was changed although no discrete state was: a further pass follows too.
    pub fn values_changed(&mut self) {
        self.values_changed = true;
    }

    /// The changes noted in this pass.
    pub fn as_slice(&self) -> &[Change] {
        &self.changes
    }

    /// True if this pass altered nothing, so that the iteration is at its fixed point.
    pub fn is_settled(&self) -> bool {
        self.changes.is_empty() && !self.values_changed
    }

    pub(super) fn clear(&mut self) {
        self.changes.clear();
        self.values_changed = false;
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
}

impl Event<'_> {
    /// The side of a guard, if its value tells: a crossing tells in pass 0, else the value outside
    /// the zero band. `None` means the value is zero for all we know, and the old state stays.
    pub fn side(&self, guard: GuardId) -> Option<Side> {
        let crossing = self.crossed.iter().find(|c| c.guard == guard);
        if let Some(crossing) = crossing {
            return Some(if crossing.rising { Side::Positive } else { Side::Negative });
        }
        let value = *self.guards.get(guard.0)?;
        let band = *self.bands.get(guard.0)?;
        (value.abs() > band).then(|| Side::of(value))
    }
}

/// A system of ordinary differential equations with discrete modes.
///
/// Same inputs and same modes must give the same bits. What only an implicit method asks (Jacobian,
/// pattern, mass matrix) has an answer by default.
pub trait Problem {
    /// Number of continuous states.
    fn len(&self) -> usize;

    /// True if there is no continuous state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes `ydot = f(t, y)` with the modes as they are.
    ///
    /// # Errors
    /// If `f` has no value at this point; the method then tries a shorter step.
    fn derivatives(&mut self, t: f64, y: &[f64], ydot: &mut [f64]) -> Result<(), EvaluationError>;

    /// Writes the derivatives of some states, ascending, and leaves the others undefined: a problem may save
    /// what only these need. Between two calls often nothing but states of the part differs.
    ///
    /// # Errors
    /// As [`derivatives`](Self::derivatives).
    fn part_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let _ = part;
        self.derivatives(t, y, ydot)
    }

    /// The same with what is dear held at its last value, if it acts on these states weakly: accelerations of bodies on what they
    /// carry. Good enough for the fast states of a step whose end is evaluated in full.
    ///
    /// # Errors
    /// As [`derivatives`](Self::derivatives).
    fn held_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.part_derivatives(part, t, y, ydot)
    }

    /// The entries of the Jacobian of these, for the present modes.
    fn held_pattern(&self) -> Option<Pattern> {
        self.pattern_now()
    }

    /// States whose rates cost little beside those of the others.
    fn cheap_states(&self) -> std::ops::Range<usize> {
        0..0
    }

    /// States whose rates are simple functions of others, such as coordinates: [`part_derivatives`](Self::part_derivatives) of them
    /// costs next to nothing, and a method of mixed mode may as well take them from the end of the step.
    fn integrals(&self) -> std::ops::Range<usize> {
        0..0
    }

    /// Writes the Jacobian `df_i/dy_j` with the modes as they are; `ydot` belongs to `y`. On entry
    /// the matrix has any content. `None` leaves it to differences of the derivatives.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        ydot: &[f64],
        jacobian: &mut Matrix,
    ) -> Option<Result<(), EvaluationError>> {
        let _ = (t, y, ydot, jacobian);
        None
    }

    /// Entries of the Jacobian that may differ from zero in some mode; asked once, before a run.
    /// States that can be varied together save evaluations. `None` means all.
    fn jacobian_pattern(&self) -> Option<Pattern> {
        None
    }

    /// The same for the present modes only.
    fn pattern_now(&self) -> Option<Pattern> {
        self.jacobian_pattern()
    }

    /// A number that changes whenever the entries of the Jacobian do for another reason than a change of discrete
    /// states.
    fn structure(&self) -> u64 {
        0
    }

    /// The branch of the last evaluation, for laws that follow the sign of a quantity without an event: the derivatives may
    /// jump where this number changes.
    fn branch(&self) -> u64 {
        0
    }

    /// The constant matrix M of `M y' = f`; asked once, before a run. Explicit methods do not ask.
    fn mass(&self) -> Mass {
        Mass::Identity
    }

    /// Brings a state onto the manifold on which the solution lies, if there is one: called by every method
    /// for the end of a step that it accepts, before the derivative there is evaluated, and by the driver for
    /// states that were interpolated. The change is of the size of the local error (Eich 1993).
    ///
    /// # Errors
    /// If no such state is near.
    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<(), EvaluationError> {
        let _ = (t, y);
        Ok(())
    }

    /// Gives states on which nothing depends at present, because they follow from others, the values to which they follow:
    /// asked behind the [`derivatives`](Self::derivatives) at `y` by methods that do not treat all states alike,
    /// with which such states would drift away from those that they follow.
    ///
    /// # Errors
    /// If these values cannot be computed.
    fn follow(&mut self, y: &mut [f64]) -> Result<(), EvaluationError> {
        let _ = y;
        Ok(())
    }

    /// Number of guards; constant during a run.
    fn n_guards(&self) -> usize {
        0
    }

    /// Writes the value of every guard with the modes as they are. `ydot` belongs to `y`.
    ///
    /// # Errors
    /// If a guard has no value at this point.
    fn guards(
        &mut self,
        t: f64,
        y: &[f64],
        ydot: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let _ = (t, y, ydot, values);
        Ok(())
    }

    /// Do guards cost little where the derivatives have just been computed?
    fn has_cheap_guards(&self) -> bool {
        true
    }

    /// The side on which each guard belongs in the present modes. On entry each is the side that
    /// its crossing or its value tells, and inside the zero band the side it had before; keep
    /// those you have no say in. A guard that you put on a side where it is not is not watched
    /// until it has been there.
    fn sides(&self, sides: &mut [Side]) {
        let _ = sides;
    }

    /// Typical magnitude of each guard, asked once; entered as 1. Its zero band is `1e-14` of it.
    fn guard_scales(&self, scales: &mut [f64]) {
        let _ = scales;
    }

    /// The first known instant beyond `t` in the direction of integration (+1 or -1), s.
    fn next_time_event(&mut self, t: f64, direction: f64) -> Option<f64> {
        let _ = (t, direction);
        None
    }

    /// Asked after each accepted step: does this state call for an event now?
    ///
    /// # Errors
    /// If the condition cannot be evaluated.
    fn step_event(&mut self, t: f64, y: &[f64], ydot: &[f64]) -> Result<bool, EvaluationError> {
        let _ = (t, y, ydot);
        Ok(false)
    }

    /// Points of a step, as fractions of it from 0 to 1, at which [`record`](Self::record) is to be called; none for
    /// most problems.
    fn recorded_points(&self) -> &'static [f64] {
        &[]
    }

    /// The state at one of these points of a part of the solution, which an event may have cut short. Parts follow each
    /// other without gap; a part is complete with its last point.
    ///
    /// # Errors
    /// If the state cannot be evaluated.
    fn record(&mut self, part: [f64; 2], point: usize, y: &[f64]) -> Result<(), EvaluationError> {
        let _ = (part, point, y);
        Ok(())
    }

    /// One pass of the event iteration: puts the modes into the state that the guards ask for, may
    /// change `y` (impact, anchor), and notes every change. Called again until it notes none.
    ///
    /// # Errors
    /// If no consistent mode can be computed.
    fn switch(
        &mut self,
        event: &Event<'_>,
        y: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        let _ = (event, y, changes);
        Ok(())
    }
}

/// Catches values that are not finite where they are born; names the first.
pub(super) fn check_finite(values: &[f64]) -> Result<(), EvaluationError> {
    // Looks at all of them, which takes less time than to look after each.
    if values.iter().fold(true, |are_finite, x| are_finite & x.is_finite()) {
        return Ok(());
    }
    match values.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(EvaluationError::NotFinite { index }),
        None => Ok(()),
    }
}

/// The same for one component.
pub(super) fn check_finite_at(values: &[f64], index: usize) -> Result<(), EvaluationError> {
    if values[index].is_finite() { Ok(()) } else { Err(EvaluationError::NotFinite { index }) }
}
