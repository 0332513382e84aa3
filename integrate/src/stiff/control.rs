//! The next step size and the next order.
//!
//! Sizes follow Gustafsson's predictive control (1994) as in RADAU5, orders the code RADAU: a fast Newton
//! iteration says that accuracy limits the step, so a higher order pays; a slow one that the
//! nonlinearity does, and long steps of high order are wasted (Hairer & Wanner, *J. Comput. Appl. Math.*
//! 111 (1999) 93).

use super::newton::{Convergence, most_passes};
use super::tableau::Tableau;

/// The next step is planned a tenth below what the estimate allows.
const SAFETY: f64 = 0.9;
/// Limits of a change of the step size.
const SHRINK: f64 = 0.2;
const GROW: f64 = 8.0;
/// After a failed first step nothing is known about the scale; a tenth is tried.
const FIRST_SHRINK: f64 = 0.1;
/// Contraction below which the order rises, and above which it falls.
const FAST: f64 = 0.03;
const SLOW: f64 = 0.8;
/// Steps of one order before it rises.
const STAY: u32 = 5;
/// Errors below this do not make the next prediction bolder.
const LEAST_ERROR: f64 = 1e-2;

/// What the control remembers.
#[derive(Clone, Debug)]
pub(super) struct Control {
    /// No step has been accepted since the start.
    pub first: bool,
    /// The last trial was not accepted.
    pub rejected: bool,
    /// Size and error of the last accepted step; size 0 if there is none of this order.
    last: (f64, f64),
    steps_at_order: u32,
    /// How far the derivatives jumped at the last restart, over what is allowed, 1/s.
    jump: f64,
    /// What the last jump taught: its size, and the step that it allowed.
    opening: Option<(f64, f64)>,
}

/// A change of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OrderChange {
    Lower,
    Stay,
    Raise,
}

impl Control {
    pub fn new() -> Self {
        let (last, opening) = ((0.0, 0.0), None);
        Self { first: true, rejected: false, last, steps_at_order: 0, jump: 0.0, opening }
    }

    /// Size after a step with this error over tolerance was accepted.
    pub fn after_success(
        &mut self,
        tableau: &Tableau,
        h: f64,
        error: f64,
        convergence: Convergence,
    ) -> f64 {
        let exponent = 1.0 / (tableau.s + 1) as f64;
        let most = (2 * most_passes(tableau)) as f64;
        let safety = SAFETY * ((1.0 + most) / (convergence.passes as f64 + most)).min(1.0);
        let mut factor = safety * error.powf(-exponent);
        let (last_h, last_error) = self.last;
        if last_h != 0.0 {
            let predicted =
                SAFETY * (h / last_h).abs() * (last_error / (error * error)).powf(exponent);
            factor = factor.min(predicted);
        }
        // An error of exactly zero gives an infinite factor, or none.
        factor = if factor.is_nan() { GROW } else { factor.clamp(SHRINK, GROW) };
        if self.rejected {
            factor = factor.min(1.0);
        }
        self.last = (h, error.max(LEAST_ERROR));
        // What does not exceed the tolerance within the step teaches nothing.
        if self.first && self.jump.is_finite() && self.jump * h.abs() > 1.0 {
            let allowed = (safety * error.powf(-exponent)).clamp(SHRINK, GROW);
            self.opening = Some((self.jump, h.abs() * allowed));
        }
        self.first = false;
        self.rejected = false;
        self.steps_at_order += 1;
        h * factor
    }

    /// Size after a step with this error was refused.
    pub fn after_refusal(&mut self, tableau: &Tableau, h: f64, error: f64) -> f64 {
        self.rejected = true;
        if self.first {
            return FIRST_SHRINK * h;
        }
        let exponent = 1.0 / (tableau.s + 1) as f64;
        h * (SAFETY * error.powf(-exponent)).clamp(SHRINK, 1.0)
    }

    /// Size after a step whose equations could not be solved.
    pub fn after_failure(&mut self, h: f64, fraction: f64) -> f64 {
        self.rejected = true;
        h * fraction
    }

    /// What the order should do after an accepted step. `wanted` is the growth that the error
    /// would allow, `bound` says that the step limits forbid it.
    pub fn order_change(
        &self,
        convergence: Convergence,
        growth: f64,
        wanted: f64,
        bound: bool,
    ) -> OrderChange {
        let contraction = convergence.contraction.unwrap_or(0.0);
        if contraction >= SLOW || (bound && wanted > GROW && self.steps_at_order > STAY) {
            return OrderChange::Lower;
        }
        // Only where the step has found its size.
        let steady = growth > 0.8 && growth < 1.25;
        let fast = contraction <= FAST && self.steps_at_order >= STAY;
        if fast && steady && !bound { OrderChange::Raise } else { OrderChange::Stay }
    }

    /// The order has changed: former errors say nothing.
    pub fn new_order(&mut self) {
        self.last = (0.0, 0.0);
        self.steps_at_order = 0;
    }

    /// The integration begins anew behind an event at which the derivatives jumped so far over what is allowed, 1/s. The size
    /// of the first step, where `h` was planned.
    ///
    /// The error of a first step grows as the jump times `h^(s+1)`: a controller that is sampled again and again
    /// makes jumps of one kind, whose first step the last one of them tells.
    pub fn restart(&mut self, tableau: &Tableau, jump: f64, h: f64) -> f64 {
        self.first = true;
        self.rejected = false;
        self.last = (0.0, 0.0);
        self.jump = jump;
        let Some((known, allowed)) = self.opening.filter(|_| jump * h > 1.0) else { return h };
        let exponent = 1.0 / (tableau.s + 1) as f64;
        (allowed * (known / jump).powf(exponent)).clamp(FIRST_SHRINK * h, h)
    }
}

/// Fraction of the tolerance that Newton's iteration may leave, where the tolerance is this part of the largest state.
///
/// RADAU5 works with the tolerance `r = 0.1 RelErr^(2/3)` and leaves `sqrt(r) r` of the states, which is
/// `0.1^(3/2) RelErr`, a 32nd of what the user allows. What is left in a step is not random: with small tolerances, and
/// many steps, it adds up and has to be less.
pub(super) fn newton_fraction(relative: f64) -> f64 {
    relative.powf(0.25).min(0.03)
}
