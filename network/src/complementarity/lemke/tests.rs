//! Lemke's method against textbook examples and the enumeration of all bases.

use super::*;

fn problem(m: &[&[f64]], q: &[f64]) -> Problem {
    Problem {
        q: q.iter().map(|&x| Series::exact(x)).collect(),
        m: m.iter().map(|row| row.iter().map(|&x| Series::exact(x)).collect()).collect(),
    }
}

/// Does a solution meet all conditions?
fn check(problem: &Problem, solution: &Solution) {
    for k in 0..problem.q.len() {
        let products = problem.m[k].iter().zip(&solution.z).map(|(m, z)| *m * *z);
        let w = products.fold(problem.q[k], |sum, product| sum + product);
        assert!((w - solution.w[k]).sign().is_eq(), "row {k}: {w:?} {:?}", solution.w[k]);
        assert!(solution.w[k].sign().is_ge() && solution.z[k].sign().is_ge());
        assert!((solution.w[k] * solution.z[k]).sign().is_eq());
    }
}

/// Pseudo-random numbers (Knuth's MMIX constants) from -1 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        2.0 * ((self.0 >> 33) as f64) / (1u64 << 31) as f64 - 1.0
    }
}

/// Solves a small system by Gauss's elimination; nothing if it is singular.
fn gauss(mut a: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = a.len();
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        a.swap(k, best);
        if a[k][k].abs() < 1e-12 {
            return None;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i][k] / a[k][k];
            let own = a[k].clone();
            a[i].iter_mut().zip(&own).for_each(|(x, y)| *x -= factor * y);
        }
    }
    Some((0..n).map(|k| a[k][n] / a[k][k]).collect())
}

/// All solutions by trying every complementary basis.
fn enumerate(m: &[Vec<f64>], q: &[f64]) -> Vec<Vec<f64>> {
    let n = q.len();
    let mut found = Vec::new();
    for basis in 0..1u32 << n {
        let is_z = |k: usize| basis >> k & 1 == 1;
        // w_i - sum of m_ij z_j = q_i, where of each pair one is unknown.
        let entry = |i: usize, j: usize| if is_z(j) { -m[i][j] } else { f64::from(i == j) };
        let row = |i: usize| (0..n).map(|j| entry(i, j)).chain([q[i]]).collect();
        let Some(x) = gauss((0..n).map(row).collect()) else { continue };
        if x.iter().all(|&x| x > -1e-10) {
            found.push((0..n).map(|k| if is_z(k) { x[k] } else { 0.0 }).collect());
        }
    }
    found
}

#[test]
fn textbook_problems_have_their_solutions() {
    let two = problem(&[&[2.0, 1.0], &[1.0, 2.0]], &[-5.0, -6.0]);
    let solution = solve(&two).unwrap();
    check(&two, &solution);
    let z: Vec<f64> = solution.z.iter().map(|z| z.coefficient(0)).collect();
    assert!((z[0] - 4.0 / 3.0).abs() < 1e-14 && (z[1] - 7.0 / 3.0).abs() < 1e-14, "{z:?}");
    let four = problem(
        &[
            &[1.0, -1.0, -1.0, -1.0],
            &[-1.0, 1.0, -1.0, -1.0],
            &[1.0, 1.0, 2.0, 0.0],
            &[1.0, 1.0, 0.0, 2.0],
        ],
        &[3.0, 5.0, -9.0, -5.0],
    );
    check(&four, &solve(&four).unwrap());
}

#[test]
fn a_start_at_the_solution_takes_no_pivot() {
    let rest = problem(&[&[1.0, 0.0], &[0.0, 1.0]], &[0.0, 2.0]);
    assert_eq!(solve(&rest).unwrap().pivots, 0);
}

#[test]
fn principal_pivots_cycle_here_and_lemke_does_not() {
    // A circulant P-matrix for which methods that take the least entry return to the start.
    let cyclic = problem(&[&[1.0, 2.0, 0.0], &[0.0, 1.0, 2.0], &[2.0, 0.0, 1.0]], &[-1.0; 3]);
    let solution = solve(&cyclic).unwrap();
    check(&cyclic, &solution);
    assert!(solution.z.iter().all(|z| (z.coefficient(0) - 1.0 / 3.0).abs() < 1e-14));
}

#[test]
fn degenerate_problems_end() {
    // All right-hand sides tie, in the first pivot and in later ones.
    for n in 2..8 {
        let row = |i: usize| (0..n).map(|j| if i == j { 2.0 } else { 1.0 }).collect::<Vec<_>>();
        let rows: Vec<Vec<f64>> = (0..n).map(row).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let ties = problem(&rows, &vec![-1.0; n]);
        check(&ties, &solve(&ties).unwrap());
    }
    // A matrix of rank one: z is not unique, w is.
    let parallel = problem(&[&[1.0, 1.0], &[1.0, 1.0]], &[-1.0, -1.0]);
    check(&parallel, &solve(&parallel).unwrap());
}

