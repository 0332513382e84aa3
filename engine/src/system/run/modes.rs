//! The discrete part of a run as a whole: put aside and back for rows before an event.

use super::Run;
use super::network::NetworkModes;

/// The modes of all elements, and the states of what switches in time expressions.
pub struct Modes {
    elements: Vec<u8>,
    expressions: Vec<f64>,
    plugins: Vec<u8>,
    network: Option<NetworkModes>,
}

impl Run<'_, '_> {
    /// The modes in force.
    pub(super) fn modes(&self) -> Modes {
        Modes {
            elements: self.modes.clone(),
            expressions: self.switches.get().to_vec(),
            plugins: self.plugins.states.clone(),
            network: self.network_modes(),
        }
    }

    /// Puts the modes before the last event in force and gives the present ones.
    pub fn swap_modes_before(&mut self) -> Modes {
        let present = self.modes();
        let before = self.switches.before().to_vec();
        self.switches.set(&before);
        self.modes.copy_from_slice(&self.modes_before);
        self.plugins.states.copy_from_slice(&self.plugins.before);
        self.swap_network_modes();
        self.update_locks();
        present
    }

    /// Puts given modes in force again.
    pub fn restore_modes(&mut self, modes: &Modes) {
        self.switches.set(&modes.expressions);
        self.plugins.states.copy_from_slice(&modes.plugins);
        self.restore_network_modes(modes.network.as_ref());
        self.set_modes(&modes.elements);
    }

    /// Puts the modes of the elements in force.
    pub fn set_modes(&mut self, modes: &[u8]) {
        self.modes.copy_from_slice(modes);
        self.update_locks();
    }
}
