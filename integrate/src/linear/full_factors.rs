//! Factors of a small full matrix, for which lists of entries cost more than they save.
//!
//! Rows are exchanged for the largest entry of a column, after scaling by the largest entry of each row, because rows carry
//! different units (Golub and Van Loan, *Matrix Computations*, 3.4).

use super::complex::Scalar;

/// Matrices up to this size are small.
const SMALL: usize = 12;

/// The factors of a small matrix, and the place of each entry of its lists in them.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct DenseLu<T> {
    n: usize,
    /// By rows: U, and below the diagonal the factors of the rows.
    entries: Vec<T>,
    places: Vec<u32>,
    /// The row of the matrix at each step.
    order: Vec<u32>,
}

impl<T: Scalar> DenseLu<T> {
    /// Factors for a matrix whose columns have these rows, if it is small and at least half full.
    pub fn new(starts: &[u32], rows: &[u32]) -> Option<Self> {
        let n = starts.len() - 1;
        if n > SMALL || 2 * rows.len() < n * n {
            return None;
        }
        let mut places = Vec::with_capacity(rows.len());
        for column in 0..n {
            let own = &rows[starts[column] as usize..starts[column + 1] as usize];
            places.extend(own.iter().map(|&row| row * n as u32 + column as u32));
        }
        Some(Self { n, entries: vec![T::ZERO; n * n], places, order: vec![0; n] })
    }

    /// Factorises a matrix with these entries and largest entries of its rows. `Err` holds the column without a pivot.
    pub fn factor(&mut self, values: &[T], scales: &[f64]) -> Result<(), usize> {
        let n = self.n;
        self.entries.fill(T::ZERO);
        for (&place, &value) in self.places.iter().zip(values) {
            self.entries[place as usize] = value;
        }
        self.order.iter_mut().zip(0..).for_each(|(row, number)| *row = number);
        for step in 0..n {
            let (mut best, mut largest) = (step, 0.0);
            for row in step..n {
                let size = self.entries[row * n + step].size();
                let size = if size == 0.0 { 0.0 } else { size / scales[self.order[row] as usize] };
                if size > largest || !size.is_finite() {
                    (best, largest) = (row, size);
                }
            }
            if largest == 0.0 || !largest.is_finite() {
                return Err(step);
            }
            self.exchange(step, best);
            let (above, below) = self.entries.split_at_mut((step + 1) * n);
            let pivot_row = &above[step * n..];
            let reciprocal = T::ONE / pivot_row[step];
            for row in below.chunks_exact_mut(n) {
                let factor = row[step] * reciprocal;
                row[step] = factor;
                for (x, &p) in row[step + 1..].iter_mut().zip(&pivot_row[step + 1..]) {
                    *x = *x - factor * p;
                }
            }
        }
        Ok(())
    }

    fn exchange(&mut self, step: usize, best: usize) {
        if step == best {
            return;
        }
        let n = self.n;
        self.order.swap(step, best);
        let (above, below) = self.entries.split_at_mut(best * n);
        above[step * n..(step + 1) * n].swap_with_slice(&mut below[..n]);
    }

    /// Replaces `b` by the solution; `work` is as long as `b`.
    pub fn solve(&self, b: &mut [T], work: &mut [T]) {
        let n = self.n;
        for (step, row) in self.entries.chunks_exact(n.max(1)).enumerate() {
            let own = b[self.order[step] as usize];
            let known = row[..step].iter().zip(&*work);
            work[step] = known.fold(own, |sum, (&l, &x)| sum - l * x);
        }
        for (step, row) in self.entries.chunks_exact(n.max(1)).enumerate().rev() {
            let known = row[step + 1..].iter().zip(&b[step + 1..]);
            b[step] = known.fold(work[step], |sum, (&u, &x)| sum - u * x) / row[step];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::SparseLu;
    use super::super::complex::{Complex, Scalar};

    /// A full matrix of pseudo-random entries with zeros on its diagonal and rows of very different sizes.
    fn entries<T: Scalar>(n: usize, number: impl Fn(f64, f64) -> T) -> Vec<Vec<T>> {
        let mut seed = 4711u64;
        let mut next = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let mut entry = |row: usize, column: usize| {
            let size = if row == column && n > 1 { 0.0 } else { 10f64.powi(3 * row as i32 - 12) };
            number(size * next(), size * next())
        };
        (0..n).map(|row| (0..n).map(|column| entry(row, column)).collect()).collect()
    }

    /// Backward stability: the residual of each row is a few hundred round-offs of its entries times the solution (growth
    /// is at most 2^(n-1) in theory and below n in practice; n = 12 here).
    fn check<T: Scalar>(number: impl Fn(f64, f64) -> T + Copy) {
        for n in 1..=12 {
            let a = entries(n, number);
            let columns: Vec<Vec<u32>> = vec![(0..n as u32).collect(); n];
            let mut lu = SparseLu::<T>::new(&columns);
            for (k, value) in lu.values.iter_mut().enumerate() {
                *value = a[k % n][k / n];
            }
            lu.factor().expect("a regular matrix");
            let b: Vec<T> = (0..n).map(|k| number(k as f64 + 1.0, -0.5)).collect();
            let (mut x, mut work) = (b.clone(), vec![T::ZERO; n]);
            lu.solve(&mut x, &mut work);
            let largest = x.iter().fold(0.0f64, |size, x| size.max(x.size()));
            for (row, b) in a.iter().zip(&b) {
                let product = row.iter().zip(&x).fold(T::ZERO, |sum, (&a, &x)| sum + a * x);
                let size = row.iter().fold(b.size(), |size, a| size.max(a.size() * largest));
                let allowed = 100.0 * n as f64 * f64::EPSILON * size;
                assert!((product - *b).size() <= allowed, "n = {n}");
            }
        }
    }

    #[test]
    fn small_full_matrices_are_solved() {
        check(|re, _| re);
        check(Complex::new);
    }

    #[test]
    fn the_column_without_a_pivot_is_named() {
        let mut lu = SparseLu::<f64>::new(&[vec![0, 1, 2], vec![0, 1, 2], vec![0, 1, 2]]);
        lu.values.copy_from_slice(&[1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 4.0, 5.0, 7.0]);
        assert_eq!(lu.factor(), Err(1));
    }
}
