//! States that become singular on the way: others take their place, and the motion goes on.

use super::stiff;
use dysim_tests::circuits::{self, Setting, text};
use dysim_tests::simulate::{Outcome, Table, run};

/// The methods of the language that keep a tolerance.
const METHODS: [&str; 5] = ["derf", "stiff", "radau5", "odeint_rk", "odeint_bs"];

/// A run with a tolerance of 1e-8 and steps of up to 0.05 s.
fn solve(solver: &'static str, end: f64, elements: &str) -> Outcome {
    short_steps(Setting { solver, end, step: 0.05, tolerance: 1e-8 }, elements)
}

/// A run with steps no longer than the output interval.
fn short_steps(setting: Setting, elements: &str) -> Outcome {
    let Setting { end, step, .. } = setting;
    let longest = (format!("TstepMax = {end:e}"), format!("TstepMax = {step:e}"));
    run(&text(setting, "", elements).replace(&longest.0, &longest.1)).complete()
}

/// Times at which the log says that states were chosen anew.
fn choices(log: &str) -> Vec<(f64, &str)> {
    let notes = log.lines().filter_map(|line| line.strip_prefix("note: at t = "));
    notes
        .filter_map(|note| note.split_once(' '))
        .map(|(t, what)| (t.parse().unwrap(), what))
        .collect()
}

/// A point mass on a circle in Cartesian coordinates: x' x + y' y = 0 between its two momenta. No force does work, so it
/// goes round with constant speed; p_x is singular where y = 0 and p_y where x = 0, four times in each round.
const CIRCLE: &str = "I \"X\" { I = 2; } I \"Y\" { I = 2; Pinit = 2; }\n\
    Junction1 \"a\" {} Junction1 \"b\" {} MTF \"T\" { m = -x.y/y.y; }\n\
    Integrator \"x\" { u = X.f; yinit = cos(0.1); } Integrator \"y\" { u = Y.f; yinit = sin(0.1); }\n\
    Bond \"1\" { From = a; To = X; } Bond \"2\" { From = a; To = T; }\n\
    Bond \"3\" { From = T; To = b; } Bond \"4\" { From = b; To = Y; }";

#[test]
fn a_mass_on_a_circle_changes_its_state_in_every_quadrant() {
    // y' = 1 at the start is the speed times cos(0.1).
    let speed = 1.0 / 0.1f64.cos();
    for solver in METHODS {
        let outcome = solve(solver, 12.0, CIRCLE);
        let table = outcome.table("csv");
        // An error of 1e-8 per step that is magnified up to five times, in some 240 steps.
        let allowed = 5.0 * 1e-8 * 240.0;
        for row in &table.rows {
            let phi = 0.1 + speed * row[0];
            for (column, exact) in [
                ("x.y", phi.cos()),
                ("y.y", phi.sin()),
                ("X.f", -speed * phi.sin()),
                ("Y.f", speed * phi.cos()),
            ] {
                let found = row[table.index(column)];
                assert!(
                    (found - exact).abs() < allowed,
                    "{solver}, {column} at {}: {found}",
                    row[0]
                );
            }
        }
        let log = outcome.text("log");
        let found = choices(&log);
        // It starts with p_y; sin and cos of the angle fall below 1/5 of the other before each multiple of 90 degrees.
        assert_eq!(found.len(), 7, "{solver}: {log}");
        for (k, (t, what)) in found.iter().enumerate() {
            let singular = (0.5 * std::f64::consts::PI * (k + 1) as f64 - 0.1) / speed;
            // 1/5 rad, and a step of 0.05 s.
            assert!(singular - t < 0.2 && *t < singular, "{solver}: {t}, not before {singular}");
            let expected = if k % 2 == 0 { "`X.p` became" } else { "`Y.p` became" };
            assert!(what.starts_with(expected), "{solver}: {what}");
        }
    }
}

