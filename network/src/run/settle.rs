//! What happens at an event: modes change until none wants to any more.
//!
//! All that want to change do so together at first; if that goes round in circles, only the first of them does,
//! which comes to rest for the networks of resistors, sources and valves (the least-index rule for complementarity
//! problems, Murty 1974). Combinations are never enumerated. A combination that contradicts itself, or that
//! would make a stored quantity jump, is looked at with soft valves: the one that gives way there changes. Where that
//! leaves a doubt or leads nowhere, the complementarity problem of all valves decides (`together.rs`).

use crate::prepared::valves::Valves;
use crate::run::conflicts;
use crate::run::corners::{AT_ONCE, Corners, begin_way};
use crate::run::event_memory::{LEAST, NOISE, Room};
use crate::run::jumps::note_jump;
use crate::run::rate_origins::Dependences;
use crate::run::registers::EventPass;
use crate::run::single_changes::{Outcome, Passes, TOGETHER};
use crate::run::together::Asked;
pub use crate::run::unsettled::Unsettled;
use crate::run::{NetworkRun, NetworkState, static_step};
use equations::flat::ValveKind;
use problem::{Cause, Change, ChangeList, Event, GuardId};

/// Further passes: so many for each mode, and so many besides.
const MORE_PASSES: usize = 20;

/// Guards that count as positive.
#[derive(Clone, Copy)]
pub(super) struct Threshold<'a> {
    /// Values count as zero up to this part of the largest one.
    pub noise: f64,
    /// Guards that were crossed, whatever their values are.
    pub crossed: &'a [usize],
    /// Have other modes changed in this event already? A valve that opens at a step looks at what it carried before.
    pub is_late: bool,
}

/// Modes that settle at an instant.
pub(super) struct Settling<'r, 'n> {
    pub run: &'r mut NetworkRun<'n>,
    pub t: f64,
    /// The storages, which follow.
    pub y: &'r mut [f64],
}

impl Settling<'_, '_> {
    /// Guards of modes that ask for a change at the present values.
    pub fn due(&mut self) -> Vec<usize> {
        let mut due = Vec::new();
        self.fill_due(
            Threshold { noise: NOISE, crossed: &[], is_late: false },
            Valves::Ideal,
            &mut due,
        );
        due
    }

    /// The same into a list.
    pub(super) fn fill_due(
        &mut self,
        threshold: Threshold<'_>,
        kind: Valves,
        due: &mut Vec<usize>,
    ) {
        let network = self.run.network;
        let NetworkState { combinations, events, .. } = &mut *self.run.now;
        let present = combinations.present();
        let values = present.events(&network.event_layout);
        due.clear();
        for (number, watch) in network.watches.iter().enumerate() {
            let value = values.guard(number);
            let scale = &mut events.scales[number];
            // Soft valves ask for values without measure.
            if value.is_finite() && !watch.steps && kind == Valves::Ideal {
                *scale = scale.max(value.abs());
            }
            if present.now.modes[watch.mode] != watch.from {
                continue;
            }
            let valve = network.flat.modes[watch.mode].valve;
            let opens = watch.to == 0 && valve.is_some_and(|valve| valve.kind == ValveKind::Switch);
            if threshold.is_late && watch.steps && opens {
                continue;
            }
            let noise = if watch.steps { 0.0 } else { threshold.noise * *scale + LEAST };
            if value > noise || threshold.crossed.contains(&number) {
                due.push(number);
            }
        }
        due.retain(|&number| {
            threshold.crossed.contains(&number)
                || !events.is_rounding(network, values.guard(number), number)
        });
    }

