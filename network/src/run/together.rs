//! The modes of all valves at an event, found together by complementarity.
//!
//! Where single changes come to rest, and every guard is then strictly on its side, nothing is left to decide: that is a
//! solution of the complementarity problem at the instant, and a passive network has one only. Else the problem itself says which
//! modes hold after the event, and what charges and fluxes become.

use crate::complementarity::Instant;
use crate::complementarity::assemble::{Question, Unanswered};
use crate::prepared::valves::Valves;
use crate::run::event_memory::{LEAST, NOISE};
use crate::run::settle::{Settling, Threshold};
use equations::expr::VarId;
use equations::flat::{Valve, ValveKind};

/// What all valves together are asked: the event and the modes before it.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// Guards of modes that the event crossed.
    pub crossed: &'a [usize],
    /// Modes before the event.
    pub start: &'a [i8],
}

/// What is found: modes, which of them the problem knows, and storages that jump.
struct Found {
    modes: Vec<i8>,
    is_found: Vec<bool>,
    /// Do the numbers tell them?
    is_decided: Vec<bool>,
    /// Values of all storages if one of them jumps.
    storages: Option<Vec<f64>>,
    /// Is that jump one that physics defines?
    may_jump: bool,
}

/// Error of a storage at an event, over its largest value.
const STORAGE_ERROR: f64 = 1e-13;
/// A guard above this, over the largest of all, contradicts what was found.
const WRONG: f64 = 1e-9;
/// Times that modes are asked for again, because elements that keep their modes in the problem want to change them.
const MOST_ROUNDS: usize = 12;

impl Settling<'_, '_> {
    /// Is every guard of the present modes beyond doubt on its side? What sticks looks at its acceleration itself.
    pub(super) fn is_strict(&self) -> bool {
        let network = self.run.network;
        let (values, scales) = (self.run.event_values(), &self.run.now.events.scales);
        network.watches.iter().enumerate().all(|(number, watch)| {
            let valve = network.flat.modes[watch.mode].valve;
            watch.steps
                || self.run.modes()[watch.mode] != watch.from
                || matches!(valve, Some(Valve { kind: ValveKind::Lock { .. }, .. }))
                || values.guard(number) < -(NOISE * scales[number] + LEAST)
        })
    }

    /// The values of all variables as the present combination has them.
    fn variables_now(&self) -> Vec<f64> {
        let (network, present) = (self.run.network, self.run.present());
        let variables = network.flat.variables.iter().enumerate();
        let mut values: Vec<f64> = variables
            .map(|(index, variable)| {
                let value = present.variable(VarId(index as u32));
                if value.is_finite() { value } else { variable.guess }
            })
            .collect();
        for (storage, y) in network.storages.iter().zip(&*self.y) {
            values[storage.index()] = *y;
        }
        values
    }

