//! Which rates depend on which states: the pattern of the Jacobian.
//!
//! Beside states, a rate may depend on what the mechanics tells: coordinates and speeds at ports, other signals, and the
//! accelerations at ports, which in turn depend on all forces of the networks on the mechanics.

use std::ops::Range;

use crate::code::block_compiler::{Block, BlockKind, Code, Instruction, Level, Operation};
use crate::code::sums::Term;
use crate::passes::storages::Lead;
use crate::prepared::combination::{Combination, Prepared};
use crate::prepared::network_model::Network;
use equations::programs::UsedSignal;

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

/// The rates of a combination and what they depend on.
#[derive(Clone, Copy)]
pub(crate) struct Dependences<'a> {
    pub network: &'a Network,
    pub prepared: &'a Prepared,
}

impl<'a> Dependences<'a> {
    /// The dependences of a combination.
    pub fn new(network: &'a Network, combination: &'a Combination) -> Self {
        Self { network, prepared: &combination.fixed }
    }

    /// What rates and forces depend on.
    pub fn origins(self) -> Origins {
        let code = &self.prepared.code;
        let (n_states, n_ports) = (self.network.n_states(), self.network.flat.ports.list.len());
        let numbering = Numbering { n_states, n_ports };
        let trace = Trace::new(code, &self.outer_places(numbering), Level::Rates);
        let list = |place: u32| {
            let numbers = trace.of(place).iter();
            numbers.map(|&number| numbering.origin(number)).collect::<Vec<_>>()
        };
        let (rates, forces) = code.asked(Level::Rates).split_at(n_states);
        // All that acts on the mechanics: momenta, forces, and accelerations of ports that are held.
        let early = self.network.before_forces().acting(code.asked(Level::Forces));
        let mut all: Vec<u32> = early.chain(forces[..n_ports].iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        let mut forces: Vec<Origin> = Vec::new();
        for origin in all.into_iter().flat_map(list) {
            if !forces.contains(&origin) {
                forces.push(origin);
            }
        }
        Origins { rates: rates.iter().map(|&place| list(place)).collect(), forces }
    }

    /// The places that states and the mechanics fill, each with the number of what it stands for.
    fn outer_places(self, numbering: Numbering) -> Vec<Source> {
        let ports = &self.network.flat.ports;
        let first = self.prepared.code.inputs;
        let mut places = self.state_places();
        for (number, used) in self.network.flat.programs.signals.iter().enumerate() {
            if matches!(used, UsedSignal::Other(_)) {
                let place = first as usize + number;
                places.push(Source { place, number: numbering.number(Origin::Bodies) });
            }
        }
        for port in 0..numbering.n_ports {
            for order in 0..2 {
                let place = (first + ports.given(port, order)) as usize;
                let number = numbering.number(Origin::Given(port, order));
                places.push(Source { place, number });
            }
        }
        for given in &self.prepared.coupled.given {
            let input = (first + given.input) as usize;
            if let Some(&Source { number, .. }) = places.iter().find(|known| known.place == input) {
                places.push(Source { place: given.state.index(), number });
            }
        }
        let number = numbering.number(Origin::Accelerations);
        let late = ports.accelerations();
        places.extend(late.map(|input| Source { place: (first + input) as usize, number }));
        places
    }

    /// The places of the states, each with its number.
    fn state_places(self) -> Vec<Source> {
        let leads = self.prepared.leads.iter().enumerate();
        let source = |(k, lead): (usize, &Option<Lead>)| {
            lead.map(|lead| Source { place: lead.state.index(), number: k as u32 })
        };
        leads.filter_map(source).collect()
    }

    /// What each number depends on, as far as a level needs it: numbers of states.
    fn by_states(self, level: Level) -> Trace {
        Trace::new(&self.prepared.code, &self.state_places(), level)
    }

    /// For each state the rates that depend on it, and rates that may depend on anything because they wait for accelerations.
    pub fn columns(self) -> Vec<Vec<usize>> {
        let mut columns: Vec<Vec<usize>> = vec![Vec::new(); self.network.n_states()];
        let trace = self.by_states(Level::Rates);
        let rates = self.prepared.code.asked(Level::Rates).iter().take(self.network.n_states());
        for (row, &place) in rates.enumerate() {
            trace.of(place).iter().for_each(|&column| columns[column as usize].push(row));
        }
        columns
    }

    /// Does the value of a storage depend on states? Then storages share charge or momentum, which is distributed among them.
    pub fn is_shared(self, storage: usize) -> bool {
        let place = self.prepared.code.asked(Level::Events)[storage];
        !self.by_states(Level::Events).of(place).is_empty()
    }

    /// For each number of the code: do states change it?
    pub fn changing(self) -> Vec<bool> {
        let trace = self.by_states(Level::Rates);
        (0..trace.of.len() as u32).map(|place| !trace.of(place).is_empty()).collect()
    }
}

/// For each state the rates that may depend on it, in some mode; all before the start.
pub(super) fn in_any_mode(network: &Network, present: Option<&Combination>) -> Vec<Vec<usize>> {
    let n = network.n_states();
    let has_choices = present.is_some_and(|present| !present.fixed.groups.is_empty());
    let switches = !network.flat.modes.is_empty() || has_choices;
    let Some(present) = present.filter(|_| !switches || n > FEW_STATES) else {
        return vec![(0..n).collect(); n];
    };
    let mut columns = Dependences::new(network, present).columns();
    if switches {
        widen(&mut columns);
    }
    columns
}

/// A place in the code where a dependence begins, and the number that stands for it.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub place: usize,
    pub number: u32,
}

