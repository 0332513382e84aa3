//! The extended Jacobian of trees: its entries against differences, runs that use it against the explicit method, and its size.
#![allow(clippy::expect_used)]

use dysim_tests::blocks::{Run as Settings, Text};
use dysim_tests::everything::{everything, without_signals};
use dysim_tests::loading::{model, system};
use dysim_tests::random::Random;
use dysim_tests::random_springs::random_springs;
use dysim_tests::simulate;
use engine::internals::system::Run;
use integrate::{Hints, Matrix, MethodKind, Pattern, Problem, Silent, Stop, Tolerance, build_for};

const GRAVITY: [f64; 3] = [0.4, -0.3, -9.81];

/// The matrix of the states that an extended matrix stands for: further unknowns are eliminated in the given order, without any
/// exchange of rows.
fn reduced(pattern: &Pattern, matrix: &Matrix) -> Vec<Vec<f64>> {
    let (size, n) = (pattern.len(), pattern.n_states());
    let mut rows = vec![vec![0.0; size]; size];
    matrix.for_each(|row, column, value| rows[row][column] = value);
    let order = pattern.order().expect("an order");
    for pivot in order.iter().map(|&k| k as usize).filter(|&k| k >= n) {
        let own = rows[pivot].clone();
        for (i, other) in rows.iter_mut().enumerate() {
            if i != pivot && other[pivot] != 0.0 {
                let factor = other[pivot] / own[pivot];
                other.iter_mut().zip(&own).for_each(|(x, y)| *x -= factor * y);
            }
        }
    }
    rows.truncate(n);
    rows.iter_mut().for_each(|row| row.truncate(n));
    rows
}

/// Derivatives by central differences of order six.
fn differences(run: &mut Run<'_>, y: &[f64], column: usize) -> Option<Vec<f64>> {
    let h = 3e-4;
    let mut sum = vec![0.0; y.len()];
    for (k, weight) in [(1.0, 0.75), (2.0, -0.15), (3.0, 1.0 / 60.0)] {
        for sign in [1.0, -1.0] {
            let (mut y, mut f) = (y.to_vec(), vec![0.0; y.len()]);
            y[column] += sign * k * h;
            run.derivatives(0.0, &y, &mut f).ok()?;
            sum.iter_mut().zip(&f).for_each(|(sum, f)| *sum += sign * weight * f / h);
        }
    }
    Some(sum)
}

/// Largest deviation of the matrix at a state from differences, over the largest entry of the column.
fn deviation(run: &mut Run<'_>, y: &[f64]) -> f64 {
    let pattern = run.extended_pattern().expect("an extended pattern");
    let (mut matrix, mut f) = (Matrix::sparse(&pattern), vec![0.0; y.len()]);
    run.derivatives(0.0, y, &mut f).expect("derivatives");
    let filled = run.jacobian(0.0, y, &f, &mut matrix).expect("a Jacobian");
    filled.expect("a value");
    // Whatever was perturbed on the way is as before.
    let mut again = vec![0.0; y.len()];
    run.derivatives(0.0, y, &mut again).expect("derivatives");
    assert_eq!(f, again);
    let rows = reduced(&pattern, &matrix);
    let mut worst = 0.0f64;
    for column in 0..y.len() {
        let expected = differences(run, y, column).expect("values near the state");
        let largest = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        for (row, expected) in rows.iter().zip(&expected) {
            worst = worst.max((row[column] - expected).abs() / largest);
        }
    }
    worst
}

/// Random trees with all joints and elements between any two of their bodies.
#[test]
fn entries_are_slopes_of_the_derivatives() {
    let mut worst = 0.0f64;
    for seed in 0..40 {
        let text =
            random_springs(seed, 26, Text::new(GRAVITY, Settings::new("stiff", 1e-6, 1.0, 0.1)));
        let model = model(text);
        let system = system(&model);
        let mut run = Run::new(&system);
        let mut r = Random::new(seed + 1000);
        let mut y = system.initial_state();
        y.iter_mut().for_each(|y| *y += r.between(-0.1, 0.1));
        worst = worst.max(deviation(&mut run, &y));
    }
    println!("slopes: {worst:.1e}");
    // Elements are differenced with a step of 1e-7 (2e-9 of their forces); the differences here lose 1e-13 of accelerations of
    // up to 1e3 over their step.
    assert!(worst < 1e-6, "{worst:.1e}");
}

