//! `.ac` sweeps: responses of random linear networks and transistor amplifiers against ngspice.

use dysim_tests::random::Random;
use dysim_tests::simulate::run;
use engine::internals::spice::import;
use parser::source::Sources;

use super::ngspice;

/// A netlist without `.end`, and the nodes to compare.
struct Netlist {
    text: String,
    nodes: Vec<String>,
}

fn log(random: &mut Random, low: f64, high: f64) -> f64 {
    random.between(low.ln(), high.ln()).exp()
}

fn node(k: usize) -> String {
    if k == 0 { "0".into() } else { format!("n{k}") }
}

/// Resistors, coils, capacitors, all four controlled sources, and two sources with amplitude and phase.
fn linear(random: &mut Random) -> Netlist {
    let n = 3 + random.below(7);
    let mut lines = vec![
        String::from("linear network"),
        format!("v1 n1 0 dc 1 ac {:e} {:e}", random.between(0.5, 2.0), random.between(-90.0, 90.0)),
        format!("i1 0 n2 ac {:e} {:e}", random.between(5e-4, 2e-3), random.between(-180.0, 180.0)),
    ];
    // A tree of resistors, and a capacitor at every node.
    for k in 2..=n {
        let other = 1 + random.below(k - 1);
        lines.push(format!("rt{k} n{k} n{other} {:e}", log(random, 10.0, 1e4)));
        lines.push(format!("ct{k} n{k} 0 {:e}", log(random, 1e-12, 1e-9)));
    }
    for k in 0..2 * n {
        let (a, b) = (random.below(n + 1), random.below(n + 1));
        if a == b {
            continue;
        }
        let (p, q) = (node(a), node(b));
        match random.below(4) {
            0 => lines.push(format!("rx{k} {p} {q} {:e}", log(random, 10.0, 1e4))),
            // A coil of its own would short what direct current passes through.
            1 => {
                lines.push(format!("rl{k} {p} m{k} 10"));
                lines.push(format!("lx{k} m{k} {q} {:e}", log(random, 1e-4, 1e-1)));
            }
            _ => lines.push(format!("cx{k} {p} {q} {:e}", log(random, 1e-9, 1e-6))),
        }
    }
    let mut any = || 1 + random.below(n);
    let [a, b, c, d, e, f] = [(); 6].map(|()| any());
    lines.push(format!("g1 n{a} 0 n{b} 0 {:e}", random.between(-2e-4, 2e-4)));
    lines.push(format!("e1 ne 0 n{c} 0 {:e}", random.between(-2.0, 2.0)));
    lines.push(format!("re ne n{d} {:e}", log(random, 1e2, 1e4)));
    lines.push(format!("f1 n{e} 0 v1 {:e}", random.between(-0.5, 0.5)));
    lines.push(format!("h1 nh 0 v1 {:e}", random.between(-100.0, 100.0)));
    lines.push(format!("rh nh n{f} {:e}", log(random, 1e2, 1e4)));
    Netlist { text: lines.join("\n"), nodes: (1..=n).map(|k| format!("n{k}")).collect() }
}

