//! Whole numbers for the vertices of a graph without cycles, so that every edge is at least as long as it must be and
//! the weighted sum of all lengths is smallest.
//!
//! The network simplex method of Gansner, Koutsofios, North, Vo, "A technique for drawing directed graphs" (IEEE
//! Transactions on Software Engineering 19, 1993). It finds the layers of a drawing as well as the heights of its boxes.
//! A tree of edges that are as short as they may be fixes all numbers; one that should be longer leaves the tree, the
//! first that then becomes as short as it may be enters, until nothing gets better.

/// An edge from `tail` to `head`: the number of the head is greater by `length` at least.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub tail: usize,
    pub head: usize,
    pub length: i64,
    pub weight: i64,
}

/// How many leaving edges are compared before one is taken, as Gansner et al. propose.
const SEARCHED: usize = 30;
/// Work after which the numbers are taken as they are: they are feasible at any time, and nearly best by then.
const MOST_WORK: usize = 60_000_000;

/// The numbers; the smallest is 0. The graph has no cycles.
pub fn solve(count: usize, edges: &[Edge]) -> Vec<i64> {
    if count == 0 {
        return Vec::new();
    }
    let mut simplex = Simplex::new(count, edges);
    simplex.span_tree();
    simplex.number(0, None);
    let mut work = 0;
    while work < MOST_WORK
        && let Some(leaving) = simplex.leaving()
    {
        work += simplex.exchange(leaving);
    }
    let least = simplex.rank.iter().copied().min().unwrap_or(0);
    simplex.rank.iter().map(|rank| rank - least).collect()
}

struct Simplex {
    edges: Vec<Edge>,
    /// The edges at each vertex.
    at: Vec<Vec<usize>>,
    rank: Vec<i64>,
    in_tree: Vec<bool>,
    /// The tree edges at each vertex.
    tree: Vec<Vec<usize>>,
    /// The tree edge towards the root.
    parent: Vec<Option<usize>>,
    /// Number in postorder, and the least number below: the vertices below have all numbers in between.
    last: Vec<usize>,
    first: Vec<usize>,
    /// The vertex of each number in postorder.
    by_number: Vec<usize>,
    /// Weight of the edges that leave the subtree without that of those that enter it.
    excess: Vec<i64>,
    /// Where the search for a leaving edge goes on.
    next: usize,
}

impl Simplex {
    fn new(count: usize, edges: &[Edge]) -> Self {
        let mut at = vec![Vec::new(); count];
        for (index, edge) in edges.iter().enumerate() {
            at[edge.tail].push(index);
            at[edge.head].push(index);
        }
        let rank = longest_paths(count, edges, &at);
        Self {
            edges: edges.to_vec(),
            at,
            rank,
            in_tree: vec![false; edges.len()],
            tree: vec![Vec::new(); count],
            parent: vec![None; count],
            last: vec![0; count],
            first: vec![0; count],
            by_number: vec![0; count],
            excess: vec![0; count],
            next: 0,
        }
    }

    /// How much longer an edge is than it must be.
    fn slack(&self, edge: usize) -> i64 {
        let Edge { tail, head, length, .. } = self.edges[edge];
        self.rank[head] - self.rank[tail] - length
    }

    fn other(&self, edge: usize, vertex: usize) -> usize {
        let Edge { tail, head, .. } = self.edges[edge];
        if tail == vertex { head } else { tail }
    }