    /// Asks something about the instant, where the elements have these modes.
    pub(super) fn with_question<T>(&self, modes: &[i8], ask: impl FnOnce(&Question<'_>) -> T) -> T {
        let (network, present) = (self.run.network, self.run.present());
        let (code, numbers) = (&present.fixed.code, present.numbers());
        let events = &self.run.now.events;
        let n_switches = network.flat.programs.switches.n_states();
        let inputs = &numbers[code.inputs as usize..][..network.n_inputs()];
        let values = self.variables_now();
        ask(&Question {
            arena: &network.arena,
            flat: &network.flat,
            at: Instant {
                t: self.t,
                t_error: events.instant + 4.0 * f64::EPSILON * self.t.abs(),
                values: &values,
                inputs,
                states: &numbers[code.states as usize..][..n_switches],
                memory: &self.run.now.discrete.memory,
            },
            modes,
            storages: &self.storages_before(inputs),
        })
    }

    /// Storages and coordinates from the mechanics before the instant, with bounds of their errors.
    fn storages_before(&self, inputs: &[f64]) -> Vec<(VarId, f64, f64)> {
        let (network, events) = (self.run.network, &self.run.now.events);
        let mut storages: Vec<(VarId, f64, f64)> = Vec::with_capacity(self.y.len());
        for (k, &storage) in network.storages.iter().enumerate() {
            let error = STORAGE_ERROR * events.largest[k] + events.overshoots[k] + 4.0 * LEAST;
            let before = events.left.get(k).copied().unwrap_or(self.y[k]);
            storages.push((storage, before, error));
        }
        for (given, input) in network.flat.ports.all_given() {
            let value = inputs[input as usize];
            storages.push((given, value, STORAGE_ERROR * value.abs() + LEAST));
        }
        storages
    }

    /// Asks for the modes after the instant, where the elements that the problem does not know have these.
    fn ask_together(&self, modes: &[i8]) -> Result<Found, Unanswered> {
        self.with_question(modes, |question| self.found(question))
    }

    /// The answer to the question about all modes.
    fn found(&self, question: &Question<'_>) -> Result<Found, Unanswered> {
        let (network, storages) = (self.run.network, question.storages);
        let answer = question.answer()?;
        let jumps = |(variable, before, error): &(VarId, f64, f64)| {
            answer.jumps(*variable, *before, *error)
        };
        let has_jump = storages.iter().any(jumps);
        if has_jump && !question.explains_jump(&answer) {
            return Err(Unanswered::Inexact);
        }
        let may_jump = has_jump && question.allows_jump(&answer);
        let after = network.storages.iter().map(|storage| answer.value(*storage));
        let after: Option<Vec<f64>> = after.collect();
        let storages = if has_jump { Some(after.ok_or(Unanswered::Inexact)?) } else { None };
        Ok(Found {
            may_jump,
            storages,
            modes: answer.modes,
            is_found: answer.is_found,
            is_decided: answer.is_decided,
        })
    }

    /// Do charge and flux flow between storages and through valves only where storages jump in the present modes, so that the jump has a
    /// finite end? Impulses also decide about valves that open and close by themselves, if there are any.
    pub(super) fn is_jump_defined(&self) -> bool {
        self.with_question(self.run.modes(), |question| {
            let is_defined =
                |answer| question.explains_jump(&answer) && question.allows_jump(&answer);
            question.is_plain() && question.values_in_modes().is_ok_and(is_defined)
        })
    }

    /// The storages that do not jump in the present modes.
    pub(super) fn storages_that_stay(&self) -> Vec<usize> {
        self.with_question(self.run.modes(), |question| {
            let Ok(answer) = question.values_in_modes() else { return Vec::new() };
            let own = question.storages.iter().take(self.y.len()).enumerate();
            let stays = own
                .filter(|(_, (variable, before, error))| !answer.jumps(*variable, *before, *error));
            stays.map(|(storage, _)| storage).collect()
        })
    }

    /// Settles by complementarity from the modes before the event on. False if it finds none; then these modes are in force
    /// again. Nothing where there is nothing to find.
    pub(super) fn settle_together(&mut self, asked: Asked<'_>) -> Option<bool> {
        let Asked { crossed: at_event, start } = asked;
        let network = self.run.network;
        if network.watches.iter().all(|watch| watch.steps) {
            return None;
        }
        self.run.now.events.measure_storages(self.y);
        let before = self.y.to_vec();
        let left = self.run.now.events.left.clone();
        // Where the modes before the event have no solution any more, the combination at hand gives the first values.
        let _ = self.run.now.combinations.enter_modes(network, start, Valves::Ideal);
        let mut modes = start.to_vec();
        let mut is_found: Vec<bool> = Vec::new();
        let mut is_decided: Vec<bool> = Vec::new();
        for round in 0..MOST_ROUNDS {
            let is_solved = self.run.renew(self.t, self.y).is_ok();
            if !is_solved && round > 0 {
                break;
            }
            let crossed = if round < 2 { at_event } else { &[] };
            let known = if is_solved { Some((&is_found[..], &is_decided[..])) } else { None };
            let (due, others) = self.due_otherwise(crossed, known);
            if others.is_empty() && round > 0 {
                let is_undone = self.run.modes() == start;
                let is_doubtful = is_undone && self.is_doubtful(at_event, &is_decided);
                if !due && !is_doubtful {
                    return Some(true);
                }
                // What has let go pushes with less than its limit, which others may have to carry.
                if is_doubtful || self.run.modes() == modes {
                    break;
                }
            }
            modes.clear();
            modes.extend_from_slice(self.run.modes());
            for number in others {
                let watch = network.watches[number];
                modes[watch.mode] = watch.to;
            }
            let Ok(answer) = self.ask_together(&modes) else { break };
            is_found.clone_from(&answer.is_found);
            is_decided.clone_from(&answer.is_decided);
            if !self.take(&answer) {
                break;
            }
        }
        // Back to where it began.
        self.y.copy_from_slice(&before);
        self.run.now.events.left = left;
        let combinations = &mut self.run.now.combinations;
        if combinations.enter_modes(network, start, Valves::Ideal).is_err() {
            // What contradicts itself even so is told by the caller, who asks for these modes again.
            let _ = combinations.enter_modes(network, start, Valves::Soft);
        }
        Some(false)
    }

    /// Has a guard been crossed whose mode stays, because the numbers do not tell it?
    fn is_doubtful(&self, crossed: &[usize], is_decided: &[bool]) -> bool {
        crossed.iter().any(|&number| {
            let watch = self.run.network.watches[number];
            self.run.modes()[watch.mode] == watch.from && !is_decided[watch.mode]
        })
    }

    /// Does a valve of the problem ask for a change all the same? And the guards that do of what the problem does not know, or
    /// leaves to chance: before it was asked these are known to be all that only takes steps. `known` says of each mode whether
    /// the problem knew it, and whether the numbers told it.
    fn due_otherwise(
        &mut self,
        crossed: &[usize],
        known: Option<(&[bool], &[bool])>,
    ) -> (bool, Vec<usize>) {
        let Some((is_found, is_decided)) = known else { return (false, Vec::new()) };
        let watches = &self.run.network.watches;
        // The problem itself says what sticks.
        let laws = &self.run.network.flat.modes;
        let sticks = |mode: usize| {
            matches!(laws[mode].valve, Some(Valve { kind: ValveKind::Lock { .. }, .. }))
        };
        let is_other = |number: &usize| {
            let watch = watches[*number];
            match is_found.get(watch.mode) {
                Some(&true) if watch.steps => watch.to != 0 || !sticks(watch.mode),
                Some(&true) => !is_decided[watch.mode] && !sticks(watch.mode),
                Some(&false) => true,
                None => watch.steps,
            }
        };
        let crossed: Vec<usize> = crossed.iter().copied().filter(is_other).collect();
        let mut due = Vec::new();
        self.fill_due(
            Threshold { noise: NOISE, crossed: &crossed, is_late: !is_found.is_empty() },
            Valves::Ideal,
            &mut due,
        );
        let others: Vec<usize> = due.iter().copied().filter(is_other).collect();
        // Valves of the problem have been decided with what the search for the instant leaves in mind.
        let largest = self.run.now.events.scales.iter().copied().fold(0.0, f64::max);
        let values = self.run.event_values();
        let is_wrong = |&number: &usize| values.guard(number) > WRONG * largest;
        let is_due = due.iter().filter(|number| !is_other(number)).any(is_wrong);
        (is_due, others)
    }

    /// Enters the combination of an answer. Where that says the same twice, a closed valve without which it does not is as
    /// good open: it carries none of the current that the others can carry alone. False if there is no such combination.
    fn enter_answer(&mut self, answer: &Found) -> bool {
        let network = self.run.network;
        if self.enter_and_solve(&answer.modes) {
            return true;
        }
        let mut modes = answer.modes.clone();
        for mode in (0..modes.len()).rev().filter(|&mode| answer.is_found[mode]) {
            if modes[mode] == 0 || network.flat.modes[mode].valve.is_none() {
                continue;
            }
            let closed = std::mem::replace(&mut modes[mode], 0);
            if self.enter_and_solve(&modes) {
                return true;
            }
            modes[mode] = closed;
        }
        false
    }

    /// Enters a combination and computes its values; false if it has none.
    fn enter_and_solve(&mut self, modes: &[i8]) -> bool {
        let (network, combinations) = (self.run.network, &mut self.run.now.combinations);
        combinations.enter_modes(network, modes, Valves::Ideal).is_ok()
            && self.run.solve_anyway(self.t, self.y).is_ok()
    }

    /// Puts an answer in force. False if that is not possible.
    fn take(&mut self, answer: &Found) -> bool {
        if !self.enter_answer(answer) {
            return false;
        }
        let Some(after) = &answer.storages else { return true };
        if !answer.may_jump && !self.jumps().all(|storage| self.is_shared(storage)) {
            return false;
        }
        self.y.copy_from_slice(after);
        // What conducts an impulse need not carry a current behind it: the next question begins with what the impulse left.
        self.run.now.events.left.clone_from(after);
        self.run.solve_anyway(self.t, self.y).is_ok()
    }
}
