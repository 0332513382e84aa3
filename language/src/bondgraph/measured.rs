//! Information without power: which elements signals measure, and which they change.
//!
//! A signal block is drawn where a changed element reads it, over however many blocks; it is a box without bonds.

use rustc_hash::{FxHashMap, FxHashSet};

use super::derivation::Derivation;
use super::export_texts::Texts;
use super::graph::{ElementKind, GraphElement};
use crate::element::Family;
use crate::model::Model;
use crate::reading::ids::NodeId;

/// Finds the signals between the elements of a graph.
pub(super) fn find(model: &Model, own: &mut Derivation<'_>) {
    let reads = reads(model, own);
    let mut places = places(own);
    // What is changed, and then whatever that reads.
    let mut open: Vec<u32> = places.keys().copied().collect();
    open.sort_unstable();
    let mut done: FxHashSet<u32> = FxHashSet::default();
    let mut arrows = Vec::new();
    while let Some(reader) = open.pop() {
        if !done.insert(reader) {
            continue;
        }
        for &read in reads.get(&reader).map_or(&[][..], Vec::as_slice) {
            let from = *places.entry(read).or_insert_with(|| {
                open.push(read);
                own.graph.add(signal_box(model, read))
            });
            if let Some(&to) = places.get(&reader) {
                arrows.push([from, changed(own, reader).unwrap_or(to)]);
            }
        }
    }
    // The loss of an element heats what it hangs on.
    for part in own.parts.iter().filter(|part| part.value.words.contains(['&', '~'])) {
        arrows.extend(places.get(&part.block).map(|&from| [from, part.element]));
    }
    arrows.retain(|[from, to]| from != to);
    arrows.sort_unstable();
    arrows.dedup();
    own.graph.information = arrows;
    for &[_, to] in &own.graph.information {
        own.graph.elements[to].modulated = true;
    }
}

/// The blocks whose signals each block reads.
fn reads(model: &Model, own: &Derivation<'_>) -> FxHashMap<u32, Vec<u32>> {
    let texts = Texts::new(model);
    let mut known: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for block in 0..model.blocks.len() as u32 {
        known.entry(name_of(model, block)).or_default().push(block);
    }
    let mut reads: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for block in 0..(model.blocks.len() - model.nodes.len()) as u32 {
        let paths = texts.paths_of(block);
        let found = paths.filter_map(|path| find_signal(model, &known, path));
        reads.entry(block).or_default().extend(found.filter(|read| *read != block));
    }
    for part in &own.parts {
        let nodes = part.value.nodes.iter();
        let nodes = nodes.filter_map(|node| model.nodes.get(node.index()));
        let nodes = nodes.filter(|node| !node.is_reference).map(|node| node.block);
        let control = part.value.control.and_then(|id| model.elements.get(id.0 as usize));
        let all = nodes.chain(control.map(|element| element.block));
        reads.entry(part.block).or_default().extend(all);
    }
    for all in reads.values_mut() {
        all.sort_unstable();
        all.dedup();
    }
    reads
}

/// The block whose signal a path names.
fn find_signal(model: &Model, known: &FxHashMap<&str, Vec<u32>>, path: &str) -> Option<u32> {
    let path = path.replace('"', "");
    let (keyword, bare) =
        path.split_once(':').map_or((None, path.as_str()), |(k, bare)| (Some(k), bare));
    let schema = |block: u32| model.blocks[block as usize].schema;
    let fits = |block: &&u32| match keyword {
        Some("node") => schema(**block).family == Family::Node,
        Some(keyword) => schema(**block).keyword == keyword,
        None => true,
    };
    let value = known.get(bare).and_then(|all| all.iter().find(|block| schema(**block).is_value()));
    if let (Some(&value), None) = (value, keyword) {
        return Some(value);
    }
    let (name, signal) = bare.rsplit_once('.')?;
    let signal = signal.split('[').next().unwrap_or(signal);
    let has = |block: &&u32| schema(**block).all_signals().any(|known| known.name == signal);
    known.get(name)?.iter().filter(fits).find(has).copied()
}

/// The name of a block or node.
fn name_of(model: &Model, block: u32) -> &str {
    let entry = &model.blocks[block as usize];
    match entry.schema.family {
        Family::Node => model.node_name(NodeId(entry.handle)),
        _ => model.block_name(block),
    }
}

/// The element of the graph for each block: its first part, or the junction of the node.
fn places(own: &Derivation<'_>) -> FxHashMap<u32, usize> {
    let mut places = FxHashMap::default();
    for (place, element) in own.graph.elements.iter().enumerate() {
        let Some(block) = element.block else { continue };
        // A part comes before the junction that it hangs on.
        let is_inner = element.kind.is_junction() && !element.named;
        match places.get(&block) {
            Some(&known) if is_inner || !is_inner_junction(own, known) => {}
            _ => {
                places.insert(block, place);
            }
        }
    }
    // Of several parts, the one whose signals are those of the element is measured.
    for part in own.parts.iter().filter(|part| !part.readings.is_empty()) {
        places.insert(part.block, part.element);
    }
    places
}

fn is_inner_junction(own: &Derivation<'_>, place: usize) -> bool {
    let element = &own.graph.elements[place];
    element.kind.is_junction() && !element.named
}

/// The part of an element that its signals change.
fn changed(own: &Derivation<'_>, block: u32) -> Option<usize> {
    let mut parts = own.parts.iter().filter(|part| part.block == block);
    parts.find(|part| part.value.changes()).map(|part| part.element)
}

/// A block that is no part of the graph, as a source of signals.
fn signal_box(model: &Model, block: u32) -> GraphElement {
    let symbol = model.blocks[block as usize].schema.keyword;
    let name = name_of(model, block).to_string();
    GraphElement { name, block: Some(block), ..GraphElement::new(ElementKind::Signal, symbol) }
}
