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
    Dense(Dense<T>),
    Sparse(Box<Sparse<T>>),
}

/// A dense matrix. States that neither depend on others nor others on them, as storages do that a constraint
/// determines, are solved for themselves.
#[derive(Clone, Debug)]
pub(in crate::integrators) struct Dense<T> {
    /// The matrix of the states that hang together.
    lu: Lu<T>,
    together: Vec<usize>,
    /// The other states, with the reciprocal of their entry.
    alone: Vec<(usize, T)>,
}

impl<T: Scalar> Dense<T> {
    fn new(n: usize) -> Self {
        Self { lu: Lu::new(n), together: Vec::with_capacity(n), alone: Vec::with_capacity(n) }
    }

    /// Sorts the states of a Jacobian into those that hang together and those that do not.
    fn split(&mut self, jacobian: &Matrix, shift: T, convert: impl Fn(f64) -> T) {
        let n = jacobian.len();
        self.together.clear();
        self.alone.clear();
        for i in 0..n {
            let is_zero = |j: usize| jacobian.get(i, j) == 0.0 && jacobian.get(j, i) == 0.0;
            if (0..n).all(|j| i == j || is_zero(j)) {
                self.alone.push((i, T::ONE / (shift - convert(jacobian.get(i, i)))));
            } else {
                self.together.push(i);
            }
        }
    }

    fn factor(
        &mut self,
        mass: &Mass,
        jacobian: &Matrix,
        shift: T,
        convert: impl Fn(f64) -> T,
    ) -> bool {
        let n = jacobian.len();
        if *mass == Mass::Identity {
            self.split(jacobian, shift, &convert);
        } else {
            self.together.clear();
            self.together.extend(0..n);
        }
        let size = self.together.len();
        self.lu.resize(size);
        let entries = self.lu.entries_mut();
        for (&i, entries) in self.together.iter().zip(entries.chunks_exact_mut(size.max(1))) {
            for (entry, &j) in entries.iter_mut().zip(&self.together) {
                *entry = convert(-jacobian.get(i, j));
            }
        }
        if *mass == Mass::Identity {
            (0..size).for_each(|k| entries[k * size + k] = entries[k * size + k] + shift);
        } else {
            mass.for_each(n, |place, value| {
                entries[place] = entries[place] + shift * convert(value);
            });
        }
        self.lu.factor() && self.alone.iter().all(|(_, x)| x.size().is_finite())
    }

    fn solve(&self, b: &mut [T], scratch: &mut [T]) {
        if self.alone.is_empty() {
            return self.lu.solve(b);
        }
        let scratch = &mut scratch[..self.together.len()];
        for (x, &i) in scratch.iter_mut().zip(&self.together) {
            *x = b[i];
        }
        self.lu.solve(scratch);
        for (x, &i) in scratch.iter().zip(&self.together) {
            b[i] = *x;
        }
        for &(i, reciprocal) in &self.alone {
            b[i] = b[i] * reciprocal;
        }
    }
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
        let Some(pattern) = pattern else { return Self::Dense(Dense::new(n)) };
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
            Self::Dense(dense) => dense.factor(mass, jacobian, shift, convert),
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
            Self::Dense(dense) => dense.solve(b, scratch),
            Self::Sparse(sparse) => sparse.lu.solve(b, scratch),
        }
    }
}
