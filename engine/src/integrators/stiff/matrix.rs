//! A dense square matrix, row by row.

/// A square matrix; a problem writes its Jacobian into one.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    n: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(n: usize) -> Self {
        Self { n, entries: vec![0.0; n * n] }
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
        self.entries[row * self.n + column]
    }

    /// Puts an entry in a row and a column.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row * self.n + column] = value;
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.n..(row + 1) * self.n]
    }

    /// Makes every entry zero.
    pub fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// All entries, row by row.
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }
}
