//! How `When` blocks and automata write what they do at events.

use super::writer::Writer;
use crate::reading::fields::Condition;
use equations::actions::{Automaton, Passage, Setting, Target, When};
use equations::expr::Ex;
use equations::expression::Program;

/// A line of a Set section: what is set, and to which value.
#[derive(Clone, Copy)]
pub(crate) struct Line<'l> {
    /// What is set, as the text names it.
    pub name: &'l str,
    /// The value.
    pub value: &'l Program,
}

/// The interface with which an element writes its actions.
#[derive(Clone, Copy)]
pub(crate) struct Actions<'w, 'a> {
    pub(super) writer: &'w Writer<'a>,
}

impl<'a> Actions<'_, 'a> {
    /// A further condition; gives its number.
    fn condition(&self, condition: &Condition) -> usize {
        let value = self.writer.condition(condition);
        let conditions = &mut self.writer.flat.borrow_mut().actions.conditions;
        conditions.push(value.id);
        conditions.len() - 1
    }

    /// A `When`. What its lines set is found when all elements are written.
    pub(crate) fn when(&self, condition: &Condition, lines: &[Line<'_>], impulse: bool) {
        let condition = self.condition(condition);
        let programs: Vec<Program> = lines.iter().map(|line| line.value.clone()).collect();
        let inputs = self.writer.registers().sampled_inputs(&programs);
        let setting = |(line, value): (&Line<'_>, usize)| Setting {
            target: Target::Nothing,
            value,
            name: line.name.into(),
        };
        let settings = lines.iter().zip(inputs).map(setting).collect();
        let when = When { block: self.writer.owner(), condition, settings, impulse };
        self.writer.flat.borrow_mut().actions.whens.push(when);
    }

    /// An automaton; gives the number of its state, then 1 or 0 for each state.
    pub(crate) fn automaton<'c>(
        &self,
        states: &[Box<str>],
        start: usize,
        passages: impl Iterator<Item = (usize, usize, &'c Condition)>,
    ) -> Vec<Ex<'a>> {
        let (registers, held) = self.writer.registers().remembered(&vec![0.0; states.len() + 1]);
        let passages = passages
            .map(|(from, to, condition)| Passage { from, to, condition: self.condition(condition) })
            .collect();
        let automaton = Automaton {
            block: self.writer.owner(),
            register: registers.start,
            states: states.into(),
            passages,
        };
        let mut flat = self.writer.flat.borrow_mut();
        automaton.enter(start, &mut flat.discrete.first);
        flat.actions.automata.push(automaton);
        held
    }
}
