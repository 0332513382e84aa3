//! Closed loops: reference values, drift, choice of the cut, redundancy, prescribed motions.

use dysim_tests::mechanisms::{FOUR_BAR, FOUR_BAR_ANGLES, Settings, four_bar, joint, rod, triad};
use dysim_tests::simulate::{Outcome, run};

fn residuals(outcome: &Outcome) -> (f64, f64) {
    let log = outcome.text("log");
    let line = log.lines().find(|line| line.starts_with("largest residuals")).expect(&log);
    let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    (numbers[0], numbers[1])
}

/// Ten digits of `multibody-algorithms` 3.10, from an independent script.
#[test]
fn a_four_bar_has_the_accelerations_and_reactions_of_the_reference() {
    for formalism in ["recursive", "dense"] {
        let signals = "J1.qdd, J2.qdd, J3.qdd, J1.fx, J1.fy, J3.fx, J3.fy, L.qdd, L.q";
        let settings =
            Settings { signals: signals.into(), formalism, end: 0.01, ..Settings::default() };
        let outcome = run(&four_bar(&settings, "Revolute", "")).complete();
        let table = outcome.table("csv");
        let at = |name: &str| table.at(0.0, name);
        // The rates are given with ten decimals; a rate enters the accelerations with factors below 100.
        let near = |found: f64, value: f64| {
            assert!((found - value).abs() < 1e-7, "{formalism}: {found} {value}");
        };
        near(at("J1.qdd"), -28.1558961098);
        near(at("J2.qdd"), 40.9963034697);
        near(at("J3.qdd"), 0.5492679145);
        near(at("J1.fx") + at("J3.fx"), 9.3388646526);
        near(at("J1.fy") + at("J3.fy"), 30.5915892363);
        // About A0: the force at B0 has an arm of one metre.
        near(at("J3.fy"), 20.5216174829);
        let [_, coupler, rocker] = FOUR_BAR_ANGLES;
        near(at("L.q"), coupler - rocker);
        near(at("L.qdd"), 40.9963034697 - 28.1558961098 - 0.5492679145);
    }
}

#[test]
fn a_four_bar_does_not_drift() {
    let settings = Settings { end: 100.0, step: 0.1, ..Settings::default() };
    for solver in ["de", "derf", "odeint_rk"] {
        let text = four_bar(&Settings { solver, ..settings.clone() }, "Revolute", "");
        let outcome = run(&text).complete();
        let (gap, rate) = residuals(&outcome);
        assert!(gap < 1e-10 && rate < 1e-9, "{solver}: {gap} {rate}");
    }
}

#[test]
fn energy_is_kept() {
    let settings = Settings { end: 10.0, step: 0.1, tolerance: 1e-9, ..Settings::default() };
    for solver in ["de", "odeint_rk", "odeint_bs", "stiff"] {
        let text = four_bar(&Settings { solver, ..settings.clone() }, "Revolute", "");
        let outcome = run(&text).complete();
        let gap = outcome.summary.balance.relative_gap();
        assert!(gap < 1e-6, "{solver}: {gap}");
        let (gap, rate) = residuals(&outcome);
        assert!(gap < 1e-10 && rate < 1e-9, "{solver}: {gap} {rate}");
    }
}
