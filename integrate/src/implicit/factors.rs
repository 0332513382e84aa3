//! Factors of one matrix, dense or sparse.

use super::lu::Lu;
use super::mass::Mass;
use super::matrix::Matrix;
use super::pattern::Pattern;
use crate::linear::SparseLu;
use crate::linear::complex::Scalar;

/// A matrix with fewer states than this is always dense.
const MANY_STATES: usize = 30;
/// From this many states on, a pattern that fills less than a part of the matrix is sparse.
const HOSTS_OF_STATES: usize = 300;
const SPARSE_SHARE: usize = 10;
/// An operation on sparse factors takes as long as so many on dense ones, which lie side by side.
const SPARSE_PRICE: usize = 6;

/// Whether it pays to store only the entries of a pattern; only without a mass matrix.
pub(crate) fn is_sparse(pattern: &Pattern) -> bool {
    let n = pattern.len();
    if pattern.order().is_some() {
        return true;
    }
    if n < MANY_STATES {
        return false;
    }
    if n >= HOSTS_OF_STATES {
        let entries: usize = (0..n).map(|column| pattern.rows(column).len()).sum();
        return SPARSE_SHARE * entries < n * n;
    }
    3 * SPARSE_PRICE * elimination_cost(pattern) < n * n * n
}

/// Products that elimination takes, the state with the fewest neighbours first.
fn elimination_cost(pattern: &Pattern) -> usize {
    let n = pattern.len();
    let mut joined = vec![vec![false; n]; n];
    let columns =
        (0..n).flat_map(|column| pattern.rows(column).iter().map(move |&row| (row, column)));
    for (row, column) in columns.filter(|(row, column)| row != column) {
        (joined[row][column], joined[column][row]) = (true, true);
    }
    let mut degrees: Vec<usize> =
        joined.iter().map(|row| row.iter().filter(|&&is_joined| is_joined).count()).collect();
    let mut is_left = vec![true; n];
    let mut cost = 0;
    for _ in 0..n {
        let Some(next) = (0..n).filter(|&k| is_left[k]).min_by_key(|&k| degrees[k]) else { break };
        let neighbours: Vec<usize> = (0..n).filter(|&k| joined[next][k]).collect();
        cost += neighbours.len() * neighbours.len();
        is_left[next] = false;
        for &a in &neighbours {
            for &b in neighbours.iter().filter(|&&b| b != a) {
                degrees[a] += usize::from(!std::mem::replace(&mut joined[a][b], true));
            }
            joined[a][next] = false;
            degrees[a] -= 1;
        }
    }
    cost
}

/// Factors.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(crate) enum Factors<T> {
    Dense(Dense<T>),
    Sparse(Box<Sparse<T>>),
}

/// A dense matrix. States on which no other depends, as storages that a constraint determines, follow when the
/// others are known:
///
/// ```text
/// (shift - J_ii) x_i = b_i + sum_k J_ik x_k
/// ```
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(crate) struct Dense<T> {
    /// The matrix of the states on which others depend.
    lu: Lu<T>,
    leaders: Vec<usize>,
    /// The other states, with the reciprocals of their own entries.
    followers: Vec<(usize, T)>,
    /// Dependence of the followers on the leaders: a row of slopes for each follower.
    slopes: Vec<T>,
}

impl<T: Scalar> Dense<T> {
    fn new(n: usize) -> Self {
        Self {
            lu: Lu::new(n),
            leaders: Vec::with_capacity(n),
            followers: Vec::with_capacity(n),
            slopes: Vec::with_capacity(n * n),
        }
    }

    /// Parts the states by the columns of the Jacobian; a mass matrix joins them all.
    fn split(&mut self, mass: &Mass, jacobian: &Matrix, shift: T, convert: impl Fn(f64) -> T) {
        let n = jacobian.len();
        self.leaders.clear();
        self.followers.clear();
        self.slopes.clear();
        for i in 0..n {
            let leads = |row: usize| row != i && jacobian.get(row, i) != 0.0;
            if *mass != Mass::Identity || (0..n).any(leads) {
                self.leaders.push(i);
            } else {
                self.followers.push((i, T::ONE / (shift - convert(jacobian.get(i, i)))));
            }
        }
        for &(i, _) in &self.followers {
            self.slopes.extend(self.leaders.iter().map(|&k| convert(jacobian.get(i, k))));
        }
    }

    fn factor(
        &mut self,
        mass: &Mass,
        jacobian: &Matrix,
        shift: T,
        convert: impl Fn(f64) -> T,
    ) -> bool {
        self.split(mass, jacobian, shift, &convert);
        let size = self.leaders.len();
        self.lu.resize(size);
        let entries = self.lu.entries_mut();
        for (&i, entries) in self.leaders.iter().zip(entries.chunks_exact_mut(size.max(1))) {
            for (entry, &j) in entries.iter_mut().zip(&self.leaders) {
                *entry = convert(-jacobian.get(i, j));
            }
        }
        mass.for_each(size, |place, value| {
            entries[place] = entries[place] + shift * convert(value);
        });
        self.lu.factor() && self.followers.iter().all(|(_, x)| x.size().is_finite())
    }

    fn solve(&self, b: &mut [T], scratch: &mut [T]) {
        if self.followers.is_empty() {
            return self.lu.solve(b);
        }
        let size = self.leaders.len();
        let known = &mut scratch[..size];
        for (x, &i) in known.iter_mut().zip(&self.leaders) {
            *x = b[i];
        }
        self.lu.solve(known);
        for (x, &i) in known.iter().zip(&self.leaders) {
            b[i] = *x;
        }
        for (number, &(i, reciprocal)) in self.followers.iter().enumerate() {
            let slopes = &self.slopes[number * size..(number + 1) * size];
            let sum = slopes.iter().zip(&*known).fold(b[i], |sum, (&slope, &x)| sum + slope * x);
            b[i] = sum * reciprocal;
        }
    }
}

/// A sparse matrix with the places of the Jacobian and of the diagonal of the states among its entries.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(crate) struct Sparse<T> {
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
        for column in 0..pattern.len().max(n) {
            let mut rows: Vec<u32> = pattern.rows(column).iter().map(|&row| row as u32).collect();
            if let Err(place) = rows.binary_search(&(column as u32)) {
                rows.insert(place, column as u32);
            }
            for (place, &row) in rows.iter().enumerate() {
                if row as usize == column && column < pattern.n_states() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::complex::Complex;

    /// Five states, of which the second and the last have empty columns: residuals of real and complex systems.
    #[test]
    fn followers_are_solved_behind_the_others() {
        let n = 5;
        let mut jacobian = Matrix::zeros(n);
        for i in 0..n {
            for j in [0, 2, 3] {
                jacobian.set(i, j, ((3 * i + 7 * j + 1) as f64).sin());
            }
        }
        jacobian.set(4, 4, -2.0);
        let shift = Complex::new(3.0, 1.5);
        let mut factors = Factors::<Complex>::new(n, None);
        assert!(factors.factor(&Mass::Identity, &jacobian, shift, |x| Complex::new(x, 0.0)));
        let right: Vec<Complex> = (0..n).map(|i| Complex::new(1.0 + i as f64, -0.5)).collect();
        let mut x = right.clone();
        factors.solve(&mut x, &mut vec![Complex::ZERO; n]);
        for (i, right) in right.iter().enumerate() {
            let product = (0..n).fold(shift * x[i], |sum, j| sum - x[j].scaled(jacobian.get(i, j)));
            // Five terms of a size of ten.
            assert!((product - *right).size() < 1e-13, "{i}");
        }
    }
}
