//! Ideal valves whose states belong together, against closed forms: bridges, selections of sources, parallel paths.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

use dysim_tests::circuits::{Setting, power_gap, solve, text};
use dysim_tests::simulate::{Table, run};

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

#[test]
fn two_brakes_let_go_at_the_sum_of_their_limits() {
    // The torque is 3 + 4 at t = 0.035; then 2 + 4 brake. The share of the first one is at its limit from 6 on.
    for solver in SOLVERS {
        let setting = Setting { solver, ..SETTING };
        let shaft = "Inertia \"J\" { a = s; J = 0.1; } Friction \"F1\" { a = s; Rmax = 3; Rv = 2; } \
                     Friction \"F2\" { a = s; Rmax = 4; Rv = 4; } TorqueSource \"T\" { a = s; Tau = 200*t; }";
        let table = solve(setting, shaft).table("csv");
        for t in times() {
            let speed = |t: f64| (100.0 * t * t - 6.0 * t) / 0.1;
            let expected = if t < 0.035 { 0.0 } else { speed(t) - speed(0.035) };
            near(&table, t, "J.w", expected, 1e-7);
            if t < 0.035 {
                near(&table, t, "F1.tau", -(100.0 * t).min(3.0), 1e-9);
            }
        }
    }
}

#[test]
fn brakes_on_both_sides_of_a_gear_share_their_torque() {
    // w_a = 2 w_b and 2 tau_a + tau_b = 0: of the load T at a the second brake carries f_b = 2 (T - f_a), and the least
    // f_a^2 + f_b^2 is where f_a = 2 f_b.
    let train = "Inertia \"A\" { a = a; J = 0.1; } Inertia \"B\" { a = b; J = 0.1; } Gear \"G\" { a = a; b = b; Ratio = 2; } \
                 Friction \"F1\" { a = a; Rmax = 5; Rv = 5; } Friction \"F2\" { a = b; Rmax = 5; Rv = 5; } \
                 TorqueSource \"T\" { a = a; Tau = 3*sin(50*pi*t); }";
    let table = solve(SETTING, train).table("csv");
    for t in times() {
        near(&table, t, "A.w", 0.0, 1e-12);
        let (one, two) = (table.at(t, "F1.tau"), table.at(t, "F2.tau"));
        let load = 3.0 * (50.0 * std::f64::consts::PI * t).sin();
        assert!((one + 0.5 * two - load).abs().min((one + 0.5 * two + load).abs()) < 1e-10);
        near(&table, t, "F2.tau", 0.5 * one, 1e-10);
    }
}

#[test]
fn a_thyristor_without_current_blocks_when_its_gate_goes_off() {
    // The switch in series closes when the gate is off again.
    let series = "VoltageSource \"U\" { p = a; n = gnd; V = 10; } Thyristor \"T\" { p = a; n = b; Gate = t < 0.0105; } \
                  Switch \"S\" { p = b; n = c; Closed = t >= 0.0203; } Resistor \"R\" { p = c; n = gnd; R = 5; }";
    for solver in SOLVERS {
        let setting = Setting { solver, ..SETTING };
        let table = solve(setting, series).table("csv");
        times().for_each(|t| near(&table, t, "R.i", 0.0, 1e-12));
    }
}

#[test]
fn a_thyristor_keeps_its_current_when_others_commutate() {
    // The current passes from the switch to the diode beside it; the thyristor in series has no signal any more.
    let series = "VoltageSource \"U\" { p = a; n = gnd; V = 10; } Thyristor \"T\" { p = a; n = b; Gate = t < 0.0105; } \
                  Switch \"S\" { p = b; n = c; Closed = t < 0.0203; } Diode \"D\" { p = b; n = c; } \
                  Resistor \"R\" { p = c; n = gnd; R = 5; }";
    for solver in SOLVERS {
        let setting = Setting { solver, ..SETTING };
        let table = solve(setting, series).table("csv");
        times().for_each(|t| near(&table, t, "R.i", 2.0, 1e-12));
    }
}

