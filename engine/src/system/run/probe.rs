//! What the analyses besides integration ask of a run: forces at rest, mass matrix, accelerations, the rows of the
//! constraints, and modes at rest.

use nalgebra::DMatrix;

use super::loop_states::LoopStates;
use super::stage::Stage;
use super::tree_slopes::{self, TreeSlopes};
use super::{Failure, Run};
use integrate::{Events, Side};
use mechanics::dense::{self, DenseWorkspace};
use mechanics::kinematics;

/// Relations among the freedoms at a state: `jacobian * v = 0` for all speeds that fixed constraints permit.
pub struct ConstraintRows {
    /// One row per constraint, one column per freedom.
    pub jacobian: DMatrix<f64>,
    /// By how much each relation between the coordinates is violated.
    pub gap: Vec<f64>,
    /// By how much each relation between the speeds is violated.
    pub gap_rate: Vec<f64>,
}

/// Asks a run for what the integrators do not need.
pub struct Probe<'r, 's> {
    run: &'r mut Run<'s>,
}

impl<'r, 's> Probe<'r, 's> {
    /// A probe of a run.
    pub(super) fn new(run: &'r mut Run<'s>) -> Self {
        Self { run }
    }

    /// From now on prescribed motions stand still, and locks hold what acts at rest, whatever the other freedoms
    /// would do.
    pub fn set_quasi_static(&mut self, yes: bool) {
        self.run.now.is_quasi_static = yes;
        self.run.now.stage = Stage::Unplaced;
    }

    /// Puts each element in the mode from which its modes settle at rest.
    pub fn begin_at_rest(&mut self, is_balanced: bool) {
        self.run.now.stage.lower_to(Stage::Placed);
        for (element, mode) in self.run.system.elements.iter().zip(&mut self.run.now.elements.modes)
        {
            *mode = element.law.mode_at_rest(*mode, is_balanced);
        }
        self.run.update_locks();
    }

    /// Adds a number to the value of a time expression, from now on.
    pub fn set_input_offset(&mut self, input: usize, offset: f64) {
        self.run.now.expressions.offsets.resize(self.run.system.programs.len(), 0.0);
        self.run.now.expressions.offsets[input] = offset;
        self.run.now.stage = Stage::Unplaced;
    }

    /// The value of a time expression at the last evaluation.
    pub fn input_value(&self, input: usize) -> f64 {
        self.run.now.expressions.inputs[input]
    }

