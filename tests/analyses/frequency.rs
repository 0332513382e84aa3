//! Frequency responses against closed forms, nodal analysis of random circuits, the matrices of the linear model, and small sines
//! in time.

use std::f64::consts::TAU;

use dysim_tests::blocks::Text;
use dysim_tests::random::Random;
use dysim_tests::simulate::{Outcome, Table, run};

use super::complex::{Complex, real, size, solve, transfer};
use super::support::{DOWN, Matrix, analyse, heading, near, prismatic, refusal, revolute};

/// The table of a sweep.
pub struct Response(Table);

impl Response {
    pub fn of(outcome: &Outcome) -> Self {
        let path = outcome.directory().join("case_frequency.csv");
        let text = std::fs::read_to_string(path).unwrap();
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_string));
        let columns = lines.next().unwrap().collect();
        let rows = lines.map(|line| line.map(|x| x.parse().unwrap()).collect()).collect();
        Self(Table { columns, rows })
    }

    /// The frequencies, Hz.
    pub fn frequencies(&self) -> Vec<f64> {
        self.0.column("f_Hz")
    }

    /// The response of a pair `output/input`.
    pub fn pair(&self, name: &str) -> Vec<Complex> {
        let (re, im) = (self.0.column(&format!("{name} re")), self.0.column(&format!("{name} im")));
        re.into_iter().zip(im).map(|(re, im)| Complex::new(re, im)).collect()
    }
}

fn s_of(frequency: f64) -> Complex {
    Complex::new(0.0, TAU * frequency)
}

/// A sweep of networks alone.
fn sweep(more: &str, networks: &str) -> Outcome {
    analyse(&heading("frequency", DOWN, more).with(networks))
}

/// Compares a pair with a closed form, relative to its size.
#[track_caller]
fn agrees(outcome: &Outcome, pair: &str, bound: f64, expected: impl Fn(Complex) -> Complex) {
    let response = Response::of(outcome);
    for (frequency, found) in response.frequencies().into_iter().zip(response.pair(pair)) {
        let expected = expected(s_of(frequency));
        let error = size(found - expected);
        assert!(
            error <= bound * size(expected),
            "{pair} at {frequency} Hz: {found:?} {expected:?}"
        );
    }
}

/// A resonant low pass, with the current of a capacitor right at the source, which follows the derivative of the input; and the
/// same numbers in dB and degrees.
#[test]
fn a_resonant_circuit_has_the_response_of_the_textbook() {
    let (r, l, c) = (50.0, 1e-3, 1e-6);
    let outcome = sweep(
        "Inputs = V1; From = 10; To = 1e5; Points = 10;",
        "VoltageSource \"V1\" { p = in; n = gnd; V = 5*sin(3*t); } Resistor \"R1\" { p = in; n = a; R = 50; }
         Inductor \"L1\" { p = a; n = out; L = 1e-3; } Capacitor \"C1\" { p = out; n = gnd; C = 1e-6; }
         Capacitor \"C2\" { p = in; n = gnd; C = 1e-6; }
         Output \"o\" { Signals = out.v, C2.i, V1.i; }",
    );
    let low_pass = |s: Complex| real(1.0) / (real(1.0) + s.scaled(r * c) + (s * s).scaled(l * c));
    // Roundings of sums whose parts cancel by up to w^2 L C, which is 400 at most.
    agrees(&outcome, "out.v/V1", 1e-12, low_pass);
    agrees(&outcome, "C2.i/V1", 1e-13, |s| s.scaled(c));
    agrees(&outcome, "V1.i/V1", 1e-12, |s| -(low_pass(s) * s.scaled(c) + s.scaled(c)));
    let response = Response::of(&outcome);
    let decibels = response.0.column("out.v/V1 dB");
    let degrees = response.0.column("out.v/V1 deg");
    for (k, z) in response.pair("out.v/V1").into_iter().enumerate() {
        near(decibels[k], 20.0 * size(z).log10(), 1e-9);
        near(degrees[k], z.im.atan2(z.re).to_degrees(), 1e-9);
    }
    let frequencies = response.frequencies();
    assert_eq!(frequencies.len(), 41);
    near(frequencies[10], 100.0, 1e-9);
}

