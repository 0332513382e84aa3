//! Bond graphs against closed forms, hand-written equations, networks and multibody systems.
//!
//! Runs have a relative tolerance of 1e-8 (models) or 1e-9 per step. Systems with damping forget errors after some
//! time constants, so that at most some hundred steps add up: 1e-6 of the largest value for the models.

use super::support::{gap, model, solve, text, with_all_signals};
use dysim_tests::extrapolation::integrate;
use dysim_tests::simulate::Table;

const CLOSE: f64 = 1e-6;

/// Largest gap between a column and a reference over the largest value of the reference.
fn off(table: &Table, column: &str, reference: &[f64]) -> f64 {
    let size = reference.iter().fold(f64::MIN_POSITIVE, |size, x| size.max(x.abs()));
    let column = table.column(column);
    assert_eq!(column.len(), reference.len());
    column.iter().zip(reference).fold(0.0f64, |worst, (a, b)| worst.max((a - b).abs())) / size
}

#[test]
fn the_resonances_are_those_of_the_circuits() {
    let circuit = solve(&with_all_signals(&dysim_tests::examples::example("circuits/resonance")));
    let circuit = circuit.table("csv");
    let series = solve(&with_all_signals(&model("series_resonance")));
    let parallel = solve(&with_all_signals(&model("parallel_resonance")));
    for (graph, pairs) in [
        (series.table("csv"), [("C1.e", "C2.v"), ("I1.f", "L2.i")]),
        (parallel.table("csv"), [("C1.e", "C1.v"), ("I1.f", "L1.i")]),
    ] {
        for (own, other) in pairs {
            let gap = gap((&graph, own), (&circuit, other));
            assert!(gap <= CLOSE, "{own} is off by {gap:e}");
        }
    }
}

#[test]
fn the_network_of_figure_5_3_is_its_circuit() {
    let elements = r#"
    VoltageSource "U" { p = a; n = gnd; V = 10; }
    CurrentSource "J" { p = gnd; n = c; I = 0.02; }
    Resistor "R1" { p = a; n = b; R = 100; }
    Resistor "R2" { p = c; n = gnd; R = 200; }
    Capacitor "C1" { p = b; n = gnd; C = 10e-6; }
    Inductor "L1" { p = b; n = c; L = 0.1; }"#;
    let circuit = solve(&text(0.02, 0.0001, elements));
    let graph = solve(&with_all_signals(&model("network")));
    let (circuit, graph) = (circuit.table("csv"), graph.table("csv"));
    for (own, other) in [("C1.e", "C1.v"), ("L1.f", "L1.i"), ("R2.e", "R2.v")] {
        let gap = gap((&graph, own), (&circuit, other));
        assert!(gap <= CLOSE, "{own} is off by {gap:e}");
    }
    // Without current in C: U = R1 i + R2 (i + J).
    let i = (10.0 - 200.0 * 0.02) / 300.0;
    assert!((graph.last("C1.e") - (10.0 - 100.0 * i)).abs() <= 1e-6);
}

#[test]
fn the_oscillator_is_the_network_and_the_multibody_system() {
    let graph = solve(&with_all_signals(&model("one_mass_oscillator")));
    let network = solve(&text(
        5.0,
        0.01,
        r#"Mass "m" { a = x; m = 2; } LinearSpring "k" { a = base; b = x; c = 400; d = 4; }
        ForceSource "F" { a = x; F = 10; }"#,
    ));
    let bodies = solve(&text(
        5.0,
        0.01,
        r#"Triad "o" { Parent = world; } Triad "e" { Parent = mass; }
        Prismatic "slide" { Parent = mass; TriadFrom = o; TriadTo = e; JointAxis = 1, 0, 0; }
        Body "mass" { Parent = world; Joint = slide; Mass = 2; Inertia = 1, 0, 0, 1, 0, 1; }
        TSDA "k" { Joint1D = slide; ElasticLinear = 400; DampingLinear = 4; }
        JointForce "F" { Joint1D = slide; Value = 10; }"#,
    ));
    let (graph, network, bodies) = (graph.table("csv"), network.table("csv"), bodies.table("csv"));
    for (own, other, third) in [("spring.q", "x.s", "slide.q"), ("mass.f", "x.v", "slide.qd")] {
        let one = gap((&graph, own), (&network, other));
        let two = gap((&graph, own), (&bodies, third));
        assert!(one <= CLOSE && two <= CLOSE, "{own} is off by {one:e} and {two:e}");
    }
}

