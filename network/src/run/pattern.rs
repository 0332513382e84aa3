//! Which rates depend on which states: the pattern of the Jacobian.
//!
//! Beside states, a rate may depend on what the mechanics tells: coordinates and speeds at ports, other signals, and the
//! accelerations at ports, which in turn depend on all forces of the networks on the mechanics.

use std::ops::Range;

use crate::code::compile::{Block, BlockKind, Code, Instruction, Level, Operation};
use crate::code::sums::Term;
use crate::run::NetworkRun;
use equations::programs::UsedSignal;
use integrate::Pattern;

/// Up to this many states a network that switches is taken to have all entries.
const FEW_STATES: usize = 100;

/// What a number of the networks depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A state.
    State(usize),
    /// Coordinate (0) or speed (1) of a port.
    Given(usize, usize),
    /// Any other signal of the mechanics.
    Bodies,
    /// Accelerations.
    Accelerations,
}

/// What rates and forces depend on in the present combination of modes.
pub struct Origins {
    /// Of each rate.
    pub rates: Vec<Vec<Origin>>,
    /// Of all that the networks do to the mechanics, together.
    pub forces: Vec<Origin>,
}

/// Numbers of origins in lists: those of states come first.
#[derive(Clone, Copy)]
struct Numbering {
    n_states: usize,
    n_ports: usize,
}

impl Numbering {
    fn number(self, origin: Origin) -> u32 {
        let ports = self.n_states + 2 * self.n_ports;
        let number = match origin {
            Origin::State(k) => k,
            Origin::Given(port, order) => self.n_states + 2 * port + order,
            Origin::Bodies => ports,
            Origin::Accelerations => ports + 1,
        };
        number as u32
    }

    fn origin(self, number: u32) -> Origin {
        let (number, ports) = (number as usize, self.n_states + 2 * self.n_ports);
        match number {
            k if k < self.n_states => Origin::State(k),
            k if k < ports => Origin::Given((k - self.n_states) / 2, (k - self.n_states) % 2),
            k if k == ports => Origin::Bodies,
            _ => Origin::Accelerations,
        }
    }
}

