//! Euler's methods on equations with closed forms: single steps, order, limits of the step, partition.

use dysim_tests::ode::Ode;
use dysim_tests::ode::run::{Outcome, driver, integrate, max_difference};
use dysim_tests::ode::stiff::Rod;
use integrate::{
    Driver, Euler, EulerKind, EventSettings, MethodKind, Problem, Settings, Silent, Tolerance,
};

const KINDS: [MethodKind; 3] =
    [MethodKind::Euler, MethodKind::EulerImplicit, MethodKind::EulerMixed];

fn ode(y0: &[f64], end: f64, rhs: fn(f64, &[f64], &mut [f64])) -> Ode {
    Ode { name: "", y0: y0.to_vec(), t0: 0.0, t1: end, rhs }
}

fn run(kind: MethodKind, problem: &Ode, h: f64) -> Outcome {
    let mut settings = Settings::new(kind, Tolerance::new(1e-6, 1e-6));
    settings.fixed_step = h;
    run_with(&mut driver(kind, problem, &settings), problem)
}

fn run_with(driver: &mut Driver, problem: &Ode) -> Outcome {
    let (mut problem, span) = (problem.clone(), (problem.t0, problem.t1));
    let y0 = problem.y0.clone();
    integrate(driver, &mut problem, span, &y0, 1, &mut Silent).expect("a run to the end")
}

/// A run in mixed mode with these states fast.
fn run_mixed(problem: &Ode, h: f64, fast: &[usize]) -> Outcome {
    let n = problem.y0.len();
    let method = Euler::new(EulerKind::Mixed, n, h, None).with_fast_states(fast);
    run_with(&mut Driver::new(Box::new(method), n, 0, EventSettings::default()), problem)
}

/// The states that a run takes for fast.
fn fast_states(problem: &Ode, h: f64) -> Vec<usize> {
    let mut settings = Settings::new(MethodKind::EulerMixed, Tolerance::new(1e-6, 1e-6));
    settings.fixed_step = h;
    let mut driver = driver(MethodKind::EulerMixed, problem, &settings);
    driver.start(&mut problem.clone(), 0.0, &problem.y0, 1.0, &mut Silent).expect("a start");
    driver.method().fast_states().to_vec()
}

/// A lag of 1 ms that follows a cosine, and one of a second that follows it.
fn lags() -> Ode {
    ode(&[0.0, 0.0], 2.0, |t, y, f| {
        f[0] = -1000.0 * (y[0] - t.cos());
        f[1] = y[0] - y[1];
    })
}

/// The two lags at the time `t`: for a first one of rate `a`, `y0 = (a^2 cos t + a sin t)/(1 + a^2) + c exp(-a t)`.
fn lags_exact(t: f64) -> [f64; 2] {
    let a = 1000.0f64;
    let d = 1.0 + a * a;
    let c = -a * a / d;
    // y1' = y0 - y1 from zero, term by term.
    let (cosine, sine) =
        ((t.cos() + t.sin() - (-t).exp()) / 2.0, (t.sin() - t.cos() + (-t).exp()) / 2.0);
    let decay = ((-a * t).exp() - (-t).exp()) / (1.0 - a);
    [
        (a * a * t.cos() + a * t.sin()) / d + c * (-a * t).exp(),
        a * a / d * cosine + a / d * sine + c * decay,
    ]
}

/// On `y' = -3 y` n steps are a power. One evaluation rounds in a few places, so the difference is a few
/// round-offs per step, and the Jacobian by differences is exact to its increment, some 1e-8.
#[test]
fn steps_on_a_decay_are_powers() {
    let problem = ode(&[1.0], 1.0, |_, y, f| f[0] = -3.0 * y[0]);
    let explicit = run(MethodKind::Euler, &problem, 0.01).y[0];
    assert!((explicit / 0.97f64.powi(100) - 1.0).abs() < 1e-13, "{explicit}");
    let implicit = run(MethodKind::EulerImplicit, &problem, 0.01).y[0];
    assert!((implicit * 1.03f64.powi(100) - 1.0).abs() < 100.0 * 0.03 * 1e-7, "{implicit}");
}

/// `x' = -x + 2 z`, `z' = 5 x - 40 z` with z fast: the matrix of a step is made by hand.
#[test]
fn a_mixed_step_takes_the_slow_state_first() {
    let problem = ode(&[1.0, -0.5], 2.0, |_, y, f| {
        f[0] = -y[0] + 2.0 * y[1];
        f[1] = 5.0 * y[0] - 40.0 * y[1];
    });
    let h = 0.1;
    let (mut x, mut z) = (1.0, -0.5);
    for _ in 0..20 {
        x += h * (-x + 2.0 * z);
        z = (z + h * 5.0 * x) / (1.0 + h * 40.0);
    }
    let found = run_mixed(&problem, h, &[1]).y;
    // The Jacobian's error of 1e-7 of its size acts in each of 20 steps that damp.
    assert!(max_difference(&found, &[x, z]) < 1e-6, "{found:?} {x} {z}");
}

