//! The entries of `Parameters` blocks and the formulas: their values, in whatever order they refer to each other.

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::{Document, NodeId, NodeKind};
use rustc_hash::FxHashMap;

use super::context::Context;
use super::dependencies::{self, Declarations};
use super::formulas;
use crate::codes;

/// Names that no parameter may have.
const RESERVED: &[&str] = &["t", "pi", "e"];
/// Members of a cycle that are named.
const SHOWN: usize = 8;

/// One entry, or one formula.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'s> {
    pub name: Span,
    pub document: &'s Document,
    pub value: NodeId,
    /// The block of a formula.
    pub formula: Option<u32>,
}

/// Evaluates all entries and compiles all formulas; `overrides` come from the command line and replace values.
/// Gives the names and values of the entries in the order of the text.
pub(crate) fn evaluate<'s>(
    context: &mut Context<'s>,
    entries: &[Entry<'s>],
    overrides: &[Entry<'s>],
) -> Vec<(&'s str, f64)> {
    let mut table = Table::new(context, entries);
    table.replace(context, overrides);
    let count = table.entries.len();
    dependencies::resolve(&mut Evaluation { table: &table, context }, count);
    let value = |entry: &Entry<'s>| {
        let name = context.sources.text(entry.name);
        Some((name, context.constants.get(name).copied()??))
    };
    table.entries.iter().filter(|entry| entry.formula.is_none()).filter_map(value).collect()
}

struct Table<'s> {
    entries: Vec<Entry<'s>>,
    by_name: FxHashMap<&'s str, usize>,
    formulas: FxHashMap<&'s str, usize>,
}

impl<'s> Table<'s> {
    /// The first entry of each name, as for every repeated parameter.
    fn new(context: &mut Context<'s>, all: &[Entry<'s>]) -> Self {
        let mut table = Self {
            entries: Vec::with_capacity(all.len()),
            by_name: FxHashMap::with_capacity_and_hasher(all.len(), Default::default()),
            formulas: FxHashMap::default(),
        };
        context.constants.reserve(all.len());
        for &entry in all {
            let name = context.sources.text(entry.name);
            if entry.formula.is_some() {
                // Repeated names are reported with those of all blocks.
                table.formulas.entry(name).or_insert(table.entries.len());
                table.entries.push(entry);
                continue;
            }
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
        let entries = self.entries.iter().filter(|entry| entry.formula.is_none());
        let names: Vec<&str> = entries.map(|entry| context.sources.text(entry.name)).collect();
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
}

/// All entries and formulas while they are worked out.
struct Evaluation<'t, 'c, 's> {
    table: &'t Table<'s>,
    context: &'c mut Context<'s>,
}

impl<'s> Evaluation<'_, '_, 's> {
    fn name(&self, index: usize) -> &'s str {
        self.context.sources.text(self.table.entries[index].name)
    }

    /// Is its value known, or known to be wrong?
    fn is_known(&self, index: usize) -> bool {
        let name = self.name(index);
        match self.table.entries[index].formula {
            Some(_) => self.context.functions.contains_key(name),
            None => self.context.constants.contains_key(name),
        }
    }
}

impl Declarations for Evaluation<'_, '_, '_> {
    /// The other entries and the formulas that a value names.
    fn add_needs(&self, index: usize, needs: &mut Vec<usize>) {
        let entry = &self.table.entries[index];
        let sources = self.context.sources;
        let arguments = entry.formula.map(|block| formulas::arguments(self.context, block));
        let arguments = arguments.unwrap_or_default();
        let mut nodes = vec![entry.value];
        while let Some(id) = nodes.pop() {
            let node = entry.document.node(id);
            match node.kind {
                NodeKind::Name => {
                    let name = sources.text(node.span);
                    if !arguments.contains(&name) {
                        needs.extend(self.table.by_name.get(name));
                    }
                }
                NodeKind::Parenthesis(inner) | NodeKind::Unary(_, inner) => nodes.push(inner),
                NodeKind::Binary(_, left, right) => nodes.extend([right, left]),
                NodeKind::Call { name_len, arguments } => {
                    let name = sources.text(node.span);
                    let name = name.get(..usize::from(name_len)).unwrap_or(name);
                    needs.extend(self.table.formulas.get(name));
                    nodes.extend(entry.document.members(arguments).iter().rev());
                }
                _ => {}
            }
        }
    }

    fn finish(&mut self, index: usize) {
        // An entry of a cycle has been given up already.
        if self.is_known(index) {
            return;
        }
        let entry = self.table.entries[index];
        let name = self.name(index);
        match entry.formula {
            Some(block) => {
                let function = formulas::compiled(self.context, block, entry.document, entry.value);
                self.context.functions.insert(name, function);
            }
            None => {
                let value = self.context.constant(entry.document, entry.value);
                self.context.constants.insert(name, value);
            }
        }
    }

    fn give_up(&mut self, cycle: &[usize]) {
        let names: Vec<&str> = cycle.iter().map(|&at| self.name(at)).collect();
        let Some((&first, rest)) = cycle.split_first() else { return };
        let mut chain = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(" -> ");
        if names.len() > SHOWN {
            chain.push_str(" -> ...");
        }
        let entries = &self.table.entries;
        let kind = if entries[first].formula.is_some() { "formula" } else { "parameter" };
        let message = format!("{kind} `{}` depends on itself: {chain} -> {}", names[0], names[0]);
        let mut diagnostic = Diagnostic::new(codes::PARAMETER_CYCLE, entries[first].name, message);
        for &at in rest.iter().take(SHOWN) {
            diagnostic = diagnostic.also(entries[at].name, "");
        }
        self.context.report(diagnostic);
        for &at in cycle {
            let name = self.name(at);
            match entries[at].formula {
                Some(_) => drop(self.context.functions.insert(name, None)),
                None => drop(self.context.constants.insert(name, None)),
            }
        }
    }

    /// Many cycles through one entry are told apart only as long as they are shown.
    fn is_told(&self, index: usize) -> bool {
        self.context.diagnostics.is_full(codes::PARAMETER_CYCLE) && self.is_known(index)
    }
}
