//! What the analyses besides integration ask of a run: forces at rest, mass matrix, accelerations, the rows of the
//! constraints, and modes at rest.

use nalgebra::DMatrix;

use super::{Failure, Modes, Run};
use crate::integrators::{Problem, Side};
use crate::mechanics::dense::{self, DenseWorkspace};
use crate::mechanics::{inverse, kinematics};

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

impl Run<'_, '_> {
    /// The discrete state.
    pub fn snapshot(&self) -> Snapshot {
        let modes =
            Modes { elements: self.modes.clone(), expressions: self.switches.get().to_vec() };
        Snapshot { modes, memory: self.memory.clone() }
    }

    /// Comes back to a discrete state.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.memory.copy_from_slice(&snapshot.memory);
        self.restore_modes(&snapshot.modes);
    }

    /// From now on locks hold what acts at rest, whatever the other freedoms would do.
    pub fn set_quasi_static(&mut self, yes: bool) {
        self.is_quasi_static = yes;
    }

    /// Puts each element in the mode from which its modes settle at rest.
    pub fn begin_at_rest(&mut self, is_balanced: bool) {
        for (element, mode) in self.system.elements.iter().zip(&mut self.modes) {
            *mode = element.law.mode_at_rest(*mode, is_balanced);
        }
        self.update_locks();
    }

    /// Adds a number to the value of a time expression, from now on.
    pub fn set_input_offset(&mut self, input: usize, offset: f64) {
        self.input_offsets.resize(self.system.programs.len(), 0.0);
        self.input_offsets[input] = offset;
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
        Ok(&self.drive)
    }

    /// What acts on each freedom while nothing accelerates.
    pub(super) fn fill_rest_drive(&mut self) {
        self.vdot.fill(0.0);
        let (tree, w) = (&self.system.tree, &mut self.workspace);
        inverse::update_accelerations(tree, &self.vdot, w);
        inverse::update_joint_loads(tree, w);
        inverse::fill_drive_forces(tree, &self.vdot, &self.tau, w, &mut self.drive);
    }

    /// Accelerations of the freedoms.
    ///
    /// # Errors
    /// If a force or an acceleration has no value.
    pub fn accelerations(&mut self, t: f64, y: &[f64]) -> Result<&[f64], Failure> {
        self.update(t, y)?;
        self.apply_forces()?;
        self.accelerate()?;
        Ok(&self.vdot)
    }

    /// Puts the bodies where the coordinates say, and nothing else: for pictures.
    pub fn place(&mut self, q: &[f64]) {
        let tree = &self.system.tree;
        kinematics::update_positions(tree, q, &mut self.workspace);
        kinematics::update_world_poses(tree, &mut self.workspace);
    }

    /// Accelerations of the freedoms as last computed.
    pub fn vdot(&self) -> &[f64] {
        &self.vdot
    }

    /// The mass matrix of the freedoms at the coordinates.
    pub fn mass_matrix(&mut self, q: &[f64]) -> DMatrix<f64> {
        let tree = &self.system.tree;
        kinematics::update_positions(tree, q, &mut self.workspace);
        let mut dense = DenseWorkspace::new(tree);
        dense::fill_mass_matrix(tree, &self.workspace, &mut dense);
        DMatrix::from_row_slice(tree.n_v(), tree.n_v(), dense.mass_matrix())
    }

    /// Freedoms that are locked or stuck.
    pub fn locked_freedoms(&self) -> impl Iterator<Item = usize> + '_ {
        let elements = self.system.elements.iter().zip(&self.modes);
        elements.filter_map(|(element, &mode)| element.law.locks(mode))
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
            return Err(self.failure.unwrap_or(Failure::Expression(0)));
        }
        self.sides(&mut sides);
        self.guard_scales(&mut scales);
        let is_zero =
            |k: &usize| sides[*k] != Side::Unwatched && values[*k].abs() <= ZERO * scales[*k];
        Ok((0..n).filter(is_zero).collect())
    }

    /// All relations among the freedoms at a state.
    ///
    /// # Errors
    /// If a prescribed motion has no value.
    pub fn constraint_rows(&mut self, t: f64, y: &[f64]) -> Result<ConstraintRows, Failure> {
        self.update(t, y)?;
        let n_v = self.system.tree.n_v();
        let (_, v, _) = self.system.split(y);
        let locked: Vec<usize> = self.locked_freedoms().collect();
        let mut jacobian = DMatrix::zeros(locked.len(), n_v);
        for (row, &freedom) in locked.iter().enumerate() {
            jacobian[(row, freedom)] = 1.0;
        }
        let gap_rate = locked.iter().map(|&freedom| v[freedom]).collect();
        Ok(ConstraintRows { jacobian, gap: vec![0.0; locked.len()], gap_rate })
    }
}
