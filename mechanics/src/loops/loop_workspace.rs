//! The numbers of the constraints that change with every evaluation.

use super::kept_rows::{Candidates, Columns, KeptRows};
use super::loop_numbers::{ElementRows, HeldMotion, JointState, LoopCoordinates};
use super::recursion as loops;
use super::row_matrix::{ConstrainedTree, DenseLoops};
use super::{Constraint, ConstraintRow, Constraints};
use crate::dense::DenseWorkspace;
use crate::error::EvalError;
use crate::recursive::check_finite;
use crate::spatial::{Load, Pose};
use crate::tree::Tree;
use crate::workspace::Workspace;

/// The state of a freedom of a loop joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The freedom moves freely.
    Free,
    /// The freedom rests where it is.
    Rest,
    /// The freedom follows its target.
    Target,
}

/// Buffers of the constraints of one tree.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct LoopWorkspace {
    pub(super) joints: Vec<JointState>,
    /// Coordinates of the loop joints.
    pub q: Vec<f64>,
    /// Speeds of the loop joints.
    pub v: Vec<f64>,
    /// Coordinates of the loop joints at the last accepted state: angles of the next state lie within half a turn.
    pub last: Vec<f64>,
    /// Target coordinates of freedoms that follow a target.
    pub target_q: Vec<f64>,
    /// Target speeds of the same freedoms.
    pub target_v: Vec<f64>,
    /// Target accelerations of the same freedoms.
    pub target_a: Vec<f64>,
    pub(super) loads: Vec<Load>,
    pub(super) coefficients: Vec<f64>,
    /// Gap of each row at the present position (m, rad).
    pub gap: Vec<f64>,
    /// Rate of the gap of each row at the present speeds (m/s, rad/s).
    pub rate: Vec<f64>,
    pub(super) gamma: Vec<f64>,
    /// Multipliers of the last accelerations, by row (N, N m).
    pub multipliers: Vec<f64>,
    holds: Vec<Hold>,
    /// The rows that the equations of motion keep.
    pub(super) kept: KeptRows,
    /// Changes of the rows that a correction demands, by row.
    pub(super) wanted: Vec<f64>,
    /// Changes of accelerations.
    pub(super) change: Vec<f64>,
    dense: DenseLoops,
}

impl LoopWorkspace {
    /// Buffers for the constraints of a tree. `select_rows` comes next, at a state.
    pub fn new(constraints: &Constraints) -> Self {
        let (n_rows, n_v) = (constraints.rows.len(), constraints.n_v);
        let mut home = vec![0.0; constraints.n_q];
        let mut joints = Vec::new();
        for element in &constraints.elements {
            if let Constraint::Joint(joint) = element {
                joint.joint().fill_home(&mut home[joint.q_range()]);
                joints.push(JointState::default());
            }
        }
        Self {
            joints,
            q: home.clone(),
            v: vec![0.0; n_v],
            last: home.clone(),
            target_q: home,
            target_v: vec![0.0; n_v],
            target_a: vec![0.0; n_v],
            loads: vec![Load::ZERO; constraints.load_links.len()],
            coefficients: vec![0.0; constraints.direct_links.len()],
            gap: vec![0.0; n_rows],
            rate: vec![0.0; n_rows],
            gamma: vec![0.0; n_rows],
            multipliers: vec![0.0; n_rows],
            holds: vec![Hold::Free; n_v],
            kept: KeptRows::new(n_rows),
            wanted: vec![0.0; n_rows],
            change: Vec::new(),
            dense: DenseLoops::default(),
        }
    }

    /// Holds or frees a freedom of a loop joint; true if that is a change. `select_rows` must follow then.
    #[inline]
    pub fn hold(&mut self, freedom: usize, hold: Hold) -> bool {
        std::mem::replace(&mut self.holds[freedom], hold) != hold
    }

    #[inline]
    pub(super) fn in_force(&self, row: &ConstraintRow) -> bool {
        row.holds.is_none_or(|freedom| self.holds[freedom as usize] != Hold::Free)
    }

    /// Whether a row is in force at present.
    #[inline]
    pub fn is_in_force(&self, constraints: &Constraints, row: usize) -> bool {
        self.in_force(&constraints.rows[row])
    }

