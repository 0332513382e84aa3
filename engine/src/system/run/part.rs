//! Derivatives of some states only, for methods of mixed mode.
//!
//! The rates of coordinates and networks need no accelerations, which are the larger part of the work, unless
//! coordinates are driven or a drive train is rigid. While an
//! integrator varies states of the networks, the bodies stand still, and what the networks use of them is known.

use super::{Failure, Run};
use crate::network::code::block_compiler::Level;
use integrate::{EvaluationError, Problem};

impl Run<'_> {
    /// Derivatives of a part; if `held`, networks see the accelerations of the last evaluation.
    pub(super) fn some_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
        held: bool,
    ) -> Result<(), EvaluationError> {
        let (tree, networks) = (&self.system.tree, self.system.network_states());
        let (n_q, n_v) = (tree.n_q(), tree.n_v());
        let needs_dynamics = part.iter().any(|state| (n_q..networks.start).contains(state));
        let is_driven = !self.system.constraints.drives.is_empty();
        let is_late = |&state: &usize| {
            let network = self.network.as_ref().filter(|_| networks.contains(&state));
            network.is_some_and(|network| network.is_late(state - networks.start))
        };
        let waits = || !held && self.now.ports.is_some() && part.iter().any(is_late);
        if needs_dynamics || is_driven || waits() {
            return self.derivatives(t, y, ydot);
        }
        self.failure = None;
        if part.first().is_some_and(|&first| first < n_q) {
            tree.fill_coordinate_rates(&y[..n_q], &y[n_q..n_q + n_v], &mut ydot[..n_q]);
        }
        if part.last().is_some_and(|&last| last >= networks.start) {
            self.solve_network(t, y).map_err(|failure| self.fail(failure))?;
            if let Some(network) = &self.network {
                network.rates(&mut ydot[networks]);
            }
        }
        Ok(())
    }

    /// Solves the networks at a state; bodies are placed only if networks use them and they have moved.
    fn solve_network(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        let states = self.system.network_states();
        let bodies = ..states.start;
        let have_moved = || t != self.now.t || y[bodies] != self.now.y[bodies];
        let uses_bodies = self.now.ports.is_some() || !self.system.network_inputs.is_empty();
        if uses_bodies && have_moved() {
            self.place_with(t, y, self.system.constraints.is_lean)?;
            self.update_network()?;
        } else if let Some(network) = &mut self.network {
            let solved = network.update(t, &y[states]);
            solved.map_err(|unsolved| self.unsolved(unsolved))?;
        }
        // What waits for accelerations is not asked for, or has those of the last evaluation.
        let solved = self.network.as_mut().map_or(Ok(()), |n| n.complete(Level::Rates));
        solved.map_err(|unsolved| self.unsolved(unsolved))
    }
}
