//! An automaton: it is in one of its states, and conditions lead it from state to state.

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;

use super::automaton_table::{MOST_STATES, is_name_of_state};
use crate::blocks::network::{element_schema, signal};
use crate::codes;
use crate::element::{BlockSchema, SignalSchema};
use crate::reading::fields::{Condition, Name, Names};
use crate::reading::{BlockReader, Group, parameters};
use crate::sketch::Sketched;
use crate::writing::Writer;

parameters! {
    /// The parameters of an Automaton block.
    pub struct AutomatonParameters {
        states: Names = "States", Plus, Unit::None, Required, Any, "names of the states; each is a signal of the block, 1 in that state and else 0";
        start: Name = "Start", Plus, Unit::None, Required, Any, "state at the start";
    }
}

/// The number of the state.
pub(super) const STATE: SignalSchema =
    signal("state", "", "number of the state, from 1 in the order of States");

/// The table of an Automaton block without its states.
pub static AUTOMATON: BlockSchema = element_schema(
    "Automaton",
    "An automaton: the lines `from -> to : condition;` of its section `Transitions` lead it from state to state; the \
     first whose condition is true is taken, also at the start. Besides `state` every state is a signal.",
    &[AutomatonParameters::PARAMETERS],
    &[&[STATE]],
);

/// A line of a Transitions section.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// The state before, from 0.
    pub from: usize,
    /// The state behind, from 0.
    pub to: usize,
    /// When it is taken.
    pub condition: Condition,
}

/// An automaton.
#[derive(Clone, Debug, PartialEq)]
pub struct Automaton {
    /// The names of its states.
    pub states: Box<[Box<str>]>,
    /// The state at the start, from 0.
    pub start: usize,
    /// Its transitions in the order of the text.
    pub transitions: Box<[Transition]>,
}

/// The states while the block is read.
struct States<'s> {
    names: Vec<(&'s str, Span)>,
    /// Some name is missing, so that others may be meant.
    is_damaged: bool,
}

impl Automaton {
    /// Reads the block and its section.
    pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Self {
        let parameters = AutomatonParameters::read(reader);
        let states = read_states(reader, &parameters.states);
        let start = parameters.start.0;
        let start = match start == Span::default() {
            true => None,
            false => find(reader, &states, start),
        };
        let transitions = read_transitions(reader, &states);
        let names = states.names.iter().map(|(name, _)| Box::from(*name)).collect();
        if let Some(start) = start.filter(|_| !states.is_damaged && !transitions.is_empty()) {
            warn_of_unreachable(reader, &states, start, &transitions);
        }
        Self { states: names, start: start.unwrap_or(0), transitions: transitions.into() }
    }

    /// Writes its registers and conditions.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let passages = self.transitions.iter().map(|t| (t.from, t.to, &t.condition));
        let held = e.actions().automaton(&self.states, self.start, passages);
        e.signal(STATE.name, held[0]);
        for (name, &held) in self.states.iter().zip(&held[1..]) {
            e.signal(name, held);
        }
    }
}

/// The names of the states, each once.
fn read_states<'s>(reader: &mut BlockReader<'_, 's>, given: &Names) -> States<'s> {
    let mut states = States { names: Vec::new(), is_damaged: given.0.is_empty() };
    for &span in &given.0 {
        let name = reader.context.sources.text(span);
        let first = states.names.iter().find(|(known, _)| *known == name).map(|(_, span)| *span);
        let mistake = if let Some(first) = first {
            let message = format!("there are two states `{name}`");
            Diagnostic::new(codes::DUPLICATE_NAME, span, message).also(first, "the first one")
        } else if name == STATE.name {
            let message = "`state` is the number of the state; no state may have this name";
            Diagnostic::new(codes::RESERVED_NAME, span, message)
        } else if !is_name_of_state(name) {
            let message = format!("`{name}` cannot be the name of a state");
            let help = "names of states have letters, digits and `_`, and begin with a letter";
            Diagnostic::new(codes::BAD_STATE, span, message).help(help)
        } else if states.names.len() == MOST_STATES {
            let message = format!("an automaton has at most {MOST_STATES} states");
            let help = "count with discrete Variables, or use several automata";
            reader.context.report(Diagnostic::new(codes::BAD_STATE, span, message).help(help));
            states.is_damaged = true;
            break;
        } else {
            states.names.push((name, span));
            continue;
        };
        states.is_damaged = true;
        reader.context.report(mistake);
    }
    let n_known = reader.schema.all_signals().count();
    if !states.is_damaged && n_known < states.names.len() + 1 {
        let span = reader.context.place_of(reader.block, "States");
        let message = "the automata of this program have too many states in all";
        reader.context.report(Diagnostic::new(codes::TOO_LARGE, span, message));
    }
    states
}