    /// Whether the equations of motion keep a row. A row that is not kept is not in force or depends on other rows.
    #[inline]
    pub fn is_selected(&self, row: usize) -> bool {
        self.kept.is_kept(row)
    }

    /// Number of rows that the equations of motion keep.
    #[inline]
    pub fn n_selected(&self) -> usize {
        self.kept.rows().len()
    }

    /// Loads and gaps of all rows and the coordinates of loop joints, for the coordinates `q` of the tree.
    /// Needs `kinematics::update_world_poses`.
    pub fn update_positions(&mut self, constraints: &Constraints, w: &Workspace, q: &[f64]) {
        self.update(constraints, w, q, false);
    }

    /// Updates the rows as far as accelerations need it: no gaps, no rows that are left out, and coordinates only of loop
    /// joints whose motion subspace depends on them. Needs one `update_positions` before.
    pub fn update_loads(&mut self, constraints: &Constraints, w: &Workspace, q: &[f64]) {
        self.update(constraints, w, q, true);
    }

    /// Updates all rows, or with `lean` only the parts that accelerations need.
    fn update(&mut self, constraints: &Constraints, w: &Workspace, q: &[f64], lean: bool) {
        for (element, range) in constraints.elements.iter().zip(&constraints.element_rows) {
            // A joint without rows ties nothing, but has coordinates, which springs and results need.
            if range.is_empty() {
                if let Constraint::Joint(joint) = element {
                    self.place_free(joint, w);
                }
                continue;
            }
            let (first, last) = (&constraints.rows[range.start], &constraints.rows[range.end - 1]);
            let loads = first.loads.start as usize..last.loads.end as usize;
            let directs = first.directs.start as usize..last.directs.end as usize;
            let mut rows = ElementRows {
                loads: &mut self.loads[loads],
                gap: &mut self.gap[range.clone()],
                rate: &mut self.rate[range.clone()],
                gamma: &mut self.gamma[range.clone()],
            };
            match element {
                Constraint::Joint(joint) if lean && joint.has_constant_motion() => {
                    let selected = &self.kept.mask()[range.clone()];
                    let state = &mut self.joints[joint.number()];
                    joint.update_loads(w, state, &mut rows, |k| selected[k]);
                }
                Constraint::Joint(joint) => {
                    let at = joint.q_range();
                    let (last, target) = (&self.last[at.clone()], &self.target_q[at.clone()]);
                    let coordinates = LoopCoordinates { q: &mut self.q[at], last, target };
                    let state = &mut self.joints[joint.number()];
                    joint.update_positions(w, state, coordinates, &mut rows);
                    // A freedom at rest has no target, so its row has no gap.
                    for (row, gap) in constraints.rows[range.clone()].iter().zip(rows.gap) {
                        let held = row.holds.map(|freedom| self.holds[freedom as usize]);
                        if held.is_some_and(|hold| hold != Hold::Target) {
                            *gap = 0.0;
                        }
                    }
                }
                Constraint::Rod(rod) => rod.update_positions(w, &mut rows),
                Constraint::Rolling(rolling) => rolling.update_positions(w, &mut rows),
                Constraint::Coupling(coupling) => {
                    let coefficients = &mut self.coefficients[directs];
                    coupling.update_positions(q, &self.q, &self.joints, coefficients, &mut rows);
                }
            }
        }
    }

    /// Updates the coordinates of a joint of six freedoms, which has no rows.
    fn place_free(&mut self, joint: &super::LoopJoint, w: &Workspace) {
        let at = joint.q_range();
        let (last, target) = (&self.last[at.clone()], &self.target_q[at.clone()]);
        let state = &mut self.joints[joint.number()];
        let mut rows = ElementRows { loads: &mut [], gap: &mut [], rate: &mut [], gamma: &mut [] };
        let coordinates = LoopCoordinates { q: &mut self.q[at], last, target };
        joint.update_positions(w, state, coordinates, &mut rows);
    }

    /// Rates and demands of all rows and the speeds of loop joints, for the speeds `v` of the tree. Needs
    /// `update_positions` and `kinematics::update_world_velocities`.
    pub fn update_velocities(&mut self, constraints: &Constraints, w: &Workspace, v: &[f64]) {
        self.update_rates(constraints, w, v, false);
    }

