//! Fast states of a large ring, from the rows of its Jacobian.
//!
//! By Gershgorin's theorem the eigenvalues of A lie in discs around the diagonal entries, with the sums of
//! the other entries of each row for radii. Units of the states change the radii but not the eigenvalues, so the
//! matrix is balanced first (Osborne, J. ACM 7 (1960) 338).

use super::super::implicit::Matrix;

/// Passes of balancing; rough radii are sufficient.
const PASSES: usize = 10;
/// Radius below which the explicit method may treat an undamped oscillation, in units of 1/h: the amplitude grows in a step
/// by half the square of the radius.
const FOLLOWED: f64 = 0.02;

/// Places of the fast states in the ring; `edges` are the columns of each row.
pub(super) fn fast(jacobian: &Matrix, edges: &[Vec<u32>], ring: &[usize], h: f64) -> Vec<usize> {
    let place = |state: u32| ring.binary_search(&(state as usize)).ok();
    // The entries of h A inside the ring.
    let mut entries = Vec::new();
    for (i, &row) in ring.iter().enumerate() {
        for (state, j) in edges[row].iter().filter_map(|&state| Some((state, place(state)?))) {
            entries.push((i, j, h * jacobian.get(row, state as usize)));
        }
    }
    let scales = balance(ring.len(), &entries);
    // Gershgorin's discs of the balanced matrix.
    let (mut centre, mut radius) = (vec![0.0; ring.len()], vec![0.0; ring.len()]);
    for &(i, j, value) in &entries {
        if i == j {
            centre[i] = value;
        } else {
            radius[i] += (value * scales[j] / scales[i]).abs();
        }
    }
    // A disc in the left half plane has to lie in the region of stability of the explicit method, |1 + z| <= 1.
    let is_slow = |k: usize| {
        let is_damped = centre[k] + radius[k] <= FOLLOWED;
        if is_damped {
            centre[k] - radius[k] >= -2.0
        } else {
            centre[k].abs() + radius[k] <= FOLLOWED
        }
    };
    (0..ring.len()).filter(|&k| !is_slow(k)).collect()
}

/// Units of the states in which the sums of each row and its column are about equal.
fn balance(n: usize, entries: &[(usize, usize, f64)]) -> Vec<f64> {
    let mut scales = vec![1.0; n];
    for _ in 0..PASSES {
        let (mut rows, mut columns) = (vec![0.0; n], vec![0.0; n]);
        for &(i, j, value) in entries.iter().filter(|(i, j, _)| i != j) {
            let size = (value * scales[j] / scales[i]).abs();
            rows[i] += size;
            columns[j] += size;
        }
        for k in 0..n {
            if rows[k] > 0.0 && columns[k] > 0.0 {
                // All states change their units at once, so each goes only half of its way.
                let ratio: f64 = rows[k] / columns[k];
                scales[k] *= ratio.sqrt().sqrt();
            }
        }
    }
    scales
}
