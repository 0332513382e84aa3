//! The time expressions of a run: their values, and the states of what switches in them.

use super::{Failure, System};
use equations::expression::switches::{Point, SwitchStates};
use equations::expression::{Jet, SignalRef};

/// All that changes of the time expressions.
#[derive(educe::Educe)]
#[educe(Clone)]
pub(super) struct ExpressionValues {
    /// Values of the signals that expressions use.
    pub signals: Vec<f64>,
    /// Value of each expression.
    pub inputs: Vec<f64>,
    /// Added to the value of each expression; empty if nothing is added.
    pub offsets: Vec<f64>,
    /// Frozen states of what switches.
    pub switches: SwitchStates,
    /// Stack for values.
    stack: Vec<f64>,
    /// Stack for values with two derivatives in time.
    pub jets: Vec<Jet>,
}

impl ExpressionValues {
    /// Expressions at the beginning of a run.
    pub fn new(system: &System) -> Self {
        let deepest = system.programs.iter().map(|program| program.depth()).max().unwrap_or(0);
        Self {
            signals: vec![0.0; system.expression_signals.len()],
            inputs: vec![0.0; system.programs.len()],
            offsets: Vec::new(),
            switches: SwitchStates::new(&system.switches, deepest),
            stack: vec![0.0; deepest],
            jets: vec![Jet::default(); deepest],
        }
    }

    /// Evaluates all expressions with the signals as they are.
    pub fn evaluate_all(&mut self, system: &System, t: f64, speeds: &[f64]) -> Result<(), Failure> {
        (0..system.programs.len()).try_for_each(|index| self.evaluate(system, index, t, speeds))
    }

    /// Evaluates one expression with the signals as they are. The argument of a friction law is the size of a speed.
    #[inline]
    pub fn evaluate(
        &mut self,
        system: &System,
        index: usize,
        t: f64,
        speeds: &[f64],
    ) -> Result<(), Failure> {
        let (program, signals) = (&system.programs[index], &self.signals);
        let argument = system.program_arguments[index].map_or(0.0, |k| speeds[k].abs());
        let value = if system.switches.has(index) {
            let point = Point { t, argument, signals };
            let states = &mut self.switches;
            system.switches.evaluate((index, program), point, states, &mut self.stack)
        } else {
            let signal = |reference: SignalRef| signals[reference.block as usize];
            program.evaluate(t, argument, signal, &mut self.stack)
        };
        if !value.is_finite() {
            return Err(Failure::Expression(index));
        }
        self.inputs[index] = value + self.offsets.get(index).copied().unwrap_or(0.0);
        Ok(())
    }
}
