//! Linear complementarity problems: find w = M z + q with w >= 0, z >= 0, w z = 0.
//!
//! Lemke's method with the lexicographic rule, which cannot cycle (Cottle, Pang and Stone 1992, sections 4.4 and 4.9).
//! It ends with a solution for every problem of a passive network that has one (M copositive plus, theorem 4.4.13).
//! The enumeration of all 2^n complementary bases is the second opinion for small n.

/// Entries of the scaled tableau below this size are zero.
const ZERO: f64 = 1e-12;

/// How a search for a solution ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Solution {
    /// For each pair: is z basic (and w = 0)?
    Basis(Vec<bool>),
    /// The method ran along a ray: a passive network has no solution.
    Ray,
}

/// Factors for rows and columns that bring the largest entries near one (Ruiz 2001).
pub fn balance(m: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
    let columns = m.first().map_or(0, Vec::len);
    let (mut row, mut column) = (vec![1.0; m.len()], vec![1.0; columns]);
    for _ in 0..6 {
        for (i, line) in m.iter().enumerate() {
            let largest = (0..columns).map(|j| (line[j] * column[j]).abs()).fold(0.0, f64::max);
            row[i] = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        }
        for j in 0..columns {
            let largest = (0..m.len()).map(|i| (m[i][j] * row[i]).abs()).fold(0.0, f64::max);
            if largest > 0.0 {
                column[j] = (column[j] / largest).sqrt();
            }
        }
    }
    (row, column)
}

/// Solves a problem by Lemke's method.
///
/// Where rounding ends the path on a ray, other covering vectors lead along other paths.
pub fn solve(m: &[Vec<f64>], q: &[f64]) -> Solution {
    let tries = (0..8).map(|attempt| follow_path(m, q, attempt));
    tries.into_iter().find(|found| *found != Solution::Ray).unwrap_or(Solution::Ray)
}

/// Follows the path of one covering vector.
fn follow_path(m: &[Vec<f64>], q: &[f64], attempt: usize) -> Solution {
    let n = q.len();
    let (row, column) = balance(m);
    let size = (0..n).map(|i| (row[i] * q[i]).abs()).fold(0.0, f64::max);
    if (0..n).all(|i| row[i] * q[i] >= -ZERO * size) {
        return Solution::Basis(vec![false; n]);
    }
    // Columns: w, z, the artificial z0, the right side.
    let (artificial, right) = (2 * n, 2 * n + 1);
    let mut tableau = vec![vec![0.0; 2 * n + 2]; n];
    for i in 0..n {
        tableau[i][i] = 1.0;
        for j in 0..n {
            tableau[i][n + j] = -m[i][j] * row[i] * column[j];
        }
        // Ones, and in later attempts numbers between 1/2 and 3/2 that depend on the row.
        let spread = ((i * 7 + attempt * 13) as f64 * 0.618).fract() - 0.5;
        tableau[i][artificial] = -1.0 - if attempt > 0 { spread } else { 0.0 };
        tableau[i][right] = row[i] * q[i] / size;
    }
    let mut basis: Vec<usize> = (0..n).collect();
    let mut entering = artificial;
    // The artificial variable enters where the right side is lexicographically least.
    let mut leaving = (0..n).fold(0, |best, i| {
        let (a, b) = (-tableau[i][artificial], -tableau[best][artificial]);
        if is_less(&tableau[i], a, &tableau[best], b, n) { i } else { best }
    });
    // A path of Lemke visits no basis twice; for networks its length is a small multiple of n.
    for _ in 0..(50 * n + 200) {
        let left = basis[leaving];
        pivot(&mut tableau, leaving, entering);
        basis[leaving] = entering;
        if left == artificial {
            return Solution::Basis((0..n).map(|k| basis.contains(&(n + k))).collect());
        }
        entering = if left < n { left + n } else { left - n };
        let candidates: Vec<usize> = (0..n).filter(|&i| tableau[i][entering] > ZERO).collect();
        let Some(&first) = candidates.first() else { return Solution::Ray };
        leaving = candidates.iter().fold(first, |best, &i| {
            let (a, b) = (tableau[i][entering], tableau[best][entering]);
            if is_less(&tableau[i], a, &tableau[best], b, n) { i } else { best }
        });
        // Where the artificial variable ties it leaves: then the solution is complete.
        if let Some(at) = candidates.iter().copied().find(|&i| basis[i] == artificial) {
            let ratio = |i: usize| tableau[i][right] / tableau[i][entering];
            if ratio(at) <= ratio(leaving) + ZERO {
                leaving = at;
            }
        }
    }
    Solution::Ray
}

/// Is row a over its divisor lexicographically below row b over its one? Right side first, then the columns of w.
fn is_less(a: &[f64], by_a: f64, b: &[f64], by_b: f64, n: usize) -> bool {
    let right = 2 * n + 1;
    for column in std::iter::once(right).chain(0..n) {
        let (x, y) = (a[column] / by_a, b[column] / by_b);
        if (x - y).abs() > ZERO * (1.0 + x.abs().max(y.abs())) {
            return x < y;
        }
    }
    false
}

