//! Circuits without a solution: the program says so, and names the loop or the cut.

use crate::agreement::{asked, seeds};
use crate::circuit::{Circuit, Element, Kind};
use crate::harness::{Outcome, TOLERANCE, ending};
use crate::random_circuits::random_circuit;
use crate::reference::{IllPosed, answer};

/// When a circuit has no solution any more.
fn trouble(why: &IllPosed) -> Option<f64> {
    match *why {
        IllPosed::NoSolution(t) | IllPosed::Contradiction(t, _) | IllPosed::InductorCut(t, _) => {
            Some(t)
        }
        // A source that steps charges its capacitor at once; values at the start are changed with a warning.
        IllPosed::SourceOnCapacitor(..) | IllPosed::OtherJump(..) | IllPosed::Unknown(_) => None,
    }
}

/// The time of "stops at t = 0.0123 s".
fn time_of(message: &str) -> Option<f64> {
    let after = message.split("t = ").nth(1)?;
    after.split(' ').next()?.parse().ok()
}

/// The elements that a message names behind some words.
fn named<'a>(circuit: &'a Circuit, message: &str, words: &str) -> Option<Vec<&'a Element>> {
    let list = message.split(words).nth(1)?;
    let names = list.split('`').skip(1).step_by(2);
    let all = &circuit.elements;
    names.map(|name| all.iter().find(|element| element.name == name)).collect()
}

/// Is there an element with more than two terminals, by which a loop or cut may go on elsewhere?
fn has_ports<'a>(elements: impl IntoIterator<Item = &'a Element>) -> bool {
    elements.into_iter().any(|e| matches!(e.kind, Kind::Transformer(_) | Kind::OpAmp(_)))
}

/// Do elements form a ring in which nothing limits the current?
fn is_loop(elements: &[&Element]) -> bool {
    let limits = |e: &&Element| {
        matches!(e.kind, Kind::Resistor(_) | Kind::Inductor(..) | Kind::CurrentSource(_))
    };
    let of = |e: &&Element| [e.nodes[0].clone(), e.nodes[1].clone()];
    let mut ends: Vec<String> = elements.iter().flat_map(of).collect();
    ends.sort_unstable();
    let is_ring = ends.chunk_by(|a, b| a == b).all(|ends| ends.len() == 2);
    let is_closed = is_ring || has_ports(elements.iter().copied());
    !elements.is_empty() && !elements.iter().any(limits) && is_closed
}

/// The number of parts of a circuit without some elements.
fn parts(circuit: &Circuit, left_out: &[&Element]) -> usize {
    let mut parts: Vec<Vec<&str>> = Vec::new();
    for element in &circuit.elements {
        let is_out = left_out.iter().any(|out| out.name == element.name);
        let [a, b, ..] = &element.nodes;
        let groups = if is_out { vec![vec![a], vec![b]] } else { vec![vec![a, b]] };
        for mut joined in
            groups.into_iter().map(|g| g.into_iter().map(String::as_str).collect::<Vec<_>>())
        {
            parts.retain(|part| {
                let meets = part.iter().any(|node| joined.contains(node));
                if meets {
                    joined.extend(part);
                }
                !meets
            });
            parts.push(joined);
        }
    }
    parts.len()
}

/// Does a circuit fall apart without some elements, none of which has a voltage that does not depend on its current?
fn is_cut(circuit: &Circuit, elements: &[&Element]) -> bool {
    let passes = |e: &&Element| {
        matches!(e.kind, Kind::Resistor(_) | Kind::Capacitor(..) | Kind::VoltageSource(_))
    };
    let is_apart = parts(circuit, elements) > parts(circuit, &[]) || has_ports(&circuit.elements);
    !elements.is_empty() && !elements.iter().any(passes) && is_apart
}

/// What is wrong with the end of a run of a circuit that has no solution from a time on.
fn mistake(circuit: &Circuit, t: f64) -> Option<String> {
    let text = circuit.text("derf", TOLERANCE);
    let message = match ending(&text) {
        Some(Outcome::Refused(_)) => return None,
        Some(Outcome::Stops(message)) => message,
        other => return Some(format!("{other:?}")),
    };
    let end = circuit.times().last().copied().unwrap_or(0.0);
    let told = time_of(&message).unwrap_or(f64::NAN);
    let ring = named(circuit, &message, "in the loop of ");
    let cut = named(circuit, &message, "in the cut of ");
    // The reference finds a change with steps of 2^-27 of the time. A source on a capacitor before that it looks for in a course that
    // has come to its end only.
    let is_source = |e: &&Element| matches!(e.kind, Kind::VoltageSource(_) | Kind::Zener(..));
    let is_earlier = message.contains("would have to jump")
        && ring.as_ref().is_some_and(|ring| ring.iter().any(is_source))
        && told < t;
    if !is_earlier && (told.is_nan() || (told - t).abs() > 1e-6 * end) {
        return Some(format!("at {t}: {message}"));
    }
    let is_told =
        ring.is_some_and(|ring| is_loop(&ring)) || cut.is_some_and(|cut| is_cut(circuit, &cut));
    (!is_told).then_some(message)
}

#[test]
fn circuits_without_a_solution_stop_where_they_lose_it_and_name_why() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for seed in seeds(asked("DYSIM_NETWORKS", 60)) {
        let circuit = random_circuit(seed, false);
        let Err(why) = answer(&circuit) else { continue };
        let Some(t) = trouble(&why) else { continue };
        count += 1;
        if let Some(words) = mistake(&circuit, t) {
            wrong.push(format!("{seed}: {words}"));
        }
    }
    println!("{count} circuits, {} told otherwise", wrong.len());
    wrong.iter().for_each(|words| println!("{words}"));
    assert!(wrong.is_empty());
}

#[test]
fn sources_in_parallel_are_refused() {
    let mut circuit = Circuit::new(1e-3, 3);
    let dc = Kind::VoltageSource(crate::waves::Wave::Constant(10.0));
    circuit.add("V1", "a gnd", dc).add("V2", "gnd a", dc).add("R", "a gnd", Kind::Resistor(1.0));
    assert!(answer(&circuit).is_err());
    assert!(matches!(ending(&circuit.text("derf", TOLERANCE)), Some(Outcome::Refused(_))));
}
