//! Blocks that switch: limits, anti-windup, dead zones, relays.

use super::{ERROR, TOLERANCE, compare, solve, solve_with};
use dysim_tests::circuits::{Setting, text};
use dysim_tests::simulate::read;
use std::f64::consts::{FRAC_PI_2, PI};

#[test]
fn an_integrator_waits_at_its_limits_until_its_input_turns() {
    for solver in ["derf", "stiff"] {
        let table = solve_with(
            solver,
            3.0,
            0.05,
            r#"Function "u" { y = cos(2*t); } Integrator "i" { u = u.y; k = 2; ymin = -0.6; ymax = 0.5; }"#,
        )
        .table("csv");
        // y = sin(2 t) + c; it meets 0.5 at 2 t = pi/6, turns at pi/2, meets -0.6 where sin = -0.1, turns at 3 pi/2.
        let low = PI + 0.1f64.asin();
        compare(&table, "i.y", ERROR, |t| match 2.0 * t {
            a if a < PI / 6.0 => a.sin(),
            a if a < FRAC_PI_2 => 0.5,
            a if a < low => a.sin() - 0.5,
            a if a < 3.0 * FRAC_PI_2 => -0.6,
            a => (a.sin() + 0.4).min(0.5),
        });
    }
}

/// While it is limited, x' = u/Ti + Tw (ymax - k (u + x)) is a lag; when u falls, the output leaves its limit at
/// once instead of after the time that it took to wind up.
#[test]
fn a_limited_pi_controller_does_not_wind_up() {
    let table = solve(
        2.0,
        0.05,
        r#"
        Step "u" { Offset = 1; Amplitude = -2; Tbegin = 1; }
        PI "pi" { u = u.y; k = 2; Ti = 0.5; ymax = 3; Tw = 4; }
        PI "default" { u = u.y; k = 2; Ti = 0.5; ymin = -1; ymax = 3; }
        "#,
    )
    .table("csv");
    let expected = |tw: f64, low: f64, t: f64| {
        let (k, ti, high) = (2.0, 0.5, 3.0);
        // Free until k (1 + t/Ti) = 3, t = 1/4; then a lag with the rate Tw k towards its end.
        let end = (1.0 / ti + tw * (high - k)) / (tw * k);
        let x = |t: f64| end + (0.5 - end) * (-tw * k * (t - 0.25)).exp();
        match t {
            t if t < 0.25 => k * (1.0 + t / ti),
            t if t < 1.0 => high,
            t => (k * (-1.0 + x(1.0) - (t - 1.0) / ti)).max(low),
        }
    };
    compare(&table, "pi.y", ERROR, |t| expected(4.0, f64::NEG_INFINITY, t));
    compare(&table, "default.y", ERROR, |t| expected(1.0, -1.0, t));
}

