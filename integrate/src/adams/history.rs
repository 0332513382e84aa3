//! The modified divided differences `phi_i` of the derivative, and the way a step changes them.
//!
//! Column i (from 1) holds `phi_i` for all components; a step of order k touches columns 1 to
//! k + 2. Not here: scalar coefficients (`coefficients.rs`), choice of order (`order.rs`).

use super::coefficients::{Coefficients, MAX_ORDER};

/// Differences, and the round-off residues of the two additions that make up a step.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct History {
    n: usize,
    phi: Vec<f64>,
    /// Residue of the last corrected value: (new value) - (exact sum).
    residue: Vec<f64>,
    /// Residue of the predicted value.
    residue_predicted: Vec<f64>,
}

impl History {
    pub fn new(n: usize) -> Self {
        Self {
            n,
            phi: vec![0.0; n * (MAX_ORDER + 3)],
            residue: vec![0.0; n],
            residue_predicted: vec![0.0; n],
        }
    }

    /// The difference `phi_i`, i from 1.
    pub fn column(&self, i: usize) -> &[f64] {
        &self.phi[i * self.n..(i + 1) * self.n]
    }

    fn column_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.phi[i * self.n..(i + 1) * self.n]
    }

    /// Columns i (mutable) and i + 1.
    fn pair_mut(&mut self, i: usize) -> (&mut [f64], &[f64]) {
        let (low, high) = self.phi.split_at_mut((i + 1) * self.n);
        (&mut low[i * self.n..], &high[..self.n])
    }

    /// History of one point: `phi_1 = f`, all residues zero.
    pub fn begin(&mut self, ydot: &[f64]) {
        self.column_mut(1).copy_from_slice(ydot);
        self.column_mut(2).fill(0.0);
        self.residue.fill(0.0);
    }

    /// Fills the columns from derivatives at equally spaced points, oldest first: backward
    /// differences are the `phi_i` of equal steps.
    pub fn begin_from_samples(&mut self, samples: &[f64], count: usize) {
        let n = self.n;
        // Repeated differencing in place, newest point first, leaves phi_i in column i.
        for i in 1..=count {
            let from = (count - i) * n;
            self.column_mut(i).copy_from_slice(&samples[from..from + n]);
        }
        for level in 2..=count {
            for i in (level..=count).rev() {
                // Column i - 1 holds the newer difference of the level below.
                let (newer, older) = self.pair_mut_reverse(i);
                for (old, new) in older.iter_mut().zip(newer) {
                    *old = new - *old;
                }
            }
        }
        self.column_mut(count + 1).fill(0.0);
        self.residue.fill(0.0);
    }

    /// Columns i - 1 and i (mutable).
    fn pair_mut_reverse(&mut self, i: usize) -> (&[f64], &mut [f64]) {
        let (low, high) = self.phi.split_at_mut(i * self.n);
        (&low[(i - 1) * self.n..], &mut high[..self.n])
    }

    /// `phi_i* = beta_i phi_i` for the columns whose `beta` differs from one.
    pub fn scale(&mut self, c: &Coefficients, k: usize) {
        for i in c.ns + 1..=k {
            let beta = c.beta[i];
            self.column_mut(i).iter_mut().for_each(|phi| *phi *= beta);
        }
    }

    /// Predicts `p = y + h sum_i g_i phi_i*` and the differences at the new point, as if the
    /// difference of order k + 1 were zero.
    pub fn predict(
        &mut self,
        c: &Coefficients,
        k: usize,
        h: f64,
        compensated: bool,
        y: &[f64],
        p: &mut [f64],
    ) {
        // Column k + 2 keeps the old difference k + 1, which `update` needs for the next higher difference.
        let (next, last) = self.pair_mut_reverse(k + 2);
        last.copy_from_slice(next);
        self.column_mut(k + 1).fill(0.0);
        // One pass from the highest order down sums g_i phi_i* and forms phi_i + phi_{i+1}, the predicted differences.
        p.fill(0.0);
        for i in (1..=k).rev() {
            let g = c.g[i];
            let (phi, above) = self.pair_mut(i);
            for ((p, phi), above) in p.iter_mut().zip(phi).zip(above) {
                *p += g * *phi;
                *phi += above;
            }
        }
        // Compensated summation (Kahan 1965): the round-off of y + h sum goes into the next step.
        if compensated {
            for l in 0..self.n {
                let increment = h * p[l] - self.residue[l];
                p[l] = y[l] + increment;
                self.residue_predicted[l] = (p[l] - y[l]) - increment;
            }
        } else {
            for (p, y) in p.iter_mut().zip(y) {
                *p = y + h * *p;
            }
        }
    }

    /// Takes back `scale` and `predict` after a failed step.
    pub fn restore(&mut self, c: &Coefficients, k: usize) {
        for i in 1..=k {
            let inverse = 1.0 / c.beta[i];
            let (phi, above) = self.pair_mut(i);
            for (phi, above) in phi.iter_mut().zip(above) {
                *phi = inverse * (*phi - above);
            }
        }
    }

    /// Corrects: `y = p + h g_{k+1} (f_p - phi_1)`, with `f_p` the derivative at the prediction.
    /// This is the corrector of order k + 1 (local extrapolation).
    pub fn correct(
        &mut self,
        factor: f64,
        compensated: bool,
        p: &[f64],
        f_p: &[f64],
        y: &mut [f64],
    ) {
        for l in 0..self.n {
            let change = factor * (f_p[l] - self.phi[self.n + l]);
            if compensated {
                let rho = change - self.residue_predicted[l];
                y[l] = p[l] + rho;
                self.residue[l] = (y[l] - p[l]) - rho;
            } else {
                y[l] = p[l] + change;
            }
        }
    }

    /// Brings the differences to the corrected point with derivative `f`: all columns gain the
    /// true difference of order k + 1; column k + 2 becomes the next higher one.
    pub fn update(&mut self, k: usize, f: &[f64]) {
        for (l, f) in f.iter().enumerate() {
            let difference = f - self.phi[self.n + l];
            self.phi[(k + 1) * self.n + l] = difference;
            self.phi[(k + 2) * self.n + l] = difference - self.phi[(k + 2) * self.n + l];
        }
        let (columns, above) = self.phi.split_at_mut((k + 1) * self.n);
        let difference = &above[..self.n];
        for column in columns.chunks_exact_mut(self.n.max(1)).skip(1) {
            for (phi, d) in column.iter_mut().zip(difference) {
                *phi += d;
            }
        }
    }
}
