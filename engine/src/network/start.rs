//! Where a run begins: initial values that fit the equations, or the operating point.

use super::compile::Level;
use super::prepare::Valves;
use super::run::NetworkRun;
use super::settle::Unsettled;

/// Passes in which modes and time expressions agree with each other at the start.
const MOST_PASSES: usize = 50;

impl NetworkRun<'_> {
    /// Finds the modes and storages at the start. Signals from outside are set.
    pub(crate) fn begin(&mut self, t: f64, y: &mut [f64]) -> Result<(), Unsettled> {
        for (value, storage) in y.iter_mut().zip(&self.network.storages) {
            *value = self.network.flat.variables[storage.index()].initial.unwrap_or(0.0);
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
        for _ in 0..MOST_PASSES {
            let states = self.switches.get().to_vec();
            self.settle(t, y, &[], true)?;
            self.update(t, y)?;
            self.complete(Level::Guards)?;
            self.evaluate_programs(t);
            if self.switches.get() == states {
                break;
            }
        }
        self.modes_before = self.modes().to_vec();
        Ok(())
    }

    /// Time expressions before any value of the networks is known.
    fn evaluate_first(&mut self, t: f64) {
        self.kept.clear();
        self.evaluate_switching(t);
    }

    /// Modes before the first solution: those of switches as their conditions have it, else as declared.
    fn first_modes(&mut self) -> Vec<i8> {
        self.network.flat.modes.iter().map(|law| law.first).collect()
    }
}
