//! Ideal valves whose states belong together, against closed forms: bridges, selections of sources, parallel paths.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

use dysim_tests::circuits::{Setting, power_gap, solve};
use dysim_tests::simulate::Table;

/// With a relative tolerance of 1e-9 per step, errors stay below 1e-7 over a few hundred steps.
const SETTING: Setting = Setting { solver: "derf", end: 0.04, step: 0.0007, tolerance: 1e-9 };

const SOLVERS: [&str; 3] = ["derf", "stiff", "radau5"];

fn times() -> impl Iterator<Item = f64> {
    (1..57).map(|k| 0.0007 * f64::from(k))
}

fn near(table: &Table, t: f64, column: &str, expected: f64, tolerance: f64) {
    let found = table.at(t, column);
    let allowed = tolerance * expected.abs().max(1.0);
    assert!((found - expected).abs() <= allowed, "{column} at {t}: {found} instead of {expected}");
}

/// 10 sin(100 pi t).
fn source(t: f64) -> f64 {
    10.0 * (100.0 * std::f64::consts::PI * t).sin()
}

const SINE: &str = "10*sin(100*pi*t)";

fn bridge(load: &str) -> String {
    format!(
        "VoltageSource \"U\" {{ p = a; n = b; V = {SINE}; }} Diode \"D1\" {{ p = a; n = plus; }} Diode \"D2\" {{ p = b; n = plus; }} \
         Diode \"D3\" {{ p = gnd; n = a; }} Diode \"D4\" {{ p = gnd; n = b; }} {load}"
    )
}

#[test]
fn a_bridge_at_a_floating_source_rectifies_from_the_start() {
    for solver in SOLVERS {
        let setting = Setting { solver, ..SETTING };
        let outcome = solve(setting, &bridge("Resistor \"R\" { p = plus; n = gnd; R = 50; }"));
        let table = outcome.table("csv");
        // No storage: the voltage is exact but for rounding.
        times().for_each(|t| near(&table, t, "R.v", source(t).abs(), 1e-12));
        assert!(power_gap(&table) < 1e-12);
    }
}

#[test]
fn an_inductive_load_commutates_between_ideal_valves() {
    for solver in SOLVERS {
        let setting = Setting { solver, ..SETTING };
        let load = "Resistor \"R\" { p = plus; n = x; R = 5; } Inductor \"L\" { p = x; n = gnd; L = 0.02; }";
        let table = solve(setting, &bridge(load)).table("csv");
        times().for_each(|t| near(&table, t, "plus.v", source(t).abs(), 1e-12));
        // In the first half period L di/dt + R i = V sin(w t) from i = 0.
        let (r, l, w) = (5.0, 0.02, 100.0 * std::f64::consts::PI);
        let z = r * r + w * w * l * l;
        for t in times().filter(|&t| t < 0.01) {
            let settled = r * (w * t).sin() - w * l * (w * t).cos();
            let i = 10.0 / z * (settled + w * l * (-r / l * t).exp());
            near(&table, t, "L.i", i, 1e-7);
        }
    }
}

#[test]
fn diodes_select_the_largest_and_the_smallest_of_ideal_sources() {
    let sources = format!(
        "VoltageSource \"U1\" {{ p = a; n = gnd; V = {SINE}; }} VoltageSource \"U2\" {{ p = b; n = gnd; V = 4; }} \
         VoltageSource \"U3\" {{ p = c; n = gnd; V = -10*sin(100*pi*t); }} "
    );
    let any = "Diode \"D1\" { p = a; n = out; } Diode \"D2\" { p = b; n = out; } Diode \"D3\" { p = c; n = out; } \
               Resistor \"R\" { p = out; n = gnd; R = 100; }";
    let all = "Diode \"D1\" { p = out; n = a; } Diode \"D2\" { p = out; n = b; } Diode \"D3\" { p = out; n = c; } \
               Resistor \"R\" { p = out; n = high; R = 100; } VoltageSource \"UH\" { p = high; n = gnd; V = 20; }";
    for solver in SOLVERS {
        let setting = Setting { solver, ..SETTING };
        let largest = solve(setting, &format!("{sources}{any}")).table("csv");
        let smallest = solve(setting, &format!("{sources}{all}")).table("csv");
        for t in times() {
            near(&largest, t, "out.v", source(t).abs().max(4.0), 1e-12);
            near(&smallest, t, "out.v", (-source(t).abs()).min(4.0), 1e-12);
        }
    }
}

#[test]
fn parallel_paths_share_their_current() {
    let parallel = format!(
        "VoltageSource \"U\" {{ p = a; n = gnd; V = {SINE}; }} Diode \"D1\" {{ p = a; n = b; }} Diode \"D2\" {{ p = a; n = b; }} \
         Switch \"S\" {{ p = a; n = b; Closed = t > 0.0225; }} Resistor \"R\" {{ p = b; n = gnd; R = 20; }}"
    );
    for solver in SOLVERS {
        let table = solve(Setting { solver, ..SETTING }, &parallel).table("csv");
        for t in times() {
            let i = if t > 0.0225 { source(t) } else { source(t).max(0.0) } / 20.0;
            near(&table, t, "R.i", i, 1e-12);
            let sum = table.at(t, "D1.i") + table.at(t, "D2.i") + table.at(t, "S.i");
            assert!((sum - i).abs() < 1e-12, "{t}: {sum}");
            if t < 0.01 {
                near(&table, t, "D1.i", 0.5 * i, 1e-12);
            }
        }
    }
}

#[test]
fn a_capacitor_follows_an_ideal_source_through_a_diode() {
    let peak = format!(
        "VoltageSource \"U\" {{ p = a; n = gnd; V = {SINE}; }} Diode \"D\" {{ p = a; n = b; }} \
         Capacitor \"C\" {{ p = b; n = gnd; C = 1e-4; }} Resistor \"R\" {{ p = b; n = gnd; R = 200; }}"
    );
    // The diode opens where C dv/dt + v/R = 0: tan(w t) = -w R C.
    let (w, tau) = (100.0 * std::f64::consts::PI, 200.0 * 1e-4);
    let off = (std::f64::consts::PI - (w * tau).atan()) / w;
    for solver in SOLVERS {
        let table = solve(Setting { solver, ..SETTING }, &peak).table("csv");
        for t in times().filter(|&t| t < 0.018) {
            let v = if t < off { source(t) } else { source(off) * (-(t - off) / tau).exp() };
            near(&table, t, "C.v", v, 1e-7);
        }
    }
}

#[test]
fn two_brakes_that_hold_one_shaft_share_the_torque() {
    let shaft = "Inertia \"J\" { a = s; J = 0.1; } Friction \"F1\" { a = s; Rmax = 3; Rv = 2; } \
                 Friction \"F2\" { a = s; Rmax = 4; Rv = 4; } TorqueSource \"T\" { a = s; Tau = 5*sin(50*pi*t); }";
    let table = solve(SETTING, shaft).table("csv");
    for t in times() {
        near(&table, t, "J.w", 0.0, 1e-12);
        let sum = table.at(t, "F1.tau") + table.at(t, "F2.tau");
        near(&table, t, "F1.tau", 0.5 * sum, 1e-12);
        assert!((sum.abs() - (5.0 * (50.0 * std::f64::consts::PI * t).sin()).abs()).abs() < 1e-11);
    }
}
