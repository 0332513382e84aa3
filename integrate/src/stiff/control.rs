//! The next step size and the next order.
//!
//! Sizes follow Gustafsson's predictive control (1994) as in RADAU5, orders the code RADAU: a fast Newton
//! iteration says that accuracy limits the step, so a higher order pays; a slow one that the
//! nonlinearity does, and long steps of high order are wasted (Hairer & Wanner, *J. Comput. Appl. Math.*
//! 111 (1999) 93).

use super::newton::most_passes;
use super::step_equations::Convergence;
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

/// The memory of the control: former steps, errors and jumps.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct Control {
    /// No step has been accepted since the start.
    pub first: bool,
    /// The last trial was rejected.
    pub rejected: bool,
    /// The last accepted step of this order, if there is one.
    last: Option<KnownStep>,
    steps_at_order: u32,
    /// Largest jump of the derivatives at the last restart, over the allowed error, 1/s.
    jump: f64,
    /// The last jump that mattered.
    opening: Option<Opening>,
}

/// A step and its error.
#[derive(Clone, Copy, Debug)]
struct KnownStep {
    /// Size, s.
    h: f64,
    /// Error over tolerance.
    error: f64,
}

/// The first step behind a jump of the derivatives.
#[derive(Clone, Copy, Debug)]
struct Opening {
    /// The jump, over the allowed error, 1/s.
    jump: f64,
    /// The step that the error allowed, s.
    allowed: f64,
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
        Self {
            first: true,
            rejected: false,
            last: None,
            steps_at_order: 0,
            jump: 0.0,
            opening: None,
        }
    }

    /// Size after a step with this error over tolerance was accepted.
    pub fn after_success(
        &mut self,
        tableau: &Tableau,
        h: f64,
        error: f64,
        convergence: Convergence,
    ) -> f64 {
        // The error estimate is of order h^(s+1). Many passes of Newton's iteration make the next step more cautious.
        let exponent = 1.0 / (tableau.s + 1) as f64;
        let most = (2 * most_passes(tableau)) as f64;
        let safety = SAFETY * ((1.0 + most) / (convergence.passes as f64 + most)).min(1.0);
        let mut factor = safety * error.powf(-exponent);
        // Gustafsson's prediction: the trend of the error over two steps continues.
        if let Some(last) = self.last {
            let predicted =
                SAFETY * (h / last.h).abs() * (last.error / (error * error)).powf(exponent);
            factor = factor.min(predicted);
        }
        // An error of exactly zero makes the factor infinite, or not a number.
        factor = if factor.is_nan() { GROW } else { factor.clamp(SHRINK, GROW) };
        if self.rejected {
            factor = factor.min(1.0);
        }
        self.last = Some(KnownStep { h, error: error.max(LEAST_ERROR) });
        // A jump that stays within the tolerance over the whole step says nothing about the step that jumps allow.
        if self.first && self.jump.is_finite() && self.jump * h.abs() > 1.0 {
            let allowed = (safety * error.powf(-exponent)).clamp(SHRINK, GROW);
            self.opening = Some(Opening { jump: self.jump, allowed: h.abs() * allowed });
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

    /// The change of the order after an accepted step. `growth` is the planned growth of the step, `wanted` the growth that
    /// the error would allow; `bound` says that the step limits forbid it.
    pub fn order_change(
        &self,
        convergence: Convergence,
        growth: f64,
        wanted: f64,
        bound: bool,
    ) -> OrderChange {
        // A slow iteration, or a step that is held far below what the error allows, makes a high order a waste.
        let contraction = convergence.contraction.unwrap_or(0.0);
        if contraction >= SLOW || (bound && wanted > GROW && self.steps_at_order > STAY) {
            return OrderChange::Lower;
        }
        // The order rises only after the step size has become steady.
        let steady = growth > 0.8 && growth < 1.25;
        let fast = contraction <= FAST && self.steps_at_order >= STAY;
        if fast && steady && !bound { OrderChange::Raise } else { OrderChange::Stay }
    }

    /// Forgets size and error of former steps, because they belong to another order.
    pub fn new_order(&mut self) {
        self.last = None;
        self.steps_at_order = 0;
    }

    /// Begins again behind an event at which the derivatives jumped by `jump` (over the allowed error, 1/s). Gives the size of
    /// the first step, where `h` was planned.
    ///
    /// The error of a first step grows as the jump times `h^(s+1)`. A controller that is sampled again and again makes jumps
    /// of one kind, so the first step behind the last jump, scaled by the sizes of the two jumps, tells the first step behind
    /// this jump.
    pub fn restart(&mut self, tableau: &Tableau, jump: f64, h: f64) -> f64 {
        self.first = true;
        self.rejected = false;
        self.last = None;
        self.jump = jump;
        let Some(known) = self.opening.filter(|_| jump * h > 1.0) else { return h };
        let exponent = 1.0 / (tableau.s + 1) as f64;
        (known.allowed * (known.jump / jump).powf(exponent)).clamp(FIRST_SHRINK * h, h)
    }
}

/// Fraction of the tolerance that Newton's iteration may leave; `relative` is the tolerance over the largest state.
///
/// RADAU5 works with the tolerance `r = 0.1 RelErr^(2/3)` and leaves `sqrt(r) r` of the states, which is
/// `0.1^(3/2) RelErr`, a 32nd of what the user allows. What is left in a step is not random: with small tolerances, and
/// many steps, it adds up and has to be less.
pub(super) fn newton_fraction(relative: f64) -> f64 {
    relative.powf(0.25).min(0.03)
}