#[test]
fn a_step_of_a_whole_period_does_not_pass_over_a_sine() {
    let rectifier = "VoltageSource \"U\" { p = a; n = gnd; V = 10*sin(100*pi*t); } Resistor \"Ri\" { p = a; n = b; R = 20; } \
                     Diode \"D\" { p = b; n = c; } Capacitor \"C\" { p = c; n = gnd; C = 1e-4; }";
    let long = solve(Setting { step: 0.02, ..SETTING }, rectifier).table("csv");
    let short = solve(SETTING, rectifier).table("csv");
    // It is charged in the first half period and keeps its charge until the source exceeds it again.
    let expected = short.at(0.0196, "C.v");
    assert!(expected > 5.0);
    near(&long, 0.02, "C.v", expected, 1e-6);
}

#[test]
fn charge_flows_through_a_diode_between_capacitors() {
    let capacitors = |diode: &str| {
        format!(
            "Capacitor \"C1\" {{ p = a; n = gnd; C = 1e-6; Vinit = 9; }} Switch \"S\" {{ p = a; n = b; Closed = t >= 0.0105; }} \
             Diode \"D\" {{ {diode} }} Capacitor \"C2\" {{ p = c; n = gnd; C = 2e-6; Vinit = 0; }}"
        )
    };
    // 9 uC on 3 uF, or nothing at all.
    let forward = solve(SETTING, &capacitors("p = b; n = c;")).table("csv");
    let backward = solve(SETTING, &capacitors("p = c; n = b;")).table("csv");
    for t in times() {
        let [v1, v2] = if t < 0.0105 { [9.0, 0.0] } else { [3.0, 3.0] };
        near(&forward, t, "C1.v", v1, 1e-9);
        near(&forward, t, "C2.v", v2, 1e-9);
        near(&backward, t, "C1.v", 9.0, 1e-9);
        near(&backward, t, "C2.v", 0.0, 1e-9);
    }
}

#[test]
fn an_ideal_diode_discharges_a_capacitor_at_once() {
    let clamp = "Capacitor \"C\" { p = a; n = gnd; C = 1e-6; Vinit = -9; } Switch \"S\" { p = a; n = b; Closed = t >= 0.0105; } \
                 Diode \"D\" { p = gnd; n = b; } Resistor \"R\" { p = b; n = gnd; R = 1e6; }";
    let table = solve(SETTING, clamp).table("csv");
    times().for_each(|t| near(&table, t, "C.v", if t < 0.0105 { -9.0 } else { 0.0 }, 1e-9));
}

#[test]
fn a_source_delivers_no_impulse_through_a_diode() {
    let outcome = run(&text(
        SETTING,
        "",
        "VoltageSource \"V\" { p = in; n = gnd; V = 5; } Switch \"S\" { p = in; n = a; Closed = t >= 0.0105; } \
         Diode \"D\" { p = a; n = b; } Capacitor \"C\" { p = b; n = gnd; C = 1e-6; } Resistor \"R\" { p = b; n = gnd; R = 1000; }",
    ));
    let Some(error) = &outcome.error else { panic!("it ran") };
    let words = format!("{error:?}");
    assert!(words.contains("Capacitor `C` would have to jump"), "{words}");
}

#[test]
fn inductors_that_come_in_series_keep_their_flux() {
    let star = "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Inductor \"L1\" { p = in; n = x; L = 0.01; } \
                Switch \"S\" { p = x; n = gnd; Closed = t < 0.0105; } Inductor \"L2\" { p = x; n = y; L = 0.02; } \
                Resistor \"R\" { p = y; n = gnd; R = 5; } Diode \"D\" { p = gnd; n = y; }";
    let table = solve(SETTING, star).table("csv");
    // 10.5 A in L1 alone become 3.5 A in both, which go to V/R with the time constant (L1 + L2)/R.
    for t in times() {
        let i = 2.0 + 1.5 * (-(t - 0.0105) * 5.0 / 0.03).exp();
        let [i1, i2] = if t < 0.0105 { [1000.0 * t, 0.0] } else { [i, i] };
        near(&table, t, "L1.i", i1, 1e-7);
        near(&table, t, "L2.i", i2, 1e-7);
    }
}
