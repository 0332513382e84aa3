//! Factorisation `P A = L U` of a dense matrix in place, real or complex.
//!
//! Rows are compared after scaling by their largest entries, because they carry different units
//! (a speed equation beside a force equation), and the diagonal is kept unless another entry is ten
//! times larger. In the matrices of mechanics the rows of the position coordinates then stay
//! sparse, and a pivot row with few entries costs only these entries: the elimination of n positions and n speeds costs
//! little more than the elimination of the speeds alone.
//!
//! Not here: what the matrix is (`newton.rs`).

use crate::linear::complex::Scalar;

/// The diagonal is the pivot unless another scaled entry is larger by this factor (threshold
/// pivoting, Duff, Erisman and Reid 1986: a factor of ten keeps the growth of errors harmless).
const THRESHOLD: f64 = 0.1;

/// A matrix and, after [`factor`](Self::factor), its factors.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(crate) struct Lu<T> {
    n: usize,
    entries: Vec<T>,
    pivots: Vec<usize>,
    scales: Vec<f64>,
    /// Columns of the pivot row that are not zero.
    columns: Vec<usize>,
}

impl<T: Scalar> Lu<T> {
    pub fn new(n: usize) -> Self {
        Self {
            n,
            entries: vec![T::ZERO; n * n],
            pivots: vec![0; n],
            scales: vec![0.0; n],
            columns: Vec::with_capacity(n),
        }
    }

    /// Takes a size up to the first one; the entries are undefined then.
    pub fn resize(&mut self, n: usize) {
        self.n = n;
        self.entries.resize(n * n, T::ZERO);
        self.pivots.resize(n, 0);
        self.scales.resize(n, 0.0);
    }

    /// Every entry, row by row, to be filled before [`factor`](Self::factor).
    pub fn entries_mut(&mut self) -> &mut [T] {
        &mut self.entries
    }

    /// Factorises. False if the matrix is singular or not finite.
    pub fn factor(&mut self) -> bool {
        let n = self.n;
        for (scale, row) in self.scales.iter_mut().zip(self.entries.chunks_exact(n.max(1))) {
            *scale = row.iter().fold(0.0, |largest: f64, x| largest.max(x.size()));
        }
        for k in 0..n {
            let pivot = self.choose_pivot(k);
            let size = self.entries[pivot * n + k].size();
            if size == 0.0 || !size.is_finite() {
                return false;
            }
            self.pivots[k] = pivot;
            if pivot != k {
                let (upper, lower) = self.entries.split_at_mut(pivot * n);
                upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
                self.scales.swap(k, pivot);
            }
            self.eliminate(k);
        }
        true
    }

    fn choose_pivot(&self, k: usize) -> usize {
        let scaled = |i: usize| {
            let size = self.entries[i * self.n + k].size();
            if size == 0.0 { 0.0 } else { size / self.scales[i] }
        };
        let diagonal = scaled(k);
        let (mut best, mut largest) = (k, diagonal);
        for i in k + 1..self.n {
            let size = scaled(i);
            if size > largest {
                (best, largest) = (i, size);
            }
        }
        if diagonal >= THRESHOLD * largest { k } else { best }
    }

    /// Subtracts multiples of row k from the rows below.
    fn eliminate(&mut self, k: usize) {
        let n = self.n;
        let (upper, lower) = self.entries.split_at_mut((k + 1) * n);
        let row = &upper[k * n..];
        let reciprocal = T::ONE / row[k];
        self.columns.clear();
        self.columns.extend((k + 1..n).filter(|&j| row[j].size() != 0.0));
        let sparse = 4 * self.columns.len() < n - k;
        for target in lower.chunks_exact_mut(n) {
            if target[k].size() == 0.0 {
                continue;
            }
            let multiplier = target[k] * reciprocal;
            target[k] = multiplier;
            if sparse {
                for &j in &self.columns {
                    target[j] = target[j] - multiplier * row[j];
                }
            } else {
                for (x, &y) in target[k + 1..].iter_mut().zip(&row[k + 1..]) {
                    *x = *x - multiplier * y;
                }
            }
        }
    }

    /// Replaces `b` by the solution of `A x = b`.
    pub fn solve(&self, b: &mut [T]) {
        let n = self.n;
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for i in 1..n {
            let row = &self.entries[i * n..i * n + i];
            b[i] = b[i] - dot(row, &b[..i]);
        }
        for i in (0..n).rev() {
            let row = &self.entries[i * n..(i + 1) * n];
            b[i] = (b[i] - dot(&row[i + 1..], &b[i + 1..])) / row[i];
        }
    }
}

fn dot<T: Scalar>(a: &[T], b: &[T]) -> T {
    a.iter().zip(b).fold(T::ZERO, |sum, (&a, &b)| sum + a * b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::complex::Complex;

    /// A matrix that needs pivots, and one with a dominant diagonal and many zeros.
    fn entry(i: usize, j: usize, sparse: bool) -> f64 {
        if sparse {
            let near = i.abs_diff(j) <= 1;
            return if i == j {
                5.0
            } else if near {
                1.0 + i as f64
            } else {
                0.0
            };
        }
        ((i * i + 3 * j + 1) as f64 * (j as f64 + 1.7)).sin()
    }

    #[test]
    fn real_systems_are_solved() {
        for sparse in [false, true] {
            let n = 9;
            let mut lu = Lu::<f64>::new(n);
            let x: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
            let mut b = vec![0.0; n];
            for (i, b) in b.iter_mut().enumerate() {
                for (j, x) in x.iter().enumerate() {
                    lu.entries_mut()[i * n + j] = entry(i, j, sparse);
                    *b += entry(i, j, sparse) * x;
                }
            }
            assert!(lu.factor());
            lu.solve(&mut b);
            // The condition numbers are below a thousand.
            assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-12), "{b:?}");
        }
    }

    #[test]
    fn complex_systems_are_solved() {
        let n = 5;
        let mut lu = Lu::<Complex>::new(n);
        let mut b = vec![Complex::ZERO; n];
        for (i, b) in b.iter_mut().enumerate() {
            for j in 0..n {
                let a = Complex::new(entry(i, j, false), entry(j, i, false) - 2.0);
                lu.entries_mut()[i * n + j] = a;
                *b = *b + a * Complex::new(j as f64, 1.0);
            }
        }
        assert!(lu.factor());
        lu.solve(&mut b);
        for (j, b) in b.iter().enumerate() {
            assert!((*b - Complex::new(j as f64, 1.0)).size() < 1e-12, "{b:?}");
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        let mut lu = Lu::<f64>::new(2);
        lu.entries_mut().copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert!(!lu.factor());
        lu.entries_mut().copy_from_slice(&[f64::NAN, 0.0, 0.0, 1.0]);
        assert!(!lu.factor());
    }
}
