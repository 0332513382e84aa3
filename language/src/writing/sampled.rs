//! Registers: numbers that an element remembers between events, and the laws that renew them.

use std::ops::Range;
use std::sync::Arc;

use super::time_programs;
use super::writer::Writer;
use equations::discrete::{
    Clock, DelayLine, EventLaw, SampledLaw, Sampler, SteadyRegister, Watcher,
};
use equations::expr::{Ex, Node, VarId};
use equations::expression::{Formula, Program};
use equations::programs::UsedSignal;

/// A sampled block as its element describes it: the law, and where it rests.
pub(crate) trait Sampled: SampledLaw {
    /// Expressions that are zero where the states stay constant, and the outputs there.
    fn steady<'a>(&self, e: &Writer<'a>, x: &[Ex<'a>], u: &[Ex<'a>]) -> (Vec<Ex<'a>>, Vec<Ex<'a>>);
}

/// A block that acts at instants.
#[derive(Debug)]
pub(crate) struct SampledForm {
    /// Inputs of the block.
    pub inputs: Vec<Program>,
    /// Given initial values of the block's states.
    pub initial: Vec<Option<f64>>,
    /// Number of outputs.
    pub outputs: usize,
    /// Output before the first instant, if it does not follow from the states.
    pub before: Option<f64>,
    /// The output depends on the input at the same instant.
    pub feeds_through: bool,
    pub law: Arc<dyn Sampled>,
}

/// The interface with which an element writes its registers.
#[derive(Clone, Copy)]
pub(crate) struct Registers<'w, 'a> {
    pub(super) writer: &'w Writer<'a>,
}

