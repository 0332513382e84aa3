//! Accelerations near a singular position, where a row becomes weak.
//!
//! Let w be the distance from a position in which two branches of the motion cross, and u the displacement off the
//! branch on which the mechanism comes. The row that becomes weak reads `u w = 0`, its pivot is w^2, and it demands
//! `w u'' = -2 u' w' - u w''`. Two errors are divided by what vanishes:
//!
//! * The pivot is a difference of numbers of the size of one. What it gets wrong of the forces along u is left as a
//!   residual of the row, which is put on the rows again until it becomes no smaller.
//! * Lengths that are rounded make `u w = eps` of the row, the branches pass each other at a distance, and the motion
//!   that keeps the row exactly has u'' of the order eps / w^3. What the demands ask for beyond accelerations that the
//!   steps before let expect is therefore damped along u: `(A + D) lambda = gamma - J vdot_expected` with the matrix A
//!   of the rows and D of the order d^2 for weak rows, zero for others (Tikhonov 1963), and D lambda is taken from
//!   gamma. A speed u' grows then at most by `1 + (w0 / d)^2` on the way to the position, from the distance w0 at which
//!   damping begins, and decays by as much behind it.
//!
//! In states the same rows are damped by `PROJECTION`.

use super::kept_rows::Columns;
use super::recursion::Push;
use super::{Constraints, LoopWorkspace};
use crate::error::EvalError;
use crate::inverse;
use crate::tree::Tree;
use crate::workspace::Workspace;

/// Square of the distance below which demands are damped to less than a half.
const DAMPING: f64 = 3e-4;
/// Square of the distance below which corrections of coordinates and speeds are damped to less than a half.
pub(super) const PROJECTION: f64 = 1e-5;
/// Most corrections of the accelerations.
const CORRECTIONS: usize = 4;

impl LoopWorkspace {
    /// As `accelerations`, near a singular position. Weak rows follow the accelerations that are `expected`, if any
    /// are. Allocates nothing.
    pub fn accelerations_near(
        &mut self,
        constraints: &Constraints,
        tree: &Tree,
        tau: &[f64],
        w: &mut Workspace,
        expected: Option<&[f64]>,
        vdot: &mut [f64],
    ) -> Result<(), EvalError> {
        if let Some(expected) = expected {
            self.damp_demands(constraints, tree, w, expected)?;
        }
        self.accelerations(tree, tau, w, vdot)?;
        let mut before = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            let left = self.demand_left(constraints, w, vdot);
            if left.is_nan() || left >= 0.5 * before {
                break;
            }
            before = left;
            let push = Push { gamma: &self.wanted, ..Push::default() };
            self.kept.respond(tree, w, push, &mut self.change);
            for (vdot, change) in vdot.iter_mut().zip(&self.change) {
                *vdot += change;
            }
            for (row, lambda) in self.kept.multipliers() {
                self.multipliers[row] += lambda;
            }
            inverse::update_accelerations(tree, vdot, w);
        }
        Ok(())
    }

    /// Reduces the demands by the damped part of the difference to the `expected` accelerations.
    fn damp_demands(
        &mut self,
        constraints: &Constraints,
        tree: &Tree,
        w: &mut Workspace,
        expected: &[f64],
    ) -> Result<(), EvalError> {
        inverse::update_accelerations(tree, expected, w);
        self.demand_left(constraints, w, expected);
        let columns = Columns::of(&self.loads, &self.coefficients);
        self.kept.factor_damped(tree, w, &columns, DAMPING)?;
        let push = Push { gamma: &self.wanted, ..Push::default() };
        self.kept.respond(tree, w, push, &mut self.change);
        for (row, share) in self.kept.damped_shares() {
            self.gamma[row] -= share;
        }
        Ok(())
    }

    /// Writes the part of the demands that the accelerations do not fulfil into `wanted`; gives the largest part.
    fn demand_left(&mut self, constraints: &Constraints, w: &Workspace, vdot: &[f64]) -> f64 {
        let mut largest: f64 = 0.0;
        for &row in self.kept.rows() {
            let at = row as usize;
            let row = &constraints.rows[at];
            let mut left = self.gamma[at];
            for load in row.loads.clone() {
                let link = constraints.load_links[load as usize] as usize;
                left -= w.sweep.acceleration[link].dot(&self.loads[load as usize]);
            }
            for direct in row.directs.clone() {
                let (_, v) = constraints.direct_links[direct as usize];
                left -= self.coefficients[direct as usize] * vdot[v as usize];
            }
            self.wanted[at] = left;
            largest = if left.is_nan() { f64::NAN } else { largest.max(left.abs()) };
        }
        largest
    }
}
