//! The modes of all valves at an event, found together by complementarity.
//!
//! Where single changes come to rest, and every guard is then strictly on its side, nothing is left to decide: that is a
//! solution of the complementarity problem at the instant, and a passive network has one only. Else the problem itself says which
//! modes hold after the event, and what charges and fluxes become.

use crate::network::complementarity::Instant;
use crate::network::complementarity::assemble::{Question, Unanswered};
use crate::network::equations::expr::VarId;
use crate::network::equations::flat::{Valve, ValveKind};
use crate::network::passes::alias::Meaning;
use crate::network::prepared::prepare::Valves;
use crate::network::run::NetworkRun;
use crate::network::run::settle::{LEAST, NOISE};

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

impl NetworkRun<'_> {
    /// Remembers how large storages are.
    pub(in crate::network) fn measure_storages(&mut self, y: &[f64]) {
        self.now.largest.resize(y.len(), 0.0);
        for (largest, y) in self.now.largest.iter_mut().zip(y) {
            *largest = largest.max(y.abs());
        }
    }

    /// Is every guard of the present modes beyond doubt on its side? What sticks looks at its acceleration itself.
    pub(in crate::network) fn is_strict(&self) -> bool {
        self.network.watches.iter().enumerate().all(|(number, watch)| {
            let valve = self.network.flat.modes[watch.mode].valve;
            watch.steps
                || self.modes()[watch.mode] != watch.from
                || matches!(valve, Some(Valve { kind: ValveKind::Lock { .. }, .. }))
                || self.at_event(number) < -(NOISE * self.now.scales[number] + LEAST)
        })
    }

    /// The values of all variables as the present combination has them.
    fn variables_now(&self, y: &[f64]) -> Vec<f64> {
        let prepared = self.present();
        let variables = self.network.flat.variables.iter().enumerate();
        let mut values: Vec<f64> = variables
            .map(|(index, variable)| {
                let value = match prepared.aliases.find(VarId(index as u32)) {
                    Meaning::Constant(number) => number,
                    Meaning::Same(own, sign) => sign * prepared.values.numbers[own.index()],
                };
                if value.is_finite() { value } else { variable.guess }
            })
            .collect();
        for (storage, y) in self.network.storages.iter().zip(y) {
            values[storage.index()] = *y;
        }
        values
    }

    /// Asks for the modes after the instant, where the elements that the problem does not know have these.
    fn ask_together(&self, t: f64, y: &[f64], modes: &[i8]) -> Result<Found, Unanswered> {
        let prepared = self.present();
        let (code, numbers) = (&prepared.code, &prepared.values.numbers);
        let n_switches = self.network.flat.programs.switches.len();
        let inputs = &numbers[code.inputs as usize..][..self.network.n_inputs()];
        let mut storages: Vec<(VarId, f64, f64)> = Vec::with_capacity(y.len());
        for (k, &storage) in self.network.storages.iter().enumerate() {
            let error = STORAGE_ERROR * self.now.largest[k] + self.now.overshoots[k] + 4.0 * LEAST;
            storages.push((storage, y[k], error));
        }
        for (given, input) in self.network.flat.ports.all_given() {
            let value = inputs[input as usize];
            storages.push((given, value, STORAGE_ERROR * value.abs() + LEAST));
        }
        let values = self.variables_now(y);
        let question = Question {
            arena: &self.network.arena,
            flat: &self.network.flat,
            at: Instant {
                t,
                t_error: self.now.instant + 4.0 * f64::EPSILON * t.abs(),
                values: &values,
                inputs,
                states: &numbers[code.states as usize..][..n_switches],
                memory: &self.now.discrete.memory,
            },
            modes,
            storages: &storages,
        };
        let answer = question.answer()?;
        let jumps = |(variable, before, error): &(VarId, f64, f64)| {
            answer.jumps(*variable, *before, *error)
        };
        let has_jump = storages.iter().any(jumps);
        let may_jump = has_jump && question.allows_jump(&answer);
        let after = self.network.storages.iter().map(|storage| answer.value(*storage));
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

    /// Settles by complementarity from the modes before the event on. False if it finds none; then these modes are in force
    /// again. Nothing where there is nothing to find.
    pub(in crate::network) fn settle_together(
        &mut self,
        t: f64,
        y: &mut [f64],
        (crossed, start): (&[usize], &[i8]),
    ) -> Option<bool> {
        if self.network.watches.iter().all(|watch| watch.steps) {
            return None;
        }
        self.measure_storages(y);
        let before = y.to_vec();
        if let Ok(place) = self.find(start, Valves::Ideal) {
            self.enter(place);
        }
        let at_event = crossed;
        let mut modes = start.to_vec();
        let mut is_found: Vec<bool> = Vec::new();
        let mut is_decided: Vec<bool> = Vec::new();
        for round in 0..MOST_ROUNDS {
            let is_solved = self.renew(t, y).is_ok();
            if !is_solved && round > 0 {
                break;
            }
            let crossed = if round < 2 { crossed } else { &[] };
            let (due, others) = self.due_otherwise(crossed, is_solved, &is_found);
            if others.is_empty() && round > 0 {
                if due || self.is_doubtful(at_event, &is_decided) {
                    break;
                }
                return Some(true);
            }
            modes.clear();
            modes.extend_from_slice(self.modes());
            for number in others {
                let watch = self.network.watches[number];
                modes[watch.mode] = watch.to;
            }
            let asked = self.ask_together(t, y, &modes);
            let Ok(answer) = asked else { break };
            is_found.clone_from(&answer.is_found);
            is_decided.clone_from(&answer.is_decided);
            let took = self.take(t, y, &answer);
            if !took {
                break;
            }
        }
        // Back to where it began.
        y.copy_from_slice(&before);
        let place = self.find(start, Valves::Ideal).or_else(|_| self.find(start, Valves::Soft));
        if let Ok(place) = place {
            self.enter(place);
        }
        Some(false)
    }

    /// Has a guard been crossed whose mode stays, because the numbers do not tell it?
    fn is_doubtful(&self, crossed: &[usize], is_decided: &[bool]) -> bool {
        crossed.iter().any(|&number| {
            let watch = self.network.watches[number];
            self.modes()[watch.mode] == watch.from && !is_decided[watch.mode]
        })
    }

    /// Does a valve of the problem ask for a change all the same? And the guards that do of what the problem does not know:
    /// before it was asked these are known to be all that only takes steps.
    fn due_otherwise(
        &mut self,
        crossed: &[usize],
        is_solved: bool,
        is_found: &[bool],
    ) -> (bool, Vec<usize>) {
        if !is_solved {
            return (false, Vec::new());
        }
        let watches = &self.network.watches;
        // The problem itself says what sticks.
        let is_other = |number: &usize| {
            let watch = watches[*number];
            match is_found.get(watch.mode) {
                Some(&true) => watch.steps && watch.to != 0,
                Some(&false) => true,
                None => watch.steps,
            }
        };
        let crossed: Vec<usize> = crossed.iter().copied().filter(is_other).collect();
        let mut due = Vec::new();
        self.due(&crossed, Valves::Ideal, &mut due);
        let others: Vec<usize> = due.iter().copied().filter(is_other).collect();
        // Valves of the problem have been decided with what the search for the instant leaves in mind.
        let largest = self.now.scales.iter().copied().fold(0.0, f64::max);
        let is_wrong = |&number: &usize| self.at_event(number) > WRONG * largest;
        let is_due = due.iter().filter(|number| !is_other(number)).any(is_wrong);
        (is_due, others)
    }

    /// The combination of an answer. Where that says the same twice, a closed valve without which it does not is as good
    /// open: it carries none of the current that the others can carry alone.
    fn find_answer(&mut self, answer: &Found) -> Option<usize> {
        if let Ok(place) = self.find(&answer.modes, Valves::Ideal) {
            return Some(place);
        }
        let mut modes = answer.modes.clone();
        for mode in (0..modes.len()).rev().filter(|&mode| answer.is_found[mode]) {
            let is_valve = self.network.flat.modes[mode].valve.is_some();
            if modes[mode] == 0 || !is_valve {
                continue;
            }
            let closed = std::mem::replace(&mut modes[mode], 0);
            if let Ok(place) = self.find(&modes, Valves::Ideal) {
                return Some(place);
            }
            modes[mode] = closed;
        }
        None
    }

    /// Puts an answer in force. False if that is not possible.
    fn take(&mut self, t: f64, y: &mut [f64], answer: &Found) -> bool {
        let Some(place) = self.find_answer(answer) else { return false };
        self.enter(place);
        if self.solve_anyway(t, y).is_err() {
            return false;
        }
        let Some(after) = &answer.storages else { return true };
        let is_shared = |k: usize| self.is_shared(k);
        if !answer.may_jump && !self.jumps(y).all(is_shared) {
            return false;
        }
        y.copy_from_slice(after);
        self.now.known = None;
        self.solve_anyway(t, y).is_ok()
    }
}
