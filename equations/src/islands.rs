//! Parts of a network that nothing ties to a reference.

use crate::flat::{Flat, Tie};

/// A forest over nodes or variables.
pub struct Forest(Vec<u32>);

impl Forest {
    /// Every node by itself.
    pub fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// The member that stands for the part of a member.
    pub fn root(&mut self, node: usize) -> usize {
        let mut at = node;
        while self.0[at] as usize != at {
            // Halving the path keeps later ways short.
            self.0[at] = self.0[self.0[at] as usize];
            at = self.0[at] as usize;
        }
        at
    }

    /// Joins the parts of two members; false if the two were together already. The older node stays the root.
    pub fn unite(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.0[high] = low as u32;
        low != high
    }
}

/// Does a tie hold in these modes?
fn holds(tie: &Tie, modes: &[i8]) -> bool {
    tie.only_in.is_none_or(|(mode, value)| modes.get(mode as usize) == Some(&value))
}

/// One node of each part that has no reference while these modes hold.
pub fn islands(flat: &Flat, modes: &[i8]) -> Vec<usize> {
    parts_without_reference(flat, |tie| holds(tie, modes))
}

/// One node of each part that no tie joins to a reference, where only ties count that a condition picks.
pub fn parts_without_reference(flat: &Flat, counts: impl Fn(&Tie) -> bool) -> Vec<usize> {
    let mut forest = Forest::new(flat.potentials.len());
    for tie in flat.ties.iter().filter(|tie| counts(tie)) {
        forest.unite(tie.nodes[0].index(), tie.nodes[1].index());
    }
    // A part has a reference if an element of its own gives a node its potential, or if a node is a reference itself.
    let mut grounded = vec![false; flat.potentials.len()];
    for &node in &flat.held {
        grounded[forest.root(node.index())] = true;
    }
    for node in 0..flat.potentials.len() {
        if flat.balances[node].is_none() {
            let root = forest.root(node);
            grounded[root] = true;
        }
    }
    // Each part counts once, by its root.
    (0..flat.potentials.len())
        .filter(|&node| forest.root(node) == node && !grounded[node])
        .collect()
}
