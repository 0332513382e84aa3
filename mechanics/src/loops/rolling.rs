//! A disc or sphere that rolls on a plane: the point of contact neither leaves the plane nor slides.
//!
//! With A the body of the plane, B the one that rolls, c its centre, `p = c + rho` the point of contact and n
//! the normal of the plane: the material points at p have no relative velocity,
//!
//! ```text
//! u = v_B(c) - v_A(c) + (w_B - w_A) x rho = 0         three rows, along the axes of T0
//! ```
//!
//! of which the one along n is the derivative of the height of p above the plane; the others have no position
//! (the constraint is not holonomic). In the axes of A, with w = w_B - w_A and v = v_B(c) - v_A(c),
//!
//! ```text
//! u' = (a_B(c) - a_A(c) - 2 w_A x v) + (alpha_B - alpha_A - w_A x w) x rho + w x rho'
//! ```
//!
//! For a sphere `rho = -r n` and `rho' = 0` in A. For a disc with the axis k, `rho = -r m/|m|` with
//! `m = n - (n.k) k`, the direction in its plane that leads down steepest, and `k' = w x k`.

use super::link_frame::LinkFrame;
use super::loop_numbers::ElementRows;
use crate::spatial::{Load, Pose};
use crate::vector::Vec3;
use crate::workspace::Workspace;

/// A body that rolls.
#[derive(Clone, Debug)]
pub(super) struct Rolling {
    /// T0 on the link of the plane.
    pub plane: LinkFrame,
    /// T1 on the link of the body that rolls.
    pub body: LinkFrame,
    pub radius: f64,
    pub is_disc: bool,
}

/// The point of contact in the world.
struct Contact {
    /// T0.
    plane: Pose,
    centre: Vec3,
    /// From the centre to the point of contact.
    rho: Vec3,
    /// Axis of the disc, and the direction m with its length.
    axis: Vec3,
    up: Vec3,
    steepness: f64,
}

impl Rolling {
    fn contact(&self, w: &Workspace) -> Contact {
        let (plane, body) = (self.plane.in_world(w), self.body.in_world(w));
        let (n, axis) = (plane.rotation.column(2), body.rotation.column(2));
        let m = if self.is_disc { n - axis * n.dot(axis) } else { n };
        let up = m.normalized().unwrap_or(Vec3::X);
        let centre = body.translation;
        Contact { plane, centre, rho: up * -self.radius, axis, up, steepness: m.norm() }
    }

    pub fn update_positions(&self, w: &Workspace, rows: &mut ElementRows<'_>) {
        let Contact { plane, centre, rho, .. } = self.contact(w);
        let point = centre + rho;
        rows.gap.fill(0.0);
        rows.gap[0] = plane.rotation.column(2).dot(point - plane.translation);
        for (k, axis) in [2, 0, 1].into_iter().enumerate() {
            let e = plane.rotation.column(axis);
            for (place, link, sign) in [(0, self.body.link, 1.0), (1, self.plane.link, -1.0)] {
                let x = &w.x_world[link as usize];
                let force = x.rotation.transpose_mul(e * sign);
                let arm = x.rotation.transpose_mul(point - x.translation);
                rows.loads[2 * k + place] = Load::new(arm.cross(force), force);
            }
        }
    }

    pub fn update_velocities(&self, w: &Workspace, rows: &mut ElementRows<'_>) {
        let Contact { plane, centre, rho, axis, up, steepness } = self.contact(w);
        let of = |link: u32| {
            let (x, y) = (&w.x_world[link as usize], &w.twist_world[link as usize]);
            let turning = y.ang.cross(centre - x.translation);
            (y.ang, y.lin + turning, y.ang.cross(turning))
        };
        let ((wb, vb, swing_b), (wa, va, swing_a)) = (of(self.body.link), of(self.plane.link));
        let (omega, v) = (wb - wa, vb - va);
        let u = v + omega.cross(rho);
        // rho' in the axes of the plane.
        let shift = if self.is_disc {
            let n = plane.rotation.column(2);
            let turned = omega.cross(axis);
            let m = -(axis * n.dot(turned) + turned * n.dot(axis));
            let across = m - up * up.dot(m);
            across * (-self.radius / steepness.max(f64::MIN_POSITIVE))
        } else {
            Vec3::ZERO
        };
        let demand =
            wa.cross(v) * 2.0 + wa.cross(omega).cross(rho) - omega.cross(shift) - swing_b + swing_a;
        for (k, axis) in [2, 0, 1].into_iter().enumerate() {
            let e = plane.rotation.column(axis);
            rows.rate[k] = e.dot(u);
            rows.gamma[k] = e.dot(demand);
        }
    }

    /// The quantity that a row keeps, in words.
    pub fn describe(&self, number: usize) -> &'static str {
        ["distance from the plane", "rolling along x of T0", "rolling along y of T0"][number.min(2)]
    }
}
