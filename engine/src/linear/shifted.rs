//! Factors of several sparse matrices `mu - J` at once, which differ in the shift mu only.
//!
//! Implicit methods solve with one real shift and some complex ones. All of these matrices have the same entries, and
//! with a diagonal that the shift makes large they need no exchange of rows. So what does not depend on numbers is done once:
//! the order of elimination (minimum degree), the entries that appear on the way, and the place of every product. What is
//! left is a walk through lists, in which each index serves all matrices.
//!
//! The factors are those of Crout: pivots in L, ones on the diagonal of U. A pivot that is too small for one of the
//! matrices ends the factorisation; `sparse.rs` exchanges rows then.

use std::collections::BTreeSet;

use super::complex::Complex;
use super::lanes::Lanes;
use super::ordering::minimum_degree;

/// A pivot is at least this part of the largest scaled entry of its column, so that entries grow by a hundred at most
/// in a step.
const KEEP: f64 = 1e-2;
/// Products of an elimination whose places are listed; with more of them the lists take more room than they save time.
const MOST_PRODUCTS: usize = 1 << 20;

/// `L` matrices and, after [`factor`](Self::factor), their factors.
#[derive(Clone, Debug)]
pub(crate) struct Shifted<const L: usize> {
    steps: Vec<Step>,
    /// Those whose rows of U have entries, the last one first.
    upward: Vec<Step>,
    /// Pivots (their reciprocals), rows of U and columns of L, step by step.
    numbers: Vec<Lanes<L>>,
    /// For each number the row of L or the column of U that it is in.
    places: Vec<u32>,
    /// The number from which each product is subtracted: for each entry of a column of L, those of the row of U.
    targets: Vec<u32>,
    /// Number and row of each entry of J.
    entries: Vec<(u32, u32)>,
    /// The numbers that are none of these.
    others: Vec<u32>,
    /// Largest entries of the rows of J.
    largest: Vec<f64>,
}

/// One step of the elimination.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Row and column of the pivot.
    pivot: u32,
    /// First number; the row of U follows.
    start: u32,
    /// First number of the column of L, and one beyond its last.
    lower: u32,
    end: u32,
}

impl<const L: usize> Shifted<L> {
    /// Room for the factors of matrices whose columns have these rows, with the diagonal or without. `None` if they take
    /// too many products.
    pub fn new(columns: &[&[usize]]) -> Option<Self> {
        let n = columns.len();
        let mut starts = vec![0u32];
        let mut rows: Vec<u32> = Vec::new();
        for column in columns {
            rows.extend(column.iter().map(|&row| row as u32));
            starts.push(rows.len() as u32);
        }
        let order = minimum_degree(&starts, &rows);
        let mut step_of = vec![0u32; n];
        order.iter().zip(0..).for_each(|(&state, step)| step_of[state as usize] = step);
        let fill = Fill::new(columns, &step_of)?;
        let (mut steps, mut places) = (Vec::with_capacity(n), Vec::new());
        for (k, &pivot) in order.iter().enumerate() {
            let start = places.len() as u32;
            places.push(pivot);
            places.extend(fill.rows[k].iter().map(|&step| order[step as usize]));
            let lower = places.len() as u32;
            places.extend(fill.columns[k].iter().map(|&step| order[step as usize]));
            steps.push(Step { pivot, start, lower, end: places.len() as u32 });
        }
        let has_row = |step: &&Step| step.start + 1 < step.lower;
        let upward = steps.iter().rev().filter(has_row).copied().collect();
        let number = |row: u32, column: u32| fill.number(&steps, row, column);
        let mut targets = Vec::with_capacity(fill.products);
        for (lower, upper) in fill.columns.iter().zip(&fill.rows) {
            let products = lower.iter().flat_map(|&i| upper.iter().map(move |&j| (i, j)));
            targets.extend(products.map(|(i, j)| number(i, j)));
        }
        let mut entries = Vec::with_capacity(rows.len());
        for (column, rows) in columns.iter().enumerate() {
            let place = |&row: &usize| (number(step_of[row], step_of[column]), row as u32);
            entries.extend(rows.iter().map(place));
        }
        let mut is_entry = vec![false; places.len()];
        entries.iter().for_each(|&(number, _)| is_entry[number as usize] = true);
        let others = (0..places.len() as u32).filter(|&k| !is_entry[k as usize]).collect();
        let numbers = vec![Lanes::ZERO; places.len()];
        Some(Self {
            steps,
            upward,
            numbers,
            places,
            targets,
            entries,
            others,
            largest: vec![0.0; n],
        })
    }

