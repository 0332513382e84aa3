//! The Jacobian of the rates by the chain rule, instruction by instruction.
//!
//! With every number x of the code goes its slope dx/dy, for several states y at a time: states that no rate has in
//! common share a direction (Curtis, Powell and Reid 1974), so the slopes of all numbers in all directions take one
//! pass (forward mode; Griewank and Walther, *Evaluating Derivatives*, 3.2). Where a block is solved, its slopes follow
//! from the factors that are at hand:
//!
//! ```text
//! A x = b      dx = A^-1 (db - dA x)
//! F(x, y) = 0  dx = -(dF/dx)^-1 (dF/dy) dy
//! ```
//!
//! Differences would need one evaluation for each direction, with all its iterations, and lose half of the digits: too many
//! where a series resistance of some milliohms and a junction of some picofarads are in one circuit.

use std::sync::LazyLock;

use parser::syntax::BinaryOp;

use crate::code::block_compiler::{BlockKind, Code, Instruction, Level, Linear, Newton, Operation};
use crate::code::evaluate::Values;
use crate::code::sums::Term;
use crate::passes::storages::Lead;
use equations::expr::EXPONENT_LIMIT;
use equations::expression::FUNCTIONS;
use integrate::linear::SparseLu;
use integrate::{Matrix, Pattern};

/// The slope of a function at an argument with a value.
type Slope = fn(f64, f64) -> f64;

/// Slopes of all functions of one argument; of the others, which the code does not have, nothing.
static SLOPES: LazyLock<Vec<Slope>> = LazyLock::new(|| {
    let slope = |name: &str| -> Slope {
        match name {
            "sin" => |x, _| x.cos(),
            "cos" => |x, _| -x.sin(),
            "tan" => |_, value| 1.0 + value * value,
            "asin" => |x, _| 1.0 / (1.0 - x * x).sqrt(),
            "acos" => |x, _| -1.0 / (1.0 - x * x).sqrt(),
            "atan" => |x, _| 1.0 / (1.0 + x * x),
            "sinh" => |x, _| x.cosh(),
            "cosh" => |x, _| x.sinh(),
            "tanh" => |_, value| 1.0 - value * value,
            "exp" => |_, value| value,
            "log" => |x, _| 1.0 / x,
            "log10" => |x, _| 1.0 / (std::f64::consts::LN_10 * x),
            "sqrt" => |_, value| 0.5 / value,
            "abs" => |x, _| if x > 0.0 { 1.0 } else { -1.0 },
            "smooth" => |_, _| 1.0,
            // Steps have no slope.
            _ => |_, _| 0.0,
        }
    };
    FUNCTIONS.iter().map(|function| slope(function.name)).collect()
});

/// Slopes of the numbers of one combination of modes.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(crate) struct Tangents {
    /// Rates that depend on each state.
    pattern: Pattern,
    /// The states that share a direction.
    groups: Vec<Vec<usize>>,
    /// Slopes of each number, in all directions.
    slopes: Vec<f64>,
    /// For each number: does it depend on a state, and a rate on it?
    is_wanted: Vec<bool>,
    right: Vec<f64>,
    scratch: Vec<f64>,
}

/// For each number: does a rate depend on it?
fn needed(code: &Code, n_states: usize) -> Vec<bool> {
    let mut needed = vec![false; code.values.len()];
    let rates = code.asked(Level::Rates).iter().take(n_states);
    rates.for_each(|&place| needed[place as usize] = true);
    let mut end = code.ends[Level::Rates as usize];
    for level in (0..=Level::Rates as usize).rev() {
        mark(&mut needed, code, &code.tails[level]);
        let start = if level == 0 { 0 } else { code.ends[level - 1] };
        for block in code.blocks[start..end].iter().rev() {
            if let BlockKind::Linear(linear) = &block.kind {
                mark(&mut needed, code, &linear.after);
            }
            let (ranges, results) = block.ranges(code);
            results.iter().for_each(|&place| needed[place as usize] = true);
            ranges.iter().rev().for_each(|range| mark(&mut needed, code, range));
        }
        end = start;
    }
    needed
}

/// Marks the operands of all instructions whose targets are marked, from the last to the first.
fn mark(needed: &mut [bool], code: &Code, range: &std::ops::Range<u32>) {
    for instruction in code.instructions[range.start as usize..range.end as usize].iter().rev() {
        let jumps = matches!(
            instruction.operation,
            Operation::UnlessPositive | Operation::UnlessState(_) | Operation::Skip
        );
        if jumps || !needed[instruction.target as usize] {
            continue;
        }
        if let Operation::Sum = instruction.operation {
            let places = code.terms[instruction.operands[0] as usize..]
                [..instruction.operands[1] as usize]
                .iter()
                .flat_map(|term| term.places);
            places.for_each(|place| needed[place as usize] = true);
        } else {
            instruction.operands.iter().for_each(|&place| needed[place as usize] = true);
        }
    }
}

