//! The bodies in motion: coordinates, speeds, forces, accelerations, and the loads that joints transmit.

use super::loop_states::LoopStates;
use super::{Failure, System};
use mechanics::dense::{self, DenseWorkspace};
use mechanics::forces::law::{BodyLoad, Effect, View};
use mechanics::{Tree, Workspace, inverse, kinematics, loads, recursive};

/// All that changes of the bodies. Vectors have the entries of the tree first, then those of loop joints.
#[derive(educe::Educe)]
#[educe(Clone)]
pub(super) struct BodyStates {
    /// Poses, velocities, loads and factors of the recursion.
    pub workspace: Workspace,
    /// Buffers of the formulation with the mass matrix, if the model asks for it.
    pub dense: Option<DenseWorkspace>,
    /// True if something asks at every evaluation where bodies are in the world.
    needs_world: bool,
    /// Position coordinates.
    pub q: Vec<f64>,
    /// Speeds.
    pub v: Vec<f64>,
    /// Generalised forces of elements, plugins and networks.
    pub tau: Vec<f64>,
    /// Accelerations.
    pub vdot: Vec<f64>,
    /// Forces of locks and drives, with the sign of a force that the freedom exerts on them.
    pub drive: Vec<f64>,
    /// Forces on the freedoms of the tree, with the reactions of couplings.
    tau_reacting: Vec<f64>,
    /// Accelerations of driven coordinates of the tree.
    pub driven: Vec<f64>,
}

impl BodyStates {
    /// Bodies at the beginning of a run.
    pub fn new(system: &System) -> Self {
        let tree = &system.tree;
        let n_v = tree.n_v() + system.constraints.rows.n_v();
        Self {
            workspace: Workspace::new(tree),
            dense: system.dense.then(|| DenseWorkspace::new(tree)),
            needs_world: system.needs_world(),
            q: vec![0.0; tree.n_q() + system.constraints.rows.n_q()],
            v: vec![0.0; n_v],
            tau: vec![0.0; n_v],
            vdot: vec![0.0; n_v],
            drive: vec![0.0; n_v],
            tau_reacting: vec![0.0; tree.n_v()],
            driven: vec![0.0; tree.n_v()],
        }
    }

