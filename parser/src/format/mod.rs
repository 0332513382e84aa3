//! The formatter: one layout for every text, comments kept, meaning untouched.
//!
//! ```text
//! text -> tokens (tokens.rs) -> blocks and parameters (layout.rs) -> lines (flow.rs, columns.rs, lines.rs)
//! ```
//!
//! Layout sees tokens and never makes or drops one. Even so the result is parsed again and compared
//! with the original before it is given away.

mod columns;
mod flow;
mod layout;
mod lines;
mod tokens;

use crate::Parsed;
use crate::meaning::same_meaning;
use crate::source::{Source, Sources};

/// The text in its standard layout; `None` when it has errors, because what is not understood must not
/// be touched. Formatting twice gives the same text as formatting once.
pub fn format(source: &Source, parsed: &Parsed) -> Option<String> {
    if parsed.diagnostics.errors() > 0 {
        return None;
    }
    let formatted = layout::layout(source.text());
    let safe = formatted.filter(|text| keeps_meaning(source, parsed, text));
    debug_assert!(safe.is_some(), "the formatter changed the meaning of a text");
    // A formatter that is wrong must be useless rather than harmful.
    Some(safe.unwrap_or_else(|| source.text().to_string()))
}

/// Whether the formatted text parses to the same model with the same comments.
fn keeps_meaning(source: &Source, parsed: &Parsed, formatted: &str) -> bool {
    let mut sources = Sources::default();
    if sources.add("formatted", formatted).is_err() {
        return false;
    }
    let Some(again) = sources.get(0) else { return false };
    same_meaning((source, parsed), (again, &crate::parse(again)))
}

#[cfg(test)]
mod tests;
