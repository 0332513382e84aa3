//! States of networks that a `When` sets.

use super::{ERROR, METHODS, compare, jumps, near, solve, solve_with, text};
use dysim_tests::simulate::run;

/// The rows before and behind the only event of a model.
fn before_and_behind(model: &str, columns: &[&str]) -> [Vec<f64>; 2] {
    let table = solve(2.0, 0.1, model).table("csv");
    let pair = table.rows.windows(2).find(|pair| pair[0][0] == pair[1][0] && pair[0] != pair[1]);
    let pair = pair.unwrap_or_else(|| panic!("nothing jumps"));
    let read = |row: &[f64]| columns.iter().map(|name| row[table.index(name)]).collect();
    [read(&pair[0]), read(&pair[1])]
}

/// A capacitor charges from 2 V towards 12 V and is put back to 2 V at 9 V: a saw of period RC ln(10/3).
#[test]
fn a_relaxation_oscillator_has_its_period() {
    for method in METHODS {
        let table = solve_with(
            method,
            1.0,
            0.01,
            r#"
            VoltageSource "V" { p = a; n = gnd; V = 12; }
            Resistor "R" { p = a; n = b; R = 1000; }
            Capacitor "C" { p = b; n = gnd; C = 1e-4; Vinit = 2; }
            When "flash" { Condition = C.v > 9; Set { C.v = 2; } }
            "#,
        )
        .table("csv");
        let period = 0.1 * (10.0_f64 / 3.0).ln();
        compare(&table, "C.v", ERROR, |t| 12.0 - 10.0 * (-t.rem_euclid(period) / 0.1).exp());
        let flashes = jumps(&table, "C.v");
        assert_eq!(flashes.len(), (1.0 / period) as usize, "{method}");
        assert!(flashes.iter().all(|flash| flash.2 == 2.0), "{method}");
    }
}

/// With two thresholds and a switch between two voltages.
#[test]
fn an_oscillator_of_two_thresholds_goes_to_and_fro() {
    for method in METHODS {
        let table = solve_with(
            method,
            3.0,
            0.05,
            r#"
            Variable "up" { Type = discrete; Start = 1; }
            PT1 "x" { u = 2*up; T = 0.4; yinit = 0; }
            When "high" { Condition = x.y > 1; Set { up = -1; } }
            When "low" { Condition = x.y < -1; Set { up = 1; } }
            "#,
        )
        .table("csv");
        // From 0 to 1 in T ln 2; then from 1 to -1 towards -2, and back: T ln 3 each.
        let (first, half) = (0.4 * 2.0_f64.ln(), 0.4 * 3.0_f64.ln());
        compare(&table, "x.y", ERROR, |t| {
            if t < first {
                return 2.0 * (1.0 - (-t / 0.4).exp());
            }
            let phase = (t - first).rem_euclid(2.0 * half);
            let fall = |s: f64| -2.0 + 3.0 * (-s / 0.4).exp();
            if phase < half { fall(phase) } else { -fall(phase - half) }
        });
    }
}

#[test]
fn every_state_takes_the_value_that_is_set() {
    let model = r#"
        VoltageSource "V" { p = a; n = gnd; V = 1; }
        Resistor "R" { p = a; n = b; R = 1; }
        Inductor "L" { p = b; n = c; L = 1; }
        Capacitor "C" { p = c; n = gnd; C = 1; }
        Inertia "J" { a = s; J = 2; }
        TorsionSpring "S" { a = base; b = s; c = 1; d = 0.1; }
        Mass "M" { a = r; m = 1; }
        LinearSpring "K" { a = base; b = r; c = 3; d = 0.1; }
        HeatCapacity "H" { a = h; C = 5; }
        ThermalResistor "Q" { a = h; b = ambient; R = 1; }
        Compliance "P" { a = o; C = 1e-3; Pinit = 3; }
        HydraulicResistor "W" { a = o; b = tank; R = 1e3; }
        Integrator "I" { u = 1; }
        PT1 "T" { u = t; T = 1; }
        PI "PI" { u = sin(t) + 1; k = 2; Ti = 0.5; }
        PID "PID" { u = sin(t); k = 2; Ti = 0.5; Td = 0.1; N = 5; }
        When "w" { Condition = t >= 1; Set {
            L.i = 7; C.v = -3; J.phi = 2; J.w = -1; M.s = 0.5; M.v = 4; H.T = 350; P.dp = 11;
            I.y = -2; T.y = 9; PI.y = 5; PID.y = -6; } }
    "#;
    let names =
        ["L.i", "C.v", "J.phi", "J.w", "M.s", "M.v", "H.T", "P.dp", "I.y", "T.y", "PI.y", "PID.y"];
    let [_, behind] = before_and_behind(model, &names);
    let wanted = [7.0, -3.0, 2.0, -1.0, 0.5, 4.0, 350.0, 11.0, -2.0, 9.0, 5.0, -6.0];
    for ((name, found), wanted) in names.iter().zip(&behind).zip(wanted) {
        assert!((found - wanted).abs() <= 1e-11 * f64::abs(wanted), "{name}: {found}");
    }
}

/// A state of equations of one's own, and one of a component, whose When has a dotted name.
#[test]
fn states_of_equations_are_set() {
    let model = r#"
        Component "Saw" {
            Parameters "p" { low = 0; high = 1; }
            Variable "x" { Start = 0; }
            Variable "n" { Type = discrete; }
            Equations "rise" { der(x) = 1; }
            When "back" { Condition = x > high; Set { x = low; n = n + 1; } }
        }
        Saw "a" { high = 0.47; }
        Saw "b" { low = -1; high = 0.23; }
        Variable "both" { Type = discrete; }
        When "w" { Condition = a.n + b.n >= 4; Set { both = t; } }
    "#;
    for method in METHODS {
        let table = solve_with(method, 2.0, 0.05, model).table("csv");
        compare(&table, "a.x", ERROR, |t| t.rem_euclid(0.47));
        compare(&table, "b.x", ERROR, |t| {
            if t < 0.23 { t } else { -1.0 + (t - 0.23).rem_euclid(1.23) }
        });
        // a at 0.47, 0.94, 1.41, 1.88 and b at 0.23, 1.46: the fourth of all at 1.41.
        near(table.last("both"), 1.41, 1e-9);
    }
}

