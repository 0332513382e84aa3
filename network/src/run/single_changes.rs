//! Passes in which modes change until none wants to any more.
//!
//! Each pass finds the guards that ask for a change, changes modes by them, and looks whether the new combination has a
//! solution. Modes change together at first, later one at a time (`settle.rs` says why). The complementarity problem is asked
//! at most twice: once where a change cannot be taken back, and once where a few passes have not come to rest.

use rustc_hash::FxHashSet;

use crate::prepared::network_model::Watch;
use crate::prepared::valves::Valves;
use crate::run::event_memory::{LEAST, NOISE, Room};
use crate::run::settle::{Settling, Threshold, Unsettled};
use crate::run::together::Asked;
use equations::flat::ValveKind;

/// Passes in which all modes change together.
pub(super) const TOGETHER: usize = 12;
/// Of these, passes before all valves are looked at together.
const ALONE: usize = 4;
/// From the first pass with single changes on, guards below this, over their largest value, count as zero: forces that are
/// solved for in different modes are rounded differently.
const COARSE_NOISE: f64 = 1e-9;

/// The passes of one event so far.
pub(super) struct Passes<'a> {
    /// The number of the present pass.
    pub number: usize,
    /// May the complementarity problem be asked about a change?
    pub may_ask: bool,
    /// Guards that the event crossed.
    at_event: &'a [usize],
    /// Guards that ask for a change in the present pass whatever their values are.
    crossed: &'a [usize],
    /// Has the present combination no solution, or does it let a storage jump? Soft valves say then which way out there is.
    is_blocked: bool,
    /// May storages jump?
    may_jump: bool,
    /// Combinations that single changes have led to.
    seen: FxHashSet<Vec<i8>>,
}

impl<'a> Passes<'a> {
    /// Before the first pass.
    pub fn new(at_event: &'a [usize], may_jump: bool) -> Self {
        Self {
            number: 0,
            may_ask: true,
            at_event,
            crossed: at_event,
            is_blocked: false,
            may_jump,
            seen: FxHashSet::default(),
        }
    }

    /// Do all modes that want to change do so at once?
    fn are_together(&self) -> bool {
        self.number < TOGETHER
    }
}

/// How a pass ends.
pub(super) enum Outcome {
    /// Modes have changed; another pass follows.
    Changed,
    /// No mode wants to change.
    AtRest,
    /// The combination is blocked, and no valve gives way.
    NoWay,
}

impl Settling<'_, '_> {
    /// One pass.
    pub(super) fn pass(
        &mut self,
        passes: &mut Passes<'_>,
        room: &mut Room,
    ) -> Result<Outcome, Unsettled> {
        // Where a few passes have not come to rest, all valves are decided together.
        if passes.number == ALONE && self.decides_together(passes, &room.start) {
            return Ok(Outcome::AtRest);
        }
        // The guards that ask for a change.
        if passes.is_blocked {
            self.due_if_soft(&mut room.due)?;
        } else {
            let noise = if passes.are_together() { NOISE } else { COARSE_NOISE };
            let is_late = passes.number > 0;
            self.run.renew(self.t, self.y)?;
            let threshold = Threshold { noise, crossed: passes.crossed, is_late };
            self.fill_due(threshold, Valves::Ideal, &mut room.due);
        }
        passes.crossed = &[];
        if room.due.is_empty() {
            return Ok(if passes.is_blocked { Outcome::NoWay } else { Outcome::AtRest });
        }
        // A change that cannot be taken back is asked about first.
        if self.is_doubtful_change(passes, &room.due) {
            passes.may_ask = false;
            let present = self.run.modes().to_vec();
            let crossed = if passes.number == 0 { passes.at_event } else { &[] };
            if self.settle_together(Asked { crossed, start: &present }) == Some(true) {
                return Ok(Outcome::AtRest);
            }
            self.run.renew(self.t, self.y)?;
        }
        self.change_modes(passes, room)?;
        Ok(Outcome::Changed)
    }

    /// Asks for all modes together. True if that settles them; else the passes begin anew with the guards of the event.
    fn decides_together(&mut self, passes: &mut Passes<'_>, start: &[i8]) -> bool {
        passes.may_ask = false;
        let is_settled = self.settle_together(Asked { crossed: passes.at_event, start });
        if is_settled == Some(false) {
            (passes.is_blocked, passes.crossed) = (false, passes.at_event);
        }
        is_settled == Some(true)
    }

