//! Blocks whose name alone is a value in expressions: what they may be called, and what derived quantities are.

use parser::diagnostic::Diagnostic;
use parser::syntax::{Document, NodeId, NodeKind};
use rustc_hash::FxHashMap;

use crate::blocks::derived::SIGNAL;
use crate::codes;
use crate::reading::context::Context;
use crate::reading::dependencies::{self, Declarations};
use crate::reading::formulas;
use crate::reading::scope::Scope;

/// Names that mean something else in every expression.
const RESERVED: &[&str] = &["t", "pi", "e", "yes", "no"];
/// Members of a cycle that are named.
const SHOWN: usize = 8;

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
        } else if let Some(other) = other_value(context, block) {
            let message = format!("the {keyword} `{name}` has the name of a {}", other.0);
            let diagnostic = Diagnostic::new(codes::DUPLICATE_NAME, entry.name, message);
            context.report(diagnostic.also(other.1, "declared here"));
        }
    }
}

/// A block of another keyword whose name is the same value.
fn other_value(context: &Context<'_>, block: u32) -> Option<(&'static str, parser::source::Span)> {
    let own = context.blocks[block as usize].schema.keyword;
    let mut all = context.index.all(context.name(block)).filter(|other| *other < block);
    let entry = all.find_map(|other| {
        let entry = context.blocks[other as usize];
        (entry.schema.is_value() && entry.schema.keyword != own).then_some(entry)
    })?;
    Some((entry.schema.keyword, entry.name))
}

/// Compiles the values of all derived quantities, in whatever order they use each other.
pub(crate) fn derive_signals(context: &mut Context<'_>) {
    let is_signal = |block: &u32| context.blocks[*block as usize].schema.keyword == SIGNAL.keyword;
    let blocks: Vec<u32> = (0..context.blocks.len() as u32).filter(is_signal).collect();
    if blocks.is_empty() {
        return;
    }
    let places = blocks.iter().enumerate().map(|(place, &block)| (block, place)).collect();
    let count = blocks.len();
    dependencies::resolve(&mut Derivation { context, blocks, places }, count);
}

/// The derived quantities while they are compiled.
struct Derivation<'c, 's> {
    context: &'c mut Context<'s>,
    blocks: Vec<u32>,
    /// The place of each block among `blocks`.
    places: FxHashMap<u32, usize>,
}

impl<'s> Derivation<'_, 's> {
    fn value(&self, index: usize) -> Option<(&'s Document, NodeId)> {
        let block = self.blocks[index];
        Some((self.context.document_of(block), formulas::value(self.context, block)?))
    }
}

impl Declarations for Derivation<'_, '_> {
    fn add_needs(&self, index: usize, needs: &mut Vec<usize>) {
        let Some((document, value)) = self.value(index) else { return };
        let mut nodes = vec![value];
        while let Some(id) = nodes.pop() {
            let node = document.node(id);
            match node.kind {
                NodeKind::Name => {
                    let named = self.context.value_block(self.context.sources.text(node.span));
                    needs.extend(named.and_then(|block| self.places.get(&block)));
                }
                NodeKind::Parenthesis(inner) | NodeKind::Unary(_, inner) => nodes.push(inner),
                NodeKind::Binary(_, left, right) => nodes.extend([right, left]),
                NodeKind::Call { arguments, .. } => {
                    nodes.extend(document.members(arguments).iter().rev());
                }
                _ => {}
            }
        }
    }

    fn finish(&mut self, index: usize) {
        let block = self.blocks[index];
        if self.context.derived.contains_key(&block) {
            return;
        }
        let program = self
            .value(index)
            .and_then(|(document, value)| self.context.program(document, value, Scope::Time));
        self.context.derived.insert(block, program);
    }

    fn give_up(&mut self, cycle: &[usize]) {
        let Some((&first, rest)) = cycle.split_first() else { return };
        let names: Vec<&str> = cycle.iter().map(|&at| self.context.name(self.blocks[at])).collect();
        let mut chain = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(" -> ");
        if names.len() > SHOWN {
            chain.push_str(" -> ...");
        }
        let place = |at: usize| self.context.blocks[self.blocks[at] as usize].name;
        let message = format!("signal `{}` depends on itself: {chain} -> {}", names[0], names[0]);
        let start = Diagnostic::new(codes::PARAMETER_CYCLE, place(first), message);
        let all = rest.iter().take(SHOWN);
        let diagnostic = all.fold(start, |diagnostic, &at| diagnostic.also(place(at), ""));
        self.context.report(diagnostic);
        for &at in cycle {
            self.context.derived.insert(self.blocks[at], None);
        }
    }

    fn is_told(&self, index: usize) -> bool {
        self.context.diagnostics.is_full(codes::PARAMETER_CYCLE)
            && self.context.derived.contains_key(&self.blocks[index])
    }
}
