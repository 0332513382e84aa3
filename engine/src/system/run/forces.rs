//! Forces of all elements, and the accelerations that follow from them.

use super::{Failure, Run};
use mechanics::forces::law::{BodyLoad, Effect};
use mechanics::{dense, kinematics, loads, recursive};

impl Run<'_> {
    /// Adds the effects of all elements up, and of the networks what follows without accelerations.
    pub(super) fn apply_forces(&mut self) -> Result<(), Failure> {
        self.apply_elements()?;
        self.apply_ports(true);
        Ok(())
    }

    /// Adds the effects of all elements up.
    pub(super) fn apply_elements(&mut self) -> Result<(), Failure> {
        loads::clear_loads(&mut self.now.workspace);
        self.now.tau.fill(0.0);
        for index in 0..self.system.elements.len() {
            let element = &self.system.elements[index];
            if self.now.follows_sides {
                self.now.modes[index] =
                    element.law.mode_now(&self.view(), self.frozen(index, element));
            }
            let effect = element
                .law
                .act(&self.view(), self.frozen(index, element))
                .map_err(|reason| Failure::Element(element.block, reason.0))?;
            self.now.powers[index] = self.power(&effect);
            self.now.effects[index] = effect;
            match effect {
                Effect::None => {}
                Effect::Single(load) => self.add(&load),
                Effect::Pair(pair) => pair.iter().for_each(|load| self.add(load)),
                Effect::Joint { start, count, tau } => {
                    self.now.tau[start..start + count]
                        .iter_mut()
                        .zip(tau)
                        .for_each(|(sum, tau)| *sum += tau);
                }
            }
        }
        self.apply_plugins()?;
        if let Some(loops) = &self.now.loops {
            let (rows, n_v) = (&self.system.constraints.rows, self.system.tree.n_v());
            loops.workspace.add_forces(rows, &self.now.tau[n_v..], &mut self.now.workspace);
        }
        Ok(())
    }

    pub(super) fn add(&mut self, load: &BodyLoad) {
        loads::add_load_at(&mut self.now.workspace, load.body, load.point, &load.load);
    }

    /// Power that an effect delivers to the bodies, W.
    pub(super) fn power(&self, effect: &Effect) -> f64 {
        match effect {
            Effect::None => 0.0,
            Effect::Single(load) => self.load_power(load),
            Effect::Pair([a, b]) => self.load_power(a) + self.load_power(b),
            Effect::Joint { start, count, tau } => {
                (0..*count).map(|k| tau[k] * self.now.v[start + k]).sum()
            }
        }
    }

    pub(super) fn load_power(&self, load: &BodyLoad) -> f64 {
        let (tree, w) = (&self.system.tree, &self.now.workspace);
        let origin = kinematics::body_pose(tree, w, load.body).translation;
        let twist = kinematics::body_twist(tree, w, load.body);
        let velocity = twist.lin + twist.ang.cross(load.point - origin);
        load.load.force.dot(velocity) + load.load.torque.dot(twist.ang)
    }

    /// The same for other forces in the same position, with the factors that are there.
    pub(super) fn accelerate_again(&mut self) -> Result<(), Failure> {
        let tree = &self.system.tree;
        let (tau, w) = (&self.now.tau[..tree.n_v()], &mut self.now.workspace);
        let vdot = &mut self.now.vdot[..tree.n_v()];
        match (&self.now.dense, &self.now.loops) {
            (None, None) => recursive::solve(tree, tau, w, vdot).map_err(Failure::Dynamics),
            _ => self.accelerate_freely(),
        }
    }

    /// Accelerations of the coordinates under the forces applied.
    pub(super) fn accelerate_freely(&mut self) -> Result<(), Failure> {
        let tree = &self.system.tree;
        let (tau, w) = (&self.now.tau[..tree.n_v()], &mut self.now.workspace);
        let vdot = &mut self.now.vdot[..tree.n_v()];
        let result = match (&mut self.now.dense, &mut self.now.loops) {
            (Some(dense), None) => dense::accelerations(tree, tau, w, dense, vdot),
            (None, None) => recursive::accelerations(tree, tau, w, vdot),
            (None, Some(loops)) if loops.is_near_singular() => {
                let rows = &self.system.constraints.rows;
                loops.expected.fill(self.now.t);
                let expected = loops.expected.now();
                loops.workspace.accelerations_near(rows, tree, tau, w, expected, vdot)
            }
            (None, Some(loops)) => loops.workspace.accelerations(tree, tau, w, vdot),
            (Some(dense), Some(loops)) => {
                let rows = &self.system.constraints.rows;
                loops.workspace.accelerations_dense(rows, tree, tau, w, dense, vdot)
            }
        };
        result.map_err(Failure::Dynamics)
    }
}
