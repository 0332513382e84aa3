//! Which unknowns of the text are the same.

use rustc_hash::FxHashMap;

use super::writer::Writer;
use equations::expr::{ExprId, Node, VarId};
use equations::islands::Forest;

/// Which variables are the same, as far as equations `a = b` and `a = -b` tell; so are their rates.
pub(crate) fn equal_variables(writer: &Writer<'_>) -> Forest {
    let (flat, arena) = (writer.flat.borrow(), writer.arena.borrow());
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
