//! Which states are fast for a step of a given length.
//!
//! The fewest are wanted for which the mixed method damps what the system damps. States in a ring of
//! dependences decide together; between rings nothing comes back, so that each can be looked at alone: the
//! matrix that takes a step is block triangular if the Jacobian is.

use std::ops::Range;

use nalgebra::DMatrix;

use super::super::implicit::Matrix;
use super::{modal, rows};
use problem::graph::strong_components;

/// Rings with more states than this are judged by their rows, not by their eigenvalues, whose cost grows with
/// the cube.
const MANY: usize = 100;
/// The method is to be stable for steps longer by this factor: eigenvalues change with the state.
const MARGIN: f64 = 2.0;
/// Half of the steps in which growth has to show, as a power of two, and the factor that shows it: what moves freely is carried
/// twice as far in twice the steps.
const WATCHED: i32 = 9;
const SEEN: f64 = 8.0;
/// Powers beyond this have shown it.
const HUGE: f64 = 1e100;

/// States that cost less than others.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    /// They are fast in rings that are too large for eigenvalues.
    pub integrals: Range<usize>,
    /// They are fast together, if one state of their ring is: a loop of control that is cut into fast and slow states
    /// lags by steps, and where factors are kept, more fast states cost next to nothing.
    pub cheap: Range<usize>,
}

/// The fast states, ascending, for a Jacobian and a step of `h` s.
pub(super) fn fast_states(jacobian: &Matrix, h: f64, kinds: &Kinds) -> Vec<usize> {
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); jacobian.len()];
    jacobian.for_each(|row, column, _| edges[row].push(column as u32));
    let mut fast = Vec::new();
    for ring in strong_components(&edges) {
        let found = if ring.len() > MANY {
            fast.extend(ring.iter().filter(|state| kinds.integrals.contains(state)));
            rows::fast(jacobian, &edges, &ring, h * MARGIN)
        } else {
            modal::fast(jacobian, &ring, h * MARGIN, &kinds.cheap)
        };
        fast.extend(found.into_iter().map(|place| ring[place]));
    }
    fast.sort_unstable();
    fast.dedup();
    fast
}

