//! The solution inside the last step: integral of the polynomial through the last `k + 1`
//! derivatives (INTRP of Shampine & Gordon 1975, ch. 5 and 10).
//!
//! Not here: who asks for it.

use super::coefficients::MAX_ORDER;
use super::history::History;

/// Writes `y` and `ydot` at `t_new + offset`, from the differences at `t_new`.
///
/// With `gamma_i = (offset + psi_{i-1}) / psi_i` (`psi_0 = 0`) and `eta_i = offset / psi_i` the
/// integrals follow `g_{1,q} = 1/q`, `g_{i+1,q} = gamma_i g_{i,q} - eta_i g_{i,q+1}`, the
/// derivative's weights `rho_{i+1} = gamma_i rho_i`; then `y = y_new + offset sum g_i phi_i` and
/// `ydot = sum rho_i phi_i`.
pub(super) fn interpolate(
    history: &History,
    psi: &[f64],
    k_old: usize,
    y_new: &[f64],
    offset: f64,
    y: &mut [f64],
    ydot: &mut [f64],
) {
    let terms = k_old + 1;
    let mut g = [0.0; MAX_ORDER + 2];
    let mut rho = [0.0; MAX_ORDER + 2];
    let mut w = [0.0; MAX_ORDER + 2];
    for (q, w) in w.iter_mut().enumerate().skip(1).take(terms) {
        *w = 1.0 / q as f64;
    }
    g[1] = 1.0;
    rho[1] = 1.0;
    let mut psi_before = 0.0;
    for i in 2..=terms {
        let gamma = (offset + psi_before) / psi[i - 1];
        let eta = offset / psi[i - 1];
        for q in 1..=terms + 1 - i {
            w[q] = gamma * w[q] - eta * w[q + 1];
        }
        g[i] = w[1];
        rho[i] = gamma * rho[i - 1];
        psi_before = psi[i - 1];
    }
    y.fill(0.0);
    ydot.fill(0.0);
    for i in (1..=terms).rev() {
        for ((y, ydot), phi) in y.iter_mut().zip(ydot.iter_mut()).zip(history.column(i)) {
            *y += g[i] * phi;
            *ydot += rho[i] * phi;
        }
    }
    for (y, y_new) in y.iter_mut().zip(y_new) {
        *y = y_new + offset * *y;
    }
}
