//! Arguments of exponential functions inside an iteration, which limit its steps.
//!
//! An argument that a single unknown gives, as the voltage of a junction does, limits the step of this unknown alone, as in
//! SPICE (Nagel, SPICE2, 1975): the equations that tie the unknown to others are linear, so the next pass puts it right. Any
//! other argument limits the step of all.

use rustc_hash::FxHashMap;

use crate::code::block_compiler::{Instruction, Operation};
use equations::expr::VarId;

/// The argument of an exponential function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exponent {
    /// Where it stands.
    pub place: u32,
    /// The only unknown on which it depends, by its number, if it does so as a straight line.
    pub unknown: Option<u32>,
}

/// What a number depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dependence {
    /// No unknown.
    Nothing,
    /// A straight line over one unknown.
    One(u32),
    /// Anything else.
    Other,
}

impl Dependence {
    fn of_sum(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, one) | (one, Self::Nothing) => one,
            (a, b) if a == b => a,
            _ => Self::Other,
        }
    }

    fn of_product(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, one) | (one, Self::Nothing) => one,
            _ => Self::Other,
        }
    }

    fn of_any(self, other: Self) -> Self {
        if self == other && self == Self::Nothing { self } else { Self::Other }
    }
}

/// Finds the exponents of the code inside an iteration for these unknowns.
pub(crate) fn find(inner: &[Instruction], solved: &[VarId]) -> Vec<Exponent> {
    let unknowns =
        solved.iter().enumerate().map(|(k, unknown)| (unknown.0, Dependence::One(k as u32)));
    let mut known: FxHashMap<u32, Dependence> = unknowns.collect();
    let mut found = Vec::new();
    for instruction in inner.iter().filter(|instruction| !instruction.jumps()) {
        let Instruction { operation, target, operands } = instruction;
        let [a, b, c] = operands.map(|place| *known.get(&place).unwrap_or(&Dependence::Nothing));
        let own = match operation {
            Operation::Move | Operation::Negate => a,
            Operation::Add | Operation::Subtract => a.of_sum(b),
            Operation::Multiply => a.of_product(b),
            Operation::Divide if b == Dependence::Nothing => a,
            Operation::Function(_) => a.of_any(a),
            Operation::IfState(_) | Operation::IfPositive => a.of_any(b).of_any(c),
            Operation::LimitedExp => {
                let unknown = if let Dependence::One(unknown) = a { Some(unknown) } else { None };
                found.push(Exponent { place: operands[0], unknown });
                a.of_any(a)
            }
            _ => a.of_any(b),
        };
        // What several branches write is one thing or the other.
        let before = known.insert(*target, own);
        if before.is_some_and(|before| before != own) {
            known.insert(*target, Dependence::Other);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instruction(operation: Operation, target: u32, operands: [u32; 3]) -> Instruction {
        Instruction { operation, target, operands }
    }

    /// Unknowns stand at 0 and 1, a number at 2.
    #[test]
    fn junctions_are_told_from_sums() {
        let inner = [
            instruction(Operation::Divide, 10, [0, 2, 0]),
            instruction(Operation::LimitedExp, 11, [10, 10, 10]),
            instruction(Operation::Subtract, 12, [0, 1, 0]),
            instruction(Operation::LimitedExp, 13, [12, 12, 12]),
            instruction(Operation::Add, 14, [1, 2, 0]),
            instruction(Operation::Negate, 15, [14, 14, 14]),
            instruction(Operation::LimitedExp, 16, [15, 15, 15]),
            instruction(Operation::Multiply, 17, [1, 1, 0]),
            instruction(Operation::LimitedExp, 18, [17, 17, 17]),
        ];
        let found = find(&inner, &[VarId(0), VarId(1)]);
        let unknowns: Vec<Option<u32>> = found.iter().map(|exponent| exponent.unknown).collect();
        assert_eq!(unknowns, [Some(0), None, Some(1), None]);
    }
}