    /// What laws see of the bodies, at a time and with the values of the time expressions.
    pub fn view<'a>(&'a self, tree: &'a Tree, t: f64, inputs: &'a [f64]) -> View<'a> {
        View {
            tree,
            workspace: &self.workspace,
            t,
            q: &self.q,
            v: &self.v,
            inputs,
            vdot: &self.vdot,
            drive: &self.drive,
        }
    }

    /// Poses and velocities of the bodies of the tree.
    pub fn place(&mut self, tree: &Tree, q: &[f64], v: &[f64]) {
        kinematics::update_state(tree, q, v, &mut self.workspace);
        if self.needs_world {
            self.place_in_world(tree, v);
        }
    }

    /// Poses and velocities in the world, once the bodies are placed.
    pub fn place_in_world(&mut self, tree: &Tree, v: &[f64]) {
        kinematics::update_world_poses(tree, &mut self.workspace);
        kinematics::update_world_velocities(tree, v, &mut self.workspace);
    }

    /// Takes all forces away.
    pub fn clear_forces(&mut self) {
        loads::clear_loads(&mut self.workspace);
        self.tau.fill(0.0);
    }

    /// Adds a force and a torque on a body.
    pub fn add_load(&mut self, load: &BodyLoad) {
        loads::add_load_at(&mut self.workspace, load.body, load.point, &load.load);
    }

    /// Adds what an element does.
    pub fn add_effect(&mut self, effect: &Effect) {
        match effect {
            Effect::None => {}
            Effect::Single(load) => self.add_load(load),
            Effect::Pair(pair) => pair.iter().for_each(|load| self.add_load(load)),
            Effect::Joint { start, count, tau } => {
                let sums = self.tau[*start..start + count].iter_mut();
                sums.zip(tau).for_each(|(sum, tau)| *sum += tau);
            }
        }
    }

    /// Power that an effect delivers to the bodies, W.
    pub fn power(&self, tree: &Tree, effect: &Effect) -> f64 {
        match effect {
            Effect::None => 0.0,
            Effect::Single(load) => self.load_power(tree, load),
            Effect::Pair([a, b]) => self.load_power(tree, a) + self.load_power(tree, b),
            Effect::Joint { start, count, tau } => {
                (0..*count).map(|k| tau[k] * self.v[start + k]).sum()
            }
        }
    }

    /// Power of a force and a torque on a body, W.
    pub fn load_power(&self, tree: &Tree, load: &BodyLoad) -> f64 {
        let origin = kinematics::body_pose(tree, &self.workspace, load.body).translation;
        let twist = kinematics::body_twist(tree, &self.workspace, load.body);
        let velocity = twist.lin + twist.ang.cross(load.point - origin);
        load.load.force.dot(velocity) + load.load.torque.dot(twist.ang)
    }

    /// Accelerations of the freedoms of the tree under the forces applied.
    pub fn accelerate(
        &mut self,
        system: &System,
        loops: Option<&mut LoopStates>,
        t: f64,
    ) -> Result<(), Failure> {
        let (tree, rows) = (&system.tree, &system.constraints.rows);
        let (tau, w) = (&self.tau[..tree.n_v()], &mut self.workspace);
        let vdot = &mut self.vdot[..tree.n_v()];
        let result = match (&mut self.dense, loops) {
            (Some(dense), None) => dense::accelerations(tree, tau, w, dense, vdot),
            (None, None) => recursive::accelerations(tree, tau, w, vdot),
            (None, Some(loops)) if loops.is_near_singular() => {
                loops.expected.fill(t);
                let expected = loops.expected.now();
                loops.workspace.accelerations_near(rows, tree, tau, w, expected, vdot)
            }
            (None, Some(loops)) => loops.workspace.accelerations(tree, tau, w, vdot),
            (Some(dense), Some(loops)) => {
                loops.workspace.accelerations_dense(rows, tree, tau, w, dense, vdot)
            }
        };
        result.map_err(Failure::Dynamics)
    }

    /// The same for other forces in the same position, with the factors of the last call.
    pub fn accelerate_again(
        &mut self,
        system: &System,
        loops: Option<&mut LoopStates>,
        t: f64,
    ) -> Result<(), Failure> {
        if self.dense.is_some() || loops.is_some() {
            return self.accelerate(system, loops, t);
        }
        let n_v = system.tree.n_v();
        let (tau, vdot) = (&self.tau[..n_v], &mut self.vdot[..n_v]);
        recursive::solve(&system.tree, tau, &mut self.workspace, vdot).map_err(Failure::Dynamics)
    }

    /// Loads that joints transmit, from the accelerations. Uses up the applied loads.
    pub fn carry_loads(&mut self, system: &System, loops: Option<&LoopStates>) {
        let (tree, w) = (&system.tree, &mut self.workspace);
        self.tau_reacting.copy_from_slice(&self.tau[..tree.n_v()]);
        if let Some(loops) = loops {
            loops.workspace.add_reactions(&system.constraints.rows, w, &mut self.tau_reacting);
        }
        inverse::update_accelerations(tree, &self.vdot[..tree.n_v()], w);
        inverse::update_joint_loads(tree, w);
    }

    /// Forces of locks and drives, from the loads that joints transmit.
    pub fn fill_drive(&mut self, system: &System, loops: Option<&LoopStates>) {
        let (tree, rows, n_v) = (&system.tree, &system.constraints.rows, system.tree.n_v());
        let (vdot, tau, w) = (&self.vdot[..n_v], &self.tau_reacting, &mut self.workspace);
        inverse::fill_drive_forces(tree, vdot, tau, w, &mut self.drive[..n_v]);
        if let Some(loops) = loops {
            loops.workspace.fill_accelerations(rows, w, &mut self.vdot[n_v..]);
            loops.workspace.fill_held_forces(rows, &mut self.drive[n_v..]);
            for held in &mut self.drive[n_v..] {
                *held = -*held;
            }
        }
    }

    /// Forces on each freedom while nothing accelerates.
    pub fn fill_rest_drive(&mut self, tree: &Tree) {
        self.vdot.fill(0.0);
        let (vdot, tau) = (&self.vdot[..tree.n_v()], &self.tau[..tree.n_v()]);
        inverse::update_accelerations(tree, vdot, &mut self.workspace);
        inverse::update_joint_loads(tree, &mut self.workspace);
        let drive = &mut self.drive[..tree.n_v()];
        inverse::fill_drive_forces(tree, vdot, tau, &self.workspace, drive);
    }
}
