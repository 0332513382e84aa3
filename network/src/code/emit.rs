//! Instructions for expressions: each is computed once, where it is first needed, and branches only if taken.

use parser::syntax::BinaryOp;

use crate::code::compile::{Compiler, Instruction, Operation};
use crate::code::sums::factors;
use equations::expr::{ExprId, Node, VarId};

/// Conditions inside each other beyond these are computed with both branches: their depth follows the text.
const DEEPEST: usize = 8;

/// The branches around the present code: whether each is inside the iteration of its block, and what only
/// it computes.
#[derive(Default)]
pub(crate) struct Branches(Vec<(bool, Vec<ExprId>)>);

/// The places of expressions that have one.
#[derive(Default)]
pub(crate) struct Places(Vec<u32>);

impl Places {
    /// Stands for none.
    const NONE: u32 = u32::MAX;

    pub fn get(&self, id: ExprId) -> Option<u32> {
        self.0.get(id.0 as usize).copied().filter(|place| *place != Self::NONE)
    }

    pub fn has(&self, id: ExprId) -> bool {
        self.get(id).is_some()
    }

    fn insert(&mut self, id: ExprId, place: u32) {
        let index = id.0 as usize;
        if index >= self.0.len() {
            self.0.resize(index + 1, Self::NONE);
        }
        self.0[index] = place;
    }

    fn remove(&mut self, id: ExprId) {
        self.insert(id, Self::NONE);
    }
}

