//! Plugins as the engine holds them: their types are forgotten, and panics end here.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use super::output::{Ending, Output, Place};
use super::{DiscreteState, Forces, Plugin, Refusal, State, Undefined};
use crate::model::plugins::PluginBlock;

/// Calls a plugin; a panic becomes its message.
pub fn guarded<R>(call: impl FnOnce() -> R) -> Result<R, String> {
    // What a panic may leave half done belongs to the plugin, which is not asked to act again.
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| message(&*payload))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    // The log and the message that shows it have one line for it.
    text.unwrap_or("for no stated reason").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Properties that an element declares once.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Does it store all energy that it takes? `None` if it is no force.
    pub conservative: Option<bool>,
    pub states: Vec<DiscreteState>,
    pub remembered: Vec<f64>,
    pub n_signals: usize,
}

impl Declaration {
    /// Looks for what no run could make sense of.
    pub fn check(&self) -> Result<(), Refusal> {
        for state in &self.states {
            let (name, n_values) = (&state.name, state.values.len());
            if usize::from(state.first) >= n_values {
                let message = format!(
                    "its state `{name}` begins with value {}, but has {n_values}",
                    state.first
                );
                return Err(Refusal::new(message).help("values count from 0"));
            }
            if !(state.scale > 0.0 && state.scale.is_finite()) {
                return Err(Refusal::new(format!(
                    "the scale of its state `{name}` is not positive"
                )));
            }
            if self.states.iter().filter(|other| other.name == *name).count() > 1 {
                return Err(Refusal::new(format!("two of its states are called `{name}`")));
            }
        }
        match self.remembered.iter().all(|number| number.is_finite()) {
            true => Ok(()),
            false => Err(Refusal::new("it remembers a number that is not finite")),
        }
    }
}

/// An element that was made, and what it says about itself.
pub struct Made {
    pub instance: Arc<dyn Instance>,
    pub declaration: Declaration,
}

impl Made {
    /// Makes an element.
    ///
    /// # Errors
    /// If the plugin refuses, panics, or declares what makes no sense.
    pub fn new<T: Plugin>(make: impl FnOnce() -> Result<T, Refusal>) -> Result<Self, Refusal> {
        let make = || {
            let instance = Arc::new(Hosted(Arc::new(make()?)));
            let declaration = instance.declare();
            declaration.check()?;
            Ok(Self { instance, declaration })
        };
        let panicked = |panic| Err(Refusal::new(format!("it panicked: {panic}")));
        guarded(make).unwrap_or_else(panicked)
    }

    /// The element of a block, if there is one.
    pub fn of(block: &PluginBlock) -> Option<&Self> {
        block.made.as_deref()?.downcast_ref()
    }
}

/// An element made by a plugin.
pub trait Instance: Send + Sync {
    fn apply(&self, now: &State<'_>, forces: &mut Forces) -> Result<(), Undefined>;
    fn energy(&self, now: &State<'_>) -> f64;
    fn declare(&self) -> Declaration;
    fn switching_function(&self, state: usize, now: &State<'_>) -> f64;
    fn switch(&self, state: usize, now: &State<'_>, remembered: &mut [f64]) -> u8;
    fn signals(&self, now: &State<'_>, values: &mut [f64]);
    /// `None` if it writes nothing.
    fn open(&self, place: &Place<'_>) -> Option<io::Result<Box<dyn Writing>>>;
}

/// An output of a plugin that is open.
pub trait Writing {
    fn write(&mut self, now: &State<'_>) -> io::Result<()>;
    fn event(&mut self, now: &State<'_>) -> io::Result<()>;
    fn finish(self: Box<Self>, ending: Ending) -> io::Result<Option<PathBuf>>;
}

/// A plugin as an element. Its roles are constants, so that the calls go straight to its methods.
struct Hosted<T>(Arc<T>);

impl<T: Plugin> Instance for Hosted<T> {
    fn apply(&self, now: &State<'_>, forces: &mut Forces) -> Result<(), Undefined> {
        match T::ROLES.force {
            Some(role) => (role.apply)(&self.0, now, forces),
            None => Ok(()),
        }
    }

    fn energy(&self, now: &State<'_>) -> f64 {
        T::ROLES.force.map_or(0.0, |role| (role.energy)(&self.0, now))
    }

    fn declare(&self) -> Declaration {
        let (states, remembered) = T::ROLES.states.map_or_else(Default::default, |role| {
            ((role.states)(&self.0), (role.remembered)(&self.0))
        });
        let conservative = T::ROLES.force.map(|role| (role.is_conservative)(&self.0));
        Declaration { conservative, states, remembered, n_signals: T::SIGNALS.len() }
    }

    fn switching_function(&self, state: usize, now: &State<'_>) -> f64 {
        T::ROLES.states.map_or(1.0, |role| (role.switching_function)(&self.0, state, now))
    }

    fn switch(&self, state: usize, now: &State<'_>, remembered: &mut [f64]) -> u8 {
        match T::ROLES.states {
            Some(role) => (role.switch)(&self.0, state, now, remembered),
            None => now.state(state),
        }
    }

    fn signals(&self, now: &State<'_>, values: &mut [f64]) {
        self.0.signals(now, values);
    }

    fn open(&self, place: &Place<'_>) -> Option<io::Result<Box<dyn Writing>>> {
        T::ROLES.output.map(|open| open(&self.0, place))
    }
}

/// An output together with its plugin.
pub(super) struct OpenOutput<T: Output> {
    plugin: Arc<T>,
    writer: T::Writer,
}

impl<T: Output> OpenOutput<T> {
    pub fn create(plugin: &Arc<T>, place: &Place<'_>) -> io::Result<Box<dyn Writing>> {
        let writer = plugin.create(place)?;
        Ok(Box::new(Self { plugin: Arc::clone(plugin), writer }))
    }
}

impl<T: Output> Writing for OpenOutput<T> {
    fn write(&mut self, now: &State<'_>) -> io::Result<()> {
        self.plugin.write(&mut self.writer, now)
    }

    fn event(&mut self, now: &State<'_>) -> io::Result<()> {
        self.plugin.event(&mut self.writer, now)
    }

    fn finish(self: Box<Self>, ending: Ending) -> io::Result<Option<PathBuf>> {
        let Self { plugin, writer } = *self;
        plugin.finish(writer, ending)
    }
}