impl Tangents {
    /// Room for the slopes of a code. `columns` has, for each state, the rates that depend on it; `changing` tells of each
    /// number whether it depends on a state.
    pub(crate) fn new(code: &Code, columns: &[Vec<usize>], changing: &[bool]) -> Self {
        let mut pattern = Pattern::empty(columns.len());
        for (column, rows) in columns.iter().enumerate() {
            rows.iter().for_each(|&row| pattern.add(row, column));
        }
        let groups = pattern.groups();
        let most = code.blocks.iter().map(|block| block.unknowns.len()).max().unwrap_or(0);
        let needed = needed(code, columns.len());
        Self {
            slopes: vec![0.0; code.values.len() * groups.len()],
            is_wanted: needed.iter().zip(changing).map(|(a, b)| *a && *b).collect(),
            pattern,
            groups,
            right: vec![0.0; most],
            scratch: vec![0.0; most],
        }
    }

    /// Writes the Jacobian of the rates into a matrix. `values` are those of the code, with the factors of its matrices;
    /// `leads` has, for each state of the integrator, the variable of the code that takes its value.
    pub(crate) fn jacobian(
        &mut self,
        code: &Code,
        values: &Values,
        leads: &[Option<Lead>],
        jacobian: &mut Matrix,
    ) {
        let width = self.groups.len();
        for (direction, states) in self.groups.iter().enumerate() {
            for &state in states {
                if let Some(Lead { state, sign }) = leads[state] {
                    self.slopes[state.index() * width + direction] = sign;
                }
            }
        }
        self.run(code, values);
        self.write(code, jacobian);
    }

    /// Computes the slopes of all numbers that the rates need.
    fn run(&mut self, code: &Code, values: &Values) {
        let x = &values.numbers[..];
        let part = |range: &std::ops::Range<u32>| {
            &code.instructions[range.start as usize..range.end as usize]
        };
        let terms = &code.terms[..];
        let mut first = 0;
        for level in 0..=Level::Rates as usize {
            for block in &code.blocks[first..code.ends[level]] {
                match &block.kind {
                    BlockKind::Explicit { code } => self.follow(part(code), terms, x),
                    BlockKind::Linear(linear) => {
                        self.follow(part(&linear.code), terms, x);
                        let (places, lu) =
                            (&code.systems[linear.system].places, &values.systems[linear.system]);
                        self.solve_linear(linear, places, lu, x);
                        self.follow(part(&linear.after), terms, x);
                    }
                    BlockKind::Newton(newton) => {
                        self.follow(part(&newton.before), terms, x);
                        let lu = &values.systems[newton.system];
                        self.solve_newton(newton, lu, part(&newton.inner), x);
                    }
                }
            }
            first = code.ends[level];
            self.follow(part(&code.tails[level]), terms, x);
        }
    }

    /// The chain rule for a list of instructions.
    fn follow(&mut self, instructions: &[Instruction], terms: &[Term], x: &[f64]) {
        let width = self.groups.len();
        let mut at = 0;
        while let Some(instruction) = instructions.get(at) {
            let &Instruction { operation, target, operands: [a, b, c] } = instruction;
            at += 1;
            let (target, a, b, c) = (target as usize, a as usize, b as usize, c as usize);
            match operation {
                Operation::UnlessPositive => at += if x[a] > 0.0 { 0 } else { b },
                Operation::UnlessState(state) => at += if x[a] == f64::from(state) { 0 } else { b },
                Operation::Skip => at += b,
                _ if !self.is_wanted[target] => {}
                Operation::Sum => self.add_up(&terms[a..a + b], x, target),
                _ => {
                    let [(p, a), (q, b)] = partials(operation, x, target, [a, b, c]);
                    let (target, a, b) = (target * width, a * width, b * width);
                    for k in 0..width {
                        let first = p * self.slopes[a + k];
                        let second = if q == 0.0 { 0.0 } else { q * self.slopes[b + k] };
                        self.slopes[target + k] = first + second;
                    }
                }
            }
        }
    }

