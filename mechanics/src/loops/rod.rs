//! A massless rod: keeps the distance of two points.
//!
//! With d the vector from point 0 to point 1, `|d| = L` demands `e . u = 0` of the relative velocity u, and
//! `e . u' = -(u.u - (e.u)^2) / |d|` of the relative acceleration, e being the direction of d.

use super::link_frame::LinkPoint;
use super::loop_numbers::ElementRows;
use crate::spatial::Load;
use crate::vector::Vec3;
use crate::workspace::Workspace;

/// A rod between points of two links.
#[derive(Clone, Debug)]
pub(super) struct Rod {
    /// Link and point on it (m), of both ends.
    pub ends: [LinkPoint; 2],
    /// Length (m).
    pub length: f64,
}

impl Rod {
    fn point(&self, w: &Workspace, end: usize) -> Vec3 {
        let LinkPoint { link, place } = self.ends[end];
        w.x_world[link as usize].transform_point(place)
    }

    fn direction(&self, w: &Workspace) -> (Vec3, f64) {
        let d = self.point(w, 1) - self.point(w, 0);
        // Ends that meet have no direction; any one leads them apart again.
        (d.normalized().unwrap_or(Vec3::X), d.norm())
    }

    pub fn update_positions(&self, w: &Workspace, rows: &mut ElementRows<'_>) {
        let (e, distance) = self.direction(w);
        rows.gap[0] = distance - self.length;
        for (k, sign) in [(1, 1.0), (0, -1.0)] {
            let LinkPoint { link, place } = self.ends[k];
            let force = w.x_world[link as usize].rotation.transpose_mul(e * sign);
            rows.loads[1 - k] = Load::new(place.cross(force), force);
        }
    }

    pub fn update_velocities(&self, w: &Workspace, rows: &mut ElementRows<'_>) {
        let (e, distance) = self.direction(w);
        let of = |end: usize| {
            let LinkPoint { link, place } = self.ends[end];
            let y = &w.twist_world[link as usize];
            let turning = y.ang.cross(w.x_world[link as usize].rotation * place);
            (y.lin + turning, y.ang.cross(turning))
        };
        let ((v1, swing1), (v0, swing0)) = (of(1), of(0));
        let u = v1 - v0;
        let along = e.dot(u);
        rows.rate[0] = along;
        let across = (u.dot(u) - along * along).max(0.0);
        rows.gamma[0] = e.dot(swing0 - swing1) - across / distance.max(f64::MIN_POSITIVE);
    }
}
