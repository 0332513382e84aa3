//! The collocation polynomial of a step: dense output, and the first guess of the next step.
//!
//! `u(t0 + theta h) = y0 + sum_i l_i(theta) z_i` with Lagrange's polynomials `l_i` to the nodes
//! 0, c_1, ..., c_s. Inside the step its error is O(h^{s+1}), the order of the error estimate, which
//! the step control holds against the tolerance; the end of the step is better than that.

use super::combine;
use super::tableau::{Stages, Tableau};

/// A step from `t0` of size `h`.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct Collocation {
    pub t0: f64,
    pub h: f64,
    pub s: usize,
    c: Stages,
    weights: Stages,
    pub y0: Vec<f64>,
    /// Increments of the stages, one after the other.
    pub z: Vec<f64>,
}

impl Collocation {
    pub fn new(n: usize, most_stages: usize) -> Self {
        Self {
            t0: 0.0,
            h: 0.0,
            s: 0,
            c: Stages::default(),
            weights: Stages::default(),
            y0: vec![0.0; n],
            z: vec![0.0; n * most_stages],
        }
    }

    /// Forgets the step: there is nothing to extrapolate.
    pub fn forget(&mut self) {
        self.s = 0;
    }

    pub fn is_known(&self) -> bool {
        self.s > 0
    }

    /// Takes over a step; `z` is exchanged with the old one.
    pub fn take(&mut self, tableau: &Tableau, (t0, h): (f64, f64), z: &mut Vec<f64>) {
        (self.t0, self.h) = (t0, h);
        (self.s, self.c, self.weights) = (tableau.s, tableau.c, tableau.weights);
        std::mem::swap(&mut self.z, z);
    }

    /// Writes `u` and its slope at `t`.
    pub fn interpolate(&self, t: f64, y: &mut [f64], ydot: &mut [f64]) {
        if !self.is_known() {
            y.copy_from_slice(&self.y0);
            return ydot.fill(0.0);
        }
        let (values, slopes) = self.basis((t - self.t0) / self.h);
        let (y0, reciprocal) = (&self.y0[..y.len()], 1.0 / self.h);
        combine::sum(self.s, &values, &self.z, y, |l, sum| y0[l] + sum);
        combine::sum(self.s, &slopes, &self.z, ydot, |_, sum| sum * reciprocal);
    }

    /// Writes `u - end` at a time `ahead` behind the end of this step, where the state is `end`. Times
    /// themselves would bring their round-off into steps that are short beside them.
    pub fn extrapolate(&self, ahead: f64, end: &[f64], z: &mut [f64]) {
        let (values, _) = self.basis(1.0 + ahead / self.h);
        let (end, y0) = (&end[..z.len()], &self.y0[..z.len()]);
        combine::sum(self.s, &values, &self.z, z, |l, sum| sum - (end[l] - y0[l]));
    }

    /// Values and slopes of the Lagrange polynomials of the stages.
    fn basis(&self, theta: f64) -> (Stages, Stages) {
        let (mut values, mut slopes) = (Stages::default(), Stages::default());
        let s = self.s;
        // Products of the factors of all nodes before each node, with their slopes; the first factor belongs to the node 0.
        // The second loop multiplies by the factors of all nodes behind.
        let (mut product, mut slope) = (theta, 1.0);
        for i in 0..s {
            (values[i], slopes[i]) = (product, slope);
            let factor = theta - self.c[i];
            (product, slope) = (product * factor, slope * factor + product);
        }
        let (mut product, mut slope) = (1.0, 0.0);
        for i in (0..s).rev() {
            let (value, weight) = (values[i], self.weights[i]);
            values[i] = value * product * weight;
            slopes[i] = (slopes[i] * product + value * slope) * weight;
            let factor = theta - self.c[i];
            (product, slope) = (product * factor, slope * factor + product);
        }
        (values, slopes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tableau::FAMILY;
    use super::*;

    /// A polynomial of degree s is its own collocation polynomial.
    #[test]
    fn a_polynomial_is_reproduced() {
        for tableau in FAMILY.iter() {
            let s = tableau.s;
            let u = |t: f64| (t - 0.3).powi(s as i32);
            let slope = |t: f64| s as f64 * (t - 0.3).powi(s as i32 - 1);
            let (t0, h) = (1.0, 0.5);
            let mut step = Collocation::new(1, s);
            step.y0[0] = u(t0);
            let mut z: Vec<f64> = (0..s).map(|i| u(t0 + tableau.c[i] * h) - u(t0)).collect();
            step.take(tableau, (t0, h), &mut z);
            for t in [1.0, 1.01, 1.2, 1.37, 1.5, 1.7] {
                let (mut y, mut ydot) = ([0.0], [0.0]);
                step.interpolate(t, &mut y, &mut ydot);
                // Outside the step Lagrange's polynomials of seven stages reach some thousands.
                let allowed = if t > 1.5 { 1e-11 } else { 1e-13 };
                assert!((y[0] - u(t)).abs() < allowed, "{s} {t}: {}", y[0]);
                assert!((ydot[0] - slope(t)).abs() < 100.0 * allowed, "{s} {t}: {}", ydot[0]);
                let mut ahead = [0.0];
                step.extrapolate(t - 1.5, &[u(1.5)], &mut ahead);
                assert!((ahead[0] - (u(t) - u(1.5))).abs() < allowed);
            }
        }
    }
}
