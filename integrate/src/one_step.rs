//! What one-step methods share: the last step, and step sizes: the first one, the last before a bound, fixed ones.
//!
//! Not here: the choice in between, which depends on the method's order.

use super::{StepLimits, Target, Tolerance};

/// A step from `(t0, y0, f0)` to `(t1, y1, f1)`.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct LastStep {
    pub t0: f64,
    pub t1: f64,
    /// Size of the step as it was computed; `t1 - t0` is rounded.
    pub h: f64,
    pub y0: Vec<f64>,
    pub f0: Vec<f64>,
    pub y1: Vec<f64>,
    pub f1: Vec<f64>,
}

impl LastStep {
    pub fn new(n: usize) -> Self {
        let zero = || vec![0.0; n];
        Self { t0: 0.0, t1: 0.0, h: 0.0, y0: zero(), f0: zero(), y1: zero(), f1: zero() }
    }

    /// A step of length zero at `(t, y)`.
    pub fn reset(&mut self, t: f64, y: &[f64], f: &[f64]) {
        self.t0 = t;
        self.t1 = t;
        self.y1.copy_from_slice(y);
        self.f1.copy_from_slice(f);
    }

    /// The end of the last step becomes the beginning of the next; `y1`, `f1` are free.
    pub fn turn_over(&mut self) {
        self.t0 = self.t1;
        std::mem::swap(&mut self.y0, &mut self.y1);
        std::mem::swap(&mut self.f0, &mut self.f1);
    }

    /// Undoes `turn_over` after a trial that failed.
    pub fn turn_back(&mut self) {
        self.t1 = self.t0;
        std::mem::swap(&mut self.y0, &mut self.y1);
        std::mem::swap(&mut self.f0, &mut self.f1);
    }

    /// Declares the step complete.
    pub fn complete(&mut self, t1: f64, h: f64) {
        self.t1 = t1;
        self.h = h;
    }
}

/// Size and end of a step from `t` that is one of equal steps, none longer than `h`, to the target.
pub(super) fn fixed_step_toward(t: f64, h: f64, target: Target) -> (f64, f64) {
    let (to_output, to_bound) = (target.toward - t, target.bound - t);
    let end = if to_output.abs() < to_bound.abs() { target.toward } else { target.bound };
    let distance = end - t;
    let parts = (distance.abs() / h * (1.0 - 1e-9)).ceil().max(1.0);
    let size = distance / parts;
    (size, if parts > 1.0 { t + size } else { end })
}

/// `|error| / allowed`; nothing is allowed where the tolerance vanishes, except no error.
pub(super) fn ratio(error: f64, allowed: f64) -> f64 {
    if error == 0.0 { 0.0 } else { error.abs() / allowed }
}

/// First step of a one-step method: a hundredth of the time in which the solution would change by
/// its own scale (Hairer, Norsett, Wanner, *Solving ODEs I*, II.4), within the given limits.
pub(super) fn first_step(
    tolerance: &Tolerance,
    limits: &StepLimits,
    y: &[f64],
    ydot: &[f64],
    room: f64,
) -> f64 {
    if let Some(initial) = limits.initial {
        return limits.clamp(initial);
    }
    let (mut size, mut speed): (f64, f64) = (0.0, 0.0);
    for (y, f) in y.iter().zip(ydot) {
        let allowed = tolerance.relative * y.abs() + tolerance.absolute;
        if allowed > 0.0 {
            size = size.max(y.abs() / allowed);
            speed = speed.max(f.abs() / allowed);
        }
    }
    let h = if size < 1e-5 || speed < 1e-5 { 1e-6 } else { 0.01 * size / speed };
    limits.clamp(h.min(room))
}

/// Fits a planned size into the room before the bound: lands on it exactly, and halves the rest
/// rather than leave a sliver. Returns size and end time.
pub(super) fn fit_step(t: f64, plan: f64, bound: f64) -> (f64, f64) {
    let room = bound - t;
    if plan.abs() * (1.0 + 1e-9) >= room.abs() {
        (room, bound)
    } else if 2.0 * plan.abs() > room.abs() {
        (0.5 * room, t + 0.5 * room)
    } else {
        (plan, t + plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_lands_on_its_bound_without_a_sliver() {
        assert_eq!(fit_step(1.0, 0.5, 1.4), (1.4 - 1.0, 1.4));
        assert_eq!(fit_step(1.0, 0.5, 1.75), (0.375, 1.375));
        assert_eq!(fit_step(1.0, 0.5, 3.0), (0.5, 1.5));
        assert_eq!(fit_step(1.0, -0.5, -3.0), (-0.5, 0.5));
    }

    #[test]
    fn the_first_step_keeps_its_limits() {
        let tolerance = Tolerance::new(1e-6, 1e-6);
        let given = StepLimits { max: 1.0, min: 0.0, initial: Some(0.25) };
        assert_eq!(first_step(&tolerance, &given, &[1.0], &[1.0], 10.0), 0.25);
        let free = StepLimits { max: 1e-3, min: 0.0, initial: None };
        assert_eq!(first_step(&tolerance, &free, &[1.0], &[1.0], 10.0), 1e-3);
    }
}
