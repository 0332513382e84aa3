//! The numbers that come from outside of the networks: signals, states of switches, what the mechanics tells at the ports.

use crate::prepared::combination::Combination;
use crate::prepared::event_values::EventValues;
use crate::prepared::network_model::Network;
use equations::expression::switches::{Point, SwitchStates};
use equations::port_inputs::PortInputs;
use equations::programs::UsedSignal;

/// The numbers from outside.
#[derive(educe::Educe)]
#[educe(Clone)]
pub struct Outside {
    /// Signals that time expressions use.
    pub signals: Vec<f64>,
    /// States of what switches in time expressions.
    pub switches: SwitchStates,
    pub ports: PortInputs,
    /// Operands of time expressions while they are evaluated.
    pub(super) stack: Vec<f64>,
}

impl Outside {
    /// Zeros, and switches that have not been looked at.
    pub fn new(network: &Network) -> Self {
        let programs = &network.flat.programs;
        let depth = programs.list.iter().map(|program| program.depth()).max().unwrap_or(0);
        Self {
            signals: vec![0.0; programs.signals.len()],
            switches: SwitchStates::new(&programs.switches, depth),
            ports: PortInputs::new(network.flat.ports.layout()),
            stack: vec![0.0; depth],
        }
    }

    /// Gives a combination time, signals, numbers of the ports and states of switches.
    pub(crate) fn write(&self, network: &Network, t: f64, to: &mut Combination) {
        to.take_ports(network, &self.ports);
        let (code, now) = (&to.fixed.code, &mut to.now);
        let numbers = &mut now.values.numbers;
        numbers[code.time as usize] = t;
        // The code has signals of the networks and registers as variables and registers of its own.
        let signals = &mut numbers[code.inputs as usize..];
        for &number in &network.from_outside {
            signals[number as usize] = self.signals[number as usize];
        }
        // States that have the coordinates and speeds of joints as their values.
        for given in &to.fixed.coupled.given {
            numbers[given.state.index()] =
                given.sign * numbers[(code.inputs + given.input) as usize];
        }
        if now.frozen.version != self.switches.version() {
            now.frozen.version = self.switches.version();
            let states = self.switches.get();
            numbers[code.states as usize..][..states.len()].copy_from_slice(states);
            now.frozen.is_new = true;
        }
    }

    /// Takes a signal that time expressions use from the networks themselves: a value of the last event, or a register.
    pub(crate) fn take_signal(
        &mut self,
        network: &Network,
        number: usize,
        events: EventValues<'_>,
        registers: &[f64],
    ) {
        match network.flat.programs.signals[number] {
            UsedSignal::Network(_) => self.signals[number] = events.signal(number),
            UsedSignal::Memory(register) => self.signals[number] = registers[register as usize],
            UsedSignal::Other(_) => {}
        }
    }

    /// Evaluates some of the time expressions that switch, with the signals as they are.
    pub fn evaluate_switching(
        &mut self,
        network: &Network,
        t: f64,
        is_asked: impl Fn(usize) -> bool,
    ) {
        let programs = &network.flat.programs;
        let all = programs.list.iter().enumerate();
        for program in all.filter(|(k, _)| programs.switches.has(*k) && is_asked(*k)) {
            let point = Point { t, argument: 0.0, signals: &self.signals };
            programs.switches.evaluate(program, point, &mut self.switches, &mut self.stack);
        }
    }
}
