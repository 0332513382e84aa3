//! Components of `library/electronics.dys`.

use std::f64::consts::{PI, SQRT_2};
use std::path::Path;
use std::rc::Rc;

use dysim_tests::circuits::{Setting, solve};
use dysim_tests::simulate::{Table, run_file};

/// Relative tolerance of a step. Errors of some hundred steps add up to less than a thousand times as much.
const FINE: f64 = 1e-9;
const ERROR: f64 = 1e3 * FINE;

fn table(solver: &'static str, end: f64, step: f64, elements: &str) -> Rc<Table> {
    let include = "Include \"l\" { File = \"electronics.dys\"; As = e; }\n";
    let setting = Setting { solver, end, step, tolerance: FINE };
    solve(setting, &format!("{include}{elements}")).table("csv")
}

fn near(what: &str, found: f64, expected: f64, tolerance: f64) {
    let gap = (found - expected).abs();
    assert!(gap <= tolerance, "{what}: {found}, not {expected}, off by {gap:e}");
}

/// A column is a function of time in all rows.
fn follows(table: &Table, column: &str, tolerance: f64, law: impl Fn(f64) -> f64) {
    let k = table.index(column);
    assert!(table.rows.len() > 2);
    for row in &table.rows {
        near(&format!("{column} at {}", row[0]), row[k], law(row[0]), tolerance);
    }
}

/// The largest sum of columns in any row.
fn largest_sum(table: &Table, columns: &[&str]) -> f64 {
    let at: Vec<usize> = columns.iter().map(|column| table.index(column)).collect();
    let sum = |row: &Vec<f64>| at.iter().map(|&k| row[k]).sum::<f64>().abs();
    table.rows.iter().map(sum).fold(0.0, f64::max)
}

/// y' = b sin(w t) - a y, from rest.
fn lag_of_sine(t: f64, b: f64, a: f64, w: f64) -> f64 {
    b * (a * (w * t).sin() - w * (w * t).cos() + w * (-a * t).exp()) / (a * a + w * w)
}

const FOLLOWERS: &str = r#"
VoltageSource "P" { p = vp; n = gnd; V = 15; }
VoltageSource "N" { p = vn; n = gnd; V = -15; }
VoltageSource "S" { p = small; n = gnd; V = 1e-4*sin(2*pi*1e6*t); }
e.RealOpAmp "s" { p = small; n = so; out = so; vp = vp; vn = vn; Rout = 0; Rin = 1e12; Gain = 1e5; }
VoltageSource "L" { p = large; n = gnd; V = 5; }
e.RealOpAmp "l" { p = large; n = lo; out = lo; vp = vp; vn = vn; Rout = 0; Rin = 1e12; Gain = 1e12; }
"#;

/// Small signals see the bandwidth: a follower is a lag. Large ones see the slew rate: with u = V - y and w = 2 pi GBW the
/// equation u' = -SR tanh(w u/SR) has the solution sinh(w u/SR) = sinh(w u0/SR) exp(-w t).
#[test]
fn an_amplifier_has_its_bandwidth_and_slew_rate() {
    let table = table("stiff", 12e-6, 0.1e-6, FOLLOWERS);
    let (w, rate) = (2.0 * PI * 1e6, 5e5);
    // The next term of tanh is (w vd/SR)^2/3 of the first, with vd below 1e-4 V.
    let cubic = (w * 1e-4 / rate).powi(2) / 3.0;
    follows(&table, "so.v", 1e-4 * (cubic + ERROR), |t| {
        lag_of_sine(t, 1e-4 * w, w * (1.0 + 1e-5), w)
    });
    follows(&table, "lo.v", 5.0 * ERROR, |t| {
        5.0 - rate / w * ((w * 5.0 / rate).sinh() * (-w * t).exp()).asinh()
    });
}

const SATURATED: &str = r#"
VoltageSource "P" { p = vp; n = gnd; V = 15; }
VoltageSource "N" { p = vn; n = gnd; V = -12; }
VoltageSource "S" { p = in; n = gnd; V = if(t < 1e-4, 1, -1); }
e.OpAmp741 "a" { p = in; n = gnd; out = ao; vp = vp; vn = vn; }
Resistor "Ra" { p = ao; n = gnd; R = 2e3; }
e.OpAmpTL081 "b" { p = in; n = gnd; out = bo; vp = vp; vn = vn; }
Resistor "Rb" { p = bo; n = gnd; R = 2e3; }
VoltageSource "T" { p = ti; n = gnd; V = 2*sin(2*pi*1e4*t); }
Resistor "R1" { p = ti; n = tn; R = 1e3; }
Resistor "R2" { p = tn; n = to; R = 1e4; }
e.IdealOpAmp "i" { p = gnd; n = tn; out = to; Vmin = -10; Vmax = 12; }
"#;

