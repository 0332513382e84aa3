//! Conditions at the border: true at the start, touching zero, staying true, undone by their own block, at one instant.

use super::{METHODS, jumps, near, solve, solve_with};

#[test]
fn a_condition_that_is_true_at_the_start_has_to_become_false_first() {
    for method in METHODS {
        let table = solve_with(
            method,
            2.0,
            0.1,
            r#"
            Variable "n" { Type = discrete; }
            Variable "m" { Type = discrete; }
            Sine "s" { Amplitude = 1; Frequency = 1; Phase = 1.5707963267948966; }
            When "always" { Condition = t >= 0; Set { n = n + 1; } }
            When "again" { Condition = s.y > 0.5; Set { m = m + 1; } }
            "#,
        )
        .table("csv");
        assert_eq!(table.last("n"), 0.0, "{method}");
        // cos(2 pi t) is above a half at the start, and rises again through it at 5/6 and 11/6.
        let rises = jumps(&table, "m");
        assert_eq!(rises.len(), 2, "{method}");
        near(rises[0].0, 5.0 / 6.0, 1e-12);
    }
}

/// A chain of automata that ends at the start makes conditions true there, which is no change either.
#[test]
fn what_becomes_true_at_the_start_is_true_at_the_start() {
    let table = solve(
        1.0,
        0.5,
        r#"
        Automaton "a" { States = x, y; Start = x; Transitions { x -> y : yes; } }
        Variable "n" { Type = discrete; }
        When "w" { Condition = a.y; Set { n = n + 1; } }
        "#,
    )
    .table("csv");
    assert_eq!([table.last("n"), table.last("a.state")], [0.0, 2.0]);
}

#[test]
fn a_condition_that_stays_true_acts_once() {
    for method in METHODS {
        let table = solve_with(
            method,
            2.0,
            0.1,
            r#"
            Integrator "x" { u = 1; }
            Variable "n" { Type = discrete; }
            When "w" { Condition = x.y > 0.7; Set { n = n + 1; } }
            "#,
        )
        .table("csv");
        let found = jumps(&table, "n");
        assert_eq!(found.len(), 1, "{method}");
        near(found[0].0, 0.7, 1e-9);
    }
}

/// A block whose Set makes its own condition false acts each time: x rises to 1 and is put back to 0.25.
#[test]
fn a_set_may_make_its_own_condition_false() {
    for method in METHODS {
        let table = solve_with(
            method,
            5.0,
            0.1,
            r#"
            Integrator "x" { u = 1; }
            Variable "n" { Type = discrete; }
            When "back" { Condition = x.y >= 1; Set { x.y = 0.25; n = n + 1; } }
            "#,
        )
        .table("csv");
        let found = jumps(&table, "n");
        assert_eq!(found.len(), 6, "{method}");
        for (k, (t, ..)) in found.iter().enumerate() {
            near(*t, 1.0 + 0.75 * k as f64, 1e-9);
        }
    }
}

/// A value that is put exactly on the border: `>` is false there, `>=` is true.
#[test]
fn a_value_put_on_the_border_is_on_the_side_that_the_comparison_says() {
    let table = solve(
        4.0,
        0.5,
        r#"
        Integrator "x" { u = 1; yinit = -5; }
        Variable "above" { Type = discrete; }
        Variable "reached" { Type = discrete; }
        When "put" { Condition = t >= 1; Set { x.y = 2; } }
        When "down" { Condition = t >= 2; Set { x.y = -9; } }
        When "strict" { Condition = x.y > 2; Set { above = t; } }
        When "loose" { Condition = x.y >= 2; Set { reached = t; } }
        "#,
    )
    .table("csv");
    assert_eq!(table.last("reached"), 1.0);
    // From 2 on the way up, at once.
    near(table.last("above"), 1.0, 1e-9);
}

/// A condition that only touches its border: whether it acts is a matter of the last digit, but at most once.
#[test]
fn a_condition_that_touches_zero_acts_at_most_once() {
    for method in METHODS {
        let table = solve_with(
            method,
            3.0,
            0.1,
            r#"
            Integrator "x" { u = 2*(1 - t); yinit = -1; }
            Variable "n" { Type = discrete; }
            When "touch" { Condition = x.y >= 0; Set { n = n + 1; } }
            When "miss" { Condition = x.y >= 1e-6; Set { n = n + 100; } }
            When "pass" { Condition = x.y >= -1e-6; Set { n = n + 10; } }
            "#,
        )
        .table("csv");
        // x = -(1 - t)^2 comes within 1e-6 of zero and does not go beyond.
        assert!([10.0, 11.0].contains(&table.last("n")), "{method}: {}", table.last("n"));
    }
}

/// Two states that reach their marks at the same instant, but for rounding: both blocks act, each once.
#[test]
fn two_conditions_at_one_instant_both_act() {
    for method in METHODS {
        let table = solve_with(
            method,
            2.0,
            0.1,
            r#"
            Integrator "x" { u = 1; }
            Integrator "y" { u = 3; }
            Variable "n" { Type = discrete; }
            Variable "m" { Type = discrete; }
            When "a" { Condition = x.y > 1/3; Set { n = n + 1; } }
            When "b" { Condition = y.y > 1; Set { m = m + 1; } }
            "#,
        )
        .table("csv");
        assert_eq!([table.last("n"), table.last("m")], [1.0, 1.0], "{method}");
        near(jumps(&table, "n")[0].0, 1.0 / 3.0, 1e-9);
        near(jumps(&table, "m")[0].0, 1.0 / 3.0, 1e-9);
    }
}

/// Conditions see what contacts do: a ball on a springy floor counts how often its force passes a mark.
#[test]
fn conditions_see_the_forces_of_contacts() {
    let model = r#"
        Triad "base" { Parent = world; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
        Triad "centre" { Parent = ball; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
        Prismatic "J" { Parent = ball; TriadFrom = base; TriadTo = centre; JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0.5; QDinit = 0; }
        Body "ball" { Parent = world; Joint = J; Mass = 1; Inertia = 1, 0, 0, 1, 0, 1; CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
        ContactSimple "floor" { TriadFrom = base; TriadTo = centre; ElasticLinear = 1e4; DampingLinear = 0; SlipFrictionCoeff = 0; }
        Variable "n" { Type = discrete; }
        Variable "depth" { Type = discrete; }
        When "hard" { Condition = floor.fn > 100; Set { n = n + 1; depth = J.q; } }
    "#;
    let outcome = solve(1.5, 0.05, model);
    let table = outcome.table("csv");
    // Falls of sqrt(1/g) = 0.32 s with short contacts of pi sqrt(m/k) = 0.03 s in between.
    assert_eq!(table.last("n"), 2.0);
    near(table.last("depth"), -0.01, 1e-9);
}
