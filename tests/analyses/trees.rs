//! Linear models of random trees against differences of the accelerations.

use dysim_tests::loading::{model, system};
use dysim_tests::random_springs::random_springs;
use engine::internals::system::Run;

use super::support::{Matrix, analyse_text, heading};

/// Central differences of order six of the accelerations by displacements and by speeds, row by row of the accelerations.
fn differences(text: &str) -> Vec<Vec<f64>> {
    let model = model(text);
    let system = system(&model);
    let mut run = Run::new(&system);
    let (tree, y) = (&system.tree, system.initial_state());
    let (n_q, n_v) = (tree.n_q(), tree.n_v());
    let h = 3e-4;
    let mut rows = vec![vec![0.0; 2 * n_v]; n_v];
    for column in 0..2 * n_v {
        for (k, weight) in [(1.0, 0.75), (2.0, -0.15), (3.0, 1.0 / 60.0)] {
            for sign in [1.0, -1.0] {
                let mut y = y.clone();
                if column < n_v {
                    let mut step = vec![0.0; n_v];
                    step[column] = sign * k * h;
                    tree.displace(&mut y[..n_q], &step);
                } else {
                    y[n_q + column - n_v] += sign * k * h;
                }
                let found = run.probe().accelerations(0.0, &y).expect("accelerations");
                for (row, found) in rows.iter_mut().zip(found) {
                    row[column] += sign * weight * found / h;
                }
            }
        }
    }
    rows
}

/// Trees of all joints with springs, bushings and loads between any bodies, in motion. The differences lose `1e-13 / h` of
/// accelerations of up to a thousand, which are entries of up to a million.
#[test]
fn linear_models_of_random_trees_are_the_slopes_of_the_accelerations() {
    for seed in 0..12 {
        let text =
            random_springs(seed, 8 + seed as usize, heading("linear", [0.4, -0.3, -9.81], ""));
        let outcome = analyse_text(&text);
        let found = Matrix::read(&outcome, "A").numbers();
        let expected = differences(&text);
        let n_v = expected.len();
        for column in 0..2 * n_v {
            let largest = expected.iter().fold(1.0, |most: f64, row| most.max(row[column].abs()));
            for (found, expected) in found[n_v..].iter().zip(&expected) {
                let gap = (found[column] - expected[column]).abs() / largest;
                assert!(gap < 1e-8, "seed {seed}, column {column}: {gap:.1e}");
            }
        }
    }
}