    /// May one of these changes only seem to be due, and is it not undone by itself? A friction that stops is held by more
    /// than its limit for a pass; a thyristor without a signal at its gate blocks for good.
    fn is_doubtful_change(&self, passes: &Passes<'_>, due: &[usize]) -> bool {
        let is_later = passes.number > 0;
        passes.may_ask
            && !passes.is_blocked
            && (is_later && self.lets_go(due)
                || passes.number + due.len() > 1 && self.bars_itself(due))
    }

    /// Changes the modes of all guards that are due, in late passes of the first one only. A mode changes once in a pass.
    fn change_modes(&mut self, passes: &mut Passes<'_>, room: &mut Room) -> Result<(), Unsettled> {
        let network = self.run.network;
        let Room { due, modes, changed, .. } = room;
        modes.clear();
        modes.extend_from_slice(self.run.modes());
        changed.clear();
        changed.resize(modes.len(), false);
        let are_together = passes.are_together();
        for &number in if are_together { &due[..] } else { &due[..1] } {
            let watch = network.watches[number];
            if !std::mem::replace(&mut changed[watch.mode], true) {
                modes[watch.mode] = self.target(watch.mode, watch.to);
            }
        }
        // Single changes that lead to a combination for the second time would go round for ever.
        if !are_together && !passes.seen.insert(modes.clone()) {
            let block = |&number: &usize| network.flat.modes[network.watches[number].mode].block;
            return Err(Unsettled::Cycle(due.iter().map(block).collect()));
        }
        passes.is_blocked = !self.try_modes(modes, passes.may_jump)?;
        Ok(())
    }

    /// Does something that sticks want to move?
    fn lets_go(&self, due: &[usize]) -> bool {
        let network = self.run.network;
        due.iter().any(|&number| {
            let watch = network.watches[number];
            let valve = network.flat.modes[watch.mode].valve;
            matches!(valve.map(|valve| valve.kind), Some(ValveKind::Lock { locked, .. }) if watch.from == locked)
        })
    }

    /// Does a valve want to open that cannot close again by itself?
    fn bars_itself(&self, due: &[usize]) -> bool {
        let network = self.run.network;
        let (values, scales) = (self.run.event_values(), &self.run.now.events.scales);
        let is_barred = |number: &usize| {
            let watch = network.watches[*number];
            let is_back = |&(_, back): &(usize, &Watch)| {
                !back.steps && (back.mode, back.from, back.to) == (watch.mode, watch.to, watch.from)
            };
            let back = network.watches.iter().enumerate().find(is_back);
            back.is_some_and(|(k, _)| values.guard(k) < -(COARSE_NOISE * scales[k] + LEAST))
        };
        due.iter().any(|number| {
            let watch = network.watches[*number];
            let valve = network.flat.modes[watch.mode].valve;
            let opens = watch.to == 0 && valve.is_some_and(|valve| valve.kind == ValveKind::Switch);
            opens && !watch.steps && is_barred(number)
        })
    }

    /// The guards that would ask for a change if valves were soft.
    fn due_if_soft(&mut self, due: &mut Vec<usize>) -> Result<(), Unsettled> {
        self.run.now.combinations.enter_present(self.run.network, Valves::Soft)?;
        self.run.update_events(self.t, self.y)?;
        self.fill_due(Threshold { noise: NOISE, crossed: &[], is_late: true }, Valves::Soft, due);
        Ok(())
    }

    /// Puts modes in force. False if they contradict themselves or let a storage jump.
    fn try_modes(&mut self, modes: &[i8], may_jump: bool) -> Result<bool, Unsettled> {
        let (network, combinations) = (self.run.network, &mut self.run.now.combinations);
        let is_known = combinations.impossible.contains(modes);
        if is_known || combinations.enter_modes(network, modes, Valves::Ideal).is_err() {
            if !is_known {
                combinations.impossible.insert(modes.into());
            }
            // The soft form stands for the modes until a valve gives way.
            combinations.enter_modes(network, modes, Valves::Soft)?;
            return Ok(false);
        }
        if self.run.solve_anyway(self.t, self.y).is_err() {
            return Ok(false);
        }
        Ok(may_jump || self.jumps().next().is_none())
    }
}