/// The time on the right-hand side is that of the end of a step where the step is implicit: on
/// `y' = -L (y - cos t)` with a large L the solution follows the cosine without a lag of a step.
#[test]
fn fast_states_follow_their_inputs_without_lag() {
    let problem = ode(&[1.0], 1.0, |t, y, f| f[0] = -1e6 * (y[0] - t.cos()));
    for kind in [MethodKind::EulerImplicit, MethodKind::EulerMixed] {
        let y = run(kind, &problem, 0.05).y[0];
        // Distance 1/L sin t of the exact solution, 1/(L h) of the change in a step for the method.
        assert!((y - 1f64.cos()).abs() < 1e-5, "{kind:?} {y}");
    }
}

/// Each method has order one on both lags: with a step of a tenth of the short lag and its half, and for those
/// that may, with steps that are long for it. The next term of the error is of order h.
#[test]
fn errors_are_halved_with_the_step() {
    let problem = lags();
    let exact = lags_exact(2.0);
    for (kind, h) in [
        (MethodKind::Euler, 1e-4),
        (MethodKind::EulerImplicit, 1e-4),
        (MethodKind::EulerMixed, 1e-4),
        (MethodKind::EulerImplicit, 0.02),
        (MethodKind::EulerMixed, 0.02),
    ] {
        let error = |h: f64| (run(kind, &problem, h).y[1] - exact[1]).abs();
        let ratio = error(h) / error(0.5 * h);
        // h of the slow lag is below 0.02: the ratio deviates from two by the same order.
        assert!((ratio - 2.0).abs() < 0.1, "{kind:?} {h}: {ratio}");
    }
}

/// A nonlinear problem with an end value from elliptic functions.
#[test]
fn errors_are_halved_on_a_pendulum_too() {
    const PENDULUM_AT_10: f64 = -0.278_680_673_569_982_94;
    let problem = dysim_tests::ode::standard::find("PEND").expect("a problem of the tables");
    for kind in KINDS {
        let error = |h: f64| {
            let mut settings = Settings::new(kind, Tolerance::new(1e-6, 1e-6));
            settings.fixed_step = h;
            let mut problem = problem.clone();
            let mut driver = driver(kind, &problem, &settings);
            let y0 = problem.y0.clone();
            let run = integrate(&mut driver, &mut problem, (0.0, 10.0), &y0, 1, &mut Silent);
            (run.expect("a run to the end").y[0] - PENDULUM_AT_10).abs()
        };
        let ratio = error(2e-4) / error(1e-4);
        assert!((ratio - 2.0).abs() < 0.1, "{kind:?} {ratio}");
    }
}

/// The explicit method is stable up to 2 ms on a lag of 1 ms; the others take steps a hundred times longer and are as
/// accurate as the slow lag asks for.
#[test]
fn only_the_explicit_method_is_bound_by_the_short_lag() {
    let problem = lags();
    let exact = lags_exact(2.0);
    let error = |kind, h| max_difference(&run(kind, &problem, h).y, &exact);
    assert!(error(MethodKind::Euler, 1.9e-3) < 2e-3);
    // 1.1 to the power of 950 steps.
    let far = error(MethodKind::Euler, 2.1e-3);
    assert!(far.is_nan() || far >= 1e30, "{far}");
    for kind in [MethodKind::EulerImplicit, MethodKind::EulerMixed] {
        // Local errors h^2/2 |y''| < h^2/2 of a second that the slow lag damps: global error below h.
        assert!(error(kind, 0.2) < 0.2, "{kind:?}");
    }
    assert_eq!(fast_states(&problem, 0.2), [0]);
    assert_eq!(fast_states(&problem, 1e-4), [0; 0]);
}

/// Where no state is fast the mixed method is the explicit one, and where all are it is the implicit one, bit for bit.
#[test]
fn the_mixed_method_contains_the_others() {
    let damped = ode(&[1.0, 0.5], 1.0, |_, y, f| {
        f[0] = -y[0] + 0.1 * y[1] * y[1];
        f[1] = -2.0 * y[1] - 0.1 * y[0];
    });
    for (h, other, fast) in
        [(0.01, MethodKind::Euler, vec![]), (1.0, MethodKind::EulerImplicit, vec![0, 1])]
    {
        let damped = Ode { t1: 20.0 * h, ..damped.clone() };
        assert_eq!(fast_states(&damped, h), fast);
        assert_eq!(run(MethodKind::EulerMixed, &damped, h).y, run(other, &damped, h).y);
    }
}