impl<'a> Registers<'_, 'a> {
    /// New registers with their first values.
    fn add(&self, first: impl IntoIterator<Item = f64>) -> Range<usize> {
        let registers = &mut self.writer.flat.borrow_mut().discrete.first;
        let start = registers.len();
        registers.extend(first);
        start..registers.len()
    }

    fn held(&self, registers: Range<usize>) -> Vec<Ex<'a>> {
        let held = |register: usize| self.writer.number(0.0).make(Node::Memory(register as u32));
        registers.map(held).collect()
    }

    /// A register as an operand of a formula.
    pub(crate) fn held_formula(&self, register: usize) -> Formula {
        let number = time_programs::number_of(self.writer, UsedSignal::Memory(register as u32));
        Formula::signal(time_programs::by_number(number))
    }

    pub(super) fn sampled_inputs(&self, inputs: &[Program]) -> Range<usize> {
        let numbered: Vec<Program> =
            inputs.iter().map(|program| time_programs::numbered(self.writer, program)).collect();
        let all = &mut self.writer.flat.borrow_mut().discrete.inputs;
        let start = all.len();
        all.extend(numbered);
        start..all.len()
    }

    /// A block that acts from `offset` behind the start on, every period; gives its states and outputs.
    pub(crate) fn sampled(
        &self,
        form: SampledForm,
        [period, offset]: [f64; 2],
    ) -> (Vec<Ex<'a>>, Vec<Ex<'a>>) {
        let clock = Clock { start: self.writer.model.start() + offset, period };
        let states: Vec<f64> = form.initial.iter().map(|given| given.unwrap_or(0.0)).collect();
        let mut outputs = vec![0.0; form.outputs];
        match form.before {
            Some(before) => outputs.fill(before),
            None => form.law.output(&states, &vec![0.0; form.inputs.len()], &mut outputs),
        }
        let (x, y) = (self.add(states), self.add(outputs));
        let inputs = self.sampled_inputs(&form.inputs);
        let held = if self.is_steady() {
            self.steady(&form, [x.clone(), y.clone()])
        } else {
            (self.held(x.clone()), self.held(y.clone()))
        };
        let block = self.writer.owner();
        let discrete = &mut self.writer.flat.borrow_mut().discrete;
        let known = discrete.clocks.iter().position(|known| *known == clock);
        let clock = known.unwrap_or_else(|| {
            discrete.clocks.push(clock);
            discrete.clocks.len() - 1
        });
        let (feeds_through, law) = (form.feeds_through, form.law);
        discrete.samplers.push(Sampler { block, clock, inputs, x, y, feeds_through, law });
        held
    }

    /// Whether the run begins at the operating point.
    fn is_steady(&self) -> bool {
        self.writer.model.is_steady()
    }

    /// States and outputs that the operating point determines; given states stay as they are.
    fn steady(&self, form: &SampledForm, [x, y]: [Range<usize>; 2]) -> (Vec<Ex<'a>>, Vec<Ex<'a>>) {
        let given = form.initial.iter().zip(self.held(x.clone()));
        let states: Vec<Ex<'a>> = given
            .map(|(given, held)| if given.is_some() { held } else { self.writer.unknown("x") })
            .collect();
        let outputs: Vec<Ex<'a>> = y.clone().map(|_| self.writer.unknown("y")).collect();
        // What switches in an input does so without events: it is looked at at instants only.
        let smooth = |program: &Program| {
            self.writer.time(&Formula::of(program).call("smooth", &[]).program())
        };
        let u: Vec<Ex<'a>> = form.inputs.iter().map(smooth).collect();
        let (rests, values) = form.law.steady(self.writer, &states, &u);
        for ((register, &state), rest) in x.zip(&states).zip(rests) {
            self.settled(register, state, rest);
        }
        for ((register, &output), value) in y.zip(&outputs).zip(values) {
            self.settled(register, output, output - value);
        }
        (states, outputs)
    }

    /// A variable that is a register, but for the operating point, where `rest` is zero.
    fn settled(&self, register: usize, own: Ex<'a>, rest: Ex<'a>) {
        let Node::Variable(variable) = self.writer.arena.borrow().node(own.id) else { return };
        let equation = self.writer.flat.borrow().equations.len();
        let held = self.writer.number(0.0).make(Node::Memory(register as u32));
        self.writer.equal(own, held);
        let (register, value, rest) = (register as u32, own.id, rest.id);
        let discrete = &mut self.writer.flat.borrow_mut().discrete;
        discrete.settled.insert(variable, register);
        discrete.steady.push(SteadyRegister { register, value, equation, rest });
    }

    /// Where the variable of a signal is a register, time expressions read that itself: sampled inputs see its new
    /// value at once.
    pub(crate) fn read_register(&self, signal: VarId, value: Ex<'a>) {
        let mut flat = self.writer.flat.borrow_mut();
        let register = match self.writer.arena.borrow().node(value.id) {
            Node::Memory(register) => Some(register),
            Node::Variable(variable) => flat.discrete.settled.get(&variable).copied(),
            _ => None,
        };
        // The output of a delay line moves between events.
        let delays = &flat.discrete.delays;
        let delayed = |register: &u32| {
            delays.binary_search_by_key(&(*register as usize), |delay| delay.register).is_ok()
        };
        if let Some(register) = register.filter(|register| !delayed(register)) {
            flat.programs.read_register(signal, register);
        }
    }

    /// Registers of a block that acts at events, to be watched over with [`watch`](Self::watch).
    pub(crate) fn remembered(&self, first: &[f64]) -> (Range<usize>, Vec<Ex<'a>>) {
        let registers = self.add(first.iter().copied());
        (registers.clone(), self.held(registers))
    }

    /// A register with a value from outside the model, which is this one until another is given.
    pub(crate) fn given(&self, default: f64) -> Ex<'a> {
        let register = self.add([default]).start;
        let given = (self.writer.owner(), register);
        self.writer.flat.borrow_mut().discrete.given.push(given);
        self.writer.number(0.0).make(Node::Memory(register as u32))
    }

    /// Lets a law renew registers when an event changes the watched values.
    pub(crate) fn watch(
        &self,
        watched: &[Ex<'a>],
        inputs: &[Program],
        y: Range<usize>,
        law: Arc<dyn EventLaw>,
    ) {
        let watched = watched.iter().map(|value| value.id).collect();
        let (block, inputs) = (self.writer.owner(), self.sampled_inputs(inputs));
        let watcher = Watcher { block, watched, inputs, y, law };
        self.writer.flat.borrow_mut().discrete.watchers.push(watcher);
    }

    /// The value that an expression had some time ago.
    pub(crate) fn delayed(&self, u: Ex<'a>, delay: f64, initial: Option<f64>) -> Ex<'a> {
        let register = self.add([initial.unwrap_or(0.0)]).start;
        let (block, input) = (self.writer.owner(), u.id);
        let line = DelayLine { block, delay, input, register, initial };
        self.writer.flat.borrow_mut().discrete.delays.push(line);
        if !self.is_steady() || initial.is_some() {
            return self.writer.number(0.0).make(Node::Memory(register as u32));
        }
        let y = self.writer.unknown("y");
        self.settled(register, y, y - u);
        y
    }
}
