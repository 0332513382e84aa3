//! The discrete part of a run as a whole: put aside and back for rows before an event.

use super::Run;

/// The modes of all elements, and the states of what switches in time expressions.
pub struct Modes {
    elements: Vec<u8>,
    expressions: Vec<f64>,
    plugins: Vec<u8>,
}

impl Run<'_, '_> {
    /// Puts the modes before the last event in force and gives the present ones.
    pub fn swap_modes_before(&mut self) -> Modes {
        let elements = std::mem::replace(&mut self.modes, self.modes_before.clone());
        let expressions = self.switches.get().to_vec();
        let before = self.switches.before().to_vec();
        self.switches.set(&before);
        let plugins = std::mem::replace(&mut self.plugins.states, self.plugins.before.clone());
        self.update_locks();
        Modes { elements, expressions, plugins }
    }

    /// Puts given modes in force again.
    pub fn restore_modes(&mut self, modes: &Modes) {
        self.switches.set(&modes.expressions);
        self.plugins.states.copy_from_slice(&modes.plugins);
        self.set_modes(&modes.elements);
    }

    /// Puts the modes of the elements in force.
    pub fn set_modes(&mut self, modes: &[u8]) {
        self.modes.copy_from_slice(modes);
        self.update_locks();
    }
}