fn pivot(tableau: &mut [Vec<f64>], at: usize, column: usize) {
    let factor = 1.0 / tableau[at][column];
    tableau[at].iter_mut().for_each(|x| *x *= factor);
    let pivot_row = tableau[at].clone();
    for (i, line) in tableau.iter_mut().enumerate() {
        let factor = line[column];
        if i != at && factor != 0.0 {
            reduce(line, factor, &pivot_row);
            line[column] = 0.0;
        }
    }
}

/// Subtracts a multiple of a row; a difference that is nothing but rounding is zero.
pub fn reduce(line: &mut [f64], factor: f64, row: &[f64]) {
    for (x, y) in line.iter_mut().zip(row) {
        let difference = *x - factor * y;
        *x = if difference.abs() <= 1e-14 * x.abs() { 0.0 } else { difference };
    }
}

/// All complementary bases that solve a problem, by enumeration.
pub fn enumerate(m: &[Vec<f64>], q: &[f64], allowance: f64) -> Vec<(Vec<bool>, Vec<f64>)> {
    let n = q.len();
    let mut found = Vec::new();
    for bits in 0..1_usize << n {
        let active: Vec<usize> = (0..n).filter(|k| bits >> k & 1 == 1).collect();
        // M_aa z_a = -q_a.
        let mut a: Vec<Vec<f64>> = active
            .iter()
            .map(|&i| active.iter().map(|&j| m[i][j]).chain([-q[i]]).collect())
            .collect();
        let Some(part) = gauss(&mut a) else { continue };
        let mut z = vec![0.0; n];
        active.iter().zip(part).for_each(|(&k, value)| z[k] = value);
        let w = |i: usize| q[i] + (0..n).map(|j| m[i][j] * z[j]).sum::<f64>();
        if z.iter().all(|&x| x >= -allowance) && (0..n).all(|i| w(i) >= -allowance) {
            found.push(((0..n).map(|k| bits >> k & 1 == 1).collect(), z));
        }
    }
    found
}

/// Solves a system whose last column is the right side; `None` if it is singular.
fn gauss(a: &mut [Vec<f64>]) -> Option<Vec<f64>> {
    let n = a.len();
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        a.swap(k, best);
        if a[k][k].abs() < ZERO {
            return None;
        }
        pivot(a, k, k);
    }
    Some(a.iter().map(|line| line[n]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dysim_tests::random::Random;

    fn values(m: &[Vec<f64>], q: &[f64], basis: &[bool]) -> Vec<f64> {
        let all = enumerate(m, q, 1e-9);
        let found = all.into_iter().find(|(bits, _)| bits == basis);
        found.expect("a solution of the enumeration").1
    }

    /// The problem of Murty 1978 with n = 3: M = [1 0 0; 2 1 0; 2 2 1], q = -(8, 12, 14), solved by z = (8, 0, 0).
    #[test]
    fn textbook_problem_is_solved() {
        let m = vec![vec![1.0, 0.0, 0.0], vec![2.0, 1.0, 0.0], vec![2.0, 2.0, 1.0]];
        let q = [-8.0, -12.0, -14.0];
        let Solution::Basis(basis) = solve(&m, &q) else { panic!("a ray") };
        assert_eq!(values(&m, &q, &basis), vec![8.0, 0.0, 0.0]);
    }

    /// w = -z - 1 has no solution: the method must end on a ray.
    #[test]
    fn problem_without_solution_ends_on_a_ray() {
        assert_eq!(solve(&[vec![-1.0]], &[-1.0]), Solution::Ray);
        assert_eq!(solve(&[vec![0.0]], &[-1.0]), Solution::Ray);
    }

    /// Positive semidefinite matrices of any rank, with solutions that exist by construction, degenerate ones among them.
    #[test]
    fn semidefinite_problems_agree_with_enumeration() {
        for seed in 0..400 {
            let mut r = Random::new(seed);
            let (n, rank) = (1 + r.below(6), r.below(7));
            let factor: Vec<Vec<f64>> =
                (0..rank).map(|_| (0..n).map(|_| r.between(-1.0, 1.0)).collect()).collect();
            // Symmetric part of rank `rank`, skew part as of a gyrator.
            let mut m = vec![vec![0.0; n]; n];
            for i in 0..n {
                for j in 0..n {
                    m[i][j] += factor.iter().map(|f| f[i] * f[j]).sum::<f64>();
                    if i < j {
                        let skew = r.between(-1.0, 1.0);
                        m[i][j] += skew;
                        m[j][i] -= skew;
                    }
                }
            }
            let side: Vec<usize> = (0..n).map(|_| r.below(3)).collect();
            let z: Vec<f64> =
                side.iter().map(|&s| if s == 1 { r.between(0.1, 1.0) } else { 0.0 }).collect();
            let w: Vec<f64> =
                side.iter().map(|&s| if s == 2 { r.between(0.1, 1.0) } else { 0.0 }).collect();
            let q: Vec<f64> =
                (0..n).map(|i| w[i] - (0..n).map(|j| m[i][j] * z[j]).sum::<f64>()).collect();
            let Solution::Basis(basis) = solve(&m, &q) else { panic!("{seed}: a ray") };
            let all = enumerate(&m, &q, 1e-9);
            assert!(all.iter().any(|(bits, _)| *bits == basis), "{seed}: {basis:?} of {all:?}");
        }
    }
}
