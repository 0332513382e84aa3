//! Switching in time expressions: known instants are hit exactly, all else is found to the tolerance.

use std::f64::consts::PI;

use dysim_tests::event_runs::{Link, Told, chain, frame, simulate, system};
use dysim_tests::loading;
use engine::internals::system::Run;
use integrate::Problem;

const TOLERANCE: f64 = 1e-9;

fn text(joint: &str, value: &str, end: f64) -> String {
    let joint = format!("JointAxis = 1, 0, 0; {joint}");
    frame(TOLERANCE, (end, end), "J1.q, J1.qd")
        + &chain(&[Link { joint: &joint, ..Link::default() }])
        + &format!("JointForce \"F\" {{ Joint1D = J1; Value = {value}; }}\n")
}

fn push(joint: &str, value: &str, end: f64) -> Told {
    simulate(&text(joint, value, end)).to_the_end()
}

/// A step of 2 N at t = 1.3 s on 1 kg: q = (t - 1.3)^2, in every way of writing it.
#[test]
fn a_step_in_time_gives_the_exact_closed_form() {
    let steps = [
        "if(t < 1.3, 0, 2)",
        "if(1.3 > t, 0, 2)",
        "if(t >= 1.3, 2, 0)",
        "2*(t > 1.3)",
        "if(t - 1 <= 0.3, 0, 2)",
        "if(!(t < 1.3), 2, 0)",
        "2*(t > 1.3 && t < 100)",
        "1 + sign(t - 1.3)",
        "2*min(1, floor(t/1.3))",
        "2*max(0, ceil(t - 1.3) - floor(t - 1.3 + 1) + 1)*(t >= 1.3)",
    ];
    for value in steps {
        let told = push("", value, 3.0);
        // The pieces are parabolas, which the method integrates exactly: what is left is the
        // round-off of some hundred additions.
        let error = (told.last("J1.q") - 1.7f64.powi(2)).abs();
        assert!(error < 1e-13, "{value}: {error:e}\n{}", told.log);
        assert_eq!(told.statistics.roots, 0, "{value}");
        assert!(told.statistics.time_events >= 1, "{value}");
    }
}

#[test]
fn the_log_tells_the_instant_and_the_relation() {
    let told = push("", "if(t < 1.3, 0, 2)", 3.0);
    assert_eq!(told.changes, [(1.3, "JointForce F, `<`: true -> false (pass 1)".to_string())]);
}

/// 1 N during the first 0.2 s of every 0.5 s: after n periods the speed is 0.2 n.
#[test]
fn pulses_are_time_events() {
    for value in ["if(mod(t, 0.5) < 0.2, 1, 0)", "mod(t, 0.5) < 0.2", "t/0.5 - floor(t/0.5) < 0.4"]
    {
        let told = push("", value, 10.0);
        assert!((told.last("J1.qd") - 4.0).abs() < 1e-12, "{value}: {}", told.last("J1.qd"));
        assert_eq!(told.statistics.roots, 0, "{value}");
        // Two per period; the last instant is the end itself.
        assert!((39..=40).contains(&told.statistics.time_events), "{value}\n{}", told.log);
    }
}

/// Stairs, a triangle, a ramp that ends: impulses by hand.
#[test]
fn pieces_of_time_integrate_exactly() {
    let cases = [
        // Steps 0, 1, 2, 3.
        ("floor(t)", 4.0, 6.0),
        ("ceil(t) - 1", 4.0, 6.0),
        // |t - 1|: 0.5 and then 4.5.
        ("abs(t - 1)", 4.0, 5.0),
        ("max(t - 1, 1 - t)", 4.0, 5.0),
        ("min(t, 2, 5 - t)", 5.0, 2.0 + 2.0 + 2.0),
        ("clamp(t, 1, 2)", 4.0, 1.0 + 1.5 + 4.0),
        ("mod(t, 2)", 5.0, 2.0 + 2.0 + 0.5),
        ("mod(-t, 2)", 4.0, 4.0),
        ("if(t < 1, t, 2 - t)", 2.0, 1.0),
        ("if(t < if(t < 0.5, 3, 1), 1, 0)", 4.0, 1.0),
    ];
    for (value, end, impulse) in cases {
        let told = push("", value, end);
        let error = (told.last("J1.qd") - impulse).abs();
        assert!(error < 1e-12, "{value}: {} not {impulse}\n{}", told.last("J1.qd"), told.log);
        assert_eq!(told.statistics.roots, 0, "{value}");
    }
}

