//! Combinations of modes as they are met: each is prepared once and kept.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::block_compiler::{LEVELS, Level};
use crate::code::evaluate::Unsolved;
use crate::passes::alias::Meaning;
use crate::passes::state_selection::Determined;
use crate::prepared::combination::Combination;
use crate::prepared::network_model::Network;
use crate::prepared::prepare::Impossible;
use crate::prepared::valves::Valves;
use equations::expr::{Arena, VarId};
use equations::port_inputs::PortInputs;

/// Combinations of modes that are kept; then all but the present one are forgotten.
const MOST_KEPT: usize = 256;

/// The combinations that a run has met, and the present one. Copies share the modes by which a combination is found.
#[derive(educe::Educe)]
#[educe(Clone)]
pub(crate) struct Combinations {
    /// Expressions of all combinations. Copies of a run share them until one of them prepares another combination.
    arena: Arc<Arena>,
    pub(super) kept: Vec<Combination>,
    /// For each structure of modes and each kind of valves the place of its combination.
    places: FxHashMap<Arc<[i8]>, [Option<usize>; Valves::KINDS]>,
    current: usize,
    /// The level up to which the present values are computed.
    known: Option<Level>,
    /// Combinations of modes that contradict themselves.
    pub(super) impossible: FxHashSet<Arc<[i8]>>,
    /// Combinations in which the ports cannot be open.
    pub(super) closed: FxHashSet<Arc<[i8]>>,
    /// Buffer for the modes of a structure that is looked for.
    key: Vec<i8>,
}

impl Combinations {
    /// No combination yet.
    pub fn new(network: &Network) -> Self {
        Self {
            arena: Arc::new(network.arena.clone()),
            kept: Vec::new(),
            places: FxHashMap::default(),
            current: 0,
            known: None,
            impossible: FxHashSet::default(),
            closed: FxHashSet::default(),
            key: Vec::with_capacity(network.flat.modes.len()),
        }
    }

    /// The expressions of the combinations.
    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    /// The present combination, once there is one.
    pub fn get(&self) -> Option<&Combination> {
        self.kept.get(self.current)
    }

    /// The present combination, to be changed, once there is one.
    pub fn get_mut(&mut self) -> Option<&mut Combination> {
        self.kept.get_mut(self.current)
    }

    /// The present combination; the run has begun.
    pub fn present(&self) -> &Combination {
        &self.kept[self.current]
    }

    /// The present combination, to be changed; the run has begun.
    pub fn present_mut(&mut self) -> &mut Combination {
        &mut self.kept[self.current]
    }

    /// Is a combination in force?
    pub fn has_begun(&self) -> bool {
        !self.kept.is_empty()
    }

    /// Are the present values computed up to a level?
    pub fn knows(&self, level: Level) -> bool {
        self.known >= Some(level)
    }

    /// Forgets all combinations of modes.
    pub fn forget(&mut self) {
        self.kept.clear();
        self.places.clear();
        self.current = 0;
    }

    /// Finds or prepares a combination of modes. One that differs in numbers only gets these.
    pub fn find(
        &mut self,
        network: &Network,
        modes: &[i8],
        kind: Valves,
    ) -> Result<usize, Impossible> {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        let laws = &network.flat.modes;
        key.extend(modes.iter().zip(laws).map(|(&mode, law)| law.structural(mode)));
        let found = self.find_structure(network, &key, kind);
        self.key = key;
        let place = found?;
        self.kept[place].take_modes(modes, network.flat.programs.switches.n_states());
        Ok(place)
    }

    fn find_structure(
        &mut self,
        network: &Network,
        modes: &[i8],
        kind: Valves,
    ) -> Result<usize, Impossible> {
        if let Some(place) = self.places.get(modes).and_then(|places| places[kind.number()]) {
            return Ok(place);
        }
        self.make_room(network);
        self.keep(network, modes, kind, &Determined::default())
    }

    /// Finds or prepares the present combination with other states.
    pub fn find_choice(
        &mut self,
        network: &Network,
        choice: &Determined,
    ) -> Result<usize, Impossible> {
        let Combination { fixed, now } = self.present();
        let (fixed, modes) = (fixed.clone(), now.modes.clone());
        let same = |other: &Combination| {
            let other = &other.fixed;
            other.key == fixed.key && other.kind == fixed.kind && other.determined == *choice
        };
        let place = match self.kept.iter().position(same) {
            Some(place) => {
                let places = self.places.entry(fixed.key[..].into()).or_default();
                places[fixed.kind.number()] = Some(place);
                place
            }
            None => {
                self.make_room(network);
                self.keep(network, &fixed.key, fixed.kind, choice)?
            }
        };
        self.kept[place].take_modes(&modes, network.flat.programs.switches.n_states());
        Ok(place)
    }

