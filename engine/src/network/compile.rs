//! Pass 8: blocks of equations as code that runs without allocating.
//!
//! Every expression has a place in one array of numbers, and is computed where it is first needed. A block with
//! one unknown that occurs linearly is solved symbolically; a linear one with several by factors of its
//! matrix, which are kept while the matrix stays the same; any other by Newton's iteration with derivatives
//! of the expressions themselves.

use std::ops::Range;

use parser::syntax::BinaryOp;
use rustc_hash::FxHashMap;

use super::alias::variables_of;
use super::derive::partial;
use super::expr::{Arena, ExprId, Marks, Node, VarId};
use super::structure::Structure;
use crate::linear::SparseLu;

/// Stands for a variable that is no unknown of the present block.
const NO_COLUMN: u32 = u32::MAX;

/// One operation of the code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    pub operation: Operation,
    pub target: u32,
    pub operands: [u32; 3],
}

/// What an instruction does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Move,
    Negate,
    Function(u16),
    LimitedExp,
    Binary(BinaryOp),
    Atan2,
    IfPositive,
    /// The first operand is the state.
    IfState(i32),
}

/// When a block is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For derivatives.
    Rates,
    /// For guards.
    Guards,
    /// For results only.
    Results,
}

/// All levels in order.
pub(crate) const LEVELS: [Level; 3] = [Level::Rates, Level::Guards, Level::Results];

/// A block of equations.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Its equations.
    pub equations: Vec<usize>,
    /// Its unknowns: places and variables.
    pub unknowns: Vec<VarId>,
    pub kind: BlockKind,
}

impl Block {
    /// The code of the block, and for several unknowns the places that their values depend on.
    pub fn ranges(&self, code: &Code) -> (Vec<Range<u32>>, Vec<u32>) {
        match &self.kind {
            BlockKind::Explicit { code } => (vec![code.clone()], Vec::new()),
            BlockKind::Linear { code: range, system, right } => {
                let entries = code.systems[*system].places.iter();
                (vec![range.clone()], entries.chain(right).copied().collect())
            }
            BlockKind::Newton(newton) => {
                let entries = code.systems[newton.system].places.iter();
                let results = entries.chain(&newton.residuals).copied().collect();
                (vec![newton.before.clone(), newton.inner.clone()], results)
            }
        }
    }
}

/// How a block is solved.
#[derive(Clone, Debug)]
pub(crate) enum BlockKind {
    /// The code ends with the value of the unknown.
    Explicit { code: Range<u32> },
    /// `matrix x = right`.
    Linear { code: Range<u32>, system: usize, right: Vec<u32> },
    /// By iteration.
    Newton(Newton),
}

/// What Newton's iteration of a block needs.
#[derive(Clone, Debug)]
pub(crate) struct Newton {
    /// Code that does not depend on the unknowns.
    pub before: Range<u32>,
    /// Code that does.
    pub inner: Range<u32>,
    pub system: usize,
    pub residuals: Vec<u32>,
    /// Places of the arguments of exponential functions.
    pub exponents: Vec<u32>,
}

/// A matrix with the places of its entries.
#[derive(Clone, Debug)]
pub(crate) struct MatrixPlaces {
    pub lu: SparseLu<f64>,
    pub places: Vec<u32>,
}

/// The code of a system of equations.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub instructions: Vec<Instruction>,
    pub blocks: Vec<Block>,
    /// Blocks up to here are needed for each level.
    pub ends: [usize; 3],
    /// Code of the asked expressions behind the blocks of each level.
    pub tails: [Range<u32>; 3],
    pub systems: Vec<MatrixPlaces>,
    /// First values of all places.
    pub values: Vec<f64>,
    pub time: u32,
    pub inputs: u32,
    pub states: u32,
    pub memory: u32,
    /// Places of the asked expressions of each level.
    pub asked: [Vec<u32>; 3],
}