/// A relation of time that is not affine is searched for: sin(t) > 0.5 from pi/6 to 5 pi/6.
#[test]
fn other_relations_of_time_are_searched_for() {
    let told = push("", "sin(t) > 0.5", 4.0);
    assert_eq!(told.statistics.roots, 2, "{}", told.log);
    assert!((told.last("J1.qd") - 2.0 * PI / 3.0).abs() < 1e-12);
    let times: Vec<f64> = told.changes.iter().map(|(t, _)| *t).collect();
    for (t, expected) in times.iter().zip([PI / 6.0, 5.0 * PI / 6.0]) {
        assert!((t - expected).abs() < 1e-14 * 10.0, "{t} {expected}");
    }
}

/// A mass between constant forces towards the middle: q'' = -sign(q) from q = 1/2 crosses at 1, 3, 5 s.
#[test]
fn relations_of_signals_are_state_events() {
    let laws = ["if(J1.q > 0, -1, 1)", "1 - 2*(J1.q >= 0)", "-sign(J1.q)"];
    for value in laws {
        let told = push("Qinit = 0.5;", value, 10.0);
        let times: Vec<f64> = told.changes.iter().map(|(t, _)| *t).collect();
        assert_eq!(times.len(), 5, "{value}\n{}", told.log);
        for (n, t) in times.iter().enumerate() {
            let expected = (2 * n + 1) as f64;
            let allowed = 10.0 * TOLERANCE * expected;
            assert!((t - expected).abs() < allowed, "{value}: {t} {expected}");
        }
        // From the last crossing at 9 s with -1 or 1 m/s.
        assert!((told.last("J1.q").abs() - 0.5).abs() < 100.0 * TOLERANCE, "{value}");
    }
}

/// A stop as an expression: -k min(q, 0) is a spring that only presses, as LowerLimit = 0 is.
#[test]
fn kinks_switch_like_the_elements_that_have_them() {
    let stop = push("Qinit = 0.1; LowerLimit = 0; StopStiffness = 400;", "-1", 3.0);
    let laws = [
        "-1 - 400*min(J1.q, 0)",
        "-1 - 200*(J1.q - abs(J1.q))",
        "-1 - 400*(J1.q - clamp(J1.q, 0, 10))",
        "-1 - if(J1.q < 0, 400*J1.q, 0)",
        "-1 + 400*max(-J1.q, 0)",
    ];
    for value in laws {
        let told = push("Qinit = 0.1;", value, 3.0);
        let error = (told.last("J1.q") - stop.last("J1.q")).abs();
        assert!(error < 1000.0 * TOLERANCE, "{value}: {error:e}");
        assert_eq!(told.statistics.roots, stop.statistics.roots, "{value}");
        let gap = told.changes.iter().zip(&stop.changes).map(|(a, b)| (a.0 - b.0).abs());
        assert!(gap.fold(0.0, f64::max) < 1000.0 * TOLERANCE, "{value}");
    }
}

#[test]
fn smooth_suppresses_events() {
    let told = push("Qinit = 1;", "smooth(-J1.q*abs(J1.q)) + smooth(if(t < 1, 0, 0))", 10.0);
    assert_eq!((told.events, told.changes.len()), (0, 0));
    // What stands outside still switches.
    let told = push("Qinit = 1;", "smooth(-J1.q*abs(J1.q)) + (t > 5)", 10.0);
    assert_eq!(told.events, 1);
}

