//! The interface that all methods share: limits, restarts, raised tolerances, errors, arithmetic.
#![allow(clippy::expect_used)]

use std::f64::consts::FRAC_PI_2;

use dysim_tests::ode::harness::CONTROLLED;
use dysim_tests::ode::run::{Recorder, driver, integrate, max_difference};
use dysim_tests::ode::{Ode, standard::find};
use integrate::{
    CashKarp, EvaluationError, Events, Hints, IntegrationError, Method, MethodKind, Problem,
    Settings, SettingsError, Silent, Start, StepLimits, StepReport, Target, Tolerance, build,
    fixed_step,
};

fn problem(name: &str) -> Ode {
    find(name).expect("a problem of the tables")
}

fn settings(kind: MethodKind, tolerance: f64) -> Settings {
    Settings::new(kind, Tolerance::new(tolerance, tolerance))
}

/// Values of the classical tableau in 30 digits, h = 0.01 and h = 0.1. Round-off of 1000 steps.
#[test]
fn rk4_is_the_classical_tableau() {
    let cases = [
        ("PEND", 0.01, [-0.278_680_798_081_964_66, 4.343_160_602_467_375]),
        ("PEND", 0.1, [-0.276_525_744_796_532_86, 4.342_909_692_026_332]),
        ("HARM", 0.01, [-0.839_071_529_523_960_4, 0.544_021_110_186_390_7]),
        ("HARM", 0.1, [-0.839_075_464_413_064_7, 0.544_013_766_248_772_8]),
    ];
    for (name, h, expected) in cases {
        let mut problem = problem(name);
        let y0 = problem.y0.clone();
        let mut settings = settings(MethodKind::Rk4, 1e-6);
        settings.fixed_step = h;
        let mut driver = driver(MethodKind::Rk4, &problem, &settings);
        let run = integrate(&mut driver, &mut problem, (0.0, 10.0), &y0, 1, &mut Silent);
        let outcome = run.expect("a run to the end");
        assert_eq!(outcome.statistics.steps, (10.0 / h) as u64);
        assert_eq!(outcome.statistics.evaluations, 4 * outcome.statistics.steps + 1);
        assert!(max_difference(&outcome.y, &expected) < 1e-11, "{name} {h}: {:?}", outcome.y);
    }
}

/// One step of 0.1 s on the pendulum, in 30 digits.
#[test]
fn cash_karp_is_its_tableau() {
    let mut pendulum = problem("PEND");
    let limits = StepLimits { max: 0.1, min: 0.0, initial: Some(0.1) };
    let mut method = CashKarp::new(2, Tolerance::new(1.0, 1.0), limits);
    method.restart(0.0, &[-FRAC_PI_2, 0.0], &[0.0, 9.81], Start::Cold);
    method.step(&mut pendulum, Target { toward: 0.1, bound: 0.1 }).expect("a step");
    let expected = [-1.521_750_456_531_432_8, 0.980_764_021_608_176_3];
    assert!(max_difference(method.y(), &expected) < 1e-14);
}

/// Decision 14: h = Tstep / ceil(Tstep / TstepMax), through the whole run.
#[test]
fn rk4_divides_the_output_interval() {
    let mut problem = problem("HARM");
    let mut settings = settings(MethodKind::Rk4, 1e-6);
    settings.fixed_step = fixed_step(0.1, 0.04);
    let mut driver = driver(MethodKind::Rk4, &problem, &settings);
    let mut recorder = Recorder::default();
    integrate(&mut driver, &mut problem, (0.0, 1.0), &[1.0, 0.0], 10, &mut recorder).expect("run");
    assert_eq!(recorder.steps.len(), 30);
    assert!(recorder.steps.iter().all(|s| (s.h - 0.1 / 3.0).abs() < 1e-15));
}

/// `derf` without guards is `de`: same steps, same bits.
#[test]
fn derf_without_guards_is_de() {
    for name in ["PEND", "D5", "LORENZ", "C5"] {
        let mut runs = Vec::new();
        for kind in [MethodKind::De, MethodKind::Derf] {
            let mut problem = problem(name);
            let (span, y0) = ((problem.t0, problem.t1), problem.y0.clone());
            let mut driver = driver(kind, &problem, &settings(kind, 1e-8));
            let mut recorder = Recorder::default();
            let run = integrate(&mut driver, &mut problem, span, &y0, 50, &mut recorder);
            let outcome = run.expect("a run to the end");
            runs.push((recorder.steps, outcome.outputs, outcome.statistics));
        }
        assert!(runs[0] == runs[1], "{name}");
    }
}

