//! Factors of one matrix, dense or sparse.

use super::lu::Lu;
use super::mass::Mass;
use super::matrix::Matrix;
use super::pattern::Pattern;
use crate::linear::SparseLu;
use crate::linear::complex::Scalar;

/// A matrix with fewer states than this is always dense.
const MANY_STATES: usize = 60;
/// A pattern that fills less than this part of the matrix is sparse.
const SPARSE_SHARE: usize = 10;

/// Is it worth the while to keep only the entries of a pattern? Only without a mass matrix.
pub(in crate::integrators) fn is_sparse(pattern: &Pattern) -> bool {
    let n = pattern.len();
    let entries: usize = (0..n).map(|column| pattern.rows(column).len()).sum();
    n >= MANY_STATES && SPARSE_SHARE * entries < n * n
}

/// Factors.
#[derive(Clone, Debug)]
pub(in crate::integrators) enum Factors<T> {
    Dense(Lu<T>),
    Sparse(Box<Sparse<T>>),
}

/// A sparse matrix with the places of the Jacobian and of the diagonal among its entries.
#[derive(Clone, Debug)]
pub(in crate::integrators) struct Sparse<T> {
    lu: SparseLu<T>,
    jacobian: Vec<usize>,
    diagonal: Vec<usize>,
}

impl<T: Scalar> Factors<T> {
    pub fn new(n: usize, pattern: Option<&Pattern>) -> Self {
        let Some(pattern) = pattern else { return Self::Dense(Lu::new(n)) };
        let mut columns: Vec<Vec<u32>> = Vec::with_capacity(n);
        let (mut jacobian, mut diagonal) = (Vec::new(), Vec::new());
        let mut start = 0;
        for column in 0..n {
            let mut rows: Vec<u32> = pattern.rows(column).iter().map(|&row| row as u32).collect();
            if let Err(place) = rows.binary_search(&(column as u32)) {
                rows.insert(place, column as u32);
            }
            for (place, &row) in rows.iter().enumerate() {
                if row as usize == column {
                    diagonal.push(start + place);
                }
                if pattern.rows(column).binary_search(&(row as usize)).is_ok() {
                    jacobian.push(start + place);
                }
            }
            start += rows.len();
            columns.push(rows);
        }
        Self::Sparse(Box::new(Sparse { lu: SparseLu::new(&columns), jacobian, diagonal }))
    }

    /// Factorises `shift M - J`. False if the matrix is singular.
    pub fn factor(
        &mut self,
        mass: &Mass,
        jacobian: &Matrix,
        shift: T,
        convert: impl Fn(f64) -> T,
    ) -> bool {
        match self {
            Self::Dense(lu) => {
                let entries = lu.entries_mut();
                for (entry, &value) in entries.iter_mut().zip(jacobian.entries()) {
                    *entry = convert(-value);
                }
                mass.for_each(jacobian.len(), |place, value| {
                    entries[place] = entries[place] + shift * convert(value);
                });
                lu.factor()
            }
            Self::Sparse(sparse) => {
                let Sparse { lu, jacobian: places, diagonal } = &mut **sparse;
                lu.values.fill(T::ZERO);
                for (&place, &value) in places.iter().zip(jacobian.entries()) {
                    lu.values[place] = convert(-value);
                }
                for &place in diagonal.iter() {
                    lu.values[place] = lu.values[place] + shift;
                }
                lu.factor().is_ok()
            }
        }
    }

    /// Replaces `b` by the solution of `A x = b`; `scratch` is as long as `b`.
    pub fn solve(&self, b: &mut [T], scratch: &mut [T]) {
        match self {
            Self::Dense(lu) => lu.solve(b),
            Self::Sparse(sparse) => sparse.lu.solve(b, scratch),
        }
    }
}
