//! Where an expression switches.

use parser::syntax::BinaryOp;

use super::{Kind, MAX_GUARDS};
use crate::expression::{FUNCTIONS, Op, Program, SignalRef};

/// The places in an expression that switch: operation, kind, number of operands. An operation whose operands all change at
/// events only, as `steps` tells of signals, is evaluated as it is: a guard would rest at zero where both sides are equal.
pub(super) fn find(
    program: &Program,
    steps: impl Fn(SignalRef) -> bool,
) -> Vec<(usize, Kind, usize)> {
    let mut found: Vec<(usize, Kind, usize)> = Vec::new();
    // For each operand on the stack: where it begins, and whether it only takes steps.
    let mut stack: Vec<(usize, bool)> = Vec::new();
    for (at, op) in program.ops().iter().enumerate() {
        let (count, kind) = match *op {
            Op::Constant(_) | Op::Time | Op::Argument | Op::Signal(_) => {
                let is_step = match *op {
                    Op::Constant(_) => true,
                    Op::Signal(signal) => steps(signal),
                    _ => false,
                };
                stack.push((at, is_step));
                continue;
            }
            Op::Unary(_) | Op::Rate => (1, None),
            Op::Binary(operator) => (2, Kind::of_binary(operator)),
            Op::Call(function, count) => {
                let name = FUNCTIONS.get(function as usize).map_or("", |function| function.name);
                let start = stack.last().map_or(at, |(start, _)| *start);
                if name == "smooth" {
                    found.retain(|(op, ..)| *op < start);
                }
                (count as usize, Kind::of_function(name))
            }
        };
        let operands = stack.split_off(stack.len().saturating_sub(count));
        let start = operands.first().map_or(at, |(start, _)| *start);
        // Only the condition of `if` makes it switch.
        let deciding = if kind == Some(Kind::Truth) { &operands[..1] } else { &operands[..] };
        let moves = deciding.iter().any(|(_, steps)| !steps);
        if let Some(kind) = kind.filter(|_| moves && count <= MAX_GUARDS) {
            found.push((at, kind, count));
        }
        let steps = matches!(op, Op::Binary(operator) if is_relation(*operator))
            || matches!(kind, Some(Kind::Sign | Kind::Floor | Kind::Ceil))
            || operands.iter().all(|(_, steps)| *steps);
        stack.push((start, steps));
    }
    found
}

fn is_relation(operator: BinaryOp) -> bool {
    use BinaryOp::{Equal, NotEqual};
    Kind::of_binary(operator).is_some() || matches!(operator, Equal | NotEqual)
}