    /// Changes modes until none wants to; `crossed` are guards that want to whatever their values are. True if a mode changed.
    pub fn settle(&mut self, crossed: &[usize], may_jump: bool) -> Result<bool, Unsettled> {
        let events = &mut self.run.now.events;
        let mut room = std::mem::take(&mut events.room);
        let was_patient = std::mem::replace(&mut events.is_patient, true);
        events.blamed.clear();
        let mut settled = self.settle_in(&mut room, crossed, may_jump);
        // Where single changes lead nowhere, all valves together may.
        let asked = Asked { crossed, start: &room.start };
        if let Err(failure) = settled {
            let blamed = &self.run.now.events.blamed;
            let last = if blamed.is_empty() { self.run.modes() } else { blamed };
            let modes = last.to_vec();
            settled = if self.settle_together(asked) == Some(true) {
                self.run.follow(self.y);
                Ok(self.run.modes() != room.start)
            } else {
                Err(conflicts::explained(self, failure, &modes, &room.start))
            };
        }
        if matches!(settled, Ok(false)) {
            settled = conflicts::refuse_crossing(self, crossed, &room.start).map(|()| false);
        }
        let asked = Asked { crossed, start: &room.start };
        let settled = settled.and_then(|_| {
            conflicts::refuse_cut_off(self, asked)?;
            Ok(self.run.modes() != room.start)
        });
        let events = &mut self.run.now.events;
        (events.is_patient, events.room) = (was_patient, room);
        settled
    }

    fn settle_in(
        &mut self,
        room: &mut Room,
        crossed: &[usize],
        may_jump: bool,
    ) -> Result<bool, Unsettled> {
        room.start.clear();
        room.start.extend_from_slice(self.run.modes());
        let most = TOGETHER + MORE_PASSES * self.run.network.flat.modes.len() + MORE_PASSES;
        let mut passes = Passes::new(crossed, may_jump);
        for number in 0..most {
            passes.number = number;
            match self.pass(&mut passes, room)? {
                Outcome::Changed => {}
                Outcome::AtRest => break,
                Outcome::NoWay => return self.give_up(Asked { crossed, start: &room.start }),
            }
        }
        // Soft valves are a means to find a way, not a result.
        if self.run.present().fixed.kind == Valves::Soft {
            return self.give_up(Asked { crossed, start: &room.start });
        }
        if passes.may_ask && passes.number > 0 && !self.is_settled() {
            self.settle_doubt(Asked { crossed, start: &room.start })?;
        }
        self.run.follow(self.y);
        Ok(self.run.modes() != room.start)
    }

    /// Modes that no guard wants to change, though some guards are as good as zero: the modes that all valves together ask
    /// for, if there are any. Where these undo the change that the event itself asks for, nothing else determines it (a
    /// Zener diode that breaks through in series with one that blocks), and the change stays: it would come again at once.
    fn settle_doubt(&mut self, asked: Asked<'_>) -> Result<(), Unsettled> {
        let (settled, y) = (self.run.modes().to_vec(), self.y.to_vec());
        let is_found = self.settle_together(asked);
        let is_undone = !asked.crossed.is_empty() && self.run.modes() == asked.start;
        if is_found == Some(false) || is_found == Some(true) && is_undone {
            self.y.copy_from_slice(&y);
            let (network, combinations) = (self.run.network, &mut self.run.now.combinations);
            combinations.enter_modes(network, &settled, Valves::Ideal)?;
            self.run.renew(self.t, self.y)?;
        }
        Ok(())
    }

    /// The mode behind a change. What others hold does not move: its force stays at its limit.
    pub(super) fn target(&self, mode: usize, to: i8) -> i8 {
        let valve = self.run.network.flat.modes[mode].valve;
        match valve.map(|valve| valve.kind) {
            Some(ValveKind::Lock { held, .. }) if self.run.is_shared_valve(mode) => {
                held.iter().find(|(moves, _)| *moves == to).map_or(to, |(_, held)| *held)
            }
            _ => to,
        }
    }

    /// Does no guard ask for a change, beyond doubt?
    fn is_settled(&mut self) -> bool {
        self.run.renew(self.t, self.y).is_ok() && self.is_strict()
    }

