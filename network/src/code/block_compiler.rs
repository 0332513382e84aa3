//! Pass 8: blocks of equations as code that runs without allocating.
//!
//! Every expression has a place in one array of numbers, and is computed where it is first needed. A block with
//! one unknown that occurs linearly is solved symbolically; a linear one with several by factors of its
//! matrix, which are kept while the matrix stays the same; any other by Newton's iteration with derivatives
//! of the expressions themselves.

use std::ops::Range;

use parser::syntax::BinaryOp;
use rustc_hash::FxHashMap;

use crate::code::affine::{self, Replaced};
use crate::code::emit::{Emitter, NO_COLUMN};
use crate::code::exponents::{self, Exponent};
use crate::code::stretch::Stretch;
use crate::code::sums::Term;
use crate::code::torn::Torn;
use crate::passes::equation_structure::Structure;
use crate::passes::linear_form::variables_of;
use crate::passes::loop_tearing::Tearing;
use equations::expr::{Arena, ExprId, Node, VarId};
use equations::walk::Walks;

/// The unknowns of an equation, by their place in the block, with its derivatives.
pub(crate) type Slopes = Vec<(usize, ExprId)>;

/// One operation of the code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    pub operation: Operation,
    pub target: u32,
    pub operands: [u32; 3],
}

/// The operation of an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Move,
    Negate,
    Function(u16),
    LimitedExp,
    Add,
    Subtract,
    Multiply,
    Divide,
    /// Any other operator.
    Binary(BinaryOp),
    Atan2,
    IfPositive,
    /// The first operand is the state.
    IfState(i32),
    /// The sum of as many terms as the second operand says, from the one that the first names.
    Sum,
    /// Passes over as many instructions as the second operand says, unless the first is positive.
    UnlessPositive,
    /// Passes over as many instructions as the second operand says, unless the first is this state.
    UnlessState(i32),
    /// Passes over as many instructions as the first operand says.
    Skip,
}

/// The occasion at which a block is needed, from the most frequent to the rarest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For the forces of the mechanics, before its accelerations are known.
    Forces,
    /// For forces that depend on accelerations, where these are numbers from outside (`open_ports.rs`).
    Drives,
    /// For derivatives.
    Rates,
    /// For guards whose roots are searched for.
    Guards,
    /// For all other values that events need.
    Events,
    /// For results only.
    Results,
}

/// Number of levels.
pub(crate) const N_LEVELS: usize = 6;

/// All levels in order.
pub(crate) const LEVELS: [Level; N_LEVELS] =
    [Level::Forces, Level::Drives, Level::Rates, Level::Guards, Level::Events, Level::Results];

/// A guard of a mode whose root is searched for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModeGuard {
    /// Its number among all guards of modes.
    pub number: usize,
    pub mode: usize,
    /// It is watched while the mode has this value.
    pub from: i8,
}

/// A block of equations.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Its equations.
    pub equations: Vec<usize>,
    /// Its unknowns: places and variables.
    pub unknowns: Vec<VarId>,
    pub kind: BlockKind,
    /// The tearing, if the block is torn.
    pub tearing: Option<Tearing>,
}

impl Instruction {
    /// Does the instruction pass over others?
    pub fn jumps(&self) -> bool {
        use Operation::{Skip, UnlessPositive, UnlessState};
        matches!(self.operation, UnlessPositive | UnlessState(_) | Skip)
    }
}

impl Code {
    /// Is a block solved by iteration?
    pub fn iterates(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block.kind, BlockKind::Newton(_)))
    }

    /// The places that an instruction reads.
    pub fn for_each_read(&self, instruction: &Instruction, mut read: impl FnMut(u32)) {
        let [a, b, c] = instruction.operands;
        match instruction.operation {
            Operation::Sum => {
                let terms = &self.terms[a as usize..(a + b) as usize];
                terms.iter().flat_map(|term| term.places).for_each(read);
            }
            Operation::Skip => {}
            Operation::Move
            | Operation::Negate
            | Operation::Function(_)
            | Operation::LimitedExp
            | Operation::UnlessPositive
            | Operation::UnlessState(_) => read(a),
            Operation::Add
            | Operation::Subtract
            | Operation::Multiply
            | Operation::Divide
            | Operation::Binary(_)
            | Operation::Atan2 => [a, b].into_iter().for_each(read),
            Operation::IfPositive | Operation::IfState(_) => [a, b, c].into_iter().for_each(read),
        }
    }

    /// Guards of modes that are searched for, with the places of their values.
    pub fn searched_guards(&self) -> impl Iterator<Item = (ModeGuard, u32)> + '_ {
        self.guards.iter().copied().zip(self.asked(Level::Guards).iter().copied())
    }

    /// The places of the expressions that a level computes.
    pub fn asked(&self, level: Level) -> &[u32] {
        &self.asked[level as usize]
    }
}