/// The phase of three lags in a row goes on below -180 degrees, where that of a complex number jumps.
#[test]
fn phases_go_on_without_jumps() {
    let outcome = sweep(
        "From = 0.01; To = 100; Points = 20;",
        "Input \"u\" { } PT1 \"a\" { u = u.y; T = 1; } PT1 \"b\" { u = a.y; T = 1; } PT1 \"c\" { u = b.y; T = 1; }
         Output \"o\" { Signals = c.y; }",
    );
    let response = Response::of(&outcome);
    let degrees = response.0.column("c.y/u deg");
    for (f, degrees) in response.frequencies().into_iter().zip(degrees) {
        near(degrees, -3.0 * (TAU * f).atan().to_degrees(), 1e-9);
    }
}

/// A dead time turns the phase by w T and changes no size, also inside of a loop.
#[test]
fn a_dead_time_is_exact() {
    let outcome = sweep(
        "From = 0.1; To = 30; Points = 15; Loop = c.y;",
        "Input \"u\" { } Gain \"c\" { u = u.y - d.y; k = 0.5; } Delay \"d\" { u = p.y; T = 0.1; } PT1 \"p\" { u = c.y; T = 0.2; }
         Output \"o\" { Signals = d.y; }",
    );
    let open = |s: Complex| {
        let lag = Complex::new((0.1 * s.im).cos(), -(0.1 * s.im).sin());
        lag.scaled(0.5) / (real(1.0) + s.scaled(0.2))
    };
    agrees(&outcome, "d.y/u", 1e-12, |s| open(s) / (real(1.0) + open(s)));
    agrees(&outcome, "loop c.y", 1e-12, open);
}

/// The margins of `L = K/(s (1 + s T1) (1 + s T2))`: -180 degrees at `w^2 = 1/(T1 T2)`, where `L = K T1 T2/(T1 + T2)`.
#[test]
fn margins_are_those_of_the_closed_form() {
    let (k, t1, t2) = (2.0, 0.5, 0.1);
    let outcome = sweep(
        "From = 0.01; To = 100; Points = 10; Loop = c1.y; Inputs = r;",
        "Input \"r\" { } Gain \"c1\" { u = r.y - x.y; k = 2; } PT1 \"a\" { u = c1.y; T = 0.5; } PT1 \"b\" { u = a.y; T = 0.1; }
         Integrator \"x\" { u = b.y; } Output \"o\" { Signals = x.y; }",
    );
    let open = |s: Complex| real(k) / (s * (real(1.0) + s.scaled(t1)) * (real(1.0) + s.scaled(t2)));
    agrees(&outcome, "loop c1.y", 1e-12, open);
    let log = outcome.text("log");
    let line = |word: &str| log.lines().find(|line| line.starts_with(word)).unwrap().to_string();
    let gain = line("gain margin of the loop at c1.y");
    let w = (t1 * t2).powf(-0.5);
    let factor = (t1 + t2) / (k * t1 * t2);
    let expected = format!(
        "{:.4} dB (factor {factor:.6}) at {:.6e} Hz ({w:.6e} rad/s)",
        20.0 * factor.log10(),
        w / TAU
    );
    assert!(gain.ends_with(&expected), "{gain}\n{expected}");
    // The size is 1 where w^2 (1 + w^2 T1^2) (1 + w^2 T2^2) = K^2.
    let (mut low, mut high) = (0.1_f64, 10.0_f64);
    for _ in 0..100 {
        let w = 0.5 * (low + high);
        let is_below = w * w * (1.0 + (w * t1).powi(2)) * (1.0 + (w * t2).powi(2)) < k * k;
        if is_below { low = w } else { high = w }
    }
    let phase = 180.0 - 90.0 - (low * t1).atan().to_degrees() - (low * t2).atan().to_degrees();
    let expected = format!("{phase:.4} degrees at {:.6e} Hz ({low:.6e} rad/s)", low / TAU);
    let found = line("phase margin of the loop at c1.y");
    assert!(found.ends_with(&expected), "{found}\n{expected}");
}

/// Elements of a random circuit: name, kind, nodes, value, and what controls it.
#[derive(Clone, Debug)]
enum Part {
    Admittance(usize, usize, char, f64),
    /// A voltage source, by controlling nodes and gain, or an input.
    Voltage(usize, usize, Option<(usize, usize, f64)>),
    /// A current source, likewise.
    Current(usize, usize, Option<(usize, usize, f64)>),
}