/// The model of all joints and elements, without forces that use signals; contacts, stops and one-sided springs in the modes of
/// several instants.
#[test]
fn entries_are_slopes_in_the_modes_of_a_run() {
    for text in [
        without_signals(Settings::new("stiff", 1e-6, 1.0, 0.1)),
        frictions(Settings::new("stiff", 1e-6, 1.0, 0.1)),
    ] {
        let model = model(text);
        let system = system(&model);
        let mut run = Run::new(&system);
        let tolerance = Tolerance::new(1e-7, 1e-7);
        let settings = integrate::Settings::new(MethodKind::Stiff, tolerance);
        let mut driver = build_for(MethodKind::Stiff, &run, &settings).expect("a driver");
        driver.start(&mut run, 0.0, &system.initial_state(), 1.0, &mut Silent).expect("a start");
        for t in [0.02, 0.05, 0.3, 0.6] {
            while driver.advance(&mut run, t, &mut Silent).expect("a run") != Stop::Output {}
            let y = driver.y().to_vec();
            let worst = deviation(&mut run, &y);
            println!("t = {t}: {worst:.1e}");
            assert!(worst < 1e-5, "{t}: {worst:.1e}");
        }
    }
}

/// A chain with friction in all joints, of which some slide and some hold, and one locked joint.
fn frictions(settings: Settings) -> String {
    let mut text = Text::new(GRAVITY, settings);
    for k in 0..26 {
        let mother = if k == 0 { "world".into() } else { format!("b{}", k - 1) };
        let (joint, body) = (format!("j{k}"), format!("b{k}"));
        let more = if k == 7 { "Locked = yes;" } else { "Friction = 0.3, 0.2; Stiffness = 20;" };
        let axis = ["1, 0, 0", "0, 1, 0", "0, 0.6, 0.8"][k % 3];
        text = text
            .joint(
                "Revolute",
                [&joint, &mother, &body],
                [0.1, 0.0, 0.0],
                &format!("JointAxis = {axis}; {more}"),
            )
            .body([&body, &mother, &joint], 0.1, [0.01; 3], [0.05, 0.0, 0.0]);
    }
    text.text().to_string()
}

/// Frictions that stick and slide: implicit and explicit runs agree, with as many events.
#[test]
fn frictions_agree_with_the_explicit_method() {
    let end = |solver, tolerance| {
        let outcome =
            simulate::run(&frictions(Settings::new(solver, tolerance, 0.5, 0.1))).complete();
        let events = outcome.summary.statistics.roots;
        (outcome.table("csv").rows.last().expect("a row").clone(), events)
    };
    let (reference, events) = end("derf", 1e-10);
    let (found, found_events) = end("stiff", 1e-8);
    assert_eq!(events, found_events);
    assert!(events > 20, "{events}");
    for (found, reference) in found.iter().zip(&reference) {
        let allowed = 1e-5 * (1.0 + reference.abs());
        assert!((found - reference).abs() < allowed, "{found} {reference}");
    }
}

/// Where forces use signals, a matrix of the states alone is differenced as before.
#[test]
fn forces_that_use_signals_have_no_extended_matrix() {
    let settings = Settings::new("stiff", 1e-6, 1.0, 0.1);
    let has_one = |text: String| {
        let model = model(text);
        let system = system(&model);
        Run::new(&system).extended_pattern().is_some()
    };
    assert!(!has_one(everything(settings)));
    assert!(has_one(without_signals(settings)));
}

/// Implicit and explicit runs of random trees end in the same state.
#[test]
fn runs_agree_with_the_explicit_method() {
    for seed in 0..6 {
        let end = |solver, tolerance| {
            let text = random_springs(
                seed,
                26,
                Text::new(GRAVITY, Settings::new(solver, tolerance, 0.5, 0.1)),
            );
            let outcome = simulate::run(&text).complete();
            outcome.table("csv").rows.last().expect("a row").clone()
        };
        let reference = end("derf", 1e-11);
        for solver in ["stiff", "radau5"] {
            for (found, reference) in end(solver, 1e-9).iter().zip(&reference) {
                let allowed = 1e-6 * (1.0 + reference.abs());
                assert!(
                    (found - reference).abs() < allowed,
                    "{seed} {solver}: {found} {reference}"
                );
            }
        }
    }
}

/// A chain has a number of entries in proportion to its bodies.
#[test]
fn entries_are_as_many_as_bodies() {
    let count = |n: usize| {
        let mut text = Text::new([0.0, 0.0, -9.81], Settings::new("stiff", 1e-6, 1.0, 0.1));
        for k in 0..n {
            let mother = if k == 0 { "world".into() } else { format!("b{}", k - 1) };
            let (joint, body) = (format!("j{k}"), format!("b{k}"));
            text = text
                .joint(
                    "Revolute",
                    [&joint, &mother, &body],
                    [1.0, 0.0, 0.0],
                    "JointAxis = 0, 1, 0;",
                )
                .body([&body, &mother, &joint], 1.0, [0.1, 0.1, 0.1], [0.5, 0.0, 0.0]);
        }
        let model = model(text.text());
        let system = system(&model);
        let pattern = Run::new(&system).extended_pattern().expect("an extended pattern");
        (0..pattern.len()).map(|column| pattern.rows(column).len()).sum::<usize>()
    };
    let (few, many) = (count(40), count(80));
    assert_eq!(count(120) - many, many - few);
}
