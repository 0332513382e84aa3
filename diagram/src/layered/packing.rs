//! Parts of a picture that do not hang together, side by side.

use super::graph::{End, Graph, Layout, Net, PlacedPort};

/// Between two parts, in points.
const BETWEEN: f64 = 40.0;
/// Width over height of a picture of many parts.
const SHAPE: f64 = 1.6;

/// A part, and where its vertices and nets are in the whole.
pub struct Part {
    pub graph: Graph,
    vertices: Vec<usize>,
    nets: Vec<usize>,
}

/// The parts of a graph in the order of their first vertices. What stands at a border belongs to one part with all others
/// at borders: these are the left and right edge of the picture.
pub fn parts(graph: &Graph) -> Vec<Part> {
    let count = graph.vertices.len();
    let mut root: Vec<usize> = (0..count).collect();
    fn find(root: &mut [usize], mut at: usize) -> usize {
        while root[at] != at {
            root[at] = root[root[at]];
            at = root[at];
        }
        at
    }
    let mut join = |a: usize, b: usize| {
        let (a, b) = (find(&mut root, a), find(&mut root, b));
        root[a.max(b)] = a.min(b);
    };
    for net in &graph.nets {
        net.ends.windows(2).for_each(|pair| join(pair[0].vertex, pair[1].vertex));
    }
    let borders: Vec<usize> = (0..count).filter(|&v| graph.vertices[v].border.is_some()).collect();
    borders.windows(2).for_each(|pair| join(pair[0], pair[1]));
    let mut parts: Vec<Part> = Vec::new();
    let mut part_of = vec![usize::MAX; count];
    let mut number = vec![0; count];
    for vertex in 0..count {
        let first = find(&mut root, vertex);
        if part_of[first] == usize::MAX {
            part_of[first] = parts.len();
            parts.push(Part { graph: Graph::default(), vertices: Vec::new(), nets: Vec::new() });
        }
        part_of[vertex] = part_of[first];
        let part = &mut parts[part_of[first]];
        number[vertex] = part.vertices.len();
        part.vertices.push(vertex);
        part.graph.vertices.push(graph.vertices[vertex].clone());
    }
    for (index, net) in graph.nets.iter().enumerate() {
        let Some(first) = net.ends.first() else { continue };
        let part = &mut parts[part_of[first.vertex]];
        let ends = net.ends.iter().map(|end| End { vertex: number[end.vertex], ..*end }).collect();
        part.graph.nets.push(Net { ends });
        part.nets.push(index);
    }
    parts
}

/// Puts the parts into rows of about the shape of a screen; small ones share a row.
pub fn pack(graph: &Graph, parts: &[Part], layouts: Vec<Layout>) -> Layout {
    let area: f64 = layouts.iter().map(|l| (l.width + BETWEEN) * (l.height + BETWEEN)).sum();
    let widest = layouts.iter().map(|layout| layout.width).fold(0.0, f64::max);
    let row = widest.max((area * SHAPE).sqrt());
    let mut whole = Layout {
        places: vec![(0.0, 0.0); graph.vertices.len()],
        sizes: vec![(0.0, 0.0); graph.vertices.len()],
        ports: vec![Vec::new(); graph.vertices.len()],
        lines: vec![Vec::new(); graph.nets.len()],
        ..Layout::default()
    };
    let (mut x, mut y, mut height) = (0.0, 0.0, 0.0f64);
    for (part, layout) in parts.iter().zip(layouts) {
        if x > 0.0 && x + layout.width > row {
            (x, y, height) = (0.0, y + height + BETWEEN, 0.0);
        }
        let moved = |(px, py): (f64, f64)| (px + x, py + y);
        for (local, &vertex) in part.vertices.iter().enumerate() {
            whole.places[vertex] = moved(layout.places[local]);
            whole.sizes[vertex] = layout.sizes[local];
            whole.ports[vertex] = layout.ports[local]
                .iter()
                .map(|port| PlacedPort { at: moved(port.at), ..*port })
                .collect();
        }
        for (local, &net) in part.nets.iter().enumerate() {
            let lines = layout.lines[local].iter();
            whole.lines[net] =
                lines.map(|line| line.iter().copied().map(moved).collect()).collect();
        }
        whole.width = whole.width.max(x + layout.width);
        whole.height = whole.height.max(y + layout.height);
        height = height.max(layout.height);
        x += layout.width + BETWEEN;
    }
    whole
}
