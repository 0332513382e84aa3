//! Numbers that change at events only: registers, the blocks that change them, and the instants of these changes.
//!
//! A sampled block has registers for its states and outputs, which it renews at the instants of a clock. A
//! block that waits for a condition renews them when an event makes it true. To the equations a register is a
//! constant between events. The output of a delay line is a register too, which follows its history.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

pub use crate::clock::Clock;

use rustc_hash::FxHashMap;

use crate::expr::{ExprId, VarId};
use crate::expression::Program;

/// The law of a sampled block: outputs y and states x at an instant of its clock, from its inputs u.
pub trait SampledLaw: Debug + Send + Sync {
    /// y = g(x, u).
    fn output(&self, x: &[f64], u: &[f64], y: &mut [f64]);

    /// x := f(x, u); `y` is the output at the same instant.
    fn advance(&self, x: &mut [f64], u: &[f64], y: &[f64]);
}

/// The law of a block that acts when an event changes its conditions.
pub trait EventLaw: Debug + Send + Sync {
    /// Renews the registers. `now` and `before` are the values that the block watches, `u` its sampled inputs.
    ///
    /// # Errors
    /// In words, if the run cannot go on.
    fn act(&self, now: &[f64], before: &[f64], u: &[f64], y: &mut [f64]) -> Result<(), String>;

    /// Puts registers that follow from the values at the start in order.
    ///
    /// # Errors
    /// In words, if there is no start.
    fn begin(&self, _now: &[f64], _y: &mut [f64]) -> Result<(), String> {
        Ok(())
    }

    /// Known instants at which it will act.
    fn instants(&self, _y: &[f64]) -> [Option<f64>; 2] {
        [None; 2]
    }

    /// Does it act at known instants only, which every integration method respects?
    fn is_scheduled(&self) -> bool {
        false
    }
}

/// A block that acts at the instants of a clock.
#[derive(Clone, Debug)]
pub struct Sampler {
    /// The block of the model.
    pub block: u32,
    /// The number of its clock.
    pub clock: usize,
    /// Its inputs among the sampled inputs of all blocks.
    pub inputs: Range<usize>,
    /// Registers of its states.
    pub x: Range<usize>,
    /// Registers of its outputs.
    pub y: Range<usize>,
    /// Does the output depend on the input at the same instant?
    pub feeds_through: bool,
    /// Outputs and next states at an instant.
    pub law: Arc<dyn SampledLaw>,
}

/// A block that acts at events.
#[derive(Clone, Debug)]
pub struct Watcher {
    /// The block of the model.
    pub block: u32,
    /// Values that it watches.
    pub watched: Vec<ExprId>,
    /// Its inputs among the sampled inputs of all blocks.
    pub inputs: Range<usize>,
    /// Registers of its outputs.
    pub y: Range<usize>,
    /// New values of the registers at an event.
    pub law: Arc<dyn EventLaw>,
}

/// y(t) = u(t - T).
#[derive(Clone, Copy, Debug)]
pub struct DelayLine {
    /// The block of the model.
    pub block: u32,
    /// T, s.
    pub delay: f64,
    /// u.
    pub input: ExprId,
    /// The register of y.
    pub register: usize,
    /// Output before anything has come through.
    pub initial: Option<f64>,
}

/// The discrete part of the equations.
#[derive(Clone, Debug, Default)]
pub struct Discrete {
    /// First values of the registers.
    pub first: Vec<f64>,
    /// Sampled inputs; their signals have numbers.
    pub inputs: Vec<Program>,
    /// Clocks, each once.
    pub clocks: Vec<Clock>,
    /// Blocks that act at the instants of clocks.
    pub samplers: Vec<Sampler>,
    /// Samplers in an order in which each finds the new outputs that it needs.
    pub order: Vec<usize>,
    /// Blocks that act at events.
    pub watchers: Vec<Watcher>,
    /// Delay lines.
    pub delays: Vec<DelayLine>,
    /// Registers of values from outside the model: block and register.
    pub given: Vec<(u32, usize)>,
    /// Registers that the operating point determines.
    pub steady: Vec<SteadyRegister>,
    /// Variables that stand for a register, each with this register.
    pub settled: FxHashMap<VarId, u32>,
}

/// A register that the operating point determines. The equation of its variable says `value = register` while time passes,
/// and `rest = 0` at the operating point.
#[derive(Clone, Copy, Debug)]
pub struct SteadyRegister {
    /// The register.
    pub register: u32,
    /// Its variable.
    pub value: ExprId,
    /// The equation of its variable.
    pub equation: usize,
    /// The expression that is zero at the operating point.
    pub rest: ExprId,
}

impl Discrete {
    /// The expressions that events need: watched values, inputs of delay lines, registers of the operating point.
    pub fn wanted(&self) -> impl Iterator<Item = ExprId> + '_ {
        let watched = self.watchers.iter().flat_map(|watcher| watcher.watched.iter().copied());
        let delays = self.delays.iter().map(|delay| delay.input);
        watched.chain(delays).chain(self.steady.iter().map(|register| register.value))
    }

    /// Blocks that act at events, which not every integration method finds.
    pub fn blocks(&self) -> impl Iterator<Item = u32> + '_ {
        let samplers = self.samplers.iter().map(|sampler| sampler.block);
        let watchers = self.watchers.iter().filter(|watcher| !watcher.law.is_scheduled());
        let watchers = watchers.map(|watcher| watcher.block);
        samplers.chain(watchers).chain(self.delays.iter().map(|delay| delay.block))
    }
}
