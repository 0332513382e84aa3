//! Signals in time expressions that are known only when forces or accelerations are.
//!
//! Positions and velocities are known before all forces. The force of an element is known when its own expressions are, so that
//! an expression may use it if these do not depend on the expression in turn: expressions and forces are sorted by
//! dependence. Everything else follows from the accelerations, which depend on all forces: reactions, accelerations, what a
//! motion or constraint takes. Such a signal is an unknown of the run (`run/late_values.rs`).

use equations::expression::{Op, Program, SignalRef};
use language::element::Quantity;

use super::{Element, SignalSource};

/// A signal that waits for the accelerations, or for itself.
#[derive(Clone, Copy, Debug)]
pub struct LateSignal {
    /// Where its value comes from.
    pub source: SignalSource,
    /// The signal, for messages.
    pub signal: SignalRef,
    /// The block that uses it; none for the networks.
    pub user: Option<u32>,
}

/// What is found next before the forces of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The value of a time expression.
    Program(usize),
    /// The value of a signal of a force element, by its number among the signals of expressions.
    Signal(usize),
}

/// Signals of forces and accelerations in time expressions.
#[derive(Debug, Default)]
pub struct LateSignals {
    /// What is unknown until the accelerations are found.
    pub list: Vec<LateSignal>,
    /// The order of expressions and forces; empty if no expression uses a force.
    pub steps: Vec<Step>,
}

/// The expressions of a system as the sorting sees them.
pub(super) struct Sorting<'a> {
    /// Time expressions; their signals are numbers.
    pub programs: &'a [Program],
    /// The block of each expression.
    pub owners: &'a [u32],
    /// The meaning of each number.
    pub signals: &'a mut [SignalSource],
    /// The signals that the numbers stand for.
    pub names: &'a [SignalRef],
    /// Force elements.
    pub elements: &'a [Element],
}

impl LateSignals {
    /// Makes a signal an unknown; gives what stands for it.
    pub fn wait(
        &mut self,
        source: SignalSource,
        signal: SignalRef,
        user: Option<u32>,
    ) -> SignalSource {
        let known = self.list.iter().position(|late| late.source == source);
        SignalSource::Late(known.unwrap_or_else(|| {
            self.list.push(LateSignal { source, signal, user });
            self.list.len() - 1
        }))
    }

    /// Sorts expressions and forces; what depends on the accelerations or on itself waits.
    pub(super) fn sort(&mut self, of: &mut Sorting<'_>) {
        for number in 0..of.signals.len() {
            if !of.signals[number].is_kinematic() && of.force(number).is_none() {
                self.make_late(of, number);
            }
        }
        let mut is_done = vec![false; of.programs.len()];
        let mut open: Vec<usize> =
            (0..of.signals.len()).filter(|&number| of.force(number).is_some()).collect();
        while !open.is_empty() {
            let ready = |number: &usize| {
                let of_element = of.programs_of(*number);
                !of_element.iter().any(|&p| signals_of(&of.programs[p]).any(|s| open.contains(&s)))
            };
            let Some(place) = open.iter().position(ready) else { break };
            let number = open.remove(place);
            for program in of.programs_of(number) {
                if !std::mem::replace(&mut is_done[program], true) {
                    self.steps.push(Step::Program(program));
                }
            }
            self.steps.push(Step::Signal(number));
        }
        // These forces depend on each other in a ring.
        for number in open {
            self.make_late(of, number);
        }
        if !self.steps.is_empty() {
            let rest = (0..of.programs.len()).filter(|&program| !is_done[program]);
            self.steps.extend(rest.map(Step::Program));
        }
    }

    fn make_late(&mut self, of: &mut Sorting<'_>, number: usize) {
        if let Some(user) = of.user(number) {
            of.signals[number] = self.wait(of.signals[number], of.names[number], Some(user));
        }
    }
}

impl Sorting<'_> {
    /// The force element whose signal or power a number stands for.
    fn force(&self, number: usize) -> Option<usize> {
        match self.signals[number] {
            SignalSource::Force { element, .. } | SignalSource::Power { element } => Some(element),
            _ => None,
        }
    }

    /// The expressions that decide about the force of a number.
    fn programs_of(&self, number: usize) -> Vec<usize> {
        let block = self.force(number).map(|element| self.elements[element].block);
        let of_element = |program: &usize| Some(self.owners[*program]) == block;
        (0..self.programs.len()).filter(of_element).collect()
    }

    /// The block of the first expression that uses a number.
    fn user(&self, number: usize) -> Option<u32> {
        let uses = |program: &&Program| signals_of(program).any(|signal| signal == number);
        let first = self.programs.iter().position(|program| uses(&program))?;
        Some(self.owners[first])
    }
}

/// The numbers of the signals in an expression.
fn signals_of(program: &Program) -> impl Iterator<Item = usize> {
    program.ops().iter().filter_map(|op| match op {
        Op::Signal(signal) => Some(signal.block as usize),
        _ => None,
    })
}

impl SignalSource {
    /// Is it known before forces are?
    pub(super) fn is_kinematic(self) -> bool {
        let is_acceleration = |quantity: Quantity| {
            matches!(quantity, Quantity::Acceleration | Quantity::TurningAcceleration)
        };
        match self {
            SignalSource::Force { .. }
            | SignalSource::Power { .. }
            | SignalSource::Drive { .. }
            | SignalSource::Multiplier(..)
            | SignalSource::Plugin { .. } => false,
            SignalSource::Joint(quantity, ..) => {
                !is_acceleration(quantity)
                    && !matches!(quantity, Quantity::Applied | Quantity::Reaction)
            }
            SignalSource::Body(quantity, ..)
            | SignalSource::Triad(quantity, ..)
            | SignalSource::Sensor(quantity, ..) => !is_acceleration(quantity),
            _ => true,
        }
    }
}
