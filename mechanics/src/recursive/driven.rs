//! The sweeps of one rotation about z that a rotor, a drive or a lock acts on.
//!
//! The pivot is `D = zz + k` with the third moment zz of `MA` and the inertia k of rotors. A joint without k lets pass
//! `MA - U U^T / zz`, which has zeros about z and is cheap to turn into the axes of the parent (`revolute.rs`). What this joint
//! lets pass beyond that is a dyad of the column U alone:
//!
//! ```text
//! MA - U U^T / D = (MA - U U^T / zz) + U U^T (1/zz - 1/D)
//! ```
//!
//! Both terms are positive for bodies of matter, so nothing cancels. A lock has 0 in place of 1/D.

use super::{BadPivot, Parent, SMALLEST_PIVOT, invert_pivot, revolute};
use crate::inertia::ArticulatedInertia;
use crate::spatial::{Load, Motion, Pose};
use crate::vector::{Vec3, vec3};

/// The rotors, drives and locks of a joint.
#[derive(Clone, Copy)]
pub(super) struct Driven {
    /// Inertia of the rotors and drives on the joint (kg m^2).
    pub inertia: f64,
    pub is_locked: bool,
    /// Torque that its acceleration exerts on the parent by way of drives, in axes of the parent.
    pub carried: Vec3,
}

/// Gives the parent the inertia that it feels, in its axes.
#[inline(always)]
pub(super) fn factor(
    ma: &ArticulatedInertia,
    x: &Pose,
    driven: Driven,
    reduced: &mut Load,
    inverse_pivot: &mut f64,
    parent: Parent,
) -> Result<(), BadPivot> {
    let t = &ma.theta;
    let column = Load::new(vec3(t.xz, t.yz, t.zz), ma.cross.rows[2]);
    let inverse = match driven.is_locked {
        true => 0.0,
        false => invert_pivot(t.zz + driven.inertia, t.trace() + driven.inertia, 0)?,
    };
    (*reduced, *inverse_pivot) = (column, inverse);
    let is_plain = t.zz.abs() > SMALLEST_PIVOT * t.trace().abs();
    let without = if is_plain { 1.0 / t.zz } else { 0.0 };
    let mut rest = if is_plain { revolute::passed(ma, x, without) } else { ma.transformed(x) };
    if driven.carried != Vec3::ZERO {
        let turned = column.transformed(x);
        rest.subtract_dyad(&turned, -without);
        rest.subtract_dyad(&Load::new(turned.torque + driven.carried, turned.force), inverse);
    } else if inverse != without {
        rest.subtract_dyad(&column.transformed(x), inverse - without);
    }
    parent.receive(rest);
    Ok(())
}

/// `l - U r / D` with `r = tau + l_z`.
#[inline(always)]
pub(super) fn reduce_load(
    reduced: &Load,
    inverse_pivot: f64,
    l: Load,
    tau: f64,
    residual: &mut f64,
) -> Load {
    let r = tau + l.torque.z;
    *residual = r;
    l - *reduced * (r * inverse_pivot)
}

/// Acceleration of the freedom and of the link.
#[inline(always)]
pub(super) fn accelerate(
    reduced: &Load,
    inverse_pivot: f64,
    x_v: &Motion,
    c: &Motion,
    residual: f64,
    vdot: &mut f64,
) -> Motion {
    let a = (residual - x_v.dot(reduced)) * inverse_pivot;
    *vdot = a;
    let mut x = *x_v + *c;
    x.ang.z += a;
    x
}
