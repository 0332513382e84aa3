//! Crossings: small graphs against all orders, and graphs that can be drawn without.

use diagram::layered::graph::{Direction, End, Graph, Net, Vertex};
use diagram::layered::{crossings_of, layout};
use dysim_tests::random::Random;

use crate::inspection::diagram;

fn graph(count: usize, arrows: &[(usize, usize)], direction: Direction) -> Graph {
    let vertex = || Vertex { width: 60.0, height: 6, ..Vertex::default() };
    let end = |vertex: usize, port: usize| End {
        vertex,
        port: port as u32,
        direction,
        may_go_back: false,
    };
    let nets = arrows.iter().enumerate();
    Graph {
        vertices: (0..count).map(|_| vertex()).collect(),
        nets: nets.map(|(k, &(a, b))| Net { ends: vec![end(a, k), end(b, k)] }).collect(),
    }
}

/// All orders of some numbers.
fn orders(items: &[usize]) -> Vec<Vec<usize>> {
    let Some((first, rest)) = items.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for order in orders(rest) {
        for at in 0..=order.len() {
            let mut longer = order.clone();
            longer.insert(at, *first);
            all.push(longer);
        }
    }
    all
}

/// The least number of crossings of all orders of the layers.
fn optimum(layers: &[Vec<usize>], arrows: &[(usize, usize)]) -> usize {
    let mut choices: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for layer in layers {
        let orders = orders(layer);
        choices = choices
            .iter()
            .flat_map(|chosen| {
                orders.iter().map(|order| {
                    let mut longer = chosen.clone();
                    longer.push(order.clone());
                    longer
                })
            })
            .collect();
    }
    let crossings = |choice: &Vec<Vec<usize>>| {
        let place = |vertex: usize| {
            let mut layers = choice.iter().enumerate();
            layers
                .find_map(|(l, layer)| Some((l, layer.iter().position(|v| *v == vertex)?)))
                .unwrap()
        };
        let ends: Vec<_> = arrows.iter().map(|&(a, b)| (place(a), place(b))).collect();
        let mut count = 0;
        for (k, a) in ends.iter().enumerate() {
            for b in &ends[..k] {
                let above = a.0.1.cmp(&b.0.1);
                let below = a.1.1.cmp(&b.1.1);
                count +=
                    usize::from(a.0.0 == b.0.0 && above != below && above.is_ne() && below.is_ne());
            }
        }
        count
    };
    choices.iter().map(crossings).min().unwrap()
}

#[test]
fn small_layered_graphs_have_nearly_as_few_crossings_as_the_best_order() {
    let mut random = Random::new(11);
    let (mut found, mut best) = (0, 0);
    for round in 0..150 {
        let sizes = if random.below(2) == 0 { vec![3, 4] } else { vec![2, 3, 2] };
        let mut layers: Vec<Vec<usize>> = Vec::new();
        for size in sizes {
            let first = layers.iter().map(Vec::len).sum();
            layers.push((first..first + size).collect());
        }
        let mut arrows = Vec::new();
        for pair in layers.windows(2) {
            for &a in &pair[0] {
                for &b in &pair[1] {
                    if random.below(2) == 0 {
                        arrows.push((a, b));
                    }
                }
            }
        }
        let count = layers.iter().map(Vec::len).sum();
        let drawn = crossings_of(&layout(&graph(count, &arrows, Direction::Away)));
        let least = optimum(&layers, &arrows);
        assert!(drawn <= least + 1, "round {round}: {drawn} > {least}, {arrows:?}");
        found += drawn;
        best += least;
    }
    // Other layers than these may save crossings.
    assert!(best > 80 && found <= best, "{found} crossings, {best} at best");
}

#[test]
fn trees_have_no_crossings() {
    let mut random = Random::new(5);
    for count in 1..60 {
        let arrows: Vec<(usize, usize)> = (1..count).map(|k| (random.below(k), k)).collect();
        for direction in [Direction::Away, Direction::None] {
            let drawn = crossings_of(&layout(&graph(count, &arrows, direction)));
            assert_eq!(drawn, 0, "{arrows:?}");
        }
    }
}

/// A circuit with a source from `a` to ground.
fn circuit(elements: &str) -> String {
    format!(
        "Header \"h\" {{ ModelName = c; OutputType = all; }}\n\
         System \"s\" {{ GravAccel = 0, 0, -9.81; ScaleGrav = 1; }}\n\
         Solver \"v\" {{ Type = dynamic; Solver = derf; Tend = 1; Tstep = 0.01; }}\n\
         VoltageSource \"V\" {{ p = a; n = gnd; V = 5; }}\n{elements}"
    )
}

fn resistor(name: &str, p: &str, n: &str) -> String {
    format!("Resistor \"{name}\" {{ p = {p}; n = {n}; R = 1; }}\n")
}

#[test]
fn series_and_parallel_circuits_have_no_crossings() {
    // Random series and parallel connections between two nodes.
    fn two_pole(random: &mut Random, p: &str, n: &str, depth: usize, count: &mut usize) -> String {
        *count += 1;
        let own = *count;
        match random.below(3) {
            _ if depth == 0 => resistor(&format!("R{own}"), p, n),
            0 => {
                let first = two_pole(random, p, n, depth - 1, count);
                first + &two_pole(random, p, n, depth - 1, count)
            }
            _ => {
                let middle = format!("n{own}");
                let first = two_pole(random, p, &middle, depth - 1, count);
                first + &two_pole(random, &middle, n, depth - 1, count)
            }
        }
    }
    let mut random = Random::new(3);
    let mut crossed = Vec::new();
    for _ in 0..40 {
        let text = circuit(&two_pole(&mut random, "a", "gnd", 4, &mut 0));
        let crossings = diagram("two_pole", &text).picture(None, 0).unwrap().crossings;
        if crossings > 0 {
            crossed.push((crossings, text));
        }
    }
    assert!(crossed.is_empty(), "{} of 40: {}", crossed.len(), crossed[0].1);
}

#[test]
fn a_ladder_and_a_bridge_have_no_crossings() {
    let mut ladder = String::new();
    for k in 0..30 {
        let (from, to) = (if k == 0 { "a".into() } else { format!("n{k}") }, format!("n{}", k + 1));
        ladder += &resistor(&format!("R{k}"), &from, &to);
        ladder += &format!("Capacitor \"C{k}\" {{ p = {to}; n = gnd; C = 1; }}\n");
    }
    let bridge = resistor("Ri", "a", "b")
        + &resistor("R1", "b", "c")
        + &resistor("R2", "b", "d")
        + &resistor("R3", "c", "gnd")
        + &resistor("R4", "d", "gnd")
        + &resistor("R5", "c", "d");
    // The same with a source that has no end at ground.
    let floating = resistor("R1", "b", "c")
        + &resistor("R2", "b", "d")
        + &resistor("R3", "c", "e")
        + &resistor("R4", "d", "e")
        + &resistor("R5", "c", "d")
        + &resistor("R6", "a", "b")
        + "VoltageSource \"U\" { p = b; n = e; V = 1; }\n";
    for text in [ladder, bridge, floating] {
        let picture = diagram("circuit", &circuit(&text)).picture(None, 0).unwrap();
        assert_eq!(picture.crossings, 0, "{text}");
    }
}