    /// Updates rates and demands of the rows that are kept: all that accelerations need after `update_loads`.
    pub fn update_demands(&mut self, constraints: &Constraints, w: &Workspace, v: &[f64]) {
        self.update_rates(constraints, w, v, true);
    }

    fn update_rates(&mut self, constraints: &Constraints, w: &Workspace, v: &[f64], lean: bool) {
        for (element, range) in constraints.elements.iter().zip(&constraints.element_rows) {
            let mut rows = ElementRows {
                loads: &mut [],
                gap: &mut self.gap[range.clone()],
                rate: &mut self.rate[range.clone()],
                gamma: &mut self.gamma[range.clone()],
            };
            match element {
                Constraint::Joint(joint) => {
                    let at = joint.v_range();
                    let held = HeldMotion {
                        speeds: &self.target_v[at.clone()],
                        accelerations: &self.target_a[at.clone()],
                    };
                    let state = &mut self.joints[joint.number()];
                    let selected = &self.kept.mask()[range.clone()];
                    let pick = |k: usize| !lean || selected[k];
                    joint.update_velocities(w, state, &mut self.v[at], &held, &mut rows, pick);
                }
                Constraint::Rod(rod) => rod.update_velocities(w, &mut rows),
                Constraint::Rolling(rolling) => rolling.update_velocities(w, &mut rows),
                Constraint::Coupling(coupling) => {
                    coupling.update_velocities(v, &self.v, &self.joints, &mut rows);
                }
            }
        }
    }

    /// Finds rows in force that are independent of each other, as many as there are and as far from dependence as a few trials
    /// give. The equations of motion keep these rows from now on; true if they kept other rows before. Needs
    /// `update_positions`. Allocates.
    pub fn select_rows(
        &mut self,
        constraints: &Constraints,
        tree: &Tree,
        w: &mut Workspace,
    ) -> Result<bool, EvalError> {
        let candidates = self.candidates(constraints, tree);
        self.change.resize(tree.n_v(), 0.0);
        self.kept.select(&candidates, &Columns::of(&self.loads, &self.coefficients), w)
    }

    /// Selects rows in motion, without changing the number of rows: a row that depends on other rows only because a singular
    /// position is near is not given up, and a row that is independent only because a step has left the closed positions is
    /// not taken, since it would lock the mechanism.
    pub fn select_as_many(
        &mut self,
        constraints: &Constraints,
        tree: &Tree,
        w: &mut Workspace,
    ) -> Result<bool, EvalError> {
        let candidates = self.candidates(constraints, tree);
        self.change.resize(tree.n_v(), 0.0);
        self.kept.select_as_many(&candidates, &Columns::of(&self.loads, &self.coefficients), w)
    }

    fn candidates<'c>(&self, constraints: &'c Constraints, tree: &'c Tree) -> Candidates<'c> {
        let in_force = constraints.rows.iter().map(|row| self.in_force(row)).collect();
        Candidates { constraints, tree, in_force }
    }

    /// Factors the equations of motion at the present position, for `correct`, and measures how strong and how
    /// independent the rows are. Needs `update_positions`.
    pub fn factor(&mut self, tree: &Tree, w: &mut Workspace) -> Result<(), EvalError> {
        self.kept.factor(tree, w, &Columns::of(&self.loads, &self.coefficients))
    }

    /// Factors at a state of the motion and records the best strength of each row.
    pub fn factor_and_compare(&mut self, tree: &Tree, w: &mut Workspace) -> Result<(), EvalError> {
        self.factor(tree, w)?;
        self.kept.compare();
        Ok(())
    }

    /// Factors for a projection near a singular position, with weak rows damped. The gap of a weak row then becomes smaller
    /// with every correction, and round-off is not divided by the distance to the singular position.
    pub fn factor_damped(&mut self, tree: &Tree, w: &mut Workspace) -> Result<(), EvalError> {
        let columns = Columns::of(&self.loads, &self.coefficients);
        self.kept.factor_damped(tree, w, &columns, super::singular::PROJECTION)
    }

    /// The weakest of the kept rows and its strength in the last factorisation, if there was one. The strength falls with the
    /// square of the distance to a singular position.
    pub fn weakest(&self) -> Option<(usize, f64)> {
        self.kept.weakest()
    }

