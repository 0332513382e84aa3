//! Models with methods for real time: accuracy beside the stiff solver, stability, all examples.

use dysim_tests::blocks::Run;
use dysim_tests::examples::{example, with_solver};
use dysim_tests::programs::root;
use dysim_tests::simulate::{Outcome, run};

/// A column of the signals.
fn signal(outcome: &Outcome, name: &str) -> Vec<f64> {
    outcome.table("csv").column(name)
}

/// A weight in a rubber mount of 20 microseconds on a swing of a second, with steps of 1 and 0.5 ms: the explicit method cannot follow,
/// the others come nearer to the stiff solver by a half.
#[test]
fn a_mount_on_a_swing_is_stable_with_fast_states() {
    let text = example("mechanics/stiff_mount");
    let how = |solver, tolerance, step| Run {
        solver,
        relative: tolerance,
        absolute: 1e-2 * tolerance,
        end: 0.25,
        step,
    };
    let at_end = |how| {
        let outcome = run(&with_solver(&text, how)).complete();
        signal(&outcome, "J.q").last().copied().unwrap_or(f64::NAN)
    };
    let exact = at_end(how("stiff", 1e-8, 0.05));
    for solver in ["euler_implicit", "euler_mixed"] {
        let error = |step| (at_end(how(solver, 1e-6, step)) - exact).abs();
        let (coarse, fine) = (error(1e-3), error(5e-4));
        // The speed reaches a t = 2 rad/s, and an error of a step in time is h a t.
        assert!(coarse < 1e-3 * 8.0 * 0.25, "{solver} {coarse:e}");
        assert!((coarse / fine - 2.0).abs() < 0.2, "{solver} {coarse:e} {fine:e}");
    }
    let explicit = run(&with_solver(&text, how("euler", 1e-6, 1e-3)));
    assert!(explicit.error.is_some(), "a step fifty times too long");
}

/// The log names the fast states, those of bodies and those of networks.
#[test]
fn the_log_names_the_fast_states() {
    let text = example("mechanics/stiff_mount");
    let how = Run { solver: "euler_mixed", relative: 1e-6, absolute: 1e-6, end: 0.01, step: 1e-3 };
    let log = run(&with_solver(&text, how)).complete().text("log");
    assert!(log.contains("states are fast: J.q, "), "{log}");
    assert!(log.contains("W.qd[1], W.qd[2]"), "{log}");
    let how = Run { end: 1e-3, step: 1e-4, ..how };
    let log = run(&with_solver(&example("circuits/rc_rl"), how)).complete().text("log");
    // Time constants of 0.1 and 0.075 ms.
    assert!(log.contains("2 of 2 states are fast: C.v, L.i"), "{log}");
    assert!(log.contains("time per step, us: mean "), "{log}");
}

/// Runs every example of a folder in mixed mode, for up to 300 steps of a tenth of its output interval.
fn run_examples(folder: &str) {
    let mut count = 0;
    for entry in std::fs::read_dir(root().join("models").join(folder)).expect("a folder").flatten()
    {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "dys") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = example(&format!("{folder}/{name}"));
        let loaded = dysim_tests::simulate::read(&text);
        let Some(model) = &loaded.model else { panic!("{name}") };
        let step = 0.1 * model.solver.output_step;
        let end = (300.0 * step).min(model.solver.end);
        let how = Run { solver: "euler_mixed", relative: 1e-6, absolute: 1e-9, end, step };
        let outcome = run(&with_solver(&text, how));
        assert!(outcome.error.is_none(), "{name}: {:?}", outcome.error);
        let finite = |row: &Vec<f64>| row.iter().all(|value| value.is_finite());
        assert!(outcome.table("csv").rows.iter().all(finite), "{name}");
        count += 1;
    }
    assert!(count > 3, "{folder}");
}

#[test]
fn examples_of_mechanics_run_in_mixed_mode() {
    run_examples("mechanics");
}

#[test]
fn examples_that_switch_run_in_mixed_mode() {
    run_examples("switching");
}

#[test]
fn examples_of_circuits_run_in_mixed_mode() {
    run_examples("circuits");
}

#[test]
fn examples_of_loops_run_in_mixed_mode() {
    run_examples("loops");
}
