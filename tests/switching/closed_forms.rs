//! Friction, stops and releases against closed forms: what switches, when, and to which state.
#![allow(clippy::expect_used)]

use std::f64::consts::PI;

use dysim_tests::event_runs::{Link, chain, frame, model_text, outcome, simulate};
use integrate::MethodKind;

/// Stick and slip of a block that a spring pulls with constant speed V.
///
/// It sticks until the spring reaches Rs. With u = q - V t + Rk/c the slip is the oscillation
/// u'' = -w^2 u from u = -(Rs - Rk)/c, u' = -V, and ends when u' = -V again, where u has changed its
/// sign: after x = 2 (pi - atan(w (Rs - Rk)/(c V))) of phase. The spring is then at 2 Rk - Rs.
struct StickSlip {
    stiffness: f64,
    speed: f64,
    at_rest: f64,
    sliding: f64,
}

impl StickSlip {
    const MODEL: Self = Self { stiffness: 40.0, speed: 0.1, at_rest: 4.0, sliding: 2.5 };

    fn stick(&self) -> f64 {
        2.0 * (self.at_rest - self.sliding) / (self.stiffness * self.speed)
    }

    fn slip(&self) -> f64 {
        let w = self.stiffness.sqrt();
        let ratio = w * (self.at_rest - self.sliding) / (self.stiffness * self.speed);
        2.0 * (PI - ratio.atan()) / w
    }

    /// The n-th release, from 0.
    fn release(&self, n: usize) -> f64 {
        let first = self.at_rest / (self.stiffness * self.speed);
        first + n as f64 * (self.stick() + self.slip())
    }

    fn text(&self, tolerance: f64, end: f64) -> String {
        let Self { stiffness: c, speed, at_rest, sliding } = self;
        let joint = format!("JointAxis = 1, 0, 0; Friction = {at_rest}, {sliding};");
        frame(tolerance, (end, end), "J1.q")
            + &chain(&[Link { joint: &joint, ..Link::default() }])
            + &format!("JointForce \"F\" {{ Joint1D = J1; Value = {c}*({speed}*t - J1.q); }}")
    }
}

#[test]
fn the_friction_robot_switches_as_in_the_thesis() {
    let told = simulate(&model_text("switching/friction_robot.dys")).to_the_end();
    let expected: &[(f64, &str)] = &[
        (0.0, "J1, friction: start -> forward"),
        (0.0, "J2, friction: start -> locked"),
        (0.0, "J3, friction: start -> locked"),
        (0.0, "J4, friction: start -> locked"),
        (0.0, "J5, friction: start -> locked"),
        (0.0, "J6, friction: start -> locked"),
        (0.0, "J2, friction: locked -> start backward"),
        (0.0, "J2, friction: start backward -> backward"),
        (0.049_199_175_7, "J1, friction: forward -> locked"),
        (0.049_199_175_7, "J3, friction: locked -> start backward"),
        (0.049_199_175_7, "J6, friction: locked -> start backward"),
        (0.049_199_175_7, "J3, friction: start backward -> backward"),
        (0.049_199_175_7, "J6, friction: start backward -> backward"),
        (0.053_975_196_4, "J2, friction: backward -> locked"),
        (0.093_929_486_5, "J3, friction: backward -> locked"),
    ];
    assert_eq!(told.changes.len(), expected.len(), "{}", told.log);
    for ((t, words), (time, change)) in told.changes.iter().zip(expected) {
        assert!(words.contains(change), "{words} instead of {change}\n{}", told.log);
        // The thesis prints its times; the load was fitted to them, so they hold to 0.1 %.
        assert!((t - time).abs() <= 1e-3 * time, "{words} at {t}, not {time}");
    }
    assert!(told.energy_gap < 1e-9, "{:e}", told.energy_gap);
    for joint in ["J4.qd", "J5.qd"] {
        assert!(told.column(joint).iter().all(|qd| *qd == 0.0), "{joint} moves");
    }
}

