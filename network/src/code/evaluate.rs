//! Runs the code of a system of equations: explicit values, linear systems, Newton's iteration.

use crate::code::block_compiler::{
    BlockKind, Code, Instruction, LEVELS, Level, MatrixPlaces, Newton, Operation,
};
use crate::code::exponents::Exponent;
use crate::code::sums::Term;
use equations::expr::{VarId, limited_exp};
use equations::expression::FUNCTIONS;
use equations::expression::program::binary;
use integrate::linear::SparseLu;

/// Passes of Newton's iteration before it counts as failed.
const MOST_PASSES: usize = 200;
/// Passes after which steps are halved, for iterations that go round in circles.
const PATIENCE: usize = 40;
/// A correction of this part of an unknown ends the iteration.
const RELATIVE: f64 = 1e-11;
/// A correction below this ends the iteration for unknowns near zero.
const ABSOLUTE: f64 = 1e-15;
/// Corrections below this, over the size of the unknowns, may be rounding: the potential of a node that only
/// junctions in reverse hold is known that badly.
const ROUNDED: f64 = 1e-6;
/// Unknowns below this count as that large where rounding is looked for.
const SMALL: f64 = 1.0;
/// Exponents grow freely up to this; beyond, a pass may raise them by a logarithm of what it wants (Nagel,
/// SPICE2, 1975: the voltage of a junction).
const FREE_EXPONENT: f64 = 10.0;
/// A pass may raise an exponent by this without restraint.
const FREE_GROWTH: f64 = 2.0;
/// First step of a homotopy, as a part of the way.
const FIRST_PART: f64 = 0.1;
/// A homotopy that needs smaller steps is given up.
const LEAST_PART: f64 = 1e-6;

/// Code inside an iteration has no sums.
const NO_TERMS: &[Term] = &[];

/// Why a block has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// The matrix of a block is singular.
    Singular {
        /// The block of equations.
        block: usize,
        /// The unknown that is not determined.
        unknown: usize,
    },
    /// The iteration of a block does not converge.
    Diverged {
        /// The block of equations.
        block: usize,
    },
    /// A value is not finite.
    NotFinite {
        /// The block of equations.
        block: usize,
    },
}

/// Newton's iteration of a block: its code and the places of its numbers.
#[derive(Clone, Copy)]
struct Iteration<'a> {
    /// The number of the block.
    block: usize,
    newton: &'a Newton,
    /// Code that depends on the unknowns.
    inner: &'a [Instruction],
    /// Places of the entries of the Jacobian.
    places: &'a MatrixPlaces,
}

/// The numbers of a system while time passes.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(crate) struct Values {
    pub numbers: Vec<f64>,
    /// Factors of the matrices of all blocks.
    pub systems: Vec<SparseLu<f64>>,
    /// For each matrix the entries of the last factorisation; empty before the first.
    factored: Vec<Vec<f64>>,
    right: Vec<f64>,
    before: Vec<f64>,
    scratch: Vec<f64>,
    exponents: Vec<f64>,
    /// Is a failed iteration tried again along a homotopy? At the start and at events, where no solution is near.
    pub is_patient: bool,
    /// The unknowns at the beginning of the iteration.
    origin: Vec<f64>,
    /// The residuals there.
    first: Vec<f64>,
    /// The unknowns at the point that the homotopy has reached.
    reached: Vec<f64>,
}

impl Values {
    pub fn new(code: &Code) -> Self {
        let most = code.blocks.iter().map(|block| block.unknowns.len()).max().unwrap_or(0);
        let exponents = |kind: &BlockKind| match kind {
            BlockKind::Newton(newton) => newton.exponents.len(),
            _ => 0,
        };
        let most_exponents =
            code.blocks.iter().map(|block| exponents(&block.kind)).max().unwrap_or(0);
        Self {
            numbers: code.values.clone(),
            systems: code.systems.iter().map(|system| SparseLu::new(&system.columns)).collect(),
            factored: code
                .systems
                .iter()
                .map(|system| Vec::with_capacity(system.places.len()))
                .collect(),
            right: vec![0.0; most],
            before: vec![0.0; most],
            scratch: vec![0.0; most],
            exponents: vec![0.0; most_exponents],
            is_patient: false,
            origin: vec![0.0; most],
            first: vec![0.0; most],
            reached: vec![0.0; most],
        }
    }