/// A connected circuit of resistors, coils, capacitors, sources and controlled sources.
fn random_circuit(random: &mut Random) -> (usize, Vec<Part>) {
    let n = 3 + random.below(8);
    let mut parts = vec![Part::Voltage(1, 0, None), Part::Current(0, 2, None)];
    let log = |random: &mut Random, low: f64, high: f64| random.between(low.ln(), high.ln()).exp();
    // A tree of resistors keeps every node defined at all frequencies.
    for node in 2..=n {
        let other = random.below(node);
        parts.push(Part::Admittance(node, other, 'R', log(random, 10.0, 1e4)));
        parts.push(Part::Admittance(node, 0, 'C', log(random, 1e-12, 1e-9)));
    }
    for _ in 0..2 * n {
        let (a, b) = (random.below(n + 1), random.below(n + 1));
        if a == b {
            continue;
        }
        let (kind, value) = match random.below(4) {
            0 => ('R', log(random, 10.0, 1e4)),
            1 => ('L', log(random, 1e-4, 1e-1)),
            _ => ('C', log(random, 1e-9, 1e-6)),
        };
        parts.push(Part::Admittance(a, b, kind, value));
    }
    for _ in 0..random.below(3) {
        let nodes = [(); 4].map(|()| random.below(n + 1));
        let gain = random.between(-2.0, 2.0);
        if nodes[0] != nodes[1] && nodes[2] != nodes[3] {
            parts.push(Part::Current(nodes[0], nodes[1], Some((nodes[2], nodes[3], 1e-3 * gain))));
        }
    }
    // An amplifier with a node of its own at its output, loaded.
    let (a, b) = (random.below(n + 1), random.below(n));
    if a != b {
        parts.push(Part::Voltage(n + 1, 0, Some((a, b, random.between(-3.0, 3.0)))));
        parts.push(Part::Admittance(n + 1, 1 + random.below(n), 'R', log(random, 10.0, 1e4)));
        return (n + 1, parts);
    }
    (n, parts)
}

fn node(k: usize) -> String {
    if k == 0 { "gnd".into() } else { format!("n{k}") }
}

fn text_of(parts: &[Part]) -> String {
    let mut text = String::new();
    for (k, part) in parts.iter().enumerate() {
        let ends = |a: usize, b: usize| format!("p = {}; n = {};", node(a), node(b));
        text += &match part {
            Part::Admittance(a, b, kind, value) => {
                let word = match kind {
                    'R' => "Resistor",
                    'L' => "Inductor",
                    _ => "Capacitor",
                };
                format!("{word} \"e{k}\" {{ {} {kind} = {value:?}; }}\n", ends(*a, *b))
            }
            Part::Voltage(a, b, None) => {
                format!("VoltageSource \"e{k}\" {{ {} V = 0; }}\n", ends(*a, *b))
            }
            Part::Current(a, b, None) => {
                format!("CurrentSource \"e{k}\" {{ {} I = 0; }}\n", ends(*a, *b))
            }
            Part::Voltage(a, b, Some((c, d, gain))) => {
                let control = format!("cp = {}; cn = {};", node(*c), node(*d));
                format!("VCVS \"e{k}\" {{ {} {control} Gain = {gain:?}; }}\n", ends(*a, *b))
            }
            Part::Current(a, b, Some((c, d, gain))) => {
                let control = format!("cp = {}; cn = {};", node(*c), node(*d));
                format!("VCCS \"e{k}\" {{ {} {control} Gain = {gain:?}; }}\n", ends(*a, *b))
            }
        };
    }
    text
}

