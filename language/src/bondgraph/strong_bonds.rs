//! Causality as a matching: whether strokes can be completed to a causality of the whole graph.
//!
//! Each junction has exactly one strong bond: at a 0-junction it has the stroke at the junction, at a 1-junction away
//! from it. A transformer has the stroke of one of its two bonds at itself, as a 0-junction of two bonds; at a gyrator one
//! port counts as at a 0-junction, the other as at a 1-junction. So all of these are vertices that exactly one edge of a
//! matching meets. A bond between 0 and 1 is strong for both ends or for neither: it is an edge. A bond between 0 and 0,
//! or 1 and 1, is strong for exactly one end: it is two edges with a vertex between them. A bond to an element with one
//! port is an edge to a vertex that need not be met.
//!
//! Storages that get the stroke they want are vertices that are met (or not met) by choice; such choices form a
//! delta-matroid (A. Bouchet, Greedy algorithm and symmetric matroids, 1987). Taking one storage after another, and
//! keeping each choice that can be completed, gives the greatest number of integral storages.

use super::graph::{BondSide, ElementKind, Graph};
use super::matching::Matching;

/// A causality of a whole graph that agrees with all strokes so far.
pub(super) struct StrongBonds {
    matching: Matching,
    /// For each bond the edge that is in the matching if the stroke is at this side; none where nothing restricts it.
    edges: Vec<Option<(usize, BondSide)>>,
}

impl StrongBonds {
    /// Any causality of a graph with its sources; none if they contradict each other.
    pub fn find(graph: &Graph) -> Option<Self> {
        let mut matching = Matching::default();
        let vertices: Vec<Option<usize>> = graph
            .elements
            .iter()
            .map(|own| restricts(own.kind, own.bonds.len()).then(|| matching.add_vertex(!own.open)))
            .collect();
        let edges = graph.bonds.iter().enumerate().map(|(bond, own)| {
            // An end with a vertex, and the side of the stroke that makes the bond strong there.
            let side = |end: BondSide| {
                let element = if end == BondSide::From { own.from } else { own.to };
                let is_here = strong_with_stroke_here(graph, element, bond);
                Some((vertices[element]?, if is_here { end } else { end.opposite() }))
            };
            match (side(BondSide::From), side(BondSide::To)) {
                (None, None) => None,
                (Some((vertex, stroke)), None) | (None, Some((vertex, stroke))) => {
                    let free = matching.add_vertex(false);
                    Some((matching.add_edge([vertex, free]), stroke))
                }
                (Some((one, stroke)), Some((two, same))) if stroke == same => {
                    Some((matching.add_edge([one, two]), stroke))
                }
                (Some((one, stroke)), Some((two, _))) => {
                    let between = matching.add_vertex(true);
                    matching.add_edge([between, two]);
                    Some((matching.add_edge([one, between]), stroke))
                }
            }
        });
        let edges = edges.collect();
        let mut found = Self { matching, edges };
        (found.matching.complete() && found.demand_sources(graph)).then_some(found)
    }

    /// Sources have no choice.
    fn demand_sources(&mut self, graph: &Graph) -> bool {
        let mut strokes: Vec<Option<BondSide>> = vec![None; graph.bonds.len()];
        graph.elements.iter().enumerate().all(|(element, own)| {
            let is_here = match own.kind {
                ElementKind::Sf => true,
                ElementKind::Se => false,
                _ => return true,
            };
            own.bonds.iter().all(|&bond| {
                let end = graph.bonds[bond].side(element);
                let stroke = if is_here { end } else { end.opposite() };
                let before = strokes[bond].replace(stroke);
                before.is_none_or(|before| before == stroke) && self.demand(bond, stroke)
            })
        })
    }

    /// Whether a bond can have its stroke at a side; it is kept there then.
    pub fn demand(&mut self, bond: usize, stroke: BondSide) -> bool {
        self.edges[bond].is_none_or(|(edge, side)| self.matching.demand(edge, side == stroke))
    }
}

/// Whether the bonds of an element restrict each other.
fn restricts(kind: ElementKind, bonds: usize) -> bool {
    match kind {
        ElementKind::Zero | ElementKind::One => true,
        ElementKind::Transformer | ElementKind::Gyrator => bonds == 2,
        _ => false,
    }
}

fn strong_with_stroke_here(graph: &Graph, element: usize, bond: usize) -> bool {
    let own = &graph.elements[element];
    match own.kind {
        ElementKind::One => false,
        ElementKind::Gyrator => own.bonds.first() == Some(&bond),
        _ => true,
    }
}
