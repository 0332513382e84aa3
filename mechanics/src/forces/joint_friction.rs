//! Ideal Coulomb friction with real stiction, and locks.
//!
//! R opposes positive speed. While Locked the freedom has no acceleration, and the force f_c that would
//! move it is held; five states and their transitions as in Otter's thesis (1994):
//!
//! | from | condition | to |
//! |---|---|---|
//! | start | v > 0, v < 0, else | Forward, Backward, Locked |
//! | Forward, Backward | v <= 0, v >= 0 | Locked |
//! | Locked | f_c > Rmax, f_c < -Rmax | StartForward, StartBackward |
//! | StartForward | v > 0; v <= 0 and a < 0 | Forward; Locked |
//! | StartBackward | v < 0; v >= 0 and a > 0 | Backward; Locked |

use super::law::{Effect, Frozen, Law, NoValue, Settling, View};
use problem::Side;

/// Friction of one freedom.
pub struct JointFrictionLaw {
    /// The freedom.
    pub freedom: usize,
    /// Rmax: largest friction at rest.
    pub static_limit: Limit,
    /// Friction while sliding.
    pub sliding: Sliding,
}

/// Largest friction at rest.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// One value.
    Constant(f64),
    /// A time expression: its index.
    Expression(usize),
}

impl Limit {
    /// Its value now.
    fn now(self, view: &View<'_>) -> f64 {
        match self {
            Self::Constant(limit) => limit,
            Self::Expression(input) => view.inputs[input],
        }
    }
}

/// Friction while sliding.
pub enum Sliding {
    /// One value at every speed.
    Constant(f64),
    /// A time expression of the speed: its index.
    Expression(usize),
    /// Pairs of rising speed and friction, linear between, constant outside.
    Table(Box<[[f64; 2]]>),
}

/// The five states, and the one before the first event.
mod state {
    pub const START: u8 = 0;
    pub const BACKWARD: u8 = 1;
    pub const START_BACKWARD: u8 = 2;
    pub const LOCKED: u8 = 3;
    pub const START_FORWARD: u8 = 4;
    pub const FORWARD: u8 = 5;
}

/// Guards: the speed, and the reserves of static friction in both directions.
mod guard {
    pub const SPEED: usize = 0;
    pub const FORWARD_RESERVE: usize = 1;
    pub const BACKWARD_RESERVE: usize = 2;
}

impl JointFrictionLaw {
    /// Rv(|v|).
    fn sliding(&self, view: &View<'_>) -> f64 {
        match &self.sliding {
            Sliding::Constant(friction) => *friction,
            Sliding::Expression(input) => view.inputs[*input],
            Sliding::Table(table) => interpolate(table, view.v[self.freedom].abs()),
        }
    }
}

/// Linear between the points of a table with rising first column, constant outside.
fn interpolate(table: &[[f64; 2]], x: f64) -> f64 {
    let after = table.partition_point(|point| point[0] <= x);
    match (after.checked_sub(1).and_then(|at| table.get(at)), table.get(after)) {
        (Some([x0, y0]), Some([x1, y1])) => y0 + (y1 - y0) * (x - x0) / (x1 - x0),
        (Some([_, y]), None) | (None, Some([_, y])) => *y,
        (None, None) => 0.0,
    }
}

impl Law for JointFrictionLaw {
    fn act(&self, view: &View<'_>, frozen: Frozen<'_>) -> Result<Effect, NoValue> {
        let direction = match frozen.mode {
            state::FORWARD | state::START_FORWARD => 1.0,
            state::BACKWARD | state::START_BACKWARD => -1.0,
            _ => return Ok(Effect::None),
        };
        let friction = self.sliding(view);
        if friction < 0.0 {
            return Err(NoValue("its sliding friction is negative"));
        }
        let mut tau = [0.0; 6];
        tau[0] = -direction * friction;
        Ok(Effect::Joint { start: self.freedom, count: 1, tau })
    }

    fn works(&self) -> bool {
        true
    }

    fn deliverable(&self, _: &View<'_>) -> Option<f64> {
        Some(0.0)
    }

    fn n_guards(&self) -> usize {
        3
    }

