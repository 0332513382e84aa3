//! Dead times: functions of time shifted, jumps that come again, and delay equations by the method of steps.

use super::{compare, solve, solve_with};

#[test]
fn a_delay_shifts_what_goes_in() {
    for solver in ["derf", "stiff"] {
        let outcome = solve_with(
            solver,
            3.0,
            0.05,
            r#"
            Integrator "x" { u = cos(2*t); k = 2; }
            Delay "d" { u = x.y; T = 0.37; }
            Delay "given" { u = 1 + x.y; T = 0.37; yinit = -5; }
            Square "s" { Period = 1; }
            Delay "jumps" { u = s.y; T = 0.3; }
            Integrator "i" { u = jumps.y; }
            Delay "twice" { u = jumps.y; T = 0.25; }
            "#,
        );
        let table = outcome.table("csv");
        // Six points of a polynomial over a step of the integrator are as good as the step.
        compare(&table, "d.y", 1e-8, |t| if t < 0.37 { 0.0 } else { (2.0 * (t - 0.37)).sin() });
        compare(&table, "given.y", 1e-8, |t| {
            if t < 0.37 { -5.0 } else { 1.0 + (2.0 * (t - 0.37)).sin() }
        });
        let square = |t: f64| if (t + 1e-12).rem_euclid(1.0) < 0.5 { 1.0 } else { -1.0 };
        compare(&table, "jumps.y", 0.0, |t| if t < 0.3 - 1e-9 { 1.0 } else { square(t - 0.3) });
        compare(&table, "twice.y", 0.0, |t| if t < 0.55 - 1e-9 { 1.0 } else { square(t - 0.55) });
        // The jumps come out at known instants: the integral of the output is exact.
        let triangle = |t: f64| 0.5 - ((t + 0.0).rem_euclid(1.0) - 0.5).abs();
        compare(&table, "i.y", 1e-8, |t| if t < 0.3 { t } else { 0.3 + triangle(t - 0.3) });
        assert_eq!(outcome.summary.statistics.roots, 0);
    }
}

/// x' = -x(t - 1) with x = 1 before: x = 1 - t on 0..1, 1 - t + (t-1)^2/2 on 1..2, and so on: the sum of
/// (-1)^k (t - k + 1)^k/k! over k up to t + 1.
#[test]
fn a_delay_equation_by_the_method_of_steps() {
    for solver in ["derf", "stiff"] {
        let outcome = solve_with(
            solver,
            8.0,
            0.125,
            r#"Integrator "x" { u = -d.y; yinit = 1; } Delay "d" { u = x.y; T = 1; }"#,
        );
        let exact = |t: f64| {
            let mut sum = 1.0;
            let mut factorial = 1.0;
            for k in 1..20 {
                factorial *= -f64::from(k);
                let since = t - f64::from(k) + 1.0;
                if since > 0.0 {
                    sum += since.powi(k) / factorial;
                }
            }
            sum
        };
        // Errors of one interval come back with the factor of its length in the next: below 1e-7 over eight.
        compare(&outcome.table("csv"), "x.y", 1e-7, exact);
        // One event for each interval, not one for each step.
        let events = outcome.summary.statistics.time_events;
        assert!(events <= 10, "{events} time events");
    }
}

/// A sampled input jumps at each instant, and its jumps come out of the delay at theirs.
#[test]
fn jumps_of_sampled_inputs_come_through() {
    let table = solve(
        2.0,
        0.05,
        r#"SampleHold "h" { u = t; Tsample = 0.25; } Delay "d" { u = h.y; T = 0.1; } Integrator "i" { u = d.y; }"#,
    )
    .table("csv");
    compare(&table, "d.y", 1e-15, |t| (((t - 0.1).max(0.0) + 1e-9) / 0.25).floor() * 0.25);
    // Held values k/4 for a quarter of a second each, from 0.35 on.
    let held = |t: f64| {
        let since = (t - 0.1).max(0.0);
        let k = (since / 0.25).floor();
        0.0625 * k * (k - 1.0) / 2.0 + 0.25 * k * (since - 0.25 * k)
    };
    compare(&table, "i.y", 1e-9, held);
}
