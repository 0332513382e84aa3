//! The reference itself against closed forms.

use std::f64::consts::{PI, TAU};

use crate::circuit::{Circuit, Kind};
use crate::reference::{Answer, IllPosed, answer};
use crate::waves::{Gate, Wave};

fn sine(amplitude: f64, frequency: f64) -> Kind {
    Kind::VoltageSource(Wave::Sine { amplitude, frequency, phase: 0.0, offset: 0.0 })
}

fn dc(value: f64) -> Kind {
    Kind::VoltageSource(Wave::Constant(value))
}

const DIODE: Kind = Kind::Diode(0.0, 0.0);

fn gate(period: f64, on: f64, shift: f64) -> Gate {
    Gate { period, on, shift, inverted: false }
}

/// Compares a signal with a closed form at all outputs where it is determined; each closed form must be met at least once.
fn check(
    circuit: &Circuit,
    answer: &Answer,
    signal: &str,
    allowed: f64,
    exact: impl Fn(f64) -> f64,
) {
    let column = answer.signals.iter().position(|name| name == signal).expect("a signal");
    let mut met = 0;
    for (row, t) in answer.values.iter().zip(circuit.times()) {
        let Some(value) = row[column] else { continue };
        let wanted = exact(t);
        let error = (value.value - wanted).abs();
        assert!(error <= allowed, "{signal} at {t}: {} instead of {wanted}", value.value);
        assert!(
            error <= value.bar + 1e-6 * (1.0 + wanted.abs()),
            "{signal} at {t}: the bar {:e} is too short for {error:e}",
            value.bar
        );
        met += 1;
    }
    assert!(2 * met > circuit.outputs, "{signal}: only {met} values are determined");
}

#[test]
fn half_wave_rectifier_follows_the_positive_half() {
    let mut c = Circuit::new(0.9e-3, 60);
    c.add("U", "a gnd", sine(10.0, 50.0)).add("D", "a b", DIODE).add(
        "R",
        "b gnd",
        Kind::Resistor(5.0),
    );
    let found = answer(&c).expect("an answer");
    check(&c, &found, "R.i", 1e-9, |t| (2.0 * (TAU * 50.0 * t).sin()).max(0.0));
}

/// v = V sin, C charged to the peak and discharged through R: from where the sine falls faster than the exponential.
#[test]
fn peak_rectifier_leaves_the_sine_where_it_falls_faster() {
    let (r, cap, omega) = (1000.0, 20e-6, TAU * 50.0);
    let mut c = Circuit::new(0.37e-3, 25);
    c.add("U", "a gnd", sine(10.0, 50.0)).add("D", "a b", DIODE);
    c.add("C", "b gnd", Kind::Capacitor(cap, 0.0)).add("R", "b gnd", Kind::Resistor(r));
    let found = answer(&c).expect("an answer");
    // i = C v' + v/R = 0: tan(omega t) = -omega R C.
    let leaves = (PI - (omega * r * cap).atan()) / omega;
    let exact = |t: f64| {
        if t < leaves {
            10.0 * (omega * t).sin()
        } else {
            10.0 * (omega * leaves).sin() * (-(t - leaves) / (r * cap)).exp()
        }
    };
    check(&c, &found, "C.v", 1e-5, exact);
}

/// The load current of a freewheeling diode: driven in the positive half, dying out exponentially in the other.
#[test]
fn freewheeling_diode_takes_the_current_over() {
    let (r, l, omega) = (10.0, 0.05, TAU * 50.0);
    let mut c = Circuit::new(0.97e-3, 20);
    c.add("U", "a gnd", sine(100.0, 50.0)).add("D1", "a b", DIODE).add("D2", "gnd b", DIODE);
    c.add("R", "b c", Kind::Resistor(r)).add("L", "c gnd", Kind::Inductor(l, 0.0));
    let found = answer(&c).expect("an answer");
    let (z2, tau) = (r * r + omega * omega * l * l, l / r);
    let driven = |t: f64| {
        100.0 / z2
            * (r * (omega * t).sin() - omega * l * (omega * t).cos() + omega * l * (-t / tau).exp())
    };
    check(&c, &found, "L.i", 1e-5, |t| {
        if t < 0.01 { driven(t) } else { driven(0.01) * (-(t - 0.01) / tau).exp() }
    });
}

#[test]
fn two_capacitors_share_their_charge() {
    let mut c = Circuit::new(0.1, 10);
    c.add("C1", "a gnd", Kind::Capacitor(1e-3, 6.0)).add("C2", "b gnd", Kind::Capacitor(2e-3, 0.0));
    c.add("S", "a b", Kind::Switch(gate(10.0, 9.45, 9.55 - 0.1)));
    c.add("R", "b gnd", Kind::Resistor(1e4));
    let found = answer(&c).expect("an answer");
    // mod(t + 9.45, 10) < 9.45: closed from 0.55 on.
    let exact = |t: f64| if t < 0.55 { 0.0 } else { 2.0 * (-(t - 0.55) / 30.0).exp() };
    check(&c, &found, "C2.v", 1e-6, exact);
    assert_eq!(found.jumps, 1);
}