/// The recursion and the mass matrix agree about every event.
#[test]
fn the_friction_robot_is_the_same_with_the_mass_matrix() {
    let text = model_text("switching/friction_robot.dys");
    let dense = text.replace("ScaleGrav = 1.0;", "ScaleGrav = 1.0; Formalism = dense;");
    assert_ne!(dense, text);
    let (a, b) = (simulate(&text).to_the_end(), simulate(&dense).to_the_end());
    assert_eq!(a.changes.len(), b.changes.len());
    for ((t, words), (other, same)) in a.changes.iter().zip(&b.changes) {
        assert_eq!(words, same);
        // Both solve the same equations to 1e-9; slopes of speeds at events are above 1 rad/s^2.
        assert!((t - other).abs() < 1e-8, "{words}: {t} {other}");
    }
}

#[test]
fn every_model_of_switching_runs_without_a_remark() {
    let names = [
        "friction_robot",
        "stick_slip_block",
        "pendulum_with_stops",
        "released_from_stop",
        "locked_arm",
    ];
    for name in names {
        let told = simulate(&model_text(&format!("switching/{name}.dys"))).to_the_end();
        assert!(told.remarks.is_empty(), "{name}: {:?}", told.remarks);
        assert!(told.energy_gap < 1e-8, "{name}: {:e}", told.energy_gap);
    }
}

#[test]
fn a_block_sticks_and_slips_on_time() {
    let exact = StickSlip::MODEL;
    for tolerance in [1e-6, 1e-8, 1e-10] {
        let end = exact.release(40) + 0.1;
        let told = simulate(&exact.text(tolerance, end)).to_the_end();
        let releases = told.times("locked -> start forward");
        let stops = told.times("forward -> locked");
        assert_eq!((releases.len(), stops.len()), (41, 40));
        for (n, t) in releases.iter().enumerate() {
            let error = (t - exact.release(n)).abs();
            // An error of position moves the next release by error/V: ten times per 0.1 m/s. It adds
            // up from slip to slip.
            let allowed = 10.0 * tolerance * (n + 1) as f64 / exact.speed;
            assert!(error < allowed, "{tolerance:e} release {n}: {error:e}");
        }
        for (n, t) in stops.iter().enumerate() {
            let error = (t - exact.release(n) - exact.slip()).abs();
            let allowed = 10.0 * tolerance * (n + 1) as f64 / exact.speed;
            assert!(error < allowed, "{tolerance:e} stop {n}: {error:e}");
        }
    }
}

/// 10^5 events: each period costs what the first ones cost, and the last is on time.
#[test]
fn a_hundred_thousand_events_cost_the_same_each() {
    const PERIODS: usize = 50_000;
    let exact = StickSlip { stiffness: 4000.0, speed: 1.0, at_rest: 4.0, sliding: 2.5 };
    let tolerance = 1e-9;
    let of = |periods: usize| {
        let end = exact.release(periods - 1) + exact.slip() + 0.5 * exact.stick();
        outcome(&exact.text(tolerance, end), MethodKind::Derf, 1).0
    };
    let (few, many) = (of(500), of(PERIODS));
    assert_eq!(many.events.len(), 2 * PERIODS);
    let last = many.events[2 * PERIODS - 2];
    let error = (last - exact.release(PERIODS - 1)).abs();
    // Errors of the slips add up without growing: one tolerance each, over a speed of 1 m/s.
    assert!(error < PERIODS as f64 * tolerance, "{error:e}");
    let work = |o: &dysim_tests::ode::run::Outcome| {
        let s = o.statistics;
        (s.evaluations + s.guard_evaluations) as f64 / o.events.len() as f64
    };
    let (first, all) = (work(&few), work(&many));
    println!(
        "{first:.1} evaluations per event at first, {all:.1} over all; last off by {error:e} s"
    );
    assert!(all < 1.05 * first, "{first} evaluations per event at first, {all} over all");
}

