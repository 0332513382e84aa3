//! Simplification leaves the equations as they are: what is left moves as before.
//!
//! Both graphs are integrated with the same tolerance and have the same states, so that only rounding can tell
//! them apart. Rounding of the right-hand side is some 1e-15, and systems with damping do not enlarge it; over at most
//! 15000 steps 1e-11 of the largest value is what it may come to.

use super::support::{MODELS, gap, graph, model, solve, with_all_signals};
use engine::internals::bondgraph::{Graph, GraphElement, simplify};

/// The text with only the elements and bonds that are left.
fn rewritten(text: &str, graph: &Graph) -> String {
    let end = |element: &GraphElement| match (element.name.is_empty(), element.open) {
        (true, _) => element.symbol.to_string(),
        (_, true) => format!("node:{}", element.name),
        _ => element.name.clone(),
    };
    let is_left = |line: &&str| {
        let mut words = line.split('"');
        let (keyword, name) = (words.next().unwrap_or("").trim(), words.next().unwrap_or(""));
        match keyword {
            "Bond" => false,
            "Junction0" | "Junction1" | "Se" | "Sf" => {
                graph.elements.iter().any(|e| e.name == name)
            }
            _ => true,
        }
    };
    let mut left: String = text.lines().filter(is_left).flat_map(|line| [line, "\n"]).collect();
    for bond in &graph.bonds {
        let (from, to) = (end(&graph.elements[bond.from]), end(&graph.elements[bond.to]));
        left += &format!("Bond \"{}\" {{ From = {from}; To = {to}; }}\n", bond.name);
    }
    left
}

#[test]
fn what_is_left_moves_as_before() {
    let mut shorter = 0;
    for name in MODELS {
        let full = with_all_signals(&model(name));
        let before = graph(&full);
        let (after, steps) = simplify(&before);
        if steps.is_empty() {
            assert_eq!(before, after, "{name}");
            continue;
        }
        shorter += 1;
        let text = rewritten(&full, &after);
        assert_eq!(graph(&text).bonds.len(), after.bonds.len(), "{name}");
        let (one, two) = (solve(&full), solve(&text));
        let (one, two) = (one.table("csv"), two.table("csv"));
        for column in &two.columns {
            let (element, signal) = column.rsplit_once('.').unwrap_or(("", column));
            let is_storage = matches!(signal, "q" | "p");
            let is_port =
                matches!(signal, "e" | "f") && after.elements.iter().any(|e| e.name == element);
            // The flow of a dependent storage is a derivative of the source, which rounding does not spare.
            if is_storage || is_port {
                let gap = gap((&two, column), (&one, column));
                assert!(gap <= 1e-11, "{name}: {column} differs by {gap:e}");
            }
        }
    }
    assert!(shorter >= 4, "{shorter} models can be simplified");
}

#[test]
fn the_oscillator_becomes_one_junction() {
    // Figures 5.7b, 5.8 and 4.15.
    let (graph, steps) = simplify(&graph(&model("one_mass_oscillator")));
    assert_eq!((graph.elements.len(), graph.bonds.len(), steps.len()), (5, 4, 3));
}

#[test]
fn the_network_of_figure_5_3_becomes_that_of_figure_5_5() {
    // The ground goes, and with it four 1-junctions that have only two bonds left, and the potential a.
    let (graph, steps) = simplify(&graph(&model("network")));
    let junctions: Vec<String> = graph
        .elements
        .iter()
        .filter(|element| element.kind.is_junction())
        .map(|element| element.label())
        .collect();
    assert_eq!(junctions, ["0:b", "0:c", "1:at_R1", "1:at_L1"]);
    assert_eq!(steps.len(), 6);
}

#[test]
fn a_junction_that_turns_the_sign_stays() {
    // Both half arrows point at the junction: f1 = -f2, which no single bond says.
    let graph = graph(
        r#"I "a" { I = 1; Pinit = 1; } Junction0 "turn" {} C "b" { C = 1; }
        Bond "1" { From = a; To = turn; } Bond "2" { From = b; To = turn; }"#,
    );
    let (after, steps) = simplify(&graph);
    assert!(steps.is_empty());
    assert_eq!(after, graph);
}

#[test]
fn parallel_bonds_between_equal_junctions_are_left_alone() {
    let graph = graph(
        r#"Se "U" { e = 1; } R "r" { R = 1; } Junction1 "a" {} Junction1 "b" {} TF "t" { m = 2; }
        Bond "1" { From = U; To = a; } Bond "2" { From = a; To = b; } Bond "3" { From = a; To = t; }
        Bond "4" { From = t; To = b; } Bond "5" { From = b; To = r; }"#,
    );
    // a and b become one, and the transformer is bonded to it at both ends: still a valid graph.
    let (after, steps) = simplify(&graph);
    assert_eq!(steps.len(), 1);
    assert_eq!(after.bonds.len(), 4);
}
