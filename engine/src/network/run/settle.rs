//! What happens at an event: modes change until none wants to any more.
//!
//! All that want to change do so together at first; if that goes round in circles, only the first of them does,
//! which comes to rest for the networks of resistors, sources and valves (the least-index rule for complementarity
//! problems, Murty 1974). Combinations are never enumerated. A combination that contradicts itself, or that
//! would make a stored quantity jump, is looked at with soft valves: the one that gives way there changes. Where that
//! leaves a doubt or leads nowhere, the complementarity problem of all valves decides (`together.rs`).

use rustc_hash::FxHashSet;

use crate::network::code::compile::Level;
use crate::network::code::evaluate::Unsolved;
use crate::network::prepared::prepare::{Impossible, Valves};
use crate::network::run::{NetworkRun, Room};
use integrate::{Cause, Change, ChangeList, Event, GuardId};

/// Passes in which all modes change together.
const TOGETHER: usize = 12;
/// Of these, passes before all valves are looked at together.
const ALONE: usize = 4;
/// A guard below this, over the largest value it ever had, counts as zero.
pub(in crate::network) const NOISE: f64 = 1e-12;
/// And below this where modes go round in circles: forces that are solved for in different modes are rounded differently.
const COARSE_NOISE: f64 = 1e-9;
/// And below this in any case.
pub(in crate::network) const LEAST: f64 = 1e-14;
/// A storage that changes by more than this, over its size, jumps.
const JUMP: f64 = 1e-6;
/// Steps by which a storage may be beyond an event that was seen at the end of one: rates change in a step.
const OVERSHOOT: f64 = 2.0;

/// How exactly an instant is found, over the time.
const RESOLUTION: f64 = 16.0 * f64::EPSILON;

/// Why an event does not settle.
#[derive(Clone, Debug)]
pub(crate) enum Unsettled {
    /// Equations without solution.
    Unsolved(Unsolved),
    /// A combination without solution.
    Impossible(Box<Impossible>),
    /// Modes that change in a circle: elements.
    Cycle(Vec<u32>),
    /// A block that cannot go on, and why.
    Refused(u32, String),
    /// A storage that would jump, and the elements whose change asks for it.
    Impulse { storage: u32, elements: Vec<u32> },
}

impl From<Unsolved> for Unsettled {
    fn from(unsolved: Unsolved) -> Self {
        Self::Unsolved(unsolved)
    }
}

