//! What switches in a system: guards, known instants, settling of modes, and recording for systems with memory.
//!
//! Not here: the search for roots (`roots/mod.rs`) and the event iteration (`driver/switching.rs`).

use super::{ChangeList, EvaluationError, Event, Side};

/// The discrete part of a system. A system that never switches writes `impl Events for X {}`.
///
/// A guard (switching function) has a side of zero on which it belongs while the present modes hold. When it leaves this
/// side, the driver stops at the root and calls [`switch`](Self::switch) until no mode changes any more.
pub trait Events {
    /// Number of guards; constant during a run.
    fn n_guards(&self) -> usize {
        0
    }

    /// Writes the value of every guard with the modes as they are. `ydot` belongs to `y`.
    ///
    /// # Errors
    /// If a guard has no value at this point.
    fn guards(
        &mut self,
        t: f64,
        y: &[f64],
        ydot: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let _ = (t, y, ydot, values);
        Ok(())
    }

    /// The side on which each guard belongs in the present modes. On entry each side is the one that the crossing or the
    /// value of the guard tells, and inside the zero band the side before; sides that the modes do not decide stay as they
    /// are. A guard that is put on a side where its value is not is watched again once it has been on this side.
    fn sides(&self, sides: &mut [Side]) {
        let _ = sides;
    }

    /// Typical magnitude of each guard, asked once; 1 on entry. The zero band of a guard is `1e-14` of its magnitude.
    fn guard_scales(&self, scales: &mut [f64]) {
        let _ = scales;
    }

    /// The branch of the last evaluation, for laws that follow the sign of a quantity without an event: the derivatives may
    /// jump where this number changes.
    fn branch(&self) -> u64 {
        0
    }

    /// The first known instant beyond `t` in the direction of integration (+1 or -1), s.
    fn next_time_event(&mut self, t: f64, direction: f64) -> Option<f64> {
        let _ = (t, direction);
        None
    }

    /// Asked after each accepted step: does this state call for an event now?
    ///
    /// # Errors
    /// If the condition cannot be evaluated.
    fn step_event(&mut self, t: f64, y: &[f64], ydot: &[f64]) -> Result<bool, EvaluationError> {
        let _ = (t, y, ydot);
        Ok(false)
    }

    /// One pass of the event iteration: puts the modes into the state that the guards ask for, may
    /// change `y` (impact, anchor), and notes every change. Called again until it notes none.
    ///
    /// # Errors
    /// If no consistent mode can be computed.
    fn switch(
        &mut self,
        event: &Event<'_>,
        y: &mut [f64],
        changes: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        let _ = (event, y, changes);
        Ok(())
    }

    /// Points of a step, as fractions of the step from 0 to 1, at which the driver calls [`record`](Self::record); none
    /// for most systems. A delay line, for example, keeps the past of its input.
    fn recorded_points(&self) -> &'static [f64] {
        &[]
    }

    /// Takes the state `y` at a recorded point of the part of the solution between two times. A part is a step or, if an
    /// event ended the step early, its beginning. Parts follow each other without gap; a part is complete with its last
    /// point.
    ///
    /// # Errors
    /// If the state cannot be evaluated.
    fn record(&mut self, part: [f64; 2], point: usize, y: &[f64]) -> Result<(), EvaluationError> {
        let _ = (part, point, y);
        Ok(())
    }
}
