//! The Radau IIA methods of 3, 5 and 7 stages: coefficients, modes, error estimate, basis.
//!
//! Collocation at Radau's nodes c: a polynomial u of degree s with `u(t0) = y0` and
//! `u'(t0 + c_i h) = f` at the s nodes. With `z_i = u(t0 + c_i h) - y0`:
//!
//! ```text
//! z_i = h sum_j a_ij f(t0 + c_j h, y0 + z_j),    a_ij = integral from 0 to c_i of l_j
//! ```
//!
//! Order 2s - 1, L-stable, `y1 = y0 + z_s` (Hairer & Wanner, *Solving ODEs II*, IV.5). The eigenvectors
//! of A uncouple the stages in the linear systems of Newton's method (ibid., IV.8): one real
//! system and (s - 1)/2 complex ones of size n instead of one of size s n. They decide how fast
//! the iteration converges, never where to.
//!
//! Not here: the iteration (`newton.rs`), the polynomial of a step (`collocation.rs`).

use std::sync::LazyLock;

use nalgebra::DMatrix;

use super::super::implicit::Lu;
use super::nodes::{self, MOST};
use crate::linear::complex::{Complex, Scalar};
use crate::linear::lanes::Lanes;

/// A vector with one number per stage.
pub(super) type Stages = [f64; MOST];

/// Most modes of a method: the real one and one of each conjugate pair.
pub(super) const LANES: usize = MOST / 2 + 1;

/// `mu l_i` of all modes, stage by stage.
pub(super) type ModeShares = [Lanes<LANES>; MOST];

/// Shares of the stages in the real and the imaginary parts of each mode; the last number of each is not used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StageShares {
    pub re: [[f64; 2 * LANES]; LANES],
    pub im: [[f64; 2 * LANES]; LANES],
}

/// One eigenvalue of `A^-1` with its vectors, normalised to `left . right = 1`.
#[derive(Clone, Debug)]
pub(super) struct NodeMode {
    pub eigenvalue: Complex,
    pub right: [Complex; MOST],
    pub left: [Complex; MOST],
}

/// One method of the family.
#[derive(Clone, Debug)]
pub(super) struct Tableau {
    /// Stages.
    pub s: usize,
    pub c: Stages,
    /// `1 / (c_i product of (c_i - c_k))`, k not i: the weights of Lagrange's polynomials to the nodes 0, c_1, ..., c_s.
    pub weights: Stages,
    pub a: [Stages; MOST],
    /// The real mode first, then one of each conjugate pair, by imaginary part.
    pub modes: Vec<NodeMode>,
    /// Parts of the modes from residuals of the stages, up to the factor 1/h.
    pub into_modes: ModeShares,
    /// The stages from the parts of the modes.
    pub out_of_modes: StageShares,
    /// Weights of the stages in the error estimate: see [`estimate_weights`].
    pub estimate: Stages,
    /// Largest value of [`deviation`](Self::deviation) inside a step.
    pub peak: f64,
}

/// The methods of 3, 5 and 7 stages, computed once per process.
pub(super) static FAMILY: LazyLock<[Tableau; 3]> =
    LazyLock::new(|| [Tableau::new(3), Tableau::new(5), Tableau::new(7)]);

impl Tableau {
    /// The method with s stages: 3, 5 or 7.
    fn new(s: usize) -> Self {
        let c = nodes::radau(s);
        let mut a = [[0.0; MOST]; MOST];
        for (row, &end) in a.iter_mut().zip(&c[..s]) {
            for (j, entry) in row[..s].iter_mut().enumerate() {
                *entry = nodes::integral(end, |x| lagrange(&c[..s], j, x));
            }
        }
        let mut weights = [0.0; MOST];
        for (i, weight) in weights[..s].iter_mut().enumerate() {
            let others = c[..s].iter().enumerate().filter(|&(k, _)| k != i);
            *weight = 1.0 / others.fold(c[i], |product, (_, &node)| product * (c[i] - node));
        }
        let modes = modes(s, &a);
        let estimate = estimate_weights(s, &c, &a, modes[0].eigenvalue.re);
        let (into_modes, out_of_modes) = shares(&modes);
        let mut tableau =
            Self { s, c, weights, a, modes, into_modes, out_of_modes, estimate, peak: 0.0 };
        // A hundred points find the maximum of a polynomial with at most six turns to a per cent.
        let sizes = (0..=100).map(|k| tableau.deviation(f64::from(k) / 100.0).abs());
        tableau.peak = sizes.fold(0.0, f64::max);
        tableau
    }