impl NetworkRun<'_> {
    /// Guards that ask for a change at the present values.
    pub(in crate::network) fn due(
        &mut self,
        crossed: &[usize],
        kind: Valves,
        due: &mut Vec<usize>,
    ) {
        self.due_above(NOISE, crossed, kind, due);
    }

    /// The same with values that count as zero up to a part of the largest one.
    fn due_above(&mut self, noise: f64, crossed: &[usize], kind: Valves, due: &mut Vec<usize>) {
        due.clear();
        for (number, watch) in self.network.watches.iter().enumerate() {
            let value = self.at_event(number);
            let scale = &mut self.now.scales[number];
            if value.is_finite() && !watch.steps && kind == Valves::Ideal {
                *scale = scale.max(value.abs());
            }
            if self.modes()[watch.mode] != watch.from {
                continue;
            }
            let noise = if watch.steps { 0.0 } else { noise * self.now.scales[number] + LEAST };
            if value > noise || crossed.contains(&number) {
                due.push(number);
            }
        }
    }

    /// Changes modes until none wants to; `y` are the storages, which follow.
    pub(crate) fn settle(
        &mut self,
        t: f64,
        y: &mut [f64],
        crossed: &[usize],
        may_jump: bool,
    ) -> Result<bool, Unsettled> {
        let mut room = std::mem::take(&mut self.now.room);
        let was_patient = std::mem::replace(&mut self.now.is_patient, true);
        let mut settled = self.settle_in(&mut room, t, y, crossed, may_jump);
        // Where single changes lead nowhere, all valves together may.
        if settled.is_err() && self.settle_together(t, y, (crossed, &room.start)) == Some(true) {
            self.follow(y);
            settled = Ok(self.modes() != room.start);
        }
        self.now.is_patient = was_patient;
        self.now.room = room;
        settled
    }

    fn settle_in(
        &mut self,
        room: &mut Room,
        t: f64,
        y: &mut [f64],
        crossed: &[usize],
        may_jump: bool,
    ) -> Result<bool, Unsettled> {
        let Room { due, modes, start, changed, .. } = room;
        start.clear();
        start.extend_from_slice(self.modes());
        let mut seen: FxHashSet<Vec<i8>> = FxHashSet::default();
        let most = TOGETHER + 20 * self.network.flat.modes.len() + 20;
        let mut crossed = crossed;
        let mut blocked = false;
        let at_event = crossed;
        let mut asks = true;
        let mut passes = 0;
        for pass in 0..most {
            passes = pass;
            // What a few passes leave open is decided for all valves together.
            if pass == ALONE {
                asks = false;
                match self.settle_together(t, y, (at_event, start)) {
                    Some(true) => break,
                    Some(false) => (blocked, crossed) = (false, at_event),
                    None => {}
                }
            }
            if blocked {
                self.due_if_soft(t, y, due)?;
            } else {
                let noise = if pass < TOGETHER { NOISE } else { COARSE_NOISE };
                self.due_now(t, y, (crossed, noise), due)?;
            }
            crossed = &[];
            if due.is_empty() && blocked {
                return self.give_up(t, y, start);
            }
            if due.is_empty() {
                break;
            }
            modes.clear();
            modes.extend_from_slice(self.modes());
            let together = pass < TOGETHER;
            changed.clear();
            changed.resize(modes.len(), false);
            for &number in if together { &due[..] } else { &due[..1] } {
                let watch = self.network.watches[number];
                if !std::mem::replace(&mut changed[watch.mode], true) {
                    modes[watch.mode] = watch.to;
                }
            }
            if !together && !seen.insert(modes.clone()) {
                return Err(self.cycle(due));
            }
            blocked = !self.try_modes(t, y, modes, may_jump)?;
        }
        if self.present().kind == Valves::Soft {
            return self.give_up(t, y, start);
        }
        if asks && passes > 0 && !self.is_settled(t, y) {
            self.settle_doubt(t, y, (at_event, start))?;
        }
        self.follow(y);
        Ok(self.modes() != start)
    }

    /// Modes that no guard wants to change, though some are as good as zero: those that all valves together ask for, if
    /// there are any.
    fn settle_doubt(
        &mut self,
        t: f64,
        y: &mut [f64],
        (crossed, start): (&[usize], &[i8]),
    ) -> Result<(), Unsettled> {
        let settled = self.modes().to_vec();
        if self.settle_together(t, y, (crossed, start)) == Some(false) {
            let place = self.find(&settled, Valves::Ideal);
            self.enter(place.map_err(|impossible| Unsettled::Impossible(Box::new(impossible)))?);
            self.renew(t, y)?;
        }
        Ok(())
    }

    /// Does no guard ask for a change, beyond doubt?
    fn is_settled(&mut self, t: f64, y: &[f64]) -> bool {
        self.renew(t, y).is_ok() && self.is_strict()
    }

    fn due_now(
        &mut self,
        t: f64,
        y: &[f64],
        (crossed, noise): (&[usize], f64),
        due: &mut Vec<usize>,
    ) -> Result<(), Unsettled> {
        self.renew(t, y)?;
        self.due_above(noise, crossed, Valves::Ideal, due);
        Ok(())
    }

    /// What would change if valves were soft.
    fn due_if_soft(&mut self, t: f64, y: &[f64], due: &mut Vec<usize>) -> Result<(), Unsettled> {
        let soft = self.find_present(Valves::Soft);
        self.enter(soft.map_err(|i| Unsettled::Impossible(Box::new(i)))?);
        self.update(t, y)?;
        self.complete(Level::Events)?;
        self.due(&[], Valves::Soft, due);
        Ok(())
    }

    /// Puts modes in force. False if they contradict themselves or let a storage jump.
    fn try_modes(
        &mut self,
        t: f64,
        y: &[f64],
        modes: &[i8],
        may_jump: bool,
    ) -> Result<bool, Unsettled> {
        let known = self.now.impossible.contains(modes);
        let found = if known { None } else { self.find(modes, Valves::Ideal).ok() };
        let place = match found {
            Some(place) => place,
            None => {
                if !known {
                    self.now.impossible.insert(modes.to_vec());
                }
                // The soft form stands for it until a valve gives way.
                let found = self.find(modes, Valves::Soft);
                let place = found.map_err(|i| Unsettled::Impossible(Box::new(i)))?;
                self.enter(place);
                return Ok(false);
            }
        };
        self.enter(place);
        if self.solve_anyway(t, y).is_err() {
            return Ok(false);
        }
        Ok(may_jump || self.jump(y).is_none())
    }

    /// A storage whose value is not what it was.
    fn jump(&self, y: &[f64]) -> Option<usize> {
        self.jumps(y).next()
    }

    /// All such storages.
    pub(in crate::network) fn jumps<'a>(
        &'a self,
        y: &'a [f64],
    ) -> impl Iterator<Item = usize> + 'a {
        let largest = y.iter().fold(0.0f64, |largest, y| largest.max(y.abs()));
        (0..y.len()).filter(move |&k| {
            let size = y[k].abs() + 1e-3 * largest;
            (self.storage(k) - y[k]).abs() > JUMP * size + LEAST + self.now.overshoots[k]
        })
    }

    /// Says how far storages may be beyond an event that was seen late: by what they change in that time, and
    /// where others lead them, by what their guards have gone beyond zero.
    fn measure_overshoots(&mut self, event: &Event<'_>, crossed: &[usize], rates: &[f64]) {
        let first = self.network.first_watch();
        let is_late = event.delay > 0.0;
        let beyond = crossed.iter().map(|&number| event.guards[first + number].abs());
        let led = if is_late { beyond.fold(0.0, f64::max) } else { 0.0 };
        let resolution = RESOLUTION * event.t.abs();
        for (overshoot, rate) in self.now.overshoots.iter_mut().zip(rates) {
            *overshoot = OVERSHOOT * ((event.delay + resolution) * rate.abs()) + led;
        }
    }

    /// A time expression that jumps, such as the modulus of a transformer, may ask storages that depend on each
    /// other for new values: they share out charge and momentum, as after a plastic impact.
    fn share_out(&mut self, t: f64, y: &mut [f64]) -> Result<(), Unsettled> {
        self.renew(t, y)?;
        if self.jumps(y).any(|storage| self.is_shared(storage)) {
            let old = y.to_vec();
            self.redistribute(t, y, &old)?;
        }
        Ok(())
    }

    /// The storages take the values that the present combination gives them.
    pub(crate) fn follow(&self, y: &mut [f64]) {
        for (k, y) in y.iter_mut().enumerate() {
            *y = self.storage(k);
        }
    }

    fn cycle(&self, due: &[usize]) -> Unsettled {
        let block =
            |&number: &usize| self.network.flat.modes[self.network.watches[number].mode].block;
        Unsettled::Cycle(due.iter().map(block).collect())
    }

    /// No valve gives way: what is left is a jump, or a contradiction.
    fn give_up(&mut self, t: f64, y: &mut [f64], start: &[i8]) -> Result<bool, Unsettled> {
        let modes = self.modes().to_vec();
        let place =
            self.find(&modes, Valves::Ideal).map_err(|i| Unsettled::Impossible(Box::new(i)))?;
        self.enter(place);
        self.update(t, y)?;
        self.complete(Level::Events)?;
        let Some(storage) = self.jump(y) else {
            self.follow(y);
            return Ok(modes != start);
        };
        if self.is_shared(storage) {
            let old = y.to_vec();
            self.redistribute(t, y, &old)?;
            return Ok(modes != start);
        }
        let variable = self.network.storages[storage];
        let changed = modes.iter().zip(start).enumerate().filter(|(_, (a, b))| a != b);
        let elements = changed.map(|(mode, _)| self.network.flat.modes[mode].block).collect();
        let storage = self.network.flat.variables[variable.index()].block;
        Err(Unsettled::Impulse { storage, elements })
    }

    /// One pass of the event iteration of the whole system; `rates` are those of the storages before it.
    pub(crate) fn switch(
        &mut self,
        event: &Event<'_>,
        rates: &[f64],
        y: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), Unsettled> {
        if !self.has_begun() {
            return Ok(());
        }
        if event.iteration == 0 {
            self.now.modes_before.clone_from(&self.now.kept[self.now.current].modes);
            self.keep_registers();
        }
        let choices = self.now.rechosen.0;
        self.solve_anyway(event.t, y)?;
        if self.now.rechosen.0 > choices {
            self.follow(y);
            changes.values_changed();
        }
        self.evaluate_programs(event.t);
        let programs = &self.network.flat.programs;
        let renewed = self.switch_registers(event.t, event.iteration)?;
        if renewed {
            changes.values_changed();
        }
        let mut states = std::mem::take(&mut self.now.room.states);
        states.clear();
        states.extend_from_slice(self.now.switches.get());
        self.now.switches.settle(&programs.switches, &programs.list, event, changes);
        let has_switched = self.now.switches.get() != states;
        self.now.room.states = states;
        if renewed || has_switched {
            self.share_out(event.t, y)?;
        }
        let first = self.network.first_watch();
        let mut crossed = std::mem::take(&mut self.now.room.crossed);
        let mut before = std::mem::take(&mut self.now.room.before);
        let rising = event.crossed.iter().filter(|crossing| crossing.rising);
        crossed.clear();
        crossed.extend(
            rising
                .filter_map(|crossing| crossing.guard.0.checked_sub(first))
                .filter(|&number| number < self.network.watches.len()),
        );
        if event.iteration == 0 {
            self.measure_storages(y);
            self.measure_overshoots(event, &crossed, rates);
        }
        before.clear();
        before.extend_from_slice(self.modes());
        let settled = self.settle(event.t, y, &crossed, event.cause == Cause::Start);
        if settled.as_ref().is_ok_and(|&changed| changed) {
            self.note_islands(event.t);
            for (mode, (from, to)) in before.iter().zip(self.modes()).enumerate() {
                if from != to {
                    let watch = self.network.watches.iter().position(|watch| watch.mode == mode);
                    let guard = GuardId(first + watch.unwrap_or(0));
                    changes.push(Change { guard, from: i32::from(*from), to: i32::from(*to) });
                }
            }
        }
        (self.now.room.crossed, self.now.room.before) = (crossed, before);
        settled.map(|_| ())
    }

    /// Remembers which parts are cut off from their reference.
    pub(in crate::network) fn note_islands(&mut self, t: f64) {
        for &node in self.now.kept.get(self.now.current).map_or(&[][..], |kept| &kept.islands) {
            if !self.now.islands.iter().any(|(known, _)| *known == node) {
                self.now.islands.push((node, t));
            }
        }
    }
}
