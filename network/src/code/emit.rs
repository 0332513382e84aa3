//! Instructions for expressions: each expression is computed once, where it is first needed; of a condition only the branch that
//! is taken.

use parser::syntax::BinaryOp;
use rustc_hash::FxHashMap;

use crate::code::block_compiler::{Code, Instruction, Operation};
use crate::code::sums::{Sum, factors};
use equations::expr::{Arena, ExprId, Node, VarId};
use equations::walk::Walks;

/// Conditions nested deeper than this are computed with both branches, because the depth follows the text of the model.
const DEEPEST: usize = 8;

/// A branch around the present code.
struct Branch {
    /// Is it inside the iteration of its block?
    inside: bool,
    /// Expressions that only this branch computes.
    own: Vec<ExprId>,
}

/// The places of expressions that have one.
#[derive(Default)]
pub(crate) struct Places(Vec<u32>);

impl Places {
    /// Stands for an expression without a place.
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

/// Stands for a variable that is no unknown of the present block.
pub(crate) const NO_COLUMN: u32 = u32::MAX;

/// Makes code of expressions.
pub(crate) struct Emitter<'a> {
    pub(super) arena: &'a mut Arena,
    pub(super) code: Code,
    pub(super) places: Places,
    /// Does an expression depend on the unknowns of the present block?
    pub(super) depends: FxHashMap<ExprId, bool>,
    /// Place of each variable among the unknowns of the present block.
    pub(super) columns: Vec<u32>,
    /// Code inside the iteration of the present block.
    pub(super) inner: Vec<Instruction>,
    pub(super) in_newton: bool,
    pub(super) walks: &'a mut Walks,
    /// Branches around the present code, the innermost last.
    branches: Vec<Branch>,
    /// Expressions that wait for their operands.
    stack: Vec<ExprId>,
    /// The sum at hand.
    pub(super) sum: Sum,
}

impl<'a> Emitter<'a> {
    /// Adds to a code that has no instructions yet.
    pub fn new(arena: &'a mut Arena, code: Code, n_variables: usize, walks: &'a mut Walks) -> Self {
        Self {
            arena,
            code,
            places: Places::default(),
            depends: FxHashMap::default(),
            columns: vec![NO_COLUMN; n_variables],
            inner: Vec::new(),
            in_newton: false,
            walks,
            branches: Vec::new(),
            stack: Vec::new(),
            sum: Sum::default(),
        }
    }

    /// The number of the next instruction.
    pub fn at(&self) -> u32 {
        self.code.instructions.len() as u32
    }

    /// The place of a variable among the unknowns of the present block.
    pub fn column(&self, variable: VarId) -> Option<usize> {
        let column = self.columns[variable.index()];
        (column != NO_COLUMN).then_some(column as usize)
    }

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
        // An expression stays on the stack until all its operands have places.
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
            // A sum waits for the factors of its terms.
            let waiting = stack.len();
            if self.find_products(id) {
                stack.extend(factors(&self.sum.terms).filter(|id| !self.places.has(*id)));
                if stack.len() == waiting {
                    self.sum_up(id);
                    stack.pop();
                }
                continue;
            }
            // Any other operation waits for its operands, a condition only for its test.
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
        if is_short || self.branches.len() >= DEEPEST { operands } else { &operands[..first] }
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

    /// One instruction for an operation whose operands have places.
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

    /// A place for the value of an expression. At the end of the branch that computes the value the place is forgotten.
    pub(crate) fn new_place(&mut self, id: ExprId, inside: bool) -> u32 {
        self.code.values.push(0.0);
        let target = self.code.values.len() as u32 - 1;
        self.places.insert(id, target);
        if inside {
            self.depends.insert(id, true);
        }
        let around = self.branches.iter_mut().rev().find(|branch| branch.inside == inside);
        if let Some(branch) = around {
            branch.own.push(id);
        }
        target
    }

    /// Code for a condition that passes over the branch that is not taken.
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
        // Code that depends on unknowns of the block belongs into the iteration.
        let mut inside = false;
        if self.in_newton {
            let columns = &self.columns;
            self.arena.variables(id, &mut self.walks.marks, |variable| {
                inside |= columns[variable.index()] != NO_COLUMN;
            });
        }
        self.code.values.push(0.0);
        let target = self.code.values.len() as u32 - 1;
        for (number, branch) in branches.into_iter().enumerate() {
            let start = self.stream(inside).len();
            // The jump over the first branch; its length is known at the end of the branch.
            if number == 0 {
                self.push(inside, operation, target, [test, 0, 0]);
            }
            self.branches.push(Branch { inside, own: Vec::new() });
            let value = self.place(branch);
            self.push(inside, Operation::Move, target, [value; 3]);
            // Whatever this branch computes is unknown where it is not taken.
            for own in self.branches.pop().map_or_else(Vec::new, |branch| branch.own) {
                self.places.remove(own);
            }
            if number == 0 {
                // At its end the first branch passes over the second.
                self.push(inside, Operation::Skip, target, [0; 3]);
            }
            // The jump at the beginning of the branch gets its length.
            let end = self.stream(inside).len();
            let from = if number == 0 { start } else { start - 1 };
            let count = (end - from - 1) as u32;
            self.stream(inside)[from].operands[1] = count;
        }
        let own = self.new_place(id, inside);
        self.push(inside, Operation::Move, own, [target; 3]);
    }

    /// The instructions inside the iteration of the block, or before it.
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
