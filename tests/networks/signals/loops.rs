//! Sampled control loops.

use super::solve;

/// The answer of a lag to a held input over a time.
fn lag(x: f64, u: f64, t: f64, constant: f64) -> f64 {
    u + (x - u) * (-t / constant).exp()
}

/// A plant of first order under a sampled PI controller is a recursion of two numbers.
#[test]
fn a_sampled_loop_is_a_recursion() {
    let (h, k, ti, plant) = (0.05, 2.0, 0.4, 0.3);
    let table = solve(
        3.0,
        0.05,
        r#"
        Step "r" { Tbegin = 0; }
        PI "c" { u = r.y - p.y; k = 2; Ti = 0.4; Tsample = 0.05; }
        PT1 "p" { u = c.y; T = 0.3; }
        "#,
    )
    .table("csv");
    let (mut x, mut y) = (0.0, 0.0);
    for step in 0..60 {
        let t = f64::from(step) * h;
        // The integrator's tolerance is 1e-10 per step, the loop is stable.
        assert!((table.at(t, "p.y") - y).abs() < 1e-8, "{t}: {} and {y}", table.at(t, "p.y"));
        let error = 1.0 - y;
        let command = k * (error + x);
        assert!((table.at(t, "c.y") - command).abs() < 1e-8, "{t}");
        x += h * error / ti;
        y = lag(y, command, h, plant);
    }
    assert!((y - 1.0).abs() < 1e-3, "the loop does not settle: {y}");
}

/// An inner loop every 10 ms, an outer one every 40 ms that begins later: both recursions by hand.
#[test]
fn a_cascade_of_two_periods() {
    let table = solve(
        2.0,
        0.01,
        r#"
        Gain "outer" { u = 1 - s.y; k = 4; Tsample = 0.04; Toffset = 0.02; }
        PI "inner" { u = outer.y - v.y; k = 0.5; Ti = 0.05; ymin = -6; ymax = 6; Tsample = 0.01; }
        PT1 "v" { u = inner.y; T = 0.1; k = 2; }
        Integrator "s" { u = v.y; }
        "#,
    )
    .table("csv");
    let (mut outer, mut x, mut v, mut s) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    let h: f64 = 0.01;
    for step in 0..200 {
        if step >= 2 && (step - 2) % 4 == 0 {
            outer = 4.0 * (1.0 - s);
        }
        let error = outer - v;
        let wanted = 0.5 * (error + x);
        let command = wanted.clamp(-6.0, 6.0);
        let t = f64::from(step) * h;
        for (column, expected) in [("outer.y", outer), ("inner.y", command), ("v.y", v), ("s.y", s)]
        {
            let found = table.at(t, column);
            // Two hundred instants, each with a few steps of tolerance 1e-10, in loops whose gains are below 10.
            assert!((found - expected).abs() < 1e-6, "{column} at {t}: {found}, not {expected}");
        }
        x += h * error / 0.05 + h / (0.5 * 0.05) * (command - wanted);
        // T v' + v = 2 u and s' = v over the period.
        let (end, decay) = (2.0 * command, (-h / 0.1).exp());
        s += end * h + (v - end) * 0.1 * (1.0 - decay);
        v = end + (v - end) * decay;
    }
    assert!((s - 1.0).abs() < 1e-2, "{s}");
}
