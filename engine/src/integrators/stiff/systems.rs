//! The linear systems of a step: `(mu/h M - J) x = b`, one for each mode of the method.

use super::super::implicit::{Factors, Mass, Matrix, Pattern};
use super::tableau::Tableau;
use crate::linear::complex::Complex;

/// Factors for one step size and one Jacobian.
#[derive(Clone, Debug)]
pub(super) struct Systems {
    pub real: Factors<f64>,
    pub complex: Vec<Factors<Complex>>,
    /// Step size and stages that the factors belong to; no stages if there are none.
    h: f64,
    s: usize,
}

impl Systems {
    /// Room for the factors; those of a `pattern` are sparse.
    pub fn new(n: usize, most_stages: usize, pattern: Option<&Pattern>) -> Self {
        let pairs = most_stages / 2;
        let complex = (0..pairs).map(|_| Factors::new(n, pattern)).collect();
        Self { real: Factors::new(n, pattern), complex, h: 0.0, s: 0 }
    }

    /// The Jacobian has changed.
    pub fn forget(&mut self) {
        self.s = 0;
    }

    /// True if the factors are those of this step.
    pub fn fit(&self, tableau: &Tableau, h: f64) -> bool {
        self.s == tableau.s && self.h == h
    }

    /// Factorises. False if a matrix is singular.
    pub fn factor(&mut self, tableau: &Tableau, h: f64, mass: &Mass, jacobian: &Matrix) -> bool {
        self.s = 0;
        let gamma = tableau.modes[0].eigenvalue.re / h;
        if !self.real.factor(mass, jacobian, gamma, |x| x) {
            return false;
        }
        for (lu, mode) in self.complex.iter_mut().zip(&tableau.modes[1..]) {
            let shift = mode.eigenvalue.scaled(1.0 / h);
            if !lu.factor(mass, jacobian, shift, |x| Complex::new(x, 0.0)) {
                return false;
            }
        }
        (self.h, self.s) = (h, tableau.s);
        true
    }
}