#[test]
fn the_massless_lever_follows_its_equation() {
    // The force goes through k1 to the lever: F = (b/a)^2 k2 x2 + (c/a)^2 d x2', where x2 is the way of the arm a.
    let (b, c, k2, d) = (1.5f64, 2.5f64, 500.0, 40.0);
    let force = |t: f64| 50.0 * (1.0 - (2.0 * t).cos());
    let times: Vec<f64> = (0..=500).map(|k| 0.01 * f64::from(k)).collect();
    let path = integrate(
        |&[x, t]| [(force(t) - b * b * k2 * x) / (c * c * d), 1.0],
        [0.0, 0.0],
        &times,
        0.01,
    );
    let outcome = solve(&with_all_signals(&model("lever")));
    let table = outcome.table("csv");
    let k2: Vec<f64> = path.iter().map(|[x, _]| b * x).collect();
    let k1: Vec<f64> = times.iter().map(|&t| force(t) / 2000.0).collect();
    assert!(off(&table, "k2.q", &k2) <= CLOSE);
    assert!(off(&table, "k1.q", &k1) <= CLOSE);
}

#[test]
fn the_lever_with_a_mass_follows_its_equations() {
    let (b, c, k1, k2, d, m) = (1.5f64, 2.5f64, 2000.0, 500.0, 40.0, 1.5);
    let force = |t: f64| 50.0 * (1.0 - (2.0 * t).cos());
    let times: Vec<f64> = (0..=500).map(|k| 0.01 * f64::from(k)).collect();
    // States: way and speed of the mass, way of the arm a, time.
    let path = integrate(
        |&[x1, v1, x2, t]| {
            let rope = k1 * (x1 - x2);
            [v1, (force(t) - rope) / m, (rope - b * b * k2 * x2) / (c * c * d), 1.0]
        },
        [0.0; 4],
        &times,
        0.005,
    );
    let outcome = solve(&with_all_signals(&model("lever_mass")));
    let table = outcome.table("csv");
    for (column, reference) in [
        ("m.f", path.iter().map(|p| p[1]).collect::<Vec<f64>>()),
        ("k1.q", path.iter().map(|p| p[0] - p[2]).collect()),
        ("k2.q", path.iter().map(|p| b * p[2]).collect()),
    ] {
        let off = off(&table, column, &reference);
        assert!(off <= CLOSE, "{column} is off by {off:e}");
    }
}

#[test]
fn the_rigid_feed_drive_has_the_inertia_of_rack_and_pinion_together() {
    // (m + J2/r^2) v' = tau/r - k2 x - d v, with the torque tau of the shaft; J1 w1' = MA - tau.
    let (r, m, j1, j2, k1, k2, d, torque) = (0.03, 8.0, 0.004, 0.001, 60.0, 20000.0, 80.0, 2.0);
    let times: Vec<f64> = (0..=1000).map(|k| 0.002 * f64::from(k)).collect();
    let path = integrate(
        |&[w1, twist, x, v]| {
            let tau = k1 * twist;
            [(torque - tau) / j1, w1 - v / r, v, (tau / r - k2 * x - d * v) / (m + j2 / (r * r))]
        },
        [0.0; 4],
        &times,
        0.002,
    );
    let outcome = solve(&with_all_signals(&model("feed_drive")));
    let table = outcome.table("csv");
    for (column, reference) in [
        ("J1.f", path.iter().map(|p| p[0]).collect::<Vec<f64>>()),
        ("J2.f", path.iter().map(|p| p[3] / r).collect()),
        ("k2.q", path.iter().map(|p| p[2]).collect()),
    ] {
        let off = off(&table, column, &reference);
        // Light damping: errors of 2000 steps add up.
        assert!(off <= 10.0 * CLOSE, "{column} is off by {off:e}");
    }
}