/// What each number of a code depends on.
pub(crate) struct Trace {
    /// Ascending lists of sources; the first is empty.
    lists: Vec<Vec<u32>>,
    /// The list of each place. Places that depend on the same sources share a list.
    of: Vec<u32>,
}

impl Trace {
    /// Follows the sources through the code, as far as a level needs it.
    pub fn new(code: &Code, sources: &[Source], level: Level) -> Self {
        let mut lists: Vec<Vec<u32>> = vec![Vec::new()];
        let mut of: Vec<u32> = vec![0; code.values.len()];
        for &Source { place, number } in sources {
            lists.push(vec![number]);
            of[place] = lists.len() as u32 - 1;
        }
        let mut trace = Self { lists, of };
        let mut first = 0;
        for number in 0..=level as usize {
            for block in &code.blocks[first..code.ends[number]] {
                trace.block(code, block);
            }
            first = code.ends[number];
            // Later levels use what earlier ones were asked for.
            trace.range(code, &code.tails[number]);
        }
        trace
    }

    /// The sources that a place depends on.
    pub fn of(&self, place: u32) -> &[u32] {
        &self.lists[self.of[place as usize] as usize]
    }

    /// For each place: does it depend on any source?
    pub fn reached(&self) -> Vec<bool> {
        self.of.iter().map(|&list| list != 0).collect()
    }

    /// What the unknowns of a block depend on.
    fn block(&mut self, code: &Code, block: &Block) {
        let (ranges, results) = block.ranges(code);
        ranges.iter().for_each(|range| self.range(code, range));
        if !results.is_empty() {
            let merged = self.merge(&results);
            block.unknowns.iter().for_each(|unknown| self.of[unknown.index()] = merged);
        }
        match &block.kind {
            BlockKind::Explicit { .. } => {}
            BlockKind::Linear(linear) => self.range(code, &linear.after),
            // What the iteration computes depends on what its unknowns depend on.
            BlockKind::Newton(newton) => self.range(code, &newton.inner),
        }
    }

    fn range(&mut self, code: &Code, range: &Range<u32>) {
        let instructions = &code.instructions[range.start as usize..range.end as usize];
        instructions.iter().for_each(|instruction| self.instruction(instruction, &code.terms));
    }

    /// What the target of an instruction depends on.
    fn instruction(&mut self, instruction: &Instruction, terms: &[Term]) {
        let Instruction { operation, target, operands: [a, b, c] } = *instruction;
        let merged = match operation {
            Operation::UnlessPositive | Operation::UnlessState(_) | Operation::Skip => return,
            // Both branches of a condition move their values to one place.
            Operation::Move => self.merge(&[target, a]),
            Operation::Sum => {
                let terms = &terms[a as usize..(a + b) as usize];
                let places: Vec<u32> = terms.iter().flat_map(|term| term.places).collect();
                self.merge(&places)
            }
            _ => self.merge(&[a, b, c]),
        };
        self.of[target as usize] = merged;
    }

    /// The list with all that several places depend on.
    fn merge(&mut self, places: &[u32]) -> u32 {
        let mut found: Vec<u32> =
            places.iter().map(|&place| self.of[place as usize]).filter(|&l| l != 0).collect();
        found.sort_unstable();
        found.dedup();
        match found[..] {
            [] => 0,
            [single] => single,
            _ => {
                let lists = found.iter().flat_map(|&list| self.lists[list as usize].iter());
                let mut union: Vec<u32> = lists.copied().collect();
                union.sort_unstable();
                union.dedup();
                // Often one of the lists has it all.
                if let Some(&same) = found.iter().find(|&&list| self.lists[list as usize] == union)
                {
                    return same;
                }
                self.lists.push(union);
                self.lists.len() as u32 - 1
            }
        }
    }
}

/// Adds to each column the rows that its neighbours reach: where a valve closes, the rates of two neighbours come to depend on
/// the same states.
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
