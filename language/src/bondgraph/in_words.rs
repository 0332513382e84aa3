//! The word bond graph: instances of components and single elements as boxes with their names, joined by bonds.
//!
//! The graph of the whole model is contracted: all parts of an instance are one box. Nodes between boxes stay junctions,
//! unless only two boxes meet there, which a single bond joins then. Fixed nodes go.

use rustc_hash::FxHashMap;

use super::derivation::derive;
use super::graph::{ElementKind, Graph, GraphElement};
use super::simplification::without_ground;
use crate::model::Model;

/// The word bond graph of a model.
pub fn in_words(model: &Model) -> Graph {
    let full = without_ground(&derive(model, &Default::default()).graph);
    let mut graph = Graph::default();
    let mut boxes: FxHashMap<String, usize> = FxHashMap::default();
    // The box of each element; none for junctions of nodes.
    let mut owners: Vec<Option<usize>> = Vec::new();
    for element in &full.elements {
        let is_node = element.kind.is_junction() && element.named;
        owners.push((!is_node).then(|| {
            let (keyword, name) = word(model, element);
            *boxes.entry(name.clone()).or_insert_with(|| {
                let own = GraphElement { name, ..GraphElement::new(ElementKind::Box, keyword) };
                graph.add(own)
            })
        }));
    }
    let groups = instances(model, &full, &owners);
    let mut junctions: FxHashMap<usize, usize> = FxHashMap::default();
    for (own, element) in full.elements.iter().enumerate().filter(|(k, _)| owners[*k].is_none()) {
        if groups[own].is_none() {
            let copy = GraphElement { bonds: Vec::new(), ..element.clone() };
            junctions.insert(own, graph.add(copy));
        }
    }
    let place = |end: usize| owners[end].or(groups[end]).or(junctions.get(&end).copied());
    let mut done = Vec::new();
    for bond in &full.bonds {
        let (Some(from), Some(to)) = (place(bond.from), place(bond.to)) else { continue };
        if from != to && !done.contains(&[from, to]) && !done.contains(&[to, from]) {
            done.push([from, to]);
            graph.bond(&done.len().to_string(), None, [from, to]);
        }
    }
    graph.information = full
        .information
        .iter()
        .filter_map(|[from, to]| Some([place(*from)?, place(*to)?]))
        .filter(|[from, to]| from != to)
        .collect();
    graph.information.sort_unstable();
    graph.information.dedup();
    straighten(graph)
}

/// The keyword and name of the box of an element: of its outermost instance, if it is a part of one.
fn word(model: &Model, element: &GraphElement) -> (&'static str, String) {
    let Some(block) = element.block else { return (element.symbol, element.name.clone()) };
    let span = model.name_span(block);
    match model.sources.instances(span).last() {
        Some(instance) => ("", instance.name.to_string()),
        None => (model.blocks[block as usize].schema.keyword, model.block_name(block).to_string()),
    }
}

/// For each node that only one box touches, this box.
fn instances(model: &Model, full: &Graph, owners: &[Option<usize>]) -> Vec<Option<usize>> {
    let _ = model;
    let mut groups: Vec<Option<usize>> = vec![None; full.elements.len()];
    loop {
        let mut is_changed = false;
        for (own, element) in full.elements.iter().enumerate() {
            if owners[own].is_some() || groups[own].is_some() {
                continue;
            }
            let others = element.bonds.iter().map(|&bond| full.bonds[bond].other(own));
            let mut others = others.map(|other| owners[other].or(groups[other]));
            let first = others.next().flatten();
            if first.is_some() && others.all(|other| other == first) {
                groups[own] = first;
                is_changed = true;
            }
        }
        if !is_changed {
            return groups;
        }
    }
}

/// A junction with two bonds is a bond.
fn straighten(graph: Graph) -> Graph {
    let mut graph = graph;
    while let Some(own) = graph.elements.iter().position(|element| {
        element.kind.is_junction() && element.bonds.len() <= 2 && !element.bonds.is_empty()
    }) {
        let bonds = graph.elements[own].bonds.clone();
        let ends: Vec<usize> = bonds.iter().map(|&bond| graph.bonds[bond].other(own)).collect();
        let enters = graph.bonds[bonds[0]].to == own;
        let mut next = Graph::default();
        let kept: Vec<usize> = (0..graph.elements.len()).filter(|&k| k != own).collect();
        let place = |end: usize| kept.binary_search(&end).ok();
        for &k in &kept {
            next.add(GraphElement { bonds: Vec::new(), ..graph.elements[k].clone() });
        }
        for bond in graph.bonds.iter().enumerate().filter(|(k, _)| !bonds.contains(k)) {
            if let (Some(from), Some(to)) = (place(bond.1.from), place(bond.1.to)) {
                next.bond(&bond.1.name, None, [from, to]);
            }
        }
        if let [one, two] = ends[..]
            && let (Some(one), Some(two)) = (place(one), place(two))
            && one != two
        {
            let ends = if enters { [one, two] } else { [two, one] };
            next.bond(&graph.bonds[bonds[0]].name, None, ends);
        }
        let arrows = graph.information.iter();
        let arrows = arrows.filter_map(|[from, to]| Some([place(*from)?, place(*to)?]));
        next.information = arrows.collect();
        graph = next;
    }
    graph
}
