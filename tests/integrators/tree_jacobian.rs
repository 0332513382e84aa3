//! The extended Jacobian of trees: its entries against differences, runs that use it against the explicit method, and its size.
#![allow(clippy::expect_used)]

use dysim_tests::blocks::{Run as Settings, Text, list};
use dysim_tests::everything::{everything, without_signals};
use dysim_tests::loading::{model, system};
use dysim_tests::random::Random;
use dysim_tests::simulate;
use engine::internals::system::Run;
use integrate::{Hints, Matrix, MethodKind, Pattern, Problem, Silent, Stop, Tolerance, build_for};

/// Joints with their numbers of freedoms and of coordinates that the user gives.
const JOINTS: [(&str, usize); 12] = [
    ("Revolute", 1),
    ("Prismatic", 1),
    ("Screw", 1),
    ("Universal", 2),
    ("Cylindrical", 2),
    ("BiPrismatic", 2),
    ("ConstantVelocity", 2),
    ("Spherical", 3),
    ("TriPrismatic", 3),
    ("Planar", 3),
    ("Free", 6),
    ("Bracket", 0),
];

/// The axes that a joint asks for.
fn axes(keyword: &str, r: &mut Random) -> String {
    let axis = |r: &mut Random| list(&r.direction().to_array());
    let point = |r: &mut Random| list(&r.vector(0.2).to_array());
    match keyword {
        "Revolute" | "Cylindrical" | "Planar" => {
            format!("JointAxis = {}; JointPoint = {};", axis(r), point(r))
        }
        "Prismatic" => format!("JointAxis = {};", axis(r)),
        "Screw" => format!("JointAxis = {}; JointPoint = {}; Pitch = 0.2;", axis(r), point(r)),
        "Universal" => format!(
            "JointAxis1 = 1, 0, 0.1; JointPoint1 = {}; JointAxis2 = 0.2, 1, 0; JointPoint2 = {};",
            point(r),
            point(r)
        ),
        "BiPrismatic" => "JointAxis1 = 1, 0, 0.3; JointAxis2 = 0, 1, 0.5;".into(),
        "ConstantVelocity" => "JointAxis1 = 1, 0, 0.2; JointAxis2 = 0.3, 1, 0;".into(),
        _ => String::new(),
    }
}

/// A random tree with at least 26 freedoms, springs, dampers, bushings, loads and joint forces; no element switches, so that
/// differences may cross every state.
fn random_model(seed: u64, run: Settings) -> String {
    let mut r = Random::new(seed);
    let mut text = Text::new([0.4, -0.3, -9.81], run);
    let (mut freedoms, mut bodies) = (0, 0);
    while freedoms < 26 {
        let (keyword, count) = JOINTS[r.below(JOINTS.len())];
        let back = 1 + r.below(3);
        let mother = if bodies < back { "world".into() } else { format!("b{}", bodies - back) };
        let mut parameters = axes(keyword, &mut r);
        if count > 0 {
            let numbers = |r: &mut Random, low: f64, high: f64| {
                list(&(0..count).map(|_| r.between(low, high)).collect::<Vec<f64>>())
            };
            parameters += &format!("Qinit = {};", numbers(&mut r, -0.4, 0.4));
            parameters += &format!("QDinit = {};", numbers(&mut r, -0.5, 0.5));
            let ball = matches!(keyword, "Spherical" | "Free");
            let angular = !matches!(keyword, "Prismatic" | "BiPrismatic" | "TriPrismatic");
            parameters += if angular { " Degrees = rad;" } else { "" };
            parameters += if ball { " AngleType = cardan;" } else { "" };
            parameters += &format!(" Damping = {};", numbers(&mut r, 0.5, 2.0));
            parameters += &format!(" Stiffness = {};", numbers(&mut r, 50.0, 100.0));
            if r.below(3) == 0 && !ball {
                parameters += &format!(" RotorInertia = {};", numbers(&mut r, 0.1, 0.5));
            }
        }
        let (joint, body) = (format!("j{bodies}"), format!("b{bodies}"));
        let shape = [r.between(0.05, 0.06), r.between(0.05, 0.06), r.between(0.06, 0.08)];
        text = text
            .joint(keyword, [&joint, &mother, &body], r.vector(0.4).to_array(), &parameters)
            .body([&body, &mother, &joint], r.between(0.5, 2.0), shape, r.vector(0.2).to_array())
            .triad(&format!("t{bodies}"), &body, r.vector(0.3).to_array());
        if keyword == "Revolute" {
            text = text.with(&format!(
                "RSDA \"r{bodies}\" {{ Joint1D = {joint}; ElasticLinear = 20; DampingLinear = 1; }}"
            ));
        }
        (freedoms, bodies) = (freedoms + count, bodies + 1);
    }
    text = text.triad("t_world", "world", [0.1, 0.2, 3.0]);
    let triad = |r: &mut Random| match r.below(bodies + 1) {
        0 => String::from("t_world"),
        k => format!("t{}", k - 1),
    };
    let diagonal: Vec<f64> =
        (0..36).map(|k| if k % 7 == 0 { 40.0 } else { r.between(-3.0, 3.0) }).collect();
    let matrix = list(&diagonal);
    for k in 0..6 {
        let (from, to) = (triad(&mut r), triad(&mut r));
        if from == to {
            continue;
        }
        let ends = format!("TriadFrom = {from}; TriadTo = {to};");
        text = text.with(&match k % 3 {
            0 => format!(
                "Spring \"s{k}\" {{ {ends} ElasticLinear = 80; DampingLinear = 3; ZeroLength = 0.3; }}"
            ),
            1 => format!(
                "Bushing \"u{k}\" {{ {ends} ElasticLinear = {matrix}; DampingLinear = {matrix}; AngleType = cardan; Degrees = rad; }}"
            ),
            _ => format!("Force \"f{k}\" {{ {ends} Vector = sin(3*t), 2, -1; Frame = local; }}"),
        });
    }
    text.with("Torque \"q\" { TriadTo = t0; Vector = 0.1, 0.2*cos(t), 0.3; Frame = world; }")
        .text()
        .to_string()
}

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
        let text = random_model(seed, Settings::new("stiff", 1e-6, 1.0, 0.1));
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
    let text = without_signals(Settings::new("stiff", 1e-6, 1.0, 0.1));
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
            let text = random_model(seed, Settings::new(solver, tolerance, 0.5, 0.1));
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
