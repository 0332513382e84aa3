//! Where a run begins: initial values that fit the equations, or the operating point.

use crate::passes::alias::Meaning;
use crate::prepared::valves::{Rule, Valves};
use crate::run::continuation::{self, Goal};
use crate::run::corners::{AT_ONCE, Corners, begin_way};
use crate::run::settle::{Settling, Unsettled};
use crate::run::{MissedValue, NetworkRun, NetworkState, static_step};
use equations::expr::VarId;

/// Passes in which modes and time expressions agree with each other at the start.
const MOST_PASSES: usize = 50;
/// The step that leads to the operating point, s: so long that its end does not depend on it, short enough that
/// a charge without any way to flow off still has a value.
const ENDLESS: f64 = 1e10;
/// First step of the way to the operating point where one step does not lead there, s, and the factor by which steps grow.
const FIRST_CREEP: f64 = 1e-15;
const CREEP_GROWTH: f64 = 10.0;
/// A position that is further away at the operating point has none, rad or m.
const FAR: f64 = 1e6;
/// How many times longer a storage that runs away is watched, s.
const LONGER: f64 = 100.0;
/// A rate that changes by less than this part does not depend on what was changed.
const FELT: f64 = 1e-12;
/// A given initial value that is missed by more than this, over its size, is worth a warning.
const MISSED: f64 = 1e-9;

/// The search for the first modes, storages and registers.
pub(super) struct Beginning<'r, 'n> {
    pub run: &'r mut NetworkRun<'n>,
    pub t: f64,
    /// The storages, which are written.
    pub y: &'r mut [f64],
}

impl Beginning<'_, '_> {
    /// Finds all that a run begins with. Signals from outside are set.
    pub fn begin(&mut self) -> Result<(), Unsettled> {
        self.run.now.events.is_patient = true;
        let begun = self.begin_patiently();
        let NetworkState { combinations, events, notes, .. } = &mut *self.run.now;
        events.is_patient = false;
        notes.note(self.run.network, combinations.get(), self.t);
        begun
    }

    fn begin_patiently(&mut self) -> Result<(), Unsettled> {
        let network = self.run.network;
        for (value, storage) in self.y.iter_mut().zip(&network.storages) {
            let variable = &network.flat.variables[storage.index()];
            *value = variable.initial.unwrap_or(variable.guess);
        }
        self.enter_first()?;
        self.take_wishes();
        if self.run.has_choices() {
            // An error shows again in the steps that follow.
            let _ = self.run.solve_anyway(self.t, self.y);
        }
        if self.run.now.events.is_steady {
            self.operating_point()?;
        } else {
            self.start_at_values()?;
        }
        self.find_first_states()?;
        let NetworkState { combinations, discrete, .. } = &mut *self.run.now;
        discrete.begin(network, combinations.present().events(&network.event_layout), self.t);
        self.reconcile()?;
        self.compare_given();
        self.run.now.events.modes_before = self.run.modes().to_vec();
        Ok(())
    }

    /// Modes, time expressions and registers depend on each other: in turn, until none changes.
    fn find_first_states(&mut self) -> Result<(), Unsettled> {
        for pass in 0..MOST_PASSES {
            let states = self.run.now.outside.switches.get().to_vec();
            self.settle()?;
            self.run.update_events(self.t, self.y)?;
            if pass >= AT_ONCE {
                let _ = Corners { run: self.run, t: self.t, y: self.y }.find_states();
            }
            self.run.evaluate_programs(self.t);
            if pass == 0 {
                begin_way(self.run);
            }
            if !self.start_registers()? && self.run.now.outside.switches.get() == states {
                return Ok(());
            }
        }
        // The first event of the run tells whether they settle.
        self.run.now.outside.switches.keep();
        Ok(())
    }

    /// Puts the declared modes in force, after time expressions were evaluated without any value of the networks. Where valves
    /// contradict each other they begin soft.
    fn enter_first(&mut self) -> Result<(), Unsettled> {
        let network = self.run.network;
        let NetworkState { combinations, outside, .. } = &mut *self.run.now;
        combinations.forget();
        outside.evaluate_switching(network, self.t, |_| true);
        let modes: Vec<i8> = network.flat.modes.iter().map(|law| law.first).collect();
        if combinations.enter_modes(network, &modes, Valves::Ideal).is_err() {
            combinations.enter_modes(network, &modes, Valves::Soft)?;
        }
        Ok(())
    }