impl NetworkRun<'_> {
    /// What rates and forces depend on in the present modes; none before the start.
    pub fn origins(&self) -> Option<Origins> {
        let code = &self.now.kept.get(self.now.current)?.code;
        let (n_states, n_ports) = (self.network.n_states(), self.network.flat.ports.list.len());
        let numbering = Numbering { n_states, n_ports };
        let (lists, of) = self.trace_from(self.outer_places(numbering), Level::Rates);
        let list = |place: u32| {
            let numbers = lists[of[place as usize] as usize].iter();
            numbers.map(|&number| numbering.origin(number)).collect::<Vec<_>>()
        };
        let (rates, forces) = code.asked(Level::Rates).split_at(n_states);
        let used = self.network.used.len();
        // Momenta and known forces, and behind coordinates and speeds the accelerations of ports that are held.
        let (early, held) = code.asked(Level::Forces)[used..].split_at(2 * n_ports);
        let held = &held[(2 * n_ports).min(held.len())..];
        let mut all: Vec<u32> =
            early.iter().chain(held).chain(&forces[..n_ports]).copied().collect();
        all.sort_unstable();
        all.dedup();
        let mut forces: Vec<Origin> = Vec::new();
        for origin in all.into_iter().flat_map(list) {
            if !forces.contains(&origin) {
                forces.push(origin);
            }
        }
        Some(Origins { rates: rates.iter().map(|&place| list(place)).collect(), forces })
    }

    /// The pattern of the whole system in the present combination, which is found once.
    pub fn known_pattern(&self, find: impl Fn() -> Pattern) -> Pattern {
        let present = self.now.kept.get(self.now.current);
        present.map_or_else(&find, |present| present.pattern.get_or_init(&find).clone())
    }

    /// The places that states and the mechanics fill, each with what it stands for.
    fn outer_places(&self, numbering: Numbering) -> Vec<(usize, u32)> {
        let (prepared, ports) = (self.present(), &self.network.flat.ports);
        let first = prepared.code.inputs;
        let mut places = self.state_places();
        for (number, used) in self.network.flat.programs.signals.iter().enumerate() {
            if matches!(used, UsedSignal::Other(_)) {
                places.push((first as usize + number, numbering.number(Origin::Bodies)));
            }
        }
        for port in 0..numbering.n_ports {
            for order in 0..2 {
                let place = (first + ports.given(port, order)) as usize;
                places.push((place, numbering.number(Origin::Given(port, order))));
            }
        }
        for &(state, _, input) in &prepared.coupled.given {
            let given = places.iter().find(|(place, _)| *place == (first + input) as usize);
            if let Some(&(_, origin)) = given {
                places.push((state.index(), origin));
            }
        }
        let late = numbering.number(Origin::Accelerations);
        places.extend(ports.accelerations().map(|input| ((first + input) as usize, late)));
        places
    }

    /// The places of the states, each with its number.
    fn state_places(&self) -> Vec<(usize, u32)> {
        let leads = self.present().leads.iter().enumerate();
        leads.filter_map(|(k, lead)| lead.map(|(state, _)| (state.index(), k as u32))).collect()
    }

    /// For each state the rates that may depend on it, in some mode.
    pub fn dependences(&self) -> Vec<Vec<usize>> {
        let n = self.network.n_states();
        let switches = !self.network.flat.modes.is_empty() || self.has_choices();
        if switches && n <= FEW_STATES || self.now.kept.is_empty() {
            return vec![(0..n).collect(); n];
        }
        let mut columns: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (row, states) in self.present_dependences().into_iter().enumerate() {
            states.into_iter().for_each(|column| columns[column as usize].push(row));
        }
        if switches {
            widen(&mut columns);
        }
        columns
    }

    /// The same in the present mode, and those that may depend on anything because they wait for accelerations.
    pub(crate) fn dependences_now(&self) -> Vec<Vec<usize>> {
        if self.now.kept.is_empty() {
            return self.dependences();
        }
        let mut columns: Vec<Vec<usize>> = vec![Vec::new(); self.network.n_states()];
        for (row, states) in self.present_dependences().into_iter().enumerate() {
            states.into_iter().for_each(|column| columns[column as usize].push(row));
        }
        columns
    }

    /// Does the rate of a state wait for the accelerations of the mechanics?
    pub fn is_late(&self, state: usize) -> bool {
        self.now
            .kept
            .get(self.now.current)
            .is_some_and(|now| now.coupled.late_rates.get(state) == Some(&true))
    }

    /// Does the value of a storage depend on states in the present combination? Then storages share something,
    /// and what they share is distributed among them.
    pub(crate) fn is_shared(&self, storage: usize) -> bool {
        let (lists, of) = self.walk(Level::Events);
        let place = self.present().code.asked(Level::Events)[storage];
        !lists[of[place as usize] as usize].is_empty()
    }

    /// For each number of the code: do states change it in the present combination?
    pub(crate) fn changing(&self) -> Vec<bool> {
        let (lists, of) = self.walk(Level::Rates);
        of.iter().map(|&list| !lists[list as usize].is_empty()).collect()
    }

    /// For each rate the states it depends on in the present combination.
    fn present_dependences(&self) -> Vec<Vec<u32>> {
        let (lists, of) = self.walk(Level::Rates);
        let rates = self.present().code.asked(Level::Rates).iter().take(self.network.n_states());
        rates.map(|&place| lists[of[place as usize] as usize].clone()).collect()
    }

    /// What each place depends on, as far as a level needs it: lists of states, and the list of each place.
    fn walk(&self, level: Level) -> (Vec<Vec<u32>>, Vec<u32>) {
        self.trace_from(self.state_places(), level)
    }

    /// The same for any beginnings, which are places with their numbers.
    pub(crate) fn trace_from(
        &self,
        beginnings: Vec<(usize, u32)>,
        level: Level,
    ) -> (Vec<Vec<u32>>, Vec<u32>) {
        let code = &self.present().code;
        // What each place depends on; shared lists are kept once.
        let mut lists: Vec<Vec<u32>> = vec![Vec::new()];
        let mut of: Vec<u32> = vec![0; code.values.len()];
        for (place, number) in beginnings {
            lists.push(vec![number]);
            of[place] = lists.len() as u32 - 1;
        }
        let mut first = 0;
        for number in 0..=level as usize {
            for block in &code.blocks[first..code.ends[number]] {
                trace_block(&mut lists, &mut of, code, block);
            }
            first = code.ends[number];
            // Later levels use what earlier ones were asked for.
            trace_all(&mut lists, &mut of, code, &code.tails[number]);
        }
        (lists, of)
    }
}

