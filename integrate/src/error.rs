//! What can go wrong in an integration, with time, step, order, and what to try.
//!
//! Not here: names and lines of model elements. Indices and guard ids come out of this module; the
//! layer that knows the model turns them into words.

use std::fmt;

use super::GuardId;

/// Why a problem could not be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationError {
    /// A derivative or guard is infinite or not a number.
    NotFinite {
        /// Index of the component.
        index: usize,
    },
    /// The equations have no solution here.
    Undefined {
        /// Index that the problem understands.
        index: usize,
        /// The part that failed, as a noun phrase: "mass matrix of joint".
        what: &'static str,
    },
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { index } => write!(f, "component {index} is not finite"),
            Self::Undefined { index, what } => write!(f, "{what} {index} is undefined"),
        }
    }
}

impl std::error::Error for EvaluationError {}

/// Why an integration ended early.
#[derive(Clone, Debug, PartialEq)]
pub enum IntegrationError {
    /// The problem could not be evaluated, and shorter steps did not help.
    Evaluation {
        /// Time of the evaluation, s.
        t: f64,
        /// Size of the step that was tried, s.
        h: f64,
        /// Order that was tried.
        order: usize,
        /// The error that the problem reported.
        source: EvaluationError,
    },
    /// The error test fails at the smallest step allowed.
    StepTooSmall {
        /// Time from which no step was found, s.
        t: f64,
        /// Size of the last trial, s.
        h: f64,
        /// Order of the last trial.
        order: usize,
        /// Estimated error over tolerance in the last trial.
        error_ratio: f64,
    },
    /// The equations of an implicit step cannot be solved at the smallest step allowed.
    NoConvergence {
        /// Time from which no step was found, s.
        t: f64,
        /// Size of the last trial, s.
        h: f64,
        /// Order of the last trial.
        order: usize,
    },
    /// A pure relative error test meets a component that is zero.
    ZeroWeight {
        /// Time, s.
        t: f64,
        /// Component that is zero.
        index: usize,
    },
    /// The event iteration does not come to rest.
    UnsettledEvent {
        /// Time of the event, s.
        t: f64,
        /// Passes made.
        iterations: usize,
        /// Guards whose states changed in the last pass.
        toggling: Vec<GuardId>,
    },
    /// The run goes on in ever so short steps and gets nowhere.
    Stalled {
        /// Time reached, s.
        t: f64,
        /// Steps and rejected trials without progress.
        steps: u64,
        /// Time that they covered, s.
        span: f64,
        /// State whose derivative changes most.
        state: usize,
        /// Guard that fires, if most of the steps end in events.
        guard: Option<GuardId>,
    },
    /// Events accumulate at one instant, and the problem offers no state of rest.
    Zeno {
        /// Time of the first event of the accumulation, s.
        t_first: f64,
        /// Time of the last one, s.
        t: f64,
        /// Guard that fires without leaving zero.
        guard: GuardId,
        /// Events counted.
        events: usize,
    },
}

impl fmt::Display for IntegrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Evaluation { t, h, order, source } => write!(
                f,
                "the derivatives cannot be evaluated at t = {t} s (step {h:e} s, order {order}): \
                 {source}; check the model at this instant or limit `TstepMax`"
            ),
            Self::StepTooSmall { t, h, order, error_ratio } => write!(
                f,
                "no step is short enough at t = {t} s: {h:e} s at order {order} misses the \
                 tolerance by a factor {error_ratio:.3e}; loosen `RelErr` or `AbsErr`, lower \
                 `TstepMin`, or give a discontinuity a switching element and an event-capable solver"
            ),
            Self::NoConvergence { t, h, order } => write!(
                f,
                "the equations of the implicit step do not converge at t = {t} s, even for {h:e} s \
                 at order {order}; lower `TstepMin`, or give a discontinuity a switching element"
            ),
            Self::ZeroWeight { t, index } => write!(
                f,
                "component {index} is zero at t = {t} s and `AbsErr` is zero, so its error has no \
                 measure; set `AbsErr` to the smallest value that matters"
            ),
            Self::UnsettledEvent { t, iterations, toggling } => {
                write!(
                    f,
                    "the discrete states do not settle at t = {t} s: after {iterations} passes \
                     these still change:"
                )?;
                for guard in toggling {
                    write!(f, " guard {}", guard.0)?;
                }
                write!(f, "; give one of them hysteresis or friction that can hold")
            }
            Self::Stalled { t, steps, span, state, guard } => {
                write!(
                    f,
                    "no progress at t = {t} s: {steps} steps and trials covered {span:e} s; "
                )?;
                match guard {
                    Some(guard) => write!(f, "guard {} fires again and again", guard.0),
                    None => write!(f, "component {state} holds the steps down"),
                }
            }
            Self::Zeno { t_first, t, guard, events } => write!(
                f,
                "events accumulate: guard {} fired {events} times between t = {t_first} s and \
                 t = {t} s without leaving zero; give the element a state of rest",
                guard.0
            ),
        }
    }
}

impl std::error::Error for IntegrationError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Evaluation { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Why settings are refused before anything runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingsError {
    /// A tolerance is negative or not finite.
    BadTolerance {
        /// Relative tolerance given.
        relative: f64,
        /// Absolute tolerance given.
        absolute: f64,
    },
    /// Both tolerances are zero.
    NoTolerance,
    /// A step limit is negative, zero where it must not be, or not a number.
    BadStep {
        /// Name of the parameter in the model file.
        name: &'static str,
        /// Value given, s.
        value: f64,
    },
    /// The smallest step is larger than the largest.
    LimitsCross {
        /// `TstepMin`, s.
        min: f64,
        /// `TstepMax`, s.
        max: f64,
    },
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadTolerance { relative, absolute } => write!(
                f,
                "tolerances must be finite and not negative, found `RelErr` = {relative:e} and \
                 `AbsErr` = {absolute:e}"
            ),
            Self::NoTolerance => {
                write!(f, "`RelErr` and `AbsErr` are both zero, one of them must be positive")
            }
            Self::BadStep { name, value } => {
                write!(f, "`{name}` must be a positive time, found {value:e}")
            }
            Self::LimitsCross { min, max } => {
                write!(f, "`TstepMin` = {min:e} exceeds `TstepMax` = {max:e}")
            }
        }
    }
}

impl std::error::Error for SettingsError {}
