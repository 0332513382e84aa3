//! Derivatives by differences that find their own step, with an estimate of their error.
//!
//! Ridders' method (Adv. Eng. Softw. 4, 1982): central differences over steps that halve, extrapolated to
//! the step zero like Romberg's rule. Each entry takes the value of the table whose neighbours agree best;
//! their difference is the error of truncation, to which that of rounding is added.

/// Rows of the table. The step shrinks by 2^-6; the last extrapolation has order fourteen.
const LEVELS: usize = 7;
/// A function that has no value so far away is tried with steps shorter by this.
const SHORTER: f64 = 1.0 / 16.0;
/// How often.
const TRIALS: usize = 5;

/// The derivative of a vector along one direction.
pub struct Derivative {
    /// Entries of the derivative; NaN where the function is not finite.
    pub values: Vec<f64>,
    /// Estimates of the absolute errors of the entries.
    pub errors: Vec<f64>,
}

/// Differentiates `f(s)`, which fills a vector of `n` entries, at s = 0. The first step should be a
/// distance over which f changes noticeably but not wildly.
///
/// # Errors
/// If f has no value even near 0.
pub fn derivative<E>(
    n: usize,
    first_step: f64,
    mut f: impl FnMut(f64, &mut [f64]) -> Result<(), E>,
) -> Result<Derivative, E> {
    let mut step = first_step;
    let mut trial = 1;
    loop {
        match table(n, step, &mut f) {
            Err(_) if trial < TRIALS => (step, trial) = (step * SHORTER, trial + 1),
            outcome => return outcome,
        }
    }
}

fn table<E>(
    n: usize,
    first_step: f64,
    f: &mut impl FnMut(f64, &mut [f64]) -> Result<(), E>,
) -> Result<Derivative, E> {
    let (mut ahead, mut behind) = (vec![0.0; n], vec![0.0; n]);
    let mut last: Vec<Vec<f64>> = Vec::new();
    let mut best = Derivative { values: vec![f64::NAN; n], errors: vec![f64::INFINITY; n] };
    for level in 0..LEVELS {
        let step = first_step * 0.5_f64.powi(level as i32);
        f(step, &mut ahead)?;
        f(-step, &mut behind)?;
        let mut row: Vec<Vec<f64>> = Vec::with_capacity(level + 1);
        row.push(ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * step)).collect());
        for order in 1..=level {
            let weight = 4.0_f64.powi(order as i32);
            let (finer, coarser) = (&row[order - 1], &last[order - 1]);
            let better = finer.iter().zip(coarser);
            row.push(better.map(|(a, b)| (a * weight - b) / (weight - 1.0)).collect());
        }
        for entry in 0..n {
            let size = ahead[entry].abs().max(behind[entry].abs());
            let rounding = f64::EPSILON * size / step;
            for order in 1..=level {
                let value = row[order][entry];
                let spread = (value - row[order - 1][entry]).abs();
                let error = spread.max((value - last[order - 1][entry]).abs()) + rounding;
                if error < best.errors[entry] {
                    (best.values[entry], best.errors[entry]) = (value, error);
                }
            }
        }
        last = row;
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_small_and_its_estimate_covers_it() {
        let at = 0.7_f64;
        let found = derivative(3, 0.1, |s, y: &mut [f64]| -> Result<(), ()> {
            y.copy_from_slice(&[(at + s).sin(), (3.0 * (at + s)).exp(), 1e6 / (at + s)]);
            Ok(())
        });
        let found = found.unwrap();
        let expected = [at.cos(), 3.0 * (3.0 * at).exp(), -1e6 / (at * at)];
        for (k, expected) in expected.into_iter().enumerate() {
            let error = (found.values[k] - expected).abs();
            // eps |f| / h at the steps around 0.01 at which truncation is gone: below 1e-12 relative.
            assert!(error < 1e-12 * expected.abs(), "{k}: {error}");
            assert!(error <= found.errors[k], "{k}: {error} {}", found.errors[k]);
        }
    }

    #[test]
    fn a_function_with_a_small_domain_gets_small_steps() {
        let found = derivative(1, 0.1, |s: f64, y: &mut [f64]| {
            y[0] = (1e-2 + s).sqrt();
            if y[0].is_nan() { Err(()) } else { Ok(()) }
        });
        assert!((found.unwrap().values[0] - 5.0).abs() < 1e-9);
        let nowhere = derivative(1, 0.1, |_, _: &mut [f64]| Err("no value"));
        assert!(nowhere.is_err());
    }
}
