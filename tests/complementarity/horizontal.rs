//! Horizontal complementarity problems: W w + Z z = q with w >= 0, z >= 0, w z = 0.

use crate::lemke::{self, Solution};

/// Finds sides for W w + Z z = q, given as rows (W, Z, q).
///
/// A passive network has a hybrid description: one variable of each pair can be solved for. Which one comes out of
/// elimination with complete pivoting in which no pair is used twice.
pub fn solve_horizontal(mut rows: Vec<Vec<f64>>, n: usize) -> Option<Vec<bool>> {
    if n == 0 {
        return Some(Vec::new());
    }
    let matrix: Vec<Vec<f64>> = rows.iter().map(|row| row[..2 * n].to_vec()).collect();
    let (row_factor, column_factor) = lemke::balance(&matrix);
    for (row, factor) in rows.iter_mut().zip(&row_factor) {
        row.iter_mut().for_each(|x| *x *= factor);
        row.iter_mut().zip(&column_factor).for_each(|(x, factor)| *x *= factor);
    }
    // For each pair: the row that is solved for one side, and is it z?
    let mut basis: Vec<Option<(usize, bool)>> = vec![None; n];
    let mut used = vec![false; rows.len()];
    loop {
        let mut best = (0, 0, 1e-11);
        for (i, row) in rows.iter().enumerate().filter(|(i, _)| !used[*i]) {
            for column in 0..2 * n {
                if basis[column % n].is_none() && row[column].abs() > best.2 {
                    best = (i, column, row[column].abs());
                }
            }
        }
        let (i, column, size) = best;
        if size <= 1e-11 {
            break;
        }
        let factor = 1.0 / rows[i][column];
        rows[i].iter_mut().for_each(|x| *x *= factor);
        rows[i][column] = 1.0;
        let pivot_row = rows[i].clone();
        for (j, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if j != i && factor != 0.0 {
                lemke::reduce(row, factor, &pivot_row);
                row[column] = 0.0;
            }
        }
        used[i] = true;
        basis[column % n] = Some((i, column >= n));
    }
    // A pair that no row determines is at rest: its other side does not act on anything.
    let determined: Vec<usize> = (0..n).filter(|&k| basis[k].is_some()).collect();
    let mut m = Vec::new();
    let mut q = Vec::new();
    for &k in &determined {
        let (row, _) = basis[k]?;
        let other = |j: usize| basis[j].map_or(j, |(_, z)| if z { j } else { n + j });
        m.push(determined.iter().map(|&j| -rows[row][other(j)]).collect());
        q.push(rows[row][2 * n]);
    }
    let Solution::Basis(sides) = lemke::solve(&m, &q) else { return None };
    let mut active = vec![false; n];
    for (&k, flipped) in determined.iter().zip(sides) {
        // Lemke tells whether the variable that was not solved for is positive.
        active[k] = basis[k].is_some_and(|(_, is_z)| is_z != flipped);
    }
    Some(active)
}
