//! What the analyses besides integration ask of a run: forces at rest, mass matrix, accelerations, the rows of the
//! constraints, and modes at rest.

use nalgebra::DMatrix;

use super::{Failure, LoopRun, Modes, Run};
use integrate::{Events, Side};
use mechanics::dense::{self, DenseWorkspace};
use mechanics::{inverse, kinematics};

/// Everything discrete and remembered, to come back to.
pub struct Snapshot {
    modes: Modes,
    memory: Vec<f64>,
}

/// Relations among the freedoms at a state: `jacobian * v = 0` for all speeds that fixed constraints permit.
pub struct ConstraintRows {
    /// One row per constraint, one column per freedom.
    pub jacobian: DMatrix<f64>,
    /// By how much each relation between the coordinates is violated.
    pub gap: Vec<f64>,
    /// By how much each relation between the speeds is violated.
    pub gap_rate: Vec<f64>,
}

impl Run<'_> {
    /// The discrete state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { modes: self.modes(), memory: self.now.memory.clone() }
    }

    /// Comes back to a discrete state.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.now.memory.copy_from_slice(&snapshot.memory);
        self.restore_modes(&snapshot.modes);
    }

    /// From now on prescribed motions stand still, and locks hold what acts at rest, whatever the other freedoms
    /// would do.
    pub fn set_quasi_static(&mut self, yes: bool) {
        self.now.is_quasi_static = yes;
    }

    /// Puts each element in the mode from which its modes settle at rest.
    pub fn begin_at_rest(&mut self, is_balanced: bool) {
        for (element, mode) in self.system.elements.iter().zip(&mut self.now.modes) {
            *mode = element.law.mode_at_rest(*mode, is_balanced);
        }
        self.update_locks();
    }

    /// Adds a number to the value of a time expression, from now on.
    pub fn set_input_offset(&mut self, input: usize, offset: f64) {
        self.now.input_offsets.resize(self.system.programs.len(), 0.0);
        self.now.input_offsets[input] = offset;
    }

    /// Generalised forces of gravity and of all elements on the freedoms at rest.
    ///
    /// # Errors
    /// If a force has no value.
    pub fn forces_at_rest(&mut self, t: f64, q: &[f64]) -> Result<&[f64], Failure> {
        let mut y = vec![0.0; self.system.n_states()];
        y[..q.len()].copy_from_slice(q);
        self.update(t, &y)?;
        self.apply_forces()?;
        self.fill_rest_drive();
        Ok(&self.now.drive[..self.system.tree.n_v()])
    }

    /// What acts on each freedom while nothing accelerates.
    pub(super) fn fill_rest_drive(&mut self) {
        self.now.vdot.fill(0.0);
        let (tree, w) = (&self.system.tree, &mut self.now.workspace);
        let (vdot, tau) = (&self.now.vdot[..tree.n_v()], &self.now.tau[..tree.n_v()]);
        inverse::update_accelerations(tree, vdot, w);
        inverse::update_joint_loads(tree, w);
        inverse::fill_drive_forces(tree, vdot, tau, w, &mut self.now.drive[..tree.n_v()]);
    }

    /// Accelerations of the freedoms.
    ///
    /// # Errors
    /// If a force or an acceleration has no value.
    pub fn accelerations(&mut self, t: f64, y: &[f64]) -> Result<&[f64], Failure> {
        self.update(t, y)?;
        self.apply_forces()?;
        self.accelerate(true)?;
        self.react();
        Ok(self.vdot())
    }

    /// Puts the bodies where the coordinates say, and nothing else: for pictures.
    pub fn pose(&mut self, q: &[f64]) {
        let tree = &self.system.tree;
        kinematics::update_positions(tree, q, &mut self.now.workspace);
        kinematics::update_world_poses(tree, &mut self.now.workspace);
    }

    /// Accelerations of the freedoms as last computed.
    pub fn vdot(&self) -> &[f64] {
        &self.now.vdot[..self.system.tree.n_v()]
    }

    /// The mass matrix of the freedoms at the coordinates.
    pub fn mass_matrix(&mut self, q: &[f64]) -> DMatrix<f64> {
        let tree = &self.system.tree;
        kinematics::update_positions(tree, q, &mut self.now.workspace);
        let mut dense = DenseWorkspace::new(tree);
        dense::fill_mass_matrix(tree, &self.now.workspace, &mut dense);
        DMatrix::from_row_slice(tree.n_v(), tree.n_v(), dense.mass_matrix())
    }

    /// Freedoms that are locked or stuck.
    pub fn locked_freedoms(&self) -> impl Iterator<Item = usize> + '_ {
        let elements = self.system.elements.iter().zip(&self.now.modes);
        let locked = elements.filter_map(|(element, &mode)| element.law.locks(mode));
        locked.filter(|&freedom| freedom < self.system.tree.n_v())
    }

    /// Watched switching functions that are zero at a state.
    ///
    /// # Errors
    /// If one has no value.
    pub fn guards_at_zero(&mut self, t: f64, y: &[f64]) -> Result<Vec<usize>, Failure> {
        /// Part of the typical size of a guard below which its sign is rounding.
        const ZERO: f64 = 1e-12;
        let n = self.system.n_guards;
        let (mut values, mut scales) = (vec![0.0; n], vec![1.0; n]);
        let mut sides = vec![Side::Unwatched; n];
        if self.guards(t, y, &[], &mut values).is_err() {
            return Err(self.failure.take().unwrap_or(Failure::Expression(0)));
        }
        self.sides(&mut sides);
        self.guard_scales(&mut scales);
        let is_zero =
            |k: &usize| sides[*k] != Side::Unwatched && values[*k].abs() <= ZERO * scales[*k];
        Ok((0..n).filter(is_zero).collect())
    }

    /// The coordinates that the drives leave of given ones.
    ///
    /// # Errors
    /// If a prescribed motion has no value.
    pub fn driven_coordinates(&mut self, t: f64, y: &[f64]) -> Result<&[f64], Failure> {
        self.place(t, y)?;
        Ok(self.system.split(&self.now.y).0)
    }

    /// All relations among the freedoms at a state: locked and driven freedoms, then the rows of loops, rods and
    /// couplings that are in force, redundant ones included.
    ///
    /// # Errors
    /// If a prescribed motion has no value.
    pub fn constraint_rows(&mut self, t: f64, y: &[f64]) -> Result<ConstraintRows, Failure> {
        self.place(t, y)?;
        let system = self.system;
        let n_v = system.tree.n_v();
        let (_, wanted, _) = system.split(y);
        let held: Vec<usize> = (0..n_v).filter(|&v| self.now.workspace.is_locked(v)).collect();
        let rows = &system.constraints.rows;
        let in_force = |loops: &&LoopRun| -> Vec<usize> {
            (0..rows.n_rows()).filter(|&row| loops.workspace.is_in_force(rows, row)).collect()
        };
        let closing = self.now.loops.as_ref().map_or_else(Vec::new, |loops| in_force(&loops));
        let mut jacobian = DMatrix::zeros(held.len() + closing.len(), n_v);
        let (mut gap, mut gap_rate) = (vec![0.0; held.len()], Vec::new());
        for (row, &freedom) in held.iter().enumerate() {
            jacobian[(row, freedom)] = 1.0;
            let is_driven = system.constraints.drives.iter().any(|drive| {
                drive.closes.is_none()
                    && (drive.coordinates.v..drive.coordinates.v + drive.coordinates.count())
                        .contains(&freedom)
            });
            let target = if is_driven { self.now.v[freedom] } else { 0.0 };
            gap_rate.push(wanted[freedom] - target);
        }
        if let Some(loops) = &self.now.loops {
            let mut line = vec![0.0; n_v];
            for (place, &row) in closing.iter().enumerate() {
                loops.workspace.fill_jacobian(
                    rows,
                    &system.tree,
                    &self.now.workspace,
                    row,
                    &mut line,
                );
                for (column, entry) in line.iter().enumerate() {
                    jacobian[(held.len() + place, column)] = *entry;
                }
                gap.push(loops.workspace.gap[row]);
                gap_rate.push(loops.workspace.rate[row]);
            }
        }
        Ok(ConstraintRows { jacobian, gap, gap_rate })
    }

    /// Adds the coordinates that the networks determine, such as a source of angle on the axis of a joint.
    ///
    /// # Errors
    /// If the networks have no solution.
    pub fn add_network_rows(
        &mut self,
        t: f64,
        y: &[f64],
        rows: &mut ConstraintRows,
    ) -> Result<(), Failure> {
        if self.now.ports.is_none() {
            return Ok(());
        }
        self.update(t, y)?;
        let Some(network) = &self.network else { return Ok(()) };
        let n_v = self.system.tree.n_v();
        let (q, v, _) = self.system.split(y);
        let fixed = network.fixed_ports().iter().zip(&self.system.ports.axes).enumerate();
        for (port, (fixed, axis)) in fixed {
            let Some((place, freedom)) = axis.filter(|(_, v)| fixed[0] && *v < n_v) else {
                continue;
            };
            let row = rows.gap.len();
            let jacobian = std::mem::replace(&mut rows.jacobian, DMatrix::zeros(0, 0));
            rows.jacobian = jacobian.insert_row(row, 0.0);
            rows.jacobian[(row, freedom)] = 1.0;
            rows.gap.push(q[place] - network.fixed_value(port, 0));
            rows.gap_rate.push(v[freedom] - network.fixed_value(port, 1));
        }
        Ok(())
    }
}
