//! Functions that a model defines: `Formula "sat" { Of = x, a; Value = clamp(x, -a, a); }`.
//!
//! A call is replaced by the expression of the function with the arguments in their places, so that such a function is
//! differentiated and switches like the operations of which it consists.

use super::program::{Op, Program, SignalRef};

/// Most operations of an expression with all functions of the model in place.
pub const MOST_OPERATIONS: usize = 1 << 20;

/// The block that stands for the arguments of a function.
const ARGUMENTS: u32 = u32::MAX;

/// A function of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomFunction {
    /// Number of arguments.
    pub n_arguments: usize,
    /// The value; its arguments stand there as signals.
    pub program: Program,
}

/// The meaning of the name of a function.
#[derive(Clone, Copy, Debug)]
pub enum Called<'a> {
    /// No function of the model.
    Unknown,
    /// A function with a mistake, which is reported already.
    Broken,
    /// A function.
    Known(&'a CustomFunction),
}

/// The signal that stands for an argument of a function, counted from 0.
pub fn argument(number: u16) -> SignalRef {
    SignalRef { block: ARGUMENTS, signal: number, component: 0 }
}

/// The number of an argument that an operation stands for.
pub fn argument_of(op: Op) -> Option<usize> {
    match op {
        Op::Signal(signal) if signal.block == ARGUMENTS => Some(usize::from(signal.signal)),
        _ => None,
    }
}
