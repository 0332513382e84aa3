//! The entries of `Parameters` blocks: their values, in whatever order they refer to each other.

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::{Document, NodeId, NodeKind};
use rustc_hash::FxHashMap;

use super::context::Context;
use crate::codes;

/// Names that no parameter may have.
const RESERVED: &[&str] = &["t", "pi", "e"];

/// One entry.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'s> {
    pub name: Span,
    pub document: &'s Document,
    pub value: NodeId,
}

/// Whether an entry's value is known.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Waiting,
    Entered,
    Done,
}

/// An entry on the way to its value.
struct Visit {
    index: usize,
    /// Where its needs begin, and which one is next.
    first: usize,
    next: usize,
}

/// Evaluates all entries; `overrides` come from the command line and replace values.
/// Gives the names and values in the order of the text.
pub(crate) fn evaluate<'s>(
    context: &mut Context<'s>,
    entries: &[Entry<'s>],
    overrides: &[Entry<'s>],
) -> Vec<(&'s str, f64)> {
    let mut table = Table::new(context, entries);
    table.replace(context, overrides);
    for index in 0..table.entries.len() {
        table.resolve(context, index);
    }
    let value = |entry: &Entry<'s>| {
        let name = context.sources.text(entry.name);
        Some((name, context.constants.get(name).copied()??))
    };
    table.entries.iter().filter_map(value).collect()
}

struct Table<'s> {
    entries: Vec<Entry<'s>>,
    by_name: FxHashMap<&'s str, usize>,
    states: Vec<State>,
}

impl<'s> Table<'s> {
    /// The first entry of each name, as for every repeated parameter.
    fn new(context: &mut Context<'s>, all: &[Entry<'s>]) -> Self {
        let mut table = Self {
            entries: Vec::with_capacity(all.len()),
            by_name: FxHashMap::with_capacity_and_hasher(all.len(), Default::default()),
            states: Vec::with_capacity(all.len()),
        };
        context.constants.reserve(all.len());
        for &entry in all {
            let name = context.sources.text(entry.name);
            if RESERVED.contains(&name) {
                let message = format!("`{name}` has a fixed meaning and cannot be a parameter");
                context.report(Diagnostic::new(codes::RESERVED_NAME, entry.name, message));
                continue;
            }
            if let Some(&first) = table.by_name.get(name) {
                let message = format!("`{name}` is given twice; the first value counts");
                let first = table.entries[first].name;
                let diagnostic = Diagnostic::new(codes::REPEATED_PARAMETER, entry.name, message);
                context.report(diagnostic.also(first, "this one counts"));
                continue;
            }
            table.by_name.insert(name, table.entries.len());
            table.entries.push(entry);
            table.states.push(State::Waiting);
        }
        table
    }

    fn replace(&mut self, context: &mut Context<'s>, overrides: &[Entry<'s>]) {
        for &entry in overrides {
            let name = context.sources.text(entry.name);
            match self.by_name.get(name) {
                // The declaration stays where it is; only its value comes from elsewhere.
                Some(&index) => {
                    self.entries[index].document = entry.document;
                    self.entries[index].value = entry.value;
                }
                // Its declaration could not be read, which is reported.
                None if context.constants.contains_key(name) => {}
                None => self.unknown(context, entry.name, name),
            }
        }
    }

    /// A value for a parameter that is not there.
    fn unknown(&self, context: &mut Context<'s>, span: Span, name: &str) {
        const SHOWN: usize = 8;
        let names: Vec<&str> =
            self.entries.iter().map(|entry| context.sources.text(entry.name)).collect();
        let help = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => "it has no `Parameters` block".into(),
            None => {
                let more = if names.len() > SHOWN { ", ..." } else { "" };
                let some = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
                format!("its parameters are {some}{more}")
            }
        };
        let message = format!("the model has no parameter `{name}` to set");
        context.report_missing(Diagnostic::new(codes::UNKNOWN_SET, span, message).help(help));
    }

    /// Depth-first with a stack of its own: a chain of a million parameters is no deep recursion.
    fn resolve(&mut self, context: &mut Context<'s>, start: usize) {
        if self.states[start] != State::Waiting {
            return;
        }
        // The needs of all entries on the stack; the needs of the top entry come last.
        let mut needs = Vec::new();
        let mut stack = vec![self.enter(context, start, &mut needs)];
        while let Some(top) = stack.last_mut() {
            let Some(&need) = needs.get(top.next) else {
                needs.truncate(top.first);
                self.finish(context, top.index);
                stack.pop();
                continue;
            };
            top.next += 1;
            match self.states[need] {
                State::Done => {}
                State::Waiting => {
                    let visit = self.enter(context, need, &mut needs);
                    stack.push(visit);
                }
                // Many cycles through one entry are told apart only as long as they are shown.
                State::Entered
                    if context.diagnostics.is_full(codes::PARAMETER_CYCLE)
                        && context.constants.contains_key(self.name(context, need)) => {}
                State::Entered => {
                    let from = stack.iter().position(|visit| visit.index == need).unwrap_or(0);
                    let cycle: Vec<usize> = stack[from..].iter().map(|visit| visit.index).collect();
                    self.report_cycle(context, &cycle);
                }
            }
        }
    }

    fn name(&self, context: &Context<'s>, index: usize) -> &'s str {
        context.sources.text(self.entries[index].name)
    }

    fn enter(&mut self, context: &Context<'s>, index: usize, needs: &mut Vec<usize>) -> Visit {
        self.states[index] = State::Entered;
        let first = needs.len();
        self.add_needs(context, index, needs);
        Visit { index, first, next: first }
    }

    /// The other entries that an entry's value names.
    fn add_needs(&self, context: &Context<'s>, index: usize, needs: &mut Vec<usize>) {
        let entry = &self.entries[index];
        let mut nodes = vec![entry.value];
        while let Some(id) = nodes.pop() {
            let node = entry.document.node(id);
            match node.kind {
                NodeKind::Name => needs.extend(self.by_name.get(context.sources.text(node.span))),
                NodeKind::Parenthesis(inner) | NodeKind::Unary(_, inner) => nodes.push(inner),
                NodeKind::Binary(_, left, right) => nodes.extend([right, left]),
                NodeKind::Call { arguments, .. } => {
                    nodes.extend(entry.document.members(arguments).iter().rev());
                }
                _ => {}
            }
        }
    }

    fn finish(&mut self, context: &mut Context<'s>, index: usize) {
        let entry = self.entries[index];
        let name = context.sources.text(entry.name);
        self.states[index] = State::Done;
        // An entry of a cycle has been given up already.
        if !context.constants.contains_key(name) {
            let value = context.constant(entry.document, entry.value);
            context.constants.insert(name, value);
        }
    }

    fn report_cycle(&self, context: &mut Context<'s>, cycle: &[usize]) {
        let names: Vec<&'s str> =
            cycle.iter().map(|&at| context.sources.text(self.entries[at].name)).collect();
        let Some((&first, rest)) = cycle.split_first() else { return };
        const SHOWN: usize = 8;
        let mut chain = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(" -> ");
        if names.len() > SHOWN {
            chain.push_str(" -> ...");
        }
        let message =
            format!("parameter `{}` depends on itself: {chain} -> {}", names[0], names[0]);
        let mut diagnostic =
            Diagnostic::new(codes::PARAMETER_CYCLE, self.entries[first].name, message);
        for &at in rest.iter().take(SHOWN) {
            diagnostic = diagnostic.also(self.entries[at].name, "");
        }
        context.report(diagnostic);
        for name in names {
            context.constants.insert(name, None);
        }
    }
}
