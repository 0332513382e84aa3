//! What a plugin implements: itself, and one trait for each role it plays.

use std::borrow::Cow;
use std::sync::Arc;

use super::instance::{OpenOutput, Writing};
use super::output::{Output, Place};
use super::{Forces, Refusal, Setup, State};
use crate::element::SignalSchema;
use crate::reading::Group;

/// A kind of element that a user wrote.
pub trait Plugin: Sized + Send + Sync + 'static {
    /// The word that stands behind `Type =` in the block.
    const TYPE: &'static str;
    /// One sentence for `dysim --list`.
    const ABOUT: &'static str;
    /// Which of the traits [`Force`], [`DiscreteStates`] and [`Output`] it implements, for example
    /// `Roles::none().force().states()`. A trait that is not named here is not used.
    const ROLES: Roles<Self>;
    /// Quantities that `Output` can write beside `power`; `signals` gives their values.
    const SIGNALS: &'static [SignalSchema] = &[];
    /// Parameters of the plugin's block; see [`plugin_parameters!`](crate::plugin_parameters).
    type Parameters: Group + 'static;

    /// Makes an element from its block. This is the place to look names up and to check parameters
    /// against each other.
    ///
    /// # Errors
    /// If the block makes no sense; the message points at it.
    fn new(parameters: Self::Parameters, setup: &Setup<'_>) -> Result<Self, Refusal>;

    /// Values of [`SIGNALS`](Self::SIGNALS) in their order, at output times.
    fn signals(&self, now: &State<'_>, values: &mut [f64]) {
        let _ = (now, values);
    }
}

/// A plugin that acts on bodies.
pub trait Force: Plugin {
    /// Adds the forces at this instant. It is called in every evaluation of the equations of motion:
    /// what it gives must depend on the time and state it is shown and on nothing else, and must not
    /// jump; whatever jumps belongs into a discrete state.
    ///
    /// # Errors
    /// If there is no force in this state. The integrator then tries a shorter step; if that does not
    /// help, the run ends with the reason.
    fn apply(&self, now: &State<'_>, forces: &mut Forces) -> Result<(), Undefined> {
        let _ = (now, forces);
        Ok(())
    }

    /// Does it store all energy that it takes, so that [`energy`](Self::energy) is the whole balance?
    /// Otherwise its work is integrated along with the motion.
    fn is_conservative(&self) -> bool {
        false
    }

    /// Energy stored, J; counts if it is conservative.
    fn energy(&self, now: &State<'_>) -> f64 {
        let _ = now;
        0.0
    }
}

/// A plugin with states that only change at events.
pub trait DiscreteStates: Plugin {
    /// The states; asked once.
    fn states(&self) -> Vec<DiscreteState> {
        Vec::new()
    }

    /// Numbers that are set at events, with their first values; asked once.
    fn remembered(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The switching function of a state: positive as long as the state keeps its present value. The
    /// instant at which it falls through zero is located to rounding. It may depend on the states.
    fn switching_function(&self, state: usize, now: &State<'_>) -> f64 {
        let _ = (state, now);
        1.0
    }

    /// The next value of a state whose switching function is negative; numbers may be remembered. An event lets all states of
    /// the model switch, built-in states and states of plugins, until none changes.
    fn switch(&self, state: usize, now: &State<'_>, remembered: &mut [f64]) -> u8 {
        let _ = remembered;
        now.state(state)
    }
}

/// A discrete state as a plugin declares it.
#[derive(Clone, Debug)]
pub struct DiscreteState {
    /// Name in the log; may be empty if there is only one state.
    pub name: String,
    /// A word for each value of the state, from 0.
    pub values: &'static [&'static str],
    /// The value before the first event.
    pub first: u8,
    /// Typical size of the switching function: values below `1e-14` of this size count as zero.
    pub scale: f64,
}

impl DiscreteState {
    /// A state with these values that starts with the first value.
    pub fn new(name: impl Into<String>, values: &'static [&'static str]) -> Self {
        Self { name: name.into(), values, first: 0, scale: 1.0 }
    }

    /// This state with another first value.
    pub fn starting_with(self, first: u8) -> Self {
        Self { first, ..self }
    }

    /// This state with another size of its switching function.
    pub fn with_scale(self, scale: f64) -> Self {
        Self { scale, ..self }
    }
}

/// Why a force has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined(pub Cow<'static, str>);

impl From<&'static str> for Undefined {
    fn from(reason: &'static str) -> Self {
        Self(reason.into())
    }
}

impl From<String> for Undefined {
    fn from(reason: String) -> Self {
        Self(reason.into())
    }
}

type Apply<T> = fn(&T, &State<'_>, &mut Forces) -> Result<(), Undefined>;
type Open<T> = fn(&Arc<T>, &Place<'_>) -> std::io::Result<Box<dyn Writing>>;

/// The roles of a plugin: force, discrete states, output, or several of these.
pub struct Roles<T> {
    pub(super) force: Option<ForceRole<T>>,
    pub(super) states: Option<StatesRole<T>>,
    pub(super) output: Option<Open<T>>,
}

pub(super) struct ForceRole<T> {
    pub apply: Apply<T>,
    pub is_conservative: fn(&T) -> bool,
    pub energy: fn(&T, &State<'_>) -> f64,
}

pub(super) struct StatesRole<T> {
    pub states: fn(&T) -> Vec<DiscreteState>,
    pub remembered: fn(&T) -> Vec<f64>,
    pub switching_function: fn(&T, usize, &State<'_>) -> f64,
    pub switch: fn(&T, usize, &State<'_>, &mut [f64]) -> u8,
}

impl<T: Plugin> Roles<T> {
    /// Nothing yet.
    pub const fn none() -> Self {
        Self { force: None, states: None, output: None }
    }

    /// It acts on bodies.
    pub const fn force(self) -> Self
    where
        T: Force,
    {
        let force = Some(ForceRole {
            apply: T::apply,
            is_conservative: T::is_conservative,
            energy: T::energy,
        });
        Self { force, ..self }
    }

    /// It has discrete states.
    pub const fn states(self) -> Self
    where
        T: DiscreteStates,
    {
        let states = Some(StatesRole {
            states: T::states,
            remembered: T::remembered,
            switching_function: T::switching_function,
            switch: T::switch,
        });
        Self { states, ..self }
    }

    /// It writes results.
    pub const fn output(self) -> Self
    where
        T: Output,
    {
        Self { output: Some(OpenOutput::<T>::create), ..self }
    }
}
