//! Bond graphs of whole networks. A derived graph, simulated as a model of its own, moves as the network does.
//!
//! Both are integrated with a relative tolerance of 1e-9, in other variables and so with other steps. Errors per step are
//! some 1e-9 of the values, the systems are damped or conservative, and there are at most some thousand steps: 1e-6 of the
//! largest value of a column is what the two may differ by.

use dysim_tests::circuits::{Setting, text};
use dysim_tests::examples::example;
use dysim_tests::random::Random;
use dysim_tests::simulate::{Outcome, model, run};
use engine::internals::bondgraph::{ElementKind, Exported, Graph, simplify};

use super::support;

/// Models with elements of all kinds; some stay in their networks, as valves, transistors and joints do.
/// Not here: a rectifier whose potentials float while all diodes block, which nothing determines.
const MODELS: [&str; 15] = [
    "circuits/bridge_rectifier_exponential",
    "circuits/buck_converter",
    "circuits/op_amp_filter",
    "circuits/parallel_capacitors",
    "circuits/rc_rl",
    "circuits/resonance",
    "circuits/switched_rc",
    "circuits/transformer",
    "circuits/transistor_amplifier",
    "mechatronics/clutch_brake_train",
    "mechatronics/dc_motor",
    "mechatronics/dc_motor_pi",
    "mechatronics/gear_with_losses",
    "mechatronics/quarter_car",
    "mechatronics/thermostat",
];

/// Models ask for relative tolerances of 1e-6 to 1e-8 themselves; a hundred times the largest is what powers, which are
/// products, may differ by.
const TOLERANCE_OF_MODELS: f64 = 1e-4;

/// How far the columns of two runs may differ, relative to the largest value of the column.
const TOLERANCE: f64 = 1e-6;