/// After a start anew at the first point every method repeats its own opening, bit for bit, with
/// nothing left over from what it had done before.
#[test]
fn a_restart_repeats_the_opening() {
    for kind in MethodKind::ALL {
        let mut problem = problem("LORENZ");
        let y0 = problem.y0.clone();
        let mut settings = settings(kind, 1e-7);
        settings.fixed_step = 0.01;
        let mut driver = driver(kind, &problem, &settings);
        let mut openings: Vec<(Vec<StepReport>, Vec<f64>)> = Vec::new();
        for _ in 0..3 {
            let mut recorder = Recorder::default();
            let run = integrate(&mut driver, &mut problem, (0.0, 3.0), &y0, 7, &mut recorder);
            openings.push((recorder.steps, run.expect("a run to the end").y));
        }
        assert!(openings[0] == openings[1] && openings[1] == openings[2], "{kind:?}");
    }
}

/// `stiff` stands for `radau`: the same steps, bit for bit.
#[test]
fn stiff_is_another_name_of_radau() {
    let [stiff, radau] = [MethodKind::Stiff, MethodKind::Radau].map(|kind| {
        let mut problem = problem("LORENZ");
        let y0 = problem.y0.clone();
        let mut driver = driver(kind, &problem, &settings(kind, 1e-7));
        let mut recorder = Recorder::default();
        let run = integrate(&mut driver, &mut problem, (0.0, 3.0), &y0, 7, &mut recorder);
        (recorder.steps, run.expect("a run to the end").y)
    });
    assert!(stiff == radau);
}

/// `TstepMax` binds every step; `TstepIni` binds the first.
#[test]
fn step_limits_are_honoured() {
    for kind in CONTROLLED {
        let mut problem = problem("HARM");
        let mut settings = settings(kind, 1e-6);
        settings.limits = StepLimits { max: 0.05, min: 0.0, initial: Some(1e-3) };
        let mut driver = driver(kind, &problem, &settings);
        let mut recorder = Recorder::default();
        let run = integrate(&mut driver, &mut problem, (0.0, 5.0), &[1.0, 0.0], 3, &mut recorder);
        run.expect("a run to the end");
        assert!(recorder.steps[0].h <= 1e-3, "{kind:?}");
        assert!(recorder.steps.iter().all(|s| s.h <= 0.05 * (1.0 + 1e-12)), "{kind:?}");
        // The limit binds for most of the way, so it is also reached.
        assert!(recorder.steps.iter().any(|s| s.h > 0.04), "{kind:?}");
    }
}

/// A step that `TstepMin` forbids ends the run with an error that says where and what to try.
#[test]
fn a_failure_at_the_smallest_step_is_an_error() {
    for kind in CONTROLLED {
        let mut problem = problem("D5");
        let y0 = problem.y0.clone();
        let mut settings = settings(kind, 1e-10);
        settings.limits = StepLimits { max: 1.0, min: 0.5, initial: None };
        let mut driver = driver(kind, &problem, &settings);
        let run = integrate(&mut driver, &mut problem, (0.0, 20.0), &y0, 1, &mut Silent);
        let error = run.expect_err("steps of half a unit cannot do");
        let named = matches!(
            error,
            IntegrationError::StepTooSmall { .. } | IntegrationError::NoConvergence { .. }
        );
        assert!(named, "{kind:?}: {error}");
        let text = error.to_string();
        assert!(text.contains("TstepMin") && text.contains("t = "), "{text}");
    }
}