/// The number of a state, or a mistake, which is reported.
fn find(reader: &mut BlockReader<'_, '_>, states: &States<'_>, span: Span) -> Option<usize> {
    let name = reader.context.sources.text(span);
    let found = states.names.iter().position(|(known, _)| *known == name);
    if found.is_none() && !states.is_damaged {
        let all: Vec<&str> = states.names.iter().map(|(name, _)| *name).collect();
        let near = nearest(name, all.iter().copied());
        let help = near.map_or_else(
            || format!("its states are {}", all.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        let message = format!("there is no state `{name}`");
        reader.context.report(Diagnostic::new(codes::BAD_STATE, span, message).help(help));
    }
    found
}

/// The lines of the section.
fn read_transitions(reader: &mut BlockReader<'_, '_>, states: &States<'_>) -> Vec<Transition> {
    let document = reader.document;
    let sections = document.inner(reader.context.syntax_of(reader.block));
    let lines: Vec<_> = sections.iter().flat_map(|section| document.transitions(section)).collect();
    if lines.is_empty() && !reader.damaged() && sections.iter().all(|s| !s.damaged) {
        let name = reader.context.name(reader.block);
        let message = format!("Automaton `{name}` has no transitions");
        let help = "add how it changes: `Transitions { idle -> run : start.y > 0.5; }`";
        let span = reader.context.blocks[reader.block as usize].name;
        reader.context.report(Diagnostic::new(codes::REQUIRED, span, message).help(help));
    }
    let mut transitions = Vec::new();
    for line in lines {
        let (from, to) = (find(reader, states, line.from), find(reader, states, line.to));
        let condition = Condition::of(reader, line.condition);
        let (Some(from), Some(to), Some(condition)) = (from, to, condition) else { continue };
        if from == to {
            let name = states.names[from].0;
            let message = format!("this transition leads from `{name}` to itself, without end");
            let help = "what happens in a state without leaving it is the task of a When";
            let diagnostic = Diagnostic::new(codes::BAD_STATE, line.span, message).help(help);
            reader.context.report(diagnostic);
            continue;
        }
        if condition.0.as_constant().is_some_and(|value| value < 0.5) {
            let message = "this condition is never true, so that the transition has no effect";
            let span = document.node(line.condition).span;
            reader.context.report(Diagnostic::new(codes::NO_EFFECT, span, message));
        }
        transitions.push(Transition { from, to, condition });
    }
    transitions
}

/// States that no way leads to from the start.
fn warn_of_unreachable(
    reader: &mut BlockReader<'_, '_>,
    states: &States<'_>,
    start: usize,
    transitions: &[Transition],
) {
    let mut ways = vec![Vec::new(); states.names.len()];
    transitions.iter().for_each(|transition| ways[transition.from].push(transition.to));
    let mut reached = vec![false; states.names.len()];
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut reached[state], true) {
            open.extend_from_slice(&ways[state]);
        }
    }
    for (&(name, span), _) in states.names.iter().zip(&reached).filter(|(_, reached)| !**reached) {
        let message = format!("no transitions lead from the start to the state `{name}`");
        reader.context.report(Diagnostic::new(codes::UNREACHABLE_STATE, span, message));
    }
}

impl Sketched for Automaton {}