/// What the code is made from.
pub(crate) struct Plan<'a> {
    pub structure: &'a Structure,
    pub blocks: &'a [Vec<usize>],
    pub n_variables: usize,
    pub n_inputs: usize,
    pub n_states: usize,
    pub n_memory: usize,
    /// Expressions that are wanted at each level.
    pub asked: [&'a [ExprId]; 3],
}

struct Compiler<'a> {
    arena: &'a mut Arena,
    code: Code,
    places: FxHashMap<ExprId, u32>,
    /// Does an expression depend on the unknowns of the present block?
    depends: FxHashMap<ExprId, bool>,
    /// Place of each variable among the unknowns of the present block.
    columns: Vec<u32>,
    /// Code inside the iteration of the present block.
    inner: Vec<Instruction>,
    in_newton: bool,
    marks: Marks,
}

/// Compiles the blocks in order.
pub(crate) fn compile(arena: &mut Arena, plan: &Plan<'_>) -> Code {
    let time = plan.n_variables as u32;
    let inputs = time + 1;
    let states = inputs + plan.n_inputs as u32;
    let memory = states + plan.n_states as u32;
    let count = memory as usize + plan.n_memory;
    let code = Code {
        instructions: Vec::new(),
        blocks: Vec::with_capacity(plan.blocks.len()),
        ends: [0; 3],
        tails: [0..0, 0..0, 0..0],
        systems: Vec::new(),
        values: vec![0.0; count],
        time,
        inputs,
        states,
        memory,
        asked: Default::default(),
    };
    let mut compiler = Compiler {
        arena,
        code,
        places: FxHashMap::default(),
        depends: FxHashMap::default(),
        columns: vec![NO_COLUMN; plan.n_variables],
        inner: Vec::new(),
        in_newton: false,
        marks: Marks::default(),
    };
    let levels = compiler.levels(plan);
    for (number, level) in LEVELS.into_iter().enumerate() {
        for (block, _) in plan.blocks.iter().zip(&levels).filter(|(_, own)| **own == level) {
            compiler.block(plan.structure, block);
        }
        compiler.code.ends[number] = compiler.code.blocks.len();
        let start = compiler.at();
        let asked = plan.asked[number].iter().map(|&root| compiler.place(root)).collect();
        compiler.code.asked[number] = asked;
        compiler.code.tails[number] = start..compiler.at();
    }
    compiler.code
}

