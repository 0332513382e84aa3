//! Factors of a sparse matrix, column by column (Gilbert and Peierls, SIAM J. Sci. Stat. Comput. 9 (1988) 862).
//!
//! Columns are taken in an order of minimum degree. Rows are compared after scaling by their largest entries,
//! because they carry different units, and the diagonal is the pivot unless another entry is ten times
//! larger: the caller puts the entries that belong together on the diagonal. After the first factorisation all vectors are
//! allocated, so that factorisations of similar matrices allocate nothing, and as long as the pivots serve, their order and
//! the pattern of the factors stay.
//!
//! A small matrix that is at least half full has dense factors instead (`full_factors.rs`).
//!
//! Written here because the factors are needed in real and complex numbers, of matrices that change their
//! entries thousands of times in a run but never their pattern.

use super::complex::Scalar;
use super::full_factors::DenseLu;
use super::ordering::minimum_degree;

/// The diagonal is the pivot unless another scaled entry is larger by this factor.
const THRESHOLD: f64 = 0.1;
/// Pivots stay in their order while each is at least this part of the largest scaled entry of its column, so that entries
/// grow by a factor of a hundred at most in a step.
const KEEP: f64 = 1e-2;
const NONE: u32 = u32::MAX;

/// A sparse square matrix and, after [`factor`](Self::factor), its factors.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct SparseLu<T> {
    n: usize,
    /// First entry of each column, and one beyond the last.
    starts: Vec<u32>,
    rows: Vec<u32>,
    /// The entries, in the order of `rows`.
    pub values: Vec<T>,
    order: Vec<u32>,
    lower: Columns<T>,
    upper: Columns<T>,
    /// Reciprocals of the pivots.
    reciprocals: Vec<T>,
    /// Row of each step, and step of each row.
    row_of: Vec<u32>,
    step_of: Vec<u32>,
    scales: Vec<f64>,
    work: Vec<T>,
    mark: Vec<u32>,
    path: Vec<(u32, u32)>,
    reach: Vec<u32>,
    /// There is an order of pivots from an earlier factorisation.
    has_order: bool,
    /// Dense factors, of a small full matrix.
    dense: Option<DenseLu<T>>,
}

/// Columns of a triangular factor.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
struct Columns<T> {
    starts: Vec<u32>,
    rows: Vec<u32>,
    values: Vec<T>,
}

impl<T: Scalar> Columns<T> {
    fn new() -> Self {
        Self { starts: vec![0], rows: Vec::new(), values: Vec::new() }
    }

    fn clear(&mut self) {
        self.starts.truncate(1);
        self.rows.clear();
        self.values.clear();
    }

    fn close(&mut self) {
        self.starts.push(self.rows.len() as u32);
    }

    fn column(&self, k: usize) -> impl Iterator<Item = (usize, T)> + '_ {
        let range = self.starts[k] as usize..self.starts[k + 1] as usize;
        self.rows[range.clone()]
            .iter()
            .map(|&row| row as usize)
            .zip(self.values[range].iter().copied())
    }
}

impl<T: Scalar> SparseLu<T> {
    /// A matrix with these entries, given as rows of each column without repetition.
    pub fn new(columns: &[Vec<u32>]) -> Self {
        let n = columns.len();
        let mut starts = vec![0u32];
        let mut rows = Vec::new();
        for column in columns {
            rows.extend(column);
            starts.push(rows.len() as u32);
        }
        let dense = DenseLu::new(&starts, &rows);
        let order = if dense.is_some() { Vec::new() } else { minimum_degree(&starts, &rows) };
        let values = vec![T::ZERO; rows.len()];
        Self {
            dense,
            n,
            starts,
            rows,
            values,
            order,
            lower: Columns::new(),
            upper: Columns::new(),
            reciprocals: vec![T::ONE; n],
            row_of: vec![0; n],
            step_of: vec![NONE; n],
            scales: vec![0.0; n],
            work: vec![T::ZERO; n],
            mark: vec![NONE; n],
            path: Vec::with_capacity(n),
            reach: Vec::with_capacity(n),
            has_order: false,
        }
    }

