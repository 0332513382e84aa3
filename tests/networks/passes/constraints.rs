//! Storages between nodes that float: their constraints show only where equations are added up.

use super::{follows, stiff};
use dysim_tests::circuits::{self, power_gap, solve};
use dysim_tests::random::Random;
use dysim_tests::simulate::run;

/// 1e-8 relative, and as much again for every one of the some hundred steps.
const TOLERANCE: f64 = 1e-5;

/// C1 and C2 side by side, with a resistor at each end: one exponential with (R1 + R2)(C1 + C2).
#[test]
fn capacitors_between_the_same_floating_nodes() {
    let table = solve(
        stiff(0.02, 0.0005),
        "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Resistor \"R1\" { p = in; n = a; R = 1000; } \
         Capacitor \"C1\" { p = a; n = b; C = 1e-6; } Capacitor \"C2\" { p = b; n = a; C = 2e-6; } \
         Resistor \"R2\" { p = b; n = gnd; R = 1000; }",
    )
    .table("csv");
    let decay = |t: f64| (-t / (2000.0 * 3e-6)).exp();
    follows(&table, "C1.v", TOLERANCE, |t| 10.0 * (1.0 - decay(t)));
    follows(&table, "C2.v", TOLERANCE, |t| -10.0 * (1.0 - decay(t)));
    // The currents are shared as the capacitances are.
    follows(&table, "C1.i", TOLERANCE, |t| 5e-3 * decay(t) / 3.0);
    assert!(power_gap(&table) < 1e-9);
}

/// Three equal capacitors in a ring, a resistor at each corner. The potentials add up to the source, 10 V, and
/// 3 R C v' is what the corner lacks.
#[test]
fn a_ring_of_capacitors() {
    let table = solve(
        stiff(0.02, 0.0005),
        "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Resistor \"Ra\" { p = in; n = a; R = 1000; } \
         Resistor \"Rb\" { p = b; n = gnd; R = 1000; } Resistor \"Rc\" { p = c; n = gnd; R = 1000; } \
         Capacitor \"Cab\" { p = a; n = b; C = 1e-6; } Capacitor \"Cbc\" { p = b; n = c; C = 1e-6; } \
         Capacitor \"Cca\" { p = c; n = a; C = 1e-6; }",
    )
    .table("csv");
    let decay = |t: f64| (-t / 3e-3).exp();
    follows(&table, "a.v", TOLERANCE, |t| 10.0 - 20.0 / 3.0 * decay(t));
    follows(&table, "b.v", TOLERANCE, |t| 10.0 / 3.0 * decay(t));
    follows(&table, "c.v", TOLERANCE, |t| 10.0 / 3.0 * decay(t));
    assert!(power_gap(&table) < 1e-9);
}

/// A capacitor across a source that has no common node with the ground: its current is C dV/dt.
#[test]
fn a_capacitor_across_a_floating_source() {
    let table = solve(
        stiff(0.02, 0.0005),
        "VoltageSource \"V\" { p = a; n = b; V = sin(100*t); } Capacitor \"C\" { p = a; n = b; C = 1e-6; } \
         Resistor \"R1\" { p = a; n = gnd; R = 10; } Resistor \"R2\" { p = b; n = gnd; R = 30; }",
    )
    .table("csv");
    follows(&table, "C.i", 1e-12, |t| 1e-4 * (100.0 * t).cos());
    follows(&table, "a.v", 1e-12, |t| 0.25 * (100.0 * t).sin());
    assert!(power_gap(&table) < 1e-9);
}

/// Junction charges of an npn and a pnp transistor between the same nodes, without any resistance inside.
#[test]
fn charges_of_two_transistors_between_the_same_nodes() {
    let more = "CJE = 20e-12; CJC = 10e-12; TF = 1e-9;";
    let table = solve(
        stiff(1e-3, 1e-5),
        &format!(
            "VoltageSource \"Vp\" {{ p = vp; n = gnd; V = 12; }} VoltageSource \"Vn\" {{ p = vn; n = gnd; V = -12; }} \
             VoltageSource \"Vin\" {{ p = in; n = gnd; V = 5*sin(2*pi*1000*t); }} \
             Resistor \"Rb\" {{ p = in; n = b; R = 100; }} Resistor \"Rl\" {{ p = out; n = gnd; R = 50; }} \
             NPN \"Q1\" {{ c = vp; b = b; e = out; Is = 1e-13; BF = 80; {more} }} \
             PNP \"Q2\" {{ c = vn; b = b; e = out; Is = 1e-13; BF = 60; {more} }}"
        ),
    )
    .table("csv");
    assert!(power_gap(&table) < 1e-9);
    // At the peaks one transistor carries the load. The charges are in equilibrium there up to the 5 MHz of
    // 100 Ohm and their 300 pF beside 1 kHz, so vbe is Vt log(ie/Is) up to a few 1e-4 of it.
    for (t, sign) in [(2.5e-4, 1.0), (7.5e-4, -1.0)] {
        let load = table.at(t, "Rl.i") * sign;
        let vbe = 0.025864186 * (load / 1e-13).ln();
        let drop = sign * (table.at(t, "b.v") - table.at(t, "out.v"));
        // The share of the base current in the logarithm is 1/80.
        assert!((drop - vbe).abs() < 0.025864186 * 0.02, "{t}: {drop}, not {vbe}");
    }
}