impl Block {
    /// The unknowns that a linear system or an iteration gives; the others follow.
    pub fn solved(&self) -> &[VarId] {
        match &self.kind {
            BlockKind::Explicit { .. } => &self.unknowns,
            BlockKind::Linear(linear) => &linear.solved,
            BlockKind::Newton(newton) => &newton.solved,
        }
    }

    /// The code of the block, and for several unknowns the places that their values depend on.
    pub fn ranges(&self, code: &Code) -> (Vec<Range<u32>>, Vec<u32>) {
        match &self.kind {
            BlockKind::Explicit { code } => (vec![code.clone()], Vec::new()),
            BlockKind::Linear(linear) => {
                let entries = code.systems[linear.system].places.iter();
                (vec![linear.code.clone()], entries.chain(&linear.right).copied().collect())
            }
            BlockKind::Newton(newton) => {
                let entries = code.systems[newton.system].places.iter();
                let results = entries.chain(&newton.residuals).copied().collect();
                (vec![newton.before.clone(), newton.inner.clone()], results)
            }
        }
    }
}

/// The way in which a block is solved.
#[derive(Clone, Debug)]
pub(crate) enum BlockKind {
    /// The code ends with the value of the unknown.
    Explicit { code: Range<u32> },
    /// `matrix x = right`.
    Linear(Linear),
    /// By iteration.
    Newton(Newton),
}

/// A linear block: `matrix x = right`.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    /// Code of the entries and of the right-hand side.
    pub code: Range<u32>,
    pub system: usize,
    pub right: Vec<u32>,
    /// The unknowns of the system.
    pub solved: Vec<VarId>,
    /// Code of the unknowns that follow from these.
    pub after: Range<u32>,
}

/// A block that is solved by Newton's iteration.
#[derive(Clone, Debug)]
pub(crate) struct Newton {
    /// Code that does not depend on the unknowns.
    pub before: Range<u32>,
    /// Code that depends on the unknowns.
    pub inner: Range<u32>,
    pub system: usize,
    pub residuals: Vec<u32>,
    /// The unknowns that the iteration varies.
    pub solved: Vec<VarId>,
    /// The arguments of exponential functions, which limit its steps.
    pub exponents: Vec<Exponent>,
}

/// The pattern of a matrix and the places of its entries. The factors change and belong to the values of a run.
#[derive(Clone, Debug)]
pub(crate) struct MatrixPlaces {
    /// Rows of the entries of each column.
    pub columns: Vec<Vec<u32>>,
    /// The place of each entry, column by column.
    pub places: Vec<u32>,
}

/// The code of a system of equations.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub instructions: Vec<Instruction>,
    pub blocks: Vec<Block>,
    /// Blocks up to here are needed for each level.
    pub ends: [usize; N_LEVELS],
    /// Code of the asked expressions behind the blocks of each level.
    pub tails: [Range<u32>; N_LEVELS],
    pub systems: Vec<MatrixPlaces>,
    /// Terms of sums.
    pub terms: Vec<Term>,
    /// A place that holds one.
    pub one: u32,
    /// Blocks that run in one go.
    pub stretches: Vec<Stretch>,
    /// Stretches up to here are needed for each level.
    pub stretch_ends: [usize; N_LEVELS],
    /// First values of all places.
    pub values: Vec<f64>,
    pub time: u32,
    pub inputs: u32,
    pub states: u32,
    pub memory: u32,
    /// Places of the asked expressions of each level.
    pub asked: [Vec<u32>; N_LEVELS],
    /// The first expressions that the level of guards is asked for: guards of modes.
    pub guards: Vec<ModeGuard>,
}

