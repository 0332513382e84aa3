//! Expressions: functions, constant folding, and programs that are evaluated while time passes.

mod compile;
mod custom;
mod formula;
mod functions;
mod jet;
pub mod program;
pub mod switches;

pub use compile::{Compiled, Names, Operand, RATE, compile};
pub use custom::{Called, CustomFunction, MOST_OPERATIONS, argument, argument_of};
pub use formula::Formula;
pub use functions::{FUNCTIONS, Function, TRUE_ABOVE, find as function_index, is_true};
pub use jet::Jet;
pub use program::{Op, Program, SignalRef};
