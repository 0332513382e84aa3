//! Runs that begin at the operating point.

use super::TOLERANCE;
use dysim_tests::circuits::{Setting, text};
use dysim_tests::simulate::{Outcome, run};

fn solve(end: f64, blocks: &str) -> Outcome {
    let setting = Setting { solver: "derf", end, step: 0.1, tolerance: TOLERANCE };
    run(&text(setting, "Initial = steady;", blocks)).complete()
}

/// Nothing moves: all columns but t stay where they begin. The operating point is the end of a step of 1e10 s, which
/// leaves rates of 1e-10 of the way; gains of up to a hundred in the loops make 1e-8 of them.
#[track_caller]
fn rests(outcome: &Outcome, expected: &[(&str, f64)]) {
    let table = outcome.table("csv");
    for (column, value) in expected {
        let place = table.index(column);
        for row in &table.rows {
            assert!((row[place] - value).abs() < 1e-8 * value.abs().max(1.0), "{column}: {row:?}");
        }
    }
}

#[test]
fn continuous_blocks_rest() {
    let outcome = solve(
        1.0,
        r#"
        PI "c" { u = 3 - p.y; k = 2; Ti = 0.4; }
        PT2 "p" { u = c.y; k = 1.5; w = 5; D = 0.3; }
        PT1 "given" { u = 1; T = 0.3; yinit = 0; }
        RateLimiter "r" { u = p.y; Rmax = 1; }
        Delay "d" { u = 2*p.y; T = 0.3; }
        "#,
    );
    rests(&outcome, &[("p.y", 3.0), ("c.y", 2.0), ("r.y", 3.0), ("d.y", 6.0)]);
    // A given initial value stays as it is given.
    assert_eq!(outcome.table("csv").at(0.0, "given.y"), 0.0);
}

/// A sampled cascade about a continuous plant: integral action makes the errors zero, so that s = 2, and the force
/// that holds it is 3: the sampled states are those that give it, and no instant changes anything.
#[test]
fn sampled_states_stay_as_they_are() {
    let outcome = solve(
        2.0,
        r#"
        Gain "outer" { u = 2 - adc.y; k = 4; Tsample = 0.04; Toffset = 0.02; }
        PI "inner" { u = outer.y - v.y; k = 0.5; Ti = 0.05; ymin = -60; ymax = 60; Tsample = 0.01; }
        SampleHold "adc" { u = s.y; Tsample = 0.02; }
        PT1 "filter" { u = inner.y; T = 0.02; Tsample = 0.01; }
        StateSpace "plant" { u = filter.y - 3; A = -1; B = 2; C = 1; }
        Integrator "v" { u = plant.y; }
        Integrator "s" { u = v.y; }
        UnitDelay "last" { u = s.y; Tsample = 0.01; }
        "#,
    );
    rests(
        &outcome,
        &[
            ("s.y", 2.0),
            ("v.y", 0.0),
            ("inner.y", 3.0),
            ("filter.y", 3.0),
            ("outer.y", 0.0),
            ("last.y", 2.0),
            ("adc.y", 2.0),
        ],
    );
    assert!(outcome.summary.statistics.time_events >= 200);
}

/// The same loop from zero needs a transient: the operating point is not the default.
#[test]
fn without_it_there_is_a_transient() {
    let blocks =
        r#"PI "c" { u = 1 - p.y; k = 1; Ti = 0.5; Tsample = 0.1; } PT1 "p" { u = c.y; T = 0.3; }"#;
    let steady = solve(1.0, blocks);
    rests(&steady, &[("p.y", 1.0), ("c.y", 1.0)]);
    let setting = Setting { solver: "derf", end: 1.0, step: 0.1, tolerance: TOLERANCE };
    let given = run(&text(setting, "", blocks)).complete();
    assert_eq!(given.table("csv").at(0.0, "p.y"), 0.0);
    assert!((given.table("csv").at(0.5, "p.y") - 1.0).abs() > 0.05);
}