    /// Factorises `mu - J` for all shifts; the entries of J come column by column. False if a pivot is too small.
    pub fn factor(&mut self, jacobian: &[f64], shifts: &[Complex; L]) -> bool {
        let shifts = Lanes::from_numbers(shifts);
        self.fill_in(jacobian, &shifts);
        let sizes = shifts.sizes();
        let mut targets = &self.targets[..];
        for step in &self.steps {
            let (own, later) = self.numbers.split_at_mut(step.end as usize);
            let (row, lower) =
                own[step.start as usize..].split_at_mut((step.lower - step.start) as usize);
            let Some((pivot, upper)) = row.split_first_mut() else { return false };
            let Some(reciprocal) = pivot.reciprocal() else { return false };
            // The largest entry that may stand below the pivot, over the largest of its own row.
            let (mut most, scale) = (pivot.sizes(), self.largest[step.pivot as usize]);
            for k in 0..L {
                most[k] /= KEEP * (scale + sizes[k]);
            }
            *pivot = reciprocal;
            upper.iter_mut().for_each(|u| *u = u.product(&reciprocal));
            let rows = &self.places[step.lower as usize..step.end as usize];
            // Entries that are too large, counted in the numbers that are at hand.
            let mut excess = [0.0; L];
            for (l, &row) in lower.iter().zip(rows) {
                let scale = self.largest[row as usize];
                for k in 0..L {
                    let found = l.re[k].abs() + l.im[k].abs();
                    let is_sound = found <= most[k] * (scale + sizes[k]);
                    excess[k] += if is_sound { 0.0 } else { 1.0 };
                }
            }
            if excess != [0.0; L] {
                return false;
            }
            if upper.is_empty() {
                continue;
            }
            let (own, rest) = targets.split_at(lower.len() * upper.len());
            targets = rest;
            for (l, own) in lower.iter().zip(own.chunks_exact(upper.len())) {
                for (u, &target) in upper.iter().zip(own) {
                    later[(target - step.end) as usize].subtract(l, u);
                }
            }
        }
        true
    }

    /// Writes the matrices where their factors will be.
    fn fill_in(&mut self, jacobian: &[f64], shifts: &Lanes<L>) {
        self.others.iter().for_each(|&number| self.numbers[number as usize] = Lanes::ZERO);
        self.largest.fill(0.0);
        for (&(number, row), &value) in self.entries.iter().zip(jacobian) {
            self.numbers[number as usize] = Lanes::real(-value);
            let largest = &mut self.largest[row as usize];
            *largest = if value.abs() > *largest { value.abs() } else { *largest };
        }
        for step in &self.steps {
            self.numbers[step.start as usize].add(shifts);
        }
    }

    /// Replaces the right-hand sides by the solutions.
    pub fn solve(&self, b: &mut [Lanes<L>]) {
        for step in &self.steps {
            let x = b[step.pivot as usize].product(&self.numbers[step.start as usize]);
            b[step.pivot as usize] = x;
            let range = step.lower as usize..step.end as usize;
            for (l, &row) in self.numbers[range.clone()].iter().zip(&self.places[range]) {
                b[row as usize].subtract(l, &x);
            }
        }
        for step in &self.upward {
            let range = step.start as usize + 1..step.lower as usize;
            let mut x = b[step.pivot as usize];
            for (u, &column) in self.numbers[range.clone()].iter().zip(&self.places[range]) {
                x.subtract(u, &b[column as usize]);
            }
            b[step.pivot as usize] = x;
        }
    }

