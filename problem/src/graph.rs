//! What depends on itself through others: strongly connected components of a graph (Tarjan, SIAM J. Comput. 1 (1972)
//! 146). States, equations and variables of bond graphs are sorted with it.

const UNSEEN: u32 = u32::MAX;

/// Nodes of a search that follows no recursion.
struct ComponentSearch<'a> {
    edges: &'a [Vec<u32>],
    /// Order in which nodes were met, and the earliest node each leads back to.
    number: Vec<u32>,
    low: Vec<u32>,
    is_open: Vec<bool>,
    stack: Vec<u32>,
    counter: u32,
    components: Vec<Vec<usize>>,
}

/// The strongly connected components of a graph with edges from each node to those that it needs. What a component needs
/// stands before it; each is ascending.
pub fn strong_components(edges: &[Vec<u32>]) -> Vec<Vec<usize>> {
    let n = edges.len();
    let mut search = ComponentSearch {
        edges,
        number: vec![UNSEEN; n],
        low: vec![0; n],
        is_open: vec![false; n],
        stack: Vec::new(),
        counter: 0,
        components: Vec::new(),
    };
    for root in 0..n {
        if search.number[root] == UNSEEN {
            search.from(root);
        }
    }
    search.components
}

impl ComponentSearch<'_> {
    fn from(&mut self, root: usize) {
        self.open(root);
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            let Some(&other) = self.edges[node].get(*next) else {
                path.pop();
                if let Some(&(mother, _)) = path.last() {
                    self.low[mother] = self.low[mother].min(self.low[node]);
                }
                self.close(node);
                continue;
            };
            *next += 1;
            let other = other as usize;
            if self.number[other] == UNSEEN {
                self.open(other);
                path.push((other, 0));
            } else if self.is_open[other] {
                self.low[node] = self.low[node].min(self.number[other]);
            }
        }
    }

    fn open(&mut self, node: usize) {
        (self.number[node], self.low[node]) = (self.counter, self.counter);
        self.counter += 1;
        self.is_open[node] = true;
        self.stack.push(node as u32);
    }

    /// If a node leads back to none before it, it and what is above it on the stack are a component.
    fn close(&mut self, node: usize) {
        if self.low[node] != self.number[node] {
            return;
        }
        let start = self.stack.iter().rposition(|&k| k as usize == node).unwrap_or(0);
        let mut component: Vec<usize> = self.stack.drain(start..).map(|k| k as usize).collect();
        component.iter().for_each(|&k| self.is_open[k] = false);
        component.sort_unstable();
        self.components.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rings_and_a_tail() {
        // 0 -> 1 -> 2 -> 0, 2 -> 3, 3 <-> 4, 4 -> 5.
        let edges = [vec![1], vec![2], vec![0, 3], vec![4], vec![3, 5], vec![]];
        let mut found = strong_components(&edges);
        found.sort();
        assert_eq!(found, [vec![0, 1, 2], vec![3, 4], vec![5]]);
    }

    #[test]
    fn a_long_chain_overflows_no_stack() {
        let n = 200_000u32;
        let edges: Vec<Vec<u32>> = (0..n).map(|k| vec![(k + 1) % n]).collect();
        assert_eq!(strong_components(&edges).len(), 1);
    }
}