/// Modified nodal analysis (Ho, Ruehli, Brennan 1975): potentials, then the currents of voltage sources.
fn nodal(n: usize, parts: &[Part], s: Complex, input: usize) -> Vec<Complex> {
    let voltages = parts.iter().filter(|part| matches!(part, Part::Voltage(..))).count();
    let size = n + voltages;
    let mut a = vec![vec![Complex::default(); size]; size];
    let mut b = vec![Complex::default(); size];
    let mut add = |row: Option<usize>, column: Option<usize>, x: Complex| {
        if let (Some(row), Some(column)) = (row, column) {
            a[row][column] = a[row][column] + x;
        }
    };
    let at = |node: usize| node.checked_sub(1);
    let mut source = n;
    for (k, part) in parts.iter().enumerate() {
        match *part {
            Part::Admittance(p, q, kind, value) => {
                let y = match kind {
                    'R' => real(1.0 / value),
                    'L' => real(1.0) / s.scaled(value),
                    _ => s.scaled(value),
                };
                for (row, column, sign) in [(p, p, 1.0), (q, q, 1.0), (p, q, -1.0), (q, p, -1.0)] {
                    add(at(row), at(column), y.scaled(sign));
                }
            }
            Part::Current(p, q, None) => {
                let amount = f64::from(k == input);
                for (node, sign) in [(p, -1.0), (q, 1.0)] {
                    if let Some(row) = at(node) {
                        b[row] = b[row] + real(sign * amount);
                    }
                }
            }
            Part::Current(p, q, Some((c, d, gain))) => {
                for (row, sign) in [(p, 1.0), (q, -1.0)] {
                    add(at(row), at(c), real(sign * gain));
                    add(at(row), at(d), real(-sign * gain));
                }
            }
            Part::Voltage(p, q, control) => {
                for (node, sign) in [(p, 1.0), (q, -1.0)] {
                    add(at(node), Some(source), real(sign));
                    add(Some(source), at(node), real(sign));
                }
                match control {
                    None => b[source] = real(f64::from(k == input)),
                    Some((c, d, gain)) => {
                        add(Some(source), at(c), real(-gain));
                        add(Some(source), at(d), real(gain));
                    }
                }
                source += 1;
            }
        }
    }
    solve(a, b)
}

/// Random circuits against modified nodal analysis.
#[test]
fn random_circuits_agree_with_nodal_analysis() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let (n, parts) = random_circuit(&mut random);
        let nodes: Vec<String> = (1..=n).map(|k| format!("n{k}.v")).collect();
        let text =
            heading("frequency", DOWN, "Inputs = e0, e1.I; From = 10; To = 1e6; Points = 2;")
                .with(&text_of(&parts))
                .with(&format!("Output \"o\" {{ Signals = {}, e0.i; }}", nodes.join(", ")));
        let outcome = run(text.text());
        if outcome.error.is_some() && text_of(&parts).contains("VC") {
            // Controlled sources in a loop may have no answer at all; that is no business of this test.
            continue;
        }
        let response = Response::of(&outcome.complete_with(seed));
        for (input, name) in [(0, "e0"), (1, "e1.I")] {
            let pairs: Vec<Vec<Complex>> =
                nodes.iter().map(|node| response.pair(&format!("{node}/{name}"))).collect();
            let current = response.pair(&format!("e0.i/{name}"));
            for (row, frequency) in response.frequencies().into_iter().enumerate() {
                let expected = nodal(n, &parts, s_of(frequency), input);
                let largest = expected[..n].iter().fold(0.0, |most: f64, v| most.max(size(*v)));
                for (k, pair) in pairs.iter().enumerate() {
                    let error = size(pair[row] - expected[k]);
                    // Condition numbers of these circuits are below 1e6.
                    assert!(
                        error <= 1e-9 * largest.max(1.0),
                        "{seed}: {name} {k} {frequency}: {:?} {:?}",
                        pair[row],
                        expected[k]
                    );
                }
                let flow = expected[n..].iter().fold(1.0, |most: f64, i| most.max(size(*i)));
                let error = size(current[row] - expected[n]);
                assert!(
                    error <= 1e-9 * flow,
                    "{seed}: {name} current {frequency}: {:?} {:?}",
                    current[row],
                    expected[n]
                );
            }
        }
    }
}

trait CompleteWith {
    fn complete_with(self, seed: u64) -> Self;
}

impl CompleteWith for Outcome {
    fn complete_with(self, seed: u64) -> Self {
        assert!(self.error.is_none(), "{seed}: {:?}", self.error);
        self
    }
}