#[test]
fn elastic_teeth_follow_their_equations() {
    let (r, m, j1, j2, torque) = (0.03, 8.0, 0.004, 0.001, 2.0);
    let (k1, k2, k3, d) = (60.0, 20000.0, 5000.0, 80.0);
    let times: Vec<f64> = (0..=1000).map(|k| 0.002 * f64::from(k)).collect();
    // The teeth are between v/r and w2; their torque drives the pinion and holds the rack back.
    let path = integrate(
        |&[w1, twist, w2, teeth, x, v]| {
            let (tau, push) = (k1 * twist, k3 * teeth);
            [
                (torque - tau) / j1,
                w1 - w2,
                (tau + push) / j2,
                v / r - w2,
                v,
                (-push / r - k2 * x - d * v) / m,
            ]
        },
        [0.0; 6],
        &times,
        0.0005,
    );
    let outcome = solve(&with_all_signals(&model("feed_drive_elastic")));
    let table = outcome.table("csv");
    let reference: Vec<f64> = path.iter().map(|p| p[4]).collect();
    // The teeth vibrate without damping at 2700 rad/s for 2 s: 15000 steps of 1e-8 each add up at worst.
    let off = off(&table, "k2.q", &reference);
    assert!(off <= 1.5e-4, "off by {off:e}");
}

#[test]
fn the_motor_reaches_its_speeds() {
    let outcome = solve(&with_all_signals(&model("dc_motor")));
    let table = outcome.table("csv");
    // U = R i + k w and k i = d w + load; the slow time constant is 40 ms, so that 0.5 s leave 4e-6.
    let (r, k, d) = (0.5, 0.05, 5e-4);
    let speed = |load: f64| (24.0 * k - r * load) / (r * d + k * k);
    assert!(
        (table.at(0.499, "J.f") / speed(0.0) - 1.0).abs() <= 1e-5,
        "{}",
        table.at(0.499, "J.f")
    );
    assert!((table.last("J.f") / speed(0.5) - 1.0).abs() <= 1e-5, "{}", table.last("J.f"));
}

#[test]
fn the_tank_fills_to_where_the_pipe_carries_the_inflow() {
    let times: Vec<f64> = (0..=400).map(|k| 5.0 * f64::from(k)).collect();
    let (c, inertia) = (0.5 / 9810.0, 1000.0 * 20.0 / 2e-3);
    let path = integrate(
        |&[q, p]| {
            let flow = p / inertia;
            [0.002 - flow, q / c - 1.5e9 * flow * flow.abs()]
        },
        [0.0, 0.0],
        &times,
        0.5,
    );
    let outcome = solve(&with_all_signals(&model("hydraulic_tank")));
    let reference: Vec<f64> = path.iter().map(|p| p[0]).collect();
    let off = off(&outcome.table("csv"), "tank.q", &reference);
    assert!(off <= CLOSE, "off by {off:e}");
}

#[test]
fn a_gyrating_pair_precesses() {
    // I1 f1' = -r f2, I2 f2' = r f1: a rotation with r/sqrt(I1 I2), energy kept.
    let outcome = solve(&text(
        2.0,
        0.1,
        r#"I "I1" { I = 2; Pinit = 2; } I "I2" { I = 8; } GY "g" { r = 4; } Junction1 "a" {} Junction1 "b" {}
        R "none" { R = 0; }
        Bond "1" { From = a; To = I1; } Bond "2" { From = a; To = g; } Bond "3" { From = g; To = b; }
        Bond "4" { From = b; To = I2; } Bond "5" { From = b; To = none; }"#,
    ));
    let table = outcome.table("csv");
    for (t, f) in table.column("t").into_iter().zip(table.column("I1.f")) {
        assert!((f - t.cos()).abs() <= 1e-7, "f1({t}) = {f}");
    }
}

#[test]
fn a_bond_that_starts_at_an_element_counts_the_other_way() {
    // The half arrow points away from the spring: its own flow is minus that of the bond.
    let outcome = solve(&text(
        1.0,
        0.1,
        r#"I "m" { I = 1; Pinit = 1; } C "k" { C = 1; } Junction1 "v" {}
        Bond "1" { From = v; To = m; } Bond "2" { From = k; To = v; }"#,
    ));
    let table = outcome.table("csv");
    // p' = e of the spring, q' = -f of the bond = -p: still an oscillator, with q = -sin t.
    for (t, q) in table.column("t").into_iter().zip(table.column("k.q")) {
        assert!((q + t.sin()).abs() <= 1e-7, "q({t}) = {q}");
    }
    assert!((table.at(0.5, "2.f") + table.at(0.5, "k.f")).abs() <= 1e-12);
    assert!((table.at(0.5, "2.power") + table.at(0.5, "k.power")).abs() <= 1e-12);
}

