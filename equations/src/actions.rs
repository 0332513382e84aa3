//! The `When` blocks and the automata of a model, as plain data: values that change at events beside the modes.
//!
//! A `When` acts where its condition becomes true: it gives registers, storages and joints new values. An automaton
//! is in one of its states, and a condition leads it from there to another one. Both look at their conditions when
//! everything else at the instant has come to rest.

use crate::expr::{ExprId, VarId};
use crate::ids::JointId;

/// A coordinate of a joint, as the user counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointPlace {
    /// The joint.
    pub joint: JointId,
    /// Its coordinate, from 0.
    pub component: usize,
}

/// The quantity that gets a new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A register that holds a number.
    Number(u32),
    /// A register that is 1 for true and 0 for false.
    Truth(u32),
    /// A storage of the networks, by its index in [`Actions::storages`].
    Storage(usize),
    /// A joint coordinate.
    Position(JointPlace),
    /// The rate of a joint coordinate.
    Rate(JointPlace),
    /// A mistake was found, and the model will not run.
    Nothing,
}

/// A value of the networks that follows from a storage.
#[derive(Clone, Copy, Debug)]
pub struct StorageTarget {
    /// The value.
    pub value: ExprId,
    /// The storage that is changed to change the value.
    pub storage: VarId,
    /// Does the storage hold an angle or a length, which no flow between storages shares out?
    pub is_position: bool,
}

/// One line of a Set section.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The quantity that gets the value.
    pub target: Target,
    /// The value: its place among the sampled inputs.
    pub value: usize,
    /// The target as the text names it.
    pub name: Box<str>,
}

/// A `When` block.
#[derive(Clone, Debug)]
pub struct When {
    /// The block of the model.
    pub block: u32,
    /// Its condition among all.
    pub condition: usize,
    /// The values that it sets.
    pub settings: Vec<Setting>,
    /// Are rates of joints set by impulses, which the rates of all other joints answer?
    pub impulse: bool,
}

/// A way from one state of an automaton to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The state before, from 0.
    pub from: usize,
    /// The state behind, from 0.
    pub to: usize,
    /// Its condition among all.
    pub condition: usize,
}

/// An automaton.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The block of the model.
    pub block: u32,
    /// The register of the number of its state, from 1; one register for each state follows, which is 1 in that state.
    pub register: usize,
    /// The names of its states.
    pub states: Box<[Box<str>]>,
    /// Its passages; of several that are open, the first is taken.
    pub passages: Vec<Passage>,
}

impl Automaton {
    /// Puts a state in force.
    pub fn enter(&self, state: usize, registers: &mut [f64]) {
        registers[self.register] = (state + 1) as f64;
        for k in 0..self.states.len() {
            registers[self.register + 1 + k] = f64::from(k == state);
        }
    }

    /// The state in force.
    pub fn state(&self, registers: &[f64]) -> usize {
        (registers[self.register] as usize).saturating_sub(1)
    }
}

/// All actions of a model.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    /// Conditions, 0 or 1.
    pub conditions: Vec<ExprId>,
    /// The `When` blocks.
    pub whens: Vec<When>,
    /// The automata.
    pub automata: Vec<Automaton>,
    /// Values of the networks that are set.
    pub storages: Vec<StorageTarget>,
}

impl Actions {
    /// Does the model have neither a `When` nor an automaton?
    pub fn is_empty(&self) -> bool {
        self.whens.is_empty() && self.automata.is_empty()
    }

    /// The expressions that actions need at events: the conditions, then the values that are set.
    pub fn wanted(&self) -> impl Iterator<Item = ExprId> + '_ {
        let values = self.storages.iter().map(|target| target.value);
        self.conditions.iter().copied().chain(values)
    }

    /// The blocks of all actions.
    pub fn blocks(&self) -> impl Iterator<Item = u32> + '_ {
        let automata = self.automata.iter().map(|automaton| automaton.block);
        self.whens.iter().map(|when| when.block).chain(automata)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_of_an_automaton_tell_its_state_twice() {
        let states = ["a", "b", "c"].map(Box::from).into();
        let automaton = Automaton { block: 0, register: 1, states, passages: Vec::new() };
        let mut registers = [7.0; 6];
        automaton.enter(1, &mut registers);
        assert_eq!(registers, [7.0, 2.0, 0.0, 1.0, 0.0, 7.0]);
        assert_eq!(automaton.state(&registers), 1);
    }
}