fn exported(text: &str, simplified: bool) -> Exported {
    model(text).bond_graph(simplified).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Compares all signals that both models have; gives their number.
fn compare(
    what: &str,
    [network, graph]: [&Outcome; 2],
    exported: &Exported,
    tolerance: f64,
) -> usize {
    let (one, two) = (network.table("csv"), graph.table("csv"));
    assert_eq!(one.rows.len(), two.rows.len(), "{what}\n{}", exported.text);
    let mut checked = 0;
    for column in one.columns.iter().filter(|column| *column != "t") {
        let other = exported.paths.get(column).unwrap_or(column);
        let (sign, other) = match other.strip_prefix("(-") {
            Some(other) => (-1.0, other.trim_end_matches(')')),
            None => (1.0, other.as_str()),
        };
        if !two.columns.iter().any(|known| known == other) {
            continue;
        }
        let (a, b) = (one.column(column), two.column(other));
        // What is smaller is below the absolute tolerance.
        let size = a.iter().fold(1e-4f64, |size, x| size.max(x.abs()));
        let gap = a.iter().zip(&b).fold(0.0f64, |gap, (a, b)| gap.max((a - sign * b).abs()));
        assert!(
            gap <= tolerance * size,
            "{what}: {column} and {other} differ by {:e}\n{}",
            gap / size,
            exported.text
        );
        checked += 1;
    }
    checked
}

/// Runs a network and its graph, as it is derived and simplified.
fn agrees(what: &str, text: &str) -> usize {
    agrees_to(TOLERANCE, what, text)
}

fn agrees_to(tolerance: f64, what: &str, text: &str) -> usize {
    let network = run(text).complete();
    let both = [false, true].map(|simplified| {
        let exported = exported(text, simplified);
        let graph = run(&exported.text).complete();
        compare(what, [&network, &graph], &exported, tolerance)
    });
    both[0].min(both[1])
}

fn setting(end: f64) -> Setting {
    Setting { solver: "derf", end, step: end / 20.0, tolerance: 1e-9 }
}

/// The circuit of figure 5.3.
const CIRCUIT: &str = r#"
VoltageSource "U" { p = a; n = gnd; V = 10; }
CurrentSource "J" { p = gnd; n = c; I = 0.02; }
Resistor "R1" { p = a; n = b; R = 100; }
Resistor "R2" { p = c; n = gnd; R = 200; }
Capacitor "C1" { p = b; n = gnd; C = 10e-6; }
Inductor "L1" { p = b; n = c; L = 0.1; }
"#;

/// Bonds by the labels of their ends, where junctions have the names that the book gives them or none.
fn labels(graph: &Graph) -> Vec<[String; 2]> {
    let label = |element: usize| {
        let element = &graph.elements[element];
        let is_inner = element.kind == ElementKind::One;
        if is_inner { "1".to_string() } else { element.label() }
    };
    let mut labels: Vec<[String; 2]> =
        graph.bonds.iter().map(|bond| [label(bond.from), label(bond.to)]).collect();
    labels.sort();
    labels
}

#[test]
fn the_circuit_of_figure_5_3_gives_the_nine_bonds_of_figure_5_5() {
    let text = text(setting(0.02), "", CIRCUIT);
    let derived = Graph::whole(model(&text).checked());
    let drawn = support::graph(&support::model("network"));
    assert_eq!((derived.elements.len(), derived.bonds.len()), (17, 19));
    assert_eq!((drawn.elements.len(), drawn.bonds.len()), (17, 19));
    let (derived, drawn) = (simplify(&derived).0, simplify(&drawn).0);
    assert_eq!(derived.bonds.len(), 9);
    assert_eq!(labels(&derived), labels(&drawn));
}

#[test]
fn the_circuit_of_figure_5_3_moves_as_its_graph() {
    assert!(agrees("figure 5.3", &text(setting(0.02), "", CIRCUIT)) >= 20);
}

#[test]
fn the_oscillator_of_figure_5_7_is_one_junction() {
    let mass = r#"
    Mass "m" { a = x; m = 2; Sinit = 0.1; }
    LinearSpring "k" { a = x; c = 300; d = 4; }
    ForceSource "F" { a = x; F = 5; }
    "#;
    let text = text(setting(2.0), "", mass);
    let graph = simplify(&Graph::whole(model(&text).checked())).0;
    assert_eq!(labels(&graph).len(), 4, "{:?}", labels(&graph));
    let junctions = graph.elements.iter().filter(|element| element.kind.is_junction()).count();
    assert_eq!(junctions, 1);
    assert!(agrees("oscillator", &text) >= 5);
}

/// A piece of a random network: its lines, and how many nodes it has.
struct Draft {
    random: Random,
    lines: String,
    count: usize,
}

impl Draft {
    fn name(&mut self, letter: char) -> String {
        self.count += 1;
        format!("{letter}{}", self.count)
    }

    fn size(&mut self, low: f64, high: f64) -> f64 {
        let (low, high) = (low.ln(), high.ln());
        self.random.between(low, high).exp()
    }

    fn pick<'n>(&mut self, nodes: &'n [String]) -> &'n str {
        &nodes[self.random.below(nodes.len())]
    }

    /// Two nodes, which are not the same.
    fn pair(&mut self, nodes: &[String]) -> [String; 2] {
        loop {
            let ends = [self.pick(nodes).to_string(), self.pick(nodes).to_string()];
            if ends[0] != ends[1] {
                return ends;
            }
        }
    }

    /// A circuit with time constants of about a second.
    fn circuit(&mut self) -> Vec<String> {
        let mut nodes = vec!["gnd".to_string()];
        for _ in 0..2 + self.random.below(3) {
            let node = self.name('n');
            let other = self.pick(&nodes).to_string();
            let (name, r) = (self.name('R'), self.size(0.3, 3.0));
            self.lines += &format!("Resistor \"{name}\" {{ p = {node}; n = {other}; R = {r}; }}\n");
            self.lines += &format!("Resistor \"{name}g\" {{ p = gnd; n = {node}; R = 4; }}\n");
            nodes.push(node);
        }
        for _ in 0..3 + self.random.below(4) {
            let [p, n] = self.pair(&nodes);
            let size = self.size(0.2, 2.0);
            let line = match self.random.below(7) {
                0 => {
                    let name = self.name('C');
                    format!("Capacitor \"{name}\" {{ p = {p}; n = {n}; C = {size}; }}")
                }
                1 => {
                    let name = self.name('L');
                    format!("Inductor \"{name}\" {{ p = {p}; n = {n}; L = {size}; }}")
                }
                2 => {
                    let name = self.name('J');
                    format!("CurrentSource \"{name}\" {{ p = {p}; n = {n}; I = {size}*sin(2*t); }}")
                }
                3 => {
                    let (name, own) = (self.name('U'), self.name('n'));
                    let (r, line) = (self.name('R'), size);
                    format!(
                        "VoltageSource \"{name}\" {{ p = {own}; n = {n}; V = {size}*cos(t); }} \
                         Resistor \"{r}\" {{ p = {p}; n = {own}; R = {line}*(2 + sin({own}.v)); }}"
                    )
                }
                4 => {
                    let (name, own, r) = (self.name('E'), self.name('n'), self.name('R'));
                    format!(
                        "VCVS \"{name}\" {{ p = {own}; n = gnd; cp = {p}; cn = {n}; Gain = 0.3; }} \
                         Resistor \"{r}\" {{ p = {own}; n = {n}; R = {size}; }}"
                    )
                }
                5 => {
                    let (name, own, r) = (self.name('T'), self.name('n'), self.name('R'));
                    format!(
                        "Transformer \"{name}\" {{ p1 = {p}; n1 = {n}; p2 = {own}; n2 = gnd; Ratio = {size}; }} \
                         Resistor \"{r}\" {{ p = {own}; n = gnd; R = 1; }}"
                    )
                }
                _ => {
                    let (name, source) = (self.name('R'), self.name('G'));
                    format!(
                        "Resistor \"{name}\" {{ p = {p}; n = {n}; R = {size}; }} \
                         CCCS \"{source}\" {{ p = {n}; n = {p}; Control = {name}; Gain = 0.2; }}"
                    )
                }
            };
            self.lines += &format!("{line}\n");
        }
        nodes
    }

    /// A train of shafts, each with inertia, and a motor on one of them.
    fn train(&mut self, circuit: &[String]) {
        let mut shafts = vec!["base".to_string()];
        for _ in 0..2 + self.random.below(3) {
            let (shaft, name) = (self.name('w'), self.name('I'));
            let (j, start) = (self.size(0.3, 3.0), self.random.between(-1.0, 1.0));
            self.lines +=
                &format!("Inertia \"{name}\" {{ a = {shaft}; J = {j}; Winit = {start}; }}\n");
            shafts.push(shaft);
        }
        for _ in 0..3 + self.random.below(3) {
            let [a, b] = self.pair(&shafts);
            let size = self.size(0.3, 3.0);
            let line = match self.random.below(5) {
                0 => {
                    let name = self.name('S');
                    format!(
                        "TorsionSpring \"{name}\" {{ a = {a}; b = {b}; c = {size}; d = 0.3; phi0 = 0.1; }}"
                    )
                }
                1 => {
                    let name = self.name('S');
                    format!("TorsionSpring \"{name}\" {{ a = {a}; b = {b}; d = {size}; }}")
                }
                2 => {
                    let name = self.name('M');
                    format!("TorqueSource \"{name}\" {{ a = {a}; b = {b}; Tau = {size}*sin(t); }}")
                }
                3 => {
                    let (name, own, load) = (self.name('Z'), self.name('w'), self.name('I'));
                    format!(
                        "Gear \"{name}\" {{ a = {a}; b = {own}; housing = {b}; Ratio = -{size}; }} \
                         Inertia \"{load}\" {{ a = {own}; J = 0.5; }}"
                    )
                }
                _ => {
                    let (name, own, load) = (self.name('P'), self.name('w'), self.name('I'));
                    format!(
                        "Planetary \"{name}\" {{ sun = {a}; carrier = {b}; ring = {own}; Ratio = {size}; }} \
                         Inertia \"{load}\" {{ a = {own}; J = 0.5; }}"
                    )
                }
            };
            self.lines += &format!("{line}\n");
        }
        let [p, n] = self.pair(circuit);
        let (shaft, stator) = (shafts[1].clone(), self.pick(&shafts[..1]).to_string());
        let (name, l) = (self.name('A'), self.random.below(2));
        let heat = self.name('h');
        self.lines += &format!(
            "Motor \"{name}\" {{ p = {p}; n = {n}; shaft = {shaft}; stator = {stator}; R = 0.7; k = 0.6; L = {l}; J = 0.4; \
             d = 0.1; Heat = {heat}; }}\nHeatCapacity \"{name}h\" {{ a = {heat}; C = 2; }}\n\
             ThermalResistor \"{name}r\" {{ a = {heat}; R = 3; }}\n"
        );
    }

    /// Volumes of oil, and a cylinder that moves a mass.
    fn oil(&mut self) {
        let mut volumes = vec!["tank".to_string()];
        for _ in 0..2 + self.random.below(2) {
            let (volume, name) = (self.name('v'), self.name('V'));
            let (c, start) = (self.size(0.3, 3.0), self.random.between(0.0, 2.0));
            self.lines +=
                &format!("Compliance \"{name}\" {{ a = {volume}; C = {c}; Pinit = {start}; }}\n");
            self.lines += &format!("HydraulicResistor \"{name}r\" {{ a = {volume}; R = 6; }}\n");
            volumes.push(volume);
        }
        for _ in 0..3 + self.random.below(3) {
            let [a, b] = self.pair(&volumes);
            let (name, size) = (self.name('H'), self.size(0.3, 3.0));
            let line = match self.random.below(4) {
                0 => format!("HydraulicResistor \"{name}\" {{ a = {a}; b = {b}; R = {size}; }}"),
                1 => format!(
                    "HydraulicResistor \"{name}\" {{ a = {a}; b = {b}; Model = turbulent; K = {size}; PLam = 0.3; }}"
                ),
                2 => format!("Inertance \"{name}\" {{ a = {a}; b = {b}; L = {size}; }}"),
                _ => format!("FlowSource \"{name}\" {{ a = {a}; b = {b}; Q = 0.2*{size}; }}"),
            };
            self.lines += &format!("{line}\n");
        }
        let (a, b) = (volumes[1].clone(), volumes[2].clone());
        let (name, rod) = (self.name('Y'), self.name('x'));
        self.lines += &format!(
            "Cylinder \"{name}\" {{ a = {a}; b = {b}; rod = {rod}; AreaA = 1.3; AreaB = 0.8; }}\n\
             Mass \"{name}m\" {{ a = {rod}; m = 1.5; }}\n\
             LinearSpring \"{name}s\" {{ a = {rod}; c = 1.1; d = 0.4; Backlash = 0.05; }}\n"
        );
    }
}

fn random_network(seed: u64) -> String {
    let mut draft = Draft { random: Random::new(seed), lines: String::new(), count: 0 };
    let nodes = draft.circuit();
    draft.train(&nodes);
    draft.oil();
    text(setting(3.0), "", &draft.lines)
}

#[test]
fn graphs_of_random_networks_move_as_the_networks() {
    let mut signals = 0;
    for seed in 0..40 {
        let text = random_network(seed);
        signals += agrees(&format!("seed {seed}\n{text}"), &text);
    }
    // Most signals have a counterpart.
    assert!(signals > 40 * 60, "{signals} signals");
}

#[test]
fn graphs_of_the_models_move_as_the_models() {
    for name in MODELS {
        // The states of the graph are charges, of 1e-9 As in some of the circuits.
        let text = support::with_all_signals(&example(name)).replace("1.e-10", "1.e-16");
        let checked = agrees_to(TOLERANCE_OF_MODELS, name, &text);
        assert!(checked >= 4, "{name}: {checked}");
    }
}
