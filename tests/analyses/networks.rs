//! Bodies and networks as one system: where they rest, and their linear models, against closed forms and long runs in time.

use std::f64::consts::PI;

use dysim_tests::blocks::Text;
use dysim_tests::random::Random;
use dysim_tests::simulate::run;

use super::support::{DOWN, G, Matrix, analyse, eigenvalues, heading, near, refusal, revolute};

/// A rod on a hinge, its centre 0.5 m from it, horizontal at q = 0; the shaft of the hinge is `shaft`.
fn rod(kind: &str, more: &str, networks: &str) -> Text {
    heading(kind, DOWN, more)
        .joint("Revolute", ["J", "world", "rod"], [0.0; 3], &revolute("0, 1, 0", 0.0, ""))
        .body(["rod", "world", "J"], 1.0, [0.01, 0.1, 0.1], [0.5, 0.0, 0.0])
        .with(&format!("JointAxis \"axis\" {{ flange = shaft; Joint = J; }} {networks}"))
}

/// 50 q = m g l cos(q): the spring is in the network, and static analyses once saw the bodies alone.
#[test]
fn a_rod_rests_on_the_spring_of_its_shaft() {
    let spring = "TorsionSpring \"c\" { a = base; b = shaft; c = 50; }";
    let outcome = analyse(&rod("static", "", spring));
    let mut q = 0.1_f64;
    for _ in 0..50 {
        q = 0.5 * G * q.cos() / 50.0;
    }
    near(outcome.table("csv").last("J.q"), q, 1e-9);
    assert!(outcome.text("log").contains("it is stable"));
}

/// The rotor counts for the frequency: w^2 = m g l/(I + J), with and without a gear, and behind a motor that is open.
#[test]
fn a_rotor_on_the_shaft_slows_a_pendulum() {
    let rotors = [
        ("Inertia \"r\" { a = shaft; J = 0.05; }", 0.05),
        (
            "Gear \"g\" { a = fast; b = shaft; Ratio = 3; } Inertia \"r\" { a = fast; J = 0.05; }",
            0.45,
        ),
        (
            "Motor \"m\" { p = open; n = gnd; shaft = shaft; R = 1; L = 1e-3; k = 0.2; J = 0.07; } Resistor \"r\" { p = open; n = gnd; R = 1e3; }",
            0.07,
        ),
    ];
    for (networks, inertia) in rotors {
        let outcome = analyse(&rod("linear", "At = static;", networks));
        let expected = (0.5 * G / (0.1 + 0.25 + inertia)).sqrt();
        let found = eigenvalues(&outcome);
        let swings = found.iter().find(|(_, im)| (im - expected).abs() < 1e-6 * expected);
        assert!(swings.is_some(), "{expected} is not among {found:?}");
        near(outcome.table("csv").last("J.q"), PI / 2.0, 1e-9);
    }
}

/// A series circuit: A, B, C, D of the textbook, with an Input block as the input, and the operating point of direct current.
#[test]
fn a_series_circuit_has_the_matrices_of_the_textbook() {
    let (r, l, c) = (2.0, 0.1, 1e-3);
    let text = heading("linear", DOWN, "At = static;").with(&format!(
        "Input \"U\" {{ Default = 5; }} VoltageSource \"V\" {{ p = a; n = gnd; V = U.y; }} Resistor \"R\" {{ p = a; n = b; R = {r}; }}
         Inductor \"L\" {{ p = b; n = c; L = {l}; }} Capacitor \"C\" {{ p = c; n = gnd; C = {c}; }}
         Output \"o\" {{ Files = csv; Signals = C.v, R.i, L.v; Events = no; }}"
    ));
    let outcome = analyse(&text);
    let a = Matrix::read(&outcome, "A");
    let place = |name: &str| a.columns.iter().position(|column| column == name).unwrap();
    let (i, v) = (place("L.i"), place("C.v"));
    let numbers = a.numbers();
    let expected = [(i, i, -r / l), (i, v, -1.0 / l), (v, i, 1.0 / c), (v, v, 0.0)];
    expected.iter().for_each(|&(row, column, x)| near(numbers[row][column], x, 1e-9 * 1e3));
    let b = Matrix::read(&outcome, "B");
    assert_eq!(b.columns, ["U"]);
    near(b.numbers()[i][0], 1.0 / l, 1e-8);
    near(b.numbers()[v][0], 0.0, 1e-8);
    let (c_rows, d_rows) =
        (Matrix::read(&outcome, "C").numbers(), Matrix::read(&outcome, "D").numbers());
    near(c_rows[0][v], 1.0, 1e-10);
    near(c_rows[1][i], 1.0, 1e-10);
    near(c_rows[2][i], -r, 1e-9);
    near(d_rows[2][0], 1.0, 1e-10);
    near(outcome.table("csv").last("C.v"), 5.0, 1e-9);
    let (re, im) = (-r / (2.0 * l), (1.0 / (l * c) - (r / (2.0 * l)).powi(2)).sqrt());
    let found = eigenvalues(&outcome);
    near(found[0].0, re, 1e-7);
    near(found[0].1, im, 1e-7);
}

