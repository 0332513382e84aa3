//! Projection of a state onto the manifold of the constraints.
//!
//! After each accepted step the state is brought back onto the manifold of the constraints by the smallest
//! changes in the metric of the inertia: `q <- q - M^-1 J^T (J M^-1 J^T)^-1 g`, repeated until the gaps g are
//! round-off, then the speeds likewise. The change of kinetic energy is of second order in the change of the
//! speeds.
//!
//! Where two branches of the manifold cross, errors off the manifold have equations of their own, which are
//! unstable. Near such a singular position the weak rows are damped, in the equations of motion as in the projection
//! (`mechanics/src/loops/singular.rs`): the mechanism stays on its branch.

use super::body_states::BodyStates;
use super::loop_states::{LoopStates, Residuals};
use super::stage::Stage;
use super::{Failure, Run};

/// Gaps below this times the size of the mechanism (at least 1 m) are closed, m or rad.
const GAP_GOAL: f64 = 2e-13;
/// The same for rates, m/s or rad/s.
const RATE_GOAL: f64 = 1e-12;
/// Most corrections of a state; quadratic convergence needs two or three.
const CORRECTIONS: usize = 10;

/// Brings states onto the manifold of the constraints.
pub(super) struct Projection<'r, 's> {
    run: &'r mut Run<'s>,
}

impl<'r, 's> Projection<'r, 's> {
    /// A projection of states of a run.
    pub fn new(run: &'r mut Run<'s>) -> Self {
        Self { run }
    }

    /// Brings a state onto the manifold of the constraints.
    pub fn project(&mut self, t: f64, y: &mut [f64]) -> Result<(), Failure> {
        if self.run.system.constraints.is_empty() {
            return Ok(());
        }
        self.run.place(t, y)?;
        y.copy_from_slice(&self.run.now.y);
        if self.run.now.loops.is_none() {
            return Ok(());
        }
        let result = self.bring_back(t, y);
        self.expect(t, y);
        result
    }

    /// The loops and the bodies, of which the loops are a relation.
    fn parts(&mut self) -> Option<(&mut LoopStates, &mut BodyStates)> {
        let now = &mut self.run.now;
        now.loops.as_mut().map(|loops| (loops, &mut now.bodies))
    }

    /// Near a singular position, keeps the accelerations of a state in mind.
    fn expect(&mut self, t: f64, y: &[f64]) {
        let is_near = self.run.now.loops.as_ref().is_some_and(LoopStates::is_near_singular);
        let is_computed = is_near && self.run.bring_to(Stage::Accelerated, t, y).is_ok();
        let n_v = self.run.system.tree.n_v();
        let Some((loops, bodies)) = self.parts() else { return };
        match is_computed {
            true => loops.expected.push(t, &bodies.vdot[..n_v]),
            false => loops.expected.clear(),
        }
    }

    /// Brings a placed state onto the manifold.
    fn bring_back(&mut self, t: f64, y: &mut [f64]) -> Result<(), Failure> {
        let system = self.run.system;
        let Some((loops, bodies)) = self.parts() else { return Ok(()) };
        let factored = loops.watch_rows(system, bodies, t)?;
        loops.before.clear();
        loops.before.extend_from_slice(y);
        let residuals = loops.residuals;
        let mut broken = self.correct(t, y, factored)?;
        if self.parts().is_some_and(|(loops, _)| loops.is_loose()) {
            // Damping left too much: errors of the step are larger than the round-off against which damping helps.
            self.begin_again(t, y, residuals)?;
            broken = self.correct_undamped(t, y)?;
        }
        let Some(row) = broken else { return Ok(()) };
        // Weak rows have led astray: others are looked for where the step ended.
        self.begin_again(t, y, residuals)?;
        let Some((loops, bodies)) = self.parts() else { return Ok(()) };
        if loops.reselect(system, bodies, t)? {
            broken = self.correct_undamped(t, y)?;
        }
        broken.map_or(Ok(()), |_| Err(Failure::Constraint(row)))
    }

    /// Takes corrections of a state back.
    fn begin_again(&mut self, t: f64, y: &mut [f64], residuals: Residuals) -> Result<(), Failure> {
        if let Some((loops, _)) = self.parts() {
            y.copy_from_slice(&loops.before);
            loops.residuals = residuals;
        }
        self.run.place(t, y)
    }

    /// Corrects a state with all rows in full, also near a singular position.
    fn correct_undamped(&mut self, t: f64, y: &mut [f64]) -> Result<Option<usize>, Failure> {
        let is_near = self.run.now.loops.as_ref().is_some_and(LoopStates::is_near_singular);
        self.damp(false);
        let broken = self.correct(t, y, false);
        self.damp(is_near);
        broken
    }

    fn damp(&mut self, yes: bool) {
        if let Some((loops, _)) = self.parts() {
            loops.set_near_singular(yes);
        }
    }

    /// Corrects coordinates, then speeds; a row that is not kept all the same.
    fn correct(&mut self, t: f64, y: &mut [f64], factored: bool) -> Result<Option<usize>, Failure> {
        let factored = self.close_gaps(t, y, factored)?;
        self.stop_rates(t, y, factored)?;
        let system = self.run.system;
        Ok(self.parts().and_then(|(loops, bodies)| loops.broken_row(system, bodies)))
    }

    /// Newton's method for the gaps; true if the equations are factored for this position or one very near it.
    fn close_gaps(&mut self, t: f64, y: &mut [f64], mut factored: bool) -> Result<bool, Failure> {
        let tree = &self.run.system.tree;
        let mut before = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            // Stop at round-off, or where corrections no longer help.
            let Some((loops, bodies)) = self.parts() else { return Ok(factored) };
            let goal = loops.precision() * GAP_GOAL * loops.sizes(bodies).length;
            let [(gap, _), _] = loops.worst(|row| loops.workspace.is_selected(row));
            if gap <= goal || gap >= loops.least_progress() * before {
                break;
            }
            // Factors of the last step serve for the first correction, which is small.
            if !factored || before < f64::INFINITY {
                loops.factor(tree, bodies)?;
            }
            (before, factored) = (gap, true);
            loops.shift_coordinates(tree, bodies, y, 1.0);
            self.run.place(t, y)?;
        }
        Ok(factored)
    }

    /// Makes the rates of the rows zero.
    pub fn stop_rates(&mut self, t: f64, y: &mut [f64], mut factored: bool) -> Result<(), Failure> {
        let tree = &self.run.system.tree;
        let mut before = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            let Some((loops, bodies)) = self.parts() else { return Ok(()) };
            let goal = loops.precision() * RATE_GOAL * loops.sizes(bodies).speed;
            let [_, (rate, _)] = loops.worst(|row| loops.workspace.is_selected(row));
            if rate <= goal || rate >= loops.least_progress() * before {
                return Ok(());
            }
            before = rate;
            if !factored {
                loops.factor(tree, bodies)?;
                factored = true;
            }
            loops.shift_speeds(tree, bodies, y);
            self.run.place(t, y)?;
        }
        Ok(())
    }
}
