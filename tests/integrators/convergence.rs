//! Accuracy: order, proportionality to tolerance, dense output, and end values of known problems.
#![allow(clippy::expect_used)]

use dysim_tests::ode::harness::{CONTROLLED, METHODS};
use dysim_tests::ode::run::{Recorder, driver, integrate, max_difference};
use dysim_tests::ode::standard::find;
use dysim_tests::ode::{Ode, reference};
use integrate::{
    Adams, BulirschStoer, CashKarp, Method, MethodKind, Orders, Problem, Radau, Rk4, Settings,
    Silent, Start, StepLimits, Target, Tolerance,
};

/// Angle of the pendulum at t = 10, from its elliptic functions.
const PENDULUM_AT_10: f64 = -0.278_680_673_569_982_94;

fn error_at_end(kind: MethodKind, problem: &Ode, settings: &Settings, exact: &[f64]) -> f64 {
    let mut problem = problem.clone();
    let mut driver = driver(kind, &problem, settings);
    let (span, y0) = ((problem.t0, problem.t1), problem.y0.clone());
    let outcome = integrate(&mut driver, &mut problem, span, &y0, 1, &mut Silent);
    max_difference(&outcome.expect("a run to the end").y, exact)
}

/// Harmonic oscillator to t = 20: halving the step of rk4 divides the error by 16, within the 5 %
/// that the next term of the error leaves at these steps.
#[test]
fn rk4_has_order_four() {
    let problem = find("HARM").expect("a problem of the tables");
    let (_, exact) = reference::end("HARM").expect("an end value");
    let error = |h: f64| {
        let mut settings = Settings::new(MethodKind::Rk4, Tolerance::new(1e-6, 1e-6));
        settings.fixed_step = h;
        error_at_end(MethodKind::Rk4, &problem, &settings, &exact)
    };
    let ratio = error(0.05) / error(0.025);
    assert!((ratio / 16.0 - 1.0).abs() < 0.05, "{ratio}");
}

/// Pendulum to t = 10 in 200 and 400 equal steps: the error falls by 2^5. The window of half an order is
/// what the next term of the error leaves.
#[test]
fn cash_karp_has_order_five() {
    let problem = find("PEND").expect("a problem of the tables");
    let error = |steps: usize| {
        // A tolerance so loose that TstepMax alone decides: fixed steps.
        let mut settings = Settings::new(MethodKind::OdeintRk, Tolerance::new(1.0, 1e3));
        let h = 10.0 / steps as f64;
        settings.limits = StepLimits { max: h, min: 0.0, initial: Some(h) };
        let mut problem = problem.clone();
        let mut driver = driver(MethodKind::OdeintRk, &problem, &settings);
        let y0 = problem.y0.clone();
        let run = integrate(&mut driver, &mut problem, (0.0, 10.0), &y0, 1, &mut Silent);
        let outcome = run.expect("a run to the end");
        assert_eq!(outcome.statistics.steps, steps as u64);
        (outcome.y[0] - PENDULUM_AT_10).abs()
    };
    let order = (error(200) / error(400)).log2();
    assert!((order - 5.0).abs() < 0.5, "{order}");
}

/// Over nine decades of tolerance the global error of a smooth problem stays below a constant
/// times the tolerance, and falls in proportion to it. The constants say how much the problem
/// amplifies local errors on its way: twice the largest ratio that any method shows.
#[test]
fn errors_follow_the_tolerance() {
    for (name, constant) in [("HARM", 50.0), ("B5", 210.0), ("E2", 370.0), ("D1", 2300.0)] {
        let problem = find(name).expect("a problem of the tables");
        let (_, exact) = reference::end(name).expect("an end value");
        for kind in CONTROLLED {
            let mut points = Vec::new();
            for digits in 3..=12 {
                let tolerance = 10f64.powi(-digits);
                let settings = Settings::new(kind, Tolerance::new(tolerance, tolerance));
                let error = error_at_end(kind, &problem, &settings, &exact);
                assert!(error < constant * tolerance, "{name} {kind:?} 1e-{digits}: {error:e}");
                points.push((f64::from(digits), -error.log10()));
            }
            let window = match kind {
                // Extrapolation takes steps so few that single errors scatter by orders of magnitude.
                MethodKind::OdeintBs => 0.5..1.5,
                // The estimate has order s, the end of the step 2s - 1: 5/4 to 13/8 in the limit.
                MethodKind::Stiff | MethodKind::Radau5 => 0.85..1.65,
                _ => 0.85..1.15,
            };
            let slope = regression(&points);
            assert!(window.contains(&slope), "{name} {kind:?}: {slope}");
        }
    }
}

