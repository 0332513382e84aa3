//! The sweeps of three rotations: the freedoms x, y, z are eliminated in turn; only a block of translations remains of the
//! inertia.

use super::{BadPivot, Parent, invert_pivot};
use crate::inertia::{ArticulatedInertia, minus_outer};
use crate::spatial::{Load, Motion, Pose};
use crate::vector::{Mat3, Sym3, vec3};

/// Eliminates the rotations, writes their reduced columns and returns the block of translations
/// that is left.
#[inline(always)]
pub(super) fn eliminate_rotations(
    ma: &ArticulatedInertia,
    reduced: &mut [Load],
    inverse_pivot: &mut [f64],
) -> Result<Sym3, BadPivot> {
    let (t, c) = (&ma.theta, &ma.cross.rows);
    let size = t.trace();
    // Rotation about x: pivot xx, and its products off the rest.
    let ix = invert_pivot(t.xx, size, 0)?;
    let (gy, gz) = (t.xy * ix, t.xz * ix);
    let (yy, yz, zz) = (t.yy - gy * t.xy, t.yz - gy * t.xz, t.zz - gz * t.xz);
    let (cy, cz) = (c[1] - c[0] * gy, c[2] - c[0] * gz);

    // Rotation about y, on the reduced inertia.
    let iy = invert_pivot(yy, size, 1)?;
    let hz = yz * iy;
    let (zz, cz) = (zz - hz * yz, cz - cy * hz);

    // Rotation about z; then the block of translations loses the products of all three.
    let iz = invert_pivot(zz, size, 2)?;
    let mass = minus_outer(&ma.mass, c[0] * ix, c[0]);
    let mass = minus_outer(&mass, cy * iy, cy);
    let mass = minus_outer(&mass, cz * iz, cz);

    reduced[0] = Load::new(vec3(t.xx, t.xy, t.xz), c[0]);
    reduced[1] = Load::new(vec3(0.0, yy, yz), cy);
    reduced[2] = Load::new(vec3(0.0, 0.0, zz), cz);
    inverse_pivot[0] = ix;
    inverse_pivot[1] = iy;
    inverse_pivot[2] = iz;
    Ok(mass)
}

/// Gives the parent the inertia that it feels, in its axes. The whole block of torques is zero by structure, not by
/// cancellation, which keeps long chains of such joints free of growing round-off.
#[inline(always)]
pub(super) fn factor(
    ma: &ArticulatedInertia,
    x: &Pose,
    reduced: &mut [Load],
    inverse_pivot: &mut [f64],
    parent: Parent,
) -> Result<(), BadPivot> {
    let mass = eliminate_rotations(ma, reduced, inverse_pivot)?;
    // A force at the link's origin only: C' = d~ M, Theta' = d~ C'^T in the axes of the parent.
    let mass = mass.rotated(&x.rotation);
    let d = x.translation;
    let m = mass.to_mat3().rows;
    let n = [m[2] * d.y - m[1] * d.z, m[0] * d.z - m[2] * d.x, m[1] * d.x - m[0] * d.y];
    let theta = Sym3 {
        xx: d.y * n[0].z - d.z * n[0].y,
        yy: d.z * n[1].x - d.x * n[1].z,
        zz: d.x * n[2].y - d.y * n[2].x,
        xy: d.y * n[1].z - d.z * n[1].y,
        xz: d.y * n[2].z - d.z * n[2].y,
        yz: d.z * n[2].x - d.x * n[2].z,
    };
    parent.receive(ArticulatedInertia { theta, cross: Mat3 { rows: n }, mass });
    Ok(())
}

/// The torque passed on is exactly `-tau`; the force loses the part that the rotations take up.
#[inline(always)]
pub(super) fn reduce_load(
    reduced: &[Load],
    inverse_pivot: &[f64],
    l: Load,
    tau: &[f64],
    residual: &mut [f64],
) -> Load {
    // Forward: r_k = tau_k + (torque left by the freedoms before)_k.
    let [y0, y1, y2] = [&reduced[0], &reduced[1], &reduced[2]];
    let r0 = tau[0] + l.torque.x;
    let s0 = r0 * inverse_pivot[0];
    let r1 = tau[1] + l.torque.y - y0.torque.y * s0;
    let s1 = r1 * inverse_pivot[1];
    let r2 = tau[2] + l.torque.z - y0.torque.z * s0 - y1.torque.z * s1;
    let s2 = r2 * inverse_pivot[2];
    residual[0] = r0;
    residual[1] = r1;
    residual[2] = r2;
    let force = l.force - y0.force * s0 - y1.force * s1 - y2.force * s2;
    Load::new(vec3(-tau[0], -tau[1], -tau[2]), force)
}

/// The angular acceleration follows from the acceleration of the origin alone.
#[inline(always)]
pub(super) fn accelerate(
    reduced: &[Load],
    inverse_pivot: &[f64],
    x_v: &Motion,
    c: &Motion,
    residual: &[f64],
    vdot: &mut [f64],
) -> Motion {
    // Back substitution in the order z, y, x, from the rounded accelerations of the freedoms.
    let [y0, y1, y2] = [&reduced[0], &reduced[1], &reduced[2]];
    let a = x_v.lin;
    let az = (residual[2] - y2.force.dot(a)) * inverse_pivot[2];
    vdot[2] = az - x_v.ang.z;
    let az = x_v.ang.z + vdot[2];
    let ay = (residual[1] - y1.force.dot(a) - y1.torque.z * az) * inverse_pivot[1];
    vdot[1] = ay - x_v.ang.y;
    let ay = x_v.ang.y + vdot[1];
    let ax =
        (residual[0] - y0.force.dot(a) - y0.torque.y * ay - y0.torque.z * az) * inverse_pivot[0];
    vdot[0] = ax - x_v.ang.x;
    let ax = x_v.ang.x + vdot[0];
    Motion::new(vec3(ax, ay, az) + c.ang, a + c.lin)
}
