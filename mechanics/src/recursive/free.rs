//! The sweeps of six freedoms: nothing of the inertia passes, and the load that passes is that of
//! the joint forces alone.
//!
//! The link has six freedoms in its own axes too, whichever coordinates the joint has. So
//! `MA (x - c) = lA - MA c + (load of tau)` is solved for the link, rotations first as for a
//! spherical joint, and the accelerations of the coordinates follow from the difference to the
//! parent. Freedoms 0..3 are the translations along `phi_k` (base axes), 3..6 the rotations.

use super::{BadPivot, Parent, invert_pivot, spherical};
use crate::inertia::ArticulatedInertia;
use crate::spatial::{Load, Motion};
use crate::vector::{Vec3, vec3};

/// Factors `MA`. The first three entries of the buffers belong to the rotations.
#[inline(always)]
pub(super) fn factor(
    ma: &ArticulatedInertia,
    reduced: &mut [Load],
    inverse_pivot: &mut [f64],
    parent: Parent,
) -> Result<(), BadPivot> {
    let m = spherical::eliminate_rotations(ma, reduced, inverse_pivot)
        .map_err(|bad| BadPivot { freedom: bad.freedom + 3, ..bad })?;
    let size = ma.mass.trace();
    let ix = invert_pivot(m.xx, size, 0)?;
    let (gy, gz) = (m.xy * ix, m.xz * ix);
    let (yy, yz, zz) = (m.yy - gy * m.xy, m.yz - gy * m.xz, m.zz - gz * m.xz);
    let iy = invert_pivot(yy, size, 1)?;
    let zz = zz - yz * iy * yz;
    inverse_pivot[3] = ix;
    inverse_pivot[4] = iy;
    inverse_pivot[5] = invert_pivot(zz, size, 2)?;
    reduced[3] = Load::new(Vec3::ZERO, vec3(m.xx, m.xy, m.xz));
    reduced[4] = Load::new(Vec3::ZERO, vec3(0.0, yy, yz));
    reduced[5] = Load::new(Vec3::ZERO, vec3(0.0, 0.0, zz));
    parent.receive(ArticulatedInertia::ZERO);
    Ok(())
}

/// The load of the joint forces passes to the parent with the opposite sign.
#[inline(always)]
pub(super) fn reduce_load(
    phi: &[Motion],
    reduced: &[Load],
    inverse_pivot: &[f64],
    l: Load,
    tau: &[f64],
    residual: &mut [f64],
) -> Load {
    let driven = Load::new(
        vec3(tau[3], tau[4], tau[5]),
        phi[0].lin * tau[0] + phi[1].lin * tau[1] + phi[2].lin * tau[2],
    );
    let rest = spherical::reduce_load(reduced, inverse_pivot, l + driven, &[0.0; 3], residual);
    let f = rest.force;
    let sx = f.x * inverse_pivot[3];
    let ry = f.y - reduced[3].force.y * sx;
    let sy = ry * inverse_pivot[4];
    residual[3] = f.x;
    residual[4] = ry;
    residual[5] = f.z - reduced[3].force.z * sx - reduced[4].force.z * sy;
    -driven
}

/// The acceleration of the link does not depend on that of the parent.
#[inline(always)]
pub(super) fn accelerate(
    phi: &[Motion],
    reduced: &[Load],
    inverse_pivot: &[f64],
    x_v: &Motion,
    c: &Motion,
    residual: &[f64],
    vdot: &mut [f64],
) -> Motion {
    let az = residual[5] * inverse_pivot[5];
    let ay = (residual[4] - reduced[4].force.z * az) * inverse_pivot[4];
    let mx = &reduced[3].force;
    let ax = (residual[3] - mx.y * ay - mx.z * az) * inverse_pivot[3];
    let relative = vec3(ax, ay, az) - x_v.lin;
    let mut own = *x_v;
    for k in 0..3 {
        vdot[k] = phi[k].lin.dot(relative);
        own.lin += phi[k].lin * vdot[k];
    }
    spherical::accelerate(reduced, inverse_pivot, &own, c, residual, &mut vdot[3..])
}