    /// Joins trees of tight edges, the smallest first, by moving each to its nearest neighbour.
    fn span_tree(&mut self) {
        let count = self.rank.len();
        let mut tree_of: Vec<usize> = (0..count).collect();
        let mut members: Vec<Vec<usize>> = (0..count).map(|vertex| vec![vertex]).collect();
        let mut queue: std::collections::BTreeSet<(usize, usize)> =
            (0..count).map(|vertex| (1, vertex)).collect();
        while queue.len() > 1
            && let Some((_, smallest)) = queue.pop_first()
        {
            let nearest = members[smallest]
                .iter()
                .flat_map(|&vertex| &self.at[vertex])
                .copied()
                .filter(|&edge| tree_of[self.edges[edge].tail] != tree_of[self.edges[edge].head])
                .min_by_key(|&edge| (self.slack(edge), edge));
            let edge = nearest.unwrap_or_else(|| self.bridge(smallest, &queue));
            let slack = self.slack(edge);
            let is_tail = tree_of[self.edges[edge].tail] == smallest;
            for &vertex in &members[smallest] {
                self.rank[vertex] += if is_tail { slack } else { -slack };
            }
            self.in_tree[edge] = true;
            let Edge { tail, head, .. } = self.edges[edge];
            self.tree[tail].push(edge);
            self.tree[head].push(edge);
            let into = tree_of[if is_tail { head } else { tail }];
            queue.remove(&(members[into].len(), into));
            let moved = std::mem::take(&mut members[smallest]);
            moved.iter().for_each(|&vertex| tree_of[vertex] = into);
            members[into].extend(moved);
            queue.insert((members[into].len(), into));
        }
    }

    /// An edge of no weight to another part of a graph that does not hang together.
    fn bridge(
        &mut self,
        tree: usize,
        others: &std::collections::BTreeSet<(usize, usize)>,
    ) -> usize {
        let head = others.first().map_or(tree, |&(_, other)| other);
        let length = self.rank[head] - self.rank[tree];
        self.edges.push(Edge { tail: tree, head, length, weight: 0 });
        self.in_tree.push(false);
        let index = self.edges.len() - 1;
        self.at[tree].push(index);
        self.at[head].push(index);
        index
    }

    /// Numbers the part of the tree below a vertex in postorder and sums up its weights.
    fn number(&mut self, root: usize, from: Option<(Option<usize>, usize)>) {
        let (parent, mut number) = from.unwrap_or((None, 0));
        self.parent[root] = parent;
        self.first[root] = number;
        let mut open: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some(&mut (vertex, ref mut next)) = open.last_mut() {
            if let Some(&edge) = self.tree[vertex].get(*next) {
                *next += 1;
                if self.parent[vertex] != Some(edge) {
                    let child = self.other(edge, vertex);
                    self.parent[child] = Some(edge);
                    self.first[child] = number;
                    open.push((child, 0));
                }
                continue;
            }
            open.pop();
            self.last[vertex] = number;
            self.by_number[number] = vertex;
            number += 1;
            let signed = |edge: &usize| {
                let Edge { tail, weight, .. } = self.edges[*edge];
                if tail == vertex { weight } else { -weight }
            };
            let own: i64 = self.at[vertex].iter().map(signed).sum();
            let below: i64 = self.tree[vertex]
                .iter()
                .filter(|&&edge| self.parent[vertex] != Some(edge))
                .map(|&edge| self.excess[self.other(edge, vertex)])
                .sum();
            self.excess[vertex] = own + below;
        }
    }

    /// What one unit more of length of the tree edge above a vertex costs.
    fn cut_value(&self, vertex: usize) -> Option<i64> {
        let edge = self.parent[vertex]?;
        let leaves = self.edges[edge].tail == vertex;
        Some(if leaves { self.excess[vertex] } else { -self.excess[vertex] })
    }

    /// A vertex whose tree edge to the root should be longer.
    fn leaving(&mut self) -> Option<usize> {
        let count = self.rank.len();
        let mut best: Option<(i64, usize)> = None;
        let mut found = 0;
        for step in 0..count {
            let vertex = (self.next + step) % count;
            let Some(value) = self.cut_value(vertex).filter(|value| *value < 0) else { continue };
            if best.is_none_or(|(least, _)| value < least) {
                best = Some((value, vertex));
            }
            found += 1;
            if found == SEARCHED {
                self.next = (vertex + 1) % count;
                break;
            }
        }
        best.map(|(_, vertex)| vertex)
    }

    fn is_below(&self, vertex: usize, top: usize) -> bool {
        (self.first[top]..=self.last[top]).contains(&self.last[vertex])
    }

