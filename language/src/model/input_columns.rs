//! Do the columns of the table of inputs belong to Input blocks?

use parser::diagnostic::Diagnostic;
use parser::suggest::nearest;

use crate::blocks::network::signals::input::INPUT;
use crate::codes;
use crate::reading::context::Context;

/// Reports columns that no Input block takes.
pub(super) fn check(context: &mut Context<'_>) {
    let Some(table) = context.inputs else { return };
    let is_input = |block: &u32| std::ptr::eq(context.blocks[*block as usize].schema, &INPUT);
    let all: Vec<&str> = (0..context.blocks.len() as u32)
        .filter(is_input)
        .map(|block| context.name(block))
        .collect();
    let mut mistakes = Vec::new();
    for column in table.columns() {
        if all.contains(&column.name.as_str()) {
            continue;
        }
        let message = format!("the model has no Input `{}`", column.name);
        let help = match nearest(&column.name, all.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if all.is_empty() => {
                format!(
                    "add `Input \"{}\" {{ }}` to the model, or leave the column out",
                    column.name
                )
            }
            None => format!("its inputs are {}; leave the column out", all.join(", ")),
        };
        let diagnostic = Diagnostic::new(codes::UNKNOWN_INPUT, column.header, message);
        mistakes.push(diagnostic.help(help));
    }
    mistakes.into_iter().for_each(|mistake| context.report_missing(mistake));
}