    /// Storages whose values in the present combination are not what they were.
    pub(super) fn jumps(&self) -> impl Iterator<Item = usize> + '_ {
        let values = self.run.event_values();
        let is_jump = self.run.now.events.jump_test(self.y);
        (0..self.y.len()).filter(move |&k| is_jump(k, values.storage(k)))
    }

    /// Does the value of a storage depend on others in the present combination?
    pub(super) fn is_shared(&self, storage: usize) -> bool {
        Dependences::new(self.run.network, self.run.present()).is_shared(storage)
    }

    /// A time expression that jumps, such as the modulus of a transformer, may ask storages that depend on each
    /// other for new values: they share out charge and momentum, as after a plastic impact. True if they did.
    fn share_out(&mut self) -> Result<bool, Unsettled> {
        self.run.renew(self.t, self.y)?;
        let shares = self.jumps().any(|storage| self.is_shared(storage));
        if shares {
            self.redistribute()?;
        }
        Ok(shares)
    }

    /// Remembers the storages before the event: as the present combination has them, or as they are.
    fn keep_left(&mut self, by_combination: bool) {
        let mut left = std::mem::take(&mut self.run.now.events.left);
        left.clear();
        let values = self.run.event_values();
        let value = |(k, &y): (usize, &f64)| if by_combination { values.storage(k) } else { y };
        left.extend(self.y.iter().enumerate().map(value));
        self.run.now.events.left = left;
    }

    /// The storages jump to values that keep charge and flux and fit the present modes. Beside the impulses of those that do, whose
    /// size is without bound, the others are known to rounding only, and stay.
    fn redistribute(&mut self) -> Result<(), Unsettled> {
        let old = self.y.to_vec();
        let stay = self.storages_that_stay();
        static_step::redistribute(self.run, self.t, &old, self.y)?;
        for storage in stay {
            self.y[storage] = old[storage];
        }
        self.run.update_events(self.t, self.y)?;
        self.run.follow(self.y);
        Ok(())
    }

    /// No valve gives way: a jump of storages is left, or a contradiction. Where storages jump, impulses decide which
    /// valves conduct, so that all of them are asked together.
    fn give_up(&mut self, asked: Asked<'_>) -> Result<bool, Unsettled> {
        let (network, start) = (self.run.network, asked.start);
        let modes = self.run.modes().to_vec();
        self.run.now.events.blamed.clone_from(&modes);
        if self.settle_together(asked) == Some(true) {
            self.run.follow(self.y);
            return Ok(self.run.modes() != start);
        }
        self.run.now.combinations.enter_modes(network, &modes, Valves::Ideal)?;
        self.run.update_events(self.t, self.y)?;
        let jump = self.jumps().next();
        match jump {
            None => self.run.follow(self.y),
            Some(storage) if self.is_shared(storage) || self.is_jump_defined() => {
                self.redistribute()?;
            }
            Some(storage) => {
                let changed = modes.iter().zip(start).enumerate().filter(|(_, (a, b))| a != b);
                let elements = changed.map(|(mode, _)| network.flat.modes[mode].block).collect();
                let variable = network.storages[storage];
                let storage = network.flat.variables[variable.index()].block;
                return Err(Unsettled::Impulse { storage, elements });
            }
        }
        Ok(modes != start)
    }

    /// One pass of the event iteration of the whole system; `rates` are those of the storages before the event.
    pub fn switch(
        &mut self,
        event: &Event<'_>,
        rates: &[f64],
        changes: &mut ChangeList,
    ) -> Result<(), Unsettled> {
        let was_patient = std::mem::replace(&mut self.run.now.events.is_patient, true);
        let switched = self.switch_patiently(event, rates, changes);
        let events = &mut self.run.now.events;
        (events.is_patient, events.is_behind) = (was_patient, true);
        switched
    }

    fn switch_patiently(
        &mut self,
        event: &Event<'_>,
        rates: &[f64],
        changes: &mut ChangeList,
    ) -> Result<(), Unsettled> {
        if event.iteration == 0 {
            let NetworkState { combinations, events, discrete, .. } = &mut *self.run.now;
            events.modes_before.clone_from(&combinations.present().now.modes);
            discrete.keep();
        }
        // Values before the pass, with other states if need be.
        let choices = self.run.now.choices.count;
        self.run.solve_anyway(self.t, self.y)?;
        if self.run.now.choices.count > choices {
            self.run.follow(self.y);
            changes.values_changed();
        }
        let guards = self.run.network.guard_layout();
        let is_own = |guard: usize| guards.number_of_mode(guard).is_some();
        if event.iteration == 0 && event.crossed.iter().any(|crossing| is_own(crossing.guard.0)) {
            // The guard was crossed where the combination has the storages; the integrator has them to its tolerance only,
            // by which the modes behind the event would look wrong.
            self.run.follow(self.y);
        }
        self.keep_left(event.iteration == 0);
        let events = &mut self.run.now.events;
        events.entry.clone_from(&events.left);
        self.run.evaluate_programs(self.t);
        if event.iteration == 0 {
            begin_way(self.run);
        }
        if self.switch_discrete(event, changes)? && self.share_out()? {
            self.keep_left(false);
        }
        // Modes, whose guards may have been crossed or have become positive by the changes before.
        let room = &mut self.run.now.events.room;
        let (mut crossed, mut before) =
            (std::mem::take(&mut room.crossed), std::mem::take(&mut room.before));
        let rising = event.crossed.iter().filter(|crossing| crossing.rising);
        crossed.clear();
        crossed.extend(rising.filter_map(|crossing| guards.number_of_mode(crossing.guard.0)));
        if event.iteration == 0 {
            let beyond = crossed.iter().map(|&number| event.guards[guards.mode(number)].abs());
            let beyond = beyond.fold(0.0, f64::max);
            self.run.now.events.measure_storages(self.y);
            self.run.now.events.measure_overshoots(event, beyond, rates);
        }
        before.clear();
        before.extend_from_slice(self.run.modes());
        let settled = self.settle(&crossed, event.cause == Cause::Start);
        if settled.as_ref().is_ok_and(|&changed| changed) {
            self.tell_changes(&before, changes);
        }
        if settled.is_ok() {
            note_jump(self, &before);
        }
        let room = &mut self.run.now.events.room;
        (room.crossed, room.before) = (crossed, before);
        settled.map(|_| ())
    }

    /// Registers and time expressions in one pass of an event. True if one of them changed.
    fn switch_discrete(
        &mut self,
        event: &Event<'_>,
        changes: &mut ChangeList,
    ) -> Result<bool, Unsettled> {
        let network = self.run.network;
        let NetworkState { combinations, outside, discrete, events, .. } = &mut *self.run.now;
        let values = combinations.present().events(&network.event_layout);
        let pass = EventPass { t: event.t, iteration: event.iteration };
        let renewed = discrete.switch(network, values, &outside.signals, pass)?;
        if renewed {
            changes.values_changed();
        }
        let states = &mut events.room.states;
        states.clear();
        states.extend_from_slice(outside.switches.get());
        let programs = &network.flat.programs;
        if event.iteration >= AT_ONCE {
            let mut corners = Corners { run: self.run, t: self.t, y: self.y };
            if let Some(before) = corners.find_states() {
                let switches = &self.run.now.outside.switches;
                switches.tell_changes(&programs.switches, &before, changes);
                return Ok(renewed || !changes.is_settled());
            }
        }
        let NetworkState { outside, events, .. } = &mut *self.run.now;
        outside.switches.settle(&programs.switches, &programs.list, event, changes);
        Ok(renewed || outside.switches.get() != events.room.states)
    }

    /// Tells which modes have changed, and remembers parts that were cut off from their reference.
    fn tell_changes(&mut self, before: &[i8], changes: &mut ChangeList) {
        let network = self.run.network;
        let guards = network.guard_layout();
        let NetworkState { combinations, notes, .. } = &mut *self.run.now;
        notes.note(network, combinations.get(), self.t);
        for (mode, (from, to)) in before.iter().zip(self.run.modes()).enumerate() {
            if from != to {
                let watch = network.watches.iter().position(|watch| watch.mode == mode);
                let guard = GuardId(guards.mode(watch.unwrap_or(0)));
                changes.push(Change { guard, from: i32::from(*from), to: i32::from(*to) });
            }
        }
    }
}
