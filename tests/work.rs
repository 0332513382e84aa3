//! Work: evaluations, steps and orders of the methods, as numbers.
//!
//! `de` is held against the original Shampine-Gordon code, whose counts and step logs are in
//! `references/`. Both use IEEE double arithmetic in the same order, so most numbers agree exactly;
//! the right-hand sides are written independently, and their last bits differ.

use dysim_tests::ode::reference::{count, number, rows};
use dysim_tests::ode::run::{Outcome, Recorder, driver, integrate};
use dysim_tests::ode::standard::find;
use engine::integrators::{MethodKind, Settings, Tolerance};

/// `de` with the supervision of the original: work counted per output point.
fn run_de(
    name: &str,
    relative: f64,
    absolute: f64,
    outputs: usize,
    stop: bool,
    recorder: &mut Recorder,
) -> Outcome {
    let mut problem = find(name).expect("a problem of the tables");
    let mut settings = Settings::new(MethodKind::De, Tolerance::new(relative, absolute));
    settings.events.count_per_output = true;
    settings.events.stop_at_outputs = stop;
    let mut driver = driver(MethodKind::De, &problem, &settings);
    let (span, y0) = ((problem.t0, problem.t1), problem.y0.clone());
    integrate(&mut driver, &mut problem, span, &y0, outputs, recorder).expect("a run to the end")
}

/// All 25 problems, four mixed and three absolute tolerances. The rule is 1 % of deviation in
/// evaluations and steps; a handful of last-bit deviations is reported by the test itself.
#[test]
fn de_needs_the_evaluations_and_steps_of_the_original_on_detest() {
    let (mut exact, mut total) = (0, 0);
    let mut deviations = Vec::new();
    for row in rows("detest_counts.csv") {
        let (relative, absolute) = (number(&row[1]), number(&row[2]));
        let expected = (count(&row[3]), count(&row[4]), count(&row[5]));
        let mut recorder = Recorder::default();
        let s = run_de(&row[0], relative, absolute, 1, false, &mut recorder).statistics;
        let found = (s.evaluations, s.steps, s.highest_order as u64);
        total += 1;
        if found == expected {
            exact += 1;
        } else {
            deviations
                .push(format!("{} {relative:e} {absolute:e}: {found:?} {expected:?}", row[0]));
        }
        let near = |a: u64, b: u64| a.abs_diff(b) as f64 <= 0.01 * b as f64;
        assert!(near(found.0, expected.0) && near(found.1, expected.1), "{deviations:?}");
    }
    println!("{exact} of {total} exact; others: {deviations:#?}");
    assert_eq!(total, 175);
    assert!(deviations.len() <= 5, "{deviations:#?}");
}
