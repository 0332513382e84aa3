//! Lemke's method for `w = q + M z, w >= 0, z >= 0, w z = 0` over the ordered field of series.
//!
//! Cottle, Pang, Stone, *The Linear Complementarity Problem* (1992), 4.4: an artificial variable z0 lifts all w to zero or
//! above, `w = q + M z + d z0`; each pivot lets the complement of the variable that left come in, until z0 leaves. Of rows
//! that tie, the lexicographic rule (4.9) chooses: rows of the inverse of the basis follow the right-hand side in the
//! comparison, so that no basis comes twice. A pair of which a box has two, `-R <= f <= R`, is two pairs here
//! (`pairs.rs`), so that boxes need no rule of their own.

use std::cmp::Ordering;

use super::series::Series;

/// `w = q + M z`; M by rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    pub q: Vec<Series>,
    pub m: Vec<Vec<Series>>,
}

/// A solution: of each pair one is zero.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    pub w: Vec<Series>,
    pub z: Vec<Series>,
    /// For each pair: is it z that the last basis gives, even if it is zero as far as it is known?
    pub is_pivoted: Vec<bool>,
    /// Pivots that it took.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests bound the work"))]
    pub pivots: usize,
}

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoSolution {
    /// The variables can grow along a ray; these pairs take part in it.
    Ray(Vec<usize>),
    /// More pivots than make sense: numbers are too inexact to tell signs.
    TooLong,
}

/// Pivots for each pair beyond which signs are not to be trusted.
const MOST_PIVOTS: usize = 50;

/// Rows of `w - M z - d z0 = q` in the present basis. Columns: all w, all z, z0, right-hand side.
struct Tableau {
    n: usize,
    rows: Vec<Vec<Series>>,
    /// The column of the variable that each row determines.
    basis: Vec<usize>,
}

impl Tableau {
    fn new(problem: &Problem) -> Self {
        let n = problem.q.len();
        let row = |k: usize| {
            let mut row = vec![Series::ZERO; 2 * n + 2];
            row[k] = Series::one();
            for (place, m) in row[n..2 * n].iter_mut().zip(&problem.m[k]) {
                *place = -*m;
            }
            row[2 * n] = -Series::one();
            row[2 * n + 1] = problem.q[k];
            row
        };
        Self { n, rows: (0..n).map(row).collect(), basis: (0..n).collect() }
    }

    fn artificial(&self) -> usize {
        2 * self.n
    }

    fn right(&self, row: usize) -> &Series {
        &self.rows[row][2 * self.n + 1]
    }

    /// The other one of a pair.
    fn complement(&self, column: usize) -> usize {
        if column < self.n { column + self.n } else { column - self.n }
    }

    /// Compares two rows, each over its entry in a column: right-hand sides first, then the inverse of the basis.
    fn compare(&self, a: usize, b: usize, column: usize) -> Ordering {
        let (of_a, of_b) = (&self.rows[a][column], &self.rows[b][column]);
        let places = std::iter::once(2 * self.n + 1).chain(0..self.n);
        places
            .map(|place| (&self.rows[a][place] * of_b).compare(&(&self.rows[b][place] * of_a)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    /// The row with the least ratio among those whose entry in the column is positive; the artificial variable goes
    /// first where it ties.
    fn leaving(&self, column: usize) -> Option<usize> {
        let rows = (0..self.n).filter(|&row| self.rows[row][column].sign().is_gt());
        let best = rows.reduce(|a, b| if self.compare(b, a, column).is_lt() { b } else { a })?;
        let artificial = self.basis.iter().position(|&own| own == self.artificial())?;
        let (of_best, of_artificial) = (&self.rows[best][column], &self.rows[artificial][column]);
        let ties = of_artificial.sign().is_gt()
            && (self.right(artificial) * of_best).compare(&(self.right(best) * of_artificial))
                != Ordering::Greater;
        Some(if ties { artificial } else { best })
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let by = self.rows[row][column];
        let mut own = std::mem::take(&mut self.rows[row]);
        for entry in &mut own {
            *entry = &*entry / &by;
        }
        own[column] = Series::one();
        for other in self.rows.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[column];
            if factor.is_nothing() {
                continue;
            }
            for (entry, own) in other.iter_mut().zip(&own) {
                if !own.is_nothing() {
                    entry.subtract_product(&factor, own);
                }
            }
            other[column] = Series::ZERO;
        }
        self.rows[row] = own;
        self.basis[row] = column;
    }

    fn solution(&self, pivots: usize) -> Solution {
        let mut values = vec![Series::ZERO; 2 * self.n + 1];
        for (row, &column) in self.basis.iter().enumerate() {
            values[column] = *self.right(row);
        }
        let z = values[self.n..2 * self.n].to_vec();
        values.truncate(self.n);
        let is_pivoted = (0..self.n).map(|k| self.basis.contains(&(self.n + k))).collect();
        Solution { w: values, z, is_pivoted, pivots }
    }

    /// The pairs whose variables change along a column.
    fn ray(&self, column: usize) -> NoSolution {
        let moves = |row: &usize| self.rows[*row][column].sign().is_ne();
        let columns = (0..self.n).filter(moves).map(|row| self.basis[row]).chain([column]);
        let mut pairs: Vec<usize> =
            columns.filter(|&c| c != self.artificial()).map(|c| c % self.n).collect();
        pairs.sort_unstable();
        pairs.dedup();
        NoSolution::Ray(pairs)
    }
}

/// Solves a problem. With q >= 0 that is z = 0, without a pivot: a caller that knows which variables are likely zero names
/// these z.
///
/// # Errors
/// If there is no solution, or none that the method finds.
pub(crate) fn solve(problem: &Problem) -> Result<Solution, NoSolution> {
    let mut tableau = Tableau::new(problem);
    let n = tableau.n;
    let lowest = (0..n).filter(|&row| problem.q[row].sign().is_lt()).reduce(|a, b| {
        // All entries of z0 are -1, so that the least row is the one with the largest ratio.
        let places = std::iter::once(2 * n + 1).chain(0..n);
        let order = places
            .map(|place| tableau.rows[b][place].compare(&tableau.rows[a][place]))
            .find(|order| order.is_ne());
        if order == Some(Ordering::Less) { b } else { a }
    });
    let Some(lowest) = lowest else { return Ok(tableau.solution(0)) };
    let mut entering = tableau.complement(tableau.basis[lowest]);
    tableau.pivot(lowest, 2 * n);
    for pivots in 1..MOST_PIVOTS * (n + 1) {
        let Some(row) = tableau.leaving(entering) else { return Err(tableau.ray(entering)) };
        let left = tableau.basis[row];
        tableau.pivot(row, entering);
        if left == tableau.artificial() {
            return Ok(tableau.solution(pivots + 1));
        }
        entering = tableau.complement(left);
    }
    Err(NoSolution::TooLong)
}

#[cfg(test)]
#[path = "lemke/tests.rs"]
mod tests;