    /// The same for the first matrix alone, if its shift is real.
    pub fn solve_first(&self, b: &mut [f64]) {
        for step in &self.steps {
            let x = b[step.pivot as usize] * self.numbers[step.start as usize].re[0];
            b[step.pivot as usize] = x;
            let range = step.lower as usize..step.end as usize;
            for (l, &row) in self.numbers[range.clone()].iter().zip(&self.places[range]) {
                b[row as usize] -= l.re[0] * x;
            }
        }
        for step in &self.upward {
            let range = step.start as usize + 1..step.lower as usize;
            let upper = self.numbers[range.clone()].iter().zip(&self.places[range]);
            let x = b[step.pivot as usize];
            b[step.pivot as usize] =
                upper.fold(x, |x, (u, &column)| x - u.re[0] * b[column as usize]);
        }
    }
}

/// The entries of the factors, by steps of the elimination.
struct Fill {
    /// Rows of U and columns of L without their pivots.
    rows: Vec<Vec<u32>>,
    columns: Vec<Vec<u32>>,
    products: usize,
}

impl Fill {
    /// Follows the elimination; `None` if it takes too many products.
    fn new(columns: &[&[usize]], step_of: &[u32]) -> Option<Self> {
        let n = columns.len();
        let mut above = vec![BTreeSet::new(); n];
        let mut below = vec![BTreeSet::new(); n];
        for (column, rows) in columns.iter().enumerate() {
            for (i, j) in rows.iter().map(|&row| (step_of[row], step_of[column])) {
                if i < j {
                    above[i as usize].insert(j);
                } else if i > j {
                    below[j as usize].insert(i);
                }
            }
        }
        let mut fill =
            Self { rows: Vec::with_capacity(n), columns: Vec::with_capacity(n), products: 0 };
        for k in 0..n {
            let upper: Vec<u32> = std::mem::take(&mut above[k]).into_iter().collect();
            let lower: Vec<u32> = std::mem::take(&mut below[k]).into_iter().collect();
            fill.products += upper.len() * lower.len();
            if fill.products > MOST_PRODUCTS {
                return None;
            }
            for &i in &lower {
                above[i as usize].extend(upper.iter().filter(|&&j| j > i));
            }
            for &j in &upper {
                below[j as usize].extend(lower.iter().filter(|&&i| i > j));
            }
            fill.rows.push(upper);
            fill.columns.push(lower);
        }
        Some(fill)
    }

    /// The number of an entry, given by the steps of its row and column.
    fn number(&self, steps: &[Step], row: u32, column: u32) -> u32 {
        let step = &steps[row.min(column) as usize];
        let among = |list: &[u32], wanted: u32| list.partition_point(|&k| k < wanted) as u32;
        match row.cmp(&column) {
            std::cmp::Ordering::Equal => step.start,
            std::cmp::Ordering::Less => step.start + 1 + among(&self.rows[row as usize], column),
            std::cmp::Ordering::Greater => step.lower + among(&self.columns[column as usize], row),
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Complex as Number, DMatrix, DVector};

    use super::*;

    /// Numbers between -0.5 and 0.5.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        }
    }

    /// Rows of each column: some entries per column, some columns empty, some diagonals missing.
    fn pattern(n: usize, random: &mut Random) -> Vec<Vec<usize>> {
        let column = |column: usize| {
            let mut rows: Vec<usize> = match column % 5 {
                4 => Vec::new(),
                count => {
                    (0..count + 1).map(|_| ((random.next() + 0.5) * n as f64) as usize).collect()
                }
            };
            if column.is_multiple_of(3) {
                rows.push(column);
            }
            rows.sort_unstable();
            rows.dedup();
            rows
        };
        (0..n).map(column).collect()
    }

    fn dense(columns: &[Vec<usize>], entries: &[f64], shift: Complex) -> DMatrix<Number<f64>> {
        let n = columns.len();
        let mut matrix = DMatrix::from_diagonal_element(n, n, Number::new(shift.re, shift.im));
        let places =
            columns.iter().enumerate().flat_map(|(j, rows)| rows.iter().map(move |&i| (i, j)));
        places.zip(entries).for_each(|(place, &value)| matrix[place] -= Number::new(value, 0.0));
        matrix
    }

