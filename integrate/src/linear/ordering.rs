//! An order of elimination that creates few new entries: minimum degree.
//!
//! The graph of what is left is kept as a quotient graph (George and Liu, SIAM Review 31 (1989) 1): an
//! eliminated node becomes an element that stands for the clique of its neighbours, and elements that
//! lie inside a new one are absorbed. Degrees are upper bounds, as in the approximate algorithm of Amestoy,
//! Davis and Duff (1996), and nodes with very many neighbours come last, as there. Ties go to the lower number, so
//! that the order is always the same.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A node with more neighbours than this times the root of the number of nodes, and than the least, comes last: its lists
/// would be looked through at every step.
const MANY: f64 = 10.0;
const LEAST_MANY: f64 = 16.0;

/// Order of elimination for a matrix whose columns have these rows; the pattern is made symmetric.
pub fn minimum_degree(starts: &[u32], rows: &[u32]) -> Vec<u32> {
    let n = starts.len().saturating_sub(1);
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); n];
    for column in 0..n {
        for &row in &rows[starts[column] as usize..starts[column + 1] as usize] {
            if row as usize != column {
                neighbours[column].push(row);
                neighbours[row as usize].push(column as u32);
            }
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    eliminate(neighbours)
}

fn eliminate(mut neighbours: Vec<Vec<u32>>) -> Vec<u32> {
    let n = neighbours.len();
    let mut elements: Vec<Vec<u32>> = vec![Vec::new(); n];
    // Members of the clique of each eliminated node.
    let mut cliques: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut degree: Vec<u32> = neighbours.iter().map(|list| list.len() as u32).collect();
    let many = f64::max(MANY * (n as f64).sqrt(), LEAST_MANY) as usize;
    let mut gone: Vec<bool> = neighbours.iter().map(|list| list.len() > many).collect();
    let mut last: Vec<u32> = (0..n as u32).filter(|&k| gone[k as usize]).collect();
    last.sort_by_key(|&k| degree[k as usize]);
    let mut mark = vec![u32::MAX; n];
    let mut heap: BinaryHeap<Reverse<(u32, u32)>> =
        (0..n as u32).map(|k| Reverse((degree[k as usize], k))).collect();
    let mut order = Vec::with_capacity(n);
    while let Some(Reverse((stated, node))) = heap.pop() {
        let pivot = node as usize;
        if gone[pivot] || stated != degree[pivot] {
            continue;
        }
        gone[pivot] = true;
        order.push(node);
        mark[pivot] = node;
        let mut clique = Vec::new();
        let absorbed = std::mem::take(&mut elements[pivot]);
        let own = std::mem::take(&mut neighbours[pivot]);
        let inherited: Vec<u32> =
            absorbed.iter().flat_map(|&e| std::mem::take(&mut cliques[e as usize])).collect();
        for member in own.into_iter().chain(inherited) {
            if !gone[member as usize] && mark[member as usize] != node {
                mark[member as usize] = node;
                clique.push(member);
            }
        }
        for &member in &clique {
            let member = member as usize;
            // Neighbours inside the clique are reached through it.
            neighbours[member].retain(|&k| mark[k as usize] != node && !gone[k as usize]);
            elements[member].retain(|&e| !cliques[e as usize].is_empty());
            elements[member].push(node);
        }
        cliques[pivot] = clique;
        for at in 0..cliques[pivot].len() {
            let member = cliques[pivot][at] as usize;
            let through: usize =
                elements[member].iter().map(|&e| cliques[e as usize].len() - 1).sum();
            degree[member] = (neighbours[member].len() + through) as u32;
            heap.push(Reverse((degree[member], member as u32)));
        }
    }
    order.extend(last);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A star is eliminated from its tips, which creates no entry at all.
    #[test]
    fn the_centre_of_a_star_comes_last() {
        let n = 6u32;
        let starts: Vec<u32> = (0..=n).collect();
        let rows = vec![0; n as usize];
        let order = minimum_degree(&starts, &rows);
        assert_eq!(order.len(), 6);
        assert!(order[4..].contains(&0), "{order:?}");
    }

    /// A star with many tips, whose elimination takes as many steps as there are tips.
    #[test]
    fn the_centre_of_a_large_star_comes_last() {
        let n = 100_000u32;
        let starts: Vec<u32> = (0..=n).collect();
        let order = minimum_degree(&starts, &vec![7; n as usize]);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..n));
        assert_eq!(order.last(), Some(&7));
    }
}
