//! Functions given by points.

use super::{ERROR, compare, solve, solve_with};

const DATA: &str = "Data = { 0, 1, 1, 3, 1.5, 0, 2, 0.5 };";

fn linear(u: f64) -> f64 {
    match u {
        u if u < 1.0 => 1.0 + 2.0 * u,
        u if u < 1.5 => 3.0 - 6.0 * (u - 1.0),
        u => u - 1.5,
    }
}

#[test]
fn a_table_of_time_has_known_instants() {
    let outcome = solve(
        3.0,
        0.05,
        &format!(
            r#"
            Table "t" {{ {DATA} }}
            Table "on" {{ {DATA} Outside = linear; u = t; }}
            Table "again" {{ {DATA} Outside = periodic; u = 2*t - 1; }}
            Table "back" {{ {DATA} u = 2.5 - t; }}
            Table "steps" {{ {DATA} Method = hold; }}
            Table "jump" {{ Data = {{ 0, 0, 1, 1, 1, 5, 2, 4 }}; }}
            Integrator "area" {{ u = jump.y; }}
            "#
        ),
    );
    let table = outcome.table("csv");
    let wrap = |u: f64| (u + 1e-12).rem_euclid(2.0);
    compare(&table, "t.y", 1e-14, |t| linear(t.min(2.0)));
    compare(&table, "on.y", 1e-14, linear);
    compare(&table, "again.y", 1e-10, |t| linear(wrap(2.0 * t - 1.0)));
    compare(&table, "back.y", 1e-14, |t| linear((2.5 - t).clamp(0.0, 2.0)));
    compare(&table, "steps.y", 0.0, |t| match t + 1e-12 {
        t if t < 1.0 => 1.0,
        t if t < 1.5 => 3.0,
        t if t < 2.0 => 0.0,
        _ => 0.5,
    });
    compare(&table, "jump.y", 1e-14, |t| match t + 1e-12 {
        x if x < 1.0 => t,
        x if x < 2.0 => 6.0 - t,
        _ => 4.0,
    });
    // 1/2 below the first line, 4.5 below the second, then 4 t.
    assert!((table.last("area.y") - 9.0).abs() < ERROR);
    assert_eq!(outcome.summary.statistics.roots, 0);
}

#[test]
fn a_table_of_a_signal_finds_its_points() {
    for solver in ["derf", "stiff"] {
        let table = solve_with(
            solver,
            4.0,
            0.05,
            &format!(
                r#"
                Integrator "x" {{ u = cos(2*t); k = 3; yinit = 1; }}
                Table "y" {{ u = x.y; {DATA} }}
                Table "steps" {{ u = x.y; {DATA} Method = hold; Outside = periodic; }}
                Square "s" {{ Period = 0.7; Amplitude = 0.9; }}
                Table "jumped" {{ u = 1 + s.y; {DATA} }}
                "#
            ),
        )
        .table("csv");
        let x = |t: f64| 1.0 + 1.5 * (2.0 * t).sin();
        // Slopes are up to 6.
        compare(&table, "y.y", 6.0 * ERROR, |t| linear(x(t).clamp(0.0, 2.0)));
        let last = table.rows.len() - 1;
        let (time, place) = (table.index("t"), table.index("steps.y"));
        for row in &table.rows[..last] {
            let u = x(row[time]).rem_euclid(2.0);
            let near = [0.0, 1.0, 1.5, 2.0].iter().any(|point| (u - point).abs() < 1e-6);
            let held = if u < 1.0 {
                1.0
            } else if u < 1.5 {
                3.0
            } else {
                0.0
            };
            assert!(near || row[place] == held, "{} at {}", row[place], row[time]);
        }
        compare(&table, "jumped.y", 1e-14, |t| {
            linear(if (t + 1e-12).rem_euclid(0.7) < 0.35 { 1.9 } else { 0.1 })
        });
    }
}

/// The natural spline through points of a cubic with zero curvature at its ends is that cubic: y = x^3 - 3 x^2 has
/// none at x = 1 only, so the points go from 1 to 1 about it, y = d^3 - d with d from 0; a second spline is compared
/// with the solution of its three equations by hand.
#[test]
fn a_spline_is_natural() {
    let table = solve(
        4.0,
        0.1,
        r#"
        Table "y" { u = t; Data = { 0, 0, 1, 1, 2, 0, 3, 1, 4, 0 }; Method = spline; Outside = linear; }
        Table "far" { u = 2*t; Data = { 0, 0, 1, 1, 2, 0, 3, 1, 4, 0 }; Method = spline; Outside = linear; }
        Table "line" { u = t; Data = { 0, 1, 1, 3, 3, 7, 4, 9 }; Method = spline; }
        "#,
    )
    .table("csv");
    // 4 m1 + m2 = -12, m1 + 4 m2 + m3 = 12, m2 + 4 m3 = -12 with m0 = m4 = 0: m1 = m3 = -30/7, m2 = 36/7.
    let m = [0.0, -30.0 / 7.0, 36.0 / 7.0, -30.0 / 7.0, 0.0];
    let y = [0.0, 1.0, 0.0, 1.0, 0.0];
    let spline = |u: f64| {
        let k = (u.floor() as usize).min(3);
        let (b, a) = (u - k as f64, 1.0 - (u - k as f64));
        a * y[k] + b * y[k + 1] + ((a * a * a - a) * m[k] + (b * b * b - b) * m[k + 1]) / 6.0
    };
    compare(&table, "y.y", 1e-13, spline);
    // Beyond the end the slope there: (y4 - y3) + m3/6 = -1 - 5/7.
    compare(&table, "far.y", 1e-12, |t| {
        let u = 2.0 * t;
        if u <= 4.0 { spline(u) } else { -12.0 / 7.0 * (u - 4.0) }
    });
    compare(&table, "line.y", 1e-13, |t| 1.0 + 2.0 * t);
}

#[test]
fn a_table_may_end_the_run() {
    let text = dysim_tests::circuits::text(
        dysim_tests::circuits::Setting { solver: "derf", end: 3.0, step: 0.1, tolerance: 1e-8 },
        "",
        r#"Integrator "x" { u = 1; } Table "y" { u = x.y; Data = { 0, 0, 2, 4 }; Outside = error; }"#,
    );
    let outcome = dysim_tests::simulate::run(&text);
    let Some(error) = &outcome.error else { panic!("it went on") };
    let words = format!("{error:?}");
    assert!(
        words.contains("Table `y`: its input 2 is outside of the points from 0 to 2"),
        "{words}"
    );
    assert!((outcome.table("csv").last("x.y") - 2.0).abs() < 0.11);
}
