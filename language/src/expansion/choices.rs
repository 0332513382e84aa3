//! What an `if` with a constant condition chooses.

use equations::expression::TRUE_ABOVE;
use parser::syntax::{NodeId, NodeKind};

use super::Expander;
use super::environment::View;
use super::names_in_values::names_in;
use super::parameter_values::Value;

/// The branch that an `if` chooses in the place of a word; any other value is itself.
pub(super) fn chosen<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    id: NodeId,
) -> Option<NodeId> {
    let document = view.place.document;
    let mut id = id;
    loop {
        let node = document.node(id);
        let NodeKind::Call { name_len, arguments } = node.kind else { return Some(id) };
        let name = expander.sources.text(node.span).get(..usize::from(name_len));
        let [condition, yes, no] = document.members(arguments) else { return Some(id) };
        if name != Some("if") {
            return Some(id);
        }
        let truth = expander.number(view, *condition)?;
        id = if truth > TRUE_ABOVE { *yes } else { *no };
    }
}

/// The branch of an `if` whose condition asks for the index of a Repeat and otherwise for constants. The other branch is left
/// out, because it may name what is not there: `if(k == 1, 0, stage[k-1].y)`.
pub(super) fn branch_of_pass<'s>(
    expander: &mut Expander<'s>,
    view: View<'_, 's>,
    arguments: &[NodeId],
) -> Option<NodeId> {
    let [condition, yes, no] = *arguments else { return None };
    let (mut has_index, mut is_constant) = (false, true);
    names_in(view.place, &[condition], &mut |span| {
        let name = expander.sources.text(span);
        let is_index = view.index(name).is_some();
        has_index |= is_index;
        is_constant &= is_index || is_number(expander, view, name);
    });
    if !has_index || !is_constant {
        return None;
    }
    let truth = expander.number(view, condition)?;
    Some(if truth > TRUE_ABOVE { yes } else { no })
}

/// Is it a parameter of the component or of its file that is a number?
fn is_number(expander: &Expander<'_>, view: View<'_, '_>, name: &str) -> bool {
    if let Some(value) = view.parameter(name) {
        return matches!(value, Some(Value::Number(_)));
    }
    let constants = &expander.names[view.place.scope].constants;
    let value = constants.get(name).and_then(|&at| expander.constants[at].value.as_ref());
    matches!(value, Some(Value::Number(_)))
}