    /// How far the collocation polynomial departs from the solution at `theta`, up to the factor
    /// `h^{s+1} y^{(s+1)} / s!`: the integral from 0 to theta of `(x - c_1) ... (x - c_s)`.
    pub fn deviation(&self, theta: f64) -> f64 {
        let nodes = &self.c[..self.s];
        nodes::integral(theta, |x| nodes.iter().map(|c| x - c).product())
    }

    /// Order of the step.
    pub fn order(&self) -> usize {
        2 * self.s - 1
    }
}

/// Lagrange's polynomial of node j at x.
fn lagrange(nodes: &[f64], j: usize, x: f64) -> f64 {
    let others = nodes.iter().enumerate().filter(|&(k, _)| k != j);
    others.map(|(_, &node)| (x - node) / (nodes[j] - node)).product()
}

/// Weights `w_i` of the estimate `f(t0, y0) + M sum_i w_i z_i / h`.
///
/// The embedded formula `y0 + h (f0/gamma + sum_i d_i f_i) + z_s` has order s (Hairer & Wanner IV.8,
/// there for s = 3), with gamma the real eigenvalue of `A^-1` so that its linear system is at
/// hand. The conditions `sum_i d_i c_i^k = -[k = 0]/gamma`, k < s, have the solution
/// `d_i = -l_i(0)/gamma`; and with `h f = A^-1 z`, `w = gamma d^T A^-1`, that is `A^T w = -l(0)`.
fn estimate_weights(s: usize, c: &Stages, a: &[Stages; MOST], gamma: f64) -> Stages {
    debug_assert!(gamma > 0.0);
    let mut lu = Lu::<f64>::new(s);
    for (place, entry) in lu.entries_mut().iter_mut().enumerate() {
        *entry = a[place % s][place / s];
    }
    let mut weights = [0.0; MOST];
    for (j, weight) in weights[..s].iter_mut().enumerate() {
        *weight = -lagrange(&c[..s], j, 0.0);
    }
    lu.factor();
    lu.solve(&mut weights[..s]);
    weights
}

/// Eigenvalues and vectors of `A^-1`.
fn modes(s: usize, a: &[Stages; MOST]) -> Vec<NodeMode> {
    let matrix = DMatrix::from_fn(s, s, |i, j| a[i][j]);
    let eigenvalues = matrix.complex_eigenvalues();
    let mut values: Vec<Complex> =
        eigenvalues.iter().map(|x| Complex::ONE / Complex::new(x.re, x.im)).collect();
    // s is odd: exactly one eigenvalue is real, up to round-off.
    values.sort_by(|x, y| x.im.abs().total_cmp(&y.im.abs()));
    values[0].im = 0.0;
    values.retain(|x| x.im >= 0.0);
    let vector = |value: Complex, transposed: bool| eigenvector(s, a, value, transposed);
    let mode = |value: Complex| {
        let right = vector(value, false);
        let mut left = vector(value, true);
        let product = (0..s).fold(Complex::ZERO, |sum, i| sum + left[i] * right[i]);
        left.iter_mut().for_each(|x| *x = *x / product);
        NodeMode { eigenvalue: value, right, left }
    };
    values.into_iter().map(mode).collect()
}

/// Shares of modes and stages in each other. Conjugate pairs count as twice the real part.
fn shares(modes: &[NodeMode]) -> (ModeShares, StageShares) {
    let (mut into, mut out) = ([Lanes::ZERO; MOST], StageShares::default());
    for (k, mode) in modes.iter().enumerate() {
        let twice = if k == 0 { 1.0 } else { 2.0 };
        for (i, lanes) in into.iter_mut().enumerate() {
            lanes.set_lane(k, mode.eigenvalue * mode.left[i]);
            (out.re[k][i], out.im[k][i]) = (twice * mode.right[i].re, -twice * mode.right[i].im);
        }
        if k == 0 {
            out.im[k] = [0.0; 2 * LANES];
            into.iter_mut().for_each(|lanes| lanes.im[k] = 0.0);
        }
    }
    (into, out)
}

