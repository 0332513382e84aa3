//! The order in which unknowns of a sparse symmetric system are eliminated: minimum degree.
//!
//! Tinney and Walker's rule (1967): next comes the unknown with the fewest neighbours; its neighbours
//! become neighbours of each other. A chain is eliminated from its ends without any fill.

use std::collections::{BTreeMap, BTreeSet};

/// The nodes of a graph in the order of elimination; `edges` joins nodes below `n` in any order.
pub(super) fn minimum_degree(
    n: usize,
    edges: impl IntoIterator<Item = (usize, usize)>,
) -> Vec<usize> {
    let mut neighbours: BTreeMap<usize, BTreeSet<usize>> =
        (0..n).map(|node| (node, BTreeSet::new())).collect();
    let mut join = |a: usize, b: usize| {
        if a != b {
            neighbours.entry(a).or_default().insert(b);
            neighbours.entry(b).or_default().insert(a);
        }
    };
    edges.into_iter().for_each(|(a, b)| join(a, b));
    let mut queue: BTreeSet<(usize, usize)> =
        neighbours.iter().map(|(&node, around)| (around.len(), node)).collect();
    let mut order = Vec::with_capacity(n);
    while let Some((_, node)) = queue.pop_first() {
        order.push(node);
        let around = neighbours.remove(&node).unwrap_or_default();
        for &a in &around {
            let Some(of_a) = neighbours.get_mut(&a) else { continue };
            queue.remove(&(of_a.len(), a));
            of_a.remove(&node);
            of_a.extend(around.iter().filter(|&&b| b != a));
            queue.insert((of_a.len(), a));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_eliminated_from_its_ends() {
        // Written in a bad order: 0 - 4 - 1 - 3 - 2.
        let order = minimum_degree(5, [(0, 4), (4, 1), (1, 3), (3, 2)]);
        assert_eq!(order, [0, 2, 3, 1, 4]);
    }

    #[test]
    fn the_centre_of_a_star_comes_late() {
        let order = minimum_degree(6, (1..6).map(|leaf| (0, leaf)));
        assert!(order.iter().position(|&node| node == 0) >= Some(4), "{order:?}");
    }

    #[test]
    fn nodes_without_neighbours_are_kept() {
        assert_eq!(minimum_degree(3, []), [0, 1, 2]);
    }
}
