//! Applied loads on bodies: gathered here by force elements, read by all formulations.

use super::ids::BodyId;
use super::kinematics;
use super::spatial::Load;
use super::tree::Tree;
use super::vector::Vec3;
use super::workspace::Workspace;

/// Removes all applied loads.
pub fn clear_loads(w: &mut Workspace) {
    if w.has_applied {
        w.applied.fill(Load::ZERO);
        w.has_applied = false;
    }
}

/// Adds a force (N) at a point (m) and a torque (N m), all in world axes, to a body. Needs
/// `kinematics::update_world_poses`. Loads on the world are taken and have no effect.
#[inline]
pub fn add_load_at(w: &mut Workspace, body: BodyId, point: Vec3, load: &Load) {
    let local = about_link(w, body, point, load);
    w.applied[body.index()] += local;
    w.has_applied = true;
}

/// A load at a world point in world axes as one about the origin of the link of a body, in link axes.
#[inline]
pub(super) fn about_link(w: &Workspace, body: BodyId, point: Vec3, load: &Load) -> Load {
    let x = &w.x_world[body.index()];
    let arm = point - x.translation;
    let force = x.rotation.transpose_mul(load.force);
    let torque = x.rotation.transpose_mul(load.torque + arm.cross(load.force));
    Load::new(torque, force)
}

/// Adds a load in the axes of the body about the origin of the body frame.
#[inline]
pub fn add_body_load(tree: &Tree, w: &mut Workspace, body: BodyId, load: &Load) {
    let i = body.index();
    w.applied[i] += load.transformed(&tree.frames[i].body);
    w.has_applied = true;
}

/// Power of the applied loads (W). Needs `kinematics::update_world_velocities`.
pub fn applied_power(w: &Workspace) -> f64 {
    if !w.has_applied {
        return 0.0;
    }
    let mut power = 0.0;
    for (i, load) in w.applied.iter().enumerate() {
        power += kinematics::local_twist(w, BodyId::from_index(i)).dot(load);
    }
    power
}