#[test]
fn states_that_are_not_set_stay() {
    let model = r#"
        VoltageSource "V" { p = a; n = gnd; V = 1; }
        Resistor "R" { p = a; n = b; R = 1; }
        Inductor "L" { p = b; n = c; L = 1; }
        Capacitor "C" { p = c; n = gnd; C = 1; }
        When "w" { Condition = t >= 1; Set { C.v = 2*C.v + L.i; } }
    "#;
    let [before, behind] = before_and_behind(model, &["L.i", "C.v"]);
    assert_eq!(behind[0], before[0]);
    assert_eq!(behind[1], 2.0 * before[1] + before[0]);
}

/// Storages that are the same state, or that gears tie together, follow.
#[test]
fn storages_that_share_a_state_get_their_common_value() {
    let circuit = r#"
        VoltageSource "V" { p = a; n = gnd; V = 1; }
        Resistor "R" { p = a; n = b; R = 1; }
        Capacitor "C1" { p = b; n = gnd; C = 1; }
        Capacitor "C2" { p = gnd; n = b; C = 2; }
        When "w" { Condition = t >= 1; Set { C2.v = -5; } }
    "#;
    let [_, behind] = before_and_behind(circuit, &["C1.v", "C2.v"]);
    assert_eq!(behind, [5.0, -5.0]);
    let train = |set: &str| {
        format!(
            "Inertia \"A\" {{ a = s; J = 2; Winit = 1; }}\n\
             Gear \"G\" {{ a = s; b = u; Ratio = 4; }}\n\
             Inertia \"B\" {{ a = u; J = 3; }}\n\
             TorqueSource \"T\" {{ a = s; Tau = 1; }}\n\
             When \"w\" {{ Condition = t >= 1; Set {{ {set} }} }}\n"
        )
    };
    for (set, wanted) in [("A.w = 8;", [8.0, 2.0]), ("B.w = 8;", [32.0, 8.0])] {
        let [before, behind] = before_and_behind(&train(set), &["A.w", "B.w", "A.phi", "B.phi"]);
        near(behind[0], wanted[0], 1e-11);
        near(behind[1], wanted[1], 1e-11);
        near(behind[2], before[2], 1e-11);
    }
    let [_, behind] = before_and_behind(&train("B.phi = 3;"), &["A.phi", "B.phi"]);
    near(behind[0], 12.0, 1e-11);
    near(behind[1], 3.0, 1e-11);
}

/// Three capacitors in a ring: one voltage is the sum of the others, and an impulse on it is shared out as charge is.
#[test]
fn a_value_that_follows_from_others_is_reached_by_an_impulse() {
    let ring = r#"
        Capacitor "C1" { p = a; n = b; C = 1; Vinit = 1; }
        Capacitor "C2" { p = b; n = gnd; C = 2; Vinit = 2; }
        Capacitor "C3" { p = a; n = gnd; C = 4; }
        Resistor "R1" { p = a; n = b; R = 100; }
        Resistor "R2" { p = b; n = gnd; R = 100; }
        When "w" { Condition = t >= 1; Set { C3.v = 10; } }
    "#;
    let [before, behind] = before_and_behind(ring, &["C1.v", "C2.v", "C3.v"]);
    near(behind[2], 10.0, 1e-11);
    near(behind[0] + behind[1], 10.0, 1e-11);
    // The node between C1 and C2 keeps its charge, whatever comes in at a.
    let charge = |v: &[f64]| 2.0 * v[1] - v[0];
    near(charge(&behind), charge(&before), 1e-9);
}

#[test]
fn values_that_contradict_each_other_end_the_run() {
    let circuit = r#"
        VoltageSource "V" { p = a; n = gnd; V = 1; }
        Resistor "R" { p = a; n = b; R = 1; }
        Capacitor "C1" { p = b; n = gnd; C = 1; }
        Capacitor "C2" { p = b; n = gnd; C = 2; }
        When "w" { Condition = t >= 1; Set { C1.v = 5; C2.v = SECOND; } }
    "#;
    // The same value twice is none the worse.
    let [_, behind] = before_and_behind(&circuit.replace("SECOND", "5"), &["C1.v", "C2.v"]);
    assert_eq!(behind, [5.0, 5.0]);
    let outcome = run(&text("derf", 2.0, 0.1, &circuit.replace("SECOND", "6")));
    let found = outcome.failure();
    assert_eq!(found.code, "S207");
    assert!(found.message.contains("`C1.v`, `C2.v`"), "{}", found.message);
}

/// A shaft that dry friction holds is given a speed; then it slides to rest: t = J w/Rv.
#[test]
fn a_shaft_that_sticks_begins_to_slide() {
    let model = r#"
        Inertia "A" { a = s; J = 2; }
        Friction "F" { a = base; b = s; Rmax = 3; Rv = 3; }
        When "kick" { Condition = t >= 0.5; Set { A.w = 1.2; } }
    "#;
    let table = solve(2.0, 0.1, model).table("csv");
    let stop = 0.5 + 2.0 * 1.2 / 3.0;
    compare(&table, "A.w", 1e-9, |t| if t < 0.5 || t > stop { 0.0 } else { 1.2 - 1.5 * (t - 0.5) });
}
