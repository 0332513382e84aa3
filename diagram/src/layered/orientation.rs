//! Which end of each line stands further to the left.
//!
//! Arrows say it themselves, as far as they do not go round in circles; lines of networks have no direction. A walk
//! through the graph numbers the vertices: it takes the vertices without arrows from vertices that are not numbered
//! first (as Eades, Lin, Smyth 1993 do), among these its nearest neighbours. What has just two lines without arrows
//! stands between its neighbours, wherever these are.

use std::collections::BTreeSet;

use super::graph::{Direction, Graph, Side};

/// How the vertices are walked through.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// Where it begins.
    pub root: usize,
    /// In depth before in breadth.
    pub is_deep: bool,
    /// Elements with two ends stand between their neighbours.
    pub spans: bool,
}

/// A line without or with an arrow from the first vertex to the second.
#[derive(Clone, Copy, Debug)]
struct Line {
    from: usize,
    to: usize,
    /// It has an arrow that should point to the right.
    has_arrow: bool,
    /// It has an arrow that may point to the left.
    is_back: bool,
}

/// The lines of a graph by vertex.
pub struct Lines {
    lines: Vec<Line>,
    at: Vec<Vec<usize>>,
}

impl Lines {
    /// The lines of all nets.
    pub fn of(graph: &Graph) -> Self {
        let mut lines = Vec::new();
        let mut at = vec![Vec::new(); graph.vertices.len()];
        for net in &graph.nets {
            let Some((first, rest)) = net.ends.split_first() else { continue };
            for end in rest {
                let (from, to) = match end.direction {
                    Direction::Towards => (end.vertex, first.vertex),
                    _ => (first.vertex, end.vertex),
                };
                at[from].push(lines.len());
                at[to].push(lines.len());
                let is_arrow = end.direction != Direction::None;
                let (has_arrow, is_back) =
                    (is_arrow && !end.may_go_back, is_arrow && end.may_go_back);
                lines.push(Line { from, to, has_arrow, is_back });
            }
        }
        Self { lines, at }
    }

    fn other(&self, line: usize, vertex: usize) -> usize {
        let Line { from, to, .. } = self.lines[line];
        if from == vertex { to } else { from }
    }

    /// Has it two lines, neither with an arrow?
    fn is_span(&self, vertex: usize) -> bool {
        self.at[vertex].len() == 2
            && self.at[vertex].iter().all(|&line| !self.lines[line].has_arrow)
    }

    /// What the arrows that point to the left cost.
    pub fn against(&self, keys: &[f64]) -> usize {
        let against = self.lines.iter().filter(|line| keys[line.from] > keys[line.to]);
        against.map(|line| 60 * usize::from(line.has_arrow) + 4 * usize::from(line.is_back)).sum()
    }

    /// Does an arrow point here?
    pub fn is_target(&self, vertex: usize) -> bool {
        self.at[vertex]
            .iter()
            .any(|&line| self.lines[line].has_arrow && self.lines[line].to == vertex)
    }
}