    /// Computes all that a level needs beyond the one before it.
    pub fn run(&mut self, code: &Code, level: Level) -> Result<(), Unsolved> {
        let number = level as usize;
        let first = if number == 0 { 0 } else { code.stretch_ends[number - 1] };
        for stretch in first..code.stretch_ends[number] {
            self.run_stretch(code, stretch)?;
        }
        self.finish(code, level);
        Ok(())
    }

    /// Computes the levels up to one, also beyond blocks that have no solution. Every number that does not depend on such a
    /// block has its value then.
    pub fn run_anyway(&mut self, code: &Code, last: Level) {
        let mut first = 0;
        for level in LEVELS.into_iter().take_while(|level| *level <= last) {
            let end = code.stretch_ends[level as usize];
            for stretch in first..end {
                // The caller judges the values.
                let _ = self.run_stretch(code, stretch);
            }
            first = end;
            self.finish(code, level);
        }
    }

    /// Computes the asked expressions of a level from the values that there are.
    pub(crate) fn finish(&mut self, code: &Code, level: Level) {
        let tail = code.tails[level as usize].clone();
        self.execute(&code.instructions[tail.start as usize..tail.end as usize], &code.terms);
    }

    /// Computes one stretch: explicit blocks in one go, or a block of another kind.
    fn run_stretch(&mut self, code: &Code, number: usize) -> Result<(), Unsolved> {
        let stretch = &code.stretches[number];
        let Some(range) = &stretch.code else {
            return self.solve(code, stretch.blocks.start);
        };
        let instructions = &code.instructions[range.start as usize..range.end as usize];
        self.execute(instructions, &code.terms);
        let unknowns = &stretch.unknowns;
        match unknowns.iter().position(|&place| !self.numbers[place as usize].is_finite()) {
            Some(at) => Err(Unsolved::NotFinite { block: stretch.blocks.start + at }),
            None => Ok(()),
        }
    }

    /// Carries instructions out, one after the other.
    pub(crate) fn execute(&mut self, instructions: &[Instruction], terms: &[Term]) {
        let x = &mut self.numbers[..];
        let mut at = 0;
        while let Some(&Instruction { operation, target, operands: [a, b, c] }) =
            instructions.get(at)
        {
            let (a, b, c) = (a as usize, b as usize, c as usize);
            at += 1;
            x[target as usize] = match operation {
                Operation::Move => x[a],
                Operation::Negate => -x[a],
                Operation::Function(function) => (FUNCTIONS[usize::from(function)].value)(&[x[a]]),
                Operation::LimitedExp => limited_exp(x[a]),
                Operation::Sum => terms[a..a + b].iter().fold(0.0, |sum, term| {
                    let [p, q] = term.places;
                    sum + term.factor * (x[p as usize] * x[q as usize])
                }),
                Operation::Add => x[a] + x[b],
                Operation::Subtract => x[a] - x[b],
                Operation::Multiply => x[a] * x[b],
                Operation::Divide => x[a] / x[b],
                Operation::Binary(operator) => binary(operator, x[a], x[b]),
                Operation::Atan2 => x[a].atan2(x[b]),
                Operation::IfPositive => x[if x[a] > 0.0 { b } else { c }],
                Operation::IfState(state) => x[if x[a] == f64::from(state) { b } else { c }],
                Operation::UnlessPositive => {
                    at += if x[a] > 0.0 { 0 } else { b };
                    continue;
                }
                Operation::UnlessState(state) => {
                    at += if x[a] == f64::from(state) { 0 } else { b };
                    continue;
                }
                Operation::Skip => {
                    at += b;
                    continue;
                }
            };
        }
    }

