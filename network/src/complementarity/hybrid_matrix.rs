//! Elimination of the inner variables from sparse linear equations over the series.
//!
//! Columns are inner variables first, then outer ones (pairs and the constant 1), which stay. A row says that its sum is zero.
//! The row with the lowest order comes next, of these the one with the fewest inner variables; it gives the variable with the
//! fewest other rows among those whose entry is among the largest of the row, in order and size (threshold pivoting after
//! Markowitz; Duff, Erisman, Reid, *Direct Methods for Sparse Matrices*, 1986, 7.2). So no factor of the elimination is of
//! negative order, and no term that is known is lost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::series::Series;

/// An entry may be the pivot if it is above this part of the largest of its order in its row.
const THRESHOLD: f64 = 0.1;

/// A row: columns ascending, with their entries. These are large, so that rows move pointers to them.
pub(crate) type Row = Vec<(usize, Box<Series>)>;

/// Equations in which nothing but outer variables is left.
pub(crate) struct Eliminated {
    /// Rows in outer variables.
    pub outer: Vec<Row>,
    /// Pivots in order: the variable and the row that gives it.
    steps: Vec<(usize, Row)>,
    n_inner: usize,
}

struct Elimination {
    n_inner: usize,
    rows: Vec<Row>,
    is_active: Vec<bool>,
    /// The key of each row; none without an inner part.
    keys: Vec<Option<Key>>,
    /// The active rows with their keys, the lowest first; and former keys, which nobody uses.
    queue: BinaryHeap<Reverse<(Key, usize)>>,
    /// Rows that have, or had, an entry in each inner column.
    users: Vec<Vec<usize>>,
}

/// Lowest order of the inner part of a row, and number of entries there.
type Key = (i32, usize);

/// The entry of a row in a column.
fn entry(row: &Row, column: usize) -> Option<&Series> {
    row.binary_search_by_key(&column, |(own, _)| *own).ok().map(|place| &*row[place].1)
}

/// `a - factor * b` without the entry of a column.
fn combine(a: Row, factor: &Series, b: &Row, without: usize) -> Row {
    let mut sum = Row::with_capacity(a.len() + b.len());
    let mut keep = |column: usize, value: Box<Series>| {
        if !value.is_nothing() {
            sum.push((column, value));
        }
    };
    let negative = |y: &Series| Box::new(-(factor * y));
    let mut a = a.into_iter().filter(|(column, _)| *column != without);
    let mut b = b.iter().filter(|(column, _)| *column != without);
    let (mut of_a, mut of_b) = (a.next(), b.next());
    loop {
        match (of_a.take(), of_b) {
            (Some((column, value)), Some((other, _))) if column < *other => {
                keep(column, value);
                (of_a, of_b) = (a.next(), of_b);
            }
            (Some((column, mut value)), Some((other, y))) if column == *other => {
                value.subtract_product(factor, y);
                keep(column, value);
                (of_a, of_b) = (a.next(), b.next());
            }
            (waiting, Some((column, y))) => {
                keep(*column, negative(y));
                (of_a, of_b) = (waiting, b.next());
            }
            (Some((column, value)), None) => {
                keep(column, value);
                of_a = a.next();
            }
            (None, None) => break,
        }
    }
    sum
}