/// An open loop goes to the ends of the swing, less what the output resistance takes; all currents come from the supply.
#[test]
fn amplifiers_stay_within_their_swing() {
    let table = table("stiff", 2e-4, 5e-6, SATURATED);
    let divide = |v: f64, r: f64| v * 2e3 / (2e3 + r);
    for (t, a, b) in [(9.5e-5, 14.0, 13.5), (2e-4, -11.0, -10.5)] {
        near("741", table.at(t, "ao.v"), divide(a, 75.0), 15.0 * ERROR);
        near("TL081", table.at(t, "bo.v"), divide(b, 100.0), 15.0 * ERROR);
    }
    for name in ["a", "b"] {
        let pins = ["p", "n", "out", "vp", "vn"].map(|pin| format!("{name}.{pin}.i"));
        let pins: Vec<&str> = pins.iter().map(String::as_str).collect();
        assert!(largest_sum(&table, &pins) < 1e-15);
        // The product of the currents of the two output transistors is the square of the current without load.
        let column = |pin: &str| table.column(&format!("{name}.{pin}.i"));
        let (up, down) = (column("vp"), column("vn"));
        let (quiet, bias) = if name == "a" { (1.7e-3, 80e-9) } else { (1.4e-3, 30e-12) };
        for (up, down) in up.iter().zip(&down) {
            near(name, -up * (down + 2.0 * bias), quiet * quiet, 1e-12 * quiet);
        }
    }
    let wave = |t: f64| (-20.0 * (2.0 * PI * 1e4 * t).sin()).clamp(-10.0, 12.0);
    follows(&table, "to.v", 1e-9, wave);
}

const FILTERS: &str = r#"
VoltageSource "S" { p = in; n = gnd; V = sin(2*pi*200*t); }
e.RcLowPass "low" { in = in; ref = gnd; R = 1e3; C = 1e-6; }
e.RcHighPass "high" { in = in; ref = gnd; R = 2e3; C = 0.5e-6; }
VoltageSource "T" { p = step; n = gnd; V = 1; }
e.LcLowPass "lc" { in = step; ref = gnd; L = 1e-2; R = 20; C = 1e-6; }
e.SallenKeyLowPass "sk" { in = step; f0 = 1e3; }
"#;

#[test]
fn filters_answer_like_their_transfer_functions() {
    let table = table("derf", 0.01, 1e-4, FILTERS);
    let w = 2.0 * PI * 200.0;
    let low = |t: f64| lag_of_sine(t, 1e3, 1e3, w);
    follows(&table, "low.out.v", ERROR, low);
    follows(&table, "high.out.v", ERROR, |t| (w * t).sin() - low(t));
    // L C y'' + R C y' + y = 1 from rest.
    let a = 20.0 / (2.0 * 1e-2);
    let b = f64::sqrt(1e8 - a * a);
    follows(&table, "lc.out.v", ERROR, |t| {
        1.0 - (-a * t).exp() * ((b * t).cos() + a / b * (b * t).sin())
    });
    let c = 2.0 * PI * 1e3 / SQRT_2;
    follows(&table, "sk.out.v", ERROR, |t| 1.0 - (-c * t).exp() * ((c * t).cos() + (c * t).sin()));
}

const GATES: &str = r#"
VoltageSource "A" { p = a; n = gnd; V = if(mod(t, 2e-6) < 1e-6, 0, 5); }
VoltageSource "B" { p = b; n = gnd; V = if(mod(t, 4e-6) < 2e-6, 0, 5); }
e.NotGate "g1" { a = a; out = o1; }
e.AndGate "g2" { a = a; b = b; out = o2; }
e.OrGate "g3" { a = a; b = b; out = o3; }
e.NandGate "g4" { a = a; b = b; out = o4; }
e.NorGate "g5" { a = a; b = b; out = o5; }
e.XorGate "g6" { a = a; b = b; out = o6; }
Resistor "R1" { p = o1; n = gnd; R = 150; }
Resistor "R2" { p = o2; n = gnd; R = 150; }
Resistor "R3" { p = o3; n = gnd; R = 150; }
Resistor "R4" { p = o4; n = gnd; R = 150; }
Resistor "R5" { p = o5; n = gnd; R = 150; }
Resistor "R6" { p = o6; n = gnd; R = 150; }
VoltageSource "S" { p = set; n = gnd; V = if(t > 0.5e-6 && t < 1e-6, 5, 0); }
VoltageSource "R" { p = reset; n = gnd; V = if(t > 2.5e-6 && t < 3e-6, 5, 0); }
e.NorGate "latch1" { a = reset; b = qn; out = q; }
e.NorGate "latch2" { a = set; b = q; out = qn; }
"#;