#[test]
fn a_clutch_brings_two_inertias_to_one_speed() {
    // CT-clutch_two_inertias: J1 = 1, J2 = 2, w1 = 10, w2 = 0, 5 Nm.
    let turn = |inertia| [1.0, 1.0, inertia];
    let shaft = Link {
        kind: "Revolute",
        joint: "JointAxis = 0, 0, 1; QDinit = 10;",
        inertia: turn(1.0),
        ..Link::default()
    };
    let disc = Link {
        kind: "Revolute",
        joint: "JointAxis = 0, 0, 1; QDinit = -10; Friction = 5;",
        inertia: turn(2.0),
        ..Link::default()
    };
    let tolerance = 1e-9;
    let text = frame(tolerance, (3.0, 0.01), "J1.qd, J2.qd, J2.q") + &chain(&[shaft, disc]);
    let told = simulate(&text).to_the_end();
    let locks = told.times("backward -> locked");
    assert_eq!(locks.len(), 1, "{}", told.log);
    assert!((locks[0] - 4.0 / 3.0).abs() < 10.0 * tolerance, "{}", locks[0]);
    assert!((told.last("J1.qd") - 10.0 / 3.0).abs() < 10.0 * tolerance);
    assert_eq!(told.last("J2.qd"), 0.0);
    let lost: f64 = told.works.iter().map(|(_, work)| work).sum();
    // Work has the scale of 33 J, and a relative tolerance.
    assert!((lost + 100.0 / 3.0).abs() < 400.0 * tolerance, "{lost}");
    // After the lock nothing moves between them, to the last bit.
    let held: Vec<u64> =
        told.column("J2.q").iter().skip(140).map(|angle| angle.to_bits()).collect();
    assert!(held.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn a_brake_with_viscous_and_coulomb_friction_stops_on_time() {
    // CT-brake_viscous_coulomb: J = 0.5, w0 = 30, 4 Nm, 0.2 Nm s.
    for friction in ["Friction = 4; Damping = 0.2;", "Friction = 4, 4 + 0.2*v;"] {
        let joint = format!("JointAxis = 0, 0, 1; QDinit = 30; {friction}");
        let wheel = Link { kind: "Revolute", joint: &joint, inertia: [0.5; 3], ..Link::default() };
        let tolerance = 1e-9;
        let text = frame(tolerance, (4.0, 1.0), "J1.q, J1.qd") + &chain(&[wheel]);
        let told = simulate(&text).to_the_end();
        let stops = told.times("forward -> locked");
        assert_eq!(stops.len(), 1, "{}", told.log);
        // Speed starts at 30 rad/s and its slope at the end is 8 rad/s^2.
        let error = (stops[0] - 2.290_726_829_685_387_663).abs();
        assert!(error < 10.0 * tolerance * 30.0 / 8.0, "{error:e}");
        let error = (told.last("J1.q") - 29.185_463_406_292_246_741).abs();
        assert!(error < 10.0 * tolerance * 30.0, "{error:e}");
    }
}

/// Two inertias with friction between them and to the base. They slip until w1 = w2, then slow down
/// together: J1 w1' = -T1 + T2, J2 w2' = -T2 with T1 = 3, T2 = 5, J1 = 1, J2 = 2 from w1 = 0, w2 = 10.
#[test]
fn two_inertias_come_to_rest_together() {
    let first =
        Link { kind: "Revolute", joint: "JointAxis = 0, 0, 1; Friction = 3;", ..Link::default() };
    let second = Link {
        kind: "Revolute",
        joint: "JointAxis = 0, 0, 1; QDinit = 10; Friction = 5;",
        inertia: [2.0; 3],
        ..Link::default()
    };
    let tolerance = 1e-9;
    let text = frame(tolerance, (10.0, 1.0), "J1.qd, J2.qd") + &chain(&[first, second]);
    let told = simulate(&text).to_the_end();
    // w1 = 2 t, w2 = 10 - 2.5 t: together at 20/9 s with 40/9 rad/s; then 3 kg m^2 against 3 Nm.
    let (meet, rest) = (20.0 / 9.0, 20.0 / 9.0 + 40.0 / 9.0);
    let locks: Vec<&(f64, String)> =
        told.changes.iter().filter(|(_, words)| words.contains("forward -> locked")).collect();
    assert_eq!(locks.len(), 2, "{}", told.log);
    for ((t, words), (time, joint)) in locks.into_iter().zip([(meet, "J2"), (rest, "J1")]) {
        assert!(words.contains(joint) && (t - time).abs() < 100.0 * tolerance, "{words} at {t}");
    }
    assert_eq!((told.last("J1.qd"), told.last("J2.qd")), (0.0, 0.0));
}

/// A mass pressed into an elastic stop is let go: x'' = -k/m x inside, from x = -d, out after a quarter
/// of the stop's period with d sqrt(k/m); then on the soft spring alone, w0 = sqrt(c/m) about xr.
#[test]
fn a_spring_is_released_from_a_stop_on_time() {
    let (c, k, rest, depth) = (50.0, 2.0e4, 0.1, 0.02);
    let joint = format!(
        "JointAxis = 1, 0, 0; Qinit = {}; Stiffness = {c}; QRest = {rest}; LowerLimit = 0; \
         StopStiffness = {k};",
        -depth
    );
    let tolerance = 1e-10;
    let text = frame(tolerance, (3.0, 1.0), "J1.q")
        + &chain(&[Link { joint: &joint, mass: 2.0, ..Link::default() }]);
    let told = simulate(&text).to_the_end();
    // Inside: m x'' = -(k + c) x + c xr, amplitude about the middle s = c xr/(k + c).
    let (w, w0): (f64, f64) = (((k + c) / 2.0_f64).sqrt(), (c / 2.0_f64).sqrt());
    let middle = c * rest / (k + c);
    let leave = (middle / (depth + middle)).acos() / w;
    let speed = w * (depth + middle) * (w * leave).sin();
    // Outside: from x = 0 with that speed; back at x = 0 after two equal halves.
    let half = (PI - (speed / w0).atan2(rest)) / w0;
    let away = 2.0 * half;
    let inside = 2.0 * leave_to_turn(w, middle, speed);
    let mut expected = vec![leave];
    for n in 0..4 {
        let last = expected[expected.len() - 1];
        expected.push(last + if n % 2 == 0 { away } else { inside });
    }
    for (n, time) in expected.iter().enumerate().filter(|(_, time)| **time < 3.0) {
        let (t, words) = &told.changes[n + 1];
        // Speeds are about 2 m/s; errors of earlier stretches add up.
        assert!((t - time).abs() < 10.0 * tolerance * (n + 1) as f64, "{n}: {words} {t} {time}");
    }
}

/// Time from x = 0 inwards to the turning point of the stop.
fn leave_to_turn(w: f64, middle: f64, speed: f64) -> f64 {
    (speed / w).atan2(middle) / w
}

/// A pendulum touches its stops; what it loses is what the dampers of the stops take.
#[test]
fn a_pendulum_between_stops_keeps_its_balance() {
    let told = simulate(&model_text("switching/pendulum_with_stops.dys")).to_the_end();
    assert!(told.times("free -> at the stop").len() > 5);
    let angles = told.column("hinge.q");
    assert!(angles.iter().all(|q| (-0.4..0.6).contains(q)));
    // Touch, leave, touch: the states of one stop follow each other.
    for stop in ["upper stop", "lower stop"] {
        let words: Vec<&str> = told
            .changes
            .iter()
            .filter(|(_, words)| words.contains(stop))
            .filter_map(|(_, words)| words.split(": ").nth(1)?.split(" (").next())
            .collect();
        for pair in words.windows(2) {
            let (before, after) = (pair[0].split(" -> ").nth(1), pair[1].split(" -> ").next());
            assert_eq!(before, after, "{words:?}");
        }
    }
}
