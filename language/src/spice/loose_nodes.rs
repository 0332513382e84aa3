//! Nodes that SPICE takes and that a network of the language does not: nodes that join one terminal, that only expressions look at,
//! and parts of the circuit without a way to ground at rest. They get a resistance so large that it carries nothing.

use std::collections::HashMap;

use super::block::Block;
use super::translate::Translator;

/// Ohm.
const LARGE: f64 = 1e12;

/// Sets that are joined one after the other.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn root(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a] = b;
    }
}

impl Translator<'_> {
    /// Adds the resistances.
    pub(super) fn tie_loose_nodes(&mut self) {
        let ground = self.nodes.len();
        let mut groups = Groups { parent: (0..=ground).collect() };
        let numbers: HashMap<String, usize> =
            self.nodes.iter().enumerate().map(|(k, node)| (node.clone(), k)).collect();
        let number = |node: &String| numbers.get(node).copied().unwrap_or(ground);
        for (a, b) in &self.links {
            groups.join(number(a), number(b));
        }
        for (k, node) in self.nodes.clone().into_iter().enumerate() {
            // A node that stands in a line that could not be written joins nothing.
            let Some(&terminals) = self.terminals.get(&node) else { continue };
            let is_floating = groups.root(k) != groups.root(ground);
            // What only expressions look at needs two terminals, as any other node.
            let missing = 2_usize.saturating_sub(terminals).max(usize::from(is_floating));
            for copy in 0..missing {
                let name = if copy == 0 { format!("{node}.load") } else { format!("{node}.hold") };
                let block = Block::new("Resistor", &name).word("p", &node).word("n", "gnd");
                self.write(block.number("R", LARGE));
            }
            if missing > 0 {
                groups.join(k, ground);
            }
        }
    }
}
