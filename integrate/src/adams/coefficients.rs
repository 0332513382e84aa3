//! Coefficients of the variable-step Adams formulas: `alpha`, `beta`, `psi`, `sigma`, `g`.
//!
//! All arrays are indexed as in the book, from 1. A series of steps of equal size leaves most coefficients unchanged, so
//! only the coefficients that change are computed again.
//!
//! Not here: vectors of the length of the system (`history.rs`).

/// Highest order of a formula.
pub(super) const MAX_ORDER: usize = 12;

/// Sizes and orders of two successive steps, on which the coefficients depend.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepShape {
    /// Size of the step to be tried.
    pub h: f64,
    /// Size of the last accepted step; 0 at a start.
    pub h_old: f64,
    /// Order to be tried.
    pub k: usize,
    /// Order of the last accepted step; 0 at a start.
    pub k_old: usize,
}

/// Coefficients of the current step. Letters: see the table in the module `adams`.
#[derive(Clone, Debug)]
pub(super) struct Coefficients {
    pub alpha: [f64; MAX_ORDER + 1],
    pub beta: [f64; MAX_ORDER + 1],
    pub psi: [f64; MAX_ORDER + 1],
    pub sigma: [f64; MAX_ORDER + 2],
    pub g: [f64; MAX_ORDER + 2],
    /// Row `ns + 1` of the triangle of integrals, kept from step to step.
    v: [f64; MAX_ORDER + 2],
    /// Present row of the triangle of integrals.
    w: [f64; MAX_ORDER + 2],
    /// Steps taken with the present size, the current one included; stops counting at `k_old + 1`.
    pub ns: usize,
}

impl Coefficients {
    pub fn new() -> Self {
        let mut c = Self {
            alpha: [0.0; MAX_ORDER + 1],
            beta: [0.0; MAX_ORDER + 1],
            psi: [0.0; MAX_ORDER + 1],
            sigma: [0.0; MAX_ORDER + 2],
            g: [0.0; MAX_ORDER + 2],
            v: [0.0; MAX_ORDER + 2],
            w: [0.0; MAX_ORDER + 2],
            ns: 0,
        };
        // These three hold for every step: sigma_1 = 1, g_1 = 1, g_2 = 1/2.
        c.sigma[1] = 1.0;
        c.g[1] = 1.0;
        c.g[2] = 0.5;
        c
    }

    /// Brings all coefficients up to date for a step of this shape.
    pub fn update(&mut self, shape: StepShape) {
        if shape.h != shape.h_old {
            self.ns = 0;
        }
        if self.ns <= shape.k_old {
            self.ns += 1;
        }
        // With more equal steps than the order, every coefficient already has its constant value.
        if shape.k < self.ns {
            return;
        }
        self.update_ratios(shape.h, shape.k);
        self.update_integrals(shape.k, shape.k_old);
    }

    /// `psi_i = h_n + ... + h_{n-i+1}`, `alpha_i = h / psi_i`,
    /// `beta_i = beta_{i-1} psi_{i-1}(new) / psi_{i-1}(old)`, `sigma_{i+1} = i alpha_i sigma_i`
    /// (Shampine & Gordon 1975, ch. 5). For i <= ns the steps are equal and the values known.
    fn update_ratios(&mut self, h: f64, k: usize) {
        let ns = self.ns;
        self.beta[ns] = 1.0;
        self.alpha[ns] = 1.0 / ns as f64;
        self.sigma[ns + 1] = 1.0;
        let mut psi_new = h * ns as f64;
        for i in ns + 1..=k {
            let psi_old = self.psi[i - 1];
            self.psi[i - 1] = psi_new;
            self.beta[i] = self.beta[i - 1] * psi_new / psi_old;
            psi_new = psi_old + h;
            self.alpha[i] = h / psi_new;
            self.sigma[i + 1] = i as f64 * self.alpha[i] * self.sigma[i];
        }
        self.psi[k] = psi_new;
    }

    /// `g_i = g_{i,1}` from the triangle `g_{1,q} = 1/q`, `g_{2,q} = 1/(q(q+1))`,
    /// `g_{i,q} = g_{i-1,q} - alpha_{i-1} g_{i-1,q+1}`. Row `ns + 1` is kept in `v`, because the
    /// rows above it do not change while the step size stays.
    fn update_integrals(&mut self, k: usize, k_old: usize) {
        let ns = self.ns;
        // Row 2 is known; later rows follow from row ns + 1.
        if ns == 1 {
            for q in 1..=k {
                self.v[q] = 1.0 / (q * (q + 1)) as f64;
                self.w[q] = self.v[q];
            }
        } else {
            if k > k_old {
                self.extend_kept_row(k);
            }
            let alpha = self.alpha[ns];
            for q in 1..=(k + 1 - ns) {
                self.v[q] -= alpha * self.v[q + 1];
                self.w[q] = self.v[q];
            }
            self.g[ns + 1] = self.w[1];
        }
        // The rows that depend on steps of other sizes.
        for i in ns + 2..=k + 1 {
            let alpha = self.alpha[i - 1];
            for q in 1..=(k + 2 - i) {
                self.w[q] -= alpha * self.w[q + 1];
            }
            self.g[i] = self.w[1];
        }
    }

    /// A higher order needs one more entry at the end of each row: walk down the new diagonal.
    fn extend_kept_row(&mut self, k: usize) {
        self.v[k] = 1.0 / (k * (k + 1)) as f64;
        for j in 1..self.ns.saturating_sub(1) {
            let i = k - j;
            self.v[i] -= self.alpha[j + 1] * self.v[i + 1];
        }
    }

    /// Restores the `psi` that a failed step of size `h` has changed.
    pub fn restore(&mut self, h: f64, k: usize) {
        for i in 2..=k {
            self.psi[i - 1] = self.psi[i] - h;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With equal steps `g_i` are the Adams-Bashforth coefficients 1, 1/2, 5/12, 3/8, 251/720, ...
    /// Round-off: each is a difference of at most 12 numbers below one.
    #[test]
    fn equal_steps_give_the_classical_coefficients() {
        let mut c = Coefficients::new();
        let mut k_old = 0;
        let mut h_old = 0.0;
        for k in 1..=6 {
            c.update(StepShape { h: 0.1, h_old, k, k_old });
            (h_old, k_old) = (0.1, k);
        }
        let classical =
            [1.0, 1.0 / 2.0, 5.0 / 12.0, 3.0 / 8.0, 251.0 / 720.0, 95.0 / 288.0, 19087.0 / 60480.0];
        for (i, expected) in classical.iter().enumerate() {
            assert!((c.g[i + 1] - expected).abs() < 12.0 * f64::EPSILON, "g_{}", i + 1);
        }
    }

    /// A failed step leaves `psi` as it was before (up to the round-off of one sum).
    #[test]
    fn restore_takes_back_an_update() {
        let mut c = Coefficients::new();
        for (k, k_old) in [(1, 0), (2, 1), (3, 2), (4, 3)] {
            let h_old = if k_old == 0 { 0.0 } else { 0.1 };
            c.update(StepShape { h: 0.1, h_old, k, k_old });
        }
        let before = c.psi;
        c.update(StepShape { h: 0.2, h_old: 0.1, k: 4, k_old: 4 });
        c.restore(0.2, 4);
        for (new, old) in c.psi[1..4].iter().zip(&before[1..4]) {
            assert!((new - old).abs() < 4.0 * f64::EPSILON);
        }
    }
}
