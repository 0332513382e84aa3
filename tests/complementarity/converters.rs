//! Families of practical converters with random values.

use std::f64::consts::TAU;

use dysim_tests::random::Random;

use crate::circuit::{Circuit, Kind};
use crate::conditions::{Gate, Wave};

/// A family: its name and how a member is made.
pub type Family = (&'static str, fn(&mut Random) -> Circuit);

const D: Kind = Kind::Diode(0.0, 0.0);

/// A number spread evenly over the decades between two numbers.
pub fn decades(r: &mut Random, low: f64, high: f64) -> f64 {
    round((r.between(low.ln(), high.ln())).exp())
}

/// Three digits, so that texts stay readable.
fn round(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

fn near(r: &mut Random, x: f64) -> f64 {
    round(x * r.between(0.6, 1.6))
}

fn sine(amplitude: f64, frequency: f64, phase: f64) -> Kind {
    Kind::VoltageSource(Wave::Sine { amplitude, frequency, phase, offset: 0.0 })
}

fn dc(value: f64) -> Kind {
    Kind::VoltageSource(Wave::Constant(value))
}

fn res(r: f64) -> Kind {
    Kind::Resistor(r)
}

fn cap(c: f64) -> Kind {
    Kind::Capacitor(c, 0.0)
}

fn coil(l: f64) -> Kind {
    Kind::Inductor(l, 0.0)
}

fn pwm(period: f64, duty: f64, shift: f64) -> Gate {
    Gate { period, on: duty * period, shift: shift * period, inverted: false }
}

fn other(gate: Gate) -> Gate {
    Gate { inverted: !gate.inverted, ..gate }
}

/// Mains: outputs at odd parts of three periods of 50 Hz.
fn mains() -> Circuit {
    Circuit::new(0.97e-3, 60)
}

/// A converter with a switching period: outputs at one phase of every second period.
fn switched(period: f64) -> Circuit {
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
    c.add("U", "a b", sine(near(r, 100.0), 50.0, 0.0)).add("Ri", "b e", res(near(r, 2.0)));
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

/// It starts near its steady state: an output above the input would drive the current backward, and nothing takes a
/// backward current over when the switch opens.
fn buck(r: &mut Random) -> Circuit {
    let period = 20e-6;
    let mut c = switched(period);
    let (volt, duty) = (near(r, 24.0), round(r.between(0.2, 0.5)));
    let gate = pwm(period, duty, r.between(0.1, 0.9));
    c.add("U", "a gnd", dc(volt)).add("S", "a x", Kind::Switch(gate));
    c.add("D", "gnd x", D).add("L", "x out", coil(decades(r, 2e-5, 5e-4)));
    c.add("C", "out gnd", Kind::Capacitor(near(r, 20e-6), round(duty * volt)));
    c.add("R", "out gnd", res(decades(r, 1.0, 50.0)));
    c
}

fn synchronous_buck(r: &mut Random) -> Circuit {
    let period = 20e-6;
    let mut c = switched(period);
    let gate = pwm(period, r.between(0.2, 0.8), r.between(0.1, 0.9));
    c.add("U", "a gnd", dc(near(r, 24.0))).add("S1", "a x", Kind::Switch(gate)).add(
        "S2",
        "x gnd",
        Kind::Switch(other(gate)),
    );
    if r.below(2) == 0 {
        c.add("D", "gnd x", D);
    }
    c.add("L", "x out", coil(decades(r, 2e-5, 5e-4)));
    c.add("C", "out gnd", cap(near(r, 20e-6))).add("R", "out gnd", res(decades(r, 1.0, 50.0)));
    c
}

fn h_bridge(r: &mut Random) -> Circuit {
    let period = 1e-3;
    let mut c = switched(period);
    let gate = pwm(period, r.between(0.3, 0.7), r.between(0.1, 0.9));
    c.add("U", "p gnd", dc(near(r, 48.0)));
    c.add("S1", "p a", Kind::Switch(gate)).add("S2", "a gnd", Kind::Switch(other(gate)));
    c.add("S3", "p b", Kind::Switch(other(gate))).add("S4", "b gnd", Kind::Switch(gate));
    c.add("R", "a m", res(near(r, 5.0))).add("L", "m b", coil(near(r, 5e-3)));
    c
}

fn h_bridge_freewheeling(r: &mut Random) -> Circuit {
    let period = 1e-3;
    let mut c = switched(period);
    // A gap between the switches of a leg: the diodes carry the current.
    let (duty, gap, shift) = (r.between(0.3, 0.6), r.between(0.02, 0.1), r.between(0.1, 0.9));
    let (one, two) =
        (pwm(period, duty, shift), pwm(period, 1.0 - duty - 2.0 * gap, shift + 1.0 - duty - gap));
    c.add("U", "p gnd", dc(near(r, 48.0)));
    for (name, nodes, gate) in
        [("1", "p a", one), ("2", "a gnd", two), ("3", "p b", two), ("4", "b gnd", one)]
    {
        let (upper, lower) = nodes.split_once(' ').unwrap_or_default();
        c.add(&format!("S{name}"), nodes, Kind::Switch(gate)).add(
            &format!("D{name}"),
            &format!("{lower} {upper}"),
            D,
        );
    }
    c.add("R", "a m", res(near(r, 5.0))).add("L", "m b", coil(near(r, 5e-3)));
    c
}

fn llc(r: &mut Random) -> Circuit {
    let period = 10e-6;
    let mut c = switched(period);
    let gate = pwm(period, 0.5, r.between(0.1, 0.9));
    c.add("U", "p gnd", dc(near(r, 48.0))).add("S1", "p x", Kind::Switch(gate)).add(
        "S2",
        "x gnd",
        Kind::Switch(other(gate)),
    );
    c.add("Cr", "x y", cap(near(r, 100e-9))).add("Lr", "y z", coil(near(r, 25e-6))).add(
        "Lm",
        "z gnd",
        coil(near(r, 120e-6)),
    );
    let ratio = round(r.between(1.0, 4.0));
    c.add("T1", "z gnd s gnd", Kind::Transformer(ratio)).add(
        "T2",
        "z gnd gnd u",
        Kind::Transformer(ratio),
    );
    c.add("D1", "s out", D).add("D2", "u out", D);
    c.add("C", "out gnd", cap(near(r, 10e-6))).add("R", "out gnd", res(near(r, 5.0)));
    c
}

fn three_phase_inverter(r: &mut Random) -> Circuit {
    let period = 0.02;
    let mut c = mains();
    c.add("U", "p gnd", dc(near(r, 100.0)));
    let (shift, ohm, henry) = (r.between(0.1, 0.9), near(r, 10.0), near(r, 0.02));
    for (k, name) in [(0.0, "a"), (1.0, "b"), (2.0, "c")] {
        let gate = pwm(period, 0.5, shift + k / 3.0);
        c.add(&format!("S{name}"), &format!("p {name}"), Kind::Switch(gate)).add(
            &format!("D{name}"),
            &format!("{name} p"),
            D,
        );
        c.add(&format!("s{name}"), &format!("{name} gnd"), Kind::Switch(other(gate))).add(
            &format!("d{name}"),
            &format!("gnd {name}"),
            D,
        );
        c.add(&format!("R{name}"), &format!("{name} m{name}"), res(ohm)).add(
            &format!("L{name}"),
            &format!("m{name} star"),
            coil(henry),
        );
    }
    c
}

fn npc(r: &mut Random) -> Circuit {
    let period = 1e-3;
    let mut c = switched(period);
    let half = near(r, 50.0);
    c.add("Up", "p gnd", dc(half)).add("Un", "gnd n", dc(half));
    // Positive, zero, negative, zero: S1 S2, S2 S3, S3 S4, S2 S3.
    let (on, shift) = (r.between(0.2, 0.4), r.between(0.1, 0.9));
    let positive = pwm(period, on, shift);
    let negative = pwm(period, on, shift + 0.5);
    c.add("S1", "p u", Kind::Switch(positive)).add("S2", "u x", Kind::Switch(other(negative)));
    c.add("S3", "x l", Kind::Switch(other(positive))).add("S4", "l n", Kind::Switch(negative));
    for (name, nodes) in
        [("1", "u p"), ("2", "x u"), ("3", "l x"), ("4", "n l"), ("5", "gnd u"), ("6", "l gnd")]
    {
        c.add(&format!("D{name}"), nodes, D);
    }
    c.add("R", "x m", res(near(r, 5.0))).add("L", "m gnd", coil(near(r, 2e-3)));
    c
}

fn snubber(r: &mut Random) -> Circuit {
    let period = 100e-6;
    let mut c = switched(period);
    c.add("U", "a gnd", dc(near(r, 24.0))).add("Rl", "a b", res(near(r, 5.0))).add(
        "L",
        "b x",
        coil(near(r, 200e-6)),
    );
    c.add("S", "x gnd", Kind::Switch(pwm(period, r.between(0.3, 0.7), r.between(0.1, 0.9))));
    c.add("Ds", "x y", D).add("Rs", "x y", res(near(r, 50.0))).add(
        "Cs",
        "y gnd",
        cap(near(r, 0.5e-6)),
    );
    c
}

fn cuk(r: &mut Random) -> Circuit {
    let period = 20e-6;
    let mut c = switched(period);
    c.add("U", "a gnd", dc(near(r, 12.0))).add("L1", "a x", coil(near(r, 200e-6)));
    c.add("S", "x gnd", Kind::Switch(pwm(period, r.between(0.2, 0.7), r.between(0.1, 0.9))));
    c.add("C1", "x y", cap(near(r, 10e-6))).add("D", "y gnd", D).add(
        "L2",
        "y out",
        coil(near(r, 200e-6)),
    );
    c.add("C2", "out gnd", cap(near(r, 20e-6))).add("R", "out gnd", res(near(r, 10.0)));
    c
}

fn charge_pump(r: &mut Random) -> Circuit {
    let period = 100e-6;
    let mut c = switched(period);
    let gate = pwm(period, r.between(0.3, 0.7), r.between(0.1, 0.9));
    c.add("U", "a gnd", dc(near(r, 5.0))).add("Ri", "a b", res(near(r, 5.0)));
    c.add("S1", "b x", Kind::Switch(gate)).add("S2", "x y", Kind::Switch(other(gate)));
    c.add("C1", "x gnd", cap(near(r, 2e-6))).add("C2", "y gnd", cap(near(r, 5e-6))).add(
        "R",
        "y gnd",
        res(near(r, 200.0)),
    );
    c
}

fn ladder_rectifier(r: &mut Random) -> Circuit {
    let mut c = mains();
    let stages = 1 + r.below(3);
    c.add("U", "s gnd", sine(near(r, 10.0), 50.0, 0.0)).add("Rs", "s n0", res(near(r, 5.0)));
    let farad = near(r, 50e-6);
    let node = |k: usize| if k == 0 { "gnd".to_string() } else { format!("n{k}") };
    // Odd nodes are pumped by the source, even ones are the output's column.
    for k in 1..=2 * stages {
        let below = match k {
            1 => "n0".to_string(),
            _ => node(k - 2),
        };
        c.add(&format!("C{k}"), &format!("{} {}", node(k), below), cap(farad));
        c.add(&format!("D{k}"), &format!("{} {}", node(k - 1), node(k)), D);
    }
    c.add("R", &format!("{} gnd", node(2 * stages)), res(near(r, 5000.0)));
    c
}

fn boost(r: &mut Random) -> Circuit {
    let period = 20e-6;
    let mut c = switched(period);
    c.add("U", "a gnd", dc(near(r, 12.0))).add("L", "a x", coil(decades(r, 2e-5, 3e-4)));
    c.add("S", "x gnd", Kind::Switch(pwm(period, r.between(0.2, 0.7), r.between(0.1, 0.9))));
    c.add("D", "x out", D).add("C", "out gnd", cap(near(r, 20e-6))).add(
        "R",
        "out gnd",
        res(near(r, 20.0)),
    );
    c
}

fn flyback(r: &mut Random) -> Circuit {
    let period = 20e-6;
    let mut c = switched(period);
    c.add("U", "a gnd", dc(near(r, 24.0))).add("Lm", "a x", coil(near(r, 100e-6)));
    c.add("T", "a x gnd s", Kind::Transformer(round(r.between(0.5, 4.0))));
    c.add("S", "x gnd", Kind::Switch(pwm(period, r.between(0.2, 0.6), r.between(0.1, 0.9))));
    c.add("D", "s out", D).add("C", "out gnd", cap(near(r, 20e-6))).add(
        "R",
        "out gnd",
        res(near(r, 10.0)),
    );
    c
}

fn forward(r: &mut Random) -> Circuit {
    let period = 20e-6;
    let mut c = switched(period);
    let duty = r.between(0.2, 0.4);
    c.add("U", "a gnd", dc(near(r, 24.0))).add("Lm", "a x", coil(near(r, 500e-6)));
    c.add("T", "a x s gnd", Kind::Transformer(round(r.between(0.5, 4.0))));
    // The third winding gives the magnetising energy back to the source.
    c.add("T3", "a x gnd w", Kind::Transformer(1.0)).add("D3", "w a", D);
    c.add("S", "x gnd", Kind::Switch(pwm(period, duty, r.between(0.1, 0.9))));
    c.add("D1", "s y", D).add("D2", "gnd y", D).add("L", "y out", coil(near(r, 200e-6)));
    c.add("C", "out gnd", cap(near(r, 20e-6))).add("R", "out gnd", res(near(r, 5.0)));
    c
}

fn sepic(r: &mut Random) -> Circuit {
    let period = 20e-6;
    let mut c = switched(period);
    c.add("U", "a gnd", dc(near(r, 12.0))).add("L1", "a x", coil(near(r, 200e-6)));
    c.add("S", "x gnd", Kind::Switch(pwm(period, r.between(0.2, 0.7), r.between(0.1, 0.9))));
    c.add("C1", "x y", cap(near(r, 10e-6)))
        .add("L2", "y gnd", coil(near(r, 200e-6)))
        .add("D", "y out", D);
    c.add("C2", "out gnd", cap(near(r, 20e-6))).add("R", "out gnd", res(near(r, 10.0)));
    c
}

/// All families.
pub const FAMILIES: [Family; 28] = [
    ("bridge ideal source", bridge_ideal_source),
    ("bridge floating source", bridge_floating_source),
    ("bridge inductive source", bridge_inductive_source),
    ("B6", b6),
    ("diode OR", diode_or),
    ("diode AND", diode_and),
    ("parallel diodes", parallel_diodes),
    ("centre tap", centre_tap),
    ("peak rectifier", peak),
    ("thyristor freewheeling", thyristor_freewheeling),
    ("half-controlled bridge", half_controlled),
    ("thyristor B6", thyristor_b6),
    ("phase control", phase_control),
    ("buck", buck),
    ("synchronous buck", synchronous_buck),
    ("H-bridge", h_bridge),
    ("H-bridge freewheeling", h_bridge_freewheeling),
    ("half-bridge LLC", llc),
    ("three-phase inverter", three_phase_inverter),
    ("NPC inverter", npc),
    ("snubber", snubber),
    ("Cuk", cuk),
    ("charge pump", charge_pump),
    ("ladder rectifier", ladder_rectifier),
    ("boost", boost),
    ("flyback", flyback),
    ("forward", forward),
    ("SEPIC", sepic),
];
