//! What nothing determines at an instant, and latches that this leaves in doubt.
//!
//! Whether a thyristor beside a closed switch carries a current when its gate goes off is open, and so is what it does when the
//! switch opens: a course goes one way, and from the instant at which the other one leads elsewhere nothing is compared.

use super::Stepper;
use crate::conditions::{Rule, Scale};
use crate::course::Slack;
use crate::undetermined::{Movable, directions};

/// A value below this, over the largest of its kind, is zero.
const ZERO: f64 = 1e-9;

/// A step, over the time of a run, in which capacitors and inductors of a usual size hardly change.
const GLANCE: f64 = 1e-4;

impl Stepper<'_> {
    /// Keeps the present values, and what nothing determines.
    pub(super) fn report(&mut self) {
        let n = self.conditions.free.len();
        let free = self.free_directions();
        self.course.undetermined.push(Slack(free));
        self.course.values.push(self.solution[..n].to_vec());
        let h = self.whole() * GLANCE;
        let operator = self.operator(h, &self.active.clone());
        self.course.gains.push(operator);
    }

    /// Directions of all free variables and of w and z that the equations leave open.
    fn free_directions(&mut self) -> Vec<Vec<f64>> {
        let movable: Vec<Movable> = (0..self.conditions.pairs.len())
            .map(|k| {
                let is_loose = self.forced[k].is_none() || self.doubtful[k];
                let is_zero = is_loose && self.is_zero(k);
                let is_active = self.forced[k].unwrap_or(self.active[k]);
                [is_zero || !is_active, is_zero || is_active]
            })
            .collect();
        directions(self.conditions, &self.reduced, self.shortest, &movable, &self.course.sizes)
    }

    /// Is the side of a pair zero that may be another number?
    pub(super) fn is_zero(&mut self, k: usize) -> bool {
        let n = self.conditions.free.len();
        let operator = self.operator(self.shortest, &self.active.clone());
        let scale: Scale = self.conditions.solved_scale(n + k, &self.active);
        let size = self.course.sizes[scale as usize];
        self.solution[n + k].abs() <= ZERO * size + self.allowance(&operator, n + k)
    }

    /// After a step over an event: which latches are in doubt, and does one of them make a difference now? `before` are
    /// the sides that were prescribed before the step.
    pub(super) fn doubt(&mut self, before: Vec<Option<bool>>) {
        let n = self.conditions.free.len();
        let pairs = self.conditions.pairs.len();
        for (k, before) in before.into_iter().enumerate() {
            let Rule::Latch(gate) = self.conditions.pairs[k].2 else { continue };
            if gate.is_on(self.within) {
                self.doubtful[k] = false;
                continue;
            }
            let was_doubtful = self.doubtful[k];
            if !was_doubtful && before == Some(false) {
                continue;
            }
            // With the gate just off, or in doubt: is its current open?
            self.doubtful[k] = true;
            let z = n + pairs + k;
            let is_open = self.free_directions().iter().any(|direction| {
                let size = direction.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
                direction[z].abs() > ZERO * size
            });
            if is_open {
                continue;
            }
            self.doubtful[k] = false;
            let other_way = if self.active[k] {
                !self.is_zero(k)
            } else {
                !self.is_zero(k) && self.solution[n + k] < 0.0
            };
            if was_doubtful && other_way {
                self.course.ambiguous_from.get_or_insert(self.t);
            }
        }
    }
}
