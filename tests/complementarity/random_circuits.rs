//! Random connected circuits of 3 to 16 elements of all kinds.

use dysim_tests::random::Random;

use crate::circuit::{Circuit, Kind};
use crate::converters::decades;
use crate::waves::{Gate, Wave};

/// Time of a run, s: values of elements make time constants around it.
const TIME: f64 = 0.02;

fn gate(r: &mut Random) -> Gate {
    let period = decades(r, 0.1 * TIME, TIME);
    let (on, shift) = (r.between(0.2, 0.8) * period, r.between(0.05, 0.95) * period);
    Gate { period, on, shift, inverted: r.below(2) == 0 }
}

fn wave(r: &mut Random, size: f64) -> Wave {
    match r.below(4) {
        0 => Wave::Constant(size),
        1 => Wave::Pulse { low: 0.0, high: size, gate: gate(r) },
        _ => Wave::Sine {
            amplitude: size,
            frequency: decades(r, 40.0, 400.0),
            phase: 0.0,
            offset: 0.0,
        },
    }
}

/// An element of any kind with two terminals.
fn two_pin(r: &mut Random, with_resistors: bool) -> Kind {
    match r.below(if with_resistors { 18 } else { 15 }) {
        0 | 1 => Kind::VoltageSource(wave(r, 10.0)),
        2 => {
            let size = decades(r, 0.01, 0.3);
            Kind::CurrentSource(match r.below(2) {
                0 => Wave::Constant(size),
                _ => Wave::Sine {
                    amplitude: size,
                    frequency: decades(r, 40.0, 400.0),
                    phase: 0.0,
                    offset: 0.0,
                },
            })
        }
        3 | 4 => Kind::Capacitor(decades(r, 1e-6, 1e-4), 0.0),
        5 | 6 => Kind::Inductor(decades(r, 1e-3, 1e-1), 0.0),
        7..=9 => Kind::Diode(0.0, 0.0),
        10 => Kind::Thyristor(gate(r)),
        11 | 12 => Kind::Switch(gate(r)),
        13 => Kind::Zener(decades(r, 2.0, 8.0), 0.7),
        _ => Kind::Resistor(decades(r, 10.0, 1000.0)),
    }
}

/// A name and number for each kind.
fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Resistor(_) => "R",
        Kind::Inductor(..) => "L",
        Kind::Capacitor(..) => "C",
        Kind::VoltageSource(_) => "V",
        Kind::CurrentSource(_) => "I",
        Kind::Diode(..) => "D",
        Kind::Thyristor(_) => "T",
        Kind::Switch(_) => "S",
        Kind::Zener(..) => "Z",
        Kind::OpAmp(_) => "A",
        Kind::Transformer(_) => "X",
    }
}

/// A random circuit. With a resistor at every element all its laws have finite slopes.
pub fn random_circuit(seed: u64, resistor_at_every_element: bool) -> Circuit {
    let r = &mut Random::new(seed);
    let mut c = Circuit::new(TIME / 37.3, 37);
    let count = 3 + r.below(14);
    let n_nodes = 2 + r.below(2 + count / 3);
    let node = |k: usize| if k == 0 { "gnd".to_string() } else { format!("n{k}") };
    let place = |c: &mut Circuit, r: &mut Random, p: usize, n: usize, kind: Kind| {
        let at = c.elements.len() + 1;
        let name = format!("{}{at}", letter(kind));
        let (p, n) = (node(p), node(n));
        // Of the sources in circuits of ideal elements two thirds are real ones; an ideal one is shorted too easily.
        let is_source = matches!(kind, Kind::VoltageSource(_) | Kind::CurrentSource(_));
        let is_real = resistor_at_every_element || (is_source && r.below(3) > 0);
        if !is_real || matches!(kind, Kind::Resistor(_)) {
            c.add(&name, &format!("{p} {n}"), kind);
        } else if matches!(kind, Kind::CurrentSource(_)) {
            c.add(&name, &format!("{p} {n}"), kind);
            c.add(
                &format!("R{name}"),
                &format!("{p} {n}"),
                Kind::Resistor(decades(r, 10.0, 1000.0)),
            );
        } else {
            c.add(&name, &format!("{p} x{at}"), kind);
            c.add(
                &format!("R{name}"),
                &format!("x{at} {n}"),
                Kind::Resistor(decades(r, 1.0, 100.0)),
            );
        }
    };
    // A source first, then a tree that connects all nodes, then the rest.
    let source = Kind::VoltageSource(wave(r, 10.0));
    place(&mut c, r, 1, 0, source);
    for k in 1..count {
        let (p, n) = if k < n_nodes - 1 {
            (k + 1, r.below(k + 1))
        } else {
            let p = r.below(n_nodes);
            (p, (p + 1 + r.below(n_nodes - 1)) % n_nodes)
        };
        let kind = two_pin(r, !resistor_at_every_element);
        let (p, n) = if r.below(2) == 0 { (p, n) } else { (n, p) };
        place(&mut c, r, p, n, kind);
    }
    special(&mut c, r, n_nodes, resistor_at_every_element);
    // A node with a single terminal gets a resistor.
    let nodes: Vec<String> =
        c.elements.iter().flat_map(|e| e.nodes.clone()).filter(|n| !n.is_empty()).collect();
    for name in (1..n_nodes).map(node) {
        if nodes.iter().filter(|n| **n == name).count() < 2 {
            c.add(
                &format!("R_{name}"),
                &format!("{name} gnd"),
                Kind::Resistor(decades(r, 10.0, 1000.0)),
            );
        }
    }
    c
}

/// Sometimes an amplifier with feedback, sometimes a transformer.
fn special(c: &mut Circuit, r: &mut Random, n_nodes: usize, resistor_at_every_element: bool) {
    let node = |k: usize| if k == 0 { "gnd".to_string() } else { format!("n{k}") };
    match r.below(6) {
        0 => {
            // Inverting amplifier from one node, its output loads another one.
            let (from, to) = (1 + r.below(n_nodes - 1), r.below(n_nodes));
            c.add("RA1", &format!("{} am", node(from)), Kind::Resistor(decades(r, 100.0, 1000.0)));
            let back = if r.below(3) == 0 {
                Kind::Capacitor(decades(r, 1e-6, 1e-5), 0.0)
            } else {
                Kind::Resistor(decades(r, 100.0, 3000.0))
            };
            c.add("FA", "am ao", back).add("A", "gnd am ao", Kind::OpAmp(Some((-12.0, 12.0))));
            c.add("RA2", &format!("ao {}", node(to)), Kind::Resistor(decades(r, 100.0, 1000.0)));
        }
        1 => {
            let (p, s) = (1 + r.below(n_nodes - 1), 1 + r.below(n_nodes - 1));
            let ratio = decades(r, 0.3, 3.0);
            if resistor_at_every_element {
                c.add("RX1", &format!("{} xp", node(p)), Kind::Resistor(decades(r, 10.0, 100.0)));
                c.add("X", "xp gnd xs gnd", Kind::Transformer(ratio));
                c.add("RX2", &format!("xs {}", node(s)), Kind::Resistor(decades(r, 10.0, 100.0)));
            } else {
                c.add("X", &format!("{} gnd xs gnd", node(p)), Kind::Transformer(ratio));
                let kind = two_pin(r, true);
                c.add(&format!("{}X", letter(kind)), &format!("xs {}", node(s)), kind);
            }
        }
        _ => {}
    }
}
