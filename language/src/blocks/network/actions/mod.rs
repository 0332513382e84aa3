//! What the text of a model does at events: `When` and automata.

pub mod automaton;
pub(crate) mod automaton_table;
pub mod when;
