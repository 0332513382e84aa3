//! Equations as sums: constants times variables, and the variables of any sum.

use equations::expr::{Arena, ExprId, Node, VarId};
use equations::walk::Marks;
use parser::syntax::BinaryOp;

/// Adds the terms as constants times variables to a list and gives the sum of the others, if they are that.
pub(crate) fn linear_form(
    arena: &Arena,
    terms: &[ExprId],
    form: &mut Vec<(VarId, f64)>,
) -> Option<f64> {
    let mut offset = 0.0;
    for &term in terms {
        let (mut at, mut factor) = (term, 1.0);
        loop {
            match arena.node(at) {
                Node::Constant(bits) => offset += factor * f64::from_bits(bits),
                Node::Variable(variable) => form.push((variable, factor)),
                Node::Negate(inner) => {
                    (at, factor) = (inner, -factor);
                    continue;
                }
                Node::Binary(BinaryOp::Multiply, a, b) => {
                    match (arena.value(a), arena.value(b)) {
                        (Some(number), _) => (at, factor) = (b, factor * number),
                        (_, Some(number)) => (at, factor) = (a, factor * number),
                        _ => return None,
                    }
                    continue;
                }
                Node::Binary(BinaryOp::Divide, a, b) => {
                    (at, factor) = (a, factor / arena.value(b)?);
                    continue;
                }
                _ => return None,
            }
            break;
        }
    }
    Some(offset)
}

/// Are the terms constants times variables?
pub(crate) fn is_linear(arena: &Arena, terms: &[ExprId]) -> bool {
    linear_form(arena, terms, &mut Vec::new()).is_some()
}

/// The variables of an equation, each once, ascending.
pub(crate) fn variables_of(arena: &Arena, terms: &[ExprId], marks: &mut Marks) -> Vec<VarId> {
    let mut found = Vec::new();
    find_variables(arena, terms, marks, &mut found);
    found
}

/// The same in a list that is there already.
pub(crate) fn find_variables(
    arena: &Arena,
    terms: &[ExprId],
    marks: &mut Marks,
    found: &mut Vec<VarId>,
) {
    found.clear();
    for &term in terms {
        match arena.node(term) {
            Node::Variable(variable) => found.push(variable),
            _ => arena.variables(term, marks, |variable| found.push(variable)),
        }
    }
    found.sort_unstable();
    found.dedup();
}