    /// Solves one block of equations.
    pub(crate) fn solve(&mut self, code: &Code, number: usize) -> Result<(), Unsolved> {
        let Code { blocks, instructions, systems, terms, .. } = code;
        let block = &blocks[number];
        match &block.kind {
            BlockKind::Explicit { code } => {
                self.execute(&instructions[code.start as usize..code.end as usize], terms);
                let value = self.numbers[block.unknowns[0].index()];
                if value.is_finite() { Ok(()) } else { Err(Unsolved::NotFinite { block: number }) }
            }
            BlockKind::Linear(linear) => {
                let code = &linear.code;
                self.execute(&instructions[code.start as usize..code.end as usize], terms);
                self.factor(&systems[linear.system], linear.system, number)?;
                let n = linear.solved.len();
                for (right, &place) in self.right.iter_mut().zip(&linear.right) {
                    *right = self.numbers[place as usize];
                }
                let lu = &self.systems[linear.system];
                lu.solve(&mut self.right[..n], &mut self.scratch[..n]);
                if self.right[..n].iter().any(|x| !x.is_finite()) {
                    return Err(Unsolved::NotFinite { block: number });
                }
                for (unknown, value) in linear.solved.iter().zip(&self.right) {
                    self.numbers[unknown.index()] = *value;
                }
                let after = &linear.after;
                self.execute(&instructions[after.start as usize..after.end as usize], terms);
                Ok(())
            }
            BlockKind::Newton(newton) => {
                let before = &newton.before;
                self.execute(&instructions[before.start as usize..before.end as usize], terms);
                let inner = &newton.inner;
                let inner = &instructions[inner.start as usize..inner.end as usize];
                let places = &systems[newton.system];
                let iteration = Iteration { block: number, newton, inner, places };
                read(&self.numbers, &newton.solved, &mut self.origin);
                let Err(unsolved) = self.iterate(iteration, 0.0) else {
                    return Ok(());
                };
                if self.is_patient && self.homotopy(iteration).is_ok() {
                    return Ok(());
                }
                // The next iteration begins where this one began, not where it went astray.
                write(&mut self.numbers, &newton.solved, &self.origin);
                Err(unsolved)
            }
        }
    }

    /// Follows the solution of F(x) = s F(x0) from s = 1, where it is x0, to s = 0 (Newton homotopy; Allgower and
    /// Georg, *Numerical Continuation Methods*, 1.2), with parts of the way as long as the iteration converges.
    fn homotopy(&mut self, iteration: Iteration<'_>) -> Result<(), ()> {
        let Iteration { newton, inner, .. } = iteration;
        let n = newton.solved.len();
        // F(x0).
        write(&mut self.numbers, &newton.solved, &self.origin);
        self.execute(inner, NO_TERMS);
        for (first, &place) in self.first.iter_mut().zip(&newton.residuals) {
            *first = self.numbers[place as usize];
        }
        if self.first[..n].iter().any(|x| !x.is_finite()) {
            return Err(());
        }
        self.reached[..n].copy_from_slice(&self.origin[..n]);
        // A part of the way that succeeds is followed by one twice as long; one that fails is tried with a quarter.
        let (mut share, mut part) = (1.0, FIRST_PART);
        while share > 0.0 {
            let next = f64::max(share - part, 0.0);
            if self.iterate(iteration, next).is_ok() {
                read(&self.numbers, &newton.solved, &mut self.reached);
                (share, part) = (next, 2.0 * part);
            } else {
                write(&mut self.numbers, &newton.solved, &self.reached);
                part *= 0.25;
                if part < LEAST_PART {
                    return Err(());
                }
            }
        }
        Ok(())
    }

    /// Newton's iteration for residuals that are this share of the first ones.
    fn iterate(&mut self, iteration: Iteration<'_>, share: f64) -> Result<(), Unsolved> {
        let Iteration { block, newton, inner, places } = iteration;
        let unknowns = &newton.solved[..];
        let n = unknowns.len();
        self.execute(inner, NO_TERMS);
        let mut last = f64::INFINITY;
        for pass in 0..MOST_PASSES {
            // J dx = share F(x0) - F(x).
            for (k, &place) in newton.residuals.iter().enumerate() {
                self.right[k] = share * self.first[k] - self.numbers[place as usize];
            }
            self.factor(places, newton.system, block)?;
            self.systems[newton.system].solve(&mut self.right[..n], &mut self.scratch[..n]);
            if self.right[..n].iter().any(|x| !x.is_finite()) {
                return Err(Unsolved::NotFinite { block });
            }
            // Exponents and unknowns before the step, and whether the corrections are small enough.
            for (old, exponent) in self.exponents.iter_mut().zip(&newton.exponents) {
                *old = self.numbers[exponent.place as usize];
            }
            let mut done = true;
            let mut size: f64 = 0.0;
            for (k, unknown) in unknowns.iter().enumerate() {
                let x = self.numbers[unknown.index()];
                self.before[k] = x;
                done &= self.right[k].abs() <= RELATIVE * x.abs() + ABSOLUTE;
                size = size.max(self.right[k].abs() / (x.abs() + SMALL));
            }
            // Corrections that are small and do not shrink any more are rounding; halved steps halve them.
            done |= size <= ROUNDED && size > 0.75 * last;
            last = size;
            // The step, shortened where an exponent would grow too fast.
            let full = if pass < PATIENCE { 1.0 } else { 0.5 };
            self.step(unknowns, full, inner);
            let is_limited = self.limit_unknowns(&newton.exponents);
            if is_limited {
                self.step(unknowns, full, inner);
            }
            let fraction = self.allowed(&newton.exponents) * full;
            if fraction < full {
                self.step(unknowns, fraction, inner);
            } else if done && !is_limited {
                return Ok(());
            }
        }
        Err(Unsolved::Diverged { block })
    }

