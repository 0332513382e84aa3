//! Sources: values and instants that are known beforehand.

use super::{ERROR, compare, solve};

/// Everything that sources do is known beforehand: no root is searched for.
#[test]
fn sources_take_their_values_at_known_instants() {
    let outcome = solve(
        2.0,
        0.0625,
        r#"
        Step "step" { Amplitude = 2; Offset = -1; Tbegin = 0.5; }
        Ramp "ramp" { Amplitude = 3; Duration = 0.75; Offset = 1; Tbegin = 0.25; }
        Sine "sine" { Amplitude = 2; Frequency = 1.5; Phase = 0.5; Offset = 1; Tbegin = 0.25; Damping = 0.75; }
        Pulse "pulse" { Amplitude = 2; Period = 0.5; Duty = 0.25; Offset = 1; Tbegin = 0.25; Count = 3; }
        Pulse "always" { Period = 0.5; Duty = 1; Tbegin = 0.25; }
        Square "square" { Amplitude = 2; Period = 0.5; Offset = 1; Tbegin = 0.25; Count = 2; }
        Sawtooth "saw" { Amplitude = 2; Period = 0.5; Offset = 1; Tbegin = 0.25; }
        Integrator "i" { u = pulse.y - 1; }
        "#,
    );
    let table = outcome.table("csv");
    let on = |t: f64, begin: f64| f64::from(t >= begin);
    let tau = |t: f64| (t - 0.25).rem_euclid(0.5);
    compare(&table, "step.y", 0.0, |t| -1.0 + 2.0 * on(t, 0.5));
    compare(&table, "ramp.y", 1e-15, |t| 1.0 + 4.0 * (t - 0.25).clamp(0.0, 0.75));
    compare(&table, "sine.y", 1e-14, |t| {
        let since = t - 0.25;
        let angle = std::f64::consts::TAU * 1.5 * since + 0.5;
        1.0 + on(t, 0.25) * 2.0 * (-0.75 * since).exp() * angle.sin()
    });
    let periods = |t: f64, count: f64| on(t, 0.25) * f64::from(t < 0.25 + count * 0.5);
    compare(&table, "pulse.y", 0.0, |t| 1.0 + 2.0 * periods(t, 3.0) * f64::from(tau(t) < 0.125));
    compare(&table, "always.y", 0.0, |t| on(t, 0.25));
    compare(&table, "square.y", 0.0, |t| {
        1.0 + 2.0 * periods(t, 2.0) * if tau(t) < 0.25 { 1.0 } else { -1.0 }
    });
    compare(&table, "saw.y", 1e-15, |t| 1.0 + on(t, 0.25) * 4.0 * tau(t));
    // Three pulses of height 2 and width 1/8.
    assert!((table.at(2.0, "i.y") - 0.75).abs() < ERROR);
    assert_eq!(outcome.summary.statistics.roots, 0);
    assert!(outcome.summary.statistics.time_events > 10);
}

/// s = a t^2/2 while it speeds up; the speed is the derivative of the place and the acceleration that of the speed,
/// which integrators confirm.
#[test]
fn a_trapezoid_is_the_fastest_motion_within_its_limits() {
    let outcome = solve(
        3.0,
        0.1,
        r#"
        Trapezoid "far" { From = 1; To = -1; Vmax = 1; Amax = 2; Tbegin = 0.25; }
        Trapezoid "near" { To = 0.32; Vmax = 1; Amax = 2; }
        Trapezoid "nowhere" { From = 2; To = 2; Vmax = 1; Amax = 2; }
        Integrator "s" { u = far.yd; yinit = 1; }
        Integrator "v" { u = far.ydd; }
        "#,
    );
    let table = outcome.table("csv");
    // Speeds up for 0.5 s over 0.25, runs 1.5 s, and ends at 0.25 + 2.5.
    compare(&table, "far.y", 1e-14, |t| match t - 0.25 {
        x if x < 0.0 => 1.0,
        x if x < 0.5 => 1.0 - x * x,
        x if x < 2.0 => 0.75 - (x - 0.5),
        x if x < 2.5 => -1.0 + (2.5 - x) * (2.5 - x),
        _ => -1.0,
    });
    compare(&table, "far.Tend", 1e-15, |_| 2.75);
    // Too near for the full speed: 0.4 s up to 0.8, 0.4 s down.
    compare(&table, "near.Tend", 1e-15, |_| 0.8);
    compare(&table, "near.y", 1e-14, |t| match t {
        t if t < 0.4 => t * t,
        t if t < 0.8 => 0.32 - (0.8 - t) * (0.8 - t),
        _ => 0.32,
    });
    compare(&table, "nowhere.y", 0.0, |_| 2.0);
    let (time, y, s) = (table.index("t"), table.index("far.y"), table.index("s.y"));
    let (yd, v) = (table.index("far.yd"), table.index("v.y"));
    for row in &table.rows {
        assert!(
            (row[y] - row[s]).abs() < ERROR && (row[yd] - row[v]).abs() < ERROR,
            "{}",
            row[time]
        );
    }
    assert_eq!(outcome.summary.statistics.roots, 0);
}
