//! Pass 6: which unknowns of a loop have to be guessed so that all others follow one after the other.
//!
//! Finding the fewest is NP-complete; the greedy choice of the unknown that occurs in most of the equations
//! that are left comes near (Elmqvist and Otter 1994; Cellier and Kofman, *Continuous System Simulation*, 7.9).

use super::expr::{Arena, Marks, VarId};
use super::structure::Structure;

/// The unknowns to guess, and the equations that are left to check them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tearing {
    /// Unknowns that are guessed.
    pub variables: Vec<VarId>,
    /// Equations that determine them in the end.
    pub residuals: Vec<usize>,
}

/// Tears a block. An equation gives one of its unknowns only if that occurs linearly, with a constant factor.
pub(crate) fn tear(arena: &mut Arena, structure: &Structure, block: &[usize]) -> Tearing {
    let unknowns: Vec<VarId> = block.iter().filter_map(|&e| structure.solves[e]).collect();
    let mut sorted = unknowns.clone();
    sorted.sort_unstable();
    let column = |variable: &VarId| sorted.binary_search(variable).ok();
    let inside: Vec<Vec<usize>> =
        block.iter().map(|&e| structure.incidence[e].iter().filter_map(column).collect()).collect();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); sorted.len()];
    for (row, columns) in inside.iter().enumerate() {
        columns.iter().for_each(|&c| users[c].push(row));
    }
    let mut left: Vec<usize> = inside.iter().map(Vec::len).collect();
    let mut uses: Vec<usize> = users.iter().map(Vec::len).collect();
    let mut known = vec![false; sorted.len()];
    let mut used = vec![false; block.len()];
    let mut ready: Vec<usize> = (0..block.len()).rev().filter(|&row| left[row] == 1).collect();
    let mut tearing = Tearing::default();
    let mut open = sorted.len();
    while open > 0 {
        let found = loop {
            let Some(row) = ready.pop() else { break None };
            let free = inside[row].iter().copied().find(|&c| !known[c]);
            if let Some(c) =
                free.filter(|&c| !used[row] && is_linear(arena, structure, block[row], sorted[c]))
            {
                break Some((row, c));
            }
        };
        let c = match found {
            Some((row, c)) => {
                used[row] = true;
                inside[row].iter().for_each(|&c| uses[c] = uses[c].saturating_sub(1));
                c
            }
            None => {
                let best = (0..sorted.len())
                    .filter(|&c| !known[c])
                    .max_by_key(|&c| (uses[c], usize::MAX - c));
                let Some(c) = best else { break };
                tearing.variables.push(sorted[c]);
                c
            }
        };
        known[c] = true;
        open -= 1;
        for &row in &users[c] {
            left[row] -= 1;
            if left[row] == 1 && !used[row] {
                ready.push(row);
            }
        }
    }
    tearing.residuals = (0..block.len()).filter(|&row| !used[row]).map(|row| block[row]).collect();
    tearing
}

/// Does the variable occur linearly, with a factor that is a number other than zero?
fn is_linear(arena: &mut Arena, structure: &Structure, equation: usize, variable: VarId) -> bool {
    let mut marks = Marks::default();
    let mut sum = 0.0;
    for &term in &structure.equations[equation].terms {
        let mut occurs = false;
        arena.variables(term, &mut marks, |found| occurs |= found == variable);
        if !occurs {
            continue;
        }
        let slope = super::derive::partial(arena, term, variable);
        match arena.value(slope) {
            Some(number) => sum += number,
            None => return false,
        }
    }
    sum != 0.0
}
