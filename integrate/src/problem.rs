//! What the integrators ask of a system: its equations.
//!
//! Not here: what switches (`switching_functions.rs`), what saves work (`hints.rs`), the search for roots (`roots/mod.rs`)
//! and the event iteration (`driver/switching.rs`).

use super::{EvaluationError, Mass, Matrix, Pattern};

/// A system of ordinary differential equations `M y' = f(t, y)`. A plain one writes [`len`](Self::len) and
/// [`derivatives`](Self::derivatives); everything else has a default.
///
/// Same inputs and same modes must give the same bits. What switches is the business of [`Events`](crate::Events), what may be
/// computed faster that of [`Hints`](crate::Hints); both have defaults for everything.
pub trait Problem {
    /// Number of continuous states.
    fn len(&self) -> usize;

    /// True if there is no continuous state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes `ydot = f(t, y)` with the modes as they are.
    ///
    /// # Errors
    /// If `f` has no value at this point; the method then tries a shorter step.
    fn derivatives(&mut self, t: f64, y: &[f64], ydot: &mut [f64]) -> Result<(), EvaluationError>;

    /// Writes the Jacobian `df_i/dy_j` with the modes as they are; `ydot` belongs to `y`. On entry
    /// the matrix has any content. `None` leaves the Jacobian to differences of the derivatives.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        ydot: &[f64],
        jacobian: &mut Matrix,
    ) -> Option<Result<(), EvaluationError>> {
        let _ = (t, y, ydot, jacobian);
        None
    }

    /// Entries of the Jacobian that may differ from zero in some mode; asked once, before a run.
    /// States that can be varied together save evaluations. `None` means all entries.
    fn jacobian_pattern(&self) -> Option<Pattern> {
        None
    }

    /// The constant matrix M of `M y' = f`; asked once, before a run. Explicit methods do not ask.
    fn mass(&self) -> Mass {
        Mass::Identity
    }

    /// Brings a state onto the manifold on which the solution lies, if there is one: called by every method
    /// for the end of a step that it accepts, before the derivative there is evaluated, and by the driver for
    /// states that were interpolated. The change is of the size of the local error (Eich 1993).
    ///
    /// # Errors
    /// If no such state is near.
    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<(), EvaluationError> {
        let _ = (t, y);
        Ok(())
    }

    /// Overwrites dependent states with the values that the independent states give them. A state is dependent in the
    /// present modes if it follows from other states and no derivative uses it. Methods that do not treat all states
    /// alike call this function directly after [`derivatives`](Self::derivatives) at the same `y`: such a method makes
    /// different errors in a dependent state and in the states from which it follows, and the two would drift apart.
    ///
    /// # Errors
    /// If the values cannot be computed.
    fn follow(&mut self, y: &mut [f64]) -> Result<(), EvaluationError> {
        let _ = y;
        Ok(())
    }
}

/// Finds the first value that is not finite, at the place where it is computed.
pub(super) fn check_finite(values: &[f64]) -> Result<(), EvaluationError> {
    // One test for all values takes less time than a branch after each value.
    if values.iter().fold(true, |are_finite, x| are_finite & x.is_finite()) {
        return Ok(());
    }
    match values.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(EvaluationError::NotFinite { index }),
        None => Ok(()),
    }
}

/// An error if the value at `index` is not finite.
pub(super) fn check_finite_at(values: &[f64], index: usize) -> Result<(), EvaluationError> {
    if values[index].is_finite() { Ok(()) } else { Err(EvaluationError::NotFinite { index }) }
}
