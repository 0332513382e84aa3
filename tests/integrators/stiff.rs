//! The implicit method: stiff problems of the literature, orders, events, Jacobians, index 1.
#![allow(clippy::expect_used)]

use dysim_tests::ode::run::{Outcome, Recorder, driver, integrate};
use dysim_tests::ode::stiff::{LaggedRelay, Oscillator, RobertsonIndex1, Rod, all, find};
use dysim_tests::ode::switching::Relay;
use dysim_tests::ode::{Ode, reference, standard};
use integrate::{
    Mass, Matrix, Method, MethodKind, Orders, Problem, Radau, RootSearch, Settings, Silent, Start,
    Statistics, StepLimits, Target, Tolerance, build_for,
};

const IMPLICIT: [MethodKind; 2] = [MethodKind::Stiff, MethodKind::Radau5];

/// Absolute tolerance over relative: the size below which a component does not matter.
fn scale(name: &str) -> f64 {
    match name {
        "ROBER" => 1e-6,
        "HIRES" => 1e-2,
        _ => 1.0,
    }
}

fn run(kind: MethodKind, problem: &Ode, tolerance: f64, outputs: usize) -> Outcome {
    let mut problem = problem.clone();
    let mixed = Tolerance::new(tolerance, tolerance * scale(problem.name));
    let mut driver = driver(kind, &problem, &Settings::new(kind, mixed));
    let (span, y0) = ((problem.t0, problem.t1), problem.y0.clone());
    integrate(&mut driver, &mut problem, span, &y0, outputs, &mut Silent).expect("a run to the end")
}

/// Largest error over what the tolerance allows at the end.
fn error(outcome: &Outcome, end: &[f64], tolerance: f64, scale: f64) -> f64 {
    let share = |(y, end): (&f64, &f64)| (y - end).abs() / (tolerance * (end.abs() + scale));
    outcome.y.iter().zip(end).map(share).fold(0.0, f64::max)
}

/// Robertson to 1e11, HIRES, van der Pol with mu = 1000, Prothero-Robinson: the error at the end
/// stays within the tolerance over eight decades. These problems forget local errors, so no factor is
/// due to the way. Tolerances above 1e-4 let the concentrations of Robertson's reaction become
/// negative, where the equations themselves are unstable.
#[test]
fn known_ends_are_reached() {
    for case in all() {
        let name = case.problem.name;
        for kind in IMPLICIT {
            for digits in 4..=11 {
                let tolerance = 10f64.powi(-digits);
                let outcome = run(kind, &case.problem, tolerance, 1);
                let error = error(&outcome, &case.end, tolerance, scale(name));
                assert!(error < 1.0, "{name} {kind:?} 1e-{digits}: {error}");
            }
        }
    }
}

/// Work at `RelErr = 1e-6`, pinned with 5 % of room for other libraries' `pow`: steps and
/// evaluations, evaluations for Jacobians included. Extrapolation takes 190 000 evaluations for HIRES.
#[test]
fn stiff_problems_take_few_steps() {
    let pinned = [("ROBER", 122, 3573), ("HIRES", 49, 1850), ("VDP1000", 203, 4247)];
    for (name, steps, evaluations) in pinned {
        let case = find(name).expect("a stiff problem");
        let s = run(MethodKind::Stiff, &case.problem, 1e-6, 1).statistics;
        let near = |found: u64, pinned: u64| found.abs_diff(pinned) as f64 <= 0.05 * pinned as f64;
        assert!(near(s.steps, steps) && near(s.evaluations, evaluations), "{name}: {s:?}");
        assert!(s.jacobians > 0 && s.factorizations > 0 && s.newton_iterations > s.steps);
    }
}

