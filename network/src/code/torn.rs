//! Blocks that are torn, as code: a small system for the guessed unknowns; the others follow from these one by one.
//!
//! The unknowns y that follow are y = c + T x with the guessed x and numbers T, so the equations that are left,
//! f(x, y) = 0, have the matrix df/dx + df/dy T.

use rustc_hash::FxHashMap;

use crate::code::block_compiler::{BlockKind, Compiler, Linear, Slopes};
use crate::passes::loop_tearing::{Row, Tearing, tear};
use equations::expr::{Contents, ExprId, Node, VarId};
use parser::syntax::BinaryOp;

/// A block that is torn.
pub(crate) struct Torn {
    pub tearing: Tearing,
    /// Entries of the equations that are left, by the number of the guessed unknown.
    pub rows: Vec<Slopes>,
    /// For each follower in order: its value as an expression of the other unknowns of the block.
    values: Vec<ExprId>,
}

impl Torn {
    /// The unknowns that are guessed.
    pub fn solved(&self, unknowns: &[VarId]) -> Vec<VarId> {
        self.tearing.guessed.iter().map(|&column| unknowns[column]).collect()
    }
}

impl Compiler<'_> {
    /// Tears a block, if the smaller matrix has no more entries than the larger one.
    pub(crate) fn torn(&mut self, terms: &[&[ExprId]], rows: &[Slopes]) -> Option<Torn> {
        // Tearing looks at factors that are numbers; others change.
        let factors = |row: &Slopes| -> Row {
            row.iter().map(|&(column, slope)| (column, self.emitter.arena.value(slope))).collect()
        };
        let numbers: Vec<Row> = rows.iter().map(factors).collect();
        let mut tearing = tear(&numbers);
        if tearing.followers.is_empty() {
            return None;
        }
        // T by rows: each unknown of the block as multiples of the guessed ones.
        let mut slopes: Vec<Vec<(usize, f64)>> = vec![Vec::new(); rows.len()];
        for (number, &column) in tearing.guessed.iter().enumerate() {
            slopes[column].push((number, 1.0));
        }
        for follower in &tearing.followers {
            slopes[follower.column].clone_from(&follower.slopes);
        }
        // df/dx + df/dy T, row by row.
        let reduced: Vec<Slopes> =
            tearing.residuals.iter().map(|&row| self.reduced(&rows[row], &slopes)).collect();
        // A small full matrix may be more work than a large sparse one.
        let entries = |rows: &[Slopes]| rows.iter().map(Vec::len).sum::<usize>();
        if entries(&reduced) > entries(rows) {
            return None;
        }
        let rows = pair(&mut tearing, &reduced);
        // Each follower from its equation, in the order in which they follow.
        let values = tearing.followers.iter().map(|follower| {
            let numbers = &numbers[follower.row];
            let own = numbers.iter().find(|(c, _)| *c == follower.column).and_then(|(_, f)| *f);
            self.value(terms[follower.row], follower.column, own.unwrap_or(1.0))
        });
        let values = values.collect();
        Some(Torn { tearing, rows, values })
    }

    /// An equation that is left, in the guessed unknowns alone.
    fn reduced(&mut self, row: &Slopes, slopes: &[Vec<(usize, f64)>]) -> Slopes {
        let mut sums: FxHashMap<usize, ExprId> = FxHashMap::default();
        let mut order = Vec::new();
        for &(column, slope) in row {
            for &(number, factor) in &slopes[column] {
                // Each unknown of the equation brings its slope times its multiples of the guesses.
                let factor = self.emitter.arena.constant(factor);
                let share = self.emitter.arena.binary(BinaryOp::Multiply, factor, slope);
                match sums.get_mut(&number) {
                    Some(sum) => *sum = self.emitter.arena.binary(BinaryOp::Add, *sum, share),
                    None => {
                        sums.insert(number, share);
                        order.push(number);
                    }
                }
            }
        }
        let zero = self.emitter.arena.constant(0.0);
        let entries = order.into_iter().map(|number| (number, sums[&number]));
        entries.filter(|(_, slope)| *slope != zero).collect()
    }

    /// What an equation gives for an unknown: minus the rest over its factor.
    fn value(&mut self, terms: &[ExprId], column: usize, own: f64) -> ExprId {
        let columns = &self.emitter.columns;
        let zero = self.emitter.arena.constant(0.0);
        let done = self.emitter.walks.images.start();
        // The equation without its unknown: that variable is put to zero in each term.
        let what = Contents::VARIABLES;
        let mut sum = zero;
        for &term in terms {
            let rest =
                self.emitter.arena.rewrite(term, what, done, |arena, id| match arena.node(id) {
                    Node::Variable(variable) if columns[variable.index()] == column as u32 => {
                        Some(zero)
                    }
                    _ => None,
                });
            sum = self.emitter.arena.binary(BinaryOp::Add, sum, rest);
        }
        // The rest over minus the factor; most factors are one or minus one.
        if own == -1.0 {
            return sum;
        }
        let own = self.emitter.arena.constant(-own);
        self.emitter.arena.binary(BinaryOp::Divide, sum, own)
    }

    /// Code for the unknowns that follow from the guessed ones.
    pub(crate) fn follow(&mut self, torn: &Torn, unknowns: &[VarId]) {
        for (follower, &value) in torn.tearing.followers.iter().zip(&torn.values) {
            self.emitter.assign(unknowns[follower.column], value);
        }
    }

    /// A linear block that is torn.
    pub(crate) fn torn_linear(
        &mut self,
        terms: &[&[ExprId]],
        torn: &Torn,
        unknowns: &[VarId],
    ) -> BlockKind {
        // The followers for guesses of zero: the constants c of y = c + T x.
        let mut constant: FxHashMap<usize, ExprId> = FxHashMap::default();
        for (follower, &value) in torn.tearing.followers.iter().zip(&torn.values) {
            let value = self.rest(&[value], &constant);
            constant.insert(follower.column, value);
        }
        // The equations that are left with these values are the right-hand sides.
        let rests: Vec<ExprId> =
            torn.tearing.residuals.iter().map(|&row| self.rest(terms[row], &constant)).collect();
        let kind = self.linear_system(&rests, &torn.rows, torn.solved(unknowns));
        let BlockKind::Linear(linear) = kind else { return kind };
        // Once the guesses are known, the rest follows from them.
        let start = self.emitter.at();
        self.follow(torn, unknowns);
        BlockKind::Linear(Linear { after: start..self.emitter.at(), ..linear })
    }
}

/// Orders the equations that are left so that each has an unknown of its own on the diagonal, as far as a greedy choice finds
/// one.
fn pair(tearing: &mut Tearing, rows: &[Slopes]) -> Vec<Slopes> {
    let n = rows.len();
    let mut place: Vec<Option<usize>> = vec![None; n];
    let mut open = Vec::new();
    for (row, entries) in rows.iter().enumerate() {
        // The first unknown of the equation that no other equation has; else the equation waits for what is left over.
        match entries.iter().find(|(number, _)| place[*number].is_none()) {
            Some(&(number, _)) => place[number] = Some(row),
            None => open.push(row),
        }
    }
    let order: Vec<usize> =
        place.into_iter().filter_map(|row| row.or_else(|| open.pop())).collect();
    tearing.residuals = order.iter().map(|&row| tearing.residuals[row]).collect();
    order.iter().map(|&row| rows[row].clone()).collect()
}
