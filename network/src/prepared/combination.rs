//! One combination of modes: the code that never changes, and the values that do.
//!
//! Runs that are copied, such as the sessions of a parameter study, share the code (`Prepared`, behind an `Arc`) and own
//! their values (`PreparedValues`).

use std::sync::{Arc, OnceLock};

use crate::code::block_compiler::{Code, LEVELS, Level, ModeGuard};
use crate::code::evaluate::{Unsolved, Values};
use crate::code::straight::{Frozen, Straight};
use crate::code::tangent::Tangents;
use crate::complementarity::undetermined::Shares;
use crate::passes::alias::{Aliases, Meaning};
use crate::passes::equation_structure::Structure;
use crate::passes::state_selection::{Determined, Group};
use crate::passes::storages::Lead;
use crate::prepared::coupled::Coupled;
use crate::prepared::drive_forces::Drives;
use crate::prepared::event_values::{EventLayout, EventValues};
use crate::prepared::valves::Valves;
use equations::expr::VarId;
use equations::flat::Variable;
use integrate::{Matrix, Pattern};

/// What the passes make of one combination of modes. It never changes.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// The modes that the combination was prepared for. Modes that differ from them in numbers only, not in the structure
    /// of the equations, use the same code.
    pub key: Vec<i8>,
    pub kind: Valves,
    pub variables: Vec<Variable>,
    pub aliases: Aliases,
    pub structure: Structure,
    /// Equations that are solved together, in the order of their solution.
    pub blocks: Vec<Vec<usize>>,
    /// For each storage of the networks: the state whose value it gives, if it gives one.
    pub leads: Vec<Option<Lead>>,
    /// The states that storages of the networks give.
    pub inputs: Vec<StateInput>,
    /// A node of each part without reference.
    pub islands: Vec<usize>,
    /// Closed valves whose shares nothing determines.
    pub shares: Shares,
    pub coupled: Coupled,
    /// Constraints that may come to determine other variables.
    pub groups: Vec<Group>,
    /// The variables that the constraints determine by a choice that looked at numbers.
    pub determined: Determined,
    pub code: Code,
    /// Which rates of the whole system depend on which states; found when an integrator first asks.
    pub pattern: OnceLock<Pattern>,
}

/// A state of the code that takes the value of a storage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateInput {
    /// Number of the storage.
    pub storage: u32,
    /// Place of the state.
    pub place: u32,
    /// 1 or -1.
    pub sign: f64,
}

/// The numbers of one combination of modes in one run.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(crate) struct PreparedValues {
    /// The modes in force.
    pub modes: Vec<i8>,
    /// The guards of changes that are possible in these modes.
    pub watched: Vec<WatchedGuard>,
    pub values: Values,
    /// Slopes of the numbers, once a Jacobian was asked for.
    pub tangents: Option<Box<Tangents>>,
    /// The forces of open ports as functions of accelerations, once they were asked for.
    pub drives: Option<Box<Drives>>,
    /// The code without the branches that the states of switches decide.
    pub frozen: Frozen,
}

/// A guard of the modes that is watched in the present modes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WatchedGuard {
    /// Its number among all guards of modes.
    pub number: usize,
    /// The place of its value.
    pub place: u32,
}

/// A combination of modes in a run.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(crate) struct Combination {
    pub fixed: Arc<Prepared>,
    pub now: PreparedValues,
}

impl Combination {
    /// A combination with its first values: a guess for each variable.
    pub fn new(fixed: Prepared) -> Self {
        let mut values = Values::new(&fixed.code);
        for (place, variable) in values.numbers.iter_mut().zip(&fixed.variables) {
            *place = variable.guess;
        }
        let now = PreparedValues {
            modes: Vec::with_capacity(fixed.key.len()),
            watched: Vec::with_capacity(fixed.code.guards.len()),
            values,
            tangents: None,
            drives: None,
            frozen: Frozen::default(),
        };
        let mut combination = Self { fixed: Arc::new(fixed), now };
        let modes = combination.fixed.key.clone();
        combination.watch(&modes);
        combination
    }

    /// Notes modes, and which guards are watched in them.
    fn watch(&mut self, modes: &[i8]) {
        let (code, now) = (&self.fixed.code, &mut self.now);
        now.modes.clear();
        now.modes.extend_from_slice(modes);
        let is_possible = |(guard, _): &(ModeGuard, u32)| modes[guard.mode] == guard.from;
        let watched = code.searched_guards().filter(is_possible);
        now.watched.clear();
        now.watched
            .extend(watched.map(|(guard, place)| WatchedGuard { number: guard.number, place }));
    }

    /// All numbers of the code.
    pub fn numbers(&self) -> &[f64] {
        &self.now.values.numbers
    }

    /// The value of one of the expressions that a level computes.
    pub fn asked(&self, level: Level, number: usize) -> f64 {
        self.now.values.numbers[self.fixed.code.asked(level)[number] as usize]
    }

