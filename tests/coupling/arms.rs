//! The mechanisms that drive trains are tried on.

use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::{Outcome, Table, run};

/// Tolerance of the integrator. Over a few hundred steps its errors add up to less than a hundred times as much.
pub const FINE: f64 = 1e-11;

/// Gravity, m/s^2.
pub const G: f64 = 9.81;

/// A setting of one second.
pub fn second() -> Run {
    Run::new("derf", FINE, 1.0, 0.01)
}

/// Two arms that hang on each other, the second about the given axis.
pub fn two_arms(run: Run, axis: &str, [first, second]: [&str; 2]) -> Text {
    let turn = |axis: &str, q: f64, qd: f64, more: &str| {
        format!(
            "JointAxis = {axis}; JointPoint = 0, 0, 0; Qinit = {q}; QDinit = {qd}; Degrees = rad; {more}"
        )
    };
    Text::new([0.0, 0.0, -G], run)
        .joint("Revolute", ["J1", "world", "arm1"], [0.0; 3], &turn("0, 1, 0", 1.0, 0.3, first))
        .joint(
            "Revolute",
            ["J2", "arm1", "arm2"],
            [0.0, 0.0, -1.0],
            &turn(axis, -0.7, -0.5, second),
        )
        .body(["arm1", "world", "J1"], 2.0, [0.2, 0.3, 0.25], [0.0, 0.0, -0.5])
        .body(["arm2", "arm1", "J2"], 1.0, [0.1, 0.12, 0.08], [0.1, 0.0, -0.4])
}

/// The angles and speeds of both arms as columns.
pub const ARMS: &str = "Output \"o\" { Signals = J1.q, J1.qd, J2.q, J2.qd; Files = csv; }";

/// Runs a text to its end; the energy balance of the mechanics, works of drive trains included, must close.
pub fn solved(text: &Text) -> Outcome {
    let outcome = run(text.text());
    assert!(outcome.error.is_none(), "{:?}", outcome.error.as_ref().map(|e| e.to_string()));
    let gap = outcome.summary.balance.relative_gap();
    // The works are integrated with the tolerance of the run.
    assert!(gap < 1e4 * FINE, "the energy balance is open by {gap:e}");
    outcome
}

/// The largest difference of two results.
pub fn distance(a: &Table, b: &Table) -> f64 {
    assert_eq!(a.rows.len(), b.rows.len());
    let pairs = a.rows.iter().zip(&b.rows).flat_map(|(a, b)| a.iter().zip(b));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
