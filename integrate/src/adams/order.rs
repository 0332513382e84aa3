//! Error estimates at neighbouring orders, and the choice of order and size of the next step.
//!
//! Not here: anything that changes the solution.

use super::coefficients::{Coefficients, MAX_ORDER};
use super::history::History;

/// `|gamma*_k|` (k from 1): constant of the error of the Adams-Moulton formula of order k with
/// equal steps. Rounded to three digits on purpose, as published: the numbers only weigh orders
/// against each other, and the accept test uses the exact `g_k - g_{k+1}`. Exact fractions
/// (1/12, 1/24, 19/720, ...) would make other order decisions than the original method.
const GAMMA_STAR: [f64; MAX_ORDER + 2] = [
    0.0, 0.5, 0.0833, 0.0417, 0.0264, 0.0188, 0.0143, 0.0114, 0.00936, 0.00789, 0.00679, 0.00592,
    0.00524, 0.00468,
];

/// Norms of estimated errors of a trial step. Lower orders are as if the step had been constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct ErrorEstimates {
    /// Local error of the step itself, for the accept test.
    pub local: f64,
    /// Bound of the local error if the derivative jumps inside the step: the difference between derivative and prediction
    /// counts over the whole step, because the difference of two orders says nothing there.
    pub across_jump: f64,
    /// Error at order k.
    pub at_k: f64,
    /// Error at order k - 1 (0 if k = 1).
    pub at_k_minus_1: f64,
    /// Order for the next trial as far as lowering is concerned.
    pub k_new: usize,
}

/// Euclidean norm of `(phi + difference) / weight`.
fn weighted_norm(phi: Option<&[f64]>, f_p: &[f64], phi_1: &[f64], weights: &[f64]) -> f64 {
    let mut sum = 0.0;
    for l in 0..f_p.len() {
        let inverse = 1.0 / weights[l];
        let difference = f_p[l] - phi_1[l];
        let term = match phi {
            Some(phi) => (phi[l] + difference) * inverse,
            None => difference * inverse,
        };
        sum += term * term;
    }
    sum.sqrt()
}

/// Estimates the errors at orders k, k - 1, k - 2 from the derivative at the prediction:
/// `error_j = |h| sigma_{j+1} gamma*_j ||phi_{j+1}||`, and the local error
/// `|h| (g_k - g_{k+1}) ||phi_{k+1}||`. The order is lowered if that does not raise the error.
pub(super) fn estimate_errors(
    c: &Coefficients,
    history: &History,
    k: usize,
    h: f64,
    f_p: &[f64],
    weights: &[f64],
) -> ErrorEstimates {
    // phi_{j+1} at the predicted point is the predicted difference plus f_p - phi_1; for j = k only f_p - phi_1 is left.
    let size = h.abs();
    let phi_1 = history.column(1);
    let norm = |i: Option<usize>| weighted_norm(i.map(|i| history.column(i)), f_p, phi_1, weights);
    let at_k_minus_2 =
        if k > 2 { size * c.sigma[k - 1] * GAMMA_STAR[k - 2] * norm(Some(k - 1)) } else { 0.0 };
    let at_k_minus_1 =
        if k > 1 { size * c.sigma[k] * GAMMA_STAR[k - 1] * norm(Some(k)) } else { 0.0 };
    let scaled = size * norm(None);
    let local = scaled * (c.g[k] - c.g[k + 1]);
    let at_k = scaled * c.sigma[k + 1] * GAMMA_STAR[k];
    // Lowers the order if the errors at lower orders are no larger.
    let lower = match k {
        1 => false,
        // At order 2 lowering must pay clearly: order 1 is seldom right.
        2 => at_k_minus_1 <= 0.5 * at_k,
        _ => at_k_minus_1.max(at_k_minus_2) <= at_k,
    };
    ErrorEstimates {
        local,
        across_jump: scaled,
        at_k,
        at_k_minus_1,
        k_new: if lower { k - 1 } else { k },
    }
}

/// Error at order k after accepted steps of constant size: `|h| gamma*_k ||phi_{k+1}||`.
pub(super) fn error_at_order(history: &History, k: usize, h: f64, weights: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (phi, w) in history.column(k + 1).iter().zip(weights) {
        let term = phi / w;
        sum += term * term;
    }
    h.abs() * GAMMA_STAR[k] * sum.sqrt()
}

/// Order for the next step outside the starting phase, and the error expected there.
///
/// `at_k_plus_1` is `None` when the step size has not been constant long enough for an estimate.
pub(super) fn choose_order(
    k: usize,
    errors: &ErrorEstimates,
    at_k_plus_1: Option<f64>,
) -> (usize, f64) {
    let stay = (k, errors.at_k);
    if errors.k_new + 1 == k {
        return (k - 1, errors.at_k_minus_1);
    }
    let Some(higher) = at_k_plus_1 else { return stay };
    if k == 1 {
        return if higher < 0.5 * errors.at_k { (2, higher) } else { stay };
    }
    if errors.at_k_minus_1 <= errors.at_k.min(higher) {
        (k - 1, errors.at_k_minus_1)
    } else if higher < errors.at_k && k < MAX_ORDER {
        (k + 1, higher)
    } else {
        stay
    }
}

/// Factor by which the next step of order `k` may differ from this one, given the error expected
/// at the present size and half the tolerance: 2, 1, or between 0.5 and 0.9.
///
/// Doubling is allowed when the error, which grows with `2^{k+1}`, still fits. Sizes between 1 and
/// 2 are not used because every change of size costs new coefficients and spoils the estimates.
pub(super) fn step_factor(k: usize, error: f64, half_tolerance: f64) -> f64 {
    let doubling = f64::from(1u32 << (k + 1));
    if half_tolerance >= error * doubling {
        2.0
    } else if half_tolerance >= error {
        1.0
    } else {
        let ratio = (half_tolerance / error).powf(1.0 / (k + 1) as f64);
        ratio.clamp(0.5, 0.9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rounded table is within half a unit of its last digit of the exact constants, which
    /// obey `sum_{i=0}^{k} gamma*_i / (k + 1 - i) = 0` with `gamma*_0 = 1`.
    #[test]
    fn gamma_star_is_the_rounded_exact_constant() {
        let mut exact = [1.0f64; MAX_ORDER + 2];
        for k in 1..=MAX_ORDER + 1 {
            exact[k] = -(0..k).map(|i| exact[i] / (k + 1 - i) as f64).sum::<f64>();
        }
        for k in 1..=MAX_ORDER + 1 {
            let error = (GAMMA_STAR[k] - exact[k].abs()).abs();
            assert!(error <= 0.5 * 1e-2 * GAMMA_STAR[k], "gamma*_{k}: {}", exact[k]);
        }
    }

    #[test]
    fn a_small_error_doubles_and_a_large_one_shrinks_the_step() {
        assert_eq!(step_factor(3, 1.0, 16.0), 2.0);
        assert_eq!(step_factor(3, 1.0, 15.9), 1.0);
        assert_eq!(step_factor(3, 1.0, 1e-9), 0.5);
        assert_eq!(step_factor(3, 1.0, 0.99), 0.9);
    }
}
