//! Positions, velocities and accelerations along the tree.
//!
//! With `E` and `d` the rotation and position of a link in its parent V, the columns `phi` of the
//! joint and its bias `b` (all in link axes, see `joints`), and `wp = E^T w_V`:
//!
//! ```text
//! w     = wp + phi_w v
//! alpha = E^T alpha_V + phi_w vdot + c_w      c_w = wp x (phi_w v) + b_w
//! a     = E^T (a_V + alpha_V x d) + phi_v vdot + c_v
//!         c_v = E^T (w_V x (w_V x d)) + 2 wp x (phi_v v) + b_v
//! ```
//!
//! No linear velocity enters: the equations do not notice a common translation.

use super::ids::BodyId;
use super::joints::SweepForm;
use super::spatial::{Load, Motion, Pose};
use super::tree::{Link, Tree};
use super::vector::{Vec3, vec3};
use super::workspace::Workspace;

/// Relative poses and motion subspaces of the coordinates `q` (rad, m).
pub fn update_positions(tree: &Tree, q: &[f64], w: &mut Workspace) {
    debug_assert_eq!(q.len(), tree.n_q());
    for (i, link) in tree.links.iter().enumerate().skip(1) {
        let base = &link.base;
        w.x_parent[i] = match link.form {
            SweepForm::Revolute | SweepForm::Driven => {
                let turned = base.rotation.times_rotation_z(q[link.q_start as usize]);
                Pose::new(turned, base.translation)
            }
            SweepForm::Spherical => {
                let turn = link.joint.transform(&q[link.q_range()]).rotation;
                Pose::new(base.rotation * turn, base.translation)
            }
            SweepForm::Prismatic => {
                let shift = base.rotation.column(2) * q[link.q_start as usize];
                Pose::new(base.rotation, base.translation + shift)
            }
            SweepForm::Free | SweepForm::General => {
                let q = &q[link.q_range()];
                let x = link.joint.transform(q);
                if !link.joint.has_constant_motion() {
                    link.joint.fill_motion(q, &x, &mut w.phi[link.v_range()]);
                }
                *base * x
            }
        };
    }
}

/// Angular velocities, bias accelerations and gyroscopic loads of the speeds `v` (rad/s, m/s).
/// Needs `update_positions`.
pub fn update_velocities(tree: &Tree, v: &[f64], w: &mut Workspace) {
    debug_assert_eq!(v.len(), tree.n_v());
    for (i, link) in tree.links.iter().enumerate().skip(1) {
        let omega_v = w.omega[link.parent as usize];
        let x = &w.x_parent[i];
        let wp = x.rotation.transpose_mul(omega_v);
        let swing = omega_v.cross(omega_v.cross(x.translation));
        let centripetal = x.rotation.transpose_mul(swing);
        let (omega, bias) = match link.form {
            SweepForm::Revolute | SweepForm::Driven => {
                let s = v[link.v_start as usize];
                let turning = vec3(wp.y * s, -wp.x * s, 0.0);
                (vec3(wp.x, wp.y, wp.z + s), Motion::new(turning, centripetal))
            }
            SweepForm::Spherical => {
                let start = link.v_start as usize;
                let s = vec3(v[start], v[start + 1], v[start + 2]);
                (wp + s, Motion::new(wp.cross(s), centripetal))
            }
            SweepForm::Prismatic => {
                let s = v[link.v_start as usize];
                // Coriolis: 2 wp x z v.
                let sideways = vec3(2.0 * wp.y * s, -2.0 * wp.x * s, 0.0);
                (wp, Motion::new(Vec3::ZERO, centripetal + sideways))
            }
            SweepForm::Free | SweepForm::General => {
                let rel = relative_twist(link, v, w);
                let vs = link.v_range();
                let b = link.joint.bias(&w.phi[vs.clone()], &v[vs]);
                let bias = Motion::new(
                    wp.cross(rel.ang) + b.ang,
                    centripetal + wp.cross(rel.lin) * 2.0 + b.lin,
                );
                (wp + rel.ang, bias)
            }
        };
        w.omega[i] = omega;
        w.bias[i] = bias;
        w.gyroscopic[i] = link.inertia.gyroscopic(omega);
    }
}

/// `update_positions` and `update_velocities`.
pub fn update_state(tree: &Tree, q: &[f64], v: &[f64], w: &mut Workspace) {
    update_positions(tree, q, w);
    update_velocities(tree, v, w);
}