/// Coils and sources alone, in random connected arrangements: the currents of each cut are tied, in rings of ties. With constant
/// voltages all currents grow evenly, `L i' = phi_a + u - phi_b`, and the potentials follow from the balance of the slopes.
#[test]
fn random_networks_of_coils_share_their_currents() {
    for seed in 0..80 {
        let mut random = Random::new(seed);
        let nodes = 3 + random.below(5);
        let extra = random.below(nodes + 2);
        let mut edges: Vec<(usize, usize, f64, f64)> = Vec::new();
        for k in 0..nodes - 1 + extra {
            let b = if k < nodes - 1 { k + 1 } else { random.below(nodes) };
            let a = random.below(if k < nodes - 1 { b } else { nodes });
            if a != b {
                let u = if random.below(3) == 0 { 0.0 } else { random.between(-10.0, 10.0) };
                edges.push((a, b, random.between(0.5, 3.0), u));
            }
        }
        // A node with one terminal is a mistake: its coil goes there and back.
        for node in 1..nodes {
            let own = edges.iter().filter(|(a, b, ..)| *a == node || *b == node).count();
            if own == 1 {
                edges.push((0, node, random.between(0.5, 3.0), 1.0));
            }
        }
        // sum over the edges of a node of (phi_a + u - phi_b)/L = 0, with node 0 at zero volts.
        let mut matrix = vec![vec![0.0; nodes + 1]; nodes];
        for &(a, b, l, u) in &edges {
            for (node, sign) in [(a, 1.0), (b, -1.0)] {
                matrix[node][a] += sign / l;
                matrix[node][b] -= sign / l;
                matrix[node][nodes] -= sign * u / l;
            }
        }
        matrix[0] = vec![0.0; nodes + 1];
        matrix[0][0] = 1.0;
        for k in 0..nodes {
            let pivot =
                (k..nodes).max_by(|&i, &j| matrix[i][k].abs().total_cmp(&matrix[j][k].abs()));
            matrix.swap(k, pivot.unwrap());
            let row = matrix[k].clone();
            for other in (0..nodes).filter(|&other| other != k) {
                let factor = matrix[other][k] / row[k];
                matrix[other].iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            }
        }
        let phi: Vec<f64> = (0..nodes).map(|k| matrix[k][nodes] / matrix[k][k]).collect();
        let name = |node: usize| if node == 0 { "gnd".to_string() } else { format!("n{node}") };
        let mut text = String::new();
        for (k, &(a, b, l, u)) in edges.iter().enumerate() {
            let (a, b) = (name(a), name(b));
            text += &match u {
                0.0 => format!("Inductor \"L{k}\" {{ p = {a}; n = {b}; L = {l:?}; }}\n"),
                _ => format!(
                    "VoltageSource \"V{k}\" {{ p = m{k}; n = {a}; V = {u:?}; }} Inductor \"L{k}\" {{ p = m{k}; n = {b}; L = {l:?}; }}\n"
                ),
            };
        }
        let outcome = run(&circuits::text(stiff(1.0, 0.5), "", &text));
        assert!(outcome.error.is_none(), "{seed}: {:?}\n{text}", outcome.error);
        let table = outcome.table("csv");
        for (k, &(a, b, l, u)) in edges.iter().enumerate() {
            let expected = (phi[a] + u - phi[b]) / l;
            let found = table.last(&format!("L{k}.i"));
            assert!(
                (found - expected).abs() < 1e-7 * (1.0 + expected.abs()),
                "{seed}: L{k}.i = {found}, not {expected}\n{text}"
            );
        }
    }
}
