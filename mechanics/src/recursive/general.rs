//! The sweeps of any joint: its freedoms are eliminated one after the other.
//!
//! Freedom k sees the inertia that the freedoms before it left: `y_k = MA_k phi_k`,
//! `d_k = phi_k . y_k + rotor_k`, `MA_(k+1) = MA_k - y_k y_k^T / d_k`. In matrix language
//! `Y = L^-1 U^T` with `D = L diag(d) L^T`.

use super::{BadPivot, Parent, invert_pivot};
use crate::inertia::ArticulatedInertia;
use crate::spatial::{Load, Motion, Pose};

/// The freedoms of a joint as the sweeps see them.
#[derive(Clone, Copy)]
pub(super) struct Freedoms<'a> {
    /// Columns of the motion subspace.
    pub phi: &'a [Motion],
    /// Inertia of the rotor on each freedom, and of drives.
    pub rotor: &'a [f64],
    pub added: &'a [f64],
    /// Freedoms that are held at rest.
    pub locked: &'a [bool],
}

/// Gives the parent the inertia that it feels, in its axes.
pub(super) fn factor(
    ma: &ArticulatedInertia,
    x: &Pose,
    joint: Freedoms,
    reduced: &mut [Load],
    inverse_pivot: &mut [f64],
    parent: Parent,
) -> Result<(), BadPivot> {
    let Freedoms { phi, rotor, added, locked } = joint;
    let (rotation_size, translation_size) = (ma.theta.trace(), ma.mass.trace());
    let mut rest = *ma;
    for (k, p) in phi.iter().enumerate() {
        let y = rest.mul(p);
        // phi^T M phi <= 2 (|phi_w|^2 tr Theta + |phi_v|^2 tr M) bounds the terms that may cancel.
        let size = p.ang.dot(p.ang) * rotation_size + p.lin.dot(p.lin) * translation_size;
        // A locked freedom is not eliminated: M^-1 becomes M^-1 (1 - L) by an inverse pivot of zero.
        let inv = match locked[k] {
            true => 0.0,
            false => {
                let rotor = rotor[k] + added[k];
                invert_pivot(p.dot(&y) + rotor, size + rotor, k)?
            }
        };
        rest.subtract_dyad(&y, inv);
        reduced[k] = y;
        inverse_pivot[k] = inv;
    }
    parent.receive(rest.transformed(x));
    Ok(())
}

/// Reduces the load by the part that each freedom takes up: `r_k = tau_k + phi_k . l`, `l <- l - y_k r_k / d_k`.
pub(super) fn reduce_load(
    phi: &[Motion],
    reduced: &[Load],
    inverse_pivot: &[f64],
    l: Load,
    tau: &[f64],
    residual: &mut [f64],
) -> Load {
    let mut rest = l;
    for k in 0..phi.len() {
        let r = tau[k] + phi[k].dot(&rest);
        residual[k] = r;
        rest = rest - reduced[k] * (r * inverse_pivot[k]);
    }
    rest
}

/// Substitutes back, the last freedom first: `vdot_k = (r_k - y_k . x) / d_k`, `x <- x + phi_k vdot_k`.
pub(super) fn accelerate(
    phi: &[Motion],
    reduced: &[Load],
    inverse_pivot: &[f64],
    x_v: &Motion,
    c: &Motion,
    residual: &[f64],
    vdot: &mut [f64],
) -> Motion {
    let mut x = *x_v;
    for k in (0..phi.len()).rev() {
        let a = (residual[k] - x.dot(&reduced[k])) * inverse_pivot[k];
        vdot[k] = a;
        x += phi[k] * a;
    }
    x + *c
}
