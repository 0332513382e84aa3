//! The values of the networks at an instant, level by level; values and sides of guards, known instants.
//!
//! ```text
//! update -> what the forces of the mechanics need -> complete(level) -> rates, guards, events, results
//! ```

use integrate::Matrix;

use super::{NetworkRun, NetworkState};
use crate::code::block_compiler::Level;
use crate::code::evaluate::Unsolved;
use crate::code::tangent::Tangents;
use crate::prepared::combination::Combination;
use crate::prepared::event_values::EventValues;
use crate::prepared::network_model::Network;
use crate::prepared::valves::Valves;
use crate::run::continuation;
use crate::run::rate_origins::Dependences;
use equations::expression::switches::Point;
use equations::programs::CodedSwitch;
use problem::Side;

/// The value of a guard that nobody watches: behind zero.
const UNWATCHED: f64 = -1.0;

impl NetworkRun<'_> {
    /// Gives the code time, numbers from outside, registers and states.
    fn set(&mut self, t: f64, y: &[f64]) {
        let NetworkState { combinations, outside, discrete, .. } = &mut *self.now;
        let present = combinations.present_mut();
        outside.write(self.network, t, present);
        discrete.follow(self.network, t);
        let Combination { fixed, now } = present;
        let numbers = &mut now.values.numbers;
        let registers = &mut numbers[fixed.code.memory as usize..][..discrete.memory.len()];
        registers.copy_from_slice(&discrete.memory);
        for input in &fixed.inputs {
            numbers[input.place as usize] = input.sign * y[input.storage as usize];
        }
    }

    /// Sets time, signals from outside and states, and computes what the forces of the mechanics need; without
    /// ports what derivatives need too.
    pub fn update(&mut self, t: f64, y: &[f64]) -> Result<(), Unsolved> {
        self.set(t, y);
        self.compute(t, y)
    }

    /// Behind an event the first values may be far from those before it.
    fn compute(&mut self, t: f64, y: &[f64]) -> Result<(), Unsolved> {
        let is_behind = std::mem::take(&mut self.now.events.is_behind);
        let solved = self.compute_from_here(self.now.events.is_patient || is_behind);
        if solved.is_err() && is_behind && self.present().fixed.kind == Valves::Ideal {
            return continuation::rescue(self, t, y).or(solved);
        }
        solved
    }

    fn compute_from_here(&mut self, is_patient: bool) -> Result<(), Unsolved> {
        self.now.combinations.compute_forces(is_patient)?;
        if self.network.flat.ports.list.is_empty() { self.complete(Level::Rates) } else { Ok(()) }
    }

    /// Computes what a level needs besides; [`update`](Self::update) comes first.
    pub fn complete(&mut self, level: Level) -> Result<(), Unsolved> {
        let NetworkState { combinations, outside, .. } = &mut *self.now;
        combinations.complete(self.network, &outside.ports, level)
    }

    /// Computes the rates with the accelerations that the ports have now.
    pub fn complete_again(&mut self) -> Result<(), Unsolved> {
        self.now.combinations.forget_rates();
        self.complete(Level::Rates)
    }

    /// Sets time, signals from outside and states, and computes what events need.
    pub(crate) fn update_events(&mut self, t: f64, y: &[f64]) -> Result<(), Unsolved> {
        let solved = self.update(t, y).and_then(|()| self.complete(Level::Events));
        let is_ideal = |run: &Self| run.present().fixed.kind == Valves::Ideal;
        if solved.is_err() && self.now.events.is_patient && is_ideal(self) {
            // Without a solution the first message is the one that tells.
            return continuation::rescue(self, t, y).or(solved);
        }
        solved
    }

    /// Sets time, signals from outside and states, and computes all there is.
    pub(super) fn update_all(&mut self, t: f64, y: &[f64]) -> Result<(), Unsolved> {
        self.update(t, y)?;
        self.complete(Level::Results)
    }

    /// Computes what results need besides, from afar if need be: only they may need equations that nothing else does.
    pub fn observe(&mut self) -> Result<(), Unsolved> {
        let solved = self.complete(Level::Results);
        if solved.is_err() && self.now.combinations.knows(Level::Events) {
            let t = self.present().numbers()[self.present().fixed.code.time as usize];
            let mut y = vec![0.0; self.network.n_states()];
            self.follow(&mut y);
            return continuation::rescue(self, t, &y).or(solved);
        }
        solved
    }

    /// Computes what events need, unless the values of the same numbers from outside are at hand: the iterations of blocks
    /// then stay where they are.
    pub(crate) fn renew(&mut self, t: f64, y: &[f64]) -> Result<(), Unsolved> {
        if !self.now.combinations.knows(Level::Events) {
            return self.update_events(t, y);
        }
        let NetworkState { combinations, last_outside, .. } = &mut *self.now;
        combinations.present().fill_outside(last_outside);
        self.set(t, y);
        if self.present().is_outside(&self.now.last_outside) {
            return Ok(());
        }
        self.compute(t, y).and_then(|()| self.complete(Level::Events))
    }

    /// Computes what events need, with other states where the present ones do not give it.
    pub(crate) fn solve_anyway(&mut self, t: f64, y: &[f64]) -> Result<(), Unsolved> {
        let solved = self.renew(t, y);
        if !self.has_choices() {
            return solved;
        }
        if solved.is_err() {
            // Numbers that the derivatives of constraints depend on are known before these are solved.
            self.now.combinations.present_mut().finish(Level::Events);
        }
        if self.choose_again(t, y) {
            return self.update_events(t, y);
        }
        solved
    }

    /// The values that were computed for the last event.
    pub(crate) fn event_values(&self) -> EventValues<'_> {
        self.present().events(&self.network.event_layout)
    }

    /// The storages take the values that the present combination gives them.
    pub fn follow(&self, y: &mut [f64]) {
        let values = self.event_values();
        for (k, y) in y.iter_mut().enumerate() {
            *y = values.storage(k);
        }
    }

    /// Are the rates those of the last time and states?
    pub fn has_rates(&self) -> bool {
        self.has_begun() && self.now.combinations.knows(Level::Rates)
    }

    /// Derivatives of the states.
    pub fn rates(&self, ydot: &mut [f64]) {
        let Some(present) = self.now.combinations.get() else { return ydot.fill(0.0) };
        for (rate, &place) in ydot.iter_mut().zip(present.fixed.code.asked(Level::Rates)) {
            *rate = present.now.values.numbers[place as usize];
        }
    }

    /// Writes the Jacobian of the rates at the point of the last evaluation. False if there is none.
    pub fn jacobian(&mut self, jacobian: &mut Matrix) -> bool {
        if !self.has_rates() {
            return false;
        }
        let (network, present) = (self.network, self.now.combinations.present_mut());
        let fixed = present.fixed.clone();
        let tangents = || {
            let dependences = Dependences { network, prepared: &fixed };
            Tangents::new(&fixed.code, &dependences.columns(), &dependences.changing())
        };
        present.jacobian(tangents, jacobian)
    }

    /// Takes the branches of the present code as the frozen states have them, for the evaluations that follow.
    pub fn straighten(&mut self) {
        let NetworkState { combinations, outside, .. } = &mut *self.now;
        if let Some(present) = combinations.get_mut() {
            present.straighten(outside.switches.get());
        }
    }

    /// May other variables become states than the present ones?
    pub fn has_choices(&self) -> bool {
        self.now.combinations.get().is_some_and(|present| !present.fixed.groups.is_empty())
    }

    /// Do the present states call for others? After values of events are computed.
    pub fn review_choice(&mut self, y: &[f64]) -> bool {
        let NetworkState { combinations, choices, .. } = &mut *self.now;
        let present = combinations.present();
        let values = present.events(&self.network.event_layout);
        choices.measure(self.network, values, y);
        choices.better(&present.fixed.groups, values).is_some()
    }

    /// Chooses other states where the present ones are nearly singular. True if there are others now; the values of the new
    /// states are those that the integrator has, and the other storages follow.
    fn choose_again(&mut self, t: f64, y: &[f64]) -> bool {
        if !self.has_choices() || !self.review_choice(y) {
            return false;
        }
        let NetworkState { combinations, choices, .. } = &mut *self.now;
        let before = combinations.present().fixed.clone();
        let values = combinations.present().events(&self.network.event_layout);
        let Some(choice) = choices.better(&before.groups, values) else { return false };
        let Ok(place) = combinations.find_choice(self.network, &choice) else { return false };
        combinations.enter(self.network, place);
        choices.note(t, &before, &combinations.present().fixed);
        true
    }
}

