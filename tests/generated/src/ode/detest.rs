//! The 25 non-stiff problems of DETEST: Hull, Enright, Fellen, Sedgwick, SIAM J. Numer. Anal. 9
//! (1972) 603; classes A (single equations), B (small systems), C (moderate systems), D (orbits),
//! E (second order). All run from 0 to 20.

use super::{Ode, Rhs};

/// All 25 problems, A1 to E5.
pub fn all() -> Vec<Ode> {
    let unit = |n: usize| {
        let mut y = vec![0.0; n];
        y[0] = 1.0;
        y
    };
    let orbit = |e: f64| vec![1.0 - e, 0.0, 0.0, ((1.0 + e) / (1.0 - e)).sqrt()];
    let problem = |name, y0, rhs: Rhs| Ode { name, y0, t0: 0.0, t1: 20.0, rhs };
    vec![
        problem("A1", vec![1.0], |_, y, f| f[0] = -y[0]),
        problem("A2", vec![1.0], |_, y, f| f[0] = -(y[0] * y[0] * y[0]) / 2.0),
        problem("A3", vec![1.0], |t, y, f| f[0] = y[0] * t.cos()),
        problem("A4", vec![1.0], |_, y, f| f[0] = y[0] / 4.0 * (1.0 - y[0] / 20.0)),
        problem("A5", vec![4.0], |t, y, f| f[0] = (y[0] - t) / (y[0] + t)),
        problem("B1", vec![1.0, 3.0], b1),
        problem("B2", vec![2.0, 0.0, 1.0], b2),
        problem("B3", vec![1.0, 0.0, 0.0], b3),
        problem("B4", vec![3.0, 0.0, 0.0], b4),
        problem("B5", vec![0.0, 1.0, 1.0], b5),
        problem("C1", unit(10), c1),
        problem("C2", unit(10), c2),
        problem("C3", unit(10), tridiagonal),
        problem("C4", unit(51), tridiagonal),
        problem("C5", PLANETS_START.to_vec(), planets),
        problem("D1", orbit(0.1), kepler),
        problem("D2", orbit(0.3), kepler),
        problem("D3", orbit(0.5), kepler),
        problem("D4", orbit(0.7), kepler),
        problem("D5", orbit(0.9), kepler),
        problem("E1", vec![0.671_396_707_141_803, 0.095_400_514_447_474_46], e1),
        problem("E2", vec![2.0, 0.0], e2),
        problem("E3", vec![0.0, 0.0], e3),
        problem("E4", vec![30.0, 0.0], e4),
        problem("E5", vec![0.0, 0.0], e5),
    ]
}

/// The problem of that name.
pub fn find(name: &str) -> Option<Ode> {
    all().into_iter().find(|problem| problem.name == name)
}

fn b1(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = 2.0 * (y[0] - y[0] * y[1]);
    f[1] = -(y[1] - y[0] * y[1]);
}

fn b2(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = -y[0] + y[1];
    f[1] = y[0] - 2.0 * y[1] + y[2];
    f[2] = y[1] - y[2];
}

fn b3(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = -y[0];
    f[1] = y[0] - y[1] * y[1];
    f[2] = y[1] * y[1];
}

fn b4(_: f64, y: &[f64], f: &mut [f64]) {
    let r = (y[0] * y[0] + y[1] * y[1]).sqrt();
    f[0] = -y[1] - y[0] * y[2] / r;
    f[1] = y[0] - y[1] * y[2] / r;
    f[2] = y[0] / r;
}

/// Euler's equations of a rigid body; Jacobi's elliptic functions solve them.
pub(super) fn b5(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = y[1] * y[2];
    f[1] = -y[0] * y[2];
    f[2] = -0.51 * y[0] * y[1];
}

fn c1(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = -y[0];
    for i in 1..9 {
        f[i] = y[i - 1] - y[i];
    }
    f[9] = y[8];
}

fn c2(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = -y[0];
    for i in 1..9 {
        f[i] = i as f64 * y[i - 1] - (i + 1) as f64 * y[i];
    }
    f[9] = 9.0 * y[8];
}

