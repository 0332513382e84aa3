//! Matchings of a graph in which some vertices have to be met: the question behind causality.
//!
//! A matching is a set of edges of which no two meet. Vertices are required (an edge of the matching ends there) or
//! optional. Edges can be fixed one after another, in or out of the matching; an edge is fixed only if the required
//! vertices can still all be met. A vertex that is not met starts a search for an alternating path (edges out of and in
//! the matching in turn) to a vertex that can do without its edge; odd rings are contracted on the way (J. Edmonds,
//! Paths, Trees, and Flowers, 1965). If there is no such path, no matching meets the vertex and all that are met already:
//! sets of vertices that a matching can meet form a matroid.

use std::collections::VecDeque;

/// A graph with a matching.
#[derive(Debug, Default)]
pub(super) struct Matching {
    required: Vec<bool>,
    /// Edges at each vertex.
    incident: Vec<Vec<usize>>,
    ends: Vec<[usize; 2]>,
    /// Edges that stay as they are.
    fixed: Vec<bool>,
    /// The edge of the matching at each vertex.
    mates: Vec<Option<usize>>,
    /// Vertices with the edges that they had, to take changes back.
    log: Vec<(usize, Option<usize>)>,
    search: Search,
}

/// The tree of alternating paths from one vertex.
#[derive(Debug, Default)]
struct Search {
    /// The edge out of the matching on which the path back goes on from a vertex.
    back: Vec<Option<usize>>,
    /// The vertex is met on a path of even length.
    even: Vec<bool>,
    /// The vertex that stands for the contracted ring of a vertex.
    base: Vec<usize>,
    /// All vertices of the tree.
    seen: Vec<usize>,
    queue: VecDeque<usize>,
}

impl Matching {
    /// Adds a vertex and gives its place.
    pub fn add_vertex(&mut self, required: bool) -> usize {
        let own = self.required.len();
        self.required.push(required);
        self.incident.push(Vec::new());
        self.mates.push(None);
        self.search.back.push(None);
        self.search.even.push(false);
        self.search.base.push(own);
        own
    }

    /// Adds an edge between two vertices and gives its place.
    pub fn add_edge(&mut self, ends: [usize; 2]) -> usize {
        let own = self.ends.len();
        self.ends.push(ends);
        self.fixed.push(false);
        for end in ends {
            self.incident[end].push(own);
        }
        own
    }

    /// Meets all required vertices, if that is possible.
    pub fn complete(&mut self) -> bool {
        (0..self.required.len()).all(|vertex| self.meet(vertex))
    }

    /// Whether an edge is in the matching.
    pub fn has(&self, edge: usize) -> bool {
        self.mates[self.ends[edge][0]] == Some(edge)
    }

    /// Fixes an edge as it is.
    pub fn fix(&mut self, edge: usize) {
        self.fixed[edge] = true;
    }

    /// Fixes an edge in or out of a matching that meets all required vertices; false, and no change, if none is left then.
    pub fn demand(&mut self, edge: usize, is_in: bool) -> bool {
        if self.has(edge) == is_in {
            self.fix(edge);
            return true;
        }
        let ends = self.ends[edge];
        if self.fixed[edge]
            || is_in && (ends[0] == ends[1] || ends.iter().any(|&v| self.is_kept(v)))
        {
            return false;
        }
        self.log.clear();
        self.fix(edge);
        let mut left = ends.to_vec();
        if is_in {
            left = ends.iter().filter_map(|&end| self.mate(end)).collect();
            left.iter().for_each(|&vertex| self.set(vertex, None));
            ends.iter().for_each(|&end| self.set(end, Some(edge)));
        } else {
            ends.iter().for_each(|&end| self.set(end, None));
        }
        if left.iter().all(|&vertex| self.meet(vertex)) {
            return true;
        }
        while let Some((vertex, mate)) = self.log.pop() {
            self.mates[vertex] = mate;
        }
        self.fixed[edge] = false;
        false
    }

    /// Sees to it that an edge of the matching ends at a vertex, if it is required; all that are met stay so.
    fn meet(&mut self, vertex: usize) -> bool {
        if !self.required[vertex] || self.mates[vertex].is_some() {
            return true;
        }
        let is_met = self.look_from(vertex);
        let search = &mut self.search;
        for vertex in search.seen.drain(..) {
            search.back[vertex] = None;
            search.even[vertex] = false;
            search.base[vertex] = vertex;
        }
        search.queue.clear();
        is_met
    }

