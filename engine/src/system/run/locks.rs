//! Freedoms that are held at rest, and what they hold.

use super::{Failure, MAX_MODE, Run};
use mechanics::loops::Hold;

impl Run<'_> {
    /// Locks the freedoms that the modes hold.
    pub(super) fn update_locks(&mut self) {
        if !self.system.has_locks {
            return;
        }
        let mut elements = self.system.elements.iter().zip(&self.now.modes);
        self.now.asks_drive = elements.any(|(element, &mode)| {
            !element.guards.is_empty() && element.law.locks(mode).is_some()
        });
        for (element, &mode) in self.system.elements.iter().zip(&self.now.modes) {
            // An element that can lock a freedom is the only one that does.
            let locked = element.law.locks(mode);
            let freedom = locked.or_else(|| (0..=MAX_MODE).find_map(|m| element.law.locks(m)));
            let Some(freedom) = freedom else { continue };
            let Some(of_loop) = freedom.checked_sub(self.system.tree.n_v()) else {
                let changed = self.now.workspace.lock(freedom, locked.is_some());
                // With other freedoms other rows of the constraints are independent.
                if let Some(loops) = &mut self.now.loops {
                    loops.stale |= changed;
                }
                continue;
            };
            let Some(loops) = &mut self.now.loops else { continue };
            let hold = match (locked, element.part) {
                (None, _) => Hold::Free,
                (Some(_), "lock") => Hold::Target,
                (Some(_), _) => Hold::Rest,
            };
            loops.stale |= loops.workspace.hold(of_loop, hold);
        }
        // Whatever friction says, a driven coordinate follows its drive.
        self.hold_driven();
    }

    /// Accelerations and what locks hold, for guards that ask for them.
    pub(super) fn update_drive(&mut self) -> Result<(), Failure> {
        if !self.now.asks_drive {
            return Ok(());
        }
        self.apply_forces()?;
        // What loops hold at rest is only known with the accelerations; in balance these are zero.
        if self.now.is_quasi_static && self.now.loops.is_none() {
            self.fill_rest_drive();
            return Ok(());
        }
        self.accelerate(true)?;
        self.react();
        Ok(())
    }

    /// Takes the changes of mode that need no event. They came about when the step began.
    pub(super) fn follow_modes(&mut self, t: f64) {
        let began = std::mem::replace(&mut self.now.t_looked, t);
        for (index, element) in self.system.elements.iter().enumerate() {
            let mode = self.now.modes[index];
            let next = element.law.drift(&self.view(), mode);
            if next != mode {
                self.now.modes[index] = next;
                self.now.drifts.push((began, index, mode, next));
            }
        }
    }

    /// A freedom that was just locked has exactly no speed from now on, so that it does not drift.
    pub(super) fn stop_locked(&self, y: &mut [f64]) {
        if !self.system.has_locks {
            return;
        }
        let n_q = self.system.tree.n_q();
        for (element, &mode) in self.system.elements.iter().zip(&self.now.modes) {
            // Those of loop joints are stopped by the projection.
            let freedom = element.law.locks(mode).filter(|&v| v < self.system.tree.n_v());
            if let Some(freedom) = freedom {
                y[n_q + freedom] = 0.0;
            }
        }
    }
}
