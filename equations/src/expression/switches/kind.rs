//! The kinds of switches in an expression: their states, their guards, and their values in a frozen state.
//!
//! A state is a number: 0 or 1 of a relation, the sign of an argument, the index of the smallest
//! argument, a whole number. Guards and value are affine in the operands while the state is frozen;
//! `shift` is 1 for them, and 0 for their linear part.

use parser::syntax::BinaryOp;

use crate::expression::TRUE_ABOVE;
use problem::Side;

/// The kind of a switch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A comparison.
    Relation(BinaryOp),
    /// `if` with a number as its condition.
    Truth,
    /// `abs(x)`.
    Abs,
    /// `sign(x)`.
    Sign,
    /// `min(...)`.
    Least,
    /// `max(...)`.
    Greatest,
    /// `floor(x)`.
    Floor,
    /// `ceil(x)`.
    Ceil,
    /// `mod(a, b)`; its state is floor(a/b).
    Mod,
    /// `clamp(x, low, high)`.
    Clamp,
}

impl Kind {
    /// The kind of a comparison.
    pub fn of_binary(operator: BinaryOp) -> Option<Self> {
        use BinaryOp::{Greater, GreaterEqual, Less, LessEqual};
        matches!(operator, Less | LessEqual | Greater | GreaterEqual)
            .then_some(Self::Relation(operator))
    }

    /// The kind of a function, if it switches.
    pub fn of_function(name: &str) -> Option<Self> {
        Some(match name {
            "abs" => Self::Abs,
            "sign" => Self::Sign,
            "min" => Self::Least,
            "max" => Self::Greatest,
            "floor" => Self::Floor,
            "ceil" => Self::Ceil,
            "mod" => Self::Mod,
            "clamp" => Self::Clamp,
            "if" => Self::Truth,
            _ => return None,
        })
    }

