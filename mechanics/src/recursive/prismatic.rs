//! The sweeps of one translation along z: the column `phi` picks the last row of `MA`, and the rest
//! `Ma` has zeros there.

use super::{BadPivot, Parent, invert_pivot};
use crate::inertia::{ArticulatedInertia, minus_outer};
use crate::spatial::{Load, Motion, Pose};
use crate::vector::{Mat3, Sym3, Vec3, vec3};

/// Gives the parent the inertia that it feels, in its axes.
#[inline(always)]
pub(super) fn factor(
    ma: &ArticulatedInertia,
    x: &Pose,
    inverse_pivot: &mut [f64],
    parent: Parent,
) -> Result<(), BadPivot> {
    let (m, c) = (&ma.mass, &ma.cross.rows);
    let inv = invert_pivot(m.zz, m.trace(), 0)?;
    inverse_pivot[0] = inv;
    // U = (third column of C; xz, yz, zz), g = U / zz.
    let u = ma.cross.column(2);
    let (gx, gy) = (m.xz * inv, m.yz * inv);
    let (xx, xy, yy) = (m.xx - gx * m.xz, m.xy - gx * m.yz, m.yy - gy * m.yz);
    let theta = minus_outer(&ma.theta, u * inv, u);

    // Rotation into the axes of the parent with e1, e2 the first two columns of E.
    let r = &x.rotation;
    let (e1, e2) = (r.column(0), r.column(1));
    let along = |row: Vec3, u: f64| e1 * (row.x - u * gx) + e2 * (row.y - u * gy);
    let half = Mat3::from_rows(along(c[0], u.x), along(c[1], u.y), along(c[2], u.z));
    let (a1, a2) = (e1 * xx + e2 * xy, e1 * xy + e2 * yy);
    let mass = Sym3 {
        xx: a1.x * e1.x + a2.x * e2.x,
        yy: a1.y * e1.y + a2.y * e2.y,
        zz: a1.z * e1.z + a2.z * e2.z,
        xy: a1.x * e1.y + a2.x * e2.y,
        xz: a1.x * e1.z + a2.x * e2.z,
        yz: a1.y * e1.z + a2.y * e2.z,
    };
    let rest = ArticulatedInertia { theta: theta.rotated(r), cross: *r * half, mass };
    parent.receive(rest.shifted(x.translation));
    Ok(())
}

/// `l - U r / D` with `r = tau + l_z`; along z exactly `-tau` remains.
#[inline(always)]
pub(super) fn reduce_load(
    ma: &ArticulatedInertia,
    inverse_pivot: f64,
    l: Load,
    tau: f64,
    residual: &mut f64,
) -> Load {
    let r = tau + l.force.z;
    *residual = r;
    let s = r * inverse_pivot;
    Load::new(
        l.torque - ma.cross.column(2) * s,
        vec3(l.force.x - ma.mass.xz * s, l.force.y - ma.mass.yz * s, -tau),
    )
}

/// Acceleration of the freedom and of the link.
#[inline(always)]
pub(super) fn accelerate(
    ma: &ArticulatedInertia,
    inverse_pivot: f64,
    x_v: &Motion,
    c: &Motion,
    residual: f64,
    vdot: &mut f64,
) -> Motion {
    // Along z the acceleration does not depend on that of the parent.
    let across = ma.mass.xz * x_v.lin.x + ma.mass.yz * x_v.lin.y;
    let a_z = (residual - across - ma.cross.column(2).dot(x_v.ang)) * inverse_pivot;
    let a = a_z - x_v.lin.z;
    *vdot = a;
    let a_z = x_v.lin.z + a;
    Motion::new(x_v.ang + c.ang, vec3(x_v.lin.x + c.lin.x, x_v.lin.y + c.lin.y, a_z + c.lin.z))
}
