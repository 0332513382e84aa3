//! Blocks whose name alone is a value in expressions: what they may be called.

use parser::diagnostic::Diagnostic;

use crate::codes;
use crate::reading::context::Context;

/// Names that mean something else in every expression.
const RESERVED: &[&str] = &["t", "pi", "e", "yes", "no"];

/// Reports blocks whose names mean something else in expressions.
pub(crate) fn check_names(context: &mut Context<'_>) {
    for block in 0..context.blocks.len() as u32 {
        let entry = context.blocks[block as usize];
        if !entry.schema.is_value() {
            continue;
        }
        let (name, keyword) = (context.name(block), entry.schema.keyword);
        if RESERVED.contains(&name) {
            let message = format!("`{name}` has a fixed meaning and cannot be a {keyword}");
            context.report(Diagnostic::new(codes::RESERVED_NAME, entry.name, message));
        } else if context.constants.contains_key(name) {
            let message = format!("the {keyword} `{name}` has the name of a parameter");
            let help = "an expression could not tell them apart; give one of them another name";
            let diagnostic = Diagnostic::new(codes::DUPLICATE_NAME, entry.name, message);
            context.report(diagnostic.help(help));
        }
    }
}