    /// Row and column of each entry, in the order of `values`.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let columns = self.starts.windows(2).enumerate();
        columns.flat_map(|(column, range)| {
            let rows = &self.rows[range[0] as usize..range[1] as usize];
            rows.iter().map(move |&row| (row as usize, column))
        })
    }

    /// Factorises. `Err` holds the column without a pivot.
    pub fn factor(&mut self) -> Result<(), usize> {
        // Scale of a row: its largest entry.
        self.scales.fill(0.0);
        for (&row, value) in self.rows.iter().zip(&self.values) {
            let scale = &mut self.scales[row as usize];
            *scale = scale.max(value.size());
        }
        if let Some(dense) = &mut self.dense {
            return dense.factor(&self.values, &self.scales);
        }
        if self.has_order && self.refactor() {
            return Ok(());
        }
        // The old order of pivots no longer serves, or there is none.
        self.has_order = false;
        self.factor_anew()?;
        self.has_order = true;
        Ok(())
    }

    /// Factorises with the pivots and the pattern of the last time. False if a pivot has become small.
    fn refactor(&mut self) -> bool {
        for step in 0..self.n {
            let column = self.order[step] as usize;
            // The column of A, spread out in `work`.
            for at in self.starts[column] as usize..self.starts[column + 1] as usize {
                self.work[self.rows[at] as usize] = self.values[at];
            }
            // Column of U: the earlier steps, stored in the order in which they depend on each other.
            for at in self.upper.starts[step] as usize..self.upper.starts[step + 1] as usize {
                let earlier = self.upper.rows[at] as usize;
                let x = std::mem::replace(&mut self.work[self.row_of[earlier] as usize], T::ZERO);
                self.upper.values[at] = x;
                if x.size() != 0.0 {
                    for (below, factor) in self.lower.column(earlier) {
                        self.work[below] = self.work[below] - factor * x;
                    }
                }
            }
            // Pivot and column of L; a pivot that is small beside the entries below it ends the attempt.
            let row = self.row_of[step] as usize;
            let pivot = std::mem::replace(&mut self.work[row], T::ZERO);
            let below = self.lower.starts[step] as usize..self.lower.starts[step + 1] as usize;
            let least = pivot.size() / self.scales[row] / KEEP;
            let mut is_sound = least.is_finite() && least > 0.0;
            let reciprocal = T::ONE / pivot;
            for at in below {
                let row = self.lower.rows[at] as usize;
                let x = std::mem::replace(&mut self.work[row], T::ZERO);
                is_sound &= x.size() <= least * self.scales[row];
                self.lower.values[at] = x * reciprocal;
            }
            self.reciprocals[step] = reciprocal;
            if !is_sound {
                return false;
            }
        }
        true
    }

    /// Factorises with new pivots, column by column.
    fn factor_anew(&mut self) -> Result<(), usize> {
        self.lower.clear();
        self.upper.clear();
        self.step_of.fill(NONE);
        self.mark.fill(NONE);
        for step in 0..self.n {
            let column = self.order[step] as usize;
            self.eliminate(step, column);
            let pivot = self.choose_pivot(column);
            let Some(row) = pivot else {
                self.reach.iter().for_each(|&row| self.work[row as usize] = T::ZERO);
                return Err(column);
            };
            self.store(step, row);
        }
        Ok(())
    }

    /// Solves with the columns of L so far; the visited rows are in `reach`, in topological order.
    fn eliminate(&mut self, step: usize, column: usize) {
        self.reach.clear();
        let range = self.starts[column] as usize..self.starts[column + 1] as usize;
        // The pattern first: all rows that can be reached from the entries of the column.
        for at in range.clone() {
            self.search(self.rows[at], step as u32);
        }
        for at in range {
            self.work[self.rows[at] as usize] = self.values[at];
        }
        // Then the numbers, in topological order.
        for at in (0..self.reach.len()).rev() {
            let row = self.reach[at] as usize;
            let earlier = self.step_of[row];
            let x = self.work[row];
            if earlier == NONE || x.size() == 0.0 {
                continue;
            }
            for (below, factor) in self.lower.column(earlier as usize) {
                self.work[below] = self.work[below] - factor * x;
            }
        }
    }

    /// Depth-first search through the columns of L, without recursion; a row goes to `reach` after all rows below it.
    fn search(&mut self, root: u32, step: u32) {
        if self.mark[root as usize] == step {
            return;
        }
        self.mark[root as usize] = step;
        self.path.clear();
        self.path.push((root, 0));
        while let Some(&(row, next)) = self.path.last() {
            let earlier = self.step_of[row as usize];
            let child = if earlier == NONE {
                None
            } else {
                let start = self.lower.starts[earlier as usize] + next;
                let end = self.lower.starts[earlier as usize + 1];
                (start < end).then(|| self.lower.rows[start as usize])
            };
            let Some(child) = child else {
                self.reach.push(row);
                self.path.pop();
                continue;
            };
            if let Some(last) = self.path.last_mut() {
                last.1 += 1;
            }
            if self.mark[child as usize] != step {
                self.mark[child as usize] = step;
                self.path.push((child, 0));
            }
        }
    }

    /// The row of the pivot: the diagonal if it is large enough, otherwise the largest scaled entry.
    fn choose_pivot(&self, column: usize) -> Option<usize> {
        let scaled = |row: usize| {
            let size = self.work[row].size();
            if size == 0.0 { 0.0 } else { size / self.scales[row] }
        };
        let free = self.reach.iter().map(|&row| row as usize);
        let free = free.filter(|&row| self.step_of[row] == NONE);
        let (mut best, mut largest) = (None, 0.0);
        for row in free {
            let size = scaled(row);
            if !size.is_finite() {
                return None;
            }
            if size > largest || size == largest && best.is_some_and(|best| row < best) {
                (best, largest) = (Some(row), size);
            }
        }
        // The diagonal is preferred if it is at least the threshold times the largest entry.
        let own = self.step_of[column] == NONE && self.mark_is_current(column);
        if own && scaled(column) >= THRESHOLD * largest && largest > 0.0 {
            return Some(column);
        }
        best
    }

    fn mark_is_current(&self, row: usize) -> bool {
        self.reach.first().is_some_and(|&first| self.mark[row] == self.mark[first as usize])
    }

    /// Stores the column: entries above the pivot in U, entries below the pivot, divided by it, in L.
    fn store(&mut self, step: usize, pivot_row: usize) {
        let pivot = self.work[pivot_row];
        let reciprocal = T::ONE / pivot;
        self.step_of[pivot_row] = step as u32;
        self.row_of[step] = pivot_row as u32;
        self.reciprocals[step] = reciprocal;
        for at in (0..self.reach.len()).rev() {
            let row = self.reach[at];
            let value = std::mem::replace(&mut self.work[row as usize], T::ZERO);
            let earlier = self.step_of[row as usize];
            if earlier == NONE {
                self.lower.rows.push(row);
                self.lower.values.push(value * reciprocal);
            } else if (earlier as usize) < step {
                self.upper.rows.push(earlier);
                self.upper.values.push(value);
            }
        }
        self.lower.close();
        self.upper.close();
    }

    /// Replaces `b` by the solution of `A x = b`; `work` is as long as `b`.
    pub fn solve(&self, b: &mut [T], work: &mut [T]) {
        if let Some(dense) = &self.dense {
            return dense.solve(b, work);
        }
        // Forward substitution; `work` holds the result by step.
        for (step, &row) in self.row_of.iter().enumerate() {
            let x = b[row as usize];
            work[step] = x;
            if x.size() != 0.0 {
                for (below, factor) in self.lower.column(step) {
                    b[below] = b[below] - factor * x;
                }
            }
        }
        // Back substitution.
        for step in (0..self.n).rev() {
            let x = work[step] * self.reciprocals[step];
            work[step] = x;
            if x.size() != 0.0 {
                let range = self.upper.starts[step] as usize..self.upper.starts[step + 1] as usize;
                for at in range {
                    let above = self.upper.rows[at] as usize;
                    work[above] = work[above] - self.upper.values[at] * x;
                }
            }
        }
        for (&column, x) in self.order.iter().zip(&*work) {
            b[column as usize] = *x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::complex::Complex;
    use super::*;

    /// A pseudo-random sparse matrix with a few dominant entries off the diagonal.
    fn columns(n: usize) -> Vec<Vec<u32>> {
        let mut seed = 12345u64;
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize
        };
        (0..n)
            .map(|k| {
                let mut rows: Vec<u32> = (0..3).map(|_| (next() % n) as u32).collect();
                rows.push(k as u32);
                rows.sort_unstable();
                rows.dedup();
                rows
            })
            .collect()
    }

    fn entry(row: u32, column: usize) -> f64 {
        // The condition numbers of the matrices below stay under 1e5.
        (f64::from(row * 7 + 3) * (column as f64 + 1.7)).sin()
            + if row as usize == column { 0.3 } else { 0.0 }
    }

    #[test]
    fn real_and_complex_systems_are_solved() {
        for n in [1, 5, 40, 300] {
            let columns = columns(n);
            let mut lu = SparseLu::<f64>::new(&columns);
            let mut complex = SparseLu::<Complex>::new(&columns);
            let x: Vec<f64> = (0..n).map(|k| 1.0 + (k as f64).cos()).collect();
            let mut b = vec![0.0; n];
            let mut at = 0;
            for (column, rows) in columns.iter().enumerate() {
                for &row in rows {
                    lu.values[at] = entry(row, column);
                    complex.values[at] = Complex::new(0.0, entry(row, column));
                    b[row as usize] += entry(row, column) * x[column];
                    at += 1;
                }
            }
            let mut c: Vec<Complex> = b.iter().map(|&b| Complex::new(b, 0.0)).collect();
            assert_eq!(lu.factor(), Ok(()));
            lu.solve(&mut b, &mut vec![0.0; n]);
            assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-9), "{n}");
            // The matrix times i: the solution is turned by a right angle.
            assert_eq!(complex.factor(), Ok(()));
            complex.solve(&mut c, &mut vec![Complex::ZERO; n]);
            assert!(c.iter().zip(&x).all(|(c, x)| (c.im + x).abs() + c.re.abs() < 1e-9), "{n}");
        }
    }

    /// One pattern with entries that grow and shrink: the old order serves, or a new order is found.
    #[test]
    fn factors_are_renewed() {
        let n = 40;
        let columns = columns(n);
        let mut lu = SparseLu::<f64>::new(&columns);
        for round in 0..50 {
            let scale = |row: u32, column: usize| {
                let odd = (row as usize * 31 + column * 17 + round * 13).is_multiple_of(7);
                if odd { 10f64.powi(round as i32 % 5 * 2) } else { 1.0 }
            };
            let x: Vec<f64> = (0..n).map(|k| 1.0 + (k as f64).cos()).collect();
            let mut b = vec![0.0; n];
            let mut at = 0;
            for (column, rows) in columns.iter().enumerate() {
                for &row in rows {
                    let value = entry(row, column) * scale(row, column);
                    lu.values[at] = value;
                    b[row as usize] += value * x[column];
                    at += 1;
                }
            }
            assert_eq!(lu.factor(), Ok(()));
            let (mut found, mut sizes, mut gaps) = (b.clone(), vec![0.0; n], b);
            lu.solve(&mut found, &mut vec![0.0; n]);
            let mut at = 0;
            for (column, rows) in columns.iter().enumerate() {
                for &row in rows {
                    gaps[row as usize] -= lu.values[at] * found[column];
                    sizes[row as usize] += (lu.values[at] * found[column]).abs();
                    at += 1;
                }
            }
            // Growth by a hundred, twice in a row at most, times the rounding of forty terms.
            let sound = gaps.iter().zip(&sizes).all(|(gap, size)| gap.abs() <= 1e4 * 1e-14 * size);
            assert!(sound, "round {round}");
        }
    }

    #[test]
    fn a_column_without_pivot_is_named() {
        let mut lu = SparseLu::<f64>::new(&[vec![0, 1], vec![0, 1], vec![2]]);
        lu.values.copy_from_slice(&[1.0, 2.0, 2.0, 4.0, 1.0]);
        assert!(lu.factor().is_err());
        lu.values.copy_from_slice(&[1.0, 2.0, 2.0, 5.0, 1.0]);
        assert_eq!(lu.factor(), Ok(()));
    }
}
