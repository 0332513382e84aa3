//! Discrete states of plugins: when they switch, in which order, and what the log says.

use dysim_tests::blocks::{Run, Text};
use dysim_tests::programs::root;
use dysim_tests::simulate::{Outcome, run, run_file};

/// A root of a function of time alone is found to a few spacings of doubles, and its zero band is 1e-14.
const ROUNDING: f64 = 1e-13;

/// Changes of state in the log: time, words, pass.
fn changes(outcome: &Outcome) -> Vec<(f64, String, u32)> {
    let log = outcome.text("log");
    let lines = log.lines().filter_map(|line| line.strip_prefix("t = ")?.split_once(": "));
    lines
        .filter_map(|(t, words)| {
            let (words, pass) = words.split_once(" (pass ")?;
            let pass = pass.trim_end_matches(')').parse().ok()?;
            Some((t.parse().ok()?, words.to_string(), pass))
        })
        .collect()
}

/// J w' = T - d w while on and J w' = -d w while off: exponentials with the time constant J/d, from 0 to 11
/// towards T/d = 20, from 11 to 9 towards 0, from 9 to 11 towards 20.
#[test]
fn a_controller_switches_at_the_instants_of_the_closed_form() {
    let outcome = run_file(&root().join("models/plugins/governor.dys")).complete();
    let (tau, end) = (0.02 / 0.05, 1.0);
    let mut expected = vec![(0.0, "Plugin motor: off -> on")];
    let (mut t, mut on) = (tau * (20.0_f64 / 9.0).ln(), true);
    while t < end {
        expected.push((t, if on { "Plugin motor: on -> off" } else { "Plugin motor: off -> on" }));
        // Down from 11 to 9 the ratio is 11/9, up from 9 to 11 it is (20 - 9)/(20 - 11).
        t += tau * (11.0_f64 / 9.0).ln();
        on = !on;
    }
    let found = changes(&outcome);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((t, words, _), (time, change)) in found.iter().zip(&expected) {
        assert_eq!(words, change);
        // RelErr is 1e-9, and a speed that is wrong by so much crosses later by 1e-9 w/|w'| < 1e-9 tau.
        // Nine intervals add up.
        assert!((t - time).abs() < 9e-9, "{words} at {t}, not {time}");
    }
    assert!(outcome.summary.balance.relative_gap() < 1e-9);
    // The signal shows the state, before and after each event.
    let table = outcome.table("csv");
    let (on, power) = (table.column("motor.on"), table.column("motor.power"));
    let speed = table.column("rotor.qd");
    for k in 0..on.len() {
        assert!((power[k] - on[k] * speed[k]).abs() < 1e-12, "row {k}");
    }
}

/// A block on a rail, at rest or sliding, with a stop; `rest` adds elements.
fn block(joint: &str, rest: &str) -> Outcome {
    let joint = format!("JointAxis = 1, 0, 0; JointPoint = 0, 0, 0; {joint}");
    let text = Text::new([0.0; 3], Run::new("derf", 1e-10, 2.0, 0.1))
        .joint("Prismatic", ["rail", "world", "block"], [0.0; 3], &joint)
        .body(["block", "world", "rail"], 2.0, [0.1; 3], [0.0; 3])
        .with(rest);
    run(text.text()).complete()
}

/// A plugin that begins to push at t = 1 sets a block free that stuck: the plugin switches in the first
/// pass of the event, the built-in friction in the next ones, at the same instant.
#[test]
fn a_built_in_state_follows_that_of_a_plugin_in_the_same_event() {
    let outcome = block(
        "Qinit = 0; QDinit = 0; Friction = 3, 2;",
        "Plugin \"p\" { Type = follower; Watch = t - 1; Joint = rail; Force = 6; }",
    );
    let found = changes(&outcome);
    let first = found.iter().position(|(t, ..)| *t > 0.5).expect("an event");
    let (t, ..) = found[first];
    assert!((t - 1.0).abs() < ROUNDING, "{found:?}");
    let same = found[first..].iter().filter(|(other, ..)| *other == t);
    let at_one: Vec<(&str, u32)> = same.map(|(_, w, pass)| (w.as_str(), *pass)).collect();
    assert_eq!(at_one[0], ("Plugin p, push: off -> on", 1), "{found:?}");
    assert_eq!(at_one[1], ("Prismatic rail, friction: locked -> start forward", 2), "{found:?}");
    // From then on m a = F - Rk.
    let table = outcome.table("csv");
    assert!((table.at(2.0, "rail.q") - 0.5 * (6.0 - 2.0) / 2.0).abs() < 1e-9);
    assert_eq!(table.at(0.9, "rail.q"), 0.0);
}

