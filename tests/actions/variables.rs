//! Discrete variables: counters, toggles, exchanges, chains, and where they are used.

use super::{ERROR, METHODS, compare, jumps, near, solve, solve_with};

#[test]
fn counters_toggles_and_latches_change_where_time_says_so() {
    for method in METHODS {
        let table = solve_with(
            method,
            3.0,
            0.1,
            r#"
            Variable "n" { Type = discrete; Start = 2; }
            Variable "on" { Type = condition; Start = yes; }
            Variable "held" { Type = condition; }
            Variable "last" { Type = discrete; Start = -1; }
            Sine "s" { Amplitude = 1; Frequency = 1; }
            When "count" { Condition = s.y > 0.5; Set { n = n + 1; last = t; on = !on; } }
            When "hold" { Condition = n >= 4; Set { held = yes; } }
            When "release" { Condition = t >= 2.5; Set { held = no; } }
            "#,
        )
        .table("csv");
        // sin(2 pi t) passes 0.5 upwards at 1/12, 13/12, 25/12.
        let rises: Vec<f64> = (0..3).map(|k| f64::from(k) + 1.0 / 12.0).collect();
        let found = jumps(&table, "n");
        assert_eq!(found.len(), 3, "{method}");
        for (k, (t, before, behind)) in found.iter().enumerate() {
            near(*t, rises[k], 1e-12);
            assert_eq!((*before, *behind), (2.0 + k as f64, 3.0 + k as f64));
        }
        let count = |t: f64| rises.iter().filter(|rise| t >= **rise).count();
        compare(&table, "on", 0.0, |t| f64::from(count(t) % 2 == 0));
        compare(&table, "last", 1e-12, |t| if count(t) == 0 { -1.0 } else { rises[count(t) - 1] });
        compare(&table, "held", 0.0, |t| f64::from(t >= rises[1] && t < 2.5));
    }
}

/// a = b and b = a in two blocks at one instant: both see the values before.
#[test]
fn simultaneous_blocks_exchange_two_variables() {
    let table = solve(
        1.0,
        0.1,
        r#"
        Variable "a" { Type = discrete; Start = 1; }
        Variable "b" { Type = discrete; Start = 2; }
        When "one" { Condition = t >= 0.3; Set { a = b; } }
        When "two" { Condition = 3*t >= 0.9; Set { b = a; } }
        "#,
    )
    .table("csv");
    assert_eq!([table.last("a"), table.last("b")], [2.0, 1.0]);
    assert_eq!(jumps(&table, "a").len(), 1);
}

/// Each block sets off the next one, all at one instant, and each sees what the one before left.
#[test]
fn blocks_set_each_other_off_at_one_instant() {
    let mut text = String::from(
        "Variable \"x0\" { Type = discrete; }\nWhen \"first\" { Condition = t >= 0.5; Set { x0 = 1; } }\n",
    );
    for k in 1..=300 {
        text += &format!(
            "Variable \"x{k}\" {{ Type = discrete; }}\n\
             When \"w{k}\" {{ Condition = x{0} > 0; Set {{ x{k} = x{0} + 1; }} }}\n",
            k - 1
        );
    }
    let table = solve(1.0, 0.25, &text).table("csv");
    assert_eq!(jumps(&table, "x300"), [(0.5, 0.0, 301.0)]);
    assert_eq!(table.last("x150"), 151.0);
}

/// A pulse of a width that changes from period to period; the next edge is a variable, so that no expression of time knows it.
#[test]
fn a_modulator_of_pulse_widths_is_two_blocks() {
    for method in METHODS {
        let table = solve_with(
            method,
            1.0,
            0.01,
            r#"
            Variable "start" { Type = discrete; Start = 0.1; }
            Variable "stop" { Type = discrete; Start = 10; }
            Variable "on" { Type = condition; }
            When "rise" { Condition = t >= start; Set { on = yes; stop = start + 0.02 + 0.05*start; start = start + 0.1; } }
            When "fall" { Condition = t >= stop; Set { on = no; stop = 10; } }
            Integrator "area" { u = on; }
            "#,
        )
        .table("csv");
        let width = |k: f64| 0.02 + 0.05 * 0.1 * k;
        let area = |t: f64| -> f64 {
            (1..=10).map(|k| (t - 0.1 * f64::from(k)).clamp(0.0, width(f64::from(k)))).sum()
        };
        compare(&table, "area.y", 1e-9, area);
    }
}

/// Between events a variable is a number; at the event results show both sides.
#[test]
fn expressions_of_all_kinds_use_discrete_variables() {
    let model = r#"
        Variable "n" { Type = discrete; Start = 1; }
        When "step" { Condition = t >= 1; Set { n = 3; } }
        Triad "base" { Parent = world; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
        Triad "c1" { Parent = b1; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
        Triad "c2" { Parent = b2; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
        Prismatic "driven" { Parent = b1; TriadFrom = base; TriadTo = c1; JointAxis = 1, 0, 0; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 0; }
        Prismatic "pushed" { Parent = b2; TriadFrom = base; TriadTo = c2; JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 0; }
        Body "b1" { Parent = world; Joint = driven; Mass = 1; Inertia = 1, 0, 0, 1, 0, 1; CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
        Body "b2" { Parent = world; Joint = pushed; Mass = 1; Inertia = 1, 0, 0, 1, 0, 1; CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
        Motion "m" { Joint = driven; Q = n*t^2; }
        JointForce "f" { Joint1D = pushed; Value = if(n >= 3, -2*n, n); }
        PI "control" { u = n - plant.y; k = 1; Ti = 1; }
        PT1 "plant" { u = n; T = 0.5; }
    "#;
    for method in METHODS {
        let table = solve_with(method, 2.0, 0.1, model).table("csv");
        compare(&table, "driven.q", 1e-14, |t| if t < 1.0 { t * t } else { 3.0 * t * t });
        compare(&table, "driven.qd", 1e-14, |t| if t < 1.0 { 2.0 * t } else { 6.0 * t });
        // Force 1, then -6.
        compare(&table, "pushed.qd", ERROR, |t| if t < 1.0 { t } else { 1.0 - 6.0 * (t - 1.0) });
        compare(&table, "plant.y", ERROR, |t| {
            let at_one = 1.0 - (-2.0_f64).exp();
            if t < 1.0 {
                1.0 - (-2.0 * t).exp()
            } else {
                3.0 + (at_one - 3.0) * (-2.0 * (t - 1.0)).exp()
            }
        });
        // The proportional part of the controller jumps with its set point.
        let found = jumps(&table, "control.y");
        assert_eq!(found.len(), 1, "{method}");
        near(found[0].2 - found[0].1, 2.0, 1e-12);
    }
}

/// A comparison of whole numbers is true at once where both sides are equal.
#[test]
fn whole_numbers_are_compared_exactly() {
    let table = solve(
        2.0,
        0.1,
        r#"
        Variable "n" { Type = discrete; }
        Variable "hits" { Type = discrete; }
        When "tick" { Condition = mod(t, 0.2) < 0.1 && t > 0.15; Set { n = n + 1; } }
        When "third" { Condition = n >= 3; Set { hits = hits + 1; } }
        When "sixth" { Condition = n == 6; Set { hits = hits + 10; } }
        When "below" { Condition = n > 2 && n < 4; Set { hits = hits + 100; } }
        "#,
    )
    .table("csv");
    assert_eq!(table.last("n"), 9.0);
    assert_eq!(table.last("hits"), 111.0);
}
