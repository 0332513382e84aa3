//! Mistakes that the graph alone shows: wrong numbers of bonds, and causes that contradict each other.

use parser::diagnostic::Diagnostic;

use super::causality::{Clash, assign};
use super::graph::{ElementKind, Graph};
use crate::codes;
use crate::model::Model;

/// Mistakes in the bond graph of a model.
pub fn check(model: &Model) -> Vec<Diagnostic> {
    let graph = Graph::new(model);
    let mut mistakes = Vec::new();
    for bond in graph.bonds.iter().filter(|bond| bond.from == bond.to) {
        let message = format!("Bond `{}` starts and ends at {}", bond.name, graph.words(bond.from));
        let span = bond.block.map_or_else(Default::default, |block| model.name_span(block));
        let help = "a bond carries power from one element to another";
        mistakes.push(Diagnostic::new(codes::SAME_BODY, span, message).help(help));
    }
    for element in 0..graph.elements.len() {
        mistakes.extend(wrong_bonds(model, &graph, element));
    }
    if mistakes.is_empty()
        && let Some(clash) = assign(&graph).clash
    {
        mistakes.push(contradiction(model, &graph, &clash));
    }
    mistakes
}

/// The number of bonds of an element, if it is wrong.
fn wrong_bonds(model: &Model, graph: &Graph, element: usize) -> Option<Diagnostic> {
    let own = &graph.elements[element];
    let enter = own.bonds.iter().filter(|&&bond| graph.bonds[bond].to == element).count();
    let start = own.bonds.len() - enter;
    let count = |n: usize| match n {
        0 => "no bond".to_string(),
        1 => "one bond".to_string(),
        n => format!("{n} bonds"),
    };
    let name = graph.words(element);
    let (message, help) = match own.kind {
        ElementKind::Zero | ElementKind::One if own.open || own.bonds.len() >= 2 => return None,
        ElementKind::Zero | ElementKind::One => (
            format!("{name} has {}; a junction joins at least two", count(own.bonds.len())),
            "connect something else with it, or bond its neighbours directly",
        ),
        ElementKind::Transformer | ElementKind::Gyrator if (enter, start) == (1, 1) => return None,
        ElementKind::Transformer | ElementKind::Gyrator => (
            format!(
                "{name} needs one bond that ends there and one that starts; {enter} ends and {start} starts"
            ),
            "turn `From` and `To` of a bond round, or put a junction in between",
        ),
        ElementKind::Box | ElementKind::Signal => return None,
        _ if own.bonds.len() == 1 => return None,
        _ => (
            format!("{name} has {}; it needs exactly one", count(own.bonds.len())),
            match own.bonds.len() {
                0 => "add a `Bond` that names it",
                _ => "join its neighbours by a junction, and bond it to that",
            },
        ),
    };
    let span = model.name_span(own.block?);
    let mut diagnostic = Diagnostic::new(codes::WRONG_BONDS, span, message).help(help);
    for &bond in own.bonds.iter().take(3) {
        let Some(block) = graph.bonds[bond].block else { continue };
        diagnostic = diagnostic.also(model.name_span(block), "a bond of it");
    }
    Some(diagnostic)
}

/// Sources that contradict each other.
fn contradiction(model: &Model, graph: &Graph, clash: &Clash) -> Diagnostic {
    let names: Vec<String> = clash.because.iter().map(|&element| graph.words(element)).collect();
    let all = match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(""),
    };
    // A source that is not heard is best explained at the junction where the others were louder.
    let source = &graph.elements[clash.at];
    let near = source.bonds.first().map(|&bond| graph.bonds[bond].other(clash.at));
    let near = near.filter(|&near| graph.elements[near].kind.is_junction());
    let (place, too_many) = match (source.kind, near) {
        (ElementKind::Se, Some(near)) => (near, graph.elements[near].kind == ElementKind::Zero),
        (ElementKind::Sf, Some(near)) => (near, graph.elements[near].kind == ElementKind::One),
        _ => (clash.at, clash.too_many),
    };
    let at = graph.words(place);
    let each = if names.len() > 1 { "each " } else { "" };
    let (message, help) = match (graph.elements[place].kind, too_many) {
        (ElementKind::Zero, true) => (
            format!("{at} has one effort, but {all} {each}give it one"),
            "put a resistor or an inertia between two of them, by a 1-junction",
        ),
        (ElementKind::One, true) => (
            format!("{at} has one flow, but {all} {each}give it one"),
            "put a resistor or a compliance between two of them, by a 0-junction",
        ),
        (ElementKind::Zero, false) => (
            format!("nothing gives {at} its effort: {all} only give it flows"),
            "add a compliance or a resistor to the junction",
        ),
        (ElementKind::One, false) => (
            format!("nothing gives {at} its flow: {all} only give it efforts"),
            "add an inertia or a resistor to the junction",
        ),
        (kind, _) => {
            let what = if kind == ElementKind::Sf { "flow" } else { "effort" };
            let message = format!("{all} {each}determine the {what} at {at}");
            (message, "put a junction with a resistor or a storage between them")
        }
    };
    let block = graph.elements[place].block;
    let first = clash.because.first().and_then(|&element| graph.elements[element].block);
    let span = block.or(first).map_or_else(Default::default, |block| model.name_span(block));
    let mut diagnostic = Diagnostic::new(codes::CAUSAL_CONFLICT, span, message).help(help);
    for &element in clash.because.iter().filter(|&&element| element != place).take(4) {
        if let Some(block) = graph.elements[element].block {
            diagnostic = diagnostic.also(model.name_span(block), "one of them");
        }
    }
    diagnostic
}