/// Slope of the straight line of least squares.
fn regression(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let covariance: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let variance: f64 = points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
    covariance / variance
}

/// Known end values at `RelErr = AbsErr = 1e-10`. The reach of the tolerance is its product with
/// the growth of an error along the solution: 1e3 for these, 1e5 for the periodic orbit that
/// passes the moon at a distance of 0.006.
#[test]
fn end_values_are_within_the_reach_of_the_tolerance() {
    for (name, growth) in [
        ("LORENZ", 1e5),
        ("VDP5", 1e3),
        ("BRUSSELATOR", 1e3),
        ("HARM", 1e3),
        ("ARENSTORF", 1e6),
        ("STIFF", 1e3),
    ] {
        let problem = find(name).expect("a problem of the tables");
        let (_, exact) = reference::end(name).expect("an end value");
        for kind in CONTROLLED {
            let settings = Settings::new(kind, Tolerance::new(1e-10, 1e-10));
            let error = error_at_end(kind, &problem, &settings, &exact);
            assert!(error < growth * 1e-10, "{name} {kind:?}: {error:e}");
        }
    }
}

fn methods(n: usize, tolerance: f64) -> Vec<Box<dyn Method>> {
    let t = Tolerance::new(tolerance, tolerance);
    let limits = StepLimits::default();
    vec![
        Box::new(Adams::new(n, t, limits)),
        Box::new(CashKarp::new(n, t, limits)),
        Box::new(BulirschStoer::new(n, t, limits)),
        Box::new(Rk4::new(n, 0.02)),
        Box::new(Radau::new(n, t, limits, Orders::Variable)),
        Box::new(Radau::new(n, t, limits, Orders::Five)),
    ]
}

/// Harmonic oscillator: inside every step the interpolated solution is as good as the worse of its
/// ends, up to a factor of ten, and the derivative is that of the solution to the same degree per
/// step length.
#[test]
fn dense_output_is_as_accurate_as_the_steps() {
    for tolerance in [1e-5, 1e-8] {
        for mut method in methods(2, tolerance) {
            let mut problem = find("HARM").expect("a problem of the tables");
            method.restart(0.0, &[1.0, 0.0], &[0.0, -1.0], Start::Cold);
            let mut before = 0.0;
            while method.t() < 10.0 {
                let target = Target { toward: 10.0, bound: 10.0 };
                method.step(&mut problem, target).expect("a step");
                method.prepare_interpolation(&mut problem).expect("evaluations inside");
                let (mut y, mut ydot) = ([0.0; 2], [0.0; 2]);
                let t1 = method.t();
                let end = (method.y()[0] - t1.cos()).abs().max((method.y()[1] + t1.sin()).abs());
                for part in 0..=8 {
                    let t = before + (t1 - before) * f64::from(part) / 8.0;
                    method.interpolate(t, &mut y, &mut ydot);
                    let error = (y[0] - t.cos()).abs().max((y[1] + t.sin()).abs());
                    let floor = if method.name() == "rk4" { 1e-9 } else { tolerance };
                    assert!(
                        error < 10.0 * end.max(floor),
                        "{} {tolerance:e} at {t}: {error:e}, end {end:e}",
                        method.name()
                    );
                    let slope = (ydot[0] + t.sin()).abs().max((ydot[1] + t.cos()).abs());
                    let allowed = 100.0 * end.max(floor) / (t1 - before).min(1.0);
                    assert!(slope < allowed, "{} at {t}: {slope:e}", method.name());
                }
                before = t1;
            }
        }
    }
}

/// Forwards over one interval and back again: the start returns within the tolerance's reach.
#[test]
fn every_method_integrates_backwards() {
    for kind in METHODS {
        let mut problem = find("PEND").expect("a problem of the tables");
        let y0 = problem.y0.clone();
        let mut settings = Settings::new(kind, Tolerance::new(1e-9, 1e-9));
        settings.fixed_step = 0.001;
        let mut driver = driver(kind, &problem, &settings);
        let mut recorder = Recorder::default();
        integrate(&mut driver, &mut problem, (0.0, 2.0), &y0, 4, &mut recorder).expect("forth");
        for t in [1.5, 1.0, 0.5, 0.0] {
            driver.advance(&mut problem, t, &mut recorder).expect("back");
            assert_eq!(driver.t(), t);
        }
        let error = max_difference(driver.y(), &y0);
        assert!(error < 1e-6, "{kind:?}: {error:e}");
        assert_eq!(problem.len(), 2);
    }
}
