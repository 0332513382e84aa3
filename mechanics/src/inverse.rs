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

/// Accelerations of all links from the accelerations of the coordinates.
pub fn update_accelerations(tree: &Tree, vdot: &[f64], w: &mut Workspace) {
    w.sweep.acceleration[0] = Motion::new(Vec3::ZERO, -tree.gravity);
    for (i, link) in tree.links.iter().enumerate().skip(1) {
        let x_v = w.sweep.acceleration[link.parent as usize];
        let x = &w.x_parent[i];
        // The order of the additions is that of the recursive formulation: the same `vdot` gives
        // the same accelerations of the links.
        let mut sum = Motion::new(
            x.rotation.transpose_mul(x_v.ang),
            x.rotation.transpose_mul(x_v.lin + x_v.ang.cross(x.translation)),
        );
        for k in link.v_range().rev() {
            sum += w.phi[k] * vdot[k];
        }
        sum += w.bias[i];
        w.sweep.acceleration[i] = sum;
    }
}

/// Force on each freedom beyond the force that its acceleration takes (N m, N): the force that the lock holds for a locked
/// freedom, zero up to rounding for other freedoms. Needs `update_joint_loads`.
pub fn fill_drive_forces(tree: &Tree, vdot: &[f64], tau: &[f64], w: &Workspace, drive: &mut [f64]) {
    for (i, link) in tree.links.iter().enumerate().skip(1) {
        for k in link.v_range() {
            drive[k] = tau[k] - w.phi[k].dot(&w.joint_load[i]) - tree.rotor[k] * vdot[k];
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joints::Geometry;
    use crate::joints::revolute::RevoluteAxis;
    use crate::vector::{Sym3, vec3};
    use crate::{BodyId, BodySpec, Load, Pose, TreeBuilder, kinematics, loads};

    /// A horizontal arm of 2 kg with its centre 0.5 m from the pivot, welded to it a tip of 1 kg
    /// at 1.5 m.
    fn arm() -> (Tree, BodyId, BodyId) {
        let mut builder = TreeBuilder::new(vec3(0.0, 0.0, -10.0)).unwrap();
        let axis = RevoluteAxis { axis: Vec3::Y, point: Vec3::ZERO };
        let arm = BodySpec {
            mass: 2.0,
            inertia: Sym3::diagonal(0.1, 0.1, 0.1),
            cg: Pose::from_translation(vec3(0.5, 0.0, 0.0)),
            ..BodySpec::new(BodyId::WORLD, Geometry::Revolute(axis))
        };
        let first = builder.add_body(&arm).unwrap();
        let tip = BodySpec {
            t0: Pose::from_translation(vec3(1.0, 0.0, 0.0)),
            mass: 1.0,
            cg: Pose::from_translation(vec3(0.5, 0.0, 0.0)),
            ..BodySpec::new(first, Geometry::Bracket)
        };
        let second = builder.add_body(&tip).unwrap();
        (builder.build(), first, second)
    }

    #[test]
    fn a_held_arm_needs_its_weight_at_the_pivot_and_at_the_weld() {
        let (tree, first, second) = arm();
        let mut w = Workspace::new(&tree);
        kinematics::update_state(&tree, &[0.0], &[0.0], &mut w);
        kinematics::update_world_poses(&tree, &mut w);
        let mut tau = [0.0];
        inverse_dynamics(&tree, &[0.0], &mut w, &mut tau);
        // Lifting turns against +y: 2 kg at 0.5 m and 1 kg at 1.5 m.
        assert!((tau[0] + 10.0 * (2.0 * 0.5 + 1.5)).abs() < 1e-14);
        let pivot = kinematics::joint_reaction(&tree, &w, first);
        assert!((pivot.force - vec3(0.0, 0.0, 30.0)).max_abs() < 1e-14);
        assert!((pivot.torque - vec3(0.0, tau[0], 0.0)).max_abs() < 1e-14);
        let weld = kinematics::joint_reaction(&tree, &w, second);
        assert!((weld.force - vec3(0.0, 0.0, 10.0)).max_abs() < 1e-14);
        assert!((weld.torque - vec3(0.0, -5.0, 0.0)).max_abs() < 1e-14);
    }

    #[test]
    fn a_load_carries_the_same_in_world_and_in_body_axes() {
        let (tree, _, second) = arm();
        let (q, load) = ([0.7], Load::new(vec3(0.1, 0.2, 0.3), vec3(1.0, 2.0, 3.0)));
        let mut w = Workspace::new(&tree);
        kinematics::update_state(&tree, &q, &[0.4], &mut w);
        kinematics::update_world_poses(&tree, &mut w);
        let (mut in_world, mut in_body) = ([0.0], [0.0]);
        let x = kinematics::body_pose(&tree, &w, second);
        let turned = Load::new(x.rotation * load.torque, x.rotation * load.force);
        loads::add_load_at(&mut w, second, x.translation, &turned);
        inverse_dynamics(&tree, &[0.0], &mut w, &mut in_world);
        loads::clear_loads(&mut w);
        loads::add_body_load(&tree, &mut w, second, &load);
        inverse_dynamics(&tree, &[0.0], &mut w, &mut in_body);
        assert!((in_world[0] - in_body[0]).abs() < 1e-13);
    }

    #[test]
    fn a_spinning_arm_pulls_on_its_pivot() {
        let (tree, first, _) = arm();
        let mut w = Workspace::new(&tree);
        kinematics::update_state(&tree, &[0.0], &[3.0], &mut w);
        kinematics::update_world_poses(&tree, &mut w);
        inverse_dynamics(&tree, &[0.0], &mut w, &mut [0.0]);
        // m r w^2 towards the pivot.
        let pull = kinematics::joint_reaction(&tree, &w, first).force.x;
        assert!((pull + 9.0 * (2.0 * 0.5 + 1.5)).abs() < 1e-13);
    }
}