    fn guards(&self, view: &View<'_>, frozen: Frozen<'_>, values: &mut [f64]) {
        values[guard::SPEED] = view.v[self.freedom];
        let held = if frozen.mode == state::LOCKED { view.drive[self.freedom] } else { 0.0 };
        let limit = self.static_limit.now(view);
        values[guard::FORWARD_RESERVE] = limit - held;
        values[guard::BACKWARD_RESERVE] = limit + held;
    }

    fn guard_scales(&self, scales: &mut [f64]) {
        // A force held is a sum of forces at least as large as what it is compared with.
        for reserve in [guard::FORWARD_RESERVE, guard::BACKWARD_RESERVE] {
            if let Limit::Constant(limit) = self.static_limit
                && limit > 0.0
            {
                scales[reserve] = limit;
            }
        }
    }

    fn sides(&self, mode: u8, sides: &mut [Side]) {
        let locked = mode == state::LOCKED;
        sides[guard::SPEED] = match mode {
            state::FORWARD | state::START_FORWARD => Side::Positive,
            state::BACKWARD | state::START_BACKWARD => Side::Negative,
            _ => Side::Unwatched,
        };
        for reserve in [guard::FORWARD_RESERVE, guard::BACKWARD_RESERVE] {
            sides[reserve] = if locked { Side::Positive } else { Side::Unwatched };
        }
    }

    fn settle(&self, view: &View<'_>, mode: u8, settling: Settling<'_>) -> u8 {
        let (v, a) = (view.v[self.freedom], view.vdot[self.freedom]);
        let exceeded = |reserve: usize| settling.sides[reserve] == Some(Side::Negative);
        let crossed = settling.crossed[guard::SPEED];
        match mode {
            state::START if v > 0.0 => state::FORWARD,
            state::START if v < 0.0 => state::BACKWARD,
            state::START => state::LOCKED,
            state::FORWARD if crossed || v <= 0.0 => state::LOCKED,
            state::BACKWARD if crossed || v >= 0.0 => state::LOCKED,
            state::LOCKED if exceeded(guard::FORWARD_RESERVE) => state::START_FORWARD,
            state::LOCKED if exceeded(guard::BACKWARD_RESERVE) => state::START_BACKWARD,
            state::START_FORWARD if crossed || (v <= 0.0 && a < 0.0) => state::LOCKED,
            state::START_FORWARD if v > 0.0 => state::FORWARD,
            state::START_BACKWARD if crossed || (v >= 0.0 && a > 0.0) => state::LOCKED,
            state::START_BACKWARD if v < 0.0 => state::BACKWARD,
            mode => mode,
        }
    }

    fn locks(&self, mode: u8) -> Option<usize> {
        matches!(mode, state::LOCKED).then_some(self.freedom)
    }

    fn first_mode(&self) -> u8 {
        state::START
    }

    fn mode_at_rest(&self, mode: u8, is_balanced: bool) -> u8 {
        // What static friction could not hold slides until sliding friction balances the rest.
        if is_balanced { state::START } else { mode }
    }

    fn drift(&self, view: &View<'_>, mode: u8) -> u8 {
        let v = view.v[self.freedom];
        match mode {
            state::START_FORWARD if v > 0.0 => state::FORWARD,
            state::START_BACKWARD if v < 0.0 => state::BACKWARD,
            mode => mode,
        }
    }

    fn mode_word(&self, mode: u8) -> &'static str {
        let words = ["start", "backward", "start backward", "locked", "start forward", "forward"];
        words[usize::from(mode.min(5))]
    }
}

/// A freedom that is always held.
pub struct LockLaw {
    /// The freedom.
    pub freedom: usize,
}

impl Law for LockLaw {
    fn act(&self, _: &View<'_>, _: Frozen<'_>) -> Result<Effect, NoValue> {
        Ok(Effect::None)
    }

    fn works(&self) -> bool {
        false
    }

    fn locks(&self, _: u8) -> Option<usize> {
        Some(self.freedom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_linear_between_and_constant_outside() {
        let table = [[0.0, 2.0], [1.0, 1.0], [3.0, 2.0]];
        for (x, y) in [(0.0, 2.0), (0.5, 1.5), (1.0, 1.0), (2.0, 1.5), (9.0, 2.0)] {
            assert_eq!(interpolate(&table, x), y, "{x}");
        }
        assert_eq!(interpolate(&[[1.0, 4.0]], 0.0), 4.0);
    }
}