/// A hard spring, e = 100 q + 50 q^3, as a law of its displacement and as a compliance that depends on it, on a mass without
/// friction. At q = 1 it holds 100/2 + 50/4 = 62.5 J, which the mass has as it passes the middle.
#[test]
fn a_law_of_a_storage_gives_its_true_energy() {
    let joined = r#"I "m" { I = 2; } Junction1 "j" { } Bond "a" { From = j; To = k; } Bond "b" { From = j; To = m; }"#;
    let laws = [
        r#"C "k" { Law = 100*k.q + 50*k.q^3; Qinit = 1; }"#,
        r#"C "k" { C = 1/(100 + 50*k.q^2); Qinit = 1; }"#,
    ];
    for law in laws {
        let outcome = solve(&text(1.0, 0.05, &format!("{law} {joined}")));
        let table = outcome.table("csv");
        assert!((table.at(0.0, "k.energy") - 62.5).abs() <= 1e-12, "{law}");
        for (k, m) in table.column("k.energy").iter().zip(table.column("m.energy")) {
            // The tolerance is 1e-9 per step, and there are some hundred steps.
            assert!((k + m - 62.5).abs() <= 62.5e-7, "{law}: {k} and {m}");
        }
        let least = table.column("k.energy").into_iter().fold(62.5, f64::min);
        assert!(least < 20.0, "{law}: the spring keeps {least} J");
    }
}

/// The same with a momentum: f = p/2 + p^3 has the energy p^2/4 + p^4/4.
#[test]
fn a_law_of_an_inertia_gives_its_true_energy() {
    let elements = r#"
    I "m" { Law = m.p/2 + m.p^3; Pinit = 1.5; } C "k" { C = 0.5; } Junction1 "j" { }
    Bond "a" { From = j; To = k; } Bond "b" { From = j; To = m; }"#;
    let outcome = solve(&text(1.0, 0.05, elements));
    let table = outcome.table("csv");
    let expected = |p: f64| 0.25 * p * p + 0.25 * p.powi(4);
    for (p, energy) in table.column("m.p").iter().zip(table.column("m.energy")) {
        assert!((energy - expected(*p)).abs() <= 1e-12);
    }
    let whole = expected(1.5);
    for (k, m) in table.column("k.energy").iter().zip(table.column("m.energy")) {
        assert!((k + m - whole).abs() <= 1e-7 * whole);
    }
}

/// The sorted equations of a source, a resistor, an inertia and a compliance at a junction: no line uses an unknown of a
/// line below it, and nothing is called equal to itself.
#[test]
fn sorted_equations_use_only_what_stands_above_them() {
    let elements = r#"
    Se "U" { e = 5; } R "r" { R = 2; } I "l" { I = 0.5; } C "c" { C = 0.1; } Junction1 "j" { }
    Bond "b1" { From = U; To = j; } Bond "b2" { From = j; To = r; }
    Bond "b3" { From = j; To = l; } Bond "b4" { From = j; To = c; }"#;
    let model = dysim_tests::simulate::model(&text(1.0, 0.1, elements));
    let listing = model.equations().unwrap_or_else(|error| panic!("{error}")).unwrap_or_default();
    let solved: Vec<(&str, &str)> = listing
        .lines()
        .filter_map(|line| {
            let (left, right) = line.split_once(" from  0 = ")?;
            Some((left.split_whitespace().nth(1)?, right.split("   [").next()?))
        })
        .collect();
    assert!(solved.len() >= 4, "{listing}");
    for (at, (_, equation)) in solved.iter().enumerate() {
        for (later, _) in &solved[at + 1..] {
            let uses =
                equation.split(|c: char| !c.is_alphanumeric() && c != '.').any(|w| w == *later);
            assert!(!uses, "{equation} uses {later} of a later line\n{listing}");
        }
    }
    for line in listing.lines() {
        if let Some((left, right)) = line.split_once("= ") {
            assert_ne!(left.trim(), right.trim(), "{listing}");
        }
    }
}
