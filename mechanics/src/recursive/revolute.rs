//! The sweeps of one rotation about z: the column `phi` picks the third row of `MA`, the rest `Ma`
//! has zeros there, and no product with `phi` is carried out.

use super::{BadPivot, Parent, invert_pivot};
use crate::inertia::{ArticulatedInertia, minus_outer};
use crate::spatial::{Load, Motion, Pose};
use crate::vector::{Mat3, Sym3, vec3};

/// Gives the parent the inertia that it feels, in its axes.
#[inline(always)]
pub(super) fn factor(
    ma: &ArticulatedInertia,
    x: &Pose,
    inverse_pivot: &mut [f64],
    parent: Parent,
) -> Result<(), BadPivot> {
    let inv = invert_pivot(ma.theta.zz, ma.theta.trace(), 0)?;
    inverse_pivot[0] = inv;
    parent.receive(passed(ma, x, inv));
    Ok(())
}

/// The inertia that passes the joint, in the axes of the parent.
#[inline(always)]
pub(crate) fn passed(ma: &ArticulatedInertia, x: &Pose, inv: f64) -> ArticulatedInertia {
    let (t, c) = (&ma.theta, &ma.cross.rows);
    // U = (xz, yz, zz; third row of C), g = U / zz.
    let (gx, gy) = (t.xz * inv, t.yz * inv);
    let f = c[2];
    let (xx, xy, yy) = (t.xx - gx * t.xz, t.xy - gx * t.yz, t.yy - gy * t.yz);
    let (cx, cy) = (c[0] - f * gx, c[1] - f * gy);
    let mass = minus_outer(&ma.mass, f * inv, f);

    // Rotation into the axes of the parent with e1, e2 the first two columns of E.
    let r = &x.rotation;
    let (e1, e2) = (r.column(0), r.column(1));
    let (a1, a2) = (e1 * xx + e2 * xy, e1 * xy + e2 * yy);
    let (b1, b2) = (r * cx, r * cy);
    let theta = Sym3 {
        xx: a1.x * e1.x + a2.x * e2.x,
        yy: a1.y * e1.y + a2.y * e2.y,
        zz: a1.z * e1.z + a2.z * e2.z,
        xy: a1.x * e1.y + a2.x * e2.y,
        xz: a1.x * e1.z + a2.x * e2.z,
        yz: a1.y * e1.z + a2.y * e2.z,
    };
    let cross =
        Mat3::from_rows(b1 * e1.x + b2 * e2.x, b1 * e1.y + b2 * e2.y, b1 * e1.z + b2 * e2.z);
    let rest = ArticulatedInertia { theta, cross, mass: mass.rotated(r) };
    rest.shifted(x.translation)
}

/// `l - U r / D` with `r = tau + l_z`; about z exactly `-tau` remains.
#[inline(always)]
pub(crate) fn reduce_load(
    ma: &ArticulatedInertia,
    inverse_pivot: f64,
    l: Load,
    tau: f64,
    residual: &mut f64,
) -> Load {
    let r = tau + l.torque.z;
    *residual = r;
    let s = r * inverse_pivot;
    Load::new(
        vec3(l.torque.x - ma.theta.xz * s, l.torque.y - ma.theta.yz * s, -tau),
        l.force - ma.cross.rows[2] * s,
    )
}

/// Acceleration of the freedom and of the link.
#[inline(always)]
pub(crate) fn accelerate(
    ma: &ArticulatedInertia,
    inverse_pivot: f64,
    x_v: &Motion,
    c: &Motion,
    residual: f64,
    vdot: &mut f64,
) -> Motion {
    // The absolute acceleration about z does not depend on the acceleration of the parent about z.
    let across = ma.theta.xz * x_v.ang.x + ma.theta.yz * x_v.ang.y;
    let alpha_z = (residual - across - ma.cross.rows[2].dot(x_v.lin)) * inverse_pivot;
    let a = alpha_z - x_v.ang.z;
    *vdot = a;
    let alpha_z = x_v.ang.z + a;
    Motion::new(vec3(x_v.ang.x + c.ang.x, x_v.ang.y + c.ang.y, alpha_z + c.ang.z), x_v.lin + c.lin)
}