/// The task of the compiler: sorted equations, and the expressions that each level asks for.
pub(crate) struct Plan<'a> {
    pub structure: &'a Structure,
    pub blocks: &'a [Vec<usize>],
    pub n_variables: usize,
    pub n_inputs: usize,
    pub n_states: usize,
    pub n_memory: usize,
    /// Expressions that are wanted at each level.
    pub asked: &'a [Vec<ExprId>; N_LEVELS],
    /// Guards of modes, with which the expressions of the level of guards begin.
    pub guards: Vec<ModeGuard>,
    /// For each variable: does it wait for accelerations? Nothing where none does.
    pub late: &'a [bool],
    /// Are loops torn?
    pub tears: bool,
}

/// Makes code of blocks of equations.
pub(crate) struct Compiler<'a> {
    /// Makes code of expressions.
    pub(super) emitter: Emitter<'a>,
    /// Buffer for the variables of a term.
    pub(super) found: Vec<VarId>,
}

/// Compiles the blocks in order.
pub(crate) fn compile(arena: &mut Arena, plan: &Plan<'_>, walks: &mut Walks) -> Code {
    let time = plan.n_variables as u32;
    let inputs = time + 1;
    let states = inputs + plan.n_inputs as u32;
    let memory = states + plan.n_states as u32;
    let one = memory + plan.n_memory as u32;
    let mut values = vec![0.0; one as usize + 1];
    values[one as usize] = 1.0;
    let code = Code {
        instructions: Vec::new(),
        blocks: Vec::with_capacity(plan.blocks.len()),
        ends: [0; N_LEVELS],
        tails: Default::default(),
        systems: Vec::new(),
        terms: Vec::new(),
        one,
        stretches: Vec::new(),
        stretch_ends: [0; N_LEVELS],
        values,
        time,
        inputs,
        states,
        memory,
        asked: Default::default(),
        guards: plan.guards.clone(),
    };
    let emitter = Emitter::new(arena, code, plan.n_variables, walks);
    let (structure, marks) = (plan.structure, &mut emitter.walks.marks);
    let replaced = affine::replace(emitter.arena, structure, plan.blocks, plan.n_variables, marks);
    let mut compiler = Compiler { emitter, found: Vec::new() };
    let levels = compiler.levels(plan, &replaced);
    for (number, level) in LEVELS.into_iter().enumerate() {
        for (block, _) in plan.blocks.iter().zip(&levels).filter(|(_, own)| **own == level) {
            compiler.block(plan.structure, &replaced, block, plan.tears);
        }
        let emitter = &mut compiler.emitter;
        emitter.code.ends[number] = emitter.code.blocks.len();
        emitter.code.add_stretches(number);
        // The asked expressions of the level, from the values that its blocks give.
        let start = emitter.at();
        let asked = plan.asked[number].iter().map(|&root| emitter.place(root)).collect();
        emitter.code.asked[number] = asked;
        emitter.code.tails[number] = start..emitter.at();
    }
    compiler.emitter.code
}