/// What the unknowns of a block depend on.
fn trace_block(lists: &mut Vec<Vec<u32>>, of: &mut [u32], code: &Code, block: &Block) {
    let (ranges, results) = block.ranges(code);
    ranges.iter().for_each(|range| trace_all(lists, of, code, range));
    if !results.is_empty() {
        let merged = merge(lists, of, &results);
        block.unknowns.iter().for_each(|unknown| of[unknown.index()] = merged);
    }
    match &block.kind {
        BlockKind::Explicit { .. } => {}
        BlockKind::Linear(linear) => trace_all(lists, of, code, &linear.after),
        // What the iteration computes depends on what its unknowns depend on.
        BlockKind::Newton(newton) => trace_all(lists, of, code, &newton.inner),
    }
}

fn trace_all(lists: &mut Vec<Vec<u32>>, of: &mut [u32], code: &Code, range: &Range<u32>) {
    let instructions = &code.instructions[range.start as usize..range.end as usize];
    instructions.iter().for_each(|instruction| trace(lists, of, instruction, &code.terms));
}

/// What the target of an instruction depends on.
fn trace(lists: &mut Vec<Vec<u32>>, of: &mut [u32], instruction: &Instruction, terms: &[Term]) {
    let Instruction { operation, target, operands: [a, b, c] } = *instruction;
    let merged = match operation {
        Operation::UnlessPositive | Operation::UnlessState(_) | Operation::Skip => return,
        // Both branches of a condition move their values to one place.
        Operation::Move => merge(lists, of, &[target, a]),
        Operation::Sum => {
            let terms = &terms[a as usize..(a + b) as usize];
            let places: Vec<u32> = terms.iter().flat_map(|term| term.places).collect();
            merge(lists, of, &places)
        }
        _ => merge(lists, of, &[a, b, c]),
    };
    of[target as usize] = merged;
}

/// The union of what several places depend on.
fn merge(lists: &mut Vec<Vec<u32>>, of: &[u32], places: &[u32]) -> u32 {
    let mut found: Vec<u32> =
        places.iter().map(|&place| of[place as usize]).filter(|&l| l != 0).collect();
    found.sort_unstable();
    found.dedup();
    match found[..] {
        [] => 0,
        [single] => single,
        _ => {
            let mut union: Vec<u32> =
                found.iter().flat_map(|&list| lists[list as usize].iter().copied()).collect();
            union.sort_unstable();
            union.dedup();
            // Often one of them has it all.
            if let Some(&same) = found.iter().find(|&&list| lists[list as usize] == union) {
                return same;
            }
            lists.push(union);
            lists.len() as u32 - 1
        }
    }
}

/// Where valves close, what two neighbours depend on becomes one.
fn widen(columns: &mut [Vec<usize>]) {
    let before: Vec<Vec<usize>> = columns.to_vec();
    for rows in columns.iter_mut() {
        let mut all: Vec<usize> =
            rows.iter().flat_map(|&row| before[row].iter().copied()).collect();
        all.extend(rows.iter());
        all.sort_unstable();
        all.dedup();
        *rows = all;
    }
}
