//! A square matrix: dense, row by row, or with the entries of a pattern only, column by column.

use super::pattern::Pattern;

/// A square matrix; a problem writes its Jacobian into one.
#[derive(Debug, PartialEq, educe::Educe)]
#[educe(Clone)]
pub struct Matrix {
    n: usize,
    n_states: usize,
    entries: Vec<f64>,
    /// The places of the entries; `None` for a dense matrix.
    columns: Option<EntryColumns>,
}

/// The entries of a sparse matrix, column by column.
#[derive(Debug, PartialEq, educe::Educe)]
#[educe(Clone)]
struct EntryColumns {
    /// The first entry of each column, and the number of all entries.
    starts: Vec<usize>,
    /// The row of each entry.
    rows: Vec<usize>,
}

impl Matrix {
    /// A dense matrix of zeros.
    pub fn zeros(n: usize) -> Self {
        Self { n, n_states: n, entries: vec![0.0; n * n], columns: None }
    }

    /// A matrix of zeros that keeps the entries of a pattern only.
    pub fn sparse(pattern: &Pattern) -> Self {
        let n = pattern.len();
        let mut starts = vec![0];
        let mut rows = Vec::new();
        for column in 0..n {
            rows.extend(pattern.rows(column));
            starts.push(rows.len());
        }
        let entries = vec![0.0; rows.len()];
        let n_states = pattern.n_states();
        Self { n, n_states, entries, columns: Some(EntryColumns { starts, rows }) }
    }

    /// Number of states.
    pub(crate) fn n_states(&self) -> usize {
        self.n_states
    }

    /// True if it has unknowns beside the states, as an [extended](Pattern::extended) pattern has them.
    pub fn is_extended(&self) -> bool {
        self.n_states < self.n
    }

    /// Number of rows and of columns.
    pub fn len(&self) -> usize {
        self.n
    }

    /// True if it has no entry.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// The entry in a row and a column.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.place(row, column).map_or(0.0, |place| self.entries[place])
    }

    /// Puts an entry in a row and a column; one outside of the pattern is not kept.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        if let Some(place) = self.place(row, column) {
            self.entries[place] = value;
        }
    }

    /// Where the entry in a row and a column is among [all entries](Self::entries); `None` outside of the pattern.
    pub fn place(&self, row: usize, column: usize) -> Option<usize> {
        let Some(EntryColumns { starts, rows }) = &self.columns else {
            return Some(row * self.n + column);
        };
        let range = starts[column]..starts[column + 1];
        rows[range.clone()].binary_search(&row).ok().map(|place| range.start + place)
    }

    /// One row of a dense matrix; of a sparse one, nothing.
    pub fn row(&self, row: usize) -> &[f64] {
        self.entries.get(row * self.n..(row + 1) * self.n).unwrap_or(&[])
    }

    /// Calls `visit` with row, column and value of every entry that is not zero.
    pub fn for_each(&self, mut visit: impl FnMut(usize, usize, f64)) {
        let Some(EntryColumns { starts, rows }) = &self.columns else {
            let entries = self.entries.iter().enumerate().filter(|(_, value)| **value != 0.0);
            return entries.for_each(|(at, &value)| visit(at / self.n, at % self.n, value));
        };
        for (column, range) in starts.windows(2).enumerate() {
            let entries = rows[range[0]..range[1]].iter().zip(&self.entries[range[0]..range[1]]);
            entries
                .filter(|(_, value)| **value != 0.0)
                .for_each(|(&row, &v)| visit(row, column, v));
        }
    }

    /// Adds the product with a vector to another one.
    pub(crate) fn add_product(&self, x: &[f64], sum: &mut [f64]) {
        let Some(EntryColumns { starts, rows }) = &self.columns else {
            for (sum, row) in sum.iter_mut().zip(self.entries.chunks_exact(self.n.max(1))) {
                *sum += row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
            }
            return;
        };
        for (range, x) in starts.windows(2).zip(x) {
            let entries = rows[range[0]..range[1]].iter().zip(&self.entries[range[0]..range[1]]);
            entries.for_each(|(&row, a)| sum[row] += a * x);
        }
    }

    /// Takes over the entries of a matrix of the same size and pattern.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.entries.copy_from_slice(&other.entries);
    }

    /// Makes every entry zero.
    pub fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// All stored entries, to be written by their [places](Self::place).
    pub fn entries_mut(&mut self) -> &mut [f64] {
        &mut self.entries
    }

    /// All stored entries: row by row of a dense matrix, column by column of a sparse one.
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }
}
