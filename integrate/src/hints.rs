//! What a system knows about itself that saves its integrator work.

use std::ops::Range;

use super::{EvaluationError, Pattern, Problem};

/// Hints for speed. Each has a default that is right for every system; a system without hints writes `impl Hints for X {}`.
pub trait Hints: Problem {
    /// Writes the derivatives of the states in `part`, which ascend, and leaves the other derivatives undefined. A system
    /// may skip the work that only the other derivatives need. Between two calls often only states in `part` differ.
    ///
    /// # Errors
    /// As [`derivatives`](Problem::derivatives).
    fn part_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let _ = part;
        self.derivatives(t, y, ydot)
    }

    /// As [`part_derivatives`](Self::part_derivatives), but quantities that are expensive to compute and act weakly on
    /// the states in `part` keep the values of the last full evaluation. Example: the accelerations of bodies, as far as
    /// they act on the networks that the bodies carry. The result is good enough for the fast states inside a step,
    /// because the end of the step is evaluated in full.
    ///
    /// # Errors
    /// As [`derivatives`](Problem::derivatives).
    fn held_derivatives(
        &mut self,
        part: &[usize],
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.part_derivatives(part, t, y, ydot)
    }

    /// Entries of the Jacobian of [`held_derivatives`](Self::held_derivatives) in the present modes.
    fn held_pattern(&self) -> Option<Pattern> {
        self.pattern_now()
    }

    /// Entries of the Jacobian of [`derivatives`](Problem::derivatives) in the present modes.
    fn pattern_now(&self) -> Option<Pattern> {
        self.jacobian_pattern()
    }

    /// Entries of a Jacobian with unknowns beside the states, if the system has one that is sparser than
    /// [its own](Problem::jacobian_pattern). The entries hold in all modes, and [`jacobian`](Problem::jacobian) fills a matrix of this
    /// pattern at every point. Asked once, before a run, by methods that factorise the Jacobian of all states.
    fn extended_pattern(&self) -> Option<Pattern> {
        None
    }

    /// A number that changes whenever the entries of the Jacobian change for another reason than a change of discrete
    /// states.
    fn structure(&self) -> u64 {
        0
    }

    /// States whose rates cost little beside the rates of the other states.
    fn cheap_states(&self) -> Range<usize> {
        0..0
    }

    /// States whose rates are simple functions of other states, such as coordinates: their
    /// [`part_derivatives`](Self::part_derivatives) cost next to nothing, and a method of mixed mode may take their rates
    /// at the end of the step.
    fn integrals(&self) -> Range<usize> {
        0..0
    }

    /// True if guards cost little where the derivatives have just been computed.
    fn has_cheap_guards(&self) -> bool {
        true
    }
}
