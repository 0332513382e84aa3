//! `dysim --bonds`: the causality of a bond graph in words.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use super::causality::{Assignment, assign};
use super::cause_tracing::{Dependence, Loop, dependences, loops};
use super::derivation::derive;
use super::graph::{BondSide, ElementKind, Graph};
use super::simplification::simplify;
use crate::model::Model;

/// Table of causality, dependent storages, algebraic loops, and what can be left out.
pub fn report(model: &Model) -> String {
    let derived = derive(model, &FxHashSet::default());
    let graph = derived.graph;
    if graph.bonds.is_empty() {
        return "the model has no networks and no bonds\n".into();
    }
    let mut text = String::new();
    let counts =
        format!("{}: {} elements, {} bonds", model.name, graph.elements.len(), graph.bonds.len());
    line(&mut text, &counts);
    describe(&mut text, &graph);
    for &(element, why) in &derived.told {
        line(&mut text, &format!("{}: {why}", graph.words(element)));
    }
    let (simple, steps) = simplify(&graph);
    line(&mut text, "");
    if steps.is_empty() {
        line(&mut text, "simplification: nothing can be left out");
        return text;
    }
    line(&mut text, "simplification");
    for step in &steps {
        line(&mut text, &format!("  {}", step.words));
    }
    line(&mut text, "");
    let counts =
        format!("simplified: {} elements, {} bonds", simple.elements.len(), simple.bonds.len());
    line(&mut text, &counts);
    describe(&mut text, &simple);
    text
}

/// Remarks of a run about storages that are not independent.
pub fn notes(model: &Model) -> Vec<String> {
    let graph = Graph::new(model);
    let found = dependences(&graph, &assign(&graph));
    let words = |found: &Dependence| {
        let name = graph.words(found.storage);
        format!("{name} has differential causality: {}", dependence_words(&graph, found))
    };
    found.iter().map(words).collect()
}

fn line(text: &mut String, words: &str) {
    text.push_str(words.trim_end());
    text.push('\n');
}

fn describe(text: &mut String, graph: &Graph) {
    let causes = assign(graph);
    table(text, graph, &causes);
    if let Some(clash) = &causes.clash {
        line(text, &format!("no causality: conflict at {}", graph.words(clash.at)));
        return;
    }
    let dependences = dependences(graph, &causes);
    storages(text, graph, &causes, &dependences);
    let loops = loops(graph, &causes);
    if loops.is_empty() {
        line(text, "no algebraic loop");
    }
    for found in &loops {
        line(text, &loop_words(graph, found));
    }
}

/// One line for each bond: its ends, where the effort acts, and of which junction it is the strong bond.
fn table(text: &mut String, graph: &Graph, causes: &Assignment) {
    let mut rows = vec![
        ["bond", "from", "", "to", "stroke at", "effort given by", "strong bond of"]
            .map(String::from),
    ];
    for (index, bond) in graph.bonds.iter().enumerate() {
        let (from, to) =
            (graph.elements[bond.from].full_label(), graph.elements[bond.to].full_label());
        let (arrow, stroke, giver) = match causes.strokes[index] {
            Some(BondSide::From) => ("|--->", &from, &to),
            Some(BondSide::To) => ("--->|", &to, &from),
            None => ("--->", &from, &from),
        };
        let strong: Vec<String> = [bond.from, bond.to]
            .into_iter()
            .filter(|&end| causes.strong_bond(end) == Some(index))
            .map(|end| graph.elements[end].full_label())
            .collect();
        rows.push([
            bond.name.clone(),
            from.clone(),
            arrow.into(),
            to.clone(),
            stroke.clone(),
            giver.clone(),
            strong.join(", "),
        ]);
    }
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..7).map(width).collect();
    line(text, "");
    for row in &rows {
        let mut words = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            // Writing to a string does not fail.
            let _ = write!(words, "  {cell:<width$}");
        }
        line(text, &words);
    }
    line(text, "");
}

fn list(graph: &Graph, elements: &[usize]) -> String {
    let names: Vec<String> = elements.iter().map(|&element| graph.words(element)).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(""),
    }
}

fn storages(text: &mut String, graph: &Graph, causes: &Assignment, dependent: &[Dependence]) {
    for storage in &causes.storages {
        let name = graph.words(storage.element);
        let kind = if storage.is_integral { "integral" } else { "differential" };
        line(text, &format!("{name}: {kind} causality"));
        if let Some(found) = dependent.iter().find(|found| found.storage == storage.element) {
            line(text, &format!("  {}", dependence_words(graph, found)));
        }
    }
    let states = causes.storages.iter().filter(|storage| storage.is_integral).count();
    let plural =
        |n: usize, word: &str| if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") };
    let all = plural(causes.storages.len(), "storage");
    line(text, &format!("{all}, {}", plural(states, "state")));
}

/// Why a storage is not independent, and what would make it so.
fn dependence_words(graph: &Graph, found: &Dependence) -> String {
    let is_inertia = graph.elements[found.storage].kind == ElementKind::I;
    let (quantity, state) =
        if is_inertia { ("flow", "momentum") } else { ("effort", "displacement") };
    let own = graph.words(found.storage);
    let all: Vec<usize> = found.storages.iter().chain(&found.sources).copied().collect();
    let (remedy, why) = match (is_inertia, found.storages.is_empty()) {
        (true, _) => ("a compliance or a resistor on a 0-junction", "rigid"),
        (false, _) => ("an inertia or a resistor on a 1-junction", "without inertia"),
    };
    let parties = match found.storages.is_empty() {
        true => format!("its {state} is no state"),
        false => format!("{own} and {} are not independent", list(graph, &found.storages)),
    };
    format!(
        "its {quantity} follows from {}: the way between them is {why}, so {parties}; {remedy} between them would change that",
        list(graph, &all)
    )
}

fn loop_words(graph: &Graph, found: &Loop) -> String {
    let bonds: Vec<String> =
        found.bonds.iter().map(|&bond| format!("`{}`", graph.bonds[bond].name)).collect();
    let bonds = bonds.join(", ");
    match (found.storages.is_empty(), found.resistors.is_empty()) {
        (true, false) => {
            format!("algebraic loop of {} over the bonds {bonds}", list(graph, &found.resistors))
        }
        (false, true) => format!(
            "loop through the derivative in {} over the bonds {bonds}: rates are found together",
            list(graph, &found.storages)
        ),
        (false, false) => format!(
            "loop through the derivative in {} and {} over the bonds {bonds}",
            list(graph, &found.storages),
            list(graph, &found.resistors)
        ),
        (true, true) => format!("algebraic loop of junctions over the bonds {bonds}"),
    }
}