impl Elimination {
    /// The inner part of a row.
    fn inner<'a>(&self, row: &'a Row) -> &'a [(usize, Box<Series>)] {
        &row[..row.partition_point(|(column, _)| *column < self.n_inner)]
    }

    fn key(&self, row: &Row) -> Option<Key> {
        let inner = self.inner(row);
        let orders = inner.iter().filter_map(|(_, x)| x.leading().map(|(order, _)| order));
        Some((orders.min()?, inner.len()))
    }

    /// The best pivot of a row.
    fn pivot(&self, row: usize) -> Option<usize> {
        let inner = self.inner(&self.rows[row]);
        let leading = inner.iter().filter_map(|(column, x)| Some((*column, x.leading()?)));
        let order = leading.clone().map(|(_, (order, _))| order).min()?;
        let of_order = leading.filter(|(_, (own, _))| *own == order);
        let largest = of_order.clone().fold(0.0f64, |largest, (_, (_, x))| largest.max(x.abs()));
        of_order
            .filter(|(_, (_, x))| x.abs() >= THRESHOLD * largest)
            .min_by_key(|(column, _)| self.users[*column].len())
            .map(|(column, _)| column)
    }

    /// Gives a row another key, or none.
    fn set_key(&mut self, row: usize, key: Option<Key>) {
        self.keys[row] = key;
        self.queue.extend(key.map(|key| Reverse((key, row))));
    }

    /// The row with the lowest key.
    fn next_row(&mut self) -> Option<usize> {
        while let Some(Reverse((key, row))) = self.queue.pop() {
            if self.keys[row] == Some(key) {
                return Some(row);
            }
        }
        None
    }

    /// Takes a variable out of all rows but its own.
    fn eliminate(&mut self, row: usize, column: usize) -> Row {
        let own = std::mem::take(&mut self.rows[row]);
        self.is_active[row] = false;
        self.set_key(row, None);
        let pivot = entry(&own, column).copied().unwrap_or(Series::ZERO);
        let mut fills = Vec::new();
        for user in std::mem::take(&mut self.users[column]) {
            if !self.is_active[user] {
                continue;
            }
            let Some(factor) = entry(&self.rows[user], column).map(|x| x / &pivot) else {
                continue;
            };
            // Variables of the pivot's row that the row did not use come in, unless their factors count as zero.
            let old = std::mem::take(&mut self.rows[user]);
            let others = self.inner(&own).iter().map(|(other, _)| *other);
            fills.clear();
            fills.extend(others.filter(|other| entry(&old, *other).is_none()));
            let new = combine(old, &factor, &own, column);
            for &fill in fills.iter().filter(|fill| entry(&new, **fill).is_some()) {
                self.users[fill].push(user);
            }
            let key = self.key(&new);
            self.set_key(user, key);
            self.rows[user] = new;
        }
        own
    }
}

/// Eliminates the inner variables. What stays without an equation is zero.
pub(crate) fn eliminate(rows: Vec<Row>, n_inner: usize) -> Eliminated {
    let mut users = vec![Vec::new(); n_inner];
    for (index, row) in rows.iter().enumerate() {
        for (column, _) in row.iter().filter(|(column, _)| *column < n_inner) {
            users[*column].push(index);
        }
    }
    let is_active = vec![true; rows.len()];
    let keys = vec![None; rows.len()];
    let queue = BinaryHeap::with_capacity(rows.len());
    let mut elimination = Elimination { n_inner, rows, is_active, keys, queue, users };
    for row in 0..elimination.rows.len() {
        let key = elimination.key(&elimination.rows[row]);
        elimination.set_key(row, key);
    }
    let mut steps = Vec::with_capacity(n_inner);
    while let Some(row) = elimination.next_row() {
        let Some(column) = elimination.pivot(row) else { break };
        let own = elimination.eliminate(row, column);
        steps.push((column, own));
    }
    // What is left of inner parts counts as zero.
    for row in &mut elimination.rows {
        row.retain(|(column, _)| *column >= n_inner);
    }
    let Elimination { rows, is_active, .. } = elimination;
    let left = rows.into_iter().zip(is_active).filter(|(row, active)| *active && !row.is_empty());
    Eliminated { outer: left.map(|(row, _)| row).collect(), steps, n_inner }
}

impl Eliminated {
    /// All inner variables, where `outer` are the values of the others.
    pub fn values(&self, outer: &[Series]) -> Vec<Series> {
        let mut values = vec![Series::ZERO; self.n_inner];
        values.extend_from_slice(outer);
        for (column, row) in self.steps.iter().rev() {
            let mut pivot = &Series::ZERO;
            let mut sum = Series::ZERO;
            for (own, x) in row {
                if own == column {
                    pivot = x;
                } else {
                    sum = &sum + &(&**x * &values[*own]);
                }
            }
            values[*column] = -(&sum / pivot);
        }
        values.truncate(self.n_inner);
        values
    }
}

/// Of each pair of outer variables the one that the rows give, as a function of the other ones.
pub(crate) struct Hybrid {
    /// For each pair: is it the first one that is given?
    pub is_first: Vec<bool>,
    /// By pairs: factors of the other ones of all pairs, then the constant.
    pub rows: Vec<Vec<Series>>,
}