/// A buck converter in continuous conduction, solved by the exact map of a period with the matrix exponential of R L C.
#[test]
fn buck_converter_settles_at_duty_times_input() {
    let period = 20e-6;
    let mut c = Circuit::new(5.0 * period, 60);
    c.add("U", "a gnd", dc(24.0)).add(
        "S",
        "a x",
        Kind::Switch(gate(period, 0.4 * period, 0.3 * period)),
    );
    c.add("D", "gnd x", DIODE).add("L", "x out", Kind::Inductor(200e-6, 0.0));
    c.add("C", "out gnd", Kind::Capacitor(50e-6, 0.0)).add("R", "out gnd", Kind::Resistor(2.0));
    let found = answer(&c).expect("an answer");
    let column = found.signals.iter().position(|name| name == "C.v").expect("a signal");
    let last = found.values.last().expect("rows")[column].expect("a value");
    // Ripple: (1 - D) V D T^2/(8 L C) = 0.0288 V from top to bottom.
    assert!((last.value - 9.6).abs() < 0.03, "{last:?}");
    assert!(last.bar < 1e-4, "{last:?}");
}

#[test]
fn three_phase_bridge_gives_the_largest_difference() {
    let mut c = Circuit::new(0.43e-3, 60);
    let phase = |k: f64| {
        Kind::VoltageSource(Wave::Sine {
            amplitude: 100.0,
            frequency: 50.0,
            phase: -TAU * k / 3.0,
            offset: 0.0,
        })
    };
    for (k, name) in [(0.0, "a"), (1.0, "b"), (2.0, "c")] {
        c.add(&format!("U{name}"), &format!("{name} gnd"), phase(k));
        c.add(&format!("P{name}"), &format!("{name} plus"), DIODE);
        c.add(&format!("N{name}"), &format!("minus {name}"), DIODE);
    }
    c.add("R", "plus minus", Kind::Resistor(10.0));
    let found = answer(&c).expect("an answer");
    let exact = |t: f64| {
        let u = [0.0, 1.0, 2.0].map(|k| 100.0 * (TAU * (50.0 * t - k / 3.0)).sin());
        u.iter().copied().fold(f64::MIN, f64::max) - u.iter().copied().fold(f64::MAX, f64::min)
    };
    check(&c, &found, "R.v", 1e-9, exact);
}

#[test]
fn share_of_parallel_diodes_is_undetermined_and_the_sum_is_not() {
    let mut c = Circuit::new(1.0, 3);
    c.add("U", "a gnd", dc(10.0)).add("D1", "a b", DIODE).add("D2", "a b", DIODE).add(
        "R",
        "b gnd",
        Kind::Resistor(5.0),
    );
    let found = answer(&c).expect("an answer");
    let value = |signal: &str| {
        let column = found.signals.iter().position(|name| name == signal).expect("a signal");
        found.values[1][column].map(|value| value.value)
    };
    assert_eq!((value("D1.i"), value("D2.i"), value("D1.v")), (None, None, Some(0.0)));
    assert!((value("R.i").expect("determined") - 2.0).abs() < 1e-12);
}

#[test]
fn ill_posed_circuits_are_named() {
    let mut c = Circuit::new(0.1, 10);
    c.add("U1", "a gnd", dc(10.0)).add("U2", "b gnd", dc(5.0)).add(
        "R",
        "b gnd",
        Kind::Resistor(1.0),
    );
    c.add("S", "a b", Kind::Switch(gate(2.0, 1.0, 1.45)));
    match answer(&c).err() {
        Some(IllPosed::Contradiction(t, names)) => {
            assert!((t - 0.55).abs() < 1e-9, "{t}");
            assert_eq!(names, ["U1", "U2"]);
        }
        other => panic!("{other:?}"),
    }
    let mut c = Circuit::new(0.1, 10);
    c.add("U", "a gnd", dc(10.0)).add("S", "a b", Kind::Switch(gate(2.0, 0.55, 0.0)));
    c.add("R", "b c", Kind::Resistor(1.0)).add("L", "c gnd", Kind::Inductor(1.0, 0.0));
    match answer(&c).err() {
        Some(IllPosed::InductorCut(t, names)) => {
            assert!((t - 0.55).abs() < 1e-9, "{t}");
            assert_eq!(names, ["L"]);
        }
        other => panic!("{other:?}"),
    }
}

/// Clipping amplifier: -10 times the input, within the limits.
#[test]
fn limited_amplifier_clips() {
    let mut c = Circuit::new(0.9e-3, 40);
    c.add("U", "a gnd", sine(2.0, 50.0)).add("R1", "a m", Kind::Resistor(1e3)).add(
        "R2",
        "m out",
        Kind::Resistor(1e4),
    );
    c.add("A", "gnd m out", Kind::OpAmp(Some((-12.0, 12.0)))).add(
        "RL",
        "out gnd",
        Kind::Resistor(1e3),
    );
    let found = answer(&c).expect("an answer");
    check(&c, &found, "RL.v", 1e-8, |t| (-20.0 * (TAU * 50.0 * t).sin()).clamp(-12.0, 12.0));
}
