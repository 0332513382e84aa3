//! Tables of automata: each state of an automaton is a signal of its block, so that the table follows from the text.
//!
//! A table lives as long as the program, as all tables do. Automata with the same states share one, and the memory of
//! all tables is bounded: beyond it automata have no signals, which is reported.

use std::sync::{LazyLock, Mutex, PoisonError};

use parser::source::Sources;
use parser::syntax::{Block, Document, NodeKind};
use rustc_hash::FxHashMap;

use super::automaton::{AUTOMATON, STATE};
use crate::element::{BlockSchema, SignalSchema, signal};

/// Most states of one automaton.
pub(crate) const MOST_STATES: usize = 1000;
/// Most states of all tables together.
const MOST_IN_ALL: usize = 1_000_000;

/// The tables that were asked for so far, by the names of their states.
static TABLES: LazyLock<Mutex<Tables>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Tables {
    known: FxHashMap<Box<[Box<str>]>, &'static BlockSchema>,
    n_states: usize,
}

/// Can a state have this name?
pub(crate) fn is_name_of_state(name: &str) -> bool {
    let mut characters = name.chars();
    let begins = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    begins && characters.all(|c| c.is_ascii_alphanumeric() || c == '_') && name != STATE.name
}

/// The table of an Automaton block, with a signal for each of its states; names that cannot be are left out.
pub(crate) fn table(sources: &Sources, document: &Document, block: &Block) -> &'static BlockSchema {
    let mut parameters = document.parameters(block).iter();
    let given = parameters.find(|parameter| sources.text(parameter.name) == "States");
    let values = given.map_or(&[][..], |given| match *document.values(given) {
        [single] => match document.node(single).kind {
            NodeKind::List(run) => document.members(run),
            _ => document.values(given),
        },
        _ => document.values(given),
    });
    let mut states: Vec<&str> = Vec::new();
    for &value in values.iter().take(MOST_STATES) {
        let name = sources.text(document.node(value).span);
        if is_name_of_state(name) && !states.contains(&name) {
            states.push(name);
        }
    }
    find(&states)
}

/// The table of these states.
fn find(states: &[&str]) -> &'static BlockSchema {
    if states.is_empty() {
        return &AUTOMATON;
    }
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let key: Box<[Box<str>]> = states.iter().map(|state| Box::from(*state)).collect();
    if let Some(table) = tables.known.get(&key) {
        return table;
    }
    if tables.n_states + states.len() > MOST_IN_ALL {
        return &AUTOMATON;
    }
    tables.n_states += states.len();
    let name = |name: &&str| -> &'static str { Box::leak(Box::from(*name)) };
    let own: Vec<SignalSchema> =
        states.iter().map(|state| signal(name(state), "", "1 in this state, else 0")).collect();
    let own: &'static [SignalSchema] = Box::leak(own.into());
    let signals: &'static [&'static [SignalSchema]] = Box::leak(Box::new([&[STATE][..], own]));
    let table: &'static BlockSchema = Box::leak(Box::new(BlockSchema { signals, ..schema() }));
    tables.known.insert(key, table);
    table
}

/// What all tables of automata have in common.
fn schema() -> BlockSchema {
    let BlockSchema { keyword, family, origin, doc, parameters, variants, coordinates, signals } =
        AUTOMATON;
    BlockSchema { keyword, family, origin, doc, parameters, variants, coordinates, signals }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn automata_with_the_same_states_share_a_table() {
        let table = find(&["idle", "run"]);
        assert!(std::ptr::eq(table, find(&["idle", "run"])));
        assert!(!std::ptr::eq(table, find(&["run", "idle"])));
        let names: Vec<&str> = table.all_signals().map(|signal| signal.name).collect();
        assert_eq!(names, ["state", "idle", "run"]);
        assert!(std::ptr::eq(find(&[]), &AUTOMATON));
    }

    #[test]
    fn a_state_is_called_by_a_plain_name() {
        assert!(["idle", "_a", "s1"].iter().all(|name| is_name_of_state(name)));
        assert!(
            ["", "1s", "a.b", "a-b", "state", "a b"].iter().all(|name| !is_name_of_state(name))
        );
    }
}