/// Two rods with dampers, springs, motors and gears in random numbers: they rest where a long run in time comes to rest.
#[test]
fn random_machines_rest_where_they_come_to_rest() {
    for seed in 0..24 {
        let mut random = Random::new(seed);
        let mut networks = String::new();
        for joint in 1..=2 {
            let mut x = |low: f64, high: f64| random.between(low, high);
            let ratio = x(2.0, 20.0);
            networks += &format!(
                "JointAxis \"axis{joint}\" {{ flange = s{joint}; Joint = J{joint}; }}
                 Gear \"g{joint}\" {{ a = f{joint}; b = s{joint}; Ratio = {ratio:?}; }}
                 Motor \"m{joint}\" {{ p = p{joint}; n = gnd; shaft = f{joint}; R = {:?}; L = {:?}; k = {:?}; J = {:?}; d = 1e-3; }}
                 VoltageSource \"V{joint}\" {{ p = a{joint}; n = gnd; V = {:?}; }}
                 Resistor \"R{joint}\" {{ p = a{joint}; n = p{joint}; R = {:?}; }} Capacitor \"C{joint}\" {{ p = p{joint}; n = gnd; C = 1e-4; }}
                 TorsionSpring \"c{joint}\" {{ a = base; b = s{joint}; c = {:?}; d = {:?}; }}",
                x(0.5, 3.0), x(1e-3, 2e-2), x(0.02, 0.2), x(1e-4, 1e-3), x(-10.0, 10.0), x(0.1, 1.0), x(0.5, 30.0), x(1.0, 3.0),
            );
        }
        let text = |kind: &str, more: &str| {
            let joints = heading(kind, DOWN, "")
                .joint("Revolute", ["J1", "world", "one"], [0.0; 3], &revolute("0, 1, 0", 0.4, ""))
                .body(["one", "world", "J1"], 1.0, [0.01, 0.1, 0.1], [0.5, 0.0, 0.0])
                .joint(
                    "Revolute",
                    ["J2", "one", "two"],
                    [1.0, 0.0, 0.0],
                    &revolute("0, 1, 0", -0.3, ""),
                )
                .body(["two", "one", "J2"], 0.5, [0.01, 0.05, 0.05], [0.3, 0.0, 0.0])
                .with(&networks)
                .with(more);
            joints
                .text()
                .replace("Tend = 1; Tstep = 0.1;", "Tend = 200; Tstep = 10;")
                .replace("Solver = derf", "Solver = stiff")
        };
        let outcome = run(&text("static", "")).complete();
        let settled = run(&text("dynamic", "")).complete();
        let (rest, end) = (outcome.table("csv"), settled.table("csv"));
        let is_stable = !outcome.text("log").contains("UNSTABLE");
        assert!(is_stable, "{seed}");
        for name in ["J1.q", "J2.q", "m1.i", "m2.i", "C1.v", "s2.phi"] {
            let (x, expected) = (rest.last(name), end.last(name));
            // The run has come to rest to its tolerance.
            near(x, expected, 1e-5 * expected.abs().max(1.0));
        }
    }
}

/// What turns steadily has a steady state but for its angle; what nothing holds has none, and is named.
#[test]
fn steady_turning_is_rest_and_growth_is_not() {
    let motor = "Motor \"m\" { p = p; n = gnd; shaft = s; R = 1; k = 0.05; L = 1e-3; J = 1e-5; d = 1e-5; } VoltageSource \"V\" { p = p; n = gnd; V = 12; }";
    let outcome = analyse(&heading("static", DOWN, "").with(motor));
    near(outcome.table("csv").last("m.w"), 12.0 * 0.05 / (0.05 * 0.05 + 1e-5), 1e-6);
    assert!(outcome.text("log").contains("these go on steadily: s.phi"), "{}", outcome.text("log"));
    let message = refusal(
        &heading("static", DOWN, "")
            .with("Integrator \"x\" { u = 1; } PT1 \"y\" { u = 2; T = 1; }"),
    );
    assert!(
        message.contains("no steady state") && message.contains("x.x") && !message.contains("y.y"),
        "{message}"
    );
}

/// An inverted pendulum on a spring that is too soft falls to one side, and an unstable controller is told.
#[test]
fn what_is_unstable_is_told() {
    let networks = "Motor \"m\" { p = p; n = gnd; shaft = shaft; R = 1; k = 0.5; L = 1e-2; J = 0.05; d = 0.1; }
        VoltageSource \"V\" { p = p; n = gnd; V = c.y; } PI \"c\" { u = 0.3 - J.q; k = 20; Ti = 0.5; }";
    let outcome = analyse(&rod("static", "", networks));
    near(outcome.table("csv").last("J.q"), 0.3, 1e-9);
    assert!(
        outcome.text("log").contains("the steady state is UNSTABLE"),
        "{}",
        outcome.text("log")
    );
}
