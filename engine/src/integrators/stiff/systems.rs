//! The linear systems of a step: `(mu/h M - J) x = b`, one for each mode of the method.

use crate::linear::complex::{Complex, Scalar};
use super::lu::Lu;
use super::mass::Mass;
use super::matrix::Matrix;
use super::tableau::Tableau;

/// Factors for one step size and one Jacobian.
#[derive(Clone, Debug)]
pub(super) struct Systems {
    pub real: Lu<f64>,
    pub complex: Vec<Lu<Complex>>,
    /// Step size and stages that the factors belong to; no stages if there are none.
    h: f64,
    s: usize,
}

impl Systems {
    pub fn new(n: usize, most_stages: usize) -> Self {
        let pairs = most_stages / 2;
        let complex = (0..pairs).map(|_| Lu::new(n)).collect();
        Self { real: Lu::new(n), complex, h: 0.0, s: 0 }
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
        fill(&mut self.real, mass, jacobian, gamma, |x| x);
        if !self.real.factor() {
            return false;
        }
        for (lu, mode) in self.complex.iter_mut().zip(&tableau.modes[1..]) {
            let shift = mode.eigenvalue.scaled(1.0 / h);
            fill(lu, mass, jacobian, shift, |x| Complex::new(x, 0.0));
            if !lu.factor() {
                return false;
            }
        }
        (self.h, self.s) = (h, tableau.s);
        true
    }
}

/// Writes `shift M - J`.
fn fill<T: Scalar>(
    lu: &mut Lu<T>,
    mass: &Mass,
    jacobian: &Matrix,
    shift: T,
    convert: impl Fn(f64) -> T,
) {
    let entries = lu.entries_mut();
    for (entry, &value) in entries.iter_mut().zip(jacobian.entries()) {
        *entry = convert(-value);
    }
    mass.for_each(jacobian.len(), |place, value| {
        entries[place] = entries[place] + shift * convert(value);
    });
}
