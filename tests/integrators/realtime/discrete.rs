//! The methods for real time with blocks that remember: dead times and sampled blocks.

use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::{Table, run};

const METHODS: [&str; 3] = ["euler", "euler_implicit", "euler_mixed"];

/// The last row of a run to two seconds with this step.
fn rows(solver: &'static str, step: f64, blocks: &str) -> std::rc::Rc<Table> {
    let text = Text::new([0.0, 0.0, -9.81], Run::new(solver, 1e-6, 2.0, step))
        .with("Output \"o\" { Files = csv; }")
        .with(blocks);
    run(text.text()).complete().table("csv")
}

/// Errors of a method of first order halve with the step.
fn is_of_first_order(solver: &'static str, error: impl Fn(f64) -> f64) {
    let (coarse, fine) = (error(0.01), error(0.005));
    assert!(fine != 0.0 && (coarse / fine - 2.0).abs() < 0.1, "{solver}: {coarse:e} and {fine:e}");
}

/// x' = -x(t - 1) with x = 1 before the start: 1 - t up to t = 1, then 1 - t + (t - 1)^2/2.
#[test]
fn a_dead_time_in_the_loop() {
    let blocks = "Integrator \"x\" { u = -late.y; yinit = 1; } Delay \"late\" { u = x.y; T = 1; yinit = 1; }";
    for solver in METHODS {
        let table = rows(solver, 0.01, blocks);
        // While the delayed value is constant, Euler's step is exact.
        for t in [0.25, 0.5, 1.0] {
            let x = table.at(t, "x.y");
            assert!((x - (1.0 - t)).abs() < 1e-12, "{solver}: {x} at {t}");
        }
        is_of_first_order(solver, |step| {
            let x = rows(solver, step, blocks).last("x.y");
            x - (1.0 - 2.0 + 0.5)
        });
        // What comes out is what went in, one hundred steps before.
        for t in [1.2, 1.5, 2.0] {
            let (out, before) = (table.at(t, "late.y"), table.at(t - 1.0, "x.y"));
            assert!((out - before).abs() < 1e-12, "{solver}: {out} and {before} at {t}");
        }
    }
}

/// A sampled integrator with feedback of a lag: between two samples the lag follows an exponential.
#[test]
fn a_sampled_controller_and_a_lag() {
    let blocks = "PT1 \"plant\" { u = control.y; T = 0.4; } \
                  Integrator \"control\" { u = 1 - plant.y; k = 2; Tsample = 0.1; }";
    // y' of the sampled integrator: y_k+1 = y_k + k T u_k, held in between; x_k+1 = y + (x_k - y) exp(-T/0.4).
    let (mut x, mut y) = (0.0f64, 0.0f64);
    let mut exact = vec![(x, y)];
    for _ in 0..20 {
        let next = y + (x - y) * (-0.1f64 / 0.4).exp();
        y += 2.0 * 0.1 * (1.0 - x);
        x = next;
        exact.push((x, y));
    }
    // An adaptive method is the judge of what the blocks mean.
    let judge = rows("derf", 0.01, blocks);
    for (k, (x, _)) in exact.iter().enumerate() {
        let found = judge.at(0.1 * k as f64, "plant.y");
        assert!((found - x).abs() < 1e-5, "derf: {found}, not {x}");
    }
    for solver in METHODS {
        is_of_first_order(solver, |step| {
            let found = rows(solver, step, blocks).last("plant.y");
            found - exact[20].0
        });
    }
}

/// Samples come at the instants of their period, whatever method steps between them.
#[test]
fn a_row_of_unit_delays_shifts_a_ramp() {
    let blocks = "Ramp \"ramp\" { Amplitude = 6; Duration = 2; } UnitDelay \"one\" { u = ramp.y; Tsample = 0.1; } \
                  UnitDelay \"two\" { u = one.y; Tsample = 0.1; }";
    for solver in METHODS {
        let table = rows(solver, 0.01, blocks);
        // In the middle between samples: the value of two periods before the last one.
        for k in 3..20 {
            let t = 0.1 * f64::from(k) + 0.05;
            let expected = 3.0 * (0.1 * f64::from(k) - 0.2);
            let found = table.at(t, "two.y");
            assert!((found - expected).abs() < 1e-9, "{solver}: {found}, not {expected} at {t}");
        }
    }
}