/// Inverse iteration for the eigenvector of A (or its transpose) to the eigenvalue `1/value`. The
/// shift misses the eigenvalue by 1e-8 of itself, so three passes reach round-off.
fn eigenvector(s: usize, a: &[Stages; MOST], value: Complex, transposed: bool) -> [Complex; MOST] {
    let shift = (Complex::ONE / value).scaled(1.0 + 1e-8);
    let mut lu = Lu::<Complex>::new(s);
    for (place, entry) in lu.entries_mut().iter_mut().enumerate() {
        let (i, j) = (place / s, place % s);
        let diagonal = if i == j { shift } else { Complex::ZERO };
        *entry = Complex::new(if transposed { a[j][i] } else { a[i][j] }, 0.0) - diagonal;
    }
    lu.factor();
    let mut x = [Complex::ZERO; MOST];
    x[..s].fill(Complex::ONE);
    for _ in 0..3 {
        lu.solve(&mut x[..s]);
        let largest = x.iter().copied().max_by(|a, b| a.size().total_cmp(&b.size()));
        let largest = largest.unwrap_or(Complex::ONE);
        x.iter_mut().for_each(|x| *x = *x / largest);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of RADAU5 (Hairer & Wanner IV.8), and A of three stages in closed form.
    #[test]
    fn three_stages_have_the_published_coefficients() {
        let tableau = Tableau::new(3);
        let root6 = 6f64.sqrt();
        let a = [
            [
                (88.0 - 7.0 * root6) / 360.0,
                (296.0 - 169.0 * root6) / 1800.0,
                (-2.0 + 3.0 * root6) / 225.0,
            ],
            [
                (296.0 + 169.0 * root6) / 1800.0,
                (88.0 + 7.0 * root6) / 360.0,
                (-2.0 - 3.0 * root6) / 225.0,
            ],
            [(16.0 - root6) / 36.0, (16.0 + root6) / 36.0, 1.0 / 9.0],
        ];
        for (found, row) in tableau.a.iter().zip(&a) {
            for (found, known) in found.iter().zip(row) {
                assert!((found - known).abs() < 1e-15, "{found} {known}");
            }
        }
        let cube = |x: f64| x.cbrt();
        let real = 30.0 / (6.0 + cube(81.0) - cube(9.0));
        assert!((tableau.modes[0].eigenvalue.re - real).abs() < 1e-12);
        let weights = [-(13.0 + 7.0 * root6) / 3.0, (-13.0 + 7.0 * root6) / 3.0, -1.0 / 3.0];
        for (found, known) in tableau.estimate.iter().zip(weights) {
            assert!((found - known).abs() < 1e-13, "{found} {known}");
        }
    }

    /// Collocation integrates polynomials of degree s exactly at every node, and of degree 2s - 1
    /// at the end.
    #[test]
    fn stages_and_steps_have_their_orders() {
        for s in [3, 5, 7] {
            let tableau = Tableau::new(s);
            for k in 1..2 * s {
                for i in 0..s {
                    let sum: f64 =
                        (0..s).map(|j| tableau.a[i][j] * tableau.c[j].powi(k as i32 - 1)).sum();
                    let exact = tableau.c[i].powi(k as i32) / k as f64;
                    if k <= s || i == s - 1 {
                        assert!((sum - exact).abs() < 2e-15, "{s} {k} {i}");
                    }
                }
            }
        }
    }

    /// The modes rebuild A: `A = sum over modes of right left^T / eigenvalue`.
    #[test]
    fn the_modes_rebuild_the_matrix() {
        for s in [3, 5, 7] {
            let tableau = Tableau::new(s);
            assert_eq!(tableau.modes.len(), s.div_ceil(2));
            for i in 0..s {
                for j in 0..s {
                    let part = |mode: &NodeMode| {
                        let factor = if mode.eigenvalue.im == 0.0 { 1.0 } else { 2.0 };
                        (mode.right[i] * mode.left[j] / mode.eigenvalue).re * factor
                    };
                    let sum: f64 = tableau.modes.iter().map(part).sum();
                    // The eigenvectors of seven stages have a condition of some ten thousands.
                    assert!((sum - tableau.a[i][j]).abs() < 1e-10, "{s} {i} {j}");
                }
            }
        }
    }
}