/// Two rods with motors, gears, springs and a position controller in random numbers.
fn machine(random: &mut Random) -> String {
    let mut networks = String::new();
    for joint in 1..=2 {
        let mut x = |low: f64, high: f64| random.between(low, high);
        networks += &format!(
            "JointAxis \"axis{joint}\" {{ flange = s{joint}; Joint = J{joint}; }}
             Gear \"g{joint}\" {{ a = f{joint}; b = s{joint}; Ratio = {:?}; }}
             Motor \"m{joint}\" {{ p = p{joint}; n = gnd; shaft = f{joint}; R = {:?}; L = {:?}; k = {:?}; J = {:?}; d = 1e-3; }}
             VoltageSource \"V{joint}\" {{ p = a{joint}; n = gnd; V = {:?} + c{joint}.y; }}
             PI \"c{joint}\" {{ u = {:?} - J{joint}.q; k = {:?}; Ti = 2; }}
             Resistor \"R{joint}\" {{ p = a{joint}; n = p{joint}; R = {:?}; }} Capacitor \"C{joint}\" {{ p = p{joint}; n = gnd; C = 1e-4; }}
             TorsionSpring \"c{joint}s\" {{ a = base; b = s{joint}; c = {:?}; d = {:?}; }}\n",
            x(2.0, 20.0), x(0.5, 3.0), x(1e-3, 2e-2), x(0.02, 0.2), x(1e-4, 1e-3), x(-2.0, 2.0), x(-0.5, 0.5), x(0.5, 3.0),
            x(0.1, 1.0), x(0.5, 30.0), x(3.0, 6.0),
        );
    }
    networks
}

fn rods(kind: &str, more: &str, q: [f64; 2], networks: &str) -> Text {
    heading(kind, DOWN, more)
        .joint("Revolute", ["J1", "world", "one"], [0.0; 3], &revolute("0, 1, 0", q[0], ""))
        .body(["one", "world", "J1"], 1.0, [0.01, 0.1, 0.1], [0.5, 0.0, 0.0])
        .joint("Revolute", ["J2", "one", "two"], [1.0, 0.0, 0.0], &revolute("0, 1, 0", q[1], ""))
        .body(["two", "one", "J2"], 0.5, [0.01, 0.05, 0.05], [0.3, 0.0, 0.0])
        .with(networks)
        .with("JointForce \"push\" { Joint1D = J2; Value = 0.1; }")
        .with("Output \"o\" { Signals = J1.q, J2.qd, m1.i, C2.v, s1.w, axis2.tau; }")
}

const SIGNALS: [&str; 6] = ["J1.q", "J2.qd", "m1.i", "C2.v", "s1.w", "axis2.tau"];

/// The sweep is `C (jw - A)^-1 B + D` of the matrices in the files.
#[test]
fn a_sweep_agrees_with_the_matrices_of_the_linear_model() {
    for seed in 0..12 {
        let networks = machine(&mut Random::new(seed));
        let more = "At = static; Inputs = V1.V, V2, push, c1.u; From = 0.1; To = 1e3; Points = 3;";
        let swept = analyse(&rods("frequency", more, [0.4, -0.3], &networks));
        let linear = analyse(&rods("linear", more, [0.4, -0.3], &networks));
        let response = Response::of(&swept);
        let matrices = ["A", "B", "C", "D"].map(|part| Matrix::read(&linear, part));
        let inputs = matrices[1].columns.clone();
        assert_eq!(inputs, ["V1.V", "V2", "push.f", "c1.u"]);
        let numbers = matrices.each_ref().map(Matrix::numbers);
        let [a, b, c, d] = numbers.each_ref().map(Vec::as_slice);
        for (input, name) in inputs.iter().enumerate() {
            let pairs = SIGNALS.map(|signal| response.pair(&format!("{signal}/{name}")));
            for (row, frequency) in response.frequencies().into_iter().enumerate() {
                let expected = transfer([a, b, c, d], s_of(frequency), input);
                for (found, expected) in pairs.iter().zip(expected) {
                    let error = size(found[row] - expected);
                    assert!(
                        error <= 1e-9 * size(expected).max(1e-6),
                        "{seed} {name} {frequency}: {:?} {expected:?}",
                        found[row]
                    );
                }
            }
        }
    }
}