impl Compiler<'_> {
    /// Adds an instruction, inside the iteration of the block or before it.
    pub(crate) fn push(
        &mut self,
        inside: bool,
        operation: Operation,
        target: u32,
        operands: [u32; 3],
    ) {
        let instruction = Instruction { operation, target, operands };
        if inside { &mut self.inner } else { &mut self.code.instructions }.push(instruction);
    }

    /// The place of an expression; adds the code that computes it where that is not there yet.
    pub(crate) fn place(&mut self, root: ExprId) -> u32 {
        if let Some(place) = self.places.get(root) {
            return place;
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(root);
        while let Some(&id) = stack.last() {
            if self.places.has(id) {
                stack.pop();
                continue;
            }
            if let Some(place) = self.leaf(id) {
                self.places.insert(id, place);
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            if self.find_products(id) {
                stack.extend(factors(&self.sum.terms).filter(|id| !self.places.has(*id)));
                if stack.len() == waiting {
                    self.sum_up(id);
                    stack.pop();
                }
                continue;
            }
            let (operands, count) = self.arena.operands(id);
            let first = self.needed_first(id, &operands[..count]);
            stack.extend(first.iter().filter(|id| !self.places.has(**id)));
            if stack.len() > waiting {
                continue;
            }
            if first.len() < count {
                self.branch(id);
            } else {
                self.operation(id, operands, count);
            }
            stack.pop();
        }
        self.stack = stack;
        self.places.get(root).unwrap_or(0)
    }

    /// Computes the unknown of an explicit block, in its own place where the value is new.
    pub(crate) fn put(&mut self, value: ExprId, unknown: VarId) {
        let start = self.at();
        let place = self.place(value);
        let is_new = self.at() > start;
        match self.code.instructions.last_mut() {
            Some(last) if is_new && last.target == place => {
                last.target = unknown.0;
                self.places.insert(value, unknown.0);
            }
            _ => self.push(false, Operation::Move, unknown.0, [place; 3]),
        }
    }

    /// Computes an unknown that follows from others, inside the iteration if there is one.
    pub(crate) fn assign(&mut self, unknown: VarId, value: ExprId) {
        let place = self.place(value);
        self.push(self.in_newton, Operation::Move, unknown.0, [place; 3]);
    }

    /// Operands that are needed whatever a condition says.
    fn needed_first<'o>(&self, id: ExprId, operands: &'o [ExprId]) -> &'o [ExprId] {
        let first = match self.arena.node(id) {
            Node::IfPositive(..) => 1,
            Node::IfState(..) => 0,
            _ => return operands,
        };
        let at_hand = |id: &ExprId| self.places.has(*id) || self.arena.operands(*id).1 == 0;
        let is_short = operands[first..].iter().all(at_hand);
        if is_short || self.branches.0.len() >= DEEPEST { operands } else { &operands[..first] }
    }

    /// Variables, numbers and what comes from outside have their places already.
    fn leaf(&mut self, id: ExprId) -> Option<u32> {
        Some(match self.arena.node(id) {
            Node::Constant(bits) => {
                self.code.values.push(f64::from_bits(bits));
                self.code.values.len() as u32 - 1
            }
            Node::Time => self.code.time,
            Node::Variable(variable) => variable.0,
            Node::Input(input) => self.code.inputs + input,
            Node::State(switch) => self.code.states + switch,
            Node::Memory(register) => self.code.memory + register,
            _ => return None,
        })
    }

    fn operation(&mut self, id: ExprId, operands: [ExprId; 3], count: usize) {
        let places = operands.map(|operand| self.places.get(operand).unwrap_or(0));
        let (operation, places) = match self.arena.node(id) {
            Node::Negate(_) => (Operation::Negate, places),
            Node::Function(function, _) => (Operation::Function(function), places),
            Node::LimitedExp(_) => (Operation::LimitedExp, places),
            Node::Binary(BinaryOp::Add, ..) => (Operation::Add, places),
            Node::Binary(BinaryOp::Subtract, ..) => (Operation::Subtract, places),
            Node::Binary(BinaryOp::Multiply, ..) => (Operation::Multiply, places),
            Node::Binary(BinaryOp::Divide, ..) => (Operation::Divide, places),
            Node::Binary(operator, ..) => (Operation::Binary(operator), places),
            Node::Atan2(..) => (Operation::Atan2, places),
            Node::IfPositive(..) => (Operation::IfPositive, places),
            Node::IfState(switch, state, ..) => {
                let switch = self.code.states + switch;
                (Operation::IfState(state), [switch, places[0], places[1]])
            }
            _ => (Operation::Move, places),
        };
        let inside = self.in_newton && operands[..count].iter().any(|&id| self.is_inside(id));
        let target = self.new_place(id, inside);
        self.push(inside, operation, target, places);
    }

    /// A place for what an expression gives; it is forgotten at the end of the branch that computes it.
    pub(crate) fn new_place(&mut self, id: ExprId, inside: bool) -> u32 {
        self.code.values.push(0.0);
        let target = self.code.values.len() as u32 - 1;
        self.places.insert(id, target);
        if inside {
            self.depends.insert(id, true);
        }
        let around = self.branches.0.iter_mut().rev().find(|(kind, _)| *kind == inside);
        if let Some((_, own)) = around {
            own.push(id);
        }
        target
    }

    /// A condition of which only the branch that is taken is computed.
    fn branch(&mut self, id: ExprId) {
        let (operation, test, branches) = match self.arena.node(id) {
            Node::IfPositive(condition, yes, no) => {
                let test = self.places.get(condition).unwrap_or(0);
                (Operation::UnlessPositive, test, [yes, no])
            }
            Node::IfState(switch, state, yes, no) => {
                (Operation::UnlessState(state), self.code.states + switch, [yes, no])
            }
            _ => return,
        };
        let mut inside = false;
        if self.in_newton {
            let columns = &self.columns;
            self.arena.variables(id, &mut self.walks.marks, |variable| {
                inside |= columns[variable.index()] != crate::code::compile::NO_COLUMN;
            });
        }
        self.code.values.push(0.0);
        let target = self.code.values.len() as u32 - 1;
        let mut jump = (operation, test);
        for (number, branch) in branches.into_iter().enumerate() {
            let start = self.stream(inside).len();
            if number == 0 {
                self.push(inside, jump.0, target, [jump.1, 0, 0]);
            }
            self.branches.0.push((inside, Vec::new()));
            let value = self.place(branch);
            self.push(inside, Operation::Move, target, [value; 3]);
            for own in self.branches.0.pop().map_or_else(Vec::new, |(_, own)| own) {
                self.places.remove(own);
            }
            if number == 0 {
                // At its end the first branch passes over the second.
                jump = (Operation::Skip, 0);
                self.push(inside, jump.0, target, [0; 3]);
            }
            let end = self.stream(inside).len();
            let from = if number == 0 { start } else { start - 1 };
            let count = (end - from - 1) as u32;
            self.stream(inside)[from].operands[1] = count;
        }
        let own = self.new_place(id, inside);
        self.push(inside, Operation::Move, own, [target; 3]);
    }

    fn stream(&mut self, inside: bool) -> &mut Vec<Instruction> {
        if inside { &mut self.inner } else { &mut self.code.instructions }
    }

    /// Does an expression that has its place change in the iteration?
    fn is_inside(&self, id: ExprId) -> bool {
        match self.arena.node(id) {
            Node::Variable(variable) => self.column(variable).is_some(),
            _ => self.depends.get(&id).copied().unwrap_or(false),
        }
    }
}