    /// The values of the last event.
    pub fn events<'a>(&'a self, layout: &'a EventLayout) -> EventValues<'a> {
        let places = self.fixed.code.asked(Level::Events);
        EventValues { layout, places, numbers: self.numbers() }
    }

    /// The value that a variable of the networks has in this combination.
    pub fn variable(&self, variable: VarId) -> f64 {
        match self.fixed.aliases.find(variable) {
            Meaning::Constant(number) => number,
            Meaning::Same(own, sign) => sign * self.now.values.numbers[own.index()],
        }
    }

    /// Lists the numbers from outside: all from the time to the registers, then the states. Numbers of the mechanics
    /// stand between time and registers.
    pub fn fill_outside(&self, list: &mut Vec<f64>) {
        let (code, numbers) = (&self.fixed.code, self.numbers());
        list.clear();
        list.extend_from_slice(&numbers[code.time as usize..code.one as usize]);
        list.extend(self.fixed.leads.iter().flatten().map(|lead| numbers[lead.state.index()]));
    }

    /// Are these the numbers from outside?
    pub fn is_outside(&self, list: &[f64]) -> bool {
        let (code, numbers) = (&self.fixed.code, self.numbers());
        let inputs = &numbers[code.time as usize..code.one as usize];
        let leads = self.fixed.leads.iter().flatten();
        let mut states = leads.map(|lead| numbers[lead.state.index()]);
        list.starts_with(inputs) && list[inputs.len()..].iter().all(|x| states.next() == Some(*x))
    }

    /// Puts modes in force that have this structure; the numbers of modes stand behind the states of switches.
    pub fn take_modes(&mut self, modes: &[i8], n_switches: usize) {
        self.now.frozen.is_new = true;
        self.watch(modes);
        let first = self.fixed.code.states as usize + n_switches;
        for (number, &mode) in self.now.values.numbers[first..].iter_mut().zip(modes) {
            *number = f64::from(mode);
        }
    }

    /// Takes the branches of the code as the frozen states of switches have them, for the evaluations that follow.
    pub fn straighten(&mut self, states: &[f64]) {
        let (code, now) = (&self.fixed.code, &mut self.now);
        let numbers = &mut now.values.numbers;
        numbers[code.states as usize..][..states.len()].copy_from_slice(states);
        let straight = now.frozen.straight.get_or_insert_with(|| Box::new(Straight::new(code)));
        if !straight.fits(code, numbers) {
            straight.make(code, numbers, now.watched.iter().map(|guard| guard.place));
        }
        now.frozen.is_new = true;
    }

    /// Looks whether the code without branches is that of the present states.
    pub fn look_at_states(&mut self) {
        let (frozen, numbers) = (&mut self.now.frozen, &self.now.values.numbers);
        if !std::mem::take(&mut frozen.is_new) {
            return;
        }
        let straight = frozen.straight.as_ref();
        frozen.is_straight =
            straight.is_some_and(|straight| straight.fits(&self.fixed.code, numbers));
    }

    /// Computes all that a level needs beyond the one before it.
    pub fn run(&mut self, level: Level) -> Result<(), Unsolved> {
        let (code, now) = (&self.fixed.code, &mut self.now);
        match &now.frozen.straight {
            Some(straight) if now.frozen.is_straight && level <= Level::Guards => {
                now.values.run_straight(code, straight, level)
            }
            _ => {
                if level == Level::Events && now.frozen.is_straight {
                    // The code without branches leaves out guards that are not watched; events ask for all.
                    now.values.finish(code, Level::Guards);
                }
                now.values.run(code, level)
            }
        }
    }

    /// Computes all up to a level from the values that there are, whether blocks are solved or not.
    pub fn finish(&mut self, level: Level) {
        self.now.values.run_anyway(&self.fixed.code, level);
    }

    /// Writes the Jacobian of the rates at the present values into a matrix; false if there is none. `tangents` makes room
    /// for the slopes at the first call.
    pub fn jacobian(&mut self, tangents: impl FnOnce() -> Tangents, jacobian: &mut Matrix) -> bool {
        if self.now.tangents.is_none() {
            self.now.tangents = Some(Box::new(tangents()));
        }
        if !self.compute_all() {
            return false;
        }
        let (Prepared { code, leads, .. }, now) = (&*self.fixed, &mut self.now);
        let Some(tangents) = &mut now.tangents else { return false };
        tangents.jacobian(code, &now.values, leads, jacobian);
        true
    }

    /// Computes all numbers of the rates, also those that nobody reads in the present states, because slopes are found with
    /// them; false if that fails.
    fn compute_all(&mut self) -> bool {
        let (code, now) = (&self.fixed.code, &mut self.now);
        let levels = LEVELS.into_iter().filter(|level| *level <= Level::Rates);
        let mut needed = levels.filter(|_| now.frozen.is_straight);
        needed.all(|level| now.values.run(code, level).is_ok())
    }
}