    /// Lets storages begin where variables of the text wish to begin that are the same.
    fn take_wishes(&mut self) {
        let network = self.run.network;
        let fixed = &self.run.now.combinations.present().fixed;
        for (value, &storage) in self.y.iter_mut().zip(&network.storages) {
            let own = &network.flat.variables[storage.index()];
            let Meaning::Same(same, sign) = fixed.aliases.find(storage) else { continue };
            let same = &fixed.variables[same.index()];
            // What the text fixes comes before what it wishes for.
            let wish = match (same.wish, same.initial, own.wish) {
                (Some(_), Some(fixed), _) => Some(fixed),
                (wish, _, None) => wish,
                _ => None,
            };
            if let Some(wish) = wish.filter(|_| own.initial.is_none()) {
                *value = sign * wish;
            }
        }
    }

    /// Changes modes until none wants to; storages may jump.
    fn settle(&mut self) -> Result<bool, Unsettled> {
        Settling { run: self.run, t: self.t, y: self.y }.settle(&[], true)
    }

    /// Registers that follow from the values at the start. True if one changed.
    fn start_registers(&mut self) -> Result<bool, Unsettled> {
        let network = self.run.network;
        let NetworkState { combinations, discrete, .. } = &mut *self.run.now;
        discrete.start(network, combinations.present().events(&network.event_layout))
    }

