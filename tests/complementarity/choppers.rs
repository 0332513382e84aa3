//! Families of converters with switches, with random values.

use dysim_tests::random::Random;

use crate::circuit::{Circuit, Kind};
use crate::converters::{
    D, cap, coil, dc, decades, mains, near, other, pwm, res, round, sine, switched,
};

/// It starts from nothing. The output overshoots to twice its mean, which stays below the input: so the current never flows
/// backward, where nothing would take it over when the switch opens.
pub fn buck(r: &mut Random) -> Circuit {
    let period = 20e-6;
    let mut c = switched(period);
    let (volt, duty) = (near(r, 24.0), round(r.between(0.2, 0.5)));
    let gate = pwm(period, duty, r.between(0.1, 0.9));
    c.add("U", "a gnd", dc(volt)).add("S", "a x", Kind::Switch(gate));
    c.add("D", "gnd x", D).add("L", "x out", coil(decades(r, 2e-5, 5e-4)));
    c.add("C", "out gnd", cap(near(r, 20e-6)));
    c.add("R", "out gnd", res(decades(r, 1.0, 50.0)));
    c
}

pub fn synchronous_buck(r: &mut Random) -> Circuit {
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

pub fn h_bridge(r: &mut Random) -> Circuit {
    let period = 1e-3;
    let mut c = switched(period);
    let gate = pwm(period, r.between(0.3, 0.7), r.between(0.1, 0.9));
    c.add("U", "p gnd", dc(near(r, 48.0)));
    c.add("S1", "p a", Kind::Switch(gate)).add("S2", "a gnd", Kind::Switch(other(gate)));
    c.add("S3", "p b", Kind::Switch(other(gate))).add("S4", "b gnd", Kind::Switch(gate));
    c.add("R", "a m", res(near(r, 5.0))).add("L", "m b", coil(near(r, 5e-3)));
    c
}

pub fn h_bridge_freewheeling(r: &mut Random) -> Circuit {
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

pub fn llc(r: &mut Random) -> Circuit {
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

pub fn three_phase_inverter(r: &mut Random) -> Circuit {
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

pub fn npc(r: &mut Random) -> Circuit {
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

pub fn snubber(r: &mut Random) -> Circuit {
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

pub fn cuk(r: &mut Random) -> Circuit {
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

pub fn charge_pump(r: &mut Random) -> Circuit {
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

pub fn ladder_rectifier(r: &mut Random) -> Circuit {
    let mut c = mains();
    let stages = 1 + r.below(4);
    // From an ideal source, or from one with a resistance.
    let (amplitude, ohm) = (near(r, 10.0), near(r, 5.0));
    if r.below(2) == 0 {
        c.add("U", "n0 gnd", sine(amplitude, 50.0, 0.0));
    } else {
        c.add("U", "s gnd", sine(amplitude, 50.0, 0.0)).add("Rs", "s n0", res(ohm));
    }
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

pub fn boost(r: &mut Random) -> Circuit {
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

pub fn flyback(r: &mut Random) -> Circuit {
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

pub fn forward(r: &mut Random) -> Circuit {
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

pub fn sepic(r: &mut Random) -> Circuit {
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
