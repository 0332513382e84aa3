//! Blocks that remember: hysteresis, counters, latches, triggered samplers.

use super::{ERROR, compare, solve, solve_with};

#[test]
fn hysteresis_switches_at_its_ends_and_keeps_its_value_in_between() {
    for solver in ["derf", "stiff"] {
        let table = solve_with(
            solver,
            4.0,
            0.05,
            r#"
            Integrator "x" { u = cos(2*t); k = 2; }
            Hysteresis "h" { u = x.y; ulow = -0.5; uhigh = 0.5; ylow = -1; yhigh = 3; }
            Hysteresis "kept" { u = 0.1*x.y; ulow = -0.5; uhigh = 0.5; ylow = -1; yhigh = 3; yinit = 2; }
            Hysteresis "timed" { u = t; ulow = -1; uhigh = 1; }
            "#,
        )
        .table("csv");
        // sin(2 t) passes 0.5 at pi/12 and -0.5 at 7 pi/12, again pi later; no row is near.
        let pi = std::f64::consts::PI;
        compare(&table, "h.y", 0.0, |t| {
            let phase = (t - pi / 12.0).rem_euclid(pi);
            if t < pi / 12.0 || phase > pi / 2.0 { -1.0 } else { 3.0 }
        });
        compare(&table, "kept.y", 0.0, |_| 2.0);
        compare(&table, "timed.y", 0.0, |t| f64::from(t >= 1.0));
    }
}

/// A heater that a hysteresis switches: T' = -T + 4 on, -T off; the switching instants have closed forms.
#[test]
fn a_thermostat_switches_at_instants_of_closed_form() {
    let table = solve(
        2.0,
        0.05,
        r#"
        PT1 "room" { u = 4*heater.y; T = 1; }
        Hysteresis "heater" { u = room.y; ulow = 1; uhigh = 2; ylow = 1; yhigh = 0; yinit = 1; }
        "#,
    )
    .table("csv");
    // Up from 0 to 2 in ln 2, down to 1 in ln 2, up to 2 in ln 1.5, and so on.
    let (down, up) = (2f64.ln(), 1.5f64.ln());
    compare(&table, "room.y", ERROR, |t| {
        if t < 2f64.ln() {
            return 4.0 * (1.0 - (-t).exp());
        }
        let phase = (t - 2f64.ln()).rem_euclid(down + up);
        if phase < down { 2.0 * (-phase).exp() } else { 4.0 - 3.0 * (-(phase - down)).exp() }
    });
}

#[test]
fn counters_latches_and_triggered_samplers() {
    let outcome = solve(
        4.0,
        0.1,
        r#"
        Integrator "x" { u = cos(2*t); k = 2; }
        Counter "n" { Trigger = x.y > 0.5; yinit = 10; Step = 2; }
        Counter "reset" { Trigger = mod(t, 0.5) < 0.25; Reset = t >= 2 && t < 2.6; }
        Latch "l" { Set = x.y > 0.9; Reset = t > 2; }
        Latch "both" { Set = t > 1; Reset = t > 1; yinit = 1; }
        SampleHold "s" { u = 10*t; Trigger = x.y < 0; yinit = -1; }
        SampleHold "left" { u = if(t >= 1, 5, 3); Trigger = t >= 1; }
        Counter "true_at_start" { Trigger = t < 1; }
        SampleHold "every" { u = n.y; Tsample = 0.5; }
        "#,
    );
    let table = outcome.table("csv");
    let pi = std::f64::consts::PI;
    // sin(2 t) rises through 0.5 at pi/12 and 13 pi/12.
    compare(&table, "n.y", 0.0, |t| {
        10.0 + 2.0 * (f64::from(t > pi / 12.0) + f64::from(t > 13.0 * pi / 12.0))
    });
    // Rising edges at 0.5, 1, 1.5; held at 0 from 2 to 2.6; then at 3, 3.5, 4.
    compare(&table, "reset.y", 0.0, |t| {
        let edges = (2.0 * t + 1e-9).floor();
        match t {
            t if t < 2.0 - 1e-9 => edges,
            t if t < 2.6 => 0.0,
            _ => edges - 5.0,
        }
    });
    compare(&table, "l.y", 0.0, |t| f64::from(t > 0.5 * 0.9f64.asin() && t < 2.0 - 1e-9));
    compare(&table, "both.y", 0.0, |t| f64::from(t < 1.0 - 1e-9));
    // sin(2 t) falls through 0 at pi/2.
    compare(&table, "s.y", 1e-9, |t| if t < pi / 2.0 { -1.0 } else { 5.0 * pi });
    // What is sampled is the value just before.
    compare(&table, "left.y", 0.0, |t| if t < 1.0 - 1e-9 { 0.0 } else { 3.0 });
    compare(&table, "true_at_start.y", 0.0, |_| 0.0);
}

/// A sampler waits for an edge: what is true from the start on is none, whatever way it comes about.
#[test]
fn a_condition_that_is_true_at_the_start_triggers_nothing() {
    let text = r#"
        SampleHold "before" { u = 7 + t; Trigger = high.y > 0.5; yinit = 2; }
        Hysteresis "high" { u = 3 + sin(t); ulow = 1; uhigh = 2; }
        Hysteresis "of_state" { u = lag.y; ulow = 1; uhigh = 2; }
        PT1 "lag" { u = 0; T = 1; yinit = 20; }
        Latch "latch" { Set = lag.y > 10; Reset = lag.y < 5; }
        SampleHold "behind" { u = 7 + t; Trigger = of_state.y > 0.5; yinit = 3; }
        SampleHold "latched" { u = 7 + t; Trigger = latch.y > 0.5; yinit = 4; }
        Counter "count" { Trigger = high.y > 0.5; }
        SampleHold "off" { u = 7 + t; Trigger = latch.y < 0.5; yinit = 5; }"#;
    let table = solve(2.0, 0.5, text).table("csv");
    let first = [("high.y", 1.0), ("of_state.y", 1.0), ("latch.y", 1.0), ("off.y", 5.0)];
    let kept = [("before.y", 2.0), ("behind.y", 3.0), ("latched.y", 4.0), ("count.y", 0.0)];
    first.iter().chain(&kept).for_each(|&(name, y)| assert_eq!(table.at(0.0, name), y, "{name}"));
    kept.iter().for_each(|&(name, y)| assert_eq!(table.at(2.0, name), y, "{name}"));
    // The latch opens where 20 exp(-t) = 5.
    assert!((table.at(2.0, "off.y") - (7.0 + 4f64.ln())).abs() < 1e-6);
}
