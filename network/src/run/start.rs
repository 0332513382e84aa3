//! Where a run begins: initial values that fit the equations, or the operating point.

use crate::code::compile::Level;
use crate::code::evaluate::Unsolved;
use crate::prepared::prepare::{Rule, Valves};
use crate::run::NetworkRun;
use crate::run::settle::Unsettled;
use equations::expr::VarId;

/// Passes in which modes and time expressions agree with each other at the start.
const MOST_PASSES: usize = 50;
/// The step that leads to the operating point, s: so long that its end does not depend on it, short enough that
/// a charge without any way to flow off still has a value.
const ENDLESS: f64 = 1e10;
/// A position that is further away at the operating point has none, rad or m.
const FAR: f64 = 1e6;
/// A given initial value that is missed by more than this, over its size, is worth a warning.
const MISSED: f64 = 1e-9;

impl NetworkRun<'_> {
    /// Finds the modes and storages at the start. Signals from outside are set.
    pub fn begin(&mut self, t: f64, y: &mut [f64]) -> Result<(), Unsettled> {
        self.now.is_patient = true;
        let begun = self.begin_patiently(t, y);
        self.now.is_patient = false;
        self.note_islands(t);
        begun
    }

    fn begin_patiently(&mut self, t: f64, y: &mut [f64]) -> Result<(), Unsettled> {
        for (value, storage) in y.iter_mut().zip(&self.network.storages) {
            let variable = &self.network.flat.variables[storage.index()];
            *value = variable.initial.unwrap_or(variable.guess);
        }
        self.evaluate_first(t);
        let modes = self.first_modes();
        let place = match self.find(&modes, Valves::Ideal) {
            Ok(place) => place,
            Err(_) => {
                let soft = self.find(&modes, Valves::Soft);
                soft.map_err(|impossible| Unsettled::Impossible(Box::new(impossible)))?
            }
        };
        self.enter(place);
        if self.has_choices() {
            // What is wrong besides shows in what follows.
            let _ = self.solve_anyway(t, y);
        }
        if self.now.is_steady {
            self.operating_point(t, y)?;
        } else {
            self.start_at_values(t, y)?;
        }
        for _ in 0..MOST_PASSES {
            let states = self.now.switches.get().to_vec();
            self.settle(t, y, &[], true)?;
            self.update(t, y)?;
            self.complete(Level::Events)?;
            self.evaluate_programs(t);
            if !self.start_registers()? && self.now.switches.get() == states {
                break;
            }
        }
        self.begin_discrete(t);
        self.reconcile(t, y)?;
        self.compare_given();
        self.now.modes_before = self.modes().to_vec();
        Ok(())
    }

    /// Storages that start at the value of an expression, which may depend on others of them.
    fn start_at_values(&mut self, t: f64, y: &mut [f64]) -> Result<(), Unsettled> {
        let network = self.network;
        let first = network.watches.len() + network.flat.programs.signals.len();
        for _ in 0..MOST_PASSES.min(10 * network.flat.starts.len()) {
            self.update(t, y)?;
            self.complete(Level::Events)?;
            let mut changed = false;
            for (number, (variable, _)) in network.flat.starts.iter().enumerate() {
                let value = self.at_event(first + number);
                if let Ok(place) = network.storages.binary_search(variable)
                    && y[place] != value
                {
                    y[place] = value;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }

    /// All derivatives zero, but for storages with a given initial value.
    fn operating_point(&mut self, t: f64, y: &mut [f64]) -> Result<(), Unsettled> {
        for _ in 0..MOST_PASSES {
            let states = self.now.switches.get().to_vec();
            let old = y.to_vec();
            self.enter_static(Rule::Steady)?;
            if self.euler(t, &old, ENDLESS).is_err() {
                self.creep(t, &old)?;
            }
            let mut found = old.clone();
            self.follow(&mut found);
            self.stay(&old, &mut found);
            self.take_steady_registers();
            self.evaluate_programs(t);
            y.copy_from_slice(&found);
            let mut due = Vec::new();
            self.due(&[], Valves::Ideal, &mut due);
            let moved = self.start_registers()?;
            if due.is_empty() && !moved && self.now.switches.get() == states {
                break;
            }
            let mut modes = self.modes().to_vec();
            for number in due {
                let watch = self.network.watches[number];
                modes[watch.mode] = watch.to;
            }
            let place = self.find(&modes, Valves::Static(Rule::Steady));
            let place = place.map_err(|impossible| Unsettled::Impossible(Box::new(impossible)))?;
            self.enter(place);
        }
        let modes = self.modes().to_vec();
        let place = self.find(&modes, Valves::Ideal);
        let place = place.map_err(|impossible| Unsettled::Impossible(Box::new(impossible)))?;
        self.enter(place);
        Ok(())
    }

    /// A shaft that turns steadily has no angle where it rests: it begins where it was.
    fn stay(&self, old: &[f64], found: &mut [f64]) {
        for ((storage, &old), found) in self.network.storages.iter().zip(old).zip(found) {
            let label = self.network.flat.variables[storage.index()].label;
            if matches!(label, "phi" | "s") && (*found - old).abs() > FAR {
                *found = old;
            }
        }
    }

    /// The way to the operating point in steps that grow tenfold, each from the end of the one before.
    fn creep(&mut self, t: f64, y: &[f64]) -> Result<(), Unsettled> {
        let mut old = y.to_vec();
        let mut length = 1e-15;
        while length < ENDLESS {
            self.euler(t, &old, length)?;
            self.follow(&mut old);
            length *= 10.0;
        }
        self.euler(t, y, ENDLESS)?;
        Ok(())
    }

    /// Given initial values that the equations do not allow: charge and flux stay, with a warning.
    fn reconcile(&mut self, t: f64, y: &mut [f64]) -> Result<(), Unsettled> {
        let network = self.network;
        let given = |k: usize| network.flat.variables[network.storages[k].index()].initial;
        let missed: Vec<usize> = (0..y.len())
            .filter(|&k| {
                given(k).is_some_and(|v| (v - y[k]).abs() > MISSED * v.abs().max(y[k].abs()))
            })
            .collect();
        if missed.is_empty() {
            return Ok(());
        }
        let old: Vec<f64> = (0..y.len()).map(|k| given(k).unwrap_or(y[k])).collect();
        self.redistribute(t, y, &old)?;
        for (k, &taken) in y.iter().enumerate() {
            if let Some(v) =
                given(k).filter(|v| (v - taken).abs() > MISSED * v.abs().max(taken.abs()))
            {
                let block = network.flat.variables[network.storages[k].index()].block;
                self.now.missed.push((block, v, taken));
            }
        }
        Ok(())
    }

    /// Initial values of shafts that a joint moves: the joint decides.
    fn compare_given(&mut self) {
        let network = self.network;
        let prepared = self.present();
        let mut missed = Vec::new();
        for (index, variable) in network.flat.variables.iter().enumerate() {
            let (Some(given), crate::passes::alias::Meaning::Same(own, sign)) =
                (variable.initial, prepared.aliases.find(VarId(index as u32)))
            else {
                continue;
            };
            if prepared.coupled.given.iter().any(|(state, ..)| *state == own) {
                let taken = sign * prepared.values.numbers[own.index()];
                if (given - taken).abs() > MISSED * given.abs().max(taken.abs()) {
                    missed.push((variable.block, given, taken));
                }
            }
        }
        self.now.missed.extend(missed);
    }

    /// Storages that were `old` take the values that keep charge and flux and fit the present modes.
    pub(crate) fn redistribute(
        &mut self,
        t: f64,
        y: &mut [f64],
        old: &[f64],
    ) -> Result<(), Unsettled> {
        let modes = self.modes().to_vec();
        self.enter_static(Rule::Jump)?;
        self.euler(t, old, self.now.instant)?;
        self.follow(y);
        let place = self.find(&modes, Valves::Ideal);
        let place = place.map_err(|impossible| Unsettled::Impossible(Box::new(impossible)))?;
        self.enter(place);
        self.update(t, y)?;
        self.complete(Level::Events)?;
        self.follow(y);
        Ok(())
    }

    fn enter_static(&mut self, rule: Rule) -> Result<(), Unsettled> {
        let modes = self.modes().to_vec();
        let place = self.find(&modes, Valves::Static(rule));
        let place = place.map_err(|impossible| Unsettled::Impossible(Box::new(impossible)))?;
        self.enter(place);
        Ok(())
    }

    /// Solves the static form for a step of this length.
    fn euler(&mut self, t: f64, old: &[f64], length: f64) -> Result<(), Unsolved> {
        let first = self.network.n_inputs();
        let prepared = &mut self.now.kept[self.now.current];
        let inputs = prepared.code.inputs as usize + first;
        prepared.values.numbers[inputs] = length;
        prepared.values.numbers[inputs + 1..inputs + 1 + old.len()].copy_from_slice(old);
        self.update(t, old)?;
        self.complete(Level::Events)
    }

    /// Time expressions before any value of the networks is known.
    fn evaluate_first(&mut self, t: f64) {
        self.forget();
        self.evaluate_switching(t, |_| true);
    }

    /// Modes before the first solution: those of switches as their conditions have it, else as declared.
    fn first_modes(&mut self) -> Vec<i8> {
        self.network.flat.modes.iter().map(|law| law.first).collect()
    }
}
