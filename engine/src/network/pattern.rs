//! Which rates depend on which states: the pattern of the Jacobian.

use std::ops::Range;

use super::compile::{Block, BlockKind, Code, Instruction, Level, Operation};
use super::run::NetworkRun;
use super::sums::Term;

/// Up to this many states a network that switches is taken to have all entries.
const FEW_STATES: usize = 100;

impl NetworkRun<'_> {
    /// For each state the rates that may depend on it, in some mode.
    pub(crate) fn dependences(&self) -> Vec<Vec<usize>> {
        let n = self.network.n_states();
        let switches = !self.network.flat.modes.is_empty() || self.has_choices();
        if switches && n <= FEW_STATES || self.kept.is_empty() {
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
        if self.kept.is_empty() {
            return self.dependences();
        }
        let mut columns: Vec<Vec<usize>> = vec![Vec::new(); self.network.n_states()];
        for (row, states) in self.present_dependences().into_iter().enumerate() {
            states.into_iter().for_each(|column| columns[column as usize].push(row));
        }
        columns
    }

    /// Does the rate of a state wait for the accelerations of the mechanics?
    pub(crate) fn is_late(&self, state: usize) -> bool {
        self.kept
            .get(self.current)
            .is_some_and(|now| now.coupled.late_rates.get(state) == Some(&true))
    }

    /// Does the value of a storage depend on states in the present combination? Then storages share something,
    /// and what they share is distributed among them.
    pub(super) fn is_shared(&self, storage: usize) -> bool {
        let (lists, of) = self.walk(Level::Guards);
        let place = self.present().code.asked(Level::Guards)[storage];
        !lists[of[place as usize] as usize].is_empty()
    }

    /// For each number of the code: do states change it in the present combination?
    pub(super) fn changing(&self) -> Vec<bool> {
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
        let prepared = self.present();
        let code = &prepared.code;
        // What each place depends on; shared lists are kept once.
        let mut lists: Vec<Vec<u32>> = vec![Vec::new()];
        let mut of: Vec<u32> = vec![0; code.values.len()];
        for (k, lead) in prepared.leads.iter().enumerate() {
            if let Some((state, _)) = lead {
                lists.push(vec![k as u32]);
                of[state.index()] = lists.len() as u32 - 1;
            }
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
