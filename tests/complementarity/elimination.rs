//! Gauss-Jordan elimination with complete pivoting, which tells rank, null vectors and contradictions.

use crate::lemke::{balance, reduce};

/// A pivot of a balanced matrix below this size is a zero that rounding has made.
const RANK: f64 = 1e-13;

/// A linear system A x = R r, solved for as many unknowns as possible.
#[derive(Clone, Debug)]
pub struct Solved {
    /// x = gain r, with the unknowns that nothing determines at 0.
    pub gain: Vec<Vec<f64>>,
    /// Directions in which x may move.
    pub null: Vec<Vec<f64>>,
    /// Each row times r must vanish, otherwise the equations contradict each other.
    pub contradictions: Vec<Vec<f64>>,
}

/// Solves A x = R r; both matrices have one row for each equation.
pub fn solve(a: &[Vec<f64>], r: &[Vec<f64>]) -> Solved {
    let (equations, unknowns) = (a.len(), a.first().map_or(0, Vec::len));
    let inputs = r.first().map_or(0, Vec::len);
    let (row, column) = balance(a);
    let width = unknowns + inputs;
    let mut t: Vec<Vec<f64>> = (0..equations)
        .map(|i| {
            let left = (0..unknowns).map(|j| a[i][j] * row[i] * column[j]);
            left.chain(r[i].iter().map(|x| x * row[i])).collect()
        })
        .collect();
    let mut taken = vec![false; unknowns];
    let mut pivots: Vec<usize> = Vec::new();
    while pivots.len() < equations {
        let k = pivots.len();
        let mut best = (0, 0, RANK);
        for (i, line) in t.iter().enumerate().skip(k) {
            for j in 0..unknowns {
                if !taken[j] && line[j].abs() > best.2 {
                    best = (i, j, line[j].abs());
                }
            }
        }
        let (i, j, size) = best;
        if size <= RANK {
            break;
        }
        t.swap(k, i);
        taken[j] = true;
        pivots.push(j);
        let factor = 1.0 / t[k][j];
        t[k].iter_mut().for_each(|x| *x *= factor);
        let (before, rest) = t.split_at_mut(k);
        let Some((pivot_row, after)) = rest.split_first_mut() else { break };
        for line in before.iter_mut().chain(after) {
            let factor = line[j];
            if factor != 0.0 {
                reduce(line, factor, pivot_row);
                line[j] = 0.0;
            }
        }
    }
    let mut gain = vec![vec![0.0; inputs]; unknowns];
    for (line, &j) in t.iter().zip(&pivots) {
        gain[j] = line[unknowns..width].iter().map(|x| x * column[j]).collect();
    }
    let free = (0..unknowns).filter(|&j| !taken[j]);
    let null = free
        .map(|j| {
            let mut direction = vec![0.0; unknowns];
            direction[j] = column[j];
            for (line, &p) in t.iter().zip(&pivots) {
                let x = -line[j] * column[p];
                direction[p] = if line[j].abs() > 1e3 * RANK { x } else { 0.0 };
            }
            direction
        })
        .collect();
    let contradictions = t[pivots.len()..].iter().map(|line| line[unknowns..].to_vec()).collect();
    Solved { gain, null, contradictions }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x + y = r1, 2 x + 2 y = r2, z = r1: x - y is free, r2 must be 2 r1.
    #[test]
    fn rank_null_vector_and_contradiction_are_told() {
        let a = [vec![1.0, 1.0, 0.0], vec![2.0, 2.0, 0.0], vec![0.0, 0.0, 4.0]];
        let r = [vec![1.0, 0.0], vec![0.0, 1.0], vec![1.0, 0.0]];
        let solved = solve(&a, &r);
        assert_eq!(solved.null.len(), 1);
        assert!((solved.null[0][0] + solved.null[0][1]).abs() < 1e-14 && solved.null[0][2] == 0.0);
        assert_eq!(solved.gain[2], vec![0.25, 0.0]);
        let gap = &solved.contradictions[0];
        assert!((gap[0] + 2.0 * gap[1]).abs() < 1e-14 && gap[1] != 0.0);
    }
}