/// A crank that drives a slide, x' = m(q) q': the energy (I1 + m^2 I2) q'^2/2 stays, which gives q' for every q. Where the
/// slide turns back, its momentum says nothing about the crank.
fn crank(m: &str, initial: [&str; 2]) -> String {
    format!(
        "I \"I1\" {{ I = 1; {} }} I \"I2\" {{ I = 4; {} }}\n\
         Junction1 \"a\" {{}} Junction1 \"b\" {{}} MTF \"T\" {{ m = {m}; }} Integrator \"q\" {{ u = I1.f; }}\n\
         Bond \"1\" {{ From = a; To = I1; }} Bond \"2\" {{ From = a; To = T; }}\n\
         Bond \"3\" {{ From = T; To = b; }} Bond \"4\" {{ From = b; To = I2; }}",
        initial[0], initial[1]
    )
}

fn keeps_energy(table: &Table, m: fn(f64) -> f64, energy: f64) {
    let (q, f) = (table.column("q.y"), table.column("I1.f"));
    for (q, f) in q.iter().zip(&f) {
        let now = 0.5 * (1.0 + 4.0 * m(*q).powi(2)) * f * f;
        // As for the circle: five times 1e-8 in some 400 steps.
        assert!((now - energy).abs() < 2e-5 * energy, "{now} J at {q}");
    }
    // It goes round.
    assert!(q.last().unwrap() > &5.0);
}

#[test]
fn a_slide_hands_over_to_its_crank_before_it_turns_back() {
    // Only the momentum of the slide is given, so it is the state at first.
    let outcome = solve("derf", 10.0, &crank("cos(q.y)", ["", "Pinit = 4;"]));
    keeps_energy(&outcome.table("csv"), f64::cos, 2.5);
    let log = outcome.text("log");
    let found = choices(&log);
    assert!(found.len() == 1 && found[0].1.starts_with("`I1.p` became a state"), "{log}");
}

#[test]
fn a_choice_that_is_singular_at_the_start_is_corrected() {
    // In dead centre the momentum of the slide is zero whatever the crank does.
    let outcome = solve("derf", 10.0, &crank("sin(q.y)", ["Pinit = 1;", "Pinit = 0;"]));
    keeps_energy(&outcome.table("csv"), f64::sin, 0.5);
    assert!(!outcome.text("log").contains("starts at"), "{}", outcome.text("log"));
}

#[test]
fn a_voltage_that_is_the_square_of_another_leaves_the_state_to_it() {
    // C1 charges through R: v = 2 - 4 exp(-t/2), which crosses zero at t = log 4; C2 has v^2, and its current is
    // 0.5 2 v v'. From v^2 alone nobody could tell on which side of zero v is.
    let outcome = circuits::solve(
        stiff(4.0, 0.05),
        "CurrentSource \"I\" { p = gnd; n = a; I = 1; } Resistor \"R\" { p = a; n = gnd; R = 2; }\n\
         Capacitor \"C1\" { p = a; n = gnd; C = 1; Vinit = -2; }\n\
         VoltageSource \"V\" { p = b; n = gnd; V = C1.v^2; }\n\
         Capacitor \"C2\" { p = b; n = gnd; C = 0.5; Vinit = 4; }",
    );
    let table = outcome.table("csv");
    // 1e-8 in some hundred steps.
    let v = |t: f64| 2.0 - 4.0 * (-0.5 * t).exp();
    super::follows(&table, "C1.v", 1e-6, v);
    super::follows(&table, "C2.v", 1e-5, |t| v(t).powi(2));
    super::follows(&table, "C2.i", 1e-5, |t| v(t) * 2.0 * (-0.5 * t).exp());
}

#[test]
fn fixed_steps_choose_again_as_well() {
    // The method of Euler is of first order: half the step, half the error of the radius.
    let radius = |step: f64| {
        let wanted = Setting { solver: "euler", end: 6.0, step, tolerance: 1e-8 };
        let outcome = short_steps(wanted, CIRCLE);
        assert!(choices(&outcome.text("log")).len() >= 3, "{}", outcome.text("log"));
        let table = outcome.table("csv");
        table.at(6.0, "x.y").hypot(table.at(6.0, "y.y")) - 1.0
    };
    let (coarse, fine) = (radius(0.002), radius(0.001));
    assert!((coarse / fine - 2.0).abs() < 0.1, "{coarse} and {fine}");
}
