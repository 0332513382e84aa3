//! Layers: columns from left to right, in which boxes stand one below the other, and lines that go from column to
//! column only. A line that passes columns has a bend in each of them.

use super::graph::{Direction, Graph, Side};
use super::network_simplex::{self, Edge};

/// What stands in a layer.
#[derive(Clone, Copy, Debug)]
pub enum What {
    /// A vertex of the graph.
    Vertex(usize),
    /// Where a line passes.
    Bend,
}

/// Something in a layer.
#[derive(Clone, Debug)]
pub struct Item {
    pub what: What,
    pub layer: usize,
    /// The links to the layer before, and to the layer behind.
    pub links: [Vec<usize>; 2],
}

/// One end of a link: an item, and its port if it is a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    pub item: usize,
    pub port: u32,
}

/// A line from one layer to the next.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub left: Terminal,
    pub right: Terminal,
    pub net: usize,
    /// The first end of the net lies to the left.
    pub goes_right: bool,
}

/// A graph in layers.
#[derive(Clone, Debug, Default)]
pub struct Layered {
    /// The vertices of the graph come first, with their numbers.
    pub items: Vec<Item>,
    /// The items of each layer from top to bottom.
    pub layers: Vec<Vec<usize>>,
    pub links: Vec<Link>,
    /// For each net and each further end of it the links from the first end to it.
    pub ways: Vec<Vec<Vec<usize>>>,
}

/// Puts a graph into layers: of two vertices that a line joins the one with the smaller key is further to the left.
pub fn layered(graph: &Graph, keys: &[f64]) -> Layered {
    let layer = layer_numbers(graph, keys);
    let mut all = Layered::default();
    for (vertex, &layer) in layer.iter().enumerate() {
        all.items.push(Item { what: What::Vertex(vertex), layer, links: Default::default() });
    }
    for (net, ends) in graph.nets.iter().map(|net| &net.ends).enumerate() {
        let Some((first, rest)) = ends.split_first() else { continue };
        let start = layer[first.vertex];
        // All ends on one side share the bends.
        let mut chains: [Vec<(Terminal, usize)>; 2] = Default::default();
        let mut ways = vec![Vec::new(); rest.len()];
        let mut nearest: Vec<usize> = (0..rest.len()).collect();
        nearest.sort_by_key(|&end| layer[rest[end].vertex].abs_diff(start));
        for end in nearest {
            let goes_right = layer[rest[end].vertex] > start;
            let chain = &mut chains[usize::from(goes_right)];
            let steps = layer[rest[end].vertex].abs_diff(start);
            let origin = Terminal { item: first.vertex, port: first.port };
            while chain.len() + 1 < steps {
                let distance = chain.len() + 1;
                let layer = if goes_right { start + distance } else { start - distance };
                let bend = Terminal { item: all.items.len(), port: 0 };
                all.items.push(Item { what: What::Bend, layer, links: Default::default() });
                let from = chain.last().map_or(origin, |(bend, _)| *bend);
                chain.push((bend, all.link(from, bend, net, goes_right)));
            }
            let from = match steps {
                0 | 1 => origin,
                _ => chain[steps - 2].0,
            };
            let to = Terminal { item: rest[end].vertex, port: rest[end].port };
            let last = all.link(from, to, net, goes_right);
            ways[end] = chain.iter().take(steps.saturating_sub(1)).map(|(_, link)| *link).collect();
            ways[end].push(last);
        }
        all.ways.push(ways);
    }
    let count = all.items.iter().map(|item| item.layer + 1).max().unwrap_or(0);
    all.layers = vec![Vec::new(); count];
    for (index, item) in all.items.iter().enumerate() {
        all.layers[item.layer].push(index);
    }
    all
}

impl Layered {
    fn link(&mut self, from: Terminal, to: Terminal, net: usize, goes_right: bool) -> usize {
        let (left, right) = if goes_right { (from, to) } else { (to, from) };
        let index = self.links.len();
        self.links.push(Link { left, right, net, goes_right });
        self.items[left.item].links[1].push(index);
        self.items[right.item].links[0].push(index);
        index
    }

    /// Number of bends.
    pub fn bends(&self) -> usize {
        self.items.iter().filter(|item| matches!(item.what, What::Bend)).count()
    }

    /// The position of each item in its layer.
    pub fn positions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.items.len()];
        for layer in &self.layers {
            layer.iter().enumerate().for_each(|(position, &item)| positions[item] = position);
        }
        positions
    }
}

/// Numbers of layers with the least length of all lines together.
fn layer_numbers(graph: &Graph, keys: &[f64]) -> Vec<usize> {
    let count = graph.vertices.len();
    let mut edges = Vec::new();
    for net in &graph.nets {
        let Some((first, rest)) = net.ends.split_first() else { continue };
        for end in rest {
            let (a, b) = (first.vertex, end.vertex);
            let in_order = (keys[a], a) < (keys[b], b);
            let (tail, head) = if in_order { (a, b) } else { (b, a) };
            // Arrows against the flow may be long.
            let is_back = match end.direction {
                Direction::None => false,
                Direction::Away => !in_order,
                Direction::Towards => in_order,
            };
            edges.push(Edge { tail, head, length: 1, weight: if is_back { 1 } else { 2 } });
        }
    }
    let found = network_simplex::solve(count, &edges);
    let border = |vertex: usize| graph.vertices[vertex].border;
    let inner = (0..count).filter(|&vertex| border(vertex).is_none()).map(|vertex| found[vertex]);
    let (least, most) =
        inner.fold((i64::MAX, i64::MIN), |(low, high), rank| (low.min(rank), high.max(rank)));
    let (least, most) = if least > most { (1, 0) } else { (least, most) };
    let has_left = (0..count).any(|vertex| border(vertex) == Some(Side::Left));
    let shift = i64::from(has_left) - least;
    let place = |vertex: usize| match border(vertex) {
        Some(Side::Left) => 0,
        Some(Side::Right) => most + 1 + shift,
        None => found[vertex] + shift,
    };
    (0..count).map(|vertex| usize::try_from(place(vertex)).unwrap_or(0)).collect()
}