/// A tolerance below round-off is raised, said so, and the result is as good as the arithmetic.
#[test]
fn a_tolerance_below_round_off_is_raised_and_reported() {
    for kind in CONTROLLED {
        let mut problem = problem("HARM");
        let mut driver = driver(kind, &problem, &settings(kind, 1e-17));
        let mut recorder = Recorder::default();
        let run = integrate(&mut driver, &mut problem, (0.0, 20.0), &[1.0, 0.0], 1, &mut recorder);
        let outcome = run.expect("a run to the end");
        assert!(outcome.statistics.tolerance_raises > 0, "{kind:?}");
        assert!(recorder.notices.iter().any(|n| n.starts_with("ToleranceRaised")), "{kind:?}");
        // Raised to about 16 round-offs; 20 units of time and up to 1e4 steps make it a hundred
        // to a thousand times that, and more steps of order 5 in proportion.
        let error = (outcome.y[0] - 0.408_082_061_813_392).abs();
        let steps = outcome.statistics.steps as f64;
        assert!(error < 1e-12 * (1e-4 * steps).max(1.0), "{kind:?}: {error:e}, {steps}");
    }
}

#[test]
fn contradictory_settings_are_refused() {
    let kind = MethodKind::De;
    let refuse = |settings: &Settings| build(kind, 1, 0, settings).err().expect("a refusal");
    assert_eq!(refuse(&settings(kind, 0.0)), SettingsError::NoTolerance);
    assert!(matches!(refuse(&settings(kind, -1.0)), SettingsError::BadTolerance { .. }));
    let mut crossed = settings(kind, 1e-6);
    crossed.limits = StepLimits { max: 1e-3, min: 1e-2, initial: None };
    assert!(refuse(&crossed).to_string().contains("`TstepMin` = 1e-2 exceeds"));
    for name in ["de", "derf", "rk4", "odeint_rk", "odeint_bs", "stiff", "radau", "radau5", "euler"]
    {
        assert_eq!(MethodKind::from_name(name).map(MethodKind::name), Some(name));
    }
    assert_eq!(MethodKind::from_name("heun"), None);
}

/// `y' = y^2` from 1 blows up at t = 1; `y' = -sqrt(y)` leaves its domain at t = 2.
struct Singular {
    root: bool,
}

impl Problem for Singular {
    fn len(&self) -> usize {
        1
    }

    fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        if !self.root {
            f[0] = y[0] * y[0];
            return Ok(());
        }
        if y[0] < 0.0 {
            return Err(EvaluationError::Undefined { index: 0, what: "root of state" });
        }
        f[0] = -1.0 - y[0].sqrt();
        Ok(())
    }
}

impl Events for Singular {}

impl Hints for Singular {}

/// A pole ends in an error near it, not in an endless loop, for every method with error control.
#[test]
fn a_pole_ends_in_an_error_near_it() {
    for kind in CONTROLLED {
        let mut problem = Singular { root: false };
        let mut driver = driver(kind, &problem, &settings(kind, 1e-8));
        let run = integrate(&mut driver, &mut problem, (0.0, 2.0), &[1.0], 1, &mut Silent);
        let error = run.expect_err("no solution beyond t = 1");
        let t = match error {
            IntegrationError::StepTooSmall { t, .. }
            | IntegrationError::NoConvergence { t, .. }
            | IntegrationError::Evaluation { t, .. } => t,
            other => unreachable!("{other}"),
        };
        assert!((t - 1.0).abs() < 1e-3, "{kind:?}: {t}");
    }
}

/// Where the problem has no value, steps shorten and the error carries what the problem said.
#[test]
fn leaving_the_domain_is_reported_with_its_reason() {
    // y' = -1 - sqrt(y) from 1 reaches zero at t = 2 - 2 ln 2.
    let end = 2.0 - 2.0 * 2f64.ln();
    for kind in MethodKind::ALL {
        let mut problem = Singular { root: true };
        let mut settings = settings(kind, 1e-6);
        settings.fixed_step = 0.01;
        let mut driver = driver(kind, &problem, &settings);
        let run = integrate(&mut driver, &mut problem, (0.0, 2.0), &[1.0], 1, &mut Silent);
        let error = run.expect_err("no solution beyond the root");
        let IntegrationError::Evaluation { t, source, .. } = &error else {
            unreachable!("{kind:?}: {error}")
        };
        assert!((t - end).abs() < 0.02, "{kind:?}: {t} {end}");
        assert_eq!(*source, EvaluationError::Undefined { index: 0, what: "root of state" });
    }
}
