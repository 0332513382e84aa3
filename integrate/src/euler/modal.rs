//! Fast states of a small ring, from eigenvalues.
//!
//! A step of the mixed method on `y' = A y` multiplies the state by a matrix G. While an eigenvalue of G grows faster than
//! any solution of the system, the slow state with the largest participation in that mode becomes fast. The participation
//! of a state is the product of its entries in the right and left eigenvectors, which does not depend on the unit of the
//! state (participation factors, Perez-Arriaga, Verghese and Schweppe, IEEE Trans. PAS 101 (1982) 3117). With all states
//! fast G is `(E - h A)^-1`, which damps every mode that A damps, so the search ends.

use std::ops::Range;

use nalgebra::{Complex, DMatrix};

use super::super::implicit::Matrix;
use crate::linear::eigen;

/// Growth in a step that counts as zero: the error of a Jacobian by differences.
const SLACK: f64 = 1e-6;
/// States whose participations have at least this ratio participate equally.
const ALIKE: f64 = 0.99;
/// Up to this number of fast states, each is tested again whether it can be slow.
const FEW: usize = 40;

/// Places of the fast states in the ring; if there are any, all `cheap` states of the ring are among them.
pub(super) fn fast(jacobian: &Matrix, ring: &[usize], h: f64, cheap: &Range<usize>) -> Vec<usize> {
    let n = ring.len();
    let a = DMatrix::from_fn(n, n, |i, j| jacobian.get(ring[i], ring[j]));
    let Some(limit) = allowed_growth(&a, h) else { return (0..n).collect() };
    let mut is_fast = vec![false; n];
    // If the explicit step is unstable, the cheap states become fast first, all at once.
    if growth(&a, h, &is_fast).is_none_or(|growth| growth > limit) {
        is_fast = ring.iter().map(|state| cheap.contains(state)).collect();
    }
    // Further states become fast until no mode grows too much.
    while let Some(joining) = unstable_states(&a, h, &is_fast, limit) {
        if joining.is_empty() {
            break;
        }
        joining.into_iter().for_each(|state| is_fast[state] = true);
    }
    // A state that became fast early may have become unnecessary by later ones.
    let places = |is_fast: &[bool]| (0..n).filter(|&k| is_fast[k]).collect::<Vec<_>>();
    if places(&is_fast).len() <= FEW {
        for state in places(&is_fast).into_iter().filter(|&k| !cheap.contains(&ring[k])) {
            is_fast[state] = false;
            is_fast[state] = growth(&a, h, &is_fast).is_none_or(|growth| growth > limit);
        }
    }
    places(&is_fast)
}

/// The largest factor by which a step may multiply a mode: one, or the growth of the system itself, computed forward or
/// backward. `None` if there are no eigenvalues.
fn allowed_growth(a: &DMatrix<f64>, h: f64) -> Option<f64> {
    let growth = |value: &Complex<f64>| {
        let backward = (Complex::new(1.0, 0.0) - value * h).norm();
        if value.re > 0.0 && backward > 0.0 {
            (value.re * h).exp().max(1.0 / backward)
        } else {
            1.0
        }
    };
    let values = eigen::general(a)?.values;
    Some(values.iter().map(growth).fold(1.0, f64::max) + SLACK)
}

/// The matrix of a step: slow states first, `x_1 = x_0 + h (A y_0)_slow`, then `(E - h A_ff) z_1 = z_0 + h A_fs x_1`.
pub(super) fn step_matrix(a: &DMatrix<f64>, h: f64, is_fast: &[bool]) -> Option<DMatrix<f64>> {
    let n = a.nrows();
    let mut slow = DMatrix::identity(n, n);
    let mut left = DMatrix::identity(n, n);
    for i in 0..n {
        for j in 0..n {
            if is_fast[i] {
                left[(i, j)] -= h * a[(i, j)];
            } else {
                slow[(i, j)] += h * a[(i, j)];
            }
        }
    }
    left.lu().solve(&slow)
}

/// The largest factor by which a step multiplies any mode.
fn growth(a: &DMatrix<f64>, h: f64, is_fast: &[bool]) -> Option<f64> {
    let values = eigen::general(&step_matrix(a, h, is_fast)?)?.values;
    Some(values.iter().map(|value| value.norm()).fold(0.0, f64::max))
}

/// For each mode that grows by more than the limit, the slow state with the largest participation; `None` if no mode grows.
fn unstable_states(a: &DMatrix<f64>, h: f64, is_fast: &[bool], limit: f64) -> Option<Vec<usize>> {
    let slow: Vec<usize> = (0..is_fast.len()).filter(|&k| !is_fast[k]).collect();
    let Some(found) = step_matrix(a, h, is_fast).and_then(|g| eigen::general(&g)) else {
        return Some(slow);
    };
    let unstable: Vec<usize> =
        (0..found.values.len()).filter(|&k| found.values[k].norm() > limit).collect();
    if unstable.is_empty() {
        return None;
    }
    // Equal eigenvalues may lack left eigenvectors; the right ones replace them then.
    let left = found.vectors.clone().try_inverse();
    let share = |state: usize, mode: usize| {
        let right = found.vectors[(state, mode)].norm();
        right * left.as_ref().map_or(right, |left| left[(mode, state)].norm())
    };
    let mut joining = Vec::new();
    for mode in unstable {
        let most = slow.iter().map(|&state| share(state, mode)).fold(0.0, f64::max);
        let alike = slow.iter().copied().filter(|&state| share(state, mode) >= ALIKE * most);
        // Of states with equal participation, the state with the least diagonal entry: coordinates, beside their speeds, need
        // no matrix.
        joining.extend(alike.min_by(|&i, &j| a[(i, i)].abs().total_cmp(&a[(j, j)].abs())));
    }
    joining.sort_unstable();
    joining.dedup();
    Some(joining)
}