/// And the other way round: the state of a plugin that follows a stop switches in the pass after it.
#[test]
fn the_state_of_a_plugin_follows_a_built_in_one_in_the_same_event() {
    let outcome = block(
        "Qinit = 0; QDinit = 1; UpperLimit = 0.5; StopStiffness = 2000; StopDamping = 0;",
        "Plugin \"p\" { Type = follower; Leader = rail; Part = upper_stop; Mode = at_the_stop; Joint = rail; }\n\
         Output \"o\" { Files = csv; Signals = rail.q, p.count; Events = no; }",
    );
    let found = changes(&outcome);
    let words: Vec<(&str, u32)> = found.iter().map(|(_, w, pass)| (w.as_str(), *pass)).collect();
    assert_eq!(
        words,
        [
            ("Prismatic rail, upper stop: free -> at the stop", 1),
            ("Plugin p, push: off -> on", 2),
            ("Prismatic rail, upper stop: at the stop -> free", 1),
            ("Plugin p, push: on -> off", 2),
        ]
    );
    assert_eq!(found[0].0, found[1].0);
    assert_eq!(found[2].0, found[3].0);
    // Contact begins at s/v and lasts half a period of the spring.
    let half = std::f64::consts::PI / (2000.0_f64 / 2.0).sqrt();
    assert!((found[0].0 - 0.5).abs() < 1e-9);
    assert!((found[2].0 - 0.5 - half).abs() < 1e-8);
    assert_eq!(outcome.table("csv").last("p.count"), 1.0);
}

/// Two plugins: the second follows the first, which follows the clock.
#[test]
fn a_plugin_follows_another_one() {
    let outcome = block(
        "Qinit = 0; QDinit = 0;",
        "Plugin \"b\" { Type = follower; Leader = a; Part = push; Mode = on; Joint = rail; Force = 1; }\n\
         Plugin \"a\" { Type = follower; Watch = t - 0.25; Joint = rail; Force = 1; }",
    );
    let found = changes(&outcome);
    let words: Vec<(&str, u32)> = found.iter().map(|(_, w, pass)| (w.as_str(), *pass)).collect();
    assert_eq!(words, [("Plugin a, push: off -> on", 1), ("Plugin b, push: off -> on", 2)]);
    assert_eq!(found[0].0, found[1].0);
    assert!((found[0].0 - 0.25).abs() < ROUNDING);
    assert!((outcome.table("csv").last("rail.q") - 0.5 * 1.75 * 1.75).abs() < 1e-9);
}

/// Plugin and stop watch the same coordinate: one event, both in its first pass.
#[test]
fn simultaneous_events_are_one() {
    let outcome = block(
        "Qinit = 0; QDinit = 1; UpperLimit = 0.5; StopStiffness = 2000; StopDamping = 0;",
        "Plugin \"p\" { Type = follower; Watch = rail.q - 0.5; Joint = rail; Force = -1; }",
    );
    let found = changes(&outcome);
    let words: Vec<(&str, u32)> = found.iter().map(|(_, w, pass)| (w.as_str(), *pass)).collect();
    assert_eq!(
        words,
        [
            ("Prismatic rail, upper stop: free -> at the stop", 1),
            ("Plugin p, push: off -> on", 1),
            ("Prismatic rail, upper stop: at the stop -> free", 1),
            ("Plugin p, push: on -> off", 1),
        ]
    );
    assert_eq!((found[0].0, found[2].0), (found[1].0, found[3].0));
    assert_eq!(outcome.summary.events, 2);
    // Spring k, mass m, and F more from the instant of contact on: with w^2 = k/m the depth is
    // x = F/k (cos wt - 1) + v/w sin wt, which ends at tan(wt/2) = v k/(w F).
    let (k, m, v, f) = (2000.0_f64, 2.0, 1.0, 1.0);
    let w = (k / m).sqrt();
    let lasts = 2.0 / w * (v * k / (w * f)).atan();
    assert!((found[0].0 - 0.5).abs() < 1e-9 && (found[2].0 - 0.5 - lasts).abs() < 1e-8);
}