    /// How it is written.
    pub fn word(self) -> &'static str {
        match self {
            Self::Relation(operator) => operator.symbol(),
            Self::Truth => "if",
            Self::Abs => "abs",
            Self::Sign => "sign",
            Self::Least => "min",
            Self::Greatest => "max",
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Mod => "mod",
            Self::Clamp => "clamp",
        }
    }

    /// A state in words.
    pub fn state_words(self, state: i32) -> String {
        let word = match (self, state) {
            (Self::Relation(_) | Self::Truth, 0) => "false",
            (Self::Relation(_) | Self::Truth, _) => "true",
            (Self::Abs | Self::Sign, 0) => "zero",
            (Self::Abs | Self::Sign, 1) => "positive",
            (Self::Abs | Self::Sign, _) => "negative",
            (Self::Clamp, 0) => "inside",
            (Self::Clamp, 1) => "at the upper limit",
            (Self::Clamp, _) => "at the lower limit",
            (Self::Least | Self::Greatest, k) => return format!("argument {}", k + 1),
            (Self::Floor | Self::Ceil | Self::Mod, n) => return n.to_string(),
        };
        word.into()
    }

    /// Number of guards for so many operands.
    pub fn n_guards(self, operands: usize) -> usize {
        match self {
            Self::Relation(_) | Self::Truth | Self::Abs => 1,
            Self::Sign | Self::Floor | Self::Ceil | Self::Mod | Self::Clamp => 2,
            Self::Least | Self::Greatest => operands,
        }
    }

    /// Do the guards depend on the state?
    pub fn has_moving_guards(self) -> bool {
        matches!(self, Self::Least | Self::Greatest | Self::Floor | Self::Ceil | Self::Mod)
    }

    /// The state that the operands ask for where nothing is known.
    pub fn first(self, x: &[f64]) -> f64 {
        let best = |better: fn(f64, f64) -> bool| {
            let all = x.iter().enumerate();
            all.fold(0, |k, (j, value)| if better(*value, x[k]) { j } else { k }) as f64
        };
        match self {
            Self::Relation(BinaryOp::Less) => f64::from(x[0] < x[1]),
            Self::Relation(BinaryOp::LessEqual) => f64::from(x[0] <= x[1]),
            Self::Relation(BinaryOp::GreaterEqual) => f64::from(x[0] >= x[1]),
            Self::Relation(_) => f64::from(x[0] > x[1]),
            Self::Truth => f64::from(x[0] > TRUE_ABOVE),
            Self::Abs if x[0] < 0.0 => -1.0,
            Self::Abs => 1.0,
            Self::Sign => f64::from(i8::from(x[0] > 0.0) - i8::from(x[0] < 0.0)),
            Self::Least => best(|a, b| a < b),
            Self::Greatest => best(|a, b| a > b),
            Self::Floor => x[0].floor(),
            Self::Ceil => x[0].ceil(),
            Self::Mod => (x[0] / x[1]).floor(),
            Self::Clamp if x[0].max(x[1]) > x[2] => 1.0,
            Self::Clamp if x[0] < x[1] => -1.0,
            Self::Clamp => 0.0,
        }
    }

    /// The value in a state.
    pub fn value(self, state: f64, x: &[f64], shift: f64) -> f64 {
        match self {
            Self::Relation(_) | Self::Sign | Self::Floor | Self::Ceil => state * shift,
            Self::Truth => x[if state > 0.0 { 1 } else { 2 }],
            Self::Abs => state * x[0],
            Self::Least | Self::Greatest => x[(state as usize).min(x.len() - 1)],
            Self::Mod => x[0] - x[1] * state,
            Self::Clamp if state > 0.0 => x[2],
            Self::Clamp if state < 0.0 => x[1],
            Self::Clamp => x[0],
        }
    }

    /// The guards in a state. The operand of `mod` is the quotient.
    pub fn guards(self, state: f64, x: &[f64], shift: f64, g: &mut [f64]) {
        match self {
            Self::Relation(BinaryOp::Less | BinaryOp::LessEqual) => g[0] = x[1] - x[0],
            Self::Relation(_) => g[0] = x[0] - x[1],
            Self::Truth => g[0] = x[0] - TRUE_ABOVE * shift,
            Self::Abs => g[0] = x[0],
            Self::Sign => g.fill(x[0]),
            Self::Least | Self::Greatest => {
                let k = (state as usize).min(x.len() - 1);
                let sign = if self == Self::Least { 1.0 } else { -1.0 };
                for (j, (g, x_j)) in g.iter_mut().zip(x).enumerate() {
                    *g = if j == k { shift } else { sign * (x_j - x[k]) };
                }
            }
            Self::Floor | Self::Mod => {
                g[0] = x[0] - state * shift;
                g[1] = x[0] - (state + 1.0) * shift;
            }
            Self::Ceil => {
                g[0] = x[0] - (state - 1.0) * shift;
                g[1] = x[0] - state * shift;
            }
            Self::Clamp => {
                g[0] = x[0] - x[1];
                g[1] = x[0] - x[2];
            }
        }
    }

    /// The sides of the guards in a state.
    pub fn sides(self, state: f64, sides: &mut [Side]) {
        use Side::{Negative, Positive, Unwatched};
        let pair = match self {
            Self::Relation(_) | Self::Truth | Self::Abs => {
                sides[0] = if state > 0.0 { Positive } else { Negative };
                return;
            }
            Self::Least | Self::Greatest => {
                sides.fill(Positive);
                if let Some(side) = sides.get_mut(state as usize) {
                    *side = Unwatched;
                }
                return;
            }
            Self::Sign | Self::Clamp if state == 0.0 => {
                if self == Self::Sign {
                    [Negative, Positive]
                } else {
                    [Positive, Negative]
                }
            }
            Self::Sign if state > 0.0 => [Positive, Unwatched],
            Self::Sign => [Unwatched, Negative],
            Self::Clamp if state > 0.0 => [Unwatched, Positive],
            Self::Clamp => [Negative, Unwatched],
            Self::Floor | Self::Ceil | Self::Mod => [Positive, Negative],
        };
        sides.copy_from_slice(&pair);
    }

    /// The state of a comparison whose sides are equal, because they were made so.
    pub fn at_zero(self) -> Option<f64> {
        match self {
            Self::Relation(BinaryOp::LessEqual | BinaryOp::GreaterEqual) => Some(1.0),
            Self::Relation(_) | Self::Truth => Some(0.0),
            _ => None,
        }
    }

    /// The state that the sides of the guards ask for; `None` is zero, where the old state stays.
    pub fn settle(self, state: f64, sides: &[Option<Side>], g: &[f64]) -> f64 {
        use Side::{Negative, Positive};
        let is = |k: usize, side: Side| sides[k] == Some(side);
        match self {
            Self::Relation(_) | Self::Truth => match sides[0] {
                Some(Positive) => 1.0,
                Some(Negative) => 0.0,
                _ => state,
            },
            Self::Abs | Self::Sign => match sides[0].or(sides[sides.len() - 1]) {
                Some(Positive) => 1.0,
                Some(Negative) => -1.0,
                _ => state,
            },
            Self::Least | Self::Greatest => {
                let beaten = (0..sides.len()).filter(|k| is(*k, Negative));
                let best = beaten.min_by(|a, b| g[*a].total_cmp(&g[*b]));
                best.map_or(state, |k| k as f64)
            }
            Self::Floor | Self::Ceil | Self::Mod if is(0, Negative) => state - 1.0,
            Self::Floor | Self::Ceil | Self::Mod if is(1, Positive) => state + 1.0,
            Self::Floor | Self::Ceil | Self::Mod => state,
            Self::Clamp if is(1, Positive) => 1.0,
            Self::Clamp if is(0, Negative) => -1.0,
            Self::Clamp if state > 0.0 && is(1, Negative) => 0.0,
            Self::Clamp if state < 0.0 && is(0, Positive) => 0.0,
            Self::Clamp => state,
        }
    }
}