/// With the limit in force x2' = (u/Ti - x2) N/Td + Tw (ymax - yd) and x1' = x2: a second integration, by steps of
/// the classical Runge-Kutta method, of the equations as they are printed.
#[test]
fn a_limited_pid_controller_follows_its_equations() {
    let table = solve(
        1.0,
        0.1,
        r#"Function "u" { y = 1 - t; } PID "pid" { u = u.y; k = 1.5; Ti = 0.4; Td = 0.2; N = 8; ymin = -4; ymax = 5; x1init = 0.2; x2init = 0.1; }"#,
    )
    .table("csv");
    let (k, ti, td, n) = (1.5, 0.4, 0.2, 8.0);
    let tw = n / (k * ti * td);
    let wanted = |t: f64, x: [f64; 2]| k * (x[0] + (1.0 - n) * ti * x[1] + n * (1.0 - t));
    let rates = |t: f64, x: [f64; 2]| {
        let yd = wanted(t, x);
        [x[1], ((1.0 - t) / ti - x[1]) * n / td + tw * (yd.clamp(-4.0, 5.0) - yd)]
    };
    let steps = 20_000;
    let (mut x, h) = ([0.2, 0.1], 1.0 / f64::from(steps));
    let mut met_limit = false;
    for step in 0..=steps {
        let t = f64::from(step) * h;
        let yd = wanted(t, x);
        met_limit |= yd > 5.0;
        if step % 2000 == 0 {
            let found = table.at(f64::from(step / 2000) * 0.1, "pid.y");
            // Where the limit is left a step of the second integration has an error of order h^2 times the jump
            // of the slope's derivative, about 1e4: 2.5e-5.
            assert!((found - yd.clamp(-4.0, 5.0)).abs() < 3e-5, "{found} instead of {yd} at {t}");
        }
        let add = |x: [f64; 2], f: [f64; 2], h: f64| [x[0] + h * f[0], x[1] + h * f[1]];
        let a = rates(t, x);
        let b = rates(t + 0.5 * h, add(x, a, 0.5 * h));
        let c = rates(t + 0.5 * h, add(x, b, 0.5 * h));
        let d = rates(t + h, add(x, c, h));
        for i in 0..2 {
            x[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
        }
    }
    assert!(met_limit);
}

/// Of a PID controller at its limit that is warned about the states grow without end; just below the bound that the warning
/// tells, and with the value that it proposes, they do not.
#[test]
fn a_limited_pid_controller_runs_away_where_the_warning_says_so() {
    let run = |back: f64| {
        let block = format!(
            "PID \"pid\" {{ u = 1; k = 2; Ti = 0.5; Td = 0.1; N = 5; ymin = -4; ymax = 5; Tw = {back:?}; }}"
        );
        let setting = Setting { solver: "derf", end: 20.0, step: 0.1, tolerance: TOLERANCE };
        let found = read(&text(setting, "", &block)).diagnostics;
        let is_warned = found.iter().any(|found| found.code.id() == "A174");
        let y = solve(20.0, 0.1, &block).table("csv").column("pid.y");
        (is_warned, y[100..].iter().all(|y| *y == 5.0))
    };
    // N/(k (N - 1) Ti Td) = 12.5: oscillations with exp(-t) below, exp(t) above, which reach through the range of the output.
    assert_eq!(run(12.0), (false, true));
    assert_eq!(run(13.0), (true, false));
}

#[test]
fn limiters_zones_and_relays() {
    let outcome = solve(
        3.0,
        0.05,
        r#"
        Integrator "x" { u = cos(2*t); k = 2; }
        Limiter "l" { u = x.y; ymin = -0.5; ymax = 0.25; }
        DeadZone "d" { u = 2*x.y; umin = -0.5; umax = 1; }
        Relay "r" { u = x.y; Zone = 0.3; Amplitude = 4; }
        Limiter "timed" { u = t - 1; }
        "#,
    );
    let table = outcome.table("csv");
    let x = |t: f64| (2.0 * t).sin();
    compare(&table, "l.y", ERROR, |t| x(t).clamp(-0.5, 0.25));
    compare(&table, "d.y", ERROR, |t| {
        let u: f64 = 2.0 * x(t);
        (u - 1.0).max(0.0) + (u + 0.5).min(0.0)
    });
    // No row is within 0.01 of a switching point: sin(2 t) = 0.3 at 2 t = 0.3047 and so on.
    compare(&table, "r.y", 0.0, |t| match x(t) {
        x if x > 0.3 => 4.0,
        x if x < -0.3 => -4.0,
        _ => 0.0,
    });
    compare(&table, "timed.y", 1e-15, |t| (t - 1.0).clamp(-1.0, 1.0));
}

#[test]
fn a_rate_limiter_starts_at_its_input_and_ends_with_its_lag() {
    let table = solve(
        4.0,
        0.1,
        r#"
        Step "u" { Offset = 2; Amplitude = 1; Tbegin = 0.5; }
        RateLimiter "r" { u = u.y; Rmax = 0.5; T = 0.1; }
        RateLimiter "fall" { u = 1; Rmax = 0.5; Rmin = -2; T = 0.01; yinit = 3; }
        "#,
    )
    .table("csv");
    // It rises at 0.5 until u - y = Rmax T = 0.05, at t = 0.5 + 0.95/0.5; from there on as a lag of 0.1 s.
    compare(&table, "r.y", ERROR, |t| match t {
        t if t < 0.5 => 2.0,
        t if t < 2.4 => 2.0 + 0.5 * (t - 0.5),
        t => 3.0 - 0.05 * (-(t - 2.4) / 0.1).exp(),
    });
    compare(&table, "fall.y", ERROR, |t| match t {
        t if t < 0.99 => 3.0 - 2.0 * t,
        t => 1.0 + 0.02 * (-(t - 0.99) / 0.01).exp(),
    });
}