    fn look_from(&mut self, root: usize) -> bool {
        self.search.seen.push(root);
        self.search.even[root] = true;
        self.search.queue.push_back(root);
        while let Some(from) = self.search.queue.pop_front() {
            if !self.required[from]
                && let Some(mate) = self.mate(from)
            {
                // It can do without its edge.
                self.set(from, None);
                self.turn_over(mate);
                return true;
            }
            for place in 0..self.incident[from].len() {
                let edge = self.incident[from][place];
                let to = self.other(edge, from);
                if self.fixed[edge] || self.mates[from] == Some(edge) || self.is_kept(to) {
                    continue;
                }
                if self.search.even[to] {
                    self.contract([from, to], edge);
                } else if self.search.back[to].is_none() {
                    self.search.back[to] = Some(edge);
                    self.search.seen.push(to);
                    let Some(mate) = self.mate(to) else {
                        self.turn_over(to);
                        return true;
                    };
                    self.search.even[mate] = true;
                    self.search.seen.push(mate);
                    self.search.queue.push_back(mate);
                }
            }
        }
        false
    }

    /// An edge between two vertices on paths of even length closes an odd ring: all of its vertices are on such paths.
    fn contract(&mut self, ends: [usize; 2], edge: usize) {
        let [one, two] = ends.map(|end| self.search.base[end]);
        if one == two {
            return;
        }
        let base = self.common_base(one, two);
        let mut ring = Vec::new();
        for end in ends {
            self.follow_ring(end, base, edge, &mut ring);
        }
        ring.sort_unstable();
        for place in 0..self.search.seen.len() {
            let vertex = self.search.seen[place];
            if ring.binary_search(&self.search.base[vertex]).is_ok() {
                self.search.base[vertex] = base;
                if !std::mem::replace(&mut self.search.even[vertex], true) {
                    self.search.queue.push_back(vertex);
                }
            }
        }
    }

    /// The last vertex that the paths from the root to two bases have in common.
    fn common_base(&self, one: usize, two: usize) -> usize {
        let up = |vertex: usize| {
            let mate = self.mate(vertex)?;
            let before = self.other(self.search.back[mate]?, mate);
            Some(self.search.base[before])
        };
        let mut path: Vec<usize> = std::iter::successors(Some(one), |&vertex| up(vertex)).collect();
        path.sort_unstable();
        let mut met = std::iter::successors(Some(two), |&vertex| up(vertex));
        met.find(|vertex| path.binary_search(vertex).is_ok()).unwrap_or(one)
    }

    /// Follows one side of a ring to its base: the bases on it, and the ways back round the ring.
    fn follow_ring(&mut self, end: usize, base: usize, edge: usize, ring: &mut Vec<usize>) {
        let (mut vertex, mut edge) = (end, edge);
        while self.search.base[vertex] != base {
            let Some(mate) = self.mate(vertex) else { return };
            ring.extend([self.search.base[vertex], self.search.base[mate]]);
            self.search.back[vertex] = Some(edge);
            let Some(next) = self.search.back[mate] else { return };
            edge = next;
            vertex = self.other(next, mate);
        }
    }

    /// Exchanges the edges in and out of the matching on the path from the root to a vertex.
    fn turn_over(&mut self, last: usize) {
        let mut vertex = last;
        while let Some(edge) = self.search.back[vertex] {
            let before = self.other(edge, vertex);
            let next = self.mate(before);
            self.set(vertex, Some(edge));
            self.set(before, Some(edge));
            match next {
                Some(next) => vertex = next,
                None => return,
            }
        }
    }

    fn set(&mut self, vertex: usize, mate: Option<usize>) {
        self.log.push((vertex, self.mates[vertex]));
        self.mates[vertex] = mate;
    }

    /// The vertex at the other end of the edge of the matching.
    fn mate(&self, vertex: usize) -> Option<usize> {
        self.mates[vertex].map(|edge| self.other(edge, vertex))
    }

    fn other(&self, edge: usize, vertex: usize) -> usize {
        let [one, two] = self.ends[edge];
        if one == vertex { two } else { one }
    }

    /// The vertex keeps its edge.
    fn is_kept(&self, vertex: usize) -> bool {
        self.mates[vertex].is_some_and(|edge| self.fixed[edge])
    }
}
