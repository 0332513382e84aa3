//! Unknowns and lines of the text, as a user writes them.

use rustc_hash::FxHashMap;

use super::rates;
use super::writer::{Writer, add_variable};
use equations::expr::{Ex, ExprId, Node, VarId};
use equations::expression::Program;
use equations::flat::Source;
use equations::islands::Forest;

impl<'a> Writer<'a> {
    /// A new unknown of the model's text, which expressions call by the name of its block. It begins at `start` if that
    /// is `fixed`, else if nothing asks for another value.
    pub fn wished_unknown(&self, start: Option<f64>, fixed: bool, nominal: f64) -> Ex<'a> {
        let given = fixed.then_some(start.unwrap_or(0.0));
        let id = add_variable(&mut self.flat.borrow_mut(), self.block.get(), "", given);
        let own = &mut self.flat.borrow_mut().variables[id.index()];
        own.wish = start.or(given);
        own.guess = own.wish.unwrap_or(0.0);
        own.nominal = nominal;
        self.ex(self.arena.borrow_mut().variable(id))
    }

    /// A line of the text: `left = right`.
    pub(crate) fn line(&self, number: usize, left: &Program, right: &Program) {
        let block = self.block.get();
        let [left, right] = [left, right].map(|side| rates::write(self, side, block));
        rates::tell_velocities(self, left - right);
        self.equation(left - right, Source::Line(number as u32));
    }

    /// Which variables are the same, as far as equations `a = b` and `a = -b` tell; so are their rates.
    pub(crate) fn equal_variables(&self) -> Forest {
        let (flat, arena) = (self.flat.borrow(), self.arena.borrow());
        let mut same = Forest::new(flat.variables.len());
        for equation in &flat.equations {
            let variable = |term: ExprId| match arena.node(term) {
                Node::Variable(variable) => Some(variable),
                Node::Negate(inner) => match arena.node(inner) {
                    Node::Variable(variable) => Some(variable),
                    _ => None,
                },
                _ => None,
            };
            if let [a, b] = equation.terms[..]
                && let (Some(a), Some(b)) = (variable(a), variable(b))
            {
                same.unite(a.index(), b.index());
            }
        }
        // Rates of the same are the same; they may make further rates the same.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            let mut rates: FxHashMap<usize, VarId> = FxHashMap::default();
            for index in 0..flat.variables.len() {
                let Some(rate) = flat.variables[index].rate else { continue };
                let first = *rates.entry(same.root(index)).or_insert(rate);
                changed |= same.unite(first.index(), rate.index());
            }
        }
        same
    }
}