/// A common emitter or source, an emitter follower or a differential pair in random numbers.
fn amplifier(random: &mut Random) -> Netlist {
    let mut x = |low: f64, high: f64| random.between(low, high);
    let model = format!(
        ".model qn npn (is=1e-15 bf={:e} vaf={:e} cje={:e} cjc={:e} tf={:e})",
        x(80.0, 300.0),
        x(50.0, 150.0),
        x(2e-12, 2e-11),
        x(1e-12, 8e-12),
        x(1e-10, 1e-9)
    );
    let supply = format!("amplifier\nvcc vcc 0 12\nv1 in 0 dc 0 ac 1\n{model}");
    let (body, nodes): (String, &[&str]) = match random.below(4) {
        0 => (
            format!(
                "cin in b 10u\nr1 vcc b {:e}\nr2 b 0 12k\nrc vcc c {:e}\nre e 0 1k\nce e 0 {:e}\nq1 c b e qn\ncout c out 10u\nrl out 0 10k",
                random.between(6e4, 8e4),
                random.between(2e3, 5e3),
                random.between(1e-5, 1e-4)
            ),
            &["b", "c", "e", "out"],
        ),
        1 => (
            format!(
                "cin in b 10u\nr1 vcc b 100k\nr2 b 0 100k\nq1 vcc b e qn\nre e 0 2.2k\ncl e 0 {:e}",
                random.between(1e-9, 1e-8)
            ),
            &["b", "e"],
        ),
        2 => (
            format!(
                "vee vee 0 -12\nrb in b1 100\nq1 c1 b1 t qn\nq2 c2 0 t qn\nrc1 vcc c1 {:e}\nrc2 vcc c2 {:e}\nrt t vee 10k\ncl c2 0 10p",
                random.between(4e3, 8e3),
                random.between(4e3, 8e3)
            ),
            &["b1", "c1", "c2", "t"],
        ),
        _ => (
            format!(
                ".model mn nmos (vto=1 kp={:e} lambda=0.02)\ncin in g 1u\nr1 vcc g 1meg\nr2 g 0 470k\nrd vcc d {:e}\nrs s 0 1k\ncs s 0 47u\nm1 d g s 0 mn w=10u l=10u\ncl d 0 100p",
                random.between(1e-3, 5e-3),
                random.between(1e3, 3e3)
            ),
            &["g", "d", "s"],
        ),
    };
    Netlist {
        text: format!("{supply}\n{body}"),
        nodes: nodes.iter().map(|node| (*node).to_string()).collect(),
    }
}

/// The complex voltages of the nodes that dysim finds, row by row.
fn swept(netlist: &Netlist) -> Vec<Vec<f64>> {
    let prints: Vec<String> = netlist.nodes.iter().map(|node| format!("v({node})")).collect();
    let text = format!("{}\n{SWEEP}\n.print ac {}\n.end\n", netlist.text, prints.join(" "));
    let mut sources = Sources::default();
    sources.add("case.cir", text.as_str()).unwrap();
    let imported = import(&sources.all()[0]);
    assert_eq!(imported.diagnostics.errors(), 0, "{text}");
    let outcome = run(&imported.text).complete();
    let table = std::fs::read_to_string(outcome.directory().join("case_frequency.csv")).unwrap();
    let mut lines = table.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    // Sources with amplitudes act together.
    let has_sum = columns.iter().any(|column| column.contains("/all "));
    let source = if has_sum { "all" } else { "v1.V" };
    let places: Vec<usize> = netlist
        .nodes
        .iter()
        .flat_map(|node| ["re", "im"].map(|part| format!("{node}.v/{source} {part}")))
        .map(|name| {
            columns
                .iter()
                .position(|column| *column == name)
                .unwrap_or_else(|| panic!("{name} {columns:?}"))
        })
        .collect();
    let row = |line: &str| {
        let numbers: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        places.iter().map(|&place| numbers[place]).collect()
    };
    lines.map(row).collect()
}

const SWEEP: &str = ".ac dec 5 10 1e7";

/// Compares all voltages of a netlist, relative to the largest of them at each frequency.
fn agree(netlist: &Netlist, bound: f64, what: &str) {
    let found = swept(netlist);
    let expected = ngspice::sweep(&netlist.text, SWEEP, &netlist.nodes);
    assert_eq!(found.len(), expected.len(), "{what}\n{}", netlist.text);
    for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let largest = expected.chunks(2).fold(0.0, |most: f64, v| most.max(v[0].hypot(v[1])));
        for (k, (a, b)) in found.chunks(2).zip(expected.chunks(2)).enumerate() {
            let error = (a[0] - b[0]).hypot(a[1] - b[1]);
            let node = &netlist.nodes[k];
            assert!(
                error <= bound * largest,
                "{what}: row {row}, {node}: {a:?} {b:?}\n{}",
                netlist.text
            );
        }
    }
}

/// Random linear networks. Their condition numbers are up to 1e8.
#[test]
fn linear_networks_agree_with_ngspice() {
    if !ngspice::is_installed() {
        return;
    }
    for seed in 0..40 {
        agree(&linear(&mut Random::new(seed)), 1e-7, &format!("linear {seed}"));
    }
}

/// Random amplifiers: operating point and small signals. The operating points agree to the tolerance of both programs.
#[test]
fn amplifiers_agree_with_ngspice() {
    if !ngspice::is_installed() {
        return;
    }
    for seed in 0..40 {
        agree(&amplifier(&mut Random::new(seed)), 1e-6, &format!("amplifier {seed}"));
    }
}