/// Poses of all links in the world. Needs `update_positions`.
pub fn update_world_poses(tree: &Tree, w: &mut Workspace) {
    for (i, link) in tree.links.iter().enumerate().skip(1) {
        w.x_world[i] = w.x_world[link.parent as usize] * w.x_parent[i];
    }
}

/// Twists of all links in world axes. Needs `update_velocities` and `update_world_poses`.
pub fn update_world_velocities(tree: &Tree, v: &[f64], w: &mut Workspace) {
    for (i, link) in tree.links.iter().enumerate().skip(1) {
        let p = link.parent as usize;
        let (x, y_v) = (&w.x_world[i], &w.twist_world[p]);
        let arm = x.translation - w.x_world[p].translation;
        let shift = x.rotation * relative_twist(link, v, w).lin;
        w.twist_world[i] =
            Motion::new(x.rotation * w.omega[i], y_v.lin + y_v.ang.cross(arm) + shift);
    }
}

/// `update_world_poses` and `update_world_velocities`.
pub fn update_world(tree: &Tree, v: &[f64], w: &mut Workspace) {
    update_world_poses(tree, w);
    update_world_velocities(tree, v, w);
}

/// Pose of the body frame in the world. Needs `update_world_poses`.
#[inline]
pub fn body_pose(tree: &Tree, w: &Workspace, body: BodyId) -> Pose {
    w.x_world[body.index()] * tree.frames[body.index()].body
}

/// Twist of the body frame at its origin, world axes (rad/s, m/s). Needs
/// `update_world_velocities`.
#[inline]
pub fn body_twist(tree: &Tree, w: &Workspace, body: BodyId) -> Motion {
    let i = body.index();
    let y = &w.twist_world[i];
    let arm = w.x_world[i].rotation * tree.frames[i].body.translation;
    Motion::new(y.ang, y.lin + y.ang.cross(arm))
}

/// Twist of the link of a body at its origin, in link axes. Needs `update_world_velocities`.
#[inline]
pub(super) fn local_twist(w: &Workspace, body: BodyId) -> Motion {
    let (r, twist) = (&w.x_world[body.index()].rotation, &w.twist_world[body.index()]);
    Motion::new(r.transpose_mul(twist.ang), r.transpose_mul(twist.lin))
}

/// Angular acceleration (rad/s^2) and acceleration of the origin (m/s^2) of the body frame, world
/// axes. Needs `update_world_velocities` and accelerations by any formulation.
#[inline]
pub fn body_acceleration(tree: &Tree, w: &Workspace, body: BodyId) -> Motion {
    let i = body.index();
    let (r, x) = (&w.x_world[i].rotation, &w.sweep.acceleration[i]);
    let omega = w.twist_world[i].ang;
    let arm = r * tree.frames[i].body.translation;
    let alpha = r * x.ang;
    // The sweeps replace gravity by an upward acceleration of the world.
    let origin = r * x.lin + tree.gravity;
    Motion::new(alpha, origin + alpha.cross(arm) + omega.cross(omega.cross(arm)))
}

/// Load that the joint of a body exerts on it, about the origin of T1 in world axes (N m, N).
/// Needs `inverse::update_joint_loads` and `update_world_poses`.
#[inline]
pub fn joint_reaction(tree: &Tree, w: &Workspace, body: BodyId) -> Load {
    let i = body.index();
    let r = &w.x_world[i].rotation;
    let l = &w.joint_load[i];
    let arm = tree.frames[i].t1.translation;
    Load::new(r * (l.torque - arm.cross(l.force)), r * l.force)
}

/// Gives a locked freedom `v` of a body's joint an acceleration (rad/s^2, m/s^2) by way of the bias, and returns what
/// that was. After `update_velocities`.
#[inline]
pub fn add_acceleration(w: &mut Workspace, body: BodyId, v: usize, acceleration: f64) -> Motion {
    let with = w.bias[body.index()] + w.phi[v] * acceleration;
    set_bias(w, body, with)
}

/// Gives the link of a body another bias, and returns what that was.
#[inline]
pub fn set_bias(w: &mut Workspace, body: BodyId, bias: Motion) -> Motion {
    std::mem::replace(&mut w.bias[body.index()], bias)
}

/// Twist of a link relative to its parent, in link axes.
#[inline(always)]
fn relative_twist(link: &Link, v: &[f64], w: &Workspace) -> Motion {
    let range = link.v_range();
    let mut sum = Motion::ZERO;
    for (phi, &s) in w.phi[range.clone()].iter().zip(&v[range]) {
        sum += *phi * s;
    }
    sum
}
