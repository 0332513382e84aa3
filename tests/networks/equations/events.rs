//! What switches in equations is found like every other event.

use super::{near, table};
use std::f64::consts::PI;

/// A penalty spring: free fall, half an oscillation about the shifted rest, free flight back to the same height.
#[test]
fn a_ball_on_a_spring_comes_back_in_time() {
    let (g, k): (f64, f64) = (9.81, 4000.0);
    let text = "Variable \"z\" { Start = 1; } Variable \"v\" { } \
                Equations \"e\" { der(z) = v; der(v) = -9.81 + if(z < 0, -4000*z, 0); }";
    let (fall, speed, omega) = ((2.0 / g).sqrt(), (2.0 * g).sqrt(), k.sqrt());
    let delta = (speed / omega).atan2(g / k);
    let contact = 2.0 * (PI - delta) / omega;
    let end = 2.0 * fall + contact;
    let table = table(end, end / 4.0, text);
    assert!((table.last("z") - 1.0).abs() < 1e-6, "{}", table.last("z"));
    assert!(table.last("v").abs() < 1e-5, "{}", table.last("v"));
}

/// Coulomb friction takes 2 F/c off the amplitude in each half of an oscillation.
#[test]
fn friction_by_sign_takes_its_share_of_each_swing() {
    let text = "Variable \"x\" { Start = 1; } Variable \"v\" { Start = 0; } \
                Equations \"e\" { der(x) = v; der(v) = -x - 0.1*sign(v); }";
    let table = table(3.0 * PI, PI, text);
    for (half, expected) in [(1.0, -0.8), (2.0, 0.6), (3.0, -0.4)] {
        near(&table, half * PI, "x", expected, 1e-6);
    }
}

/// Limits, floors and choices in lines, with derivatives inside of them.
#[test]
fn functions_that_switch_are_located_also_around_derivatives() {
    // x = sin t: |x'| = |cos t|; y integrates it.
    let text = "Variable \"x\" { } Variable \"y\" { } Variable \"n\" { } Variable \"m\" { } Variable \"s\" { } \
                Equations \"e\" { x = sin(t); der(y) = abs(der(x)); n = floor(2*t); der(m) = max(der(x), 0) - min(der(x), 0); \
                der(s) = smooth(abs(der(x))); }";
    let table = table(5.0, 0.5, text);
    let length = |t: f64| {
        // Whole half periods from -pi/2 on, each of length 2.
        let turns = ((t + PI / 2.0) / PI).floor();
        2.0 * turns - if turns as i64 % 2 == 0 { -t.sin() } else { t.sin() }
    };
    for row in 1..=10 {
        let t = 0.5 * f64::from(row);
        near(&table, t, "y", length(t), 1e-7);
        near(&table, t, "m", length(t), 1e-7);
        // Without events the corner costs accuracy, and nothing else.
        near(&table, t, "s", length(t), 1e-4);
        near(&table, t, "n", (2.0 * t).floor(), 1e-12);
    }
}

/// A relay in equations: a bang-bang control along its switching line.
#[test]
fn a_choice_by_two_states_switches_where_both_say() {
    // x'' = -1 until x + v|v|/2 <= 0, then 1: from (1, 0) to rest at 0 in 2 s.
    let text = "Variable \"x\" { Start = 1; } Variable \"v\" { } Variable \"u\" { } \
                Equations \"e\" { der(x) = v; der(v) = u; u = if(x + v*abs(v)/2 > 0 && t < 1.5, -1, 1); }";
    let table = table(1.9, 0.1, text);
    // After 1 s at (0.5, -1) the line is met.
    for row in 0..=19 {
        let t = 0.1 * f64::from(row);
        let x = if t <= 1.0 { 1.0 - t * t / 2.0 } else { (2.0 - t) * (2.0 - t) / 2.0 };
        assert!((table.at(t, "x") - x).abs() < 1e-6, "{t}: {} {x}", table.at(t, "x"));
    }
}

/// Discrete variables keep their value, and a derivative of one is zero.
#[test]
fn registers_keep_their_values() {
    let text = "Variable \"n\" { Type = discrete; Start = 3; } Variable \"ok\" { Type = condition; Start = yes; } \
                Variable \"x\" { } Equations \"e\" { der(x) = n + if(ok, 1, 0); }";
    let table = table(2.0, 0.5, text);
    near(&table, 2.0, "x", 8.0, 1e-12);
    near(&table, 2.0, "n", 3.0, 1e-15);
    near(&table, 2.0, "ok", 1.0, 1e-15);
}