fn tridiagonal(_: f64, y: &[f64], f: &mut [f64]) {
    let last = y.len() - 1;
    f[0] = -2.0 * y[0] + y[1];
    for i in 1..last {
        f[i] = y[i - 1] - 2.0 * y[i] + y[i + 1];
    }
    f[last] = y[last - 1] - 2.0 * y[last];
}

/// Positions and velocities of Jupiter, Saturn, Uranus, Neptune, Pluto: AU and 100 days.
const PLANETS_START: [f64; 30] = [
    3.42947415189,
    3.35386959711,
    1.35494901715,
    6.64145542550,
    5.97156957878,
    2.18231499728,
    11.2630437207,
    14.6952576794,
    6.27960525067,
    -30.1552268759,
    1.65699966404,
    1.43785752721,
    -21.1238353380,
    28.4465098142,
    15.3882659679,
    -0.557160570446,
    0.505696783289,
    0.230578543901,
    -0.415570776342,
    0.365682722812,
    0.169143213293,
    -0.325325669158,
    0.189706021964,
    0.0877265322780,
    -0.0240476254170,
    -0.287659532608,
    -0.117219543175,
    -0.176860753121,
    -0.216393453025,
    -0.0148647893090,
];

/// Five outer planets about the sun.
///
/// At a tolerance of 1e-12 the count of steps hangs on the last bit of this function: some ways to
/// write it need 86 steps; this one, which multiplies by the constant of gravity before it sums,
/// needs the 87 of the reference.
fn planets(_: f64, y: &[f64], f: &mut [f64]) {
    const GRAVITY: f64 = 2.95912208286;
    const SUN: f64 = 1.00000597682;
    const MASSES: [f64; 5] = [
        0.000954786104043,
        0.000285583733151,
        0.0000437273164546,
        0.0000517759138449,
        0.00000277777777778,
    ];
    let cube = |x: f64, y: f64, z: f64| {
        let square = x * x + y * y + z * z;
        square * square.sqrt()
    };
    for j in 0..5 {
        let own = &y[3 * j..3 * j + 3];
        let to_sun = cube(own[0], own[1], own[2]);
        for i in 0..3 {
            let mut pull = 0.0;
            for k in (0..5).filter(|k| *k != j) {
                let other = &y[3 * k..3 * k + 3];
                let apart = cube(other[0] - own[0], other[1] - own[1], other[2] - own[2]);
                let other_to_sun = cube(other[0], other[1], other[2]);
                pull += MASSES[k] * ((other[i] - own[i]) / apart - other[i] / other_to_sun);
            }
            f[3 * j + i] = y[15 + 3 * j + i];
            f[15 + 3 * j + i] = -GRAVITY * (SUN + MASSES[j]) * own[i] / to_sun + GRAVITY * pull;
        }
    }
}

fn kepler(_: f64, y: &[f64], f: &mut [f64]) {
    let square = y[0] * y[0] + y[1] * y[1];
    let cube = square * square.sqrt();
    f[0] = y[2];
    f[1] = y[3];
    f[2] = -y[0] / cube;
    f[3] = -y[1] / cube;
}

fn e1(t: f64, y: &[f64], f: &mut [f64]) {
    f[0] = y[1];
    f[1] = -(y[1] / (t + 1.0) + (1.0 - 0.25 / ((t + 1.0) * (t + 1.0))) * y[0]);
}

fn e2(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = y[1];
    f[1] = (1.0 - y[0] * y[0]) * y[1] - y[0];
}

fn e3(t: f64, y: &[f64], f: &mut [f64]) {
    f[0] = y[1];
    f[1] = y[0] * y[0] * y[0] / 6.0 - y[0] + 2.0 * (2.78535 * t).sin();
}

fn e4(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = y[1];
    f[1] = 0.032 - 0.4 * y[1] * y[1];
}

fn e5(t: f64, y: &[f64], f: &mut [f64]) {
    f[0] = y[1];
    f[1] = (1.0 + y[1] * y[1]).sqrt() / (25.0 - t);
}