    /// The present combination with valves taken another way.
    pub fn find_present(&mut self, network: &Network, kind: Valves) -> Result<usize, Impossible> {
        let present = self.kept.get(self.current);
        let places = present.and_then(|present| self.places.get(&present.fixed.key[..]));
        let Some(place) = places.and_then(|places| places[kind.number()]) else {
            let modes = self.present().now.modes.clone();
            return self.find(network, &modes, kind);
        };
        if let Ok([from, to]) = self.kept.get_disjoint_mut([self.current, place]) {
            to.take_modes(&from.now.modes, network.flat.programs.switches.n_states());
        }
        Ok(place)
    }

    /// Prepares a combination and keeps it.
    fn keep(
        &mut self,
        network: &Network,
        modes: &[i8],
        kind: Valves,
        choice: &Determined,
    ) -> Result<usize, Impossible> {
        let held = if kind == Valves::Open { self.held_ports() } else { Vec::new() };
        let arena = Arc::make_mut(&mut self.arena);
        let prepared = network.prepare(arena, modes, kind, choice, &held)?;
        self.kept.push(Combination::new(prepared));
        let place = self.kept.len() - 1;
        self.places.entry(modes.into()).or_default()[kind.number()] = Some(place);
        Ok(place)
    }

    /// Ports whose acceleration the networks determine, by the closed form.
    fn held_ports(&self) -> Vec<bool> {
        let fixed = self.get().map_or(&[][..], |present| &present.fixed.coupled.fixed);
        fixed.iter().map(|[_, speed]| *speed).collect()
    }

    /// Forgets all combinations but the present one, if there are many.
    fn make_room(&mut self, network: &Network) {
        if self.kept.len() < MOST_KEPT {
            return;
        }
        let present = self.kept.swap_remove(self.current);
        self.kept.clear();
        self.places.clear();
        self.arena = Arc::new(network.arena.clone());
        let places = self.places.entry(present.fixed.key[..].into()).or_default();
        places[present.fixed.kind.number()] = Some(0);
        self.kept.push(present);
        self.current = 0;
    }

    /// Puts a combination in force; its iterations begin at the values of the last one.
    pub fn enter(&mut self, network: &Network, place: usize) {
        if place == self.current || self.current >= self.kept.len() {
            self.current = place;
            self.known = None;
            return;
        }
        let Ok([from, to]) = self.kept.get_disjoint_mut([self.current, place]) else { return };
        // Without iterations all values follow from those that come from outside.
        let n_variables = network.flat.variables.len();
        for index in 0..if to.fixed.code.iterates() { n_variables } else { 0 } {
            let variable = VarId(index as u32);
            let value = from.variable(variable);
            if let Meaning::Same(own, sign) = to.fixed.aliases.find(variable) {
                to.now.values.numbers[own.index()] = sign * value;
            }
        }
        self.current = place;
        self.known = None;
    }

    /// Finds or prepares a combination and puts it in force.
    pub fn enter_modes(
        &mut self,
        network: &Network,
        modes: &[i8],
        kind: Valves,
    ) -> Result<(), Impossible> {
        let place = self.find(network, modes, kind)?;
        self.enter(network, place);
        Ok(())
    }

    /// The present combination with valves taken another way is put in force.
    pub fn enter_present(&mut self, network: &Network, kind: Valves) -> Result<(), Impossible> {
        let place = self.find_present(network, kind)?;
        self.enter(network, place);
        Ok(())
    }

    /// Computes what the forces of the mechanics need, from the numbers from outside that are in force. If `is_patient`,
    /// iterations that fail are tried again along a homotopy.
    pub fn compute_forces(&mut self, is_patient: bool) -> Result<(), Unsolved> {
        self.known = None;
        let present = &mut self.kept[self.current];
        present.now.values.is_patient = is_patient;
        present.look_at_states();
        present.run(Level::Forces)?;
        self.known = Some(Level::Forces);
        Ok(())
    }

    /// Computes what a level needs beyond the levels that are known. Nothing before the start.
    pub fn complete(
        &mut self,
        network: &Network,
        ports: &PortInputs,
        level: Level,
    ) -> Result<(), Unsolved> {
        let Some(present) = self.kept.get_mut(self.current) else { return Ok(()) };
        // The mechanics tells its accelerations behind the forces.
        if self.known < Some(Level::Rates) {
            present.take_ports(network, ports);
        }
        let first = self.known.map_or(1, |known| known as usize + 1);
        for &next in LEVELS.get(first..=level as usize).unwrap_or(&[]) {
            present.run(next)?;
            self.known = Some(next);
        }
        Ok(())
    }

    /// Lets [`complete`](Self::complete) compute the rates anew.
    pub fn forget_rates(&mut self) {
        self.known = self.known.min(Some(Level::Forces));
    }
}

impl Combination {
    /// Takes the numbers of the ports over into the code. Nobody asks for the responses of open ports.
    pub(super) fn take_ports(&mut self, network: &Network, ports: &PortInputs) {
        let first = self.fixed.code.inputs as usize + network.flat.programs.signals.len();
        let numbers = &mut self.now.values.numbers[first..];
        match self.fixed.kind {
            Valves::Open => ports.copy_without_responses(numbers),
            _ => ports.copy_all(numbers),
        }
    }
}