    /// Accelerations of the coordinates under the joint forces `tau`, the applied loads and the constraints.
    /// Needs `update_velocities`. Allocates nothing.
    pub fn accelerations(
        &mut self,
        tree: &Tree,
        tau: &[f64],
        w: &mut Workspace,
        vdot: &mut [f64],
    ) -> Result<(), EvalError> {
        let rows = loops::RowNumbers {
            loads: &self.loads,
            coefficients: &self.coefficients,
            gamma: &self.gamma,
        };
        self.kept.accelerations(tree, tau, w, &rows, vdot)?;
        self.multipliers.fill(0.0);
        for (row, lambda) in self.kept.multipliers() {
            self.multipliers[row] = lambda;
        }
        check_finite(tree, vdot)
    }

    /// Accelerations of the coordinates from the mass matrix and the matrix of the rows, as a check of the recursion.
    pub fn accelerations_dense(
        &mut self,
        constraints: &Constraints,
        tree: &Tree,
        tau: &[f64],
        w: &mut Workspace,
        dense: &mut DenseWorkspace,
        vdot: &mut [f64],
    ) -> Result<(), EvalError> {
        let mut own = std::mem::take(&mut self.dense);
        let result =
            own.accelerations(ConstrainedTree { tree, constraints }, self, tau, w, dense, vdot);
        self.dense = own;
        result?;
        check_finite(tree, vdot)
    }

    /// The smallest change of the coordinates, in the metric of the inertia, that closes the gaps. Needs
    /// `factor`.
    pub fn close_gaps(&mut self, tree: &Tree, w: &mut Workspace, change: &mut [f64]) {
        for (wanted, gap) in self.wanted.iter_mut().zip(&self.gap) {
            *wanted = -gap;
        }
        let push = loops::Push { gamma: &self.wanted, ..Default::default() };
        self.kept.respond(tree, w, push, change);
    }

    /// The smallest change of the speeds, in the metric of the inertia, that makes the rates zero. Needs
    /// `factor`.
    pub fn stop_rates(&mut self, tree: &Tree, w: &mut Workspace, change: &mut [f64]) {
        for (wanted, rate) in self.wanted.iter_mut().zip(&self.rate) {
            *wanted = -rate;
        }
        let push = loops::Push { gamma: &self.wanted, ..Default::default() };
        self.kept.respond(tree, w, push, change);
    }

    /// Accelerations caused by forces on the freedoms of the tree and loads on links alone: no gravity, no velocities. Needs
    /// `accelerations`, and overwrites the accelerations of the links and the multipliers of the recursion.
    pub fn respond(
        &mut self,
        tree: &Tree,
        w: &mut Workspace,
        tau: &[f64],
        loads: &[(usize, Load)],
        vdot: &mut [f64],
    ) {
        let push = loops::Push { tau, loads, gamma: &[] };
        self.kept.respond(tree, w, push, vdot);
    }

    /// All loads and coordinates of the kept rows: position of the row, link, load, and for a coordinate its freedom and
    /// coefficient.
    pub(super) fn entries(
        &self,
        constraints: &Constraints,
    ) -> impl Iterator<Item = (usize, usize, Load, Option<(usize, f64)>)> {
        self.kept.rows().iter().enumerate().flat_map(move |(position, &row)| {
            let row = &constraints.rows[row as usize];
            let loads = row.loads.clone().map(move |load| {
                let link = constraints.load_links[load as usize] as usize;
                (position, link, self.loads[load as usize], None)
            });
            let directs = row.directs.clone().map(move |direct| {
                let (link, v) = constraints.direct_links[direct as usize];
                let entry = (v as usize, self.coefficients[direct as usize]);
                (position, link as usize, Load::ZERO, Some(entry))
            });
            loads.chain(directs)
        })
    }

    /// Takes the present coordinates of the loop joints as the reference for the next ones.
    pub fn follow(&mut self) {
        self.last.copy_from_slice(&self.q);
    }

    /// Largest distance of a tip or rod end from the world's origin, a measure of the round-off of gaps (m).
    pub fn reach(&self, w: &Workspace) -> f64 {
        let far = |pose: &Pose| pose.translation.max_abs();
        w.x_world.iter().map(far).fold(0.0, f64::max)
    }
}