/// In fixed steps on the oscillator, with its exact Jacobian so that Newton's iteration leaves
/// nothing: halving the step divides the error by 2^5, 2^9, 2^13, within what the next term of
/// the error leaves at these steps.
#[test]
fn every_order_is_reached() {
    for (orders, order, steps) in
        [(Orders::Five, 5.0, 40), (Orders::Nine, 9.0, 10), (Orders::Thirteen, 13.0, 3)]
    {
        let error = |steps: u32| {
            let h = 10.0 / f64::from(steps);
            let limits = StepLimits { max: h, min: 0.0, initial: Some(h) };
            // So loose that the limit alone decides.
            let mut method = Radau::new(2, Tolerance::new(1.0, 1e3), limits, orders);
            method.restart(0.0, &[1.0, 0.0], &[0.0, -1.0], Start::Cold);
            while method.t() < 10.0 {
                let target = Target { toward: 10.0, bound: 10.0 };
                method.step(&mut Oscillator, target).expect("a step");
            }
            assert_eq!(method.statistics().steps, u64::from(steps));
            (method.y()[0] - 10f64.cos()).hypot(method.y()[1] + 10f64.sin())
        };
        let found = (error(steps) / error(2 * steps)).log2();
        assert!((found - order).abs() < 0.5, "{orders:?}: {found}");
    }
}

/// One step of a million time constants leaves nothing (L-stability): the stability function of
/// s stages falls like 1/z, here to 1e-6 times a factor of s squared.
#[test]
fn a_fast_decay_is_damped_in_one_step() {
    let mut decay =
        Ode { name: "DECAY", y0: vec![1.0], t0: 0.0, t1: 1.0, rhs: |_, y, f| f[0] = -1e6 * y[0] };
    for orders in [Orders::Five, Orders::Nine, Orders::Thirteen] {
        let limits = StepLimits { max: 1.0, min: 0.0, initial: Some(1.0) };
        let mut method = Radau::new(1, Tolerance::new(1.0, 1e9), limits, orders);
        method.restart(0.0, &[1.0], &[-1e6], Start::Cold);
        method.step(&mut decay, Target { toward: 1.0, bound: 1.0 }).expect("a step");
        assert_eq!(method.t(), 1.0);
        assert!(method.y()[0].abs() < 49e-6, "{orders:?}: {}", method.y()[0]);
    }
}

/// Outputs between the ends of steps are within ten times the tolerance, also in components that
/// are slaved to a motion, where the filtered estimate alone would not see it.
#[test]
fn outputs_inside_stiff_steps_keep_the_tolerance() {
    let case = find("PROTHERO").expect("a stiff problem");
    for kind in IMPLICIT {
        for digits in 4..=11 {
            let tolerance = 10f64.powi(-digits);
            for (t, y) in run(kind, &case.problem, tolerance, 200).outputs {
                let error = (y[0] - t.cos()).abs().max((y[1] - t.sin()).abs());
                assert!(error < 10.0 * tolerance, "{kind:?} 1e-{digits} at {t}: {error:e}");
            }
        }
    }
}

/// A relay behind a lag of 1e-6 s switches the lag later than without: the fast state follows the
/// slow one. Times against the closed form, within ten times the tolerance per event.
#[test]
fn events_of_a_fast_state_are_located() {
    for kind in IMPLICIT {
        for digits in [6, 8, 10] {
            let tolerance = 10f64.powi(-digits);
            let mut relay = LaggedRelay::new(0.5, 1e-6);
            let mut settings = Settings::new(kind, Tolerance::new(tolerance, tolerance));
            settings.events.search = RootSearch::Locate;
            let mut driver = driver(kind, &relay, &settings);
            let y0 = [0.0, -1e-6];
            let run = integrate(&mut driver, &mut relay, (0.0, 10.0), &y0, 20, &mut Silent);
            let outcome = run.expect("a run to the end");
            assert_eq!(outcome.events.len(), 9, "{kind:?} {:?}", outcome.events);
            for (n, t) in outcome.events.iter().enumerate() {
                // Each switch comes a lag late, and overshoot lengthens each half period.
                let late = Relay::new(0.5).switching_time(n + 1);
                let room = 10.0 * tolerance * (n + 1) as f64 + 4e-6 * (n + 1) as f64;
                assert!(*t > late && *t - late < room, "{kind:?} event {n}: {t} {late}");
            }
            // An explicit method would take a step for every few lags: millions.
            assert!(outcome.statistics.steps < 2000, "{:?}", outcome.statistics);
        }
    }
}

