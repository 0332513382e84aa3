//! Families of practical converters with random values.

use std::f64::consts::TAU;

use dysim_tests::random::Random;

use crate::choppers;
use crate::circuit::{Circuit, Kind};
use crate::waves::{Gate, Wave};

/// A family: its name and how a member is made.
pub type Family = (&'static str, fn(&mut Random) -> Circuit);

pub const D: Kind = Kind::Diode(0.0, 0.0);

/// A number spread evenly over the decades between two numbers.
pub fn decades(r: &mut Random, low: f64, high: f64) -> f64 {
    round((r.between(low.ln(), high.ln())).exp())
}

/// Three digits, so that texts stay readable.
pub fn round(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

pub fn near(r: &mut Random, x: f64) -> f64 {
    round(x * r.between(0.6, 1.6))
}

pub fn sine(amplitude: f64, frequency: f64, phase: f64) -> Kind {
    Kind::VoltageSource(Wave::Sine { amplitude, frequency, phase, offset: 0.0 })
}

pub fn dc(value: f64) -> Kind {
    Kind::VoltageSource(Wave::Constant(value))
}

pub fn res(r: f64) -> Kind {
    Kind::Resistor(r)
}

pub fn cap(c: f64) -> Kind {
    Kind::Capacitor(c, 0.0)
}

pub fn coil(l: f64) -> Kind {
    Kind::Inductor(l, 0.0)
}

pub fn pwm(period: f64, duty: f64, shift: f64) -> Gate {
    Gate { period, on: duty * period, shift: shift * period, inverted: false }
}

pub fn other(gate: Gate) -> Gate {
    Gate { inverted: !gate.inverted, ..gate }
}

/// Mains: outputs at odd parts of three periods of 50 Hz.
pub fn mains() -> Circuit {
    Circuit::new(0.97e-3, 60)
}

/// A converter with a switching period: outputs at one phase of every second period.
pub fn switched(period: f64) -> Circuit {
    Circuit::new(2.0 * period, 30)
}

/// A load: R, R and L in series, or R and C in parallel.
fn load(r: &mut Random, c: &mut Circuit, plus: &str, minus: &str, kinds: &[usize]) {
    let ohm = near(r, 20.0);
    match kinds[r.below(kinds.len())] {
        0 => {
            c.add("RL", &format!("{plus} {minus}"), res(ohm));
        }
        1 => {
            c.add("RL", &format!("{plus} load"), res(ohm)).add(
                "LL",
                &format!("load {minus}"),
                coil(near(r, 0.05)),
            );
        }
        _ => {
            c.add("RL", &format!("{plus} {minus}"), res(10.0 * ohm));
            c.add("CL", &format!("{plus} {minus}"), cap(near(r, 1e-4)));
        }
    }
}

fn bridge(c: &mut Circuit, a: &str, b: &str) {
    c.add("D1", &format!("{a} plus"), D).add("D2", &format!("{b} plus"), D);
    c.add("D3", &format!("minus {a}"), D).add("D4", &format!("minus {b}"), D);
}

fn bridge_ideal_source(r: &mut Random) -> Circuit {
    let mut c = mains();
    c.add("U", "a gnd", sine(near(r, 100.0), 50.0, 0.0));
    bridge(&mut c, "a", "gnd");
    load(r, &mut c, "plus", "minus", &[0, 1, 2]);
    c
}

fn bridge_floating_source(r: &mut Random) -> Circuit {
    let mut c = mains();
    let (amplitude, ohm) = (near(r, 100.0), near(r, 2.0));
    if r.below(2) == 0 {
        c.add("U", "a e", sine(amplitude, 50.0, 0.0));
    } else {
        c.add("U", "a b", sine(amplitude, 50.0, 0.0)).add("Ri", "b e", res(ohm));
    }
    c.add("D1", "a plus", D).add("D2", "e plus", D).add("D3", "gnd a", D).add("D4", "gnd e", D);
    load(r, &mut c, "plus", "gnd", &[0, 1, 2]);
    c
}

fn bridge_inductive_source(r: &mut Random) -> Circuit {
    let mut c = mains();
    c.add("U", "s gnd", sine(near(r, 100.0), 50.0, 0.0)).add("Ls", "s a", coil(near(r, 3e-3)));
    bridge(&mut c, "a", "gnd");
    load(r, &mut c, "plus", "minus", &[0, 1, 2]);
    c
}

fn three_phases(r: &mut Random, c: &mut Circuit, star: &str) {
    let amplitude = near(r, 100.0);
    for (k, name) in [(0.0, "a"), (1.0, "b"), (2.0, "c")] {
        c.add(
            &format!("U{name}"),
            &format!("{name} {star}"),
            sine(amplitude, 50.0, -TAU * k / 3.0),
        );
    }
}

fn b6(r: &mut Random) -> Circuit {
    let mut c = mains();
    let is_floating = r.below(2) == 0;
    three_phases(r, &mut c, if is_floating { "star" } else { "gnd" });
    let minus = if is_floating { "gnd" } else { "minus" };
    for name in ["a", "b", "c"] {
        c.add(&format!("P{name}"), &format!("{name} plus"), D).add(
            &format!("N{name}"),
            &format!("{minus} {name}"),
            D,
        );
    }
    load(r, &mut c, "plus", minus, &[0, 1]);
    c
}

/// Coils in all phases, whose star nothing holds, and a coil behind the bridge: their currents are tied twice while three
/// valves conduct.
fn b6_inductive_source(r: &mut Random) -> Circuit {
    let mut c = mains();
    three_phases(r, &mut c, "star");
    for name in ["a", "b", "c"] {
        c.add(&format!("L{name}"), &format!("{name} m{name}"), coil(near(r, 1e-3)));
        c.add(&format!("P{name}"), &format!("m{name} plus"), D);
        c.add(&format!("N{name}"), &format!("gnd m{name}"), D);
    }
    c.add("Ld", "plus x", coil(near(r, 5e-3))).add("R", "x gnd", res(near(r, 10.0)));
    if r.below(2) == 0 {
        c.add("C", "x gnd", cap(near(r, 1e-3)));
    }
    c
}

fn diode_or(r: &mut Random) -> Circuit {
    let mut c = mains();
    for k in 1..=2 + r.below(2) {
        let kind = if r.below(2) == 0 {
            dc(near(r, 10.0))
        } else {
            sine(near(r, 12.0), near(r, 60.0), r.between(0.0, 6.0))
        };
        c.add(&format!("U{k}"), &format!("a{k} gnd"), kind).add(
            &format!("D{k}"),
            &format!("a{k} out"),
            D,
        );
    }
    c.add("R", "out gnd", res(near(r, 100.0)));
    c
}

fn diode_and(r: &mut Random) -> Circuit {
    let mut c = mains();
    for k in 1..=2 + r.below(2) {
        let kind = if r.below(2) == 0 {
            dc(near(r, 10.0))
        } else {
            sine(near(r, 12.0), near(r, 60.0), r.between(0.0, 6.0))
        };
        c.add(&format!("U{k}"), &format!("a{k} gnd"), kind).add(
            &format!("D{k}"),
            &format!("out a{k}"),
            D,
        );
    }
    c.add("V", "vcc gnd", dc(near(r, 30.0))).add("R", "vcc out", res(near(r, 100.0)));
    c
}

fn parallel_diodes(r: &mut Random) -> Circuit {
    let mut c = mains();
    c.add("U", "a gnd", sine(near(r, 100.0), 50.0, r.between(0.0, 6.0)));
    for k in 1..=2 + r.below(2) {
        c.add(&format!("D{k}"), "a b", D);
    }
    load(r, &mut c, "b", "gnd", &[0, 1]);
    c
}

fn centre_tap(r: &mut Random) -> Circuit {
    let mut c = mains();
    let ratio = round(r.between(2.0, 10.0));
    c.add("U", "a gnd", sine(near(r, 100.0), 50.0, 0.0));
    c.add("T1", "a gnd s gnd", Kind::Transformer(ratio)).add(
        "T2",
        "a gnd gnd u",
        Kind::Transformer(ratio),
    );
    c.add("D1", "s plus", D).add("D2", "u plus", D);
    load(r, &mut c, "plus", "gnd", &[0, 1, 2]);
    c
}

fn peak(r: &mut Random) -> Circuit {
    let mut c = mains();
    c.add("U", "a gnd", sine(near(r, 100.0), 50.0, 0.0)).add("D", "a b", D);
    c.add("C", "b gnd", cap(decades(r, 1e-5, 1e-3))).add(
        "R",
        "b gnd",
        res(decades(r, 50.0, 2000.0)),
    );
    c
}

fn firing(delay: f64, k: f64) -> Gate {
    // On for 2 ms from the delay after the k-th sixth of a period; written with a shift that is not negative.
    let shift = (40e-3 - delay - k * 0.02 / 6.0).rem_euclid(0.02);
    Gate { period: 0.02, on: 2e-3, shift, inverted: false }
}

fn thyristor_freewheeling(r: &mut Random) -> Circuit {
    let mut c = mains();
    let delay = r.between(1e-3, 8e-3);
    c.add("U", "a gnd", sine(near(r, 100.0), 50.0, 0.0)).add(
        "T",
        "a b",
        Kind::Thyristor(firing(delay, 0.0)),
    );
    c.add("D", "gnd b", D).add("R", "b c", res(near(r, 10.0))).add(
        "L",
        "c gnd",
        coil(near(r, 0.05)),
    );
    c
}

fn half_controlled(r: &mut Random) -> Circuit {
    let mut c = mains();
    let delay = r.between(1e-3, 8e-3);
    c.add("U", "a gnd", sine(near(r, 100.0), 50.0, 0.0));
    c.add("T1", "a plus", Kind::Thyristor(firing(delay, 0.0))).add(
        "T2",
        "gnd plus",
        Kind::Thyristor(firing(delay, 3.0)),
    );
    c.add("D3", "minus a", D).add("D4", "minus gnd", D);
    c.add("R", "plus m", res(near(r, 10.0))).add("L", "m minus", coil(near(r, 0.05)));
    c
}

fn thyristor_b6(r: &mut Random) -> Circuit {
    let mut c = mains();
    three_phases(r, &mut c, "gnd");
    // Natural commutation of phase a is at 30 degrees; every valve is fired again after 60 degrees.
    let delay = r.between(0.1e-3, 3.2e-3) + 0.02 / 12.0;
    for (k, name) in [(0.0, "a"), (2.0, "b"), (4.0, "c")] {
        let long = |k: f64| Gate { on: 4.5e-3, ..firing(delay, k) };
        c.add(&format!("P{name}"), &format!("{name} plus"), Kind::Thyristor(long(k)));
        c.add(&format!("N{name}"), &format!("minus {name}"), Kind::Thyristor(long(k + 3.0)));
    }
    c.add("R", "plus m", res(near(r, 10.0))).add("L", "m minus", coil(near(r, 0.02)));
    c
}

fn phase_control(r: &mut Random) -> Circuit {
    let mut c = mains();
    let delay = r.between(2e-3, 8e-3);
    c.add("U", "a gnd", sine(near(r, 300.0), 50.0, 0.0));
    c.add("T1", "a b", Kind::Thyristor(firing(delay, 0.0))).add(
        "T2",
        "b a",
        Kind::Thyristor(firing(delay, 3.0)),
    );
    c.add("R", "b c", res(near(r, 50.0))).add("L", "c gnd", coil(near(r, 0.02)));
    c
}

/// All families.
pub const FAMILIES: [Family; 29] = [
    ("bridge ideal source", bridge_ideal_source),
    ("bridge floating source", bridge_floating_source),
    ("bridge inductive source", bridge_inductive_source),
    ("B6", b6),
    ("B6 inductive source", b6_inductive_source),
    ("diode OR", diode_or),
    ("diode AND", diode_and),
    ("parallel diodes", parallel_diodes),
    ("centre tap", centre_tap),
    ("peak rectifier", peak),
    ("thyristor freewheeling", thyristor_freewheeling),
    ("half-controlled bridge", half_controlled),
    ("thyristor B6", thyristor_b6),
    ("phase control", phase_control),
    ("buck", choppers::buck),
    ("synchronous buck", choppers::synchronous_buck),
    ("H-bridge", choppers::h_bridge),
    ("H-bridge freewheeling", choppers::h_bridge_freewheeling),
    ("half-bridge LLC", choppers::llc),
    ("three-phase inverter", choppers::three_phase_inverter),
    ("NPC inverter", choppers::npc),
    ("snubber", choppers::snubber),
    ("Cuk", choppers::cuk),
    ("charge pump", choppers::charge_pump),
    ("ladder rectifier", choppers::ladder_rectifier),
    ("boost", choppers::boost),
    ("flyback", choppers::flyback),
    ("forward", choppers::forward),
    ("SEPIC", choppers::sepic),
];
