//! Layouts in layers from left to right (Sugiyama, Tagawa, Toda 1981) with level and upright lines.
//!
//! Parts that do not hang together are laid out by themselves. Of several directions of the lines the one with the best
//! drawing counts: few crossings, few arrows to the left, short lines.

mod crossings;
pub mod graph;
mod layers;
mod network_simplex;
mod orientation;
mod packing;
mod placement;
mod routing;

use graph::{Graph, Layout, PlacedPort, Side, UNIT};
use layers::{Layered, What};
use orientation::{Lines, Walk};
use placement::Heights;
use routing::Channel;

/// Roots that are tried in small graphs.
const MOST_ROOTS: usize = 24;
/// Lines times roots that are tried: larger graphs try fewer.
const MOST_TRIED: usize = 4000;
/// Graphs with more lines and boxes than this are drawn in one direction only.
const LARGE: usize = 600;
/// How often the layers are swept at most, and lines times sweeps.
const MOST_SWEEPS: usize = 24;
const MOST_SWEPT: usize = 60_000;
/// Candidates whose lines are drawn and looked at.
const FINALISTS: usize = 4;

/// Lays out a graph.
pub fn layout(graph: &Graph) -> Layout {
    let parts = packing::parts(graph);
    let layouts = parts.iter().map(|part| connected(&part.graph)).collect();
    packing::pack(graph, &parts, layouts)
}

/// Lays out a graph that hangs together.
fn connected(graph: &Graph) -> Layout {
    let lines = Lines::of(graph);
    let mut candidates: Vec<(usize, Layered)> = Vec::new();
    let size = graph.vertices.len() + graph.nets.iter().map(|net| net.ends.len()).sum::<usize>();
    let mut seen: Vec<Vec<usize>> = Vec::new();
    for walk in walks(graph, &lines, size) {
        let forwards = orientation::keys(graph, &lines, walk);
        let backwards = orientation::reversed(graph, &forwards);
        for keys in std::iter::once(forwards).chain(backwards.filter(|_| size <= LARGE)) {
            let mut layered = layers::layered(graph, &keys);
            let places: Vec<usize> = layered.items.iter().map(|item| item.layer).collect();
            if seen.contains(&places) {
                continue;
            }
            seen.push(places);
            let sweeps = (MOST_SWEPT / layered.links.len().max(1)).clamp(2, MOST_SWEEPS);
            let crossings = crossings::order(&mut layered, sweeps);
            let cost = 24 * crossings + lines.against(&keys) + shape_cost(graph, &layered);
            candidates.push((cost, layered));
        }
    }
    candidates.sort_by_key(|(cost, _)| *cost);
    let finalists = if size > LARGE { 1 } else { FINALISTS };
    let drawn = candidates.into_iter().take(finalists).map(|(cost, layered)| {
        let layout = finish(graph, &layered);
        let crossings = if finalists > 1 { crossings_of(&layout) } else { 0 };
        (40 * crossings + cost, layout)
    });
    drawn.min_by_key(|(cost, _)| *cost).map(|(_, layout)| layout).unwrap_or_default()
}

/// What a person likes less about layers: long lines, many layers, sources that are not first, ports on unusual sides.
fn shape_cost(graph: &Graph, layered: &Layered) -> usize {
    let highest = layered.layers.iter().map(Vec::len).max().unwrap_or(0);
    let vertices = graph.vertices.iter().enumerate();
    let late: usize = vertices
        .filter(|(_, what)| what.is_source && what.border.is_none())
        .map(|(vertex, _)| layered.items[vertex].layer.min(3))
        .sum();
    let unusual = |terminal: layers::Terminal, side: Side| {
        let usual = graph.vertices.get(terminal.item).map_or(&[] as &[_], |what| &what.usual);
        let usual = usual.get(terminal.port as usize).copied().flatten();
        let is_simple = graph.vertices.get(terminal.item).is_some_and(|v| v.labels.len() < 3);
        let weight = if is_simple { 2 } else { 6 };
        if usual.is_some_and(|usual| usual != side) { weight } else { 0 }
    };
    let ends = layered
        .links
        .iter()
        .map(|link| unusual(link.left, Side::Right) + unusual(link.right, Side::Left));
    2 * layered.bends() + layered.layers.len() + highest + 4 * late + ends.sum::<usize>()
}

/// The walks that are tried, the most promising first.
fn walks(graph: &Graph, lines: &Lines, size: usize) -> Vec<Walk> {
    let vertices = 0..graph.vertices.len();
    let mut roots: Vec<usize> =
        vertices.filter(|&vertex| graph.vertices[vertex].border != Some(Side::Right)).collect();
    roots.sort_by_key(|&vertex| {
        let what = &graph.vertices[vertex];
        (!what.is_source, what.border.is_none(), lines.is_target(vertex), vertex)
    });
    roots.truncate((MOST_TRIED / size.max(1)).clamp(1, MOST_ROOTS));
    let flavours = [(false, true), (true, true), (false, false), (true, false)];
    let flavours = if size > 3000 { &flavours[..1] } else { &flavours[..] };
    let walks = roots.iter().flat_map(|&root| {
        flavours.iter().map(move |&(is_deep, spans)| Walk { root, is_deep, spans })
    });
    walks.collect()
}