    /// Puts the unknowns at a fraction of the step and evaluates there.
    fn step(&mut self, unknowns: &[VarId], fraction: f64, inner: &[Instruction]) {
        for (k, unknown) in unknowns.iter().enumerate() {
            self.numbers[unknown.index()] = self.before[k] + fraction * self.right[k];
        }
        self.execute(inner, NO_TERMS);
    }

    /// Shortens the steps of unknowns as far as the exponents ask for that they give alone. True if one is shorter now.
    fn limit_unknowns(&mut self, exponents: &[Exponent]) -> bool {
        let mut is_limited = false;
        for (&old, exponent) in self.exponents.iter().zip(exponents) {
            let Some(unknown) = exponent.unknown else { continue };
            let fraction = allowed(old, self.numbers[exponent.place as usize]);
            if fraction < 1.0 {
                self.right[unknown as usize] *= fraction;
                is_limited = true;
            }
        }
        is_limited
    }

    /// The fraction of a step that exponents of several unknowns allow.
    fn allowed(&self, exponents: &[Exponent]) -> f64 {
        let pairs = self.exponents.iter().zip(exponents);
        let shared = pairs.filter(|(_, exponent)| exponent.unknown.is_none());
        shared.fold(1.0, |fraction, (&old, exponent)| {
            fraction.min(allowed(old, self.numbers[exponent.place as usize]))
        })
    }

    /// Factorises a matrix, unless its entries are those of the last factorisation.
    fn factor(
        &mut self,
        MatrixPlaces { places, .. }: &MatrixPlaces,
        system: usize,
        block: usize,
    ) -> Result<(), Unsolved> {
        let known = &mut self.factored[system];
        // A matrix without entries is singular.
        let same = !places.is_empty()
            && known.len() == places.len()
            && known.iter().zip(places).all(|(x, &place)| *x == self.numbers[place as usize]);
        if same {
            return Ok(());
        }
        known.clear();
        let lu = &mut self.systems[system];
        for (value, &place) in lu.values.iter_mut().zip(places) {
            *value = self.numbers[place as usize];
        }
        lu.factor().map_err(|unknown| Unsolved::Singular { block, unknown })?;
        known.extend(places.iter().map(|&place| self.numbers[place as usize]));
        Ok(())
    }
}

/// The fraction of its way that an exponent may go.
fn allowed(old: f64, new: f64) -> f64 {
    let from = old.max(FREE_EXPONENT - FREE_GROWTH);
    let growth = new - from;
    if new <= FREE_EXPONENT || growth <= FREE_GROWTH {
        return 1.0;
    }
    let target = from + FREE_GROWTH + (growth - FREE_GROWTH).ln_1p();
    (target - old) / (new - old)
}

/// Puts the values of variables into a list.
fn read(numbers: &[f64], variables: &[VarId], values: &mut [f64]) {
    for (value, variable) in values.iter_mut().zip(variables) {
        *value = numbers[variable.index()];
    }
}

/// Gives variables the values of a list.
fn write(numbers: &mut [f64], variables: &[VarId], values: &[f64]) {
    for (value, variable) in values.iter().zip(variables) {
        numbers[variable.index()] = *value;
    }
}