/// A number for each vertex; of two that a line joins the one with the smaller number is further to the left.
pub fn keys(graph: &Graph, lines: &Lines, walk: Walk) -> Vec<f64> {
    let count = graph.vertices.len();
    let is_span = |vertex: usize| {
        walk.spans
            && vertex != walk.root
            && graph.vertices[vertex].border.is_none()
            && lines.is_span(vertex)
    };
    let mut keys = vec![f64::NAN; count];
    // Borders are outside of everything else.
    for (vertex, what) in graph.vertices.iter().enumerate() {
        match what.border {
            Some(Side::Left) => keys[vertex] = -1.0,
            Some(Side::Right) => keys[vertex] = 2.0 * count as f64,
            None => {}
        }
    }
    let mut waits: Vec<usize> = vec![0; count];
    for line in lines.lines.iter().filter(|line| line.has_arrow) {
        if keys[line.from].is_nan() {
            waits[line.to] += 1;
        }
    }
    // Unnumbered vertices by arrows that they wait for, then by the time at which the walk met them.
    let never = i64::MAX;
    let mut met = vec![never; count];
    met[walk.root] = 0;
    let free = |vertex: &usize| keys[*vertex].is_nan() && !is_span(*vertex);
    let mut open: BTreeSet<(usize, i64, usize)> =
        (0..count).filter(free).map(|vertex| (waits[vertex], met[vertex], vertex)).collect();
    let mut time = 0i64;
    let mut number = 0.0;
    // The walk begins at its root, whatever that waits for.
    let mut next = open.remove(&(waits[walk.root], 0, walk.root)).then_some(walk.root);
    while let Some(vertex) = next.or_else(|| open.pop_first().map(|(_, _, vertex)| vertex)) {
        next = None;
        keys[vertex] = number;
        number += 1.0;
        for (line, from, to) in around(lines, vertex, &mut keys, &is_span) {
            let was_open = open.remove(&(waits[to], met[to], to));
            let Line { from: start, has_arrow, .. } = lines.lines[line];
            if has_arrow && start == from && from == vertex {
                waits[to] = waits[to].saturating_sub(1);
            }
            time += 1;
            if met[to] == never || walk.is_deep {
                met[to] = if walk.is_deep { -time } else { time };
            }
            if was_open {
                open.insert((waits[to], met[to], to));
            }
        }
    }
    place_spans(lines, &mut keys, &is_span);
    keys
}

/// The vertices around one that have no keys yet, by way of elements between: line, where it comes from, where it leads.
/// The elements on the way are marked with an infinite key.
fn around(
    lines: &Lines,
    vertex: usize,
    keys: &mut [f64],
    is_span: &dyn Fn(usize) -> bool,
) -> Vec<(usize, usize, usize)> {
    let mut found = Vec::new();
    let mut ways: Vec<(usize, usize)> =
        lines.at[vertex].iter().rev().map(|&line| (line, vertex)).collect();
    while let Some((line, from)) = ways.pop() {
        let to = lines.other(line, from);
        if !is_span(to) {
            if keys[to].is_nan() {
                found.push((line, from, to));
            }
        } else if keys[to].is_nan() {
            keys[to] = f64::INFINITY;
            let onward = lines.at[to].iter().filter(|&&other| other != line);
            ways.extend(onward.map(|&other| (other, to)));
        }
    }
    found
}

/// The keys of the mirror image; none if something stands at a border.
pub fn reversed(graph: &Graph, keys: &[f64]) -> Option<Vec<f64>> {
    let is_bound = graph.vertices.iter().any(|vertex| vertex.border.is_some());
    (!is_bound).then(|| keys.iter().map(|key| -key).collect())
}

/// Numbers chains of elements between the numbers of the vertices at their ends.
fn place_spans(lines: &Lines, keys: &mut [f64], is_span: &dyn Fn(usize) -> bool) {
    for start in 0..keys.len() {
        if is_span(start) || keys[start].is_nan() || keys[start].is_infinite() {
            continue;
        }
        for &first in &lines.at[start] {
            let (mut chain, mut line, mut at) = (Vec::new(), first, lines.other(first, start));
            while is_span(at) && keys[at].is_infinite() && !chain.contains(&at) {
                chain.push(at);
                let Some(&onward) = lines.at[at].iter().find(|&&l| l != line) else { break };
                (line, at) = (onward, lines.other(onward, at));
            }
            // A chain back to its start counts up all the same.
            if chain.is_empty() || keys[at].is_infinite() || keys[at] < keys[start] {
                continue;
            }
            let parts = (chain.len() + 1) as f64;
            for (k, &vertex) in chain.iter().enumerate() {
                keys[vertex] = keys[start] + (k + 1) as f64 / parts;
            }
        }
    }
    // What hangs together with nothing that is numbered keeps the order of the text.
    for key in keys.iter_mut().filter(|key| !key.is_finite()) {
        *key = 0.5;
    }
}