/// A rod of 60 cells that conducts heat: a tridiagonal pattern takes three evaluations for a
/// Jacobian instead of sixty, a given Jacobian none, and the steps are the same.
#[test]
fn patterns_and_given_jacobians_save_evaluations() {
    let work = |mut rod: Rod| -> (Vec<f64>, Statistics) {
        let settings = Settings::new(MethodKind::Stiff, Tolerance::new(1e-7, 1e-9));
        let mut driver = build_for(MethodKind::Stiff, &rod, &settings).expect("settings");
        let y0 = rod.start();
        let run = integrate(&mut driver, &mut rod, (0.0, 0.1), &y0, 1, &mut Silent);
        let outcome = run.expect("a run to the end");
        (outcome.y, outcome.statistics)
    };
    let (plain, full) = work(Rod { cells: 60, pattern: false, exact: false });
    let (grouped, few) = work(Rod { cells: 60, pattern: true, exact: false });
    let (given, none) = work(Rod { cells: 60, pattern: true, exact: true });
    let of_a_trial = |s: &Statistics| s.evaluations as f64 / (s.steps + s.rejected) as f64;
    assert_eq!(full.evaluations - few.evaluations, 57 * full.jacobians, "{full:?} {few:?}");
    assert!(of_a_trial(&none) < of_a_trial(&few), "{none:?} {few:?}");
    assert_eq!((full.steps, full.jacobians), (few.steps, few.jacobians));
    // exp(-pi^2 t) of the first mode; 60 cells make its rate 2.3e-4 smaller.
    let rate = 4.0 * 3600.0 * (std::f64::consts::PI / 120.0).sin().powi(2);
    for y in [plain, grouped, given] {
        let middle = (y[29] + y[30]) / 2.0;
        let exact = (-0.1 * rate).exp() * (std::f64::consts::PI / 120.0).cos();
        assert!((middle - exact).abs() < 1e-6, "{middle} {exact}");
    }
}

/// Robertson's reaction with the conservation of mass in place of the third equation: M is singular,
/// the system has index 1, and the result is that of the equations.
#[test]
fn a_singular_mass_matrix_gives_the_same_reaction() {
    let (_, exact) = reference::end("ROBER40").expect("an end value");
    let mut mass = Matrix::zeros(3);
    mass.set(0, 0, 1.0);
    mass.set(1, 1, 1.0);
    let tolerance = Tolerance::new(1e-8, 1e-12);
    let method = Radau::new(3, tolerance, StepLimits::default(), Orders::Variable);
    let mut method = method.with_mass(Mass::Matrix(mass));
    method.restart(0.0, &[1.0, 0.0, 0.0], &[-0.04, 0.04, 0.0], Start::Cold);
    while method.t() < 40.0 {
        let target = Target { toward: 40.0, bound: 40.0 };
        method.step(&mut RobertsonIndex1, target).expect("a step");
        let total: f64 = method.y().iter().sum();
        assert!((total - 1.0).abs() < 1e-12, "{total}");
        let drift: f64 = method.ydot().iter().sum();
        assert!(drift.abs() < 1e-8, "{drift:e}");
    }
    for (y, exact) in method.y().iter().zip(&exact) {
        assert!((y - exact).abs() < 1e-8, "{y} {exact}");
    }
    assert!(method.statistics().steps < 100, "{:?}", method.statistics());
}