    /// Generalised forces of gravity and of all elements on the freedoms at rest.
    ///
    /// # Errors
    /// If a force has no value.
    pub fn forces_at_rest(self, t: f64, q: &[f64]) -> Result<&'r [f64], Failure> {
        let mut y = vec![0.0; self.run.system.n_states()];
        y[..q.len()].copy_from_slice(q);
        self.run.bring_to(Stage::Forces, t, &y)?;
        let (tree, bodies) = (&self.run.system.tree, &mut self.run.now.bodies);
        bodies.fill_rest_drive(tree);
        Ok(&bodies.drive[..tree.n_v()])
    }

    /// Accelerations of the freedoms.
    ///
    /// # Errors
    /// If a force or an acceleration has no value.
    pub fn accelerations(self, t: f64, y: &[f64]) -> Result<&'r [f64], Failure> {
        self.run.bring_to(Stage::Reacted, t, y)?;
        Ok(self.run.vdot())
    }

    /// Puts the bodies where the coordinates say, and nothing else: for pictures.
    pub fn pose(&mut self, q: &[f64]) {
        self.run.now.stage = Stage::Unplaced;
        let tree = &self.run.system.tree;
        kinematics::update_positions(tree, q, &mut self.run.now.bodies.workspace);
        kinematics::update_world_poses(tree, &mut self.run.now.bodies.workspace);
    }

    /// Derivatives of the accelerations of all freedoms by their displacements and speeds, at fixed time and modes; `None` where forces
    /// depend on more than the bodies and joints that they touch. `size` is that of the model, m.
    ///
    /// # Errors
    /// If a force has no value at the state or near it.
    pub fn tree_slopes(self, t: f64, y: &[f64], size: f64) -> Result<Option<TreeSlopes>, Failure> {
        tree_slopes::find(self.run, t, y, size)
    }

    /// The mass matrix of the freedoms at the coordinates.
    pub fn mass_matrix(&mut self, q: &[f64]) -> DMatrix<f64> {
        self.run.now.stage = Stage::Unplaced;
        let tree = &self.run.system.tree;
        kinematics::update_positions(tree, q, &mut self.run.now.bodies.workspace);
        let mut dense = DenseWorkspace::new(tree);
        dense::fill_mass_matrix(tree, &self.run.now.bodies.workspace, &mut dense);
        DMatrix::from_row_slice(tree.n_v(), tree.n_v(), dense.mass_matrix())
    }

    /// Watched switching functions that are zero at a state.
    ///
    /// # Errors
    /// If one has no value.
    pub fn guards_at_zero(&mut self, t: f64, y: &[f64]) -> Result<Vec<usize>, Failure> {
        /// Part of the typical size of a guard below which its sign is rounding.
        const ZERO: f64 = 1e-12;
        let n = self.run.system.guards.len();
        let (mut values, mut scales) = (vec![0.0; n], vec![1.0; n]);
        let mut sides = vec![Side::Unwatched; n];
        if self.run.guards(t, y, &[], &mut values).is_err() {
            return Err(self.run.failure.take().unwrap_or(Failure::Expression(0)));
        }
        self.run.sides(&mut sides);
        self.run.guard_scales(&mut scales);
        let is_zero =
            |k: &usize| sides[*k] != Side::Unwatched && values[*k].abs() <= ZERO * scales[*k];
        Ok((0..n).filter(is_zero).collect())
    }

    /// The coordinates that the drives leave of given ones.
    ///
    /// # Errors
    /// If a prescribed motion has no value.
    pub fn driven_coordinates(self, t: f64, y: &[f64]) -> Result<&'r [f64], Failure> {
        self.run.place(t, y)?;
        Ok(self.run.system.split(&self.run.now.y).0)
    }

    /// All relations among the freedoms at a state: locked and driven freedoms, then the rows of loops, rods and
    /// couplings that are in force, redundant ones included.
    ///
    /// # Errors
    /// If a prescribed motion has no value.
    pub fn constraint_rows(&mut self, t: f64, y: &[f64]) -> Result<ConstraintRows, Failure> {
        self.run.place(t, y)?;
        let system = self.run.system;
        let n_v = system.tree.n_v();
        let (_, wanted, _) = system.split(y);
        let held: Vec<usize> =
            (0..n_v).filter(|&v| self.run.now.bodies.workspace.is_locked(v)).collect();
        let rows = &system.constraints.rows;
        let in_force = |loops: &&LoopStates| -> Vec<usize> {
            (0..rows.n_rows()).filter(|&row| loops.workspace.is_in_force(rows, row)).collect()
        };
        let closing = self.run.now.loops.as_ref().map_or_else(Vec::new, |loops| in_force(&loops));
        let mut jacobian = DMatrix::zeros(held.len() + closing.len(), n_v);
        let (mut gap, mut gap_rate) = (vec![0.0; held.len()], Vec::new());
        for (row, &freedom) in held.iter().enumerate() {
            jacobian[(row, freedom)] = 1.0;
            let is_driven = system.constraints.drives.iter().any(|drive| {
                drive.closes.is_none()
                    && (drive.coordinates.v..drive.coordinates.v + drive.coordinates.count())
                        .contains(&freedom)
            });
            let target = if is_driven { self.run.now.bodies.v[freedom] } else { 0.0 };
            gap_rate.push(wanted[freedom] - target);
        }
        if let Some(loops) = &self.run.now.loops {
            let mut line = vec![0.0; n_v];
            for (place, &row) in closing.iter().enumerate() {
                loops.workspace.fill_jacobian(
                    rows,
                    &system.tree,
                    &self.run.now.bodies.workspace,
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
        if self.run.now.ports.is_none() {
            return Ok(());
        }
        self.run.update(t, y)?;
        let Some(network) = &self.run.network else { return Ok(()) };
        let n_v = self.run.system.tree.n_v();
        let (q, v, _) = self.run.system.split(y);
        let fixed = network.fixed_ports().iter().zip(&self.run.system.ports.axes).enumerate();
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
