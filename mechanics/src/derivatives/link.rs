//! The recursion at one link, differentiated.
//!
//! All changes are in the axes of the link, at its origin. The joint moves the link by `(p, e)` relative to its parent
//! (`p = phi_w s`, `e = phi_v s` for displacements s), so that with the pose (E, d) of the link in the parent
//!
//! ```text
//! dE = E p~,    dd = E e,    d(E^T x) = E^T dx - p x (E^T x)
//! ```
//!
//! With `wp = E^T w_V`, `a = E^T d`, the relative twist `(r_w, r_v) = phi v` and the carried motion
//! `(A, B) = (E^T alpha_V, E^T (a_V + alpha_V x d))`, the equations of `kinematics.rs` become
//!
//! ```text
//! d wp    = E^T dw_V - p x wp
//! d w     = d wp + d r_w,                           d r = phi dv + (d phi) v
//! d alpha = E^T dalpha_V - p x A + d wp x r_w + wp x d r_w + d b_w + phi_w dvdot + (d phi_w) vdot
//! d acc   = E^T (da_V + dalpha_V x d) + A x e - p x B
//!           + d wp x (wp x a) + wp x (d wp x a) + wp x (wp x (e - p x a))
//!           + 2 (d wp x r_v + wp x d r_v) + d b_v + phi_v dvdot + (d phi_v) vdot
//! ```
//!
//! and the load (t, f) of the joint, carried to the parent, changes by the load `(dt + p x t + e x f, df + p x f)`.
//! Places and linear velocities, on which forces may depend, follow in the same way.

use crate::inertia::RigidInertia;
use crate::joints::Joint;
use crate::spatial::{Load, Motion, Pose};
use crate::vector::Vec3;

/// Changes of a link, in its axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Variation {
    /// Rotation (rad) and displacement of the origin (m) in the world.
    pub place: Motion,
    /// Angular velocity, as seen in the axes of the link, and velocity of the origin in them.
    pub twist: Motion,
    /// Acceleration, in the same way.
    pub acceleration: Motion,
}

/// The motion of the parent, in its axes.
pub(super) struct ParentMotion {
    pub omega: Vec3,
    pub velocity: Vec3,
    pub acceleration: Motion,
}

/// All that the changes of a link depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkPoint {
    /// Pose in the parent, and its translation in the axes of the link.
    pub pose: Pose,
    arm: Vec3,
    /// Angular velocity of the parent in the axes of the link, and velocity of the parent at the origin of the link.
    parent_omega: Vec3,
    parent_velocity: Vec3,
    /// Relative twist of the joint.
    twist: Motion,
    /// Acceleration that the parent alone gives the link.
    carried: Motion,
    /// Angular velocity and velocity of the origin.
    pub omega: Vec3,
    pub velocity: Vec3,
    /// Load that the joint exerts on the link.
    pub load: Load,
}

impl Default for LinkPoint {
    fn default() -> Self {
        let (zero, rest) = (Vec3::ZERO, Motion::ZERO);
        Self {
            pose: Pose::IDENTITY,
            arm: zero,
            parent_omega: zero,
            parent_velocity: zero,
            twist: rest,
            carried: rest,
            omega: zero,
            velocity: zero,
            load: Load::ZERO,
        }
    }
}

/// A joint at a state.
pub(super) struct JointPoint<'a> {
    pub joint: &'a Joint,
    pub phi: &'a [Motion],
    pub speeds: &'a [f64],
    pub accelerations: &'a [f64],
}

/// Changes of a joint.
#[derive(Clone, Copy)]
pub(super) struct JointChange<'a> {
    pub step: &'a [f64],
    pub speeds: &'a [f64],
    pub accelerations: &'a [f64],
}

impl LinkPoint {
    pub fn new(
        x: &Pose,
        parent: &ParentMotion,
        twist: Motion,
        omega: Vec3,
        load: Load,
    ) -> LinkPoint {
        let turned = |vector: Vec3| x.rotation.transpose_mul(vector);
        let parent_velocity = turned(parent.velocity + parent.omega.cross(x.translation));
        let Motion { ang, lin } = parent.acceleration;
        LinkPoint {
            pose: *x,
            arm: turned(x.translation),
            parent_omega: turned(parent.omega),
            parent_velocity,
            twist,
            carried: Motion::new(turned(ang), turned(lin + ang.cross(x.translation))),
            omega,
            velocity: parent_velocity + twist.lin,
            load,
        }
    }

    /// Changes of the link, from those of its parent and its joint.
    pub fn vary(&self, at: &JointPoint<'_>, parent: &Variation, of: JointChange<'_>) -> Variation {
        let Motion { ang: p, lin: e } = super::sum(at.phi, of.step);
        let mut twist = super::sum(at.phi, of.speeds);
        let mut acceleration = super::sum(at.phi, of.accelerations)
            + at.joint.vary_bias(at.phi, at.speeds, of.step, of.speeds);
        if !at.joint.has_constant_motion() {
            twist += at.joint.vary_motion(at.phi, of.step, at.speeds);
            acceleration += at.joint.vary_motion(at.phi, of.step, at.accelerations);
        }
        let (x, wp) = (&self.pose, self.parent_omega);
        // A vector field of a rigid motion of the parent, at the origin of the link in its axes.
        let carried = |m: &Motion| {
            let turned = |vector: Vec3| x.rotation.transpose_mul(vector);
            Motion::new(turned(m.ang), turned(m.lin + m.ang.cross(x.translation)))
        };
        let place = carried(&parent.place) + Motion::new(p, e);
        let moved = carried(&parent.twist);
        let turning = moved.ang - p.cross(wp);
        let twist_change = Motion::new(
            turning + twist.ang,
            moved.lin + wp.cross(e) - p.cross(self.parent_velocity) + twist.lin,
        );
        let (from, arm) = (carried(&parent.acceleration), self.arm);
        let swing = turning.cross(wp.cross(arm))
            + wp.cross(turning.cross(arm))
            + wp.cross(wp.cross(e - p.cross(arm)));
        let coriolis = turning.cross(self.twist.lin) + wp.cross(twist.lin);
        let alpha = from.ang - p.cross(self.carried.ang)
            + turning.cross(self.twist.ang)
            + wp.cross(twist.ang);
        let lin = from.lin + self.carried.ang.cross(e) - p.cross(self.carried.lin)
            + swing
            + coriolis * 2.0;
        let acceleration = acceleration + Motion::new(alpha, lin);
        Variation { place, twist: twist_change, acceleration }
    }

    /// The change of the load on the parent by a displacement of the joint alone, as a load on the link.
    pub fn moved_load(&self, step: Motion) -> Load {
        let Load { torque, force } = self.load;
        Load::new(step.ang.cross(torque) + step.lin.cross(force), step.ang.cross(force))
    }
}

/// Change of the load that a link demands, `M x + h`.
pub(super) fn vary_demand(inertia: &RigidInertia, omega: Vec3, of: &Variation) -> Load {
    let (turn, moment) = (of.twist.ang, inertia.first_moment);
    let gyroscopic = Load::new(
        turn.cross(inertia.theta * omega) + omega.cross(inertia.theta * turn),
        turn.cross(omega.cross(moment)) + omega.cross(turn.cross(moment)),
    );
    inertia.mul(&of.acceleration) + gyroscopic
}
