//! Heights of all that stands in the layers: first those of the ports on their boxes, then those of the boxes.
//!
//! The boxes get the heights for which all lines together climb least (Gansner et al. 1993, section 4.2); lines that
//! pass several layers count most, so that they are straight.

use rustc_hash::FxHashMap;

use super::graph::{Graph, Side};
use super::layers::{Layered, Terminal, What};
use super::network_simplex::{self, Edge};

/// Height between two ports.
const PITCH: i64 = 2;
/// Heights between two boxes, and between a line and anything else.
const BETWEEN_BOXES: i64 = 3;
const BESIDE_LINES: i64 = 2;

/// Heights in units.
#[derive(Clone, Debug, Default)]
pub struct Heights {
    /// The upper edge of each item.
    pub items: Vec<i64>,
    /// Below the upper edge of the box: item, port and side.
    pub ports: FxHashMap<(usize, u32, Side), i64>,
}

impl Heights {
    /// The height of the end of a link that leaves on this side.
    pub fn of(&self, terminal: Terminal, side: Side) -> i64 {
        let offset = self.ports.get(&(terminal.item, terminal.port, side)).copied();
        self.items[terminal.item] + offset.unwrap_or(0)
    }
}

/// Finds all heights for the order of the layers.
pub fn heights(graph: &Graph, layered: &Layered) -> Heights {
    let mut heights = Heights { ports: ports(graph, layered), items: Vec::new() };
    heights.items = items(graph, layered, &heights);
    heights
}

/// The graph with boxes that have room for the ports that the layers give to their sides, and for the labels there.
pub fn with_room(graph: &Graph, layered: &Layered) -> Graph {
    let mut roomy = graph.clone();
    for (vertex, what) in roomy.vertices.iter_mut().enumerate().filter(|(_, w)| !w.is_point()) {
        for (towards, links) in layered.items[vertex].links.iter().enumerate() {
            let link = |&link: &usize| match towards {
                0 => layered.links[link].right.port,
                _ => layered.links[link].left.port,
            };
            let mut ports: Vec<u32> = links.iter().map(link).collect();
            ports.sort_unstable();
            ports.dedup();
            what.height = what.height.max(PITCH * ports.len() as i64);
            let label = |port: &u32| what.labels.get(*port as usize).copied().unwrap_or(0.0);
            what.width += ports.iter().map(label).fold(0.0, f64::max);
        }
    }
    roomy
}

/// Orders the ports on each side like the boxes that they lead to.
fn ports(graph: &Graph, layered: &Layered) -> FxHashMap<(usize, u32, Side), i64> {
    let positions = layered.positions();
    let mut found = FxHashMap::default();
    for (index, item) in layered.items.iter().enumerate() {
        let What::Vertex(vertex) = item.what else { continue };
        let what = &graph.vertices[vertex];
        if what.is_point() {
            continue;
        }
        for (towards, side) in [(0, Side::Left), (1, Side::Right)] {
            // For each port where its lines lead: the mean position as sum and count, then a net.
            let mut wishes: Vec<(u32, usize, usize, usize)> = Vec::new();
            for link in item.links[towards].iter().map(|&link| layered.links[link]) {
                let (own, other) = match side {
                    Side::Left => (link.right, link.left),
                    Side::Right => (link.left, link.right),
                };
                let place = positions[other.item];
                let known = wishes.iter_mut().find(|(key, ..)| *key == own.port);
                match known {
                    Some((_, sum, count, _)) => {
                        *sum += place;
                        *count += 1;
                    }
                    None => wishes.push((own.port, place, 1, link.net)),
                }
            }
            wishes.sort_by(|a, b| (a.1 * b.2).cmp(&(b.1 * a.2)).then(a.3.cmp(&b.3)));
            let first = what.height / 2 - (wishes.len() as i64 - 1) * PITCH / 2;
            for (k, (key, ..)) in wishes.iter().enumerate() {
                found.insert((index, *key, side), first + PITCH * k as i64);
            }
        }
    }
    found
}