impl Compiler<'_> {
    fn at(&self) -> u32 {
        self.code.instructions.len() as u32
    }

    /// When each block is needed: backwards from the asked expressions.
    fn levels(&mut self, plan: &Plan<'_>) -> Vec<Level> {
        let mut block_of: Vec<Option<usize>> = vec![None; plan.n_variables];
        for (number, block) in plan.blocks.iter().enumerate() {
            for &equation in block {
                if let Some(variable) = plan.structure.solves[equation] {
                    block_of[variable.index()] = Some(number);
                }
            }
        }
        let mut levels = vec![Level::Results; plan.blocks.len()];
        for (number, level) in LEVELS.into_iter().enumerate().take(2) {
            let mut wanted = variables_of(self.arena, plan.asked[number], &mut self.marks);
            while let Some(variable) = wanted.pop() {
                let Some(block) = block_of[variable.index()] else { continue };
                if levels[block] != Level::Results {
                    continue;
                }
                levels[block] = level;
                for &equation in &plan.blocks[block] {
                    wanted.extend(&plan.structure.incidence[equation]);
                }
            }
        }
        levels
    }

    fn block(&mut self, structure: &Structure, equations: &[usize]) {
        let unknowns: Vec<VarId> =
            equations.iter().filter_map(|&equation| structure.solves[equation]).collect();
        for (column, variable) in unknowns.iter().enumerate() {
            self.columns[variable.index()] = column as u32;
        }
        let terms = |equation: usize| structure.equations[equation].terms.as_slice();
        let rows: Vec<Vec<(usize, ExprId)>> =
            equations.iter().map(|&equation| self.slopes(terms(equation))).collect();
        let mut linear = true;
        for (_, slope) in rows.iter().flatten() {
            let used = variables_of(self.arena, &[*slope], &mut self.marks);
            linear &= used.iter().all(|&variable| self.column(variable).is_none());
        }
        let kind = match (linear, &rows[..]) {
            (true, [row]) => {
                let slope = row.first().map(|(_, slope)| *slope);
                self.explicit(terms(equations[0]), unknowns[0], slope)
            }
            (true, _) => {
                self.linear(&equations.iter().map(|&e| terms(e)).collect::<Vec<_>>(), &rows)
            }
            (false, _) => {
                let sums: Vec<ExprId> =
                    equations.iter().map(|&equation| self.sum(terms(equation))).collect();
                self.newton(&sums, &rows)
            }
        };
        for variable in &unknowns {
            self.columns[variable.index()] = NO_COLUMN;
        }
        self.code.blocks.push(Block { equations: equations.to_vec(), unknowns, kind });
    }

    fn column(&self, variable: VarId) -> Option<usize> {
        let column = self.columns[variable.index()];
        (column != NO_COLUMN).then_some(column as usize)
    }

    fn sum(&mut self, terms: &[ExprId]) -> ExprId {
        let zero = self.arena.constant(0.0);
        terms.iter().fold(zero, |sum, &term| self.arena.binary(BinaryOp::Add, sum, term))
    }

    /// Derivatives of a sum with respect to the unknowns that occur in it.
    fn slopes(&mut self, terms: &[ExprId]) -> Vec<(usize, ExprId)> {
        let mut row: Vec<(usize, ExprId)> = Vec::new();
        for &term in terms {
            for variable in variables_of(self.arena, &[term], &mut self.marks) {
                let Some(column) = self.column(variable) else { continue };
                let slope = partial(self.arena, term, variable);
                match row.iter_mut().find(|(known, _)| *known == column) {
                    Some((_, sum)) => *sum = self.arena.binary(BinaryOp::Add, *sum, slope),
                    None => row.push((column, slope)),
                }
            }
        }
        let zero = self.arena.constant(0.0);
        row.retain(|(_, slope)| *slope != zero);
        row
    }

    /// The sum of the terms with the unknowns set to zero.
    fn rest(&mut self, terms: &[ExprId]) -> ExprId {
        let zero = self.arena.constant(0.0);
        let columns = &self.columns;
        let mut done = FxHashMap::default();
        let mut sum = zero;
        for &term in terms {
            let rest = self.arena.rewrite(term, &mut done, |arena, id| match arena.node(id) {
                Node::Variable(variable) => {
                    Some(if columns[variable.index()] == NO_COLUMN { id } else { zero })
                }
                _ => None,
            });
            sum = self.arena.binary(BinaryOp::Add, sum, rest);
        }
        sum
    }

    fn explicit(&mut self, terms: &[ExprId], unknown: VarId, slope: Option<ExprId>) -> BlockKind {
        let start = self.at();
        let rest = self.rest(terms);
        let slope = slope.unwrap_or_else(|| self.arena.constant(0.0));
        let value = match self.arena.value(slope) {
            Some(-1.0) => rest,
            Some(1.0) => self.arena.make(Node::Negate(rest)),
            _ => {
                let quotient = self.arena.binary(BinaryOp::Divide, rest, slope);
                self.arena.make(Node::Negate(quotient))
            }
        };
        let place = self.place(value);
        self.emit(Operation::Move, unknown.0, [place; 3]);
        BlockKind::Explicit { code: start..self.at() }
    }

    fn linear(&mut self, terms: &[&[ExprId]], rows: &[Vec<(usize, ExprId)>]) -> BlockKind {
        let start = self.at();
        let mut right = Vec::with_capacity(terms.len());
        for terms in terms {
            let rest = self.rest(terms);
            let negative = self.arena.make(Node::Negate(rest));
            right.push(self.place(negative));
        }
        let system = self.matrix(rows);
        BlockKind::Linear { code: start..self.at(), system, right }
    }

    /// A matrix with the code of its entries; gives its number.
    fn matrix(&mut self, rows: &[Vec<(usize, ExprId)>]) -> usize {
        let mut columns: Vec<Vec<(u32, ExprId)>> = vec![Vec::new(); rows.len()];
        for (row, entries) in rows.iter().enumerate() {
            for &(column, slope) in entries {
                columns[column].push((row as u32, slope));
            }
        }
        let pattern: Vec<Vec<u32>> =
            columns.iter().map(|column| column.iter().map(|(row, _)| *row).collect()).collect();
        let places = columns.iter().flatten().map(|&(_, slope)| self.place(slope)).collect();
        self.code.systems.push(MatrixPlaces { lu: SparseLu::new(&pattern), places });
        self.code.systems.len() - 1
    }

    fn newton(&mut self, sums: &[ExprId], rows: &[Vec<(usize, ExprId)>]) -> BlockKind {
        let start = self.at();
        self.depends.clear();
        self.in_newton = true;
        let residuals = sums.iter().map(|&sum| self.place(sum)).collect();
        let system = self.matrix(rows);
        self.in_newton = false;
        let before = start..self.at();
        let inner = std::mem::take(&mut self.inner);
        let exponents = inner
            .iter()
            .filter(|instruction| matches!(instruction.operation, Operation::LimitedExp))
            .map(|instruction| instruction.operands[0])
            .collect();
        self.code.instructions.extend(inner);
        let inner = before.end..self.at();
        BlockKind::Newton(Newton { before, inner, system, residuals, exponents })
    }

    fn emit(&mut self, operation: Operation, target: u32, operands: [u32; 3]) {
        self.code.instructions.push(Instruction { operation, target, operands });
    }

    /// The place of an expression; adds the code that computes it where that is not there yet.
    fn place(&mut self, root: ExprId) -> u32 {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.places.contains_key(&id) {
                stack.pop();
                continue;
            }
            if let Some(place) = self.leaf(id) {
                self.places.insert(id, place);
                stack.pop();
                continue;
            }
            let (operands, count) = self.arena.operands(id);
            let waiting = stack.len();
            stack.extend(operands[..count].iter().filter(|id| !self.places.contains_key(id)));
            if stack.len() > waiting {
                continue;
            }
            self.operation(id, operands, count);
            stack.pop();
        }
        self.places.get(&root).copied().unwrap_or(0)
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
        let places = operands.map(|operand| self.places.get(&operand).copied().unwrap_or(0));
        let (operation, places) = match self.arena.node(id) {
            Node::Negate(_) => (Operation::Negate, places),
            Node::Function(function, _) => (Operation::Function(function), places),
            Node::LimitedExp(_) => (Operation::LimitedExp, places),
            Node::Binary(operator, ..) => (Operation::Binary(operator), places),
            Node::Atan2(..) => (Operation::Atan2, places),
            Node::IfPositive(..) => (Operation::IfPositive, places),
            Node::IfState(switch, state, ..) => {
                let switch = self.code.states + switch;
                (Operation::IfState(state), [switch, places[0], places[1]])
            }
            _ => (Operation::Move, places),
        };
        self.code.values.push(0.0);
        let target = self.code.values.len() as u32 - 1;
        self.places.insert(id, target);
        let inside = self.in_newton && operands[..count].iter().any(|&id| self.is_inside(id));
        if inside {
            self.depends.insert(id, true);
            self.inner.push(Instruction { operation, target, operands: places });
        } else {
            self.emit(operation, target, places);
        }
    }

    /// Does an expression that has its place change in the iteration?
    fn is_inside(&self, id: ExprId) -> bool {
        match self.arena.node(id) {
            Node::Variable(variable) => self.column(variable).is_some(),
            _ => self.depends.get(&id).copied().unwrap_or(false),
        }
    }
}
