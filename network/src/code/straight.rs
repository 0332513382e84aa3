//! Code without branches, for switching states that are frozen.
//!
//! Between events the states of switches and the modes do not change, and most branches of the code ask for them. After an
//! event the code is gone through once: branches are taken, copies are left out, and numbers that nothing reads are dropped.
//! Rows remain,
//!
//! ```text
//! x_target = sum of c x_p x_q,
//! ```
//!
//! which run in one tight loop. The few instructions that are no sums, branches by values, and loops stay as they are. The
//! numbers are the same to the last bit, but for the sign of zero.

use std::ops::Range;

use crate::code::block_compiler::{
    BlockKind, Code, Instruction, LEVELS, Level, N_LEVELS, Operation,
};
use crate::code::evaluate::{Unsolved, Values};
use crate::code::sums::Term;

/// A place that all levels read.
const ALL: u8 = u8::MAX;

/// A sum of products.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    target: u32,
    /// Its terms begin where those of the row before end.
    end: u32,
}

/// A part of the code.
#[derive(Clone, Copy, Debug)]
enum Piece {
    /// Rows from one to another, and the first of their terms; `linear` ones have no products.
    Rows { first: u32, end: u32, term: u32, linear: bool },
    /// Instructions as they are.
    Code { first: u32, end: u32 },
    /// A block that is solved as a whole.
    Block(usize),
}

/// The first piece, row and term of a level.
#[derive(Clone, Copy, Default)]
struct Start {
    piece: usize,
    row: usize,
    term: usize,
}

/// The code without branches of one combination of modes, and whether it fits the present states of switches.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(crate) struct Frozen {
    /// The code without branches, once an event has settled.
    pub(crate) straight: Option<Box<Straight>>,
    /// Was the code made for the present states?
    pub(crate) is_straight: bool,
    /// May states have changed since they were compared last?
    pub is_new: bool,
    /// The version of the states that is among the numbers.
    pub version: u64,
}

impl Default for Frozen {
    fn default() -> Self {
        Self { straight: None, is_straight: false, is_new: true, version: 0 }
    }
}

/// The code of one combination of modes in one state of its switches.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(crate) struct Straight {
    /// The frozen numbers that it was made for, once it was made.
    frozen: Vec<f64>,
    is_made: bool,
    pieces: Vec<Piece>,
    /// Pieces up to here belong to each level.
    ends: [usize; N_LEVELS],
    pub(crate) rows: Vec<Row>,
    terms: Vec<Term>,
    /// For each place: the levels that read it in some state, as bits.
    readers: Vec<u8>,
    /// Places of the guards that are watched.
    watched: Vec<u32>,
    /// For each place: is it read behind the present row?
    is_live: Vec<bool>,
    /// For each place: the place of the number that it copies, or its own.
    copies: Vec<u32>,
    /// Rows of the present level that are read.
    kept: Vec<bool>,
}

impl Straight {
    /// Room for any state of a code.
    pub fn new(code: &Code) -> Self {
        let n_terms = |i: &Instruction| match i.operation {
            Operation::Sum => i.operands[1] as usize,
            _ => 2,
        };
        let (n, places) = (code.instructions.len(), code.values.len());
        Self {
            frozen: Vec::with_capacity(frozen_places(code).len()),
            is_made: false,
            pieces: Vec::with_capacity(n + code.stretches.len()),
            ends: [0; N_LEVELS],
            rows: Vec::with_capacity(n),
            terms: Vec::with_capacity(code.instructions.iter().map(n_terms).sum()),
            readers: readers(code),
            watched: Vec::with_capacity(code.guards.len()),
            is_live: vec![false; places],
            copies: (0..places as u32).collect(),
            kept: Vec::with_capacity(n),
        }
    }

    /// Was it made for the frozen numbers?
    pub(crate) fn fits(&self, code: &Code, numbers: &[f64]) -> bool {
        self.is_made && self.frozen == numbers[frozen_places(code)]
    }

