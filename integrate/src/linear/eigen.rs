//! Eigenvalues and eigenvectors of dense matrices.
//!
//! Symmetric pairs `K x = w2 M x` go through the Cholesky factor of M to a symmetric matrix, so that their
//! eigenvalues are real and their vectors orthogonal whatever the rounding. A general matrix is
//! balanced (Parlett & Reinsch, Numer. Math. 13, 1969), brought to Hessenberg form, and then to complex
//! Schur form by single-shift QR steps (Golub & Van Loan, *Matrix Computations*, 7.5); the vectors
//! follow by back substitution.

use nalgebra::linalg::Hessenberg;
use nalgebra::{Cholesky, Complex, DMatrix, SymmetricEigen};

/// QR steps without a deflation that end the search; ten is already rare.
const MOST_STEPS: usize = 60;

/// Eigenvalues with their vectors as columns.
pub struct Eigen {
    /// The eigenvalues, by rising absolute value.
    pub values: Vec<Complex<f64>>,
    /// The eigenvectors, in columns, of length one.
    pub vectors: DMatrix<Complex<f64>>,
}

/// Eigenvalues of `K x = w2 M x` in rising order, and their vectors with `X^T M X = 1`. K must be symmetric;
/// `None` if M is not positive definite.
pub fn symmetric_pair(k: &DMatrix<f64>, m: &DMatrix<f64>) -> Option<(Vec<f64>, DMatrix<f64>)> {
    if k.nrows() == 0 {
        return Some((Vec::new(), DMatrix::zeros(0, 0)));
    }
    let factor = Cholesky::new(m.clone())?.unpack();
    // C = L^-1 K L^-T, symmetrised against rounding.
    let left = factor.solve_lower_triangular(k)?;
    let both = factor.solve_lower_triangular(&left.transpose())?;
    let c = (&both + both.transpose()) * 0.5;
    if !c.iter().all(|x| x.is_finite()) {
        return None;
    }
    let eigen = SymmetricEigen::new(c);
    let mut order: Vec<usize> = (0..eigen.eigenvalues.len()).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
    let vectors = factor.tr_solve_lower_triangular(&eigen.eigenvectors)?;
    let values = order.iter().map(|&k| eigen.eigenvalues[k]).collect();
    Some((values, vectors.select_columns(&order)))
}

