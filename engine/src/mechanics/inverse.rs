//! Inverse dynamics: the joint forces that produce given accelerations, and what joints carry.
//!
//! The recursive Newton-Euler scheme: accelerations away from the root, loads back to it.

use super::spatial::Motion;
use super::tree::Tree;
use super::vector::Vec3;
use super::workspace::Workspace;

/// Generalised joint forces `tau` (N m, N) for the accelerations `vdot` (rad/s^2, m/s^2) under the
/// applied loads. Needs `kinematics::update_state`. Also leaves the loads of the joints.
pub fn inverse_dynamics(tree: &Tree, vdot: &[f64], w: &mut Workspace, tau: &mut [f64]) {
    debug_assert_eq!(vdot.len(), tree.n_v());
    debug_assert_eq!(tau.len(), tree.n_v());
    update_accelerations(tree, vdot, w);
    update_joint_loads(tree, w);
    for (i, link) in tree.links.iter().enumerate().skip(1) {
        for k in link.v_range() {
            tau[k] = w.phi[k].dot(&w.joint_load[i]) + tree.rotor[k] * vdot[k];
        }
    }
}

/// Accelerations of all links from those of the coordinates.
pub fn update_accelerations(tree: &Tree, vdot: &[f64], w: &mut Workspace) {
    w.sweep.acceleration[0] = Motion::new(Vec3::ZERO, -tree.gravity);
    for (i, link) in tree.links.iter().enumerate().skip(1) {
        let x_v = w.sweep.acceleration[link.parent as usize];
        let x = &w.x_parent[i];
        let mut sum = w.bias[i];
        for k in link.v_range() {
            sum += w.phi[k] * vdot[k];
        }
        sum.ang += x.rotation.transpose_mul(x_v.ang);
        sum.lin += x.rotation.transpose_mul(x_v.lin + x_v.ang.cross(x.translation));
        w.sweep.acceleration[i] = sum;
    }
}

/// The load that each joint exerts on its body: `l = M x + h - applied + sum of children`. Needs
/// accelerations of the links from any formulation.
pub fn update_joint_loads(tree: &Tree, w: &mut Workspace) {
    for (i, link) in tree.links.iter().enumerate() {
        let demand = link.inertia.mul(&w.sweep.acceleration[i]) + w.gyroscopic[i];
        w.joint_load[i] = if w.has_applied { demand - w.applied[i] } else { demand };
    }
    for i in (1..tree.links.len()).rev() {
        let carried = w.joint_load[i].transformed(&w.x_parent[i]);
        w.joint_load[tree.links[i].parent as usize] += carried;
    }
}