impl NetworkRun<'_> {
    /// Takes the signals that time expressions use from the values of the last event.
    pub(super) fn take_signals(&mut self) {
        let NetworkState { combinations, outside, discrete, .. } = &mut *self.now;
        let values = combinations.present().events(&self.network.event_layout);
        for number in 0..outside.signals.len() {
            outside.take_signal(self.network, number, values, &discrete.memory);
        }
    }

    /// Evaluates time expressions that switch, for their guards, with the values of the last event as signals.
    pub(crate) fn evaluate_programs(&mut self, t: f64) {
        self.take_signals();
        let (network, outside) = (self.network, &mut self.now.outside);
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
        let Network { flat, searched_signals, coded, coded_guards, event_layout, .. } =
            self.network;
        let NetworkState { combinations, outside, discrete, .. } = &mut *self.now;
        let present = combinations.present();
        let at_event = present.events(event_layout);
        // The signals of time expressions whose guards are searched.
        for &number in searched_signals {
            outside.take_signal(self.network, number, at_event, &discrete.memory);
        }
        // Guards of time expressions: by their own evaluation, or by the code where it has them.
        let point = Point { t, argument: 0.0, signals: &outside.signals };
        let (switches, programs) = (&flat.programs.switches, &flat.programs.list);
        switches.search(programs, point, &mut outside.switches, &mut outside.stack);
        let (of_programs, of_modes) = self.network.guard_layout().split(values);
        outside.switches.fill_guards(switches, of_programs);
        let places = present.fixed.code.asked(Level::Guards);
        let places = &places[places.len() - coded_guards.len()..];
        let numbers = present.numbers();
        let mut are_finite = true;
        for (&guard, &place) in coded_guards.iter().zip(places) {
            let value = numbers[place as usize];
            of_programs[guard] = value;
            are_finite &= value.is_finite();
        }
        if !are_finite {
            for CodedSwitch { switch, guards, .. } in coded {
                outside.switches.put_aside(switches, *switch, &mut of_programs[guards.clone()]);
            }
        }
        // Guards of modes that may be left now.
        of_modes.fill(UNWATCHED);
        for guard in &present.now.watched {
            of_modes[guard.number] = numbers[guard.place as usize];
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

#[cfg(test)]
mod tests;