impl Compiler<'_> {
    /// When each block is needed: backwards from the asked expressions.
    fn levels(&mut self, plan: &Plan<'_>, replaced: &Replaced) -> Vec<Level> {
        // The block that gives each variable its value.
        let mut block_of: Vec<Option<usize>> = vec![None; plan.n_variables];
        for (number, block) in plan.blocks.iter().enumerate() {
            for &equation in block {
                if let Some(variable) = plan.structure.solves[equation] {
                    block_of[variable.index()] = Some(number);
                }
            }
        }
        // From the variables of the asked expressions back through the blocks that nobody asked for yet.
        let mut levels = vec![Level::Results; plan.blocks.len()];
        for (number, level) in LEVELS.into_iter().enumerate().take(LEVELS.len() - 1) {
            let mut wanted = variables_of(
                self.emitter.arena,
                &plan.asked[number],
                &mut self.emitter.walks.marks,
            );
            while let Some(variable) = wanted.pop() {
                let Some(block) = block_of[variable.index()] else { continue };
                if levels[block] != Level::Results {
                    continue;
                }
                // What waits for nothing is computed once, however often accelerations are tried.
                let waits = plan.late.get(variable.index()) != Some(&false);
                levels[block] =
                    if level == Level::Drives && !waits { Level::Forces } else { level };
                for &equation in &plan.blocks[block] {
                    let own = replaced.incidence.get(&equation);
                    wanted.extend(own.unwrap_or(&plan.structure.incidence[equation]));
                }
            }
        }
        levels
    }

    /// Code for one block of equations: explicit, linear, or by iteration.
    fn block(
        &mut self,
        structure: &Structure,
        replaced: &Replaced,
        equations: &[usize],
        tears: bool,
    ) {
        let unknowns: Vec<VarId> =
            equations.iter().filter_map(|&equation| structure.solves[equation]).collect();
        for (column, variable) in unknowns.iter().enumerate() {
            self.emitter.columns[variable.index()] = column as u32;
        }
        let terms = |equation: &usize| match replaced.terms.get(equation) {
            Some(terms) => terms.as_slice(),
            None => structure.equations[*equation].terms.as_slice(),
        };
        let terms: Vec<&[ExprId]> = equations.iter().map(terms).collect();
        let rows: Vec<Slopes> = terms.iter().map(|terms| self.slopes(terms)).collect();
        // The block is linear if no slope has an unknown of the block.
        let mut linear = true;
        for &(_, slope) in rows.iter().flatten() {
            let columns = &self.emitter.columns;
            self.emitter.arena.variables(slope, &mut self.emitter.walks.marks, |variable| {
                linear &= columns[variable.index()] == NO_COLUMN;
            });
        }
        let torn = if tears && rows.len() > 1 { self.torn(&terms, &rows) } else { None };
        let kind = match (linear, &rows[..], &torn) {
            (true, [row], _) => {
                let slope = row.first().map(|(_, slope)| *slope);
                self.explicit(terms[0], unknowns[0], slope)
            }
            (true, _, None) => self.linear(&terms, &rows, &unknowns),
            (true, _, Some(torn)) => self.torn_linear(&terms, torn, &unknowns),
            (false, ..) => self.newton(&terms, &rows, torn.as_ref(), &unknowns),
        };
        for variable in &unknowns {
            self.emitter.columns[variable.index()] = NO_COLUMN;
        }
        let tearing = torn.map(|torn| torn.tearing);
        self.emitter.code.blocks.push(Block {
            equations: equations.to_vec(),
            unknowns,
            kind,
            tearing,
        });
    }

    /// `slope x + rest = 0` gives `x = -rest/slope`.
    fn explicit(&mut self, terms: &[ExprId], unknown: VarId, slope: Option<ExprId>) -> BlockKind {
        let start = self.emitter.at();
        let rest = self.rest(terms, &FxHashMap::default());
        let slope = slope.unwrap_or_else(|| self.emitter.arena.constant(0.0));
        let value = match self.emitter.arena.value(slope) {
            Some(-1.0) => rest,
            Some(1.0) => self.emitter.arena.make(Node::Negate(rest)),
            _ => {
                let quotient = self.emitter.arena.binary(BinaryOp::Divide, rest, slope);
                self.emitter.arena.make(Node::Negate(quotient))
            }
        };
        self.emitter.put(value, unknown);
        BlockKind::Explicit { code: start..self.emitter.at() }
    }

    /// Residuals and Jacobian of a block that is not linear.
    fn newton(
        &mut self,
        terms: &[&[ExprId]],
        rows: &[Slopes],
        torn: Option<&Torn>,
        unknowns: &[VarId],
    ) -> BlockKind {
        let start = self.emitter.at();
        self.emitter.depends.clear();
        self.emitter.in_newton = true;
        if let Some(torn) = torn {
            self.follow(torn, unknowns);
        }
        // The equations that are left determine the unknowns that are guessed.
        let all: Vec<usize> = (0..rows.len()).collect();
        let kept = torn.map_or(&all, |torn| &torn.tearing.residuals);
        let residuals = kept.iter().map(|&row| {
            let sum = self.sum(terms[row]);
            self.emitter.place(sum)
        });
        let residuals = residuals.collect();
        let system = self.matrix(torn.map_or(rows, |torn| &torn.rows));
        self.emitter.in_newton = false;
        let before = start..self.emitter.at();
        let inner = std::mem::take(&mut self.emitter.inner);
        let solved = torn.map_or_else(|| unknowns.to_vec(), |torn| torn.solved(unknowns));
        let exponents = exponents::find(&inner, &solved);
        self.emitter.code.instructions.extend(inner);
        let inner = before.end..self.emitter.at();
        BlockKind::Newton(Newton { before, inner, system, residuals, solved, exponents })
    }
}
