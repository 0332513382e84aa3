//! The example plugins of the repository against closed forms and a second integration.

use dysim_tests::programs::root;
use dysim_tests::simulate::{Outcome, run_file};

fn model(name: &str) -> Outcome {
    run_file(&root().join(format!("models/plugins/{name}.dys"))).complete()
}

/// m v' = m g - b v^2 from rest: v = V tanh(g t / V) with V = sqrt(m g / b).
#[test]
fn a_parachutist_falls_as_the_hyperbolic_tangent() {
    let outcome = model("parachutist");
    let (m, g, b) = (80.0, 9.8065, 0.5 * 1.225 * 50.0);
    let limit: f64 = f64::sqrt(m * g / b);
    let table = outcome.table("csv");
    for row in &table.rows {
        let (t, q, v) = (row[0], row[1], row[2]);
        // RelErr = 1e-9 per step; the equation forgets its errors with the time constant V/2g = 0.26 s.
        assert!((v - limit * (g * t / limit).tanh()).abs() < 1e-8 * limit, "v({t}) = {v}");
        let fallen = limit * limit / g * (g * t / limit).cosh().ln();
        assert!((q - fallen).abs() < 1e-7, "q({t}) = {q}");
        assert!((row[3] - b * v * v).abs() < 1e-9 * m * g);
        assert!((row[4] + b * v * v * v).abs() < 1e-9 * m * g * limit);
    }
    assert!(outcome.summary.balance.relative_gap() < 1e-9);
}

/// Hill's equations once more, for the test: force over Fmax of the model.
fn hill(length: f64, rate: f64, activation: f64) -> f64 {
    let (l, v) = (length / 0.28, rate / (0.28 * 8.0));
    let active = (-((l - 1.0) / 0.45).powi(2)).exp();
    // (F + a)(v + b) = (F0 + a) b with a = K F0, b = K vmax, solved for F; and its lengthening branch.
    let k = 0.25;
    let speed = match v {
        v if v < 0.0 => (1.0 + k) * k / (k - v) - k,
        v => (0.5 / (1.0 + 1.0 / k) + 1.5 * v) / (v + 0.5 / (1.0 + 1.0 / k)),
    };
    let passive = if l > 1.0 { ((l - 1.0) / 0.6).powi(2) } else { 0.0 };
    activation * active * speed + passive
}

/// Angular acceleration of the forearm from the geometry of the model, in the plane.
fn forearm(t: f64, q: f64, w: f64) -> f64 {
    let (shoulder, r, arm, m, g) = ([0.02, 0.28], 0.05, 0.225, 3.5, 9.8065);
    let insertion = [r * q.cos(), r * q.sin()];
    let line = [shoulder[0] - insertion[0], shoulder[1] - insertion[1]];
    let length = line[0].hypot(line[1]);
    let velocity = [-r * q.sin() * w, r * q.cos() * w];
    let rate = -(line[0] * velocity[0] + line[1] * velocity[1]) / length;
    let force = 600.0 * hill(length, rate, 0.28 + 0.1 * (2.0 * t).sin());
    let lever = (insertion[0] * line[1] - insertion[1] * line[0]) / length;
    let torque = force * lever - m * g * arm * q.cos() - 0.5 * w - 6.0 * q;
    torque / (0.03 + m * arm * arm)
}

/// The same arm, integrated by the classical Runge-Kutta method with steps of 0.1 ms. Halving the step
/// changes the outcome by less than 1e-10.
#[test]
fn a_forearm_moves_as_a_second_integration_of_its_equation() {
    let outcome = model("forearm");
    let table = outcome.table("csv");
    let (h, mut q, mut w) = (1e-4, 0.0, 0.0);
    let mut step = 0_u32;
    for row in &table.rows {
        while f64::from(step) * h < row[0] - 0.5 * h {
            let t = f64::from(step) * h;
            let f = |t: f64, q: f64, w: f64| (w, forearm(t, q, w));
            let a = f(t, q, w);
            let b = f(t + 0.5 * h, q + 0.5 * h * a.0, w + 0.5 * h * a.1);
            let c = f(t + 0.5 * h, q + 0.5 * h * b.0, w + 0.5 * h * b.1);
            let d = f(t + h, q + h * c.0, w + h * c.1);
            q += h / 6.0 * (a.0 + 2.0 * b.0 + 2.0 * c.0 + d.0);
            w += h / 6.0 * (a.1 + 2.0 * b.1 + 2.0 * c.1 + d.1);
            step += 1;
        }
        // RelErr = 1e-9 of the run, some ten thousand times less than the motion of 0.5 rad.
        assert!((row[1] - q).abs() < 1e-7, "q({}) = {}, not {q}", row[0], row[1]);
        assert!((row[2] - (0.28 + 0.1 * (2.0 * row[0]).sin())).abs() < 1e-15);
    }
    assert!(outcome.summary.balance.relative_gap() < 1e-9);
}

/// The rows of the section, with the header.
fn section(outcome: &Outcome) -> (Vec<String>, Vec<Vec<f64>>) {
    let table = outcome.table("section.csv");
    (table.columns.clone(), table.rows.clone())
}

/// Each row lies in the section to rounding, passes it upwards, and has the energy of the start. Between two
/// rows the coordinate passes the section downwards once.
#[test]
fn the_rows_of_a_section_lie_in_it_and_keep_the_energy() {
    let outcome = model("swinging_spring");
    let (columns, rows) = section(&outcome);
    assert_eq!(columns, ["t", "slide.q[1]", "slide.q[2]", "slide.qd[1]", "slide.qd[2]"]);
    let (m, g, l) = (1.0, 9.8065, 0.75);
    let k = 4.0 * m * g / l;
    let energy = |x: f64, z: f64, vx: f64, vz: f64| {
        let stretch = x.hypot(z) - l;
        0.5 * m * (vx * vx + vz * vz) + m * g * z + 0.5 * k * stretch * stretch
    };
    let start = energy(0.1, -1.1, 0.0, 0.0);
    for row in &rows {
        // The search for the root ends where the sign changes between neighbouring instants: x is at most
        // the speed (below 2 m/s) times the spacing of doubles at t = 60.
        assert!(row[1].abs() < 2.0 * 60.0 * 4.0 * f64::EPSILON, "{row:?}");
        assert!(row[3] > 0.0, "{row:?}");
        assert!((energy(row[1], row[2], row[3], row[4]) - start).abs() < 1e-8, "{row:?}");
    }
    let table = outcome.table("csv");
    let x = table.column("slide.q[1]");
    let upwards = x.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
    assert_eq!(rows.len(), upwards);
    let log = outcome.text("log");
    assert_eq!(
        log.matches("Plugin section: below -> above").count(),
        rows.len() + 1,
        "one at the start"
    );
}