/// Of pairs of outer variables, where the first ones of all stand before the second ones and the constant behind
/// both: a choice of one of each that the rows determine best. Where both are as good, `preferred` says whether it is the
/// first; `scales` are usual sizes of second over first ones. Nothing if the rows do not determine one of each.
pub(crate) fn hybrid(
    rows: &[Row],
    first: usize,
    preferred: &[bool],
    scales: &[f64],
) -> Option<Hybrid> {
    let n = preferred.len();
    let mut dense: Vec<Vec<Series>> = rows
        .iter()
        .map(|row| {
            let mut all = vec![Series::ZERO; 2 * n + 1];
            row.iter().for_each(|(column, x)| all[column - first] = **x);
            all
        })
        .collect();
    let mut is_first = preferred.to_vec();
    let mut is_open = vec![true; n];
    // The pair that each of the first rows gives.
    let mut order = Vec::with_capacity(n);
    for step in 0..n {
        let (row, column) = best_pivot(&dense, step, (&is_open, preferred, scales))?;
        dense.swap(step, row);
        let pair = column % n;
        is_open[pair] = false;
        is_first[pair] = column < n;
        order.push(pair);
        let pivot = dense[step][column];
        let own: Vec<Series> = dense[step].iter().map(|x| x / &pivot).collect();
        for (_, other) in dense.iter_mut().enumerate().filter(|(row, _)| *row != step) {
            let factor = other[column];
            if factor.is_nothing() {
                continue;
            }
            for (x, y) in other.iter_mut().zip(&own).filter(|(_, y)| !y.is_nothing()) {
                x.subtract_product(&factor, y);
            }
            other[column] = Series::ZERO;
        }
        dense[step] = own;
    }
    // Rows that are left must hold by themselves.
    let holds = |row: &Vec<Series>| row.iter().all(|x| x.sign().is_eq());
    if !dense[n..].iter().all(holds) {
        return None;
    }
    let mut given = vec![Vec::new(); n];
    for (row, &pair) in dense.iter().zip(&order) {
        let others = (0..n).map(|k| if is_first[k] { n + k } else { k }).chain([2 * n]);
        given[pair] = others.map(|column| -row[column]).collect();
    }
    Some(Hybrid { is_first, rows: given })
}

/// The row, from a first one on, and the column of a pair that is open with the best entry: lowest order, then preferred
/// if it is not much smaller, then largest.
fn best_pivot(
    dense: &[Vec<Series>],
    from: usize,
    (is_open, preferred, scales): (&[bool], &[bool], &[f64]),
) -> Option<(usize, usize)> {
    /// A preferred entry counts as this much larger.
    const PREFERENCE: f64 = 1e3;
    let n = is_open.len();
    let mut best: Option<((i32, f64), (usize, usize))> = None;
    for (number, row) in dense.iter().enumerate().skip(from) {
        for column in (0..2 * n).filter(|column| is_open[column % n]) {
            let Some((order, x)) = row[column].leading() else { continue };
            let pair = column % n;
            let is_first = column < n;
            let mut size = if is_first { x.abs() / scales[pair] } else { x.abs() };
            if is_first == preferred[pair] {
                size *= PREFERENCE;
            }
            let key = (order, -size);
            let is_better = best
                .is_none_or(|(known, _)| key.0 < known.0 || (key.0 == known.0 && key.1 < known.1));
            if is_better {
                best = Some((key, (number, column)));
            }
        }
    }
    best.map(|(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(entries: &[(usize, f64)]) -> Row {
        entries.iter().map(|&(column, x)| (column, Box::new(Series::exact(x)))).collect()
    }

    #[test]
    fn a_divider_leaves_its_source_resistance() {
        // Inner: u, i. Outer: the current w that a port delivers, its voltage z, 1. 10 V behind 2 Ohm at a node with 3 Ohm.
        let (u, i, w, z, one) = (0, 1, 2, 3, 4);
        let rows = vec![
            row(&[(u, 1.0), (i, 2.0), (one, -10.0)]),
            row(&[(u, 1.0 / 3.0), (i, -1.0), (w, -1.0)]),
            row(&[(u, 1.0), (z, -1.0)]),
        ];
        let eliminated = eliminate(rows, 2);
        assert_eq!(eliminated.outer.len(), 1);
        let solved = hybrid(&eliminated.outer, 2, &[true], &[1.0]).unwrap();
        assert!(solved.is_first[0]);
        // w = z/3 - (10 - z)/2.
        assert!((solved.rows[0][0].coefficient(0) - 5.0 / 6.0).abs() < 1e-15);
        assert!((solved.rows[0][1].coefficient(0) + 5.0).abs() < 1e-15);
        let values = eliminated.values(&[Series::exact(-5.0), Series::ZERO, Series::one()]);
        assert!(values[u].coefficient(0).abs() < 1e-14);
        assert!((values[i].coefficient(0) - 5.0).abs() < 1e-14);
    }

    #[test]
    fn rows_that_contradict_each_other_are_found() {
        let rows = vec![row(&[(0, 1.0), (2, -1.0)]), row(&[(0, 1.0), (2, -2.0)])];
        let eliminated = eliminate(rows, 1);
        assert!(hybrid(&eliminated.outer, 2, &[], &[]).is_none());
    }
}
