//! Equations of a block as sums of slopes times unknowns and a rest, and linear systems of them.

use parser::syntax::BinaryOp;
use rustc_hash::FxHashMap;

use crate::code::block_compiler::{BlockKind, Compiler, Linear, MatrixPlaces, Slopes};
use crate::code::emit::NO_COLUMN;
use crate::passes::linear_form::find_variables;
use equations::derive::partial;
use equations::expr::{Contents, ExprId, Node, VarId};

impl Compiler<'_> {
    /// The sum of terms as one expression.
    pub(crate) fn sum(&mut self, terms: &[ExprId]) -> ExprId {
        let zero = self.emitter.arena.constant(0.0);
        terms.iter().fold(zero, |sum, &term| self.emitter.arena.binary(BinaryOp::Add, sum, term))
    }

    /// Derivatives of a sum with respect to the unknowns of the block that occur in it.
    pub(crate) fn slopes(&mut self, terms: &[ExprId]) -> Slopes {
        let mut row: Slopes = Vec::new();
        let mut found = std::mem::take(&mut self.found);
        for &term in terms {
            find_variables(self.emitter.arena, &[term], &mut self.emitter.walks.marks, &mut found);
            // Each term adds its derivative to the entry of the unknown.
            for &variable in &found {
                let Some(column) = self.emitter.column(variable) else { continue };
                let slope =
                    partial(self.emitter.arena, term, variable, &mut self.emitter.walks.images);
                match row.iter_mut().find(|(known, _)| *known == column) {
                    Some((_, sum)) => *sum = self.emitter.arena.binary(BinaryOp::Add, *sum, slope),
                    None => row.push((column, slope)),
                }
            }
        }
        self.found = found;
        // Derivatives that cancel leave no entry.
        let zero = self.emitter.arena.constant(0.0);
        row.retain(|(_, slope)| *slope != zero);
        row
    }

    /// The sum of the terms with each unknown replaced: by the expression that `instead` has for its column, else by zero.
    pub(crate) fn rest(&mut self, terms: &[ExprId], instead: &FxHashMap<usize, ExprId>) -> ExprId {
        let zero = self.emitter.arena.constant(0.0);
        let columns = &self.emitter.columns;
        let done = self.emitter.walks.images.start();
        let what = Contents::VARIABLES;
        let mut sum = zero;
        for &term in terms {
            let rest =
                self.emitter.arena.rewrite(term, what, done, |arena, id| match arena.node(id) {
                    Node::Variable(variable) => match columns[variable.index()] {
                        NO_COLUMN => Some(id),
                        column => Some(instead.get(&(column as usize)).copied().unwrap_or(zero)),
                    },
                    _ => None,
                });
            sum = self.emitter.arena.binary(BinaryOp::Add, sum, rest);
        }
        sum
    }

    /// A linear block of which every unknown is solved for: `rows x = -rests`.
    pub(crate) fn linear(
        &mut self,
        terms: &[&[ExprId]],
        rows: &[Slopes],
        unknowns: &[VarId],
    ) -> BlockKind {
        let rests: Vec<ExprId> =
            terms.iter().map(|terms| self.rest(terms, &FxHashMap::default())).collect();
        self.linear_system(&rests, rows, unknowns.to_vec())
    }

    /// The system `rows x = -rests`.
    pub(crate) fn linear_system(
        &mut self,
        rests: &[ExprId],
        rows: &[Slopes],
        solved: Vec<VarId>,
    ) -> BlockKind {
        let start = self.emitter.at();
        let mut right = Vec::with_capacity(rests.len());
        for &rest in rests {
            let negative = self.emitter.arena.make(Node::Negate(rest));
            right.push(self.emitter.place(negative));
        }
        let system = self.matrix(rows);
        let (code, after) = (start..self.emitter.at(), self.emitter.at()..self.emitter.at());
        BlockKind::Linear(Linear { code, system, right, solved, after })
    }

    /// A matrix with the code of its entries; gives its number.
    pub(crate) fn matrix(&mut self, rows: &[Slopes]) -> usize {
        // Rows become columns, the order of the factorisation.
        let mut columns: Vec<Vec<(u32, ExprId)>> = vec![Vec::new(); rows.len()];
        for (row, entries) in rows.iter().enumerate() {
            for &(column, slope) in entries {
                columns[column].push((row as u32, slope));
            }
        }
        let places =
            columns.iter().flatten().map(|&(_, slope)| self.emitter.place(slope)).collect();
        let rows_of = |column: &Vec<(u32, ExprId)>| column.iter().map(|(row, _)| *row).collect();
        let columns = columns.iter().map(rows_of).collect();
        self.emitter.code.systems.push(MatrixPlaces { columns, places });
        self.emitter.code.systems.len() - 1
    }
}