/// At the start relations have the values of the start; relations of time have the values just after it.
#[test]
fn the_start_counts_as_an_event() {
    for (value, speed) in
        [("t > 0", 2.0), ("t >= 0", 2.0), ("t < 0", 0.0), ("if(t <= 0, 7, 1)", 2.0)]
    {
        let told = push("", value, 2.0);
        assert_eq!(told.last("J1.qd"), speed, "{value}\n{}", told.log);
    }
    for (value, speed) in [("J1.q >= 0", 2.0), ("J1.q > 0", 0.0), ("sign(J1.q)", 0.0)] {
        let told = push("", value, 2.0);
        assert!((told.last("J1.qd") - speed).abs() < 1e-12, "{value}: {}", told.log);
    }
}

/// A branch that is not taken may have no value, also where it switches.
#[test]
fn branches_that_are_not_taken_need_no_value() {
    let told = push("", "if(t < 1, 1, sqrt(t - 1))", 2.0);
    assert!((told.last("J1.qd") - (1.0 + 2.0 / 3.0)).abs() < 1e-7);
    let told = push("", "if(t < 1, 1, if(sqrt(t - 1) > 0.5, 2, 3))", 2.0);
    assert!((told.last("J1.qd") - (1.0 + 0.75 + 1.5)).abs() < 1e-12, "{}", told.log);
}

/// Between events an expression keeps its branch: derivatives beyond the instant follow the branch before it.
#[test]
fn states_of_expressions_are_frozen_between_events() {
    let text = text("Qinit = 0.5;", "if(t < 1.3, 1, -1) + sign(J1.q) + abs(J1.q)", 3.0);
    let model = loading::model(&text);
    let system = system(&model);
    let mut run = Run::new(&system);
    let settings = integrate::Settings::new(
        integrate::MethodKind::Derf,
        integrate::Tolerance::new(1e-9, 1e-9),
    );
    let kind = integrate::MethodKind::Derf;
    let mut driver = dysim_tests::ode::run::driver(kind, &run, &settings);
    let mut y = system.initial_state();
    let started = driver.start(&mut run, 0.0, &y, 1.0, &mut integrate::Silent);
    assert!(started.is_ok());
    let mut at = |t: f64, q: f64| {
        let mut f = vec![0.0; y.len()];
        y[0] = q;
        assert!(run.derivatives(t, &y, &mut f).is_ok());
        f[1]
    };
    assert_eq!(at(1.3 - 1e-9, 0.5), at(1.3 + 1e-9, 0.5));
    // 1 + 1 + q on both sides of q = 0.
    assert_eq!((at(0.0, 0.25), at(0.0, -0.25), at(2.0, -0.25)), (2.25, 1.75, 1.75));
}

/// The kink of a friction law at 1 m/s is an event: m v' = -(1 + if(v < 1, v, 2 v - 1)) from 2 m/s.
#[test]
fn friction_laws_switch_at_their_kinks() {
    let told = push("QDinit = 2; Friction = 1, 1 + if(v < 1, v, 2*v - 1);", "0", 3.0);
    // v' = -2 v down to 1, then v' = -1 - v down to 0: ln 2 / 2, then ln 2.
    let kink = 0.5 * 2f64.ln();
    let expected = [kink, kink + 2f64.ln()];
    let found = [told.times("`<`: false -> true")[0], told.times("forward -> locked")[0]];
    for (t, expected) in found.iter().zip(expected) {
        assert!((t - expected).abs() < 10.0 * TOLERANCE, "{t} {expected}\n{}", told.log);
    }
}

/// A law that drives its own relation back from both sides slides along it: said, and the run ends.
#[test]
fn a_relation_that_fights_itself_chatters_and_is_named() {
    let told = push("QDinit = 0.01;", "if(J1.qd > 0, -1, 1)", 0.1);
    assert!(
        told.remarks.iter().any(|r| r.starts_with("JointForce F, `>` chatters")),
        "{:?}",
        told.remarks
    );
    assert!(told.last("J1.qd").abs() < 1e-4);
}
