//! The exact equivalent of x' = A x + B u for inputs that are held over a period.
//!
//! exp([A B; 0 0] T) = [Ad Bd; 0 1] (Van Loan, IEEE Trans. Automat. Contr. 23 (1978) 395), by scaling and squaring with
//! a Taylor series (Moler and Van Loan, SIAM Review 45 (2003) 3).

/// The norm of the scaled matrix: 0.5^19/19! is far below rounding.
const SMALL: f64 = 0.5;
const TERMS: usize = 18;

/// Ad and Bd, row by row, for n states and m inputs.
pub(crate) fn discretise(
    a: &[f64],
    b: &[f64],
    n: usize,
    m: usize,
    period: f64,
) -> (Vec<f64>, Vec<f64>) {
    let size = n + m;
    let mut matrix = vec![0.0; size * size];
    for row in 0..n {
        for column in 0..n {
            matrix[row * size + column] = a[row * n + column] * period;
        }
        for column in 0..m {
            matrix[row * size + n + column] = b[row * m + column] * period;
        }
    }
    let power = exponential(&matrix, size);
    let part = |first: usize, count: usize| {
        (0..n).flat_map(|row| power[row * size + first..][..count].to_vec()).collect()
    };
    (part(0, n), part(n, m))
}

/// exp(M) of a square matrix.
pub(crate) fn exponential(matrix: &[f64], size: usize) -> Vec<f64> {
    let norm = (0..size)
        .map(|row| matrix[row * size..][..size].iter().map(|x| x.abs()).sum::<f64>())
        .fold(0.0, f64::max);
    let halvings = if norm > SMALL { (norm / SMALL).log2().ceil() as i32 } else { 0 };
    let scaled: Vec<f64> = matrix.iter().map(|x| x * 0.5f64.powi(halvings)).collect();
    // Horner: 1 + M (1 + M/2 (1 + M/3 (...)))
    let mut sum = identity(size);
    for term in (1..=TERMS).rev() {
        sum = product(&scaled, &sum, size);
        sum.iter_mut().for_each(|x| *x /= term as f64);
        (0..size).for_each(|k| sum[k * size + k] += 1.0);
    }
    for _ in 0..halvings {
        sum = product(&sum, &sum, size);
    }
    sum
}

fn identity(size: usize) -> Vec<f64> {
    let mut one = vec![0.0; size * size];
    (0..size).for_each(|k| one[k * size + k] = 1.0);
    one
}

fn product(a: &[f64], b: &[f64], size: usize) -> Vec<f64> {
    let mut c = vec![0.0; size * size];
    for row in 0..size {
        for k in 0..size {
            let factor = a[row * size + k];
            for column in 0..size {
                c[row * size + column] += factor * b[k * size + column];
            }
        }
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_is_an_exponential() {
        let w: f64 = 7.3;
        let power = exponential(&[0.0, -w, w, 0.0], 2);
        for (found, expected) in power.iter().zip([w.cos(), -w.sin(), w.sin(), w.cos()]) {
            // Four squarings double the rounding of the series four times.
            assert!((found - expected).abs() < 32.0 * f64::EPSILON, "{found} {expected}");
        }
    }

    #[test]
    fn lags_and_double_integrators_have_closed_forms() {
        let (ad, bd) = discretise(&[-3.0], &[6.0], 1, 1, 0.25);
        let decay = (-0.75f64).exp();
        assert!((ad[0] - decay).abs() < 1e-15 && (bd[0] - 2.0 * (1.0 - decay)).abs() < 1e-15);
        let (ad, bd) = discretise(&[0.0, 1.0, 0.0, 0.0], &[0.0, 1.0], 2, 1, 0.1);
        assert_eq!(ad, [1.0, 0.1, 0.0, 1.0]);
        assert!((bd[0] - 0.005).abs() < 1e-17 && bd[1] == 0.1);
    }
}