/// A small sine in time, once it is all that is left of the start, is the response at its frequency.
#[test]
fn a_small_sine_in_time_agrees_with_the_sweep() {
    for seed in 0..4 {
        // An integrator against a stiff spring would take minutes to forget the start.
        let networks = machine(&mut Random::new(seed));
        let networks = networks.replace("PI \"", "Gain \"").replace("Ti = 2;", "");
        let frequency = [0.4, 1.0, 2.5, 6.0][seed as usize];
        let more = format!(
            "At = static; Inputs = V1.V; From = {frequency}; To = {frequency}; Points = 1;"
        );
        let rest = analyse(&rods("static", "", [0.4, -0.3], &networks));
        let q = ["J1.q", "J2.q"].map(|name| {
            let all = rest.table("csv");
            if name == "J1.q" { all.last(name) } else { f64::NAN }
        });
        let swept = analyse(&rods("frequency", &more, [q[0], -0.3], &networks));
        let response = Response::of(&swept);
        let amplitude = 1e-3;
        let driven = networks.replacen(
            " + c1.y;",
            &format!(" + c1.y + {amplitude}*sin(2*pi*{frequency}*t);"),
            1,
        );
        let period = 1.0 / frequency;
        let (end, step) = (60.0, period / 32.0);
        let text = rods("dynamic", "", [q[0], -0.3], &driven).text().replace(
            "Solver = derf; RelErr = 1e-9; AbsErr = 1e-9; Tstart = 0; Tend = 1; Tstep = 0.1;\nTstepMax = 0.1;",
            &format!("Solver = stiff; RelErr = 1e-9; AbsErr = 1e-11; Tstart = 0; Tend = {end}; Tstep = {step:?}; TstepMax = {step:?};"),
        );
        let outcome = run(&text).complete();
        let table = outcome.table("csv");
        // The last four periods, 128 rows; the value at rest and the second harmonic fall out of the sum.
        let rows = &table.rows[table.rows.len() - 129..table.rows.len() - 1];
        for signal in SIGNALS {
            let at = table.index(signal);
            let sum = rows.iter().fold(Complex::default(), |sum, row| {
                let angle = TAU * frequency * row[0];
                sum + Complex::new(row[at] * angle.sin(), row[at] * angle.cos())
            });
            let found = sum.scaled(2.0 / (128.0 * amplitude));
            let expected = response.pair(&format!("{signal}/V1.V"))[0];
            let error = size(found - expected);
            // What is left of the start, over the amplitude, and the third order of the sine.
            assert!(
                error <= 1e-4 * size(expected) + 1e-6,
                "{seed} {signal}: {found:?} {expected:?}"
            );
        }
    }
}

/// A source of angle on a joint: the torque that it takes follows the second derivative of the angle.
#[test]
fn the_torque_of_a_given_angle_follows_its_second_derivative() {
    let text = heading("frequency", [0.0; 3], "Inputs = drive; From = 0.1; To = 10; Points = 5;")
        .joint("Revolute", ["J", "world", "rod"], [0.0; 3], &revolute("0, 1, 0", 0.0, ""))
        .body(["rod", "world", "J"], 2.0, [0.01, 0.1, 0.1], [0.5, 0.0, 0.0])
        .with("JointAxis \"axis\" { flange = shaft; Joint = J; } AngleSource \"drive\" { a = shaft; Phi = 0; }
               Output \"o\" { Signals = drive.tau, J.q, J.qd; }");
    let outcome = analyse(&text);
    let inertia = 0.1 + 2.0 * 0.25;
    agrees(&outcome, "J.q/drive", 1e-9, |_| real(1.0));
    agrees(&outcome, "J.qd/drive", 1e-9, |s| s);
    let sign = Response::of(&outcome).pair("drive.tau/drive")[0].re.signum();
    agrees(&outcome, "drive.tau/drive", 1e-9, |s| (s * s).scaled(-sign * inertia));
}

/// A mass on a spring, pushed: `1/(k + d s + m s^2)` without any network.
#[test]
fn a_mass_on_a_spring_answers_as_in_the_textbook() {
    let text = heading("frequency", [0.0; 3], "From = 0.1; To = 100; Points = 7;")
        .joint("Prismatic", ["P", "world", "block"], [0.0; 3], &prismatic("1, 0, 0", 0.0, ""))
        .body(["block", "world", "P"], 2.0, [0.01; 3], [0.0; 3])
        .with("JointForce \"push\" { Joint1D = P; Value = -200*P.q - 3*P.qd; } Output \"o\" { Signals = P.q; }");
    let outcome = analyse(&text);
    agrees(&outcome, "P.q/push.f", 1e-9, |s| {
        real(1.0) / (real(200.0) + s.scaled(3.0) + (s * s).scaled(2.0))
    });
    let log = outcome.text("log");
    assert!(log.contains("frequency response of 1 output to 1 input"), "{log}");
}

/// Without inputs there is nothing to answer to; the message says how to name one.
#[test]
fn a_sweep_without_inputs_is_refused() {
    let circuit =
        "VoltageSource \"V1\" { p = a; n = gnd; V = 1; } Resistor \"R\" { p = a; n = gnd; R = 1; }";
    let message = refusal(&heading("frequency", DOWN, "").with(circuit));
    assert!(message.contains("no inputs"), "{message}");
}