/// The outputs have settled for 90 time constants; a load of 150 Ohm leaves three quarters of the level.
#[test]
fn gates_follow_their_truth_tables() {
    let table = table("stiff", 4e-6, 0.1e-6, GATES);
    for quarter in 0..4 {
        let (a, b) = (quarter % 2 == 1, quarter >= 2);
        let t = f64::from(quarter) * 1e-6 + 0.9e-6;
        let truths = [!a, a && b, a || b, !(a && b), !(a || b), a != b];
        for (k, truth) in truths.into_iter().enumerate() {
            let output = format!("o{}.v", k + 1);
            let level = if truth { 3.75 } else { 0.0 };
            near(&output, table.at(t, &output), level, 5.0 * ERROR);
        }
    }
    for (t, q) in [(0.9e-6, 5.0), (2.4e-6, 5.0), (2.9e-6, 0.0), (4e-6, 0.0)] {
        near("q", table.at(t, "q.v"), q, 5.0 * ERROR);
        near("not q", table.at(t, "qn.v"), 5.0 - q, 5.0 * ERROR);
    }
}

const CLOCKED: &str = r#"
VoltageSource "C" { p = c; n = gnd; V = if(mod(t, 1e-6) < 0.5e-6, 0, 5); }
e.DFlipFlop "first" { d = n1; clock = c; q = q1; nq = n1; }
e.DFlipFlop "second" { d = n2; clock = n1; q = q2; nq = n2; }
Resistor "R" { p = q1; n = gnd; R = 1e6; }
Resistor "S" { p = q2; n = gnd; R = 1e6; }
VoltageSource "T" { p = wave; n = gnd; V = sin(2*pi*1e6*t); }
VoltageSource "L" { p = level; n = gnd; V = 0.5; }
e.Comparator "compare" { p = wave; n = level; Width = 0.2; VoutLow = -1; VoutHigh = 1; T = 1e-9; }
"#;

/// Two flip-flops whose data are their complements count the rising edges of the clock; the second one is clocked by the
/// complement of the first. A comparator goes up at 0.6 V and down at 0.4 V.
#[test]
fn flip_flops_count_and_comparators_compare() {
    let table = table("stiff", 8e-6, 0.1e-6, CLOCKED);
    let share = 1e6 / (1e6 + 50.0);
    for edges in 1..8_u32 {
        // Edges come at 0.5, 1.5, 2.5 us; the first one leaves q1 = 1.
        let t = (f64::from(edges) + 0.4) * 1e-6;
        let (low, high) = (edges % 2, (edges / 2) % 2);
        near("first bit", table.at(t, "q1.v"), 5.0 * share * f64::from(low), 5.0 * ERROR);
        near("second bit", table.at(t, "q2.v"), 5.0 * share * f64::from(high), 5.0 * ERROR);
    }
    // The sine is above 0.6 V from 0.102 us on, and above 0.4 V until 0.434 us of each period.
    for (phase, level) in [(0.1, -1.0), (0.2, 1.0), (0.4, 1.0), (0.5, -1.0), (0.9, -1.0)] {
        let found = table.at((3.0 + phase) * 1e-6, "compare.out.v");
        near("comparator", found, level, 2.0 * ERROR);
    }
}

const BRIDGES: &str = r#"
VoltageSource "V" { p = plus; n = gnd; V = 24; }
Variable "gate" { }
Equations "g" { gate = if(t < 1e-3, 1, if(t < 2e-3, 0, -1)); }
e.HalfBridge "half" { vp = plus; vn = gnd; out = h; gate = gate; Ron = 0.02; Vf = 0.8; Rd = 0.05; }
Resistor "Rh" { p = h; n = hl; R = 2; }
Inductor "Lh" { p = hl; n = gnd; L = 4e-3; Iinit = 0; }
e.PulseWidth "pulses" { f = 1e4; m = 0.4; }
e.FullBridge "full" { vp = plus; vn = gnd; a = a; b = b; gateA = pulses.gate; gateB = pulses.inverse; Ron = 0.05; Vf = 2; }
Resistor "Rf" { p = a; n = fl; R = 0.9; }
Inductor "Lf" { p = fl; n = b; L = 1e-4; Iinit = 0; }
"#;