    /// Makes the code for the frozen numbers. Expressions that only events and outputs ask for are left out, and of the guards
    /// of modes all but the ones at the places `watched`.
    pub(crate) fn make(
        &mut self,
        code: &Code,
        numbers: &[f64],
        watched: impl Iterator<Item = u32>,
    ) {
        self.watched.clear();
        self.watched.extend(watched);
        self.pieces.clear();
        self.rows.clear();
        self.terms.clear();
        self.frozen.clear();
        self.frozen.extend_from_slice(&numbers[frozen_places(code)]);
        self.is_made = true;
        // Level by level: the instructions on the chosen way, then only the rows that something reads.
        let mut first = 0;
        for level in LEVELS.into_iter().filter(|level| *level <= Level::Guards) {
            let number = level as usize;
            let start =
                Start { piece: self.pieces.len(), row: self.rows.len(), term: self.terms.len() };
            for stretch in &code.stretches[first..code.stretch_ends[number]] {
                match &stretch.code {
                    Some(range) => self.follow(code, numbers, range, start),
                    None => self.pieces.push(Piece::Block(stretch.blocks.start)),
                }
            }
            first = code.stretch_ends[number];
            self.follow(code, numbers, &code.tails[number], start);
            self.mark_kept(code, start, 1 << number);
            self.drop_others(start);
            self.ends[number] = self.pieces.len();
        }
    }

    /// Goes through instructions on the way that the frozen numbers choose.
    fn follow(&mut self, code: &Code, numbers: &[f64], range: &Range<u32>, start: Start) {
        let is_frozen = |place: u32| frozen_places(code).contains(&(place as usize));
        let one = code.one;
        let mut at = range.start;
        while at < range.end {
            let instruction = &code.instructions[at as usize];
            let Instruction { operation, target, operands: [a, b, c] } = *instruction;
            at += 1;
            // Jumps are followed; sums, copies and simple operations become rows; all else stays code.
            let terms = match operation {
                Operation::Skip => {
                    at += b;
                    continue;
                }
                Operation::UnlessState(state) if is_frozen(a) => {
                    at += if numbers[a as usize] == f64::from(state) { 0 } else { b };
                    continue;
                }
                Operation::Sum => {
                    self.terms.extend_from_slice(&code.terms[a as usize..(a + b) as usize]);
                    self.add_row(target, one, b, start);
                    continue;
                }
                Operation::IfState(state) if is_frozen(a) => {
                    let is_so = numbers[a as usize] == f64::from(state);
                    [Some((1.0, if is_so { b } else { c }, one)), None]
                }
                Operation::Move => [Some((1.0, a, one)), None],
                Operation::Negate => [Some((-1.0, a, one)), None],
                Operation::Multiply => [Some((1.0, a, b)), None],
                Operation::Add => [Some((1.0, a, one)), Some((1.0, b, one))],
                Operation::Subtract => [Some((1.0, a, one)), Some((-1.0, b, one))],
                _ => {
                    let (first, end) = (at - 1, branch_end(code, at - 1));
                    self.pieces.push(Piece::Code { first, end });
                    at = end;
                    continue;
                }
            };
            let terms = terms.into_iter().flatten();
            let count = terms.clone().count() as u32;
            self.terms.extend(terms.map(|(factor, p, q)| Term { factor, places: [p, q] }));
            self.add_row(target, one, count, start);
        }
    }

    /// Makes a row of the last terms.
    fn add_row(&mut self, target: u32, one: u32, count: u32, start: Start) {
        let end = self.terms.len() as u32;
        let first = end - count;
        // Copies are read at their origin; a row that is a copy is noted as one.
        for term in &mut self.terms[first as usize..] {
            term.places = term.places.map(|place| self.copies[place as usize]);
        }
        if let [Term { factor: 1.0, places: [place, second] }] = self.terms[first as usize..]
            && second == one
        {
            self.copies[target as usize] = place;
        }
        let row = self.rows.len() as u32;
        self.rows.push(Row { target, end });
        let is_linear = self.terms[first as usize..].iter().all(|term| term.places[1] == one);
        match self.pieces[start.piece..].last_mut() {
            Some(Piece::Rows { end, linear, .. }) if *linear == is_linear => *end = row + 1,
            _ => {
                let rows = Piece::Rows { first: row, end: row + 1, term: first, linear: is_linear };
                self.pieces.push(rows);
            }
        }
    }

