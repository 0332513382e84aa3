//! Forces on loop joints, reactions of the rows, and the work of both on the freedoms of the tree.

use super::row_matrix::add_full_jacobian;
use super::{Constraint, ConstraintId, Constraints, LoopWorkspace};
use crate::spatial::{Load, Motion};
use crate::tree::Tree;
use crate::workspace::Workspace;

impl LoopWorkspace {
    /// The joint that owns a freedom of the loop joints, and its number there.
    fn owner<'c>(
        &self,
        constraints: &'c Constraints,
        freedom: usize,
    ) -> Option<(&'c super::LoopJoint, usize)> {
        constraints.elements.iter().find_map(|element| match element {
            Constraint::Joint(joint) if joint.v_range().contains(&freedom) => {
                Some((joint, freedom - joint.v_range().start))
            }
            _ => None,
        })
    }

    /// A unit force on a freedom of a loop joint, as loads on its two links in their axes.
    pub fn freedom_loads(&self, constraints: &Constraints, freedom: usize) -> [(usize, Load); 2] {
        let Some((joint, k)) = self.owner(constraints, freedom) else {
            return [(0, Load::ZERO); 2];
        };
        let [to, from] = joint.links();
        let [on_to, on_from] = self.joints[joint.number()].free_loads[k];
        [(to as usize, on_to), (from as usize, on_from)]
    }

    /// Acceleration of a freedom of a loop joint in a response with these accelerations of the links.
    pub fn freedom_response(&self, constraints: &Constraints, freedom: usize, x: &[Motion]) -> f64 {
        let loads = self.freedom_loads(constraints, freedom);
        loads.iter().map(|(link, load)| x[*link].dot(load)).sum()
    }

    /// Adds forces on the freedoms of the loop joints to the applied loads.
    pub fn add_forces(&self, constraints: &Constraints, tau: &[f64], w: &mut Workspace) {
        for element in &constraints.elements {
            let Constraint::Joint(joint) = element else { continue };
            for (k, &tau) in tau[joint.v_range()].iter().enumerate().filter(|(_, t)| **t != 0.0) {
                for (link, load) in
                    joint.links().iter().zip(self.joints[joint.number()].free_loads[k])
                {
                    w.applied[*link as usize] += load * tau;
                    w.has_applied = true;
                }
            }
        }
    }

    /// Adds what the multipliers do to the applied loads and to the joint forces of the tree, so that the
    /// inverse dynamics of the tree gives what its joints carry.
    pub fn add_reactions(&self, constraints: &Constraints, w: &mut Workspace, tau: &mut [f64]) {
        for (row, &lambda) in constraints.rows.iter().zip(&self.multipliers) {
            if lambda == 0.0 {
                continue;
            }
            for load in row.loads.clone() {
                let link = constraints.load_links[load as usize] as usize;
                w.applied[link] += self.loads[load as usize] * lambda;
                w.has_applied = true;
            }
            for direct in row.directs.clone() {
                let (_, v) = constraints.direct_links[direct as usize];
                tau[v as usize] += self.coefficients[direct as usize] * lambda;
            }
        }
    }

    /// Accelerations of the coordinates of the loop joints. Needs accelerations of the links.
    pub fn fill_accelerations(&self, constraints: &Constraints, w: &Workspace, vdot: &mut [f64]) {
        for element in &constraints.elements {
            if let Constraint::Joint(joint) = element {
                let state = &self.joints[joint.number()];
                joint.fill_accelerations(state, &w.sweep.acceleration, &mut vdot[joint.v_range()]);
            }
        }
    }

    /// The forces that hold freedoms of loop joints: the multipliers of their rows, zero for free ones.
    pub fn fill_held_forces(&self, constraints: &Constraints, held: &mut [f64]) {
        held.fill(0.0);
        for (row, &lambda) in constraints.rows.iter().zip(&self.multipliers) {
            if let Some(freedom) = row.holds {
                held[freedom as usize] = lambda;
            }
        }
    }

    /// The load that a loop joint exerts on the body of T1, about the origin of T1 in world axes, with
    /// `tau` the forces on the freedoms of all loop joints.
    pub fn joint_reaction(&self, constraints: &Constraints, id: ConstraintId, tau: &[f64]) -> Load {
        let Constraint::Joint(joint) = &constraints.elements[id.index()] else { return Load::ZERO };
        let state = &self.joints[joint.number()];
        let locked = joint.joint().n_locked();
        let mut sum = Load::ZERO;
        for (k, row) in constraints.rows_of(id).enumerate() {
            let load =
                if k < locked { state.bases.locked[k] } else { state.bases.free[k - locked] };
            sum += load * self.multipliers[row];
        }
        for (k, &tau) in tau[joint.v_range()].iter().enumerate() {
            sum += state.bases.free[k] * tau;
        }
        joint.at_t1(state, &sum)
    }

    /// Moves what a driven coordinate of the tree contributes to couplings to what they demand of the others:
    /// `sum j vdot = gamma` with a known acceleration of `freedom`. Needs `update_velocities`.
    pub fn demand_of_driven(&mut self, constraints: &Constraints, freedom: usize, vdot: f64) {
        for (row, gamma) in constraints.rows.iter().zip(&mut self.gamma) {
            for direct in row.directs.clone() {
                let (_, v) = constraints.direct_links[direct as usize];
                if v as usize == freedom {
                    *gamma -= self.coefficients[direct as usize] * vdot;
                }
            }
        }
    }

    /// A row of the matrix that takes the speeds of the tree to the rate of a constraint, locked freedoms
    /// included. Needs `update_positions`.
    pub fn fill_jacobian(
        &self,
        constraints: &Constraints,
        tree: &Tree,
        w: &Workspace,
        row: usize,
        out: &mut [f64],
    ) {
        out.fill(0.0);
        let row = &constraints.rows[row];
        for load in row.loads.clone() {
            let link = constraints.load_links[load as usize] as usize;
            add_full_jacobian(tree, w, link, self.loads[load as usize], out);
        }
        for direct in row.directs.clone() {
            let (_, v) = constraints.direct_links[direct as usize];
            out[v as usize] += self.coefficients[direct as usize];
        }
    }
}
