//! The search for events: values and sides of guards, known instants.

use super::{NetworkRun, NetworkState};
use crate::code::block_compiler::Level;
use crate::code::evaluate::Unsolved;
use crate::prepared::network_model::Network;
use equations::expression::switches::Point;
use equations::programs::CodedSwitch;
use problem::Side;

/// The value of a guard that nobody watches: behind zero.
const UNWATCHED: f64 = -1.0;

impl NetworkRun<'_> {
    /// Evaluates time expressions that switch, for their guards, with the values of the last event as signals.
    pub(crate) fn evaluate_programs(&mut self, t: f64) {
        let NetworkState { combinations, outside, discrete, .. } = &mut *self.now;
        let network = self.network;
        let values = combinations.present().events(&network.event_layout);
        for number in 0..outside.signals.len() {
            outside.take_signal(network, number, values, &discrete.memory);
        }
        let switches = &network.flat.programs.switches;
        let is_fresh = outside.switches.is_fresh();
        outside.evaluate_switching(network, t, |k| is_fresh || switches.has_values(k));
    }

    /// Writes the values of all guards; [`update`](Self::update) comes first. Guards that nobody watches stay behind zero.
    pub fn guards(&mut self, t: f64, values: &mut [f64]) -> Result<(), Unsolved> {
        if !self.has_begun() {
            values.fill(UNWATCHED);
            return Ok(());
        }
        self.complete(Level::Guards)?;
        let Network { searched, watches, flat, coded, event_layout, .. } = self.network;
        let NetworkState { combinations, outside, discrete, .. } = &mut *self.now;
        let present = combinations.present();
        let at_event = present.events(event_layout);
        // The signals of time expressions whose guards are searched.
        let [guards, signals, _] = event_layout.split(searched);
        let first_signal = event_layout.signals().start;
        for number in signals {
            outside.take_signal(self.network, number - first_signal, at_event, &discrete.memory);
        }
        // Guards of time expressions: by their own evaluation, or by the code where it has them.
        let point = Point { t, argument: 0.0, signals: &outside.signals };
        let (switches, programs) = (&flat.programs.switches, &flat.programs.list);
        switches.search(programs, point, &mut outside.switches, &mut outside.stack);
        let (of_programs, of_modes) = self.network.guard_layout().split(values);
        outside.switches.fill_guards(switches, of_programs);
        for CodedSwitch { switch, guards, first } in coded {
            let mut are_finite = true;
            for (k, g) in of_programs[guards.clone()].iter_mut().enumerate() {
                *g = at_event.expression(first + k);
                are_finite &= g.is_finite();
            }
            if !are_finite {
                outside.switches.put_aside(switches, *switch, &mut of_programs[guards.clone()]);
            }
        }
        // Guards of modes that may be left now.
        of_modes.fill(UNWATCHED);
        for &number in guards {
            let watch = watches[number];
            if present.now.modes[watch.mode] == watch.from {
                of_modes[number] = at_event.guard(number);
            }
        }
        Ok(())
    }

    /// The sides of all guards.
    pub fn sides(&self, sides: &mut [Side]) {
        let switches = &self.network.flat.programs.switches;
        let (of_programs, of_modes) = self.network.guard_layout().split(sides);
        self.now.outside.switches.fill_sides(switches, of_programs);
        let modes = self.modes();
        for (watch, side) in self.network.watches.iter().zip(of_modes) {
            // The change is possible in the present modes, and at an instant of its own.
            let is_watched = !watch.steps && modes[watch.mode] == watch.from;
            *side = if is_watched { Side::Negative } else { Side::Unwatched };
        }
    }

    /// The next known instant.
    pub fn next_instant(&mut self, t: f64, direction: f64) -> Option<f64> {
        let programs = &self.network.flat.programs;
        let NetworkState { outside, discrete, .. } = &mut *self.now;
        let own = outside.switches.next_instant(&programs.switches, &programs.list, t, direction);
        let registers = discrete.next_instant(self.network, t);
        own.into_iter().chain(registers).min_by(|a, b| (direction * a).total_cmp(&(direction * b)))
    }
}
