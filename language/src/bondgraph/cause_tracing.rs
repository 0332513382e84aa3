//! What depends on what: dependent storages and algebraic loops, by following causes back through the graph.
//!
//! Each bond has two variables. Its effort is given by the element away from the stroke, its flow by the element
//! at the stroke; what that element needs to give it are the next variables on the way back. Sources and
//! storages that integrate need nothing: there the way ends.

use super::causality::Assignment;
use super::graph::{BondSide, ElementKind, Graph};
use problem::graph::strong_components;

/// A storage with differential causality, and what its state follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// The storage.
    pub storage: usize,
    /// Storages with integral causality that it depends on.
    pub storages: Vec<usize>,
    /// Sources and nodes of networks that it depends on.
    pub sources: Vec<usize>,
}

/// Elements whose efforts and flows have to be found together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Resistors in it.
    pub resistors: Vec<usize>,
    /// Storages with differential causality in it.
    pub storages: Vec<usize>,
    /// Bonds in it.
    pub bonds: Vec<usize>,
}

/// A variable: bond, and whether it is the effort.
type Variable = (usize, bool);

/// The element that gives a variable; none where there is no causality.
fn giver(graph: &Graph, causes: &Assignment, (bond, is_effort): Variable) -> Option<usize> {
    let stroke = causes.strokes[bond]?;
    let at_to = (stroke == BondSide::To) != is_effort;
    Some(if at_to { graph.bonds[bond].to } else { graph.bonds[bond].from })
}

/// The variables that the giver of a variable needs.
fn needs(graph: &Graph, causes: &Assignment, variable: Variable) -> Vec<Variable> {
    let (bond, is_effort) = variable;
    let Some(element) = giver(graph, causes, variable) else { return Vec::new() };
    let own = &graph.elements[element];
    let others = || own.bonds.iter().copied().filter(|&other| other != bond);
    match own.kind {
        ElementKind::Se | ElementKind::Sf | ElementKind::Box | ElementKind::Signal => Vec::new(),
        ElementKind::C | ElementKind::I if is_effort == (own.kind == ElementKind::C) => Vec::new(),
        // A resistor, or a storage that differentiates.
        ElementKind::C | ElementKind::I | ElementKind::R => vec![(bond, !is_effort)],
        ElementKind::Transformer => others().map(|other| (other, is_effort)).collect(),
        ElementKind::Gyrator => others().map(|other| (other, !is_effort)).collect(),
        ElementKind::Zero | ElementKind::One => {
            let is_common = is_effort == (own.kind == ElementKind::Zero);
            match (is_common, causes.strong_bond(element)) {
                (true, Some(strong)) => vec![(strong, is_effort)],
                (true, None) => Vec::new(),
                (false, _) => others().map(|other| (other, is_effort)).collect(),
            }
        }
    }
}

/// The storages with differential causality, each with what it depends on.
pub fn dependences(graph: &Graph, causes: &Assignment) -> Vec<Dependence> {
    let dependent = causes.storages.iter().filter(|storage| !storage.is_integral);
    dependent.filter_map(|storage| dependence(graph, causes, storage.element)).collect()
}

fn dependence(graph: &Graph, causes: &Assignment, storage: usize) -> Option<Dependence> {
    let own = &graph.elements[storage];
    // A compliance is told its effort, an inertia its flow.
    let mut stack: Vec<Variable> = vec![(*own.bonds.first()?, own.kind == ElementKind::C)];
    let mut seen = vec![[false; 2]; graph.bonds.len()];
    let mut found = Vec::new();
    while let Some(variable) = stack.pop() {
        let seen = &mut seen[variable.0][usize::from(variable.1)];
        if std::mem::replace(seen, true) {
            continue;
        }
        let next = needs(graph, causes, variable);
        if next.is_empty() {
            found.extend(giver(graph, causes, variable));
        }
        stack.extend(next);
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|&element| element != storage);
    let (storages, sources) =
        found.into_iter().partition(|&element| graph.elements[element].kind.is_storage());
    Some(Dependence { storage, storages, sources })
}

/// Variables that depend on themselves.
pub fn loops(graph: &Graph, causes: &Assignment) -> Vec<Loop> {
    let place = |(bond, is_effort): Variable| (2 * bond + usize::from(is_effort)) as u32;
    let variables = (0..graph.bonds.len()).flat_map(|bond| [(bond, false), (bond, true)]);
    let needed = |variable| needs(graph, causes, variable).into_iter().map(place).collect();
    let edges: Vec<Vec<u32>> = variables.map(needed).collect();
    let mut loops: Vec<Loop> = strong_components(&edges)
        .into_iter()
        .filter(|part| part.len() > 1)
        .map(|part| {
            let mut bonds: Vec<usize> = part.iter().map(|place| place / 2).collect();
            bonds.sort_unstable();
            bonds.dedup();
            let mut elements: Vec<usize> = part
                .iter()
                .map(|place| (place / 2, place % 2 == 1))
                .filter_map(|variable| giver(graph, causes, variable))
                .collect();
            elements.sort_unstable();
            elements.dedup();
            let of = |wanted: fn(ElementKind) -> bool| -> Vec<usize> {
                let fits = |&&element: &&usize| wanted(graph.elements[element].kind);
                elements.iter().filter(fits).copied().collect()
            };
            Loop {
                resistors: of(|kind| kind == ElementKind::R),
                storages: of(ElementKind::is_storage),
                bonds,
            }
        })
        .collect();
    loops.sort_by(|a, b| a.bonds.cmp(&b.bonds));
    loops
}
