//! Components of `library/biomechanics.dys`.

use std::path::Path;

use dysim_tests::simulate::{Outcome, run_file};

fn run() -> Outcome {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/library/biomechanics_elbow.dys");
    run_file(&path).complete()
}

/// Force of the active fibres over length, both related to their optimum.
fn active(length: f64) -> f64 {
    (-(length - 1.0).powi(2) / 0.45).exp() * (1.0 - (-(length / 0.2).powi(4)).exp())
}

/// Force of the parallel element.
fn passive(length: f64) -> f64 {
    if length > 1.0 { ((5.0 * (length - 1.0) / 0.6).exp() - 1.0) / (5f64.exp() - 1.0) } else { 0.0 }
}

/// Force of the tendon over its strain; it is linear behind the toe.
fn tendon(strain: f64) -> f64 {
    let toe = 0.609 * 0.033;
    if strain > toe {
        0.33 + 1.712 / 0.033 * (strain - toe)
    } else {
        0.33 / (3f64.exp() - 1.0) * ((3.0 * strain.max(0.0) / toe).exp() - 1.0)
    }
}

/// At rest the fibres pull at the tendon with what it holds: one equation for their length.
#[test]
fn a_muscle_that_is_held_comes_to_the_force_of_its_curves() {
    let table = run().table("csv");
    let cosine = |l: f64| (1.0 - (0.1 * 0.2f64.sin() / l).powi(2)).sqrt();
    let pull = |l: f64| 1000.0 * (0.8 * active(l / 0.1) + passive(l / 0.1)) * cosine(l);
    let held = |l: f64| 1000.0 * tendon((0.305 - l * cosine(l)) / 0.2 - 1.0);
    let (mut low, mut high) = (0.09, 0.11);
    assert!(pull(low) < held(low) && pull(high) > held(high));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if pull(middle) < held(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    // Half a second after it began the excitation has come to rest to ten digits.
    let (l, f) = (table.at(0.6, "held.l"), table.at(0.6, "held.f"));
    assert!((l - low).abs() < 1e-8, "{l} instead of {low}");
    assert!((f - pull(low)).abs() < 1e-4, "{f} instead of {}", pull(low));
}

/// The rise of the activation has a closed form for the time that it takes: a' = (u - a)/(T (0.5 + 1.5 a)).
#[test]
fn activation_rises_in_its_time() {
    let table = run().table("csv");
    let (u, start) = (0.8, 0.01);
    for row in 21..=30 {
        let t = 0.005 * f64::from(row);
        let a = table.at(t, "held.a");
        let logarithm = ((u - start) / (u - a)).ln();
        let passed = 0.015 * ((0.5 + 1.5 * u) * logarithm - 1.5 * (a - start));
        assert!((passed - (t - 0.1)).abs() < 1e-7, "t = {t}: {passed}");
    }
}

/// Under a constant load the speed is that of Hill's hyperbola, (F + A)(v + b) constant, for what the length leaves of the force.
#[test]
fn a_muscle_with_a_load_shortens_with_the_speed_of_hill() {
    let table = run().table("csv");
    // A sixth of ten optimal lengths in a second, at the start; the damper takes a millionth of the force.
    assert!((table.at(0.0, "pulling.v") + 1.0 / 6.0).abs() < 1e-6);
    for row in &table.rows {
        let of = |name: &str| row[table.index(name)];
        // The largest speed is ten times 0.1 m in a second.
        let x = of("pulling.v");
        let force = active(of("pulling.l") / 0.1) * (1.0 + x) / (1.0 - x / 0.25) + 1e-6 * x;
        assert!((force - 0.5).abs() < 1e-9, "t = {}: {force}", row[0]);
        // The tendon keeps the length that the load gives it, on its linear part.
        let strain = 0.609 * 0.033 + (0.5 - 0.33) * 0.033 / 1.712;
        let whole = of("pulling.l") + 0.2 * (1.0 + strain);
        assert!((of("pulling.total") - whole).abs() < 1e-9, "t = {}", row[0]);
    }
}

/// The forearm moves by the forces of its muscles at their levers, its weight and its damper; the energy is kept.
#[test]
fn muscles_turn_the_forearm() {
    let outcome = run();
    let table = outcome.table("csv");
    let inertia = 0.025 + 3.0 * 0.15 * 0.15;
    for row in &table.rows {
        let of = |name: &str| row[table.index(name)];
        let torque = 0.04 * of("flexor.f")
            - 0.025 * of("extensor.f")
            - 3.0 * 9.81 * 0.15 * of("arm.q").cos()
            - 0.2 * of("arm.qd");
        assert!((inertia * of("arm.qdd") - torque).abs() < 1e-9, "t = {}", row[0]);
    }
    // The flexor lifts the arm above the horizontal, the extensor puts it down.
    assert!(table.column("arm.q").iter().any(|&q| q > 0.0) && table.last("arm.q") < -0.5);
    let gap = outcome.summary.balance.relative_gap();
    assert!(gap < 1e-7, "{gap:e}");
}

/// The speed that the muscles take is the one at which fibres, parallel element and damper pull together as the tendon does, while
/// they shorten and while they are stretched.
#[test]
fn fibres_pull_as_the_tendon_does() {
    let table = run().table("csv");
    // Force over speed, as it is printed: the component solves it for the speed.
    let speed = |x: f64| {
        if x < 0.0 { (1.0 + x) / (1.0 - x / 0.25) } else { 1.4 - 0.16 / (0.4 + 5.0 * x) }
    };
    let mut ways = [0, 0];
    for (name, largest, optimum, turned) in
        [("held", 1000.0, 0.1, 0.2f64), ("flexor", 600.0, 0.12, 0.0), ("extensor", 800.0, 0.1, 0.0)]
    {
        for row in &table.rows {
            let of = |signal: &str| row[table.index(&format!("{name}.{signal}"))];
            let (l, x) = (of("l"), of("v") / (10.0 * optimum));
            let cosine = (1.0 - (optimum * turned.sin() / l).powi(2)).sqrt();
            let relative =
                of("a") * active(l / optimum) * speed(x) + passive(l / optimum) + 0.05 * x;
            let force = largest * cosine * relative;
            assert!((of("f") - force).abs() < 1e-6, "{name} at t = {}: {force}", row[0]);
            ways[usize::from(x > 0.01)] += 1;
        }
    }
    assert!(ways[0] > 100 && ways[1] > 100, "{ways:?}");
}
