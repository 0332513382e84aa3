//! The discrete part of a run: laws settle their modes at events; all modes are put aside and back for rows before one.

use super::Run;
use super::network_part::NetworkModes;
use integrate::{Change, ChangeList, Crossing, Event, GuardId};
use mechanics::forces::law::Settling;

/// Most guards of one element.
const MAX_GUARDS: usize = 8;
/// Passes of an event iteration in which all elements switch together. Joints that stick and slide against
/// each other may go round in circles so; from then on only the first that wants to switch does, which
/// comes to rest (the least-index rule for complementarity problems, Murty 1974).
pub(super) const PASSES_TOGETHER: usize = 10;

/// The modes of all elements, and the states of what switches in time expressions.
pub struct Modes {
    elements: Vec<u8>,
    expressions: Vec<f64>,
    plugins: Vec<u8>,
    network: Option<NetworkModes>,
}

impl Run<'_> {
    /// Lets the laws of all elements decide about their modes. Needs the state of the event in place.
    pub(super) fn settle_laws(&mut self, event: &Event<'_>, changes: &mut ChangeList) {
        let mut memory = std::mem::take(&mut self.now.memory);
        for (index, element) in self.system.elements.iter().enumerate() {
            if element.guards.is_empty() {
                continue;
            }
            let mut sides = [None; MAX_GUARDS];
            let mut crossed = [false; MAX_GUARDS];
            for (place, guard) in element.guards.clone().enumerate().take(MAX_GUARDS) {
                sides[place] = event.side(GuardId(guard));
                crossed[place] =
                    event.crossed.iter().any(|&Crossing { guard: id, .. }| id.0 == guard);
            }
            let count = element.guards.len();
            let settling = Settling {
                sides: &sides[..count],
                guards: &event.guards[element.guards.clone()],
                crossed: &crossed[..count],
                memory: &mut memory[element.memory.clone()],
            };
            let mode = self.now.modes[index];
            let next = element.law.settle(&self.view(), mode, settling);
            if next != mode {
                self.now.modes[index] = next;
                let guard = GuardId(element.guards.start);
                changes.push(Change { guard, from: i32::from(mode), to: i32::from(next) });
                if event.iteration >= PASSES_TOGETHER {
                    break;
                }
            }
        }
        self.now.memory = memory;
    }

    /// The modes in force.
    pub(super) fn modes(&self) -> Modes {
        Modes {
            elements: self.now.modes.clone(),
            expressions: self.now.switches.get().to_vec(),
            plugins: self.now.plugins.states.clone(),
            network: self.network_modes(),
        }
    }

    /// Puts the modes before the last event in force and gives the present ones.
    pub fn swap_modes_before(&mut self) -> Modes {
        self.now.is_evaluated = false;
        let present = self.modes();
        let before = self.now.switches.before().to_vec();
        self.now.switches.set(&before);
        self.now.modes.copy_from_slice(&self.now.modes_before);
        self.now.plugins.states.copy_from_slice(&self.now.plugins.before);
        self.swap_network_modes();
        self.update_locks();
        present
    }

    /// Puts given modes in force again.
    pub fn restore_modes(&mut self, modes: &Modes) {
        self.now.switches.set(&modes.expressions);
        self.now.plugins.states.copy_from_slice(&modes.plugins);
        self.restore_network_modes(modes.network.as_ref());
        self.set_modes(&modes.elements);
    }

    /// Puts the modes of the elements in force.
    pub fn set_modes(&mut self, modes: &[u8]) {
        self.now.is_evaluated = false;
        self.now.modes.copy_from_slice(modes);
        self.update_locks();
    }
}
