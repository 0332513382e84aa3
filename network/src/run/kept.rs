//! Combinations of modes as they are met: each is prepared once and kept.

use crate::passes::alias::Meaning;
use crate::passes::selection::Determined;
use crate::prepared::prepare::{Impossible, Prepared, Valves};
use crate::run::NetworkRun;
use equations::expr::VarId;

/// Combinations of modes that are kept; then all but the present one are forgotten.
const MOST_KEPT: usize = 256;

impl NetworkRun<'_> {
    /// Forgets all combinations of modes.
    pub(crate) fn forget(&mut self) {
        self.now.kept.clear();
        self.now.places.clear();
        self.now.current = 0;
    }

    /// Finds or prepares a combination of modes. One that differs in numbers only gets these.
    pub(crate) fn find(&mut self, modes: &[i8], kind: Valves) -> Result<usize, Impossible> {
        let mut key = std::mem::take(&mut self.now.key);
        key.clear();
        let laws = &self.network.flat.modes;
        key.extend(modes.iter().zip(laws).map(|(&mode, law)| law.structural(mode)));
        let found = self.find_structure(&key, kind);
        self.now.key = key;
        let place = found?;
        self.now.kept[place].take_modes(modes, self.network.flat.programs.switches.len());
        Ok(place)
    }

    fn find_structure(&mut self, modes: &[i8], kind: Valves) -> Result<usize, Impossible> {
        if let Some(place) = self.now.places.get(modes).and_then(|places| places[kind.number()]) {
            return Ok(place);
        }
        self.make_room();
        self.keep(modes, kind, &Determined::default())
    }

    /// Finds or prepares the present combination with other states.
    pub(crate) fn find_choice(&mut self, choice: &Determined) -> Result<usize, Impossible> {
        let Prepared { modes, key, kind, .. } = self.present();
        let (modes, key, kind) = (modes.clone(), key.clone(), *kind);
        let same = |p: &Prepared| p.key == key && p.kind == kind && p.determined == *choice;
        let place = match self.now.kept.iter().position(same) {
            Some(place) => {
                self.now.places.entry(key).or_default()[kind.number()] = Some(place);
                place
            }
            None => {
                self.make_room();
                self.keep(&key, kind, choice)?
            }
        };
        self.now.kept[place].take_modes(&modes, self.network.flat.programs.switches.len());
        Ok(place)
    }

    fn keep(
        &mut self,
        modes: &[i8],
        kind: Valves,
        choice: &Determined,
    ) -> Result<usize, Impossible> {
        let held = if kind == Valves::Open { self.held_ports() } else { Vec::new() };
        let prepared = self.network.prepare(&mut self.now.arena, modes, kind, (choice, &held))?;
        self.now.kept.push(prepared);
        let place = self.now.kept.len() - 1;
        self.now.places.entry(modes.to_vec()).or_default()[kind.number()] = Some(place);
        Ok(place)
    }

    /// Forgets all combinations but the present one, if there are many.
    fn make_room(&mut self) {
        if self.now.kept.len() < MOST_KEPT {
            return;
        }
        let present = self.now.kept.swap_remove(self.now.current);
        self.now.kept.clear();
        self.now.places.clear();
        self.now.arena = self.network.arena.clone();
        self.now.places.entry(present.key.clone()).or_default()[present.kind.number()] = Some(0);
        self.now.kept.push(present);
        self.now.current = 0;
    }

    /// The present combination with valves taken another way.
    pub(crate) fn find_present(&mut self, kind: Valves) -> Result<usize, Impossible> {
        let present = self.now.kept.get(self.now.current);
        let places = present.and_then(|kept| self.now.places.get(&kept.key[..]));
        let Some(place) = places.and_then(|places| places[kind.number()]) else {
            let modes = self.modes().to_vec();
            return self.find(&modes, kind);
        };
        if let Ok([from, to]) = self.now.kept.get_disjoint_mut([self.now.current, place]) {
            to.take_modes(&from.modes, self.network.flat.programs.switches.len());
        }
        Ok(place)
    }

    /// Puts a combination in force; its iterations begin where the last one was.
    pub(crate) fn enter(&mut self, place: usize) {
        if place == self.now.current || self.now.current >= self.now.kept.len() {
            self.now.current = place;
            self.now.known = None;
            return;
        }
        let (from, to) = match self.now.kept.get_disjoint_mut([self.now.current, place]) {
            Ok([from, to]) => (from, to),
            Err(_) => return,
        };
        // Without iterations all follows from what comes from outside.
        let n_variables = self.network.flat.variables.len();
        for index in 0..if to.code.iterates() { n_variables } else { 0 } {
            let variable = VarId(index as u32);
            let value = match from.aliases.find(variable) {
                Meaning::Constant(number) => number,
                Meaning::Same(own, sign) => sign * from.values.numbers[own.index()],
            };
            if let Meaning::Same(own, sign) = to.aliases.find(variable) {
                to.values.numbers[own.index()] = sign * value;
            }
        }
        self.now.current = place;
        self.now.known = None;
    }

    /// Puts a combination that is kept in force again.
    pub fn set_modes(&mut self, modes: &[i8]) {
        if let Ok(place) = self.find(modes, Valves::Ideal) {
            self.enter(place);
        }
    }
}
