//! Other standard problems, named as in the reference tables.

use std::f64::consts::FRAC_PI_2;

use super::detest::b5;
use super::{Ode, Rhs};

/// Every problem of this file.
pub fn all() -> Vec<Ode> {
    let problem = |name, y0, t1, rhs: Rhs| Ode { name, y0, t0: 0.0, t1, rhs };
    let period = 17.065_216_560_157_964;
    vec![
        problem("HARM", vec![1.0, 0.0], 20.0, harmonic),
        problem("PEND", vec![-FRAC_PI_2, 0.0], 10.0, pendulum),
        problem("DPEND", vec![FRAC_PI_2, FRAC_PI_2, 0.0, 0.0], 10.0, double_pendulum),
        problem("JACOBI", vec![0.0, 1.0, 1.0], 60.0, b5),
        problem("LORENZ", vec![1.0, 1.0, 1.0], 10.0, lorenz),
        problem("VDP5", vec![2.0, 0.0], 20.0, van_der_pol),
        problem("BRUSSELATOR", vec![1.5, 3.0], 20.0, brusselator),
        problem("STIFF", vec![1.0, 0.0], 1.0, stiff),
        problem("ROBER40", vec![1.0, 0.0, 0.0], 40.0, robertson),
        problem("ARENSTORF", vec![0.994, 0.0, 0.0, -2.001_585_106_379_082_5], period, arenstorf),
    ]
}

/// The problem of that name, here or in DETEST.
pub fn find(name: &str) -> Option<Ode> {
    all().into_iter().find(|problem| problem.name == name).or_else(|| super::detest::find(name))
}

fn harmonic(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = y[1];
    f[1] = -y[0];
}

fn pendulum(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = y[1];
    f[1] = -9.81 * y[0].sin();
}

/// Two point masses of 1 kg on massless links of 1 m; absolute angles from the downward vertical.
fn double_pendulum(_: f64, y: &[f64], f: &mut [f64]) {
    const G: f64 = 9.81;
    let (s, c) = ((y[0] - y[1]).sin(), (y[0] - y[1]).cos());
    let (square1, square2) = (y[2] * y[2], y[3] * y[3]);
    let denominator = 3.0 - (2.0 * y[0] - 2.0 * y[1]).cos();
    let weight = -3.0 * G * y[0].sin() - G * (y[0] - 2.0 * y[1]).sin();
    f[0] = y[2];
    f[1] = y[3];
    f[2] = (weight - 2.0 * s * (square2 + square1 * c)) / denominator;
    f[3] = 2.0 * s * (2.0 * square1 + 2.0 * G * y[0].cos() + square2 * c) / denominator;
}

fn lorenz(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = 10.0 * (y[1] - y[0]);
    f[1] = y[0] * (28.0 - y[2]) - y[1];
    f[2] = y[0] * y[1] - 8.0 / 3.0 * y[2];
}

fn van_der_pol(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = y[1];
    f[1] = 5.0 * (1.0 - y[0] * y[0]) * y[1] - y[0];
}

fn brusselator(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = 1.0 + y[0] * y[0] * y[1] - 4.0 * y[0];
    f[1] = 3.0 * y[0] - y[0] * y[0] * y[1];
}

fn stiff(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = y[1];
    f[1] = -1000.0 * y[0] - 1001.0 * y[1];
}

fn robertson(_: f64, y: &[f64], f: &mut [f64]) {
    let (slow, medium, fast) = (0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]);
    f[0] = -slow + medium;
    f[1] = slow - medium - fast;
    f[2] = fast;
}

/// Restricted three-body problem, Arenstorf's periodic orbit (Hairer, Norsett, Wanner).
fn arenstorf(_: f64, y: &[f64], f: &mut [f64]) {
    const MU: f64 = 0.012_277_471;
    let rest = 1.0 - MU;
    let cube = |x: f64| {
        let square = x * x + y[1] * y[1];
        square * square.sqrt()
    };
    let (d1, d2) = (cube(y[0] + MU), cube(y[0] - rest));
    f[0] = y[2];
    f[1] = y[3];
    f[2] = y[0] + 2.0 * y[3] - rest * (y[0] + MU) / d1 - MU * (y[0] - rest) / d2;
    f[3] = y[1] - 2.0 * y[2] - rest * y[1] / d1 - MU * y[1] / d2;
}