/// A half bridge that is shut off hands its current to the lower diode; a full bridge in its periodic state has the extremes
/// of a current that rises for 70 % of the period and falls for the rest, and the mean of its duty.
#[test]
fn bridges_drive_inductive_loads() {
    let end = 4e-3;
    let table = table("derf", end, 1e-6, BRIDGES);
    // i approaches `to` with the time constant L/R, from `from`.
    let goes = |from: f64, to: f64, t: f64, r: f64, l: f64| to + (from - to) * (-t * r / l).exp();
    let at_off = goes(0.0, 24.0 / 2.02, 1e-3, 2.02, 4e-3);
    let at_down = goes(at_off, -0.8 / 2.05, 1e-3, 2.05, 4e-3);
    let current = |t: f64| match t {
        t if t < 1e-3 => goes(0.0, 24.0 / 2.02, t, 2.02, 4e-3),
        t if t < 2e-3 => goes(at_off, -0.8 / 2.05, t - 1e-3, 2.05, 4e-3),
        t => goes(at_down, 0.0, t - 2e-3, 2.02, 4e-3),
    };
    follows(&table, "Lh.i", 10.0 * ERROR, current);
    // The periodic state: R = 1 Ohm with two switches, tau = 1e-4 s, one period is one time constant; the start has died away
    // after 39 of them.
    let (rise, fall) = (f64::exp(-0.7), f64::exp(-0.3));
    let high = 24.0 * (1.0 - 2.0 * rise + rise * fall) / (1.0 - rise * fall);
    let low = -24.0 + (high + 24.0) * fall;
    near("highest", table.at(3.97e-3, "Lf.i"), high, 24.0 * ERROR);
    near("lowest", table.at(4e-3, "Lf.i"), low, 24.0 * ERROR);
    // The mean by the trapezoidal rule, whose corners lie on rows: its error is h^2/12 of the jumps of the slope, 48 V/L.
    let (i, n) = (table.column("Lf.i"), table.rows.len());
    let mean = (i[n - 101..n - 1].iter().sum::<f64>() + 0.5 * (i[n - 1] - i[n - 101])) / 100.0;
    near("mean", mean, 0.4 * 24.0, 2.0 * 48.0 / 1e-4 * 1e-12 / 12.0 / 1e-4 + 24.0 * ERROR);
}

const SIX_STEPS: &str = r#"
VoltageSource "V" { p = plus; n = gnd; V = 300; }
e.SixStep "g" { f = 50; }
e.ThreePhaseInverter "x" { vp = plus; vn = gnd; a = a; b = b; c = c; gateA = g.a; gateB = g.b; gateC = g.c; Ron = 0.5; }
Resistor "Ra" { p = a; n = star; R = 4.5; }
Resistor "Rb" { p = b; n = star; R = 4.5; }
Resistor "Rc" { p = c; n = star; R = 4.5; }
"#;

/// With a star of resistors a phase has one or two thirds of the supply, shared with the resistance of its switch.
#[test]
fn an_inverter_goes_through_six_steps() {
    let table = table("derf", 0.04, 0.04 / 24.0, SIX_STEPS);
    for step in 0..12 {
        let t = 0.02 / 12.0 * (2 * step + 1) as f64;
        for (phase, lag) in [("Ra", 0), ("Rb", 2), ("Rc", 4)] {
            let wave = [1.0, 2.0, 1.0, -1.0, -2.0, -1.0][(step + 6 - lag) % 6];
            near(phase, table.at(t, &format!("{phase}.v")), 300.0 * 0.9 * wave / 3.0, 1e-9);
        }
        // What the supply gives is used by the resistors and the switches: 300 V on 5 Ohm + 5/2 Ohm.
        near("supply", table.at(t, "V.power"), -300.0 * 300.0 / 7.5, 1e-7);
        near("loss", table.at(t, "x.loss"), 300.0 * 300.0 / 7.5 * 0.1, 1e-7);
    }
}

const REGULATORS: &str = r#"
VoltageSource "V" { p = in; n = gnd; V = if(t < 3e-3, 9, 5.5); }
e.Regulator7805 "r" { in = in; out = out; ref = gnd; Rpass = 0.5; }
Resistor "load" { p = out; n = gnd; R = if(t < 1e-3, 10, if(t < 2e-3, 1, 10)); }
"#;