/// Do steps of `h` s damp everything with these fast states, as far as a thousand steps show? Growth that is slower
/// is left to the next look. Large systems are never known to.
pub(super) fn is_stable(jacobian: &Matrix, h: f64, fast: &[usize]) -> bool {
    let n = jacobian.len();
    if n > MANY {
        return false;
    }
    let a = DMatrix::from_fn(n, n, |i, j| jacobian.get(i, j));
    let is_fast: Vec<bool> = (0..n).map(|state| fast.binary_search(&state).is_ok()).collect();
    let Some(mut steps) = modal::step_matrix(&a, h * MARGIN, &is_fast) else { return false };
    let (mut before, mut size) = (f64::INFINITY, steps.norm());
    for _ in 0..=WATCHED {
        steps = &steps * &steps;
        (before, size) = (size, steps.norm());
        // What is not a number is not small either.
        if size.is_nan() || size > HUGE {
            return false;
        }
    }
    size <= SEEN * before
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> Matrix {
        let mut matrix = Matrix::zeros(rows.len());
        for (i, row) in rows.iter().enumerate() {
            row.iter().enumerate().for_each(|(j, &value)| matrix.set(i, j, value));
        }
        matrix
    }

    /// A lag of 1 ms that drives one of 1 s.
    #[test]
    fn a_lag_shorter_than_the_step_is_fast() {
        let lags = matrix(&[&[-1000.0, 0.0], &[1.0, -1.0]]);
        assert_eq!(fast_states(&lags, 0.1, &Kinds::default()), [0]);
        assert_eq!(fast_states(&lags, 1e-4, &Kinds::default()), [0; 0]);
        assert_eq!(fast_states(&lags, 10.0, &Kinds::default()), [0, 1]);
    }

    /// A quadrature and a mass that moves freely.
    #[test]
    fn what_grows_by_itself_is_slow() {
        let free = matrix(&[&[0.0, 1.0, 0.0], &[0.0, 0.0, 0.0], &[3.0, 2.0, 0.0]]);
        assert_eq!(fast_states(&free, 0.1, &Kinds::default()), [0; 0]);
        assert_eq!(fast_states(&matrix(&[&[2.0]]), 0.1, &Kinds::default()), [0; 0]);
    }

    /// Without damping the explicit method would feed energy; a fast coordinate is enough.
    #[test]
    fn of_an_oscillator_the_coordinate_is_fast() {
        let oscillator = matrix(&[&[0.0, 1.0], &[-100.0, 0.0]]);
        assert_eq!(fast_states(&oscillator, 0.01, &Kinds::default()), [0]);
        // Semi-implicit steps are stable up to w h = 2, here with the margin up to 0.1 s.
        assert_eq!(fast_states(&oscillator, 0.099, &Kinds::default()), [0]);
        assert_eq!(fast_states(&oscillator, 0.101, &Kinds::default()), [0, 1]);
    }

    /// A damped oscillation that explicit steps follow has no fast state, not even its coordinate.
    #[test]
    fn coordinates_are_fast_where_they_have_to_be() {
        let slow = matrix(&[&[0.0, 1.0], &[-1.0, -1.0]]);
        let kinds = Kinds { integrals: 0..1, cheap: 0..0 };
        assert_eq!(fast_states(&slow, 1e-3, &kinds), [0; 0]);
    }

    /// A mass that moves freely, carried as far again in as many steps, is stable; 2 % of growth in a step are not, nor is a
    /// lag that is far too short.
    #[test]
    fn growth_shows_in_a_thousand_steps() {
        let free = matrix(&[&[0.0, 1.0], &[0.0, 0.0]]);
        assert!(is_stable(&free, 0.1, &[]));
        assert!(!is_stable(&matrix(&[&[0.1]]), 0.1, &[]));
        assert!(!is_stable(&matrix(&[&[-1e9]]), 0.1, &[]));
        assert!(is_stable(&matrix(&[&[-1e9]]), 0.1, &[0]));
        // An oscillator gains w^2 h^2/2 in a step, unless its coordinate is fast.
        let oscillator = matrix(&[&[0.0, 1.0], &[-100.0, 0.0]]);
        assert!(!is_stable(&oscillator, 0.01, &[]));
        assert!(is_stable(&oscillator, 0.01, &[0]));
    }

    /// A motor: current with L/R = 0.5 ms, speed with 0.1 s, in a ring by torque and back electromotive force.
    #[test]
    fn of_a_motor_the_current_is_fast() {
        let motor = matrix(&[&[-2000.0, -50.0], &[100.0, -1.0]]);
        assert_eq!(fast_states(&motor, 2e-3, &Kinds::default()), [0]);
    }

    /// The same with a controller of its speed, whose integral is cheap and therefore fast beside the current, and slow alone; and a
    /// lag that drives it, which is no part of the ring.
    #[test]
    fn cheap_states_are_fast_together() {
        let motor = matrix(&[
            &[-2000.0, -50.0, 1000.0, 0.0],
            &[100.0, -1.0, 0.0, 0.0],
            &[0.0, -5.0, 0.0, 5.0],
            &[0.0, 0.0, 0.0, -1.0],
        ]);
        assert_eq!(fast_states(&motor, 2e-3, &Kinds::default()), [0]);
        let kinds = Kinds { integrals: 0..0, cheap: 2..4 };
        assert_eq!(fast_states(&motor, 2e-3, &kinds), [0, 2]);
        assert_eq!(fast_states(&motor, 1e-5, &kinds), [0; 0]);
    }

    /// A line of 150 sections, too many for eigenvalues: the sections with short time constants are fast.
    #[test]
    fn a_long_line_is_judged_by_its_rows() {
        let n = 150;
        let mut line = Matrix::zeros(n);
        for i in 0..n {
            let rate = if i < 20 { 1e4 } else { 10.0 };
            line.set(i, i, -2.0 * rate);
            if i > 0 {
                line.set(i, i - 1, rate);
            }
            if i + 1 < n {
                line.set(i, i + 1, rate);
            }
        }
        let fast = fast_states(&line, 1e-3, &Kinds::default());
        // The first slow sections feel the last fast one.
        assert!((20..25).contains(&fast.len()) && fast[19] == 19, "{fast:?}");
    }
}