/// All eigenvalues of a real matrix; `None` if it is not finite or the iteration does not end.
pub fn general(a: &DMatrix<f64>) -> Option<Eigen> {
    let n = a.nrows();
    if n == 0 {
        return Some(Eigen { values: Vec::new(), vectors: DMatrix::zeros(0, 0) });
    }
    if !a.iter().all(|x| x.is_finite()) {
        return None;
    }
    let (balanced, scales) = balance(a);
    let (q, h) = Hessenberg::new(balanced).unpack();
    let complex = |m: &DMatrix<f64>| m.map(|x| Complex::new(x, 0.0));
    let (mut t, mut q) = (complex(&h), complex(&q));
    to_schur_form(&mut t, &mut q)?;
    let mut vectors = q * triangular_vectors(&t);
    for (mut row, scale) in vectors.row_iter_mut().zip(&scales) {
        row *= Complex::new(*scale, 0.0);
    }
    for mut column in vectors.column_iter_mut() {
        let length = column.norm();
        if length > 0.0 {
            column /= Complex::new(length, 0.0);
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| t[(a, a)].norm().total_cmp(&t[(b, b)].norm()));
    let values = order.iter().map(|&k| t[(k, k)]).collect();
    Some(Eigen { values, vectors: vectors.select_columns(&order) })
}

/// `D^-1 A D` with powers of two in D that make the norms of each row and its column alike.
fn balance(a: &DMatrix<f64>) -> (DMatrix<f64>, Vec<f64>) {
    let n = a.nrows();
    let (mut a, mut scales) = (a.clone(), vec![1.0; n]);
    loop {
        let mut is_done = true;
        for i in 0..n {
            let sum = |values: &mut dyn Iterator<Item = f64>| values.map(f64::abs).sum::<f64>();
            let column = sum(&mut (0..n).filter(|&j| j != i).map(|j| a[(j, i)]));
            let row = sum(&mut (0..n).filter(|&j| j != i).map(|j| a[(i, j)]));
            if column == 0.0 || row == 0.0 {
                continue;
            }
            // The power of two nearest to the root of their ratio.
            let f = (0.5 * (row / column).log2()).round().exp2();
            if column * f + row / f < 0.95 * (column + row) {
                is_done = false;
                scales[i] *= f;
                a.column_mut(i).scale_mut(f);
                a.row_mut(i).scale_mut(1.0 / f);
            }
        }
        if is_done {
            return (a, scales);
        }
    }
}

/// Brings a Hessenberg matrix to upper triangular form by unitary similarities, gathered in `q`.
fn to_schur_form(t: &mut DMatrix<Complex<f64>>, q: &mut DMatrix<Complex<f64>>) -> Option<()> {
    let zero = Complex::new(0.0, 0.0);
    let norm = t.norm();
    let (mut high, mut steps) = (t.nrows() - 1, 0);
    while high > 0 {
        // The lowest row of the block that is not yet separated.
        let mut low = high;
        while low > 0 {
            let near = t[(low, low)].norm() + t[(low - 1, low - 1)].norm();
            let size = if near > 0.0 { near } else { norm };
            if t[(low, low - 1)].norm() <= f64::EPSILON * size {
                t[(low, low - 1)] = zero;
                break;
            }
            low -= 1;
        }
        if low == high {
            (high, steps) = (high - 1, 0);
            continue;
        }
        steps += 1;
        if steps > MOST_STEPS {
            return None;
        }
        // A shift from outside now and then breaks cycles.
        let shift = match steps % 10 {
            0 => t[(high, high)] + Complex::new(t[(high, high - 1)].norm(), 0.0),
            _ => nearest_shift(t, high),
        };
        qr_step(t, q, low..high, shift);
    }
    Some(())
}

/// The eigenvalue of the last two rows that is nearer to the last entry (Wilkinson).
fn nearest_shift(t: &DMatrix<Complex<f64>>, high: usize) -> Complex<f64> {
    let (a, b) = (t[(high - 1, high - 1)], t[(high - 1, high)]);
    let (c, d) = (t[(high, high - 1)], t[(high, high)]);
    let half = (a - d) * 0.5;
    let root = (half * half + b * c).sqrt();
    let (plus, minus) = (half + root, half - root);
    let far = if plus.norm() >= minus.norm() { plus } else { minus };
    // The nearer one is d - b c / far: no difference of like numbers.
    if far.norm() > 0.0 { d - b * c / far } else { d }
}

/// One step `T - s = Q R`, `T = R Q + s` on the rows from `rows.start` to `rows.end`, both included.
fn qr_step(
    t: &mut DMatrix<Complex<f64>>,
    q: &mut DMatrix<Complex<f64>>,
    rows: std::ops::Range<usize>,
    shift: Complex<f64>,
) {
    let n = t.nrows();
    for k in rows.start..=rows.end {
        t[(k, k)] -= shift;
    }
    let mut rotations = Vec::with_capacity(rows.len());
    for k in rows.clone() {
        let (x, y) = (t[(k, k)], t[(k + 1, k)]);
        let length = x.norm().hypot(y.norm());
        let (c, s) = if length > 0.0 {
            (x / length, y / length)
        } else {
            (Complex::new(1.0, 0.0), Complex::new(0.0, 0.0))
        };
        for j in k..n {
            let (a, b) = (t[(k, j)], t[(k + 1, j)]);
            t[(k, j)] = c.conj() * a + s.conj() * b;
            t[(k + 1, j)] = c * b - s * a;
        }
        rotations.push((k, c, s));
    }
    for (k, c, s) in rotations {
        let turn = |m: &mut DMatrix<Complex<f64>>, count: usize| {
            for i in 0..count {
                let (a, b) = (m[(i, k)], m[(i, k + 1)]);
                m[(i, k)] = a * c + b * s;
                m[(i, k + 1)] = b * c.conj() - a * s.conj();
            }
        };
        turn(t, (k + 2).min(rows.end + 1));
        turn(q, n);
    }
    for k in rows.start..=rows.end {
        t[(k, k)] += shift;
    }
}

/// Eigenvectors of an upper triangular matrix, as columns.
fn triangular_vectors(t: &DMatrix<Complex<f64>>) -> DMatrix<Complex<f64>> {
    let n = t.nrows();
    // Equal eigenvalues get a difference of rounding size instead of a division by zero.
    let smallest = f64::EPSILON * t.norm().max(f64::MIN_POSITIVE);
    let mut x = DMatrix::identity(n, n);
    for k in 0..n {
        for i in (0..k).rev() {
            let sum: Complex<f64> = (i + 1..=k).map(|j| t[(i, j)] * x[(j, k)]).sum();
            let mut gap = t[(k, k)] - t[(i, i)];
            if gap.norm() < smallest {
                gap = Complex::new(smallest, 0.0);
            }
            x[(i, k)] = sum / gap;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &DMatrix<f64>) -> Eigen {
        let eigen = general(a).unwrap();
        for (k, value) in eigen.values.iter().enumerate() {
            let x = eigen.vectors.column(k);
            let gap = (a.map(|v| Complex::new(v, 0.0)) * x - x * *value).norm();
            // Schur vectors are exact for a matrix within some n eps |A| (Golub & Van Loan 7.5.6).
            let bound = 30.0 * a.nrows() as f64 * f64::EPSILON * a.norm();
            assert!(gap < bound, "{gap} {bound}");
        }
        eigen
    }

    #[test]
    fn vectors_and_values_satisfy_their_equation() {
        for n in [1, 2, 3, 8, 25] {
            let entry = |i: usize, j: usize| ((i * i + 3 * j + 1) as f64 * (j as f64 + 1.7)).sin();
            check(&DMatrix::from_fn(n, n, entry));
        }
    }

    #[test]
    fn the_companion_of_a_polynomial_has_its_roots() {
        // (x - 1)(x - 2)(x^2 + 9) = x^4 - 3 x^3 + 11 x^2 - 27 x + 18.
        let mut a = DMatrix::zeros(4, 4);
        for (j, c) in [3.0, -11.0, 27.0, -18.0].into_iter().enumerate() {
            a[(0, j)] = c;
        }
        for i in 1..4 {
            a[(i, i - 1)] = 1.0;
        }
        let values = check(&a).values;
        let expected = [(1.0, 0.0), (2.0, 0.0), (0.0, 3.0), (0.0, 3.0)];
        for (value, (re, im)) in values.iter().zip(expected) {
            // Condition numbers of these roots are below a hundred.
            assert!(
                (value.re - re).abs() < 1e-12 && (value.im.abs() - im).abs() < 1e-12,
                "{value}"
            );
        }
    }

    #[test]
    fn badly_scaled_rows_lose_no_digits() {
        // An oscillator of 1e6 rad/s: the entries differ by twelve powers of ten.
        let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -1e12, 0.0]);
        let values = general(&a).unwrap().values;
        assert!(values.iter().all(|v| (v.im.abs() - 1e6).abs() < 1e-8 && v.re.abs() < 1e-8));
    }

    #[test]
    fn a_symmetric_pair_gives_a_chain_of_masses_exactly() {
        let n = 12;
        let k = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        });
        let m = DMatrix::identity(n, n) * 0.25;
        let (values, x) = symmetric_pair(&k, &m).unwrap();
        for (r, value) in values.iter().enumerate() {
            let angle = (r + 1) as f64 * std::f64::consts::PI / (2.0 * (n + 1) as f64);
            let expected = 4.0 * angle.sin().powi(2) / 0.25;
            assert!((value - expected).abs() < 1e-13 * 16.0, "{value} {expected}");
        }
        let unit = x.transpose() * &m * &x;
        assert!((unit - DMatrix::<f64>::identity(n, n)).amax() < 1e-13);
    }

    #[test]
    fn what_is_not_finite_is_refused() {
        assert!(general(&DMatrix::from_element(2, 2, f64::NAN)).is_none());
        assert!(symmetric_pair(&DMatrix::zeros(1, 1), &DMatrix::zeros(1, 1)).is_none());
    }
}