    /// Storages that start at the value of an expression, which may depend on other storages.
    fn start_at_values(&mut self) -> Result<(), Unsettled> {
        let network = self.run.network;
        for _ in 0..MOST_PASSES.min(MOST_PASSES * network.flat.starts.len()) {
            self.run.update_events(self.t, self.y)?;
            let values = self.run.event_values();
            let mut changed = false;
            for (number, (variable, _)) in network.flat.starts.iter().enumerate() {
                let value = values.start(number);
                if let Ok(place) = network.storages.binary_search(variable)
                    && self.y[place] != value
                {
                    self.y[place] = value;
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
    fn operating_point(&mut self) -> Result<(), Unsettled> {
        let network = self.run.network;
        let mut running = Vec::new();
        for _ in 0..MOST_PASSES {
            let states = self.run.now.outside.switches.get().to_vec();
            // The operating point in the present modes and states of switches.
            let old = self.y.to_vec();
            static_step::enter(self.run, Rule::Steady)?;
            if static_step::solve(self.run, self.t, &old, ENDLESS).is_err()
                && self.creep(&old).is_err()
            {
                let goal = Goal { t: self.t, old: &old, length: ENDLESS, rule: Rule::Steady };
                continuation::solve(self.run, goal)?;
            }
            let mut found = old.clone();
            self.run.follow(&mut found);
            running = self.running(&old, &found)?;
            self.stay(&old, &mut found);
            self.take_steady_registers();
            self.run.evaluate_programs(self.t);
            self.y.copy_from_slice(&found);
            // Modes that want to change there.
            let due = Settling { run: self.run, t: self.t, y: self.y }.due();
            let moved = self.start_registers()?;
            if due.is_empty() && !moved && self.run.now.outside.switches.get() == states {
                break;
            }
            let mut modes = self.run.modes().to_vec();
            for number in due {
                let watch = network.watches[number];
                modes[watch.mode] = watch.to;
            }
            let steady = Valves::Static(Rule::Steady);
            self.run.now.combinations.enter_modes(network, &modes, steady)?;
        }
        let modes = self.run.modes().to_vec();
        self.run.now.combinations.enter_modes(network, &modes, Valves::Ideal)?;
        self.refuse_growth(&running)
    }

    /// Storages that have no steady value: in a hundred times the time they go a hundred times as far. Those whose initial
    /// value is given stay there and are none.
    fn running(&mut self, old: &[f64], found: &[f64]) -> Result<Vec<usize>, Unsettled> {
        let is_far = |(old, found): (&f64, &f64)| (found - old).abs() > FAR * (1.0 + old.abs());
        if !old.iter().zip(found).any(is_far) {
            return Ok(Vec::new());
        }
        let mut further = old.to_vec();
        if static_step::solve(self.run, self.t, old, LONGER * ENDLESS).is_ok() {
            self.run.follow(&mut further);
        }
        // Back to the values that are used.
        static_step::solve(self.run, self.t, old, ENDLESS)?;
        let runs = |k: &usize| {
            let way = (found[*k] - old[*k]).abs();
            way > FAR * (1.0 + old[*k].abs()) && (further[*k] - found[*k]).abs() > way
        };
        Ok((0..old.len()).filter(runs).collect())
    }

    /// An angle on which nothing depends may grow; that of any other storage is no steady state.
    fn refuse_growth(&mut self, running: &[usize]) -> Result<(), Unsettled> {
        let network = self.run.network;
        let mut refused: Vec<u32> = Vec::new();
        for &storage in running {
            let variable = &network.flat.variables[network.storages[storage].index()];
            if !matches!(variable.label, "phi" | "s") || self.is_felt(storage)? {
                refused.push(variable.block);
            }
        }
        refused.dedup();
        if refused.is_empty() { Ok(()) } else { Err(Unsettled::RunsAway(refused)) }
    }

    /// Does a rate change when a storage does?
    fn is_felt(&mut self, storage: usize) -> Result<bool, Unsettled> {
        let mut rates = [(); 2].map(|()| vec![0.0; self.y.len()]);
        let mut y = self.y.to_vec();
        for rates in &mut rates {
            self.run.update_events(self.t, &y)?;
            self.run.rates(rates);
            y[storage] += 1.0;
        }
        self.run.update_events(self.t, self.y)?;
        let [first, second] = rates;
        Ok(first.iter().zip(&second).any(|(a, b)| (a - b).abs() > FELT * a.abs().max(b.abs())))
    }

    /// Takes the registers that the operating point gives.
    fn take_steady_registers(&mut self) {
        let network = self.run.network;
        let NetworkState { combinations, discrete, .. } = &mut *self.run.now;
        discrete.take_steady(network, combinations.present().events(&network.event_layout));
    }

    /// A shaft that turns steadily has no angle where it rests: it begins where it was.
    fn stay(&self, old: &[f64], found: &mut [f64]) {
        let network = self.run.network;
        for ((storage, &old), found) in network.storages.iter().zip(old).zip(found) {
            let label = network.flat.variables[storage.index()].label;
            if matches!(label, "phi" | "s") && (*found - old).abs() > FAR {
                *found = old;
            }
        }
    }

    /// The way to the operating point in steps that grow, each from the end of the one before.
    fn creep(&mut self, y: &[f64]) -> Result<(), Unsettled> {
        let mut old = y.to_vec();
        let mut length = FIRST_CREEP;
        while length < ENDLESS {
            static_step::solve(self.run, self.t, &old, length)?;
            self.run.follow(&mut old);
            length *= CREEP_GROWTH;
        }
        static_step::solve(self.run, self.t, y, ENDLESS)?;
        Ok(())
    }

    /// Given initial values that the equations do not allow: charge and flux stay, with a warning.
    fn reconcile(&mut self) -> Result<(), Unsettled> {
        let (network, y) = (self.run.network, &mut *self.y);
        let given = |k: usize| network.flat.variables[network.storages[k].index()].initial;
        if !(0..y.len()).any(|k| given(k).is_some_and(|given| is_missed(given, y[k]))) {
            return Ok(());
        }
        let old: Vec<f64> = (0..y.len()).map(|k| given(k).unwrap_or(y[k])).collect();
        static_step::redistribute(self.run, self.t, &old, y)?;
        for (k, &taken) in y.iter().enumerate() {
            if let Some(given) = given(k).filter(|&given| is_missed(given, taken)) {
                let block = network.flat.variables[network.storages[k].index()].block;
                self.run.now.notes.missed.push(MissedValue { block, given, taken });
            }
        }
        Ok(())
    }

    /// Initial values of shafts that a joint moves: the joint decides.
    fn compare_given(&mut self) {
        let NetworkState { combinations, notes, .. } = &mut *self.run.now;
        let present = combinations.present();
        for (index, variable) in self.run.network.flat.variables.iter().enumerate() {
            let meaning = present.fixed.aliases.find(VarId(index as u32));
            let (Some(given), Meaning::Same(own, sign)) = (variable.initial, meaning) else {
                continue;
            };
            if present.fixed.coupled.given.iter().any(|given| given.state == own) {
                let taken = sign * present.numbers()[own.index()];
                if is_missed(given, taken) {
                    notes.missed.push(MissedValue { block: variable.block, given, taken });
                }
            }
        }
    }
}

/// Is a given initial value another than the one that the run starts at?
fn is_missed(given: f64, taken: f64) -> bool {
    (given - taken).abs() > MISSED * given.abs().max(taken.abs())
}