    /// The slopes of a sum of products.
    fn add_up(&mut self, terms: &[Term], x: &[f64], target: usize) {
        let width = self.groups.len();
        let target = target * width..(target + 1) * width;
        self.slopes[target.clone()].fill(0.0);
        for term in terms {
            let [p, q] = term.places.map(|place| place as usize);
            for (place, slope) in [(p, term.factor * x[q]), (q, term.factor * x[p])] {
                if !self.is_wanted[place] {
                    continue;
                }
                for (k, target) in target.clone().enumerate() {
                    self.slopes[target] += slope * self.slopes[place * width + k];
                }
            }
        }
    }

    /// `dx = A^-1 (db - dA x)`.
    fn solve_linear(&mut self, linear: &Linear, places: &[u32], lu: &SparseLu<f64>, x: &[f64]) {
        let (width, n) = (self.groups.len(), linear.solved.len());
        for direction in 0..width {
            for (right, &place) in self.right.iter_mut().zip(&linear.right) {
                *right = self.slopes[place as usize * width + direction];
            }
            for ((row, column), &place) in lu.entries().zip(places) {
                if self.is_wanted[place as usize] {
                    let slope = self.slopes[place as usize * width + direction];
                    self.right[row] -= slope * x[linear.solved[column].index()];
                }
            }
            lu.solve(&mut self.right[..n], &mut self.scratch[..n]);
            for (unknown, slope) in linear.solved.iter().zip(&self.right) {
                self.slopes[unknown.index() * width + direction] = *slope;
            }
        }
    }

    /// `dx = -(dF/dx)^-1 dF`, where dF belongs to a guess that is held; then the rest with the guess that moves.
    fn solve_newton(
        &mut self,
        newton: &Newton,
        lu: &SparseLu<f64>,
        inner: &[Instruction],
        x: &[f64],
    ) {
        let (width, n) = (self.groups.len(), newton.solved.len());
        for unknown in &newton.solved {
            self.slopes[unknown.index() * width..][..width].fill(0.0);
        }
        // Code inside an iteration has no sums.
        self.follow(inner, &[], x);
        for direction in 0..width {
            for (right, &place) in self.right.iter_mut().zip(&newton.residuals) {
                *right = -self.slopes[place as usize * width + direction];
            }
            lu.solve(&mut self.right[..n], &mut self.scratch[..n]);
            for (unknown, slope) in newton.solved.iter().zip(&self.right) {
                self.slopes[unknown.index() * width + direction] = *slope;
            }
        }
        self.follow(inner, &[], x);
    }

    /// Writes the slopes of the rates into a matrix.
    fn write(&self, code: &Code, jacobian: &mut Matrix) {
        let width = self.groups.len();
        let rates = code.asked(Level::Rates);
        jacobian.clear();
        for (direction, states) in self.groups.iter().enumerate() {
            for &column in states {
                for &row in self.pattern.rows(column) {
                    let slope = self.slopes[rates[row] as usize * width + direction];
                    jacobian.set(row, column, slope);
                }
            }
        }
    }
}

/// The slopes of the value of an instruction to two of its operands; those to all others are zero.
fn partials(
    operation: Operation,
    x: &[f64],
    target: usize,
    [a, b, c]: [usize; 3],
) -> [(f64, usize); 2] {
    let one = |slope: f64, place: usize| [(slope, place), (0.0, place)];
    match operation {
        Operation::Move => one(1.0, a),
        Operation::Negate => one(-1.0, a),
        Operation::Function(function) => one(SLOPES[usize::from(function)](x[a], x[target]), a),
        Operation::LimitedExp if x[a] > EXPONENT_LIMIT => one(EXPONENT_LIMIT.exp(), a),
        Operation::LimitedExp => one(x[target], a),
        Operation::Add => [(1.0, a), (1.0, b)],
        Operation::Subtract => [(1.0, a), (-1.0, b)],
        Operation::Multiply => [(x[b], a), (x[a], b)],
        Operation::Divide => [(1.0 / x[b], a), (-x[target] / x[b], b)],
        Operation::Binary(BinaryOp::Power) => {
            let slope =
                if x[a] == 0.0 { x[b] * x[a].powf(x[b] - 1.0) } else { x[b] * x[target] / x[a] };
            // Of a base that is not positive there is no logarithm; its exponent is a number.
            let log = if x[a] > 0.0 { x[a].ln() } else { 0.0 };
            [(slope, a), (x[target] * log, b)]
        }
        Operation::Atan2 => {
            let square = x[a] * x[a] + x[b] * x[b];
            [(x[b] / square, a), (-x[a] / square, b)]
        }
        Operation::IfPositive => one(1.0, if x[a] > 0.0 { b } else { c }),
        Operation::IfState(state) => one(1.0, if x[a] == f64::from(state) { b } else { c }),
        // Comparisons have no slope.
        _ => one(0.0, a),
    }
}