fn items(graph: &Graph, layered: &Layered, heights: &Heights) -> Vec<i64> {
    let count = layered.items.len();
    let extent = |item: usize| extent(graph, layered, item);
    let mut edges = Vec::new();
    for layer in &layered.layers {
        for pair in layer.windows(2) {
            let length = extent(pair[0]) + gap(extent(pair[0]), extent(pair[1]));
            edges.push(Edge { tail: pair[0], head: pair[1], length, weight: 0 });
        }
    }
    for (number, link) in layered.links.iter().enumerate() {
        let offset = |terminal: Terminal, side| {
            heights.ports.get(&(terminal.item, terminal.port, side)).copied().unwrap_or(0)
        };
        let climb = offset(link.left, Side::Right) - offset(link.right, Side::Left);
        let is_thin = |terminal: Terminal| extent(terminal.item) == 0;
        let weight = match (is_thin(link.left), is_thin(link.right)) {
            (true, true) => 8,
            (false, false) => 2,
            _ => 3,
        };
        // What goes on is straighter than what ends.
        let is_end = |terminal: Terminal| {
            layered.items[terminal.item].links.iter().any(|links| links.is_empty())
        };
        let weight = 2 * weight - i64::from(is_end(link.left) || is_end(link.right));
        // A vertex above both ends measures how far these are apart.
        let (left, right) = ((-climb).max(0), climb.max(0));
        let above = count + number;
        edges.push(Edge { tail: above, head: link.left.item, length: left, weight });
        edges.push(Edge { tail: above, head: link.right.item, length: right, weight });
    }
    let mut found = network_simplex::solve(count + layered.links.len(), &edges);
    found.truncate(count);
    straighten(graph, layered, heights, &mut found);
    let least = found.iter().copied().min().unwrap_or(0);
    found.iter_mut().for_each(|height| *height -= least);
    found
}

fn extent(graph: &Graph, layered: &Layered, item: usize) -> i64 {
    match layered.items[item].what {
        What::Vertex(vertex) => graph.vertices[vertex].height + graph.vertices[vertex].hangs,
        What::Bend => 0,
    }
}

/// Between two neighbours of these heights.
fn gap(above: i64, below: i64) -> i64 {
    match (above, below) {
        (0, _) | (_, 0) => BESIDE_LINES,
        _ => BETWEEN_BOXES,
    }
}

/// Turns stairs into single steps: a box between two lines that climb the same way moves to where one of them is level, if
/// there is room. The sum of the climbs, which is all that the simplex method knows of, stays the same.
fn straighten(graph: &Graph, layered: &Layered, heights: &Heights, found: &mut [i64]) {
    let offset = |terminal: Terminal, side| {
        heights.ports.get(&(terminal.item, terminal.port, side)).copied().unwrap_or(0)
    };
    let positions = layered.positions();
    for _ in 0..3 {
        for (index, item) in layered.items.iter().enumerate() {
            let layer = &layered.layers[item.layer];
            let at = positions[index];
            let own = extent(graph, layered, index);
            let above = at.checked_sub(1).map(|above| layer[above]);
            let least = above.map_or(i64::MIN, |above| {
                let height = extent(graph, layered, above);
                found[above] + height + gap(height, own)
            });
            let most = layer.get(at + 1).map_or(i64::MAX, |&below| {
                found[below] - own - gap(own, extent(graph, layered, below))
            });
            // How much this item must go down for each of its lines to be level.
            let climbs: Vec<i64> = item
                .links
                .iter()
                .flatten()
                .map(|&link| layered.links[link])
                .map(|link| {
                    let left = found[link.left.item] + offset(link.left, Side::Right);
                    let right = found[link.right.item] + offset(link.right, Side::Left);
                    if link.left.item == index { right - left } else { left - right }
                })
                .collect();
            let cost = |move_by: i64| {
                let rest = climbs.iter().map(|climb| (climb - move_by).abs());
                let bends = climbs.iter().filter(|climb| **climb != move_by).count();
                (rest.sum::<i64>(), bends)
            };
            let (length, bends) = cost(0);
            let moves = climbs.iter().copied().filter(|by| {
                let to = found[index] + by;
                least <= to && to <= most && cost(*by).0 <= length && cost(*by).1 < bends
            });
            if let Some(by) = moves.min_by_key(|by| (cost(*by).1, by.abs(), *by)) {
                found[index] += by;
            }
        }
    }
}