/// Regulation, current limit, and dropout, hundreds of time constants of the capacitor behind each change.
#[test]
fn a_regulator_regulates_limits_and_drops_out() {
    let table = table("stiff", 4e-3, 1e-4, REGULATORS);
    let regulated = 5.0 / 10.017 * 10.0;
    for (t, expected) in
        [(5e-4, regulated), (1.5e-3, 2.2), (2.5e-3, regulated), (3.5e-3, 4.0 / 10.5 * 10.0)]
    {
        near("output", table.at(t, "out.v"), expected, 5.0 * ERROR);
        let currents = ["r.in.i", "r.out.i", "r.ref.i"].map(|column| table.at(t, column));
        near("sum of currents", currents.iter().sum(), 0.0, 1e-14);
        let used = -table.at(t, "V.power") - table.at(t, "load.power");
        // What the capacitor takes is small when it has settled.
        near("loss", table.at(t, "r.loss"), used, 25.0 * ERROR);
    }
}

fn example(name: &str) -> Rc<Table> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../models/library/{name}.dys"));
    run_file(&path).complete().table("csv")
}

/// What the examples say of themselves.
#[test]
fn the_inverter_shows_what_it_promises() {
    let table = example("electronics_inverter");
    assert!(largest_sum(&table, &["La.i", "Lb.i", "Lc.i"]) < 1e-9);
    // Kirchhoff's current law at the positive rail: all five legs and the supply.
    let legs = ["inverter.legA", "inverter.legB", "inverter.legC", "bridge.legA", "bridge.legB"];
    for row in &table.rows {
        let current = |name: &str| row[table.index(name)];
        let leg =
            |leg: &&str| current(&format!("{leg}.up.i")) - current(&format!("{leg}.freeUp.i"));
        let used: f64 = legs.iter().map(leg).sum();
        near("current of the supply", -current("supply.i"), used, 1e-9);
    }
    let (resistor, inductor) = (table.column("Ra.v"), table.column("La.v"));
    // At a switching instant a row may show either side.
    for (a, b) in resistor.iter().zip(&inductor) {
        let thirds = (a + b) / 100.0;
        near("thirds of the supply", thirds, thirds.round(), 1e-9);
        assert!((1.0..=2.0).contains(&thirds.round().abs()), "{thirds}");
    }
    // The last period of pulses has 5 rows; the start has died away after 0.06 s*10.02/0.05 = 12 time constants.
    let currents = table.column("Armature.i");
    let mean = currents[currents.len() - 5..].iter().sum::<f64>() / 5.0;
    let ripple = 300.0 / 0.05 * 0.5e-3;
    near("mean", mean, 0.4 * 300.0 / 10.02, ripple / 2.0);
}

#[test]
fn the_amplifiers_show_what_they_promise() {
    let table = example("electronics_amplifiers");
    let column = |name: &str| table.column(name);
    // The steepest change of the output between rows is the slew rate.
    let (t, out) = (column("t"), column("out741.v"));
    let steepest = |y: &[f64]| {
        let slope = |k: usize| (y[k] - y[k - 1]).abs() / (t[k] - t[k - 1]);
        (1..t.len()).map(slope).fold(0.0, f64::max)
    };
    near("slew rate", steepest(&out), 0.5e6, 5e3);
    let fast = steepest(&column("outTL.v"));
    assert!((5e6..=13e6).contains(&fast), "{fast}");
    // An output of the ring rises for three delays d: h = 5 V/(1 + exp(-3 d/T)) with d = T ln(h/1.5 V), from T = 1 us. Between
    // rows 0.25 us apart the crossing of a straight line is off by less than (0.25 us)^2/(8 T).
    let mut h = 5.0_f64;
    for _ in 0..100 {
        h = 5.0 / (1.0 + (1.5 / h).powi(3));
    }
    let ring = column("r1.v");
    let rises: Vec<f64> = (1..t.len())
        .filter(|&k| ring[k - 1] <= 2.5 && ring[k] > 2.5 && t[k] > 20e-6)
        .map(|k| t[k] - (ring[k] - 2.5) / (ring[k] - ring[k - 1]) * (t[k] - t[k - 1]))
        .collect();
    let count = rises.len() - 1;
    assert!(count >= 10, "{count}");
    near("period", (rises[count] - rises[0]) / count as f64, 6e-6 * (h / 1.5).ln(), 1e-8);
    near("regulated", table.last("five.v"), 5.0 * 50.0 / 50.017, 1e-6);
}
