//! Freedoms that are held at rest, and what they hold.

use super::{Failure, MAX_MODE, Run};
use crate::mechanics::inverse;

impl Run<'_, '_> {
    /// Locks the freedoms that the modes hold.
    pub(super) fn update_locks(&mut self) {
        if !self.system.has_locks {
            return;
        }
        let mut elements = self.system.elements.iter().zip(&self.modes);
        self.asks_drive = elements.any(|(element, &mode)| {
            !element.guards.is_empty() && element.law.locks(mode).is_some()
        });
        for (element, &mode) in self.system.elements.iter().zip(&self.modes) {
            // An element that can lock a freedom is the only one that does.
            if let Some(freedom) = element.law.locks(mode) {
                self.workspace.lock(freedom, true);
            } else if let Some(freedom) = (0..=MAX_MODE).find_map(|mode| element.law.locks(mode)) {
                self.workspace.lock(freedom, false);
            }
        }
    }

    /// Accelerations and what locks hold, for guards that ask for them.
    pub(super) fn update_drive(&mut self) -> Result<(), Failure> {
        if !self.asks_drive {
            return Ok(());
        }
        self.apply_forces()?;
        if self.is_quasi_static {
            self.fill_rest_drive();
            return Ok(());
        }
        self.accelerate()?;
        let (tree, w) = (&self.system.tree, &mut self.workspace);
        inverse::update_accelerations(tree, &self.vdot, w);
        inverse::update_joint_loads(tree, w);
        inverse::fill_drive_forces(tree, &self.vdot, &self.tau, w, &mut self.drive);
        Ok(())
    }

    /// Takes the changes of mode that need no event. They came about when the step began.
    pub(super) fn follow_modes(&mut self, t: f64) {
        let began = std::mem::replace(&mut self.t_looked, t);
        for (index, element) in self.system.elements.iter().enumerate() {
            let mode = self.modes[index];
            let next = element.law.drift(&self.view(), mode);
            if next != mode {
                self.modes[index] = next;
                self.drifts.push((began, index, mode, next));
            }
        }
    }

    /// A freedom that was just locked has exactly no speed from now on, so that it does not drift.
    pub(super) fn stop_locked(&self, y: &mut [f64]) {
        if !self.system.has_locks {
            return;
        }
        let n_q = self.system.tree.n_q();
        for (element, &mode) in self.system.elements.iter().zip(&self.modes) {
            if let Some(freedom) = element.law.locks(mode) {
                y[n_q + freedom] = 0.0;
            }
        }
    }
}