    /// Random patterns with moderate shifts, against dense factors with exchanges of rows.
    #[test]
    fn solutions_agree_with_dense_factors() {
        let mut random = Random(4711);
        let shifts = [Complex::new(3.0, 0.0), Complex::new(2.0, 2.5), Complex::new(-1.0, 4.0)];
        for n in [1, 2, 7, 30, 76, 150] {
            let columns = pattern(n, &mut random);
            let slices: Vec<&[usize]> = columns.iter().map(Vec::as_slice).collect();
            let mut shifted = Shifted::<3>::new(&slices).expect("few products");
            for _ in 0..3 {
                let count = columns.iter().map(Vec::len).sum();
                let jacobian: Vec<f64> = (0..count).map(|_| random.next()).collect();
                assert!(shifted.factor(&jacobian, &shifts), "{n}");
                let right: Vec<Lanes<3>> = (0..n)
                    .map(|_| {
                        let mut lanes = Lanes::ZERO;
                        lanes.set_lane(0, Complex::new(random.next(), 0.0));
                        lanes.set_lane(1, Complex::new(random.next(), random.next()));
                        lanes.set_lane(2, Complex::new(random.next(), random.next()));
                        lanes
                    })
                    .collect();
                let mut x = right.clone();
                shifted.solve(&mut x);
                let mut first: Vec<f64> = right.iter().map(|b| b.re[0]).collect();
                shifted.solve_first(&mut first);
                for (lane, &shift) in shifts.iter().enumerate() {
                    let b = DVector::from_fn(n, |i, _| {
                        Number::new(right[i].re[lane], right[i].im[lane])
                    });
                    let exact = dense(&columns, &jacobian, shift).lu().solve(&b).expect("regular");
                    for (i, x) in x.iter().enumerate() {
                        // Shifts outweigh the rows, so the condition is below ten.
                        let off = (Number::new(x.re[lane], x.im[lane]) - exact[i]).norm();
                        assert!(off < 1e-13, "{n} {lane} {i}: {off}");
                        assert!(lane > 0 || (first[i] - exact[i].re).abs() < 1e-13, "{n} {i}");
                    }
                }
            }
        }
    }

    /// Zero pivots, small ones and numbers that are none are refused, in whatever lane they are; then a sound matrix is
    /// factorised as if nothing had been.
    #[test]
    fn small_pivots_are_refused() {
        let mut shifted = Shifted::<2>::new(&[&[0, 1], &[0, 1]]).expect("few products");
        let shifts = [Complex::new(1.0, 0.0), Complex::new(0.0, 1.0)];
        // Singular with the shift of one, regular with that of i.
        assert!(!shifted.factor(&[2.0, 1.0, 1.0, 2.0], &shifts));
        // The first pivot is zero, and so small that rows should be exchanged.
        assert!(!shifted.factor(&[1.0, 3.0, 1.0, 2.0], &shifts));
        assert!(!shifted.factor(&[0.9999, 3.0, 1.0, 2.0], &shifts));
        for wrong in [f64::NAN, f64::INFINITY] {
            for place in 0..4 {
                let mut jacobian = [0.1, 0.2, 0.3, 0.4];
                jacobian[place] = wrong;
                assert!(!shifted.factor(&jacobian, &shifts), "{wrong} {place}");
            }
        }
        // (1 - J) x = b with J = 3 0 / 1 -1: x = (-1/2, 3/4) for b = (1, 2).
        assert!(shifted.factor(&[3.0, 1.0, 0.0, -1.0], &shifts));
        let mut x = [1.0, 2.0];
        shifted.solve_first(&mut x);
        assert_eq!(x, [-0.5, 0.75]);
    }

    /// A column whose pivot lies without entries below may be zero too.
    #[test]
    fn an_empty_row_and_column_needs_a_shift() {
        let mut shifted = Shifted::<2>::new(&[&[0], &[]]).expect("few products");
        assert!(!shifted.factor(&[1.0], &[Complex::new(0.0, 0.0), Complex::new(2.0, 0.0)]));
        assert!(shifted.factor(&[1.0], &[Complex::new(2.0, 0.0), Complex::new(3.0, 0.0)]));
    }

    #[test]
    fn many_products_are_refused() {
        let n = 200;
        let all: Vec<usize> = (0..n).collect();
        assert!(Shifted::<2>::new(&vec![&all[..]; n]).is_none());
    }
}
