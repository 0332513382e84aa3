//! What the wiring alone tells: parts without a reference, loops of sources, nodes with one terminal.

use parser::diagnostic::Diagnostic;

use super::instances;
use crate::codes;
use crate::model::Model;
use crate::reading::ids::NodeId;
use equations::flat::{Flat, Tie};
use equations::islands::{Forest, parts_without_reference};

/// Parts without a reference beyond this number are not reported one by one.
const MOST_PARTS: usize = 20;

/// Mistakes in the wiring.
pub(crate) fn check(model: &Model, flat: &Flat) -> Vec<Diagnostic> {
    let mut mistakes = Vec::new();
    dangling(model, flat, &mut mistakes);
    if mistakes.is_empty() {
        no_reference(model, flat, &mut mistakes);
    }
    if mistakes.is_empty() {
        source_loops(model, flat, &mut mistakes);
    }
    mistakes
}

fn name(model: &Model, block: u32) -> String {
    let keyword = model.blocks[block as usize].schema.keyword;
    format!("{keyword} `{}`", model.block_name(block))
}

/// The first few of several names, as a list.
fn list(names: &[String]) -> String {
    const MOST: usize = 6;
    let shown = names[..names.len().min(MOST)].join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn dangling(model: &Model, flat: &Flat, mistakes: &mut Vec<Diagnostic>) {
    let is_port = instances::port_nodes(model, flat);
    for (index, node) in model.nodes.iter().enumerate().filter(|(index, _)| !is_port[*index]) {
        let [only] = flat.terminals[index][..] else { continue };
        if node.is_reference || !node.domain.needs_two_terminals() {
            continue;
        }
        let own = model.node_name(NodeId(index as u32));
        let message = format!("the node `{own}` has one terminal only, of {}", name(model, only));
        let help = "connect something else to it; a misspelt node name also looks like this";
        let span = model.name_span(node.block);
        mistakes.push(Diagnostic::new(codes::DANGLING_NODE, span, message).help(help));
    }
}

fn no_reference(model: &Model, flat: &Flat, mistakes: &mut Vec<Diagnostic>) {
    let mut forest = Forest::new(flat.potentials.len());
    flat.ties.iter().for_each(|tie| {
        forest.unite(tie.nodes[0].index(), tie.nodes[1].index());
    });
    let mut tied: Vec<u32> = flat.ties.iter().map(|tie| tie.block).collect();
    tied.sort_unstable();
    for part in parts_without_reference(flat, |_| true) {
        let inside: Vec<usize> =
            (0..flat.potentials.len()).filter(|&node| forest.root(node) == part).collect();
        let mut blocks: Vec<u32> =
            inside.iter().flat_map(|&node| flat.terminals[node].iter().copied()).collect();
        blocks.sort_unstable();
        blocks.dedup();
        let (own, cut): (Vec<u32>, Vec<u32>) =
            blocks.iter().partition(|block| tied.binary_search(block).is_ok());
        mistakes.push(without_reference(model, &inside, &own, &cut));
        if mistakes.len() >= MOST_PARTS {
            return;
        }
    }
}

/// A part with these nodes, elements that tie them, and elements that fix the flow.
fn without_reference(model: &Model, nodes: &[usize], own: &[u32], cut: &[u32]) -> Diagnostic {
    let first = nodes.first().copied().unwrap_or(0);
    let domain = model.nodes[first].domain;
    let reference = domain.reference();
    let names: Vec<String> =
        nodes.iter().map(|&k| format!("`{}`", model.node_name(NodeId(k as u32)))).collect();
    let elements: Vec<String> = own.iter().chain(cut).map(|&block| name(model, block)).collect();
    let exists = model.nodes.iter().any(|node| node.is_reference && node.domain == domain);
    let mut help = format!("name one of its nodes `{reference}`, or connect one with it");
    let (code, message) = match (exists, cut.is_empty()) {
        (false, _) => {
            let words = domain.words();
            (
                codes::NO_REFERENCE,
                format!("the {words} network has no node `{reference}`: {}", list(&elements)),
            )
        }
        (true, true) => {
            let message = format!(
                "nothing connects {} with `{reference}`: {}",
                list(&names),
                list(&elements)
            );
            (codes::FLOATING, message)
        }
        (true, false) => {
            let sources: Vec<String> = cut.iter().map(|&block| name(model, block)).collect();
            help = format!(
                "nothing determines the potential there; add {} to `{reference}` or across the source",
                domain.remedy()
            );
            let flow = domain.flow();
            let message = format!(
                "only elements that fix the {flow} lead to {}: {}",
                list(&names),
                list(&sources)
            );
            (codes::CURRENT_CUT, message)
        }
    };
    let span = model.name_span(model.nodes[first].block);
    let diagnostic = Diagnostic::new(code, span, message).help(help);
    match cut.first().or(own.first()) {
        Some(&block) => diagnostic.also(model.name_span(block), "an element of it"),
        None => diagnostic,
    }
}

/// Sources that fix the voltages around a loop contradict each other, or leave their currents open.
fn source_loops(model: &Model, flat: &Flat, mistakes: &mut Vec<Diagnostic>) {
    let mut forest = Forest::new(flat.potentials.len());
    let mut edges: Vec<&Tie> = Vec::new();
    for tie in flat.ties.iter().filter(|tie| tie.rigid && tie.only_in.is_none()) {
        if forest.unite(tie.nodes[0].index(), tie.nodes[1].index()) {
            edges.push(tie);
            continue;
        }
        let domain = model.nodes[tie.nodes[0].index()].domain;
        let way = path(&edges, tie.nodes[0], tie.nodes[1], flat.potentials.len());
        let mut blocks: Vec<u32> = way.iter().map(|tie| tie.block).collect();
        blocks.push(tie.block);
        let names: Vec<String> = blocks.iter().map(|&block| name(model, block)).collect();
        let message = match &names[..] {
            [only] => format!("{only} has both terminals at the same node"),
            _ => {
                let what = domain.differences();
                format!("these fix the {what} around a loop: {}", list(&names))
            }
        };
        let help = format!(
            "a loop needs something that limits its {}: put {} in series with one of them",
            domain.flow(),
            domain.remedy()
        );
        let span = model.name_span(tie.block);
        let mut diagnostic = Diagnostic::new(codes::SOURCE_LOOP, span, message).help(help);
        for &block in blocks.iter().rev().skip(1).take(3) {
            diagnostic = diagnostic.also(model.name_span(block), "in the same loop");
        }
        mistakes.push(diagnostic);
    }
}

/// The edges of a tree between two nodes.
fn path<'t>(edges: &[&'t Tie], from: NodeId, to: NodeId, count: usize) -> Vec<&'t Tie> {
    let mut neighbours: Vec<Vec<(usize, usize)>> = vec![Vec::new(); count];
    for (index, tie) in edges.iter().enumerate() {
        let [a, b] = tie.nodes.map(NodeId::index);
        neighbours[a].push((b, index));
        neighbours[b].push((a, index));
    }
    let mut came: Vec<Option<(usize, usize)>> = vec![None; count];
    let mut queue = std::collections::VecDeque::from([from.index()]);
    let mut seen = vec![false; count];
    seen[from.index()] = true;
    while let Some(node) = queue.pop_front() {
        for &(next, edge) in &neighbours[node] {
            if !std::mem::replace(&mut seen[next], true) {
                came[next] = Some((node, edge));
                queue.push_back(next);
            }
        }
    }
    let mut way = Vec::new();
    let mut at = to.index();
    while let Some((before, edge)) = came[at] {
        way.push(edges[edge]);
        at = before;
    }
    way
}