    /// Marks the rows of a level whose numbers are read, from the last to the first.
    fn mark_kept(&mut self, code: &Code, start: Start, own: u8) {
        for (live, readers) in self.is_live.iter_mut().zip(&self.readers) {
            *live = readers & !own != 0;
        }
        self.watched.iter().for_each(|&place| self.is_live[place as usize] = true);
        self.kept.clear();
        self.kept.resize(self.rows.len() - start.row, false);
        for piece in self.pieces[start.piece..].iter().rev() {
            match *piece {
                Piece::Rows { first, end, term, .. } => {
                    for row in (first as usize..end as usize).rev() {
                        let Row { target, end } = self.rows[row];
                        self.copies[target as usize] = target;
                        if !self.is_live[target as usize] {
                            continue;
                        }
                        self.kept[row - start.row] = true;
                        let is_first = row == first as usize;
                        let begin = if is_first { term } else { self.rows[row - 1].end };
                        let terms = &self.terms[begin as usize..end as usize];
                        for place in terms.iter().flat_map(|term| term.places) {
                            self.is_live[place as usize] = true;
                        }
                    }
                }
                Piece::Code { first, end } => {
                    for instruction in &code.instructions[first as usize..end as usize] {
                        code.for_each_read(instruction, |p| self.is_live[p as usize] = true);
                    }
                }
                Piece::Block(_) => {}
            }
        }
    }

    /// Moves the rows of a level that are kept together.
    fn drop_others(&mut self, start: Start) {
        let mut to = start;
        for piece in start.piece..self.pieces.len() {
            let kept = match self.pieces[piece] {
                Piece::Rows { first, end, term, linear } => {
                    let (row, own_term) = (to.row as u32, to.term as u32);
                    let mut begin = term as usize;
                    for number in first as usize..end as usize {
                        let Row { target, end } = self.rows[number];
                        if self.kept[number - start.row] {
                            self.terms.copy_within(begin..end as usize, to.term);
                            to.term += end as usize - begin;
                            self.rows[to.row] = Row { target, end: to.term as u32 };
                            to.row += 1;
                        }
                        begin = end as usize;
                    }
                    let end = to.row as u32;
                    (end > row).then_some(Piece::Rows { first: row, end, term: own_term, linear })
                }
                other => Some(other),
            };
            if let Some(kept) = kept {
                self.pieces[to.piece] = kept;
                to.piece += 1;
            }
        }
        self.pieces.truncate(to.piece);
        self.rows.truncate(to.row);
        self.terms.truncate(to.term);
    }
}

/// The places of states and modes.
fn frozen_places(code: &Code) -> Range<usize> {
    code.states as usize..code.memory as usize
}

/// The end of what an instruction begins: behind both branches of a condition.
fn branch_end(code: &Code, at: u32) -> u32 {
    let instruction = &code.instructions[at as usize];
    match instruction.operation {
        Operation::UnlessPositive | Operation::UnlessState(_) => {
            // The first branch ends with an instruction that passes over the second.
            let last = at + instruction.operands[1];
            last + 1 + code.instructions[last as usize].operands[1]
        }
        _ => at + 1,
    }
}

/// For each place: is it computed behind the blocks of the level of guards?
fn behind_guards(code: &Code) -> Vec<bool> {
    let tail = &code.tails[Level::Guards as usize];
    let mut is_behind = vec![false; code.values.len()];
    for instruction in &code.instructions[tail.start as usize..tail.end as usize] {
        is_behind[instruction.target as usize] = true;
    }
    is_behind
}

