//! The names in the values of parameters.

use parser::source::Span;
use parser::syntax::{NodeId, NodeKind};

use super::definitions::Place;

/// Calls `visit` with the places of all names in expressions.
pub(super) fn names_in(place: Place<'_>, values: &[NodeId], visit: &mut impl FnMut(Span)) {
    let mut open = values.to_vec();
    while let Some(id) = open.pop() {
        let node = place.document.node(id);
        match node.kind {
            NodeKind::Name => visit(node.span),
            NodeKind::Indexed(run) => {
                visit(node.span);
                open.extend(place.document.members(run));
            }
            NodeKind::List(run) => open.extend(place.document.members(run)),
            NodeKind::Parenthesis(inner) | NodeKind::Unary(_, inner) => open.push(inner),
            NodeKind::Binary(_, left, right) => open.extend([left, right]),
            NodeKind::Call { arguments, .. } => open.extend(place.document.members(arguments)),
            NodeKind::Number(_) | NodeKind::Word | NodeKind::Text => {}
        }
    }
}

/// Calls `visit` with the places of the names of all functions in expressions.
pub(super) fn calls_in(place: Place<'_>, values: &[NodeId], visit: &mut impl FnMut(Span)) {
    let mut open = values.to_vec();
    while let Some(id) = open.pop() {
        let node = place.document.node(id);
        match node.kind {
            NodeKind::Indexed(run) | NodeKind::List(run) => {
                open.extend(place.document.members(run));
            }
            NodeKind::Parenthesis(inner) | NodeKind::Unary(_, inner) => open.push(inner),
            NodeKind::Binary(_, left, right) => open.extend([left, right]),
            NodeKind::Call { name_len, arguments } => {
                visit(Span::new(node.span.start, node.span.start + u32::from(name_len)));
                open.extend(place.document.members(arguments));
            }
            NodeKind::Number(_) | NodeKind::Name | NodeKind::Word | NodeKind::Text => {}
        }
    }
}