#[test]
fn the_way_grows_with_what_changes() {
    // Of twenty independent pairs three change.
    let n = 20;
    let mut q = vec![1.0; n];
    q[3] = -1.0;
    q[11] = -2.0;
    q[17] = -1.0;
    let row = |i: usize| (0..n).map(|j| if i == j { 1.0 } else { 0.01 }).collect::<Vec<_>>();
    let rows: Vec<Vec<f64>> = (0..n).map(row).collect();
    let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
    let few = problem(&rows, &q);
    let solution = solve(&few).unwrap();
    check(&few, &solution);
    assert!(solution.pivots <= 2 * 3, "{}", solution.pivots);
}

#[test]
fn random_semidefinite_problems_agree_with_enumeration() {
    let mut random = Random(7);
    let (mut solved, mut none) = (0, 0);
    for round in 0..400 {
        let n = 2 + round % 4;
        let rank = 1 + round % n;
        // B B^T + S with a skew S is positive semidefinite.
        let b: Vec<Vec<f64>> = (0..n).map(|_| (0..rank).map(|_| random.next()).collect()).collect();
        let mut m: Vec<Vec<f64>> = (0..n)
            .map(|i| (0..n).map(|j| (0..rank).map(|k| b[i][k] * b[j][k]).sum()).collect())
            .collect();
        if round % 3 == 0 {
            for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let skew = random.next();
                m[i][j] += skew;
                m[j][i] -= skew;
            }
        }
        let q: Vec<f64> = (0..n).map(|_| random.next()).collect();
        let rows: Vec<&[f64]> = m.iter().map(Vec::as_slice).collect();
        let own = problem(&rows, &q);
        let known = enumerate(&m, &q);
        match solve(&own) {
            Ok(solution) => {
                solved += 1;
                check(&own, &solution);
                // All solutions of a semidefinite problem share (M + M^T) z (1992, theorem 3.1.7).
                let symmetric = |z: &[f64], i: usize| -> f64 {
                    z.iter().enumerate().map(|(j, z)| (m[i][j] + m[j][i]) * z).sum()
                };
                let own: Vec<f64> = solution.z.iter().map(|z| z.coefficient(0)).collect();
                for (z, i) in known.iter().flat_map(|z| (0..n).map(move |i| (z, i))) {
                    let (a, b) = (symmetric(z, i), symmetric(&own, i));
                    assert!((a - b).abs() < 1e-8, "round {round}: {a} {b}");
                }
            }
            Err(NoSolution::Ray(_)) => {
                none += 1;
                assert!(known.is_empty(), "round {round}: {known:?}");
            }
            Err(other) => panic!("round {round}: {other:?}"),
        }
    }
    assert!(solved > 200 && none > 20, "{solved} {none}");
}

#[test]
fn a_problem_without_solution_gives_a_ray() {
    assert_eq!(solve(&problem(&[&[0.0]], &[-1.0])).unwrap_err(), NoSolution::Ray(vec![0]));
    // The second pair cannot be lifted whatever the first does.
    let one = problem(&[&[1.0, 0.0], &[0.0, 0.0]], &[-1.0, -1.0]);
    let NoSolution::Ray(pairs) = solve(&one).unwrap_err() else { panic!() };
    assert!(pairs.contains(&1));
}

#[test]
fn what_is_zero_now_is_decided_by_its_rate() {
    // A diode behind a source that passes through zero and rises: w = v_reverse = -eps + i.
    let rising = Problem { q: vec![Series::power(-1.0, 1)], m: vec![vec![Series::one()]] };
    let solution = solve(&rising).unwrap();
    check(&rising, &solution);
    assert_eq!(solution.z[0].leading(), Some((1, 1.0)));
    // The same with noise of the root search on its value.
    let q = Series::bounded(0, &[1e-15, -1.0], &[1e-12, 0.0]);
    let noisy = Problem { q: vec![q], m: vec![vec![Series::one()]] };
    let solution = solve(&noisy).unwrap();
    assert!((solution.z[0].coefficient(1) - 1.0).abs() < 1e-14);
}

#[test]
fn soft_valves_in_parallel_share() {
    // Two diodes in parallel carry 1 A: the response of the rest is a rank-one matrix.
    let soft = Series::power(1.0, 4);
    let (r, rs) = (Series::exact(10.0), Series::exact(10.0) + soft);
    let two = Problem { q: vec![Series::exact(-10.0); 2], m: vec![vec![rs, r], vec![r, rs]] };
    let solution = solve(&two).unwrap();
    check(&two, &solution);
    assert!(solution.z.iter().all(|z| (z.coefficient(0) - 0.5).abs() < 1e-14));
}