/// The levels that read each place, as bits. All levels count as readers of variables, of expressions that are asked for, and of
/// numbers that loops read.
fn readers(code: &Code) -> Vec<u8> {
    let mut readers = vec![0; code.values.len()];
    readers[..code.time as usize].fill(ALL);
    for &place in code.asked.iter().flatten() {
        readers[place as usize] = ALL;
    }
    let mut read = |range: &Range<u32>, by: u8| {
        for instruction in &code.instructions[range.start as usize..range.end as usize] {
            code.for_each_read(instruction, |place| readers[place as usize] |= by);
        }
    };
    let mut first = 0;
    for number in 0..N_LEVELS {
        for block in &code.blocks[first..code.ends[number]] {
            match &block.kind {
                BlockKind::Explicit { code } => read(code, 1 << number),
                BlockKind::Linear(linear) => {
                    read(&linear.code, ALL);
                    read(&linear.after, ALL);
                }
                BlockKind::Newton(newton) => {
                    read(&newton.before, ALL);
                    read(&newton.inner, ALL);
                }
            }
        }
        first = code.ends[number];
        read(&code.tails[number], 1 << number);
    }
    for block in &code.blocks {
        let (_, results) = block.ranges(code);
        results.iter().for_each(|&place| readers[place as usize] = ALL);
    }
    // The expressions behind the blocks of the level of guards are computed again for events, from values that all stay.
    // Between events they are read only as signals and guards of time expressions, and as guards of modes that are watched.
    let is_behind = behind_guards(code);
    let tail = &code.tails[Level::Guards as usize];
    for instruction in &code.instructions[tail.start as usize..tail.end as usize] {
        code.for_each_read(instruction, |place| readers[place as usize] = ALL);
    }
    let behind = readers.iter_mut().zip(is_behind).filter(|(_, is_behind)| *is_behind);
    behind.for_each(|(readers, _)| *readers = 0);
    for &place in &code.asked(Level::Guards)[code.guards.len()..] {
        readers[place as usize] = ALL;
    }
    readers
}

impl Values {
    /// Computes all that a level needs beyond the one before it.
    pub fn run_straight(
        &mut self,
        code: &Code,
        straight: &Straight,
        level: Level,
    ) -> Result<(), Unsolved> {
        let number = level as usize;
        let first = if number == 0 { 0 } else { straight.ends[number - 1] };
        let mut sum = 0.0;
        for piece in &straight.pieces[first..straight.ends[number]] {
            match *piece {
                Piece::Rows { first, end, term, linear } => {
                    let rows = &straight.rows[first as usize..end as usize];
                    let terms = &straight.terms[term as usize..];
                    sum += match linear {
                        true => self.add_up(rows, terms, term, |x, p, _| x[p]),
                        false => self.add_up(rows, terms, term, |x, p, q| x[p] * x[q]),
                    };
                }
                Piece::Code { first, end } => {
                    let instructions = &code.instructions[first as usize..end as usize];
                    self.execute(instructions, &code.terms);
                }
                Piece::Block(block) => self.solve(code, block)?,
            }
        }
        // With branches it is known which block has no finite value, or that none of them is to blame.
        if sum.is_finite() { Ok(()) } else { self.run(code, level) }
    }

    /// Computes rows, whose terms begin with number `first`; gives the sum of all, which is finite only if all are.
    #[inline(always)]
    fn add_up(
        &mut self,
        rows: &[Row],
        terms: &[Term],
        first: u32,
        product: impl Fn(&[f64], usize, usize) -> f64,
    ) -> f64 {
        let x = &mut self.numbers[..];
        let (mut rest, mut begin, mut all) = (terms, first, 0.0);
        for row in rows {
            let (own, behind) = rest.split_at((row.end - begin) as usize);
            let mut sum = 0.0;
            for term in own {
                let [p, q] = term.places;
                sum += term.factor * product(x, p as usize, q as usize);
            }
            x[row.target as usize] = sum;
            all += sum;
            (rest, begin) = (behind, row.end);
        }
        all
    }
}
