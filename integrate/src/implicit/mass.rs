//! The constant matrix M of `M y' = f(t, y)`.
//!
//! A singular M makes algebraic equations: an index-1 system if they determine the states that M
//! leaves out.

use super::matrix::Matrix;

/// The factor M before the derivative in `M y' = f`.
#[derive(Debug, Default, PartialEq, educe::Educe)]
#[educe(Clone)]
pub enum Mass {
    /// Nothing: `y' = f`.
    #[default]
    Identity,
    /// A constant matrix, possibly singular.
    Matrix(Matrix),
}

impl Mass {
    /// Writes `M x`.
    pub(crate) fn apply(&self, x: &[f64], product: &mut [f64]) {
        match self {
            Self::Identity => product.copy_from_slice(x),
            Self::Matrix(matrix) => {
                for (i, product) in product.iter_mut().enumerate() {
                    *product = matrix.row(i).iter().zip(x).map(|(m, x)| m * x).sum();
                }
            }
        }
    }

    /// Calls `put` with place (row by row) and value of each entry that may not be zero.
    pub(crate) fn for_each(&self, n: usize, mut put: impl FnMut(usize, f64)) {
        match self {
            Self::Identity => (0..n).for_each(|i| put(i * n + i, 1.0)),
            Self::Matrix(matrix) => {
                matrix.entries().iter().enumerate().for_each(|(place, &value)| put(place, value));
            }
        }
    }
}
