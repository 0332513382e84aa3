//! Step sizes of the one-step methods with error control: the first one, and the last before a
//! bound.
//!
//! Not here: the choice in between, which depends on the method's order.

use super::{StepLimits, Tolerance};

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