    /// Takes the edge above a vertex out of the tree and another one in; tells how much work that was.
    fn exchange(&mut self, top: usize) -> usize {
        let Some(leaving) = self.parent[top] else { return usize::MAX };
        let leaves = self.edges[leaving].tail == top;
        let (low, high) = (self.first[top], self.last[top]);
        // The entering edge is at both parts of the tree: it is looked for in the smaller one.
        let count = self.rank.len();
        let inside_is_small = 2 * (high + 1 - low) <= count;
        let numbers: Vec<usize> = match inside_is_small {
            true => (low..=high).collect(),
            false => (0..low).chain(high + 1..count).collect(),
        };
        let entering = numbers
            .iter()
            .flat_map(|&number| &self.at[self.by_number[number]])
            .copied()
            .filter(|&edge| {
                let Edge { tail, head, .. } = self.edges[edge];
                let (tail, head) = (self.is_below(tail, top), self.is_below(head, top));
                if leaves { !tail && head } else { tail && !head }
            })
            .min_by_key(|&edge| (self.slack(edge), edge));
        let Some(entering) = entering else { return MOST_WORK };
        let slack = self.slack(entering);
        let shift = if leaves == inside_is_small { -slack } else { slack };
        for &number in &numbers {
            self.rank[self.by_number[number]] += shift;
        }
        // All that changes lies below the lowest vertex that both ends of the new edge are below.
        let Edge { tail, head, .. } = self.edges[entering];
        let mut meeting = top;
        while !(self.is_below(tail, meeting) && self.is_below(head, meeting)) {
            let Some(edge) = self.parent[meeting] else { break };
            meeting = self.other(edge, meeting);
        }
        let from = (self.parent[meeting], self.first[meeting]);
        let Edge { tail: old_tail, head: old_head, .. } = self.edges[leaving];
        self.tree[old_tail].retain(|&edge| edge != leaving);
        self.tree[old_head].retain(|&edge| edge != leaving);
        self.in_tree[leaving] = false;
        self.in_tree[entering] = true;
        self.tree[tail].push(entering);
        self.tree[head].push(entering);
        let renumbered = self.last[meeting] + 1 - self.first[meeting];
        self.number(meeting, Some(from));
        numbers.len() + renumbered
    }
}

/// The longest way to each vertex from any other: numbers that are feasible.
fn longest_paths(count: usize, edges: &[Edge], at: &[Vec<usize>]) -> Vec<i64> {
    let mut missing = vec![0usize; count];
    edges.iter().for_each(|edge| missing[edge.head] += 1);
    let mut rank = vec![0; count];
    let mut ready: Vec<usize> = (0..count).filter(|&vertex| missing[vertex] == 0).collect();
    while let Some(vertex) = ready.pop() {
        for edge in at[vertex].iter().map(|&edge| edges[edge]).filter(|edge| edge.tail == vertex) {
            rank[edge.head] = i64::max(rank[edge.head], rank[vertex] + edge.length);
            missing[edge.head] -= 1;
            if missing[edge.head] == 0 {
                ready.push(edge.head);
            }
        }
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(rank: &[i64], edges: &[Edge]) -> i64 {
        edges.iter().map(|e| e.weight * (rank[e.head] - rank[e.tail])).sum()
    }

    #[test]
    fn small_graphs_get_the_numbers_that_trying_all_finds() {
        let mut state = 7u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % n
        };
        for _ in 0..300 {
            let count = 2 + below(4) as usize;
            let mut edges = Vec::new();
            for head in 1..count {
                for tail in 0..head {
                    if tail + 1 == head || below(2) == 0 {
                        let (length, weight) = (below(3) as i64, 1 + below(4) as i64);
                        edges.push(Edge { tail, head, length, weight });
                    }
                }
            }
            let found = solve(count, &edges);
            assert!(edges.iter().all(|e| found[e.head] - found[e.tail] >= e.length));
            let mut best = i64::MAX;
            for code in 0..9usize.pow(count as u32) {
                let rank: Vec<i64> =
                    (0..count).map(|k| (code / 9usize.pow(k as u32) % 9) as i64).collect();
                if edges.iter().all(|e| rank[e.head] - rank[e.tail] >= e.length) {
                    best = best.min(cost(&rank, &edges));
                }
            }
            assert_eq!(cost(&found, &edges), best, "{edges:?}");
        }
    }
}
