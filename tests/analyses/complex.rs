//! Complex numbers and dense equations of the tests.

pub use integrate::linear::complex::Complex;
use integrate::linear::complex::Scalar;

/// A real number.
pub fn real(x: f64) -> Complex {
    Complex::new(x, 0.0)
}

/// The absolute value.
pub fn size(z: Complex) -> f64 {
    z.re.hypot(z.im)
}

/// Solves `A x = b` by elimination with the largest pivot of each column.
pub fn solve(mut a: Vec<Vec<Complex>>, mut b: Vec<Complex>) -> Vec<Complex> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| size(a[i][k]).total_cmp(&size(a[j][k]))).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        assert!(size(a[k][k]) > 0.0, "singular");
        let (above, below) = a.split_at_mut(k + 1);
        for (i, row) in below.iter_mut().enumerate() {
            let factor = row[k] / above[k][k];
            row.iter_mut().zip(&above[k]).skip(k).for_each(|(x, y)| *x = *x - factor * *y);
            b[k + 1 + i] = b[k + 1 + i] - factor * b[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            b[k] = b[k] - a[k][j] * b[j];
        }
        b[k] = b[k] / a[k][k];
    }
    b
}

/// `C (s - A)^-1 B + D` of one input and all outputs.
pub fn transfer([a, b, c, d]: [&[Vec<f64>]; 4], s: Complex, input: usize) -> Vec<Complex> {
    let n = a.len();
    let entry = |i: usize, j: usize| {
        let own = real(-a[i][j]);
        if i == j { own + s } else { own }
    };
    let matrix = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    let x = solve(matrix, b.iter().map(|row| real(row[input])).collect());
    let sum = |c: &Vec<f64>, d: &Vec<f64>| {
        c.iter().zip(&x).fold(real(d[input]), |sum, (c, x)| sum + x.scaled(*c))
    };
    c.iter().zip(d).map(|(c, d)| sum(c, d)).collect()
}

#[test]
fn equations_are_solved() {
    let i = Complex::new(0.0, 1.0);
    let a = vec![vec![Complex::ZERO, i], vec![real(2.0), real(1.0)]];
    let x = solve(a, vec![real(3.0), real(1.0)]);
    // x1 = 3/i = -3i, x0 = (1 + 3i)/2.
    assert!(size(x[1] - Complex::new(0.0, -3.0)) < 1e-15);
    assert!(size(x[0] - Complex::new(0.5, 1.5)) < 1e-15);
}