/// Heights, tracks, coordinates.
fn finish(graph: &Graph, layered: &Layered) -> Layout {
    let graph = &placement::with_room(graph, layered);
    let heights = placement::heights(graph, layered);
    let channels = Channel::all(layered, &heights);
    let width_of = |item: usize| match layered.items[item].what {
        What::Vertex(vertex) => graph.vertices[vertex].width,
        What::Bend => 0.0,
    };
    // Left and right edge of each layer.
    let mut columns = Vec::new();
    let mut x = 0.0;
    for (layer, channel) in layered.layers.iter().zip(&channels) {
        let width = layer.iter().map(|&item| width_of(item)).fold(0.0, f64::max);
        columns.push((x, x + width));
        x += width + channel.width();
    }
    let edge = |item: usize, side: Side| {
        let (left, right) = columns[layered.items[item].layer];
        let half = if side == Side::Left { -0.5 } else { 0.5 };
        0.5 * (left + right) + half * width_of(item)
    };
    let mut layout =
        Layout { width: columns.last().map_or(0.0, |column| column.1), ..Layout::default() };
    let mut ports: Vec<Vec<(Side, u32, i64)>> = vec![Vec::new(); graph.vertices.len()];
    for (&(item, key, side), &height) in &heights.ports {
        ports[item].push((side, key, height));
    }
    for (vertex, what) in graph.vertices.iter().enumerate() {
        let at = (edge(vertex, Side::Left), UNIT * heights.items[vertex] as f64);
        let bottom = at.1 + UNIT * (what.height + what.hangs) as f64;
        layout.height = layout.height.max(bottom);
        layout.places.push(at);
        layout.sizes.push((what.width, UNIT * what.height as f64));
        ports[vertex].sort_unstable();
        let placed = ports[vertex].iter().map(|&(side, key, height)| PlacedPort {
            key,
            side,
            at: (edge(vertex, side), at.1 + UNIT * height as f64),
        });
        layout.ports.push(placed.collect());
    }
    layout.lines = lines_of(layered, &heights, &channels, &columns, &edge);
    let lowest = layout.lines.iter().flatten().flatten().map(|point| point.1).fold(0.0, f64::max);
    layout.height = layout.height.max(lowest);
    layout
}

/// The points of all lines.
fn lines_of(
    layered: &Layered,
    heights: &Heights,
    channels: &[Channel],
    columns: &[(f64, f64)],
    edge: &dyn Fn(usize, Side) -> f64,
) -> Vec<Vec<Vec<(f64, f64)>>> {
    let line = |way: &Vec<usize>| {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for link in way.iter().map(|&link| layered.links[link]) {
            let layer = layered.items[link.left.item].layer;
            let ends = [heights.of(link.left, Side::Right), heights.of(link.right, Side::Left)];
            let turns = channels[layer].turns(link.net, link.goes_right, columns[layer].1, ends);
            let start = (edge(link.left.item, Side::Right), ends[0]);
            let end = (edge(link.right.item, Side::Left), ends[1]);
            let mut part = vec![start];
            part.extend(turns);
            part.push(end);
            if !link.goes_right {
                part.reverse();
            }
            points.extend(part.into_iter().map(|(x, y)| (x, UNIT * y as f64)));
        }
        straightened(points)
    };
    layered.ways.iter().map(|net| net.iter().map(line).collect()).collect()
}

/// Without points that lie on the way between their neighbours.
fn straightened(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for point in points {
        if kept.last() == Some(&point) {
            continue;
        }
        if let [.., a, b] = kept[..]
            && ((a.0 == b.0 && b.0 == point.0) || (a.1 == b.1 && b.1 == point.1))
        {
            kept.pop();
        }
        kept.push(point);
    }
    kept
}

/// The crossings of lines of different nets that a person sees.
pub fn crossings_of(layout: &Layout) -> usize {
    // Level and upright pieces with their nets: fixed coordinate, from, to.
    let (mut level, mut upright) = (Vec::new(), Vec::new());
    for (net, lines) in layout.lines.iter().enumerate() {
        for pair in lines.iter().flat_map(|line| line.windows(2)) {
            let [(x1, y1), (x2, y2)] = [pair[0], pair[1]];
            match y1 == y2 {
                true => level.push((net, y1, x1.min(x2), x1.max(x2))),
                false => upright.push((net, x1, y1.min(y2), y1.max(y2))),
            }
        }
    }
    let mut points: Vec<(usize, usize, u64, u64)> = Vec::new();
    for &(a, y, left, right) in &level {
        for &(b, x, top, bottom) in &upright {
            if a != b && left < x && x < right && top < y && y < bottom {
                points.push((a.min(b), a.max(b), x.to_bits(), y.to_bits()));
            }
        }
    }
    // Pieces that several lines of a net share cross once.
    points.sort_unstable();
    points.dedup();
    points.len()
}