/// The same steps, the same bits, whatever ran before.
#[test]
fn runs_repeat_to_the_last_bit() {
    let case = find("HIRES").expect("a stiff problem");
    let record = || {
        let mut problem = case.problem.clone();
        let settings = Settings::new(MethodKind::Stiff, Tolerance::new(1e-7, 1e-9));
        let mut driver = driver(MethodKind::Stiff, &problem, &settings);
        let mut recorder = Recorder::default();
        let y0 = problem.y0.clone();
        let span = (0.0, problem.t1);
        let run = integrate(&mut driver, &mut problem, span, &y0, 50, &mut recorder);
        (recorder.steps, run.expect("a run to the end").outputs)
    };
    assert!(record() == record());
}

/// `de` on van der Pol's equation says "stiff" before it has gone far, and the implicit method does
/// not on its way through.
#[test]
fn de_says_stiff_where_the_implicit_method_is_at_home() {
    for name in ["VDP1000", "ROBER", "HIRES"] {
        let mut problem = find(name).expect("a stiff problem").problem;
        let settings = Settings::new(MethodKind::De, Tolerance::new(1e-6, 1e-9));
        let mut explicit = driver(MethodKind::De, &problem, &settings);
        let y0 = problem.y0.clone();
        let mut recorder = Recorder::default();
        integrate(&mut explicit, &mut problem, (0.0, 20.0), &y0, 20, &mut recorder).expect("a run");
        assert!(recorder.notices.iter().any(|n| n.starts_with("Stiff")), "{name}");
        let mut implicit = driver(MethodKind::Stiff, &problem, &settings);
        let mut recorder = Recorder::default();
        let span = (0.0, problem.t1);
        integrate(&mut implicit, &mut problem, span, &y0, 20, &mut recorder).expect("a run");
        assert!(recorder.notices.is_empty(), "{name}: {:?}", recorder.notices);
    }
}

/// Non-stiff problems are no obstacle: a pendulum and a two-body orbit cost at most twice the
/// evaluations of the extrapolation method, which is made for them, at a tenth of its error.
#[test]
fn smooth_problems_are_solved_too() {
    for name in ["PEND", "D5", "B5"] {
        let problem = standard::find(name).expect("a problem of the tables");
        let outcome = run(MethodKind::Stiff, &problem, 1e-8, 1);
        let explicit = run(MethodKind::OdeintBs, &problem, 1e-8, 1);
        assert_eq!(problem.len(), outcome.y.len());
        let ratio = outcome.statistics.evaluations as f64 / explicit.statistics.evaluations as f64;
        assert!(ratio < 2.0, "{name}: {ratio}");
    }
}

/// A junction with its capacitance behind a resistor on a sine: while the source rises, the current of the junction grows by ten orders
/// of magnitude, and one Jacobian serves a small part of a step only. Steps are limited by accuracy, not by the
/// iteration: the trials that come to nothing are a small part.
#[test]
fn junctions_do_not_hold_the_iteration_up() {
    let junction = || Ode {
        name: "JUNCTION",
        y0: vec![0.0],
        t0: 0.0,
        t1: 3e-3,
        rhs: |t, y, f| {
            let source = 5.0 * (2e3 * std::f64::consts::PI * t).sin();
            f[0] = ((source - y[0]) / 1e3 - 1e-14 * ((y[0] / 0.0259).exp() - 1.0)) / 1e-11;
        },
    };
    let fine = run(MethodKind::Radau5, &junction(), 1e-10, 300);
    let coarse = run(MethodKind::Radau5, &junction(), 1e-5, 300);
    let Statistics { steps, rejected, .. } = coarse.statistics;
    assert!(4 * rejected < steps, "{rejected} of {steps}");
    // The junction forgets errors within nanoseconds, so the tolerance holds at the end as it does in a step.
    assert!((coarse.y[0] - fine.y[0]).abs() < 1e-5 * (1.0 + fine.y[0].abs()));
}