/// Without damping the explicit method gains energy, the implicit one loses it; with a fast coordinate there is
/// a modified energy `(q^2 + p^2 - h q p)/2` or `+ h` that 100 000 steps leave as it was (Hairer, Lubich and Wanner,
/// *Geometric Numerical Integration*, IX.3), up to round-off and the error of the Jacobian, which is zero here.
#[test]
fn an_oscillator_keeps_its_energy_in_mixed_mode() {
    let problem = ode(&[1.0, 0.0], 1000.0, |_, y, f| {
        f[0] = y[1];
        f[1] = -y[0];
    });
    let h = 0.01;
    let energy = |y: &[f64]| 0.5 * (y[0] * y[0] + y[1] * y[1]);
    assert_eq!(fast_states(&problem, h), [0]);
    let y = run(MethodKind::EulerMixed, &problem, h).y;
    // p_1 = p_0 - h q_0, q_1 = q_0 + h p_1 keeps q^2 + p^2 - h q p.
    let modified = energy(&y) - 0.5 * h * y[0] * y[1];
    assert!((modified - 0.5).abs() < 1e-10, "{modified}");
    // Factors (1 + h^2)^(+-1) of each of 100 000 steps.
    assert!(energy(&run(MethodKind::Euler, &problem, h).y) > 1e4);
    assert!(energy(&run(MethodKind::EulerImplicit, &problem, h).y) < 1e-4);
}

/// The heat equation on 300 cells begins in its first mode, whose rate is `-4 n^2 sin^2(pi / 2n)`: each implicit step
/// divides it by a number. With a pattern the linear algebra is sparse, and three groups of columns take three
/// evaluations.
#[test]
fn sparse_and_dense_blocks_divide_a_mode_by_its_number() {
    let (n, h) = (300, 0.01);
    let half = std::f64::consts::PI / (2.0 * n as f64);
    let rate = 4.0 * (n as f64 * half.sin()).powi(2);
    for (pattern, cost) in [(false, n as u64), (true, 3)] {
        let mut rod = Rod { cells: n, pattern, exact: false };
        let y0 = rod.start();
        let method = Euler::new(EulerKind::Implicit, n, h, rod.jacobian_pattern());
        let mut driver = Driver::new(Box::new(method), n, 0, EventSettings::default());
        let run = integrate(&mut driver, &mut rod, (0.0, 0.1), &y0, 1, &mut Silent);
        let outcome = run.expect("a run to the end");
        let factor = (1.0 + h * rate).powi(-10);
        let exact: Vec<f64> = y0.iter().map(|y| factor * y).collect();
        // Differences of terms of 1e5 with increments of 1e-8 leave 1e-8 of the largest entry, 1e-3, beside 1/h = 100.
        assert!(max_difference(&outcome.y, &exact) < 1e-4, "{pattern}");
        assert_eq!(outcome.statistics.part_evaluations, 10 * (1 + cost));
    }
}

/// Equations that are linear in the fast states keep their Jacobian: one that divides the states, and one that serves for
/// all 100 steps.
#[test]
fn a_linear_block_keeps_its_jacobian() {
    let outcome = run(MethodKind::EulerMixed, &lags(), 0.02);
    assert_eq!(outcome.statistics.jacobians, 1);
    assert_eq!(outcome.statistics.part_evaluations, 100);
    assert!(outcome.statistics.factorizations <= 1);
}

/// A lag whose rate falls from 1100 to 150 per second while it follows the square of a slow state: the Jacobian is renewed when it
/// no longer serves, some times and not in every step, and the error is halved with the step all the same.
#[test]
fn a_jacobian_is_renewed_when_it_no_longer_serves() {
    let problem = ode(&[1.0, 1.0, 0.0], 3.0, |_, y, f| {
        f[0] = -y[0];
        f[1] = -1000.0 * (0.1 + y[0]) * (y[1] - y[0] * y[0]);
        f[2] = y[1];
    });
    // z follows x^2 = exp(-2 t) behind by its time constant: z = x^2 + 2 x^2/k to first order in 1/k = 1e-3/(0.1 + x). The integral
    // of z is (1 - exp(-6))/2 up to that; errors are compared with those of a run with much shorter steps.
    let fine = run_mixed(&problem, 1e-5, &[1]).y[2];
    let error = |h: f64| {
        let outcome = run_mixed(&problem, h, &[1]);
        let (jacobians, steps) = (outcome.statistics.jacobians, outcome.statistics.steps);
        assert!((2..steps / 4).contains(&jacobians), "{jacobians} of {steps}");
        (outcome.y[2] - fine).abs()
    };
    let ratio = error(0.02) / error(0.01);
    // The next term is of order h; a Jacobian that is wrong by a tenth adds a fifth at most to either error.
    assert!((ratio - 2.0).abs() < 0.4, "{ratio}");
}
