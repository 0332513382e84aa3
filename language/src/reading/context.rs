//! What reading the blocks of a model needs to know: texts, names, constants; and where it reports.

use std::cell::Cell;

use parser::diagnostic::{Code, Diagnostic, Diagnostics};
use parser::source::{Sources, Span};
use parser::suggest::nearest;
use parser::syntax::{Block, Document, NodeId, NodeKind, Parameter};
use rustc_hash::FxHashMap;

use super::additions::Additions;
use super::input_table::InputTable;
use super::names::{self, BlockEntry, Found, NameIndex, SignalPath};
use super::scope::{Scope, Scoped};
use super::varied::VariedValue;
use crate::codes;
use crate::element::{BlockSchema, SignalSchema, SignalShape};
use equations::domain::Domain;
use equations::expression::{CustomFunction, Program, SignalRef, compile};

/// The state of putting a model together.
pub(crate) struct Context<'s> {
    pub sources: &'s Sources,
    pub documents: &'s [Document],
    pub blocks: Vec<BlockEntry>,
    pub index: NameIndex<'s>,
    /// Nodes of networks by name: index among the nodes.
    pub nodes: FxHashMap<&'s str, super::ids::NodeId>,
    /// Nodes with a fixed potential.
    pub references: FxHashMap<Domain, super::ids::NodeId>,
    /// Entries of `Parameters`; `None` for one whose value is wrong.
    pub constants: FxHashMap<&'s str, Option<f64>>,
    /// Formulas by name; `None` for one with a mistake.
    pub functions: FxHashMap<&'s str, Option<CustomFunction>>,
    /// Values of the Signal blocks; `None` for one with a mistake.
    pub derived: FxHashMap<u32, Option<Program>>,
    /// Points of files, by the place that names the file.
    pub data: &'s FxHashMap<Span, Box<[[f64; 2]]>>,
    /// The table that the Input blocks follow, if there is one.
    pub inputs: Option<&'s InputTable>,
    pub diagnostics: Diagnostics,
    /// Some text or file could not be read: a name that is unknown may be declared there.
    pub lost_blocks: bool,
    /// Names of blocks with unknown keywords, and where the keyword is; without a place where that
    /// is an error.
    pub ignored: FxHashMap<&'s str, Option<Span>>,
    /// How often a suggestion was looked for.
    pub looks: Cell<usize>,
    /// What an analysis adds to expressions.
    pub additions: Additions,
    /// Memory for the parameters of the block that is being read.
    pub given: Vec<(&'static str, &'s Parameter)>,
    /// A value that is another one than the text says.
    pub varied: Option<VariedValue<'s>>,
}

/// Suggestions are looked for this often, because each look goes through all names.
const LOOKS: usize = 500;
/// A component above this is none of any block.
const MOST_COMPONENTS: usize = u16::MAX as usize;
/// And this often in a large model.
const LOOKS_IF_LARGE: usize = 10;
/// A model with more names than this is large.
const LARGE: usize = 20_000;

impl<'s> Context<'s> {
    pub(crate) fn document_of(&self, block: u32) -> &'s Document {
        &self.documents[self.blocks[block as usize].place.0 as usize]
    }

    /// The node that a terminal of this domain names.
    pub(crate) fn node(&self, name: &str, domain: Domain) -> Option<super::ids::NodeId> {
        match name == domain.reference() {
            true => self.references.get(&domain).copied(),
            false => self.nodes.get(name).copied(),
        }
    }

    pub(crate) fn syntax_of(&self, block: u32) -> &'s Block {
        &self.document_of(block).blocks()[self.blocks[block as usize].place.1 as usize]
    }

    /// The first parameter of this name in a block.
    pub(crate) fn parameter_of(&self, block: u32, name: &str) -> Option<&'s Parameter> {
        let parameters = self.document_of(block).parameters(self.syntax_of(block));
        parameters.iter().find(|parameter| self.sources.text(parameter.name) == name)
    }

    /// The place to point at for a parameter: its value, or the block's name if it is not given.
    pub(crate) fn place_of(&self, block: u32, name: &str) -> Span {
        self.parameter_of(block, name).map_or(self.blocks[block as usize].name, |p| p.value)
    }

    pub(crate) fn name(&self, block: u32) -> &'s str {
        self.sources.text(self.blocks[block as usize].name)
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports that something is not there, unless it may be in a text that could not be read.
    pub(crate) fn report_missing(&mut self, diagnostic: Diagnostic) {
        if !self.lost_blocks {
            self.report(diagnostic);
        }
    }

    /// Reports a message that is composed only if it will be shown.
    pub(crate) fn report_with(
        &mut self,
        code: Code,
        compose: impl FnOnce(&Context<'s>) -> Diagnostic,
    ) {
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        diagnostics.push_with(code, || compose(self));
        self.diagnostics = diagnostics;
    }

    /// Whether a search for a suggestion is worth its time for another message of this code.
    pub(crate) fn may_suggest(&self, code: Code) -> bool {
        let large = self.blocks.len() + self.constants.len() > LARGE;
        let looks = self.looks.get();
        self.looks.set(looks + 1);
        !self.diagnostics.is_full(code) && looks < if large { LOOKS_IF_LARGE } else { LOOKS }
    }

    /// The value of a constant expression; mistakes are reported.
    pub(crate) fn constant(&mut self, document: &Document, node: NodeId) -> Option<f64> {
        let number = self.written_constant(document, node)?;
        Some(self.vary(document, node, number))
    }

    /// The number that takes the place of a value that the text says: another one if it is to be varied.
    fn vary(&mut self, document: &Document, node: NodeId, number: f64) -> f64 {
        match &mut self.varied {
            Some(varied) if varied.node == node && std::ptr::eq(varied.document, document) => {
                varied.written = Some(number);
                number + varied.by
            }
            _ => number,
        }
    }

    fn written_constant(&mut self, document: &Document, node: NodeId) -> Option<f64> {
        if let NodeKind::Number(number) = document.node(node).kind {
            // The grammar has reported a literal that is too large.
            return number.is_finite().then_some(number);
        }
        let number = self.written_program(document, node, Scope::Constant)?.as_constant();
        if number.is_none() {
            let message = "this value is constant, but a formula in it depends on the time `t`";
            let span = document.node(node).span;
            self.report(Diagnostic::new(codes::NOT_CONSTANT, span, message));
        }
        number
    }

    /// The value of a constant expression, if it has one; mistakes are left to who reads it.
    pub(crate) fn constant_if_any(&self, document: &Document, node: NodeId) -> Option<f64> {
        compile(document, node, &Scoped::new(self, Scope::Constant)).ok()?.as_constant()
    }

    /// A compiled expression, if it is one; mistakes are left to who reads it.
    pub(crate) fn program_if_any(
        &self,
        document: &Document,
        node: NodeId,
        scope: Scope,
    ) -> Option<Program> {
        compile(document, node, &Scoped::new(self, scope)).ok()
    }

    /// A compiled expression; mistakes are reported.
    pub(crate) fn program(
        &mut self,
        document: &Document,
        node: NodeId,
        scope: Scope,
    ) -> Option<Program> {
        let program = self.written_program(document, node, scope)?;
        match (&self.varied, program.as_constant()) {
            (Some(_), Some(number)) => Some(Program::constant(self.vary(document, node, number))),
            _ => Some(program),
        }
    }

    fn written_program(
        &mut self,
        document: &Document,
        node: NodeId,
        scope: Scope,
    ) -> Option<Program> {
        match compile(document, node, &Scoped::new(self, scope)) {
            Ok(program) => Some(self.additions.add_to_signals(program)),
            Err(mistakes) => {
                self.diagnostics.append(mistakes);
                None
            }
        }
    }

    /// The signal that a path means.
    pub(crate) fn signal(
        &self,
        text: &str,
        span: Span,
    ) -> Result<(SignalRef, &'static SignalSchema), Option<Box<Diagnostic>>> {
        let unknown = |message: String| Diagnostic::new(codes::UNKNOWN_SIGNAL, span, message);
        if let Some(block) = self.value_block(text) {
            return self.value(block, text, span).map_err(Some);
        }
        let Some(path) = names::split_path(text) else {
            let example = self.signal_of_element(text).unwrap_or_else(|| "J1.q".into());
            let help = format!("a signal is written `element.signal`, such as `{example}`");
            let message = format!("`{text}` is no signal");
            return Err(Some(Box::new(unknown(message).help(help))));
        };
        // Of several elements with the name, the one that has such a signal is meant.
        let named = |schema: &BlockSchema| schema.all_signals().any(|s| s.name == path.signal);
        let find = |accept: &dyn Fn(&BlockSchema) -> bool| {
            names::find(&self.index, &self.blocks, path.keyword, path.element, accept)
        };
        let found = match find(&named) {
            Found::WrongKind(_) => find(&names::has_signals),
            found => found,
        };
        let block = match found {
            Found::One(block) => block,
            Found::Several(all) => {
                let signal = format!(".{}", path.signal);
                return Err(Some(Box::new(self.ambiguous(path.element, &signal, span, &all))));
            }
            // The signals of a plugin that is not known cannot be judged.
            Found::WrongKind(block) if self.blocks[block as usize].schema.is_unknown_plugin() => {
                return Err(None);
            }
            Found::WrongKind(block) => {
                let keyword = self.blocks[block as usize].schema.keyword;
                let message = format!("the {keyword} `{}` has no signals", path.element);
                return Err(Some(Box::new(unknown(message))));
            }
            Found::Unknown => {
                let message = format!("there is no element `{}`", path.element);
                let near = self.suggest_value(text, codes::UNKNOWN_SIGNAL);
                let near =
                    near.or_else(|| self.suggest_element(path.element, codes::UNKNOWN_SIGNAL));
                let diagnostic = unknown(message).maybe_help(near);
                return Err(match self.ignored.get(path.element) {
                    Some(None) => None,
                    Some(Some(keyword)) => {
                        Some(Box::new(diagnostic.also(*keyword, "this block is ignored")))
                    }
                    None => (!self.lost_blocks).then(|| Box::new(diagnostic)),
                });
            }
        };
        self.signal_of(block, &path, span).map_err(Some)
    }

    /// The block whose name alone is a value, if the whole path is such a name.
    pub(crate) fn value_block(&self, path: &str) -> Option<u32> {
        let (keyword, name) = names::split_reference(path);
        let schema = |block: u32| self.blocks[block as usize].schema;
        let fits = |schema: &BlockSchema| {
            schema.is_value() && keyword.is_none_or(|keyword| schema.keyword == keyword)
        };
        self.index.all(name).find(|&block| fits(schema(block)))
    }

    /// The value that a block is. A path that could also be a signal of another block is a mistake.
    fn value(
        &self,
        block: u32,
        text: &str,
        span: Span,
    ) -> Result<(SignalRef, &'static SignalSchema), Box<Diagnostic>> {
        let BlockEntry { schema, name, .. } = self.blocks[block as usize];
        let path = names::split_path(text);
        let other = path.as_ref().and_then(|path| {
            let named = |schema: &BlockSchema| schema.all_signals().any(|s| s.name == path.signal);
            match names::find(&self.index, &self.blocks, path.keyword, path.element, named) {
                Found::One(other) => Some(self.blocks[other as usize]),
                _ => None,
            }
        });
        if let (Some(other), Some(path)) = (other, path) {
            let keyword = other.schema.keyword;
            let message = format!(
                "`{text}` could be the {} of that name or a signal of the {keyword} `{}`",
                schema.keyword, path.element
            );
            let diagnostic = Diagnostic::new(codes::AMBIGUOUS, span, message)
                .also(name, format!("a {}", schema.keyword))
                .also(other.name, format!("a {keyword}"));
            return Err(Box::new(diagnostic.help("give one of the two another name")));
        }
        let reference = SignalRef { block, signal: 0, component: 0 };
        let Some(signal) = schema.all_signals().next() else {
            let message = format!("`{text}` has no value");
            return Err(Box::new(Diagnostic::new(codes::UNKNOWN_SIGNAL, span, message)));
        };
        Ok((reference, signal))
    }

    /// A similar name among the blocks whose name alone is a value.
    pub(crate) fn suggest_value(&self, wanted: &str, code: Code) -> Option<String> {
        if !self.may_suggest(code) {
            return None;
        }
        let near = self.index.suggest(wanted, self.sources, &self.blocks, BlockSchema::is_value)?;
        Some(format!("did you mean `{near}`?"))
    }

    /// A signal of the element with this name, as an example.
    fn signal_of_element(&self, name: &str) -> Option<String> {
        let signal = |block: u32| self.blocks[block as usize].schema.all_signals().next();
        self.index.all(name).find_map(signal).map(|signal| format!("{name}.{}", signal.name))
    }

    fn signal_of(
        &self,
        block: u32,
        path: &SignalPath,
        span: Span,
    ) -> Result<(SignalRef, &'static SignalSchema), Box<Diagnostic>> {
        let schema = self.blocks[block as usize].schema;
        let known = schema.all_signals().enumerate().find(|(_, signal)| signal.name == path.signal);
        let Some((index, signal)) = known else {
            let message =
                format!("{} `{}` has no signal `{}`", schema.keyword, path.element, path.signal);
            let mut all: Vec<&str> = schema.all_signals().map(|signal| signal.name).collect();
            let help = nearest(path.signal, all.iter().copied())
                .map(|near| format!("did you mean `{}.{near}`?", path.element))
                .unwrap_or_else(|| {
                    all.dedup();
                    format!("its signals are {}", all.join(", "))
                });
            return Err(Box::new(Diagnostic::new(codes::UNKNOWN_SIGNAL, span, message).help(help)));
        };
        let count = match signal.shape {
            SignalShape::Scalar => 1,
            SignalShape::PerCoordinate => schema.coordinates.len(),
            // How many there are is known when the block is read.
            SignalShape::Vector => MOST_COMPONENTS,
        };
        if path.component == 0 || path.component > count {
            let message =
                format!("`{}.{}` has no component {}", path.element, path.signal, path.component);
            let help = match count {
                1 => format!("it has one component: `{}.{}`", path.element, path.signal),
                count => format!("components count from 1 to {count}"),
            };
            return Err(Box::new(Diagnostic::new(codes::UNKNOWN_SIGNAL, span, message).help(help)));
        }
        let component = (path.component - 1) as u16;
        Ok((SignalRef { block, signal: index as u16, component }, signal))
    }

    /// The mistake of a name that fits several elements of different keywords.
    /// `signal` follows the name in a path.
    pub(crate) fn ambiguous(
        &self,
        name: &str,
        signal: &str,
        span: Span,
        all: &[u32],
    ) -> Diagnostic {
        let message = format!("`{name}` could be one of {} elements", all.len());
        let keyword = |&block: &u32| self.blocks[block as usize].schema.keyword;
        let choices: Vec<String> =
            all.iter().map(|block| format!("`{}:{name}{signal}`", keyword(block))).collect();
        let help = format!("say which one: {}", choices.join(" or "));
        let start = Diagnostic::new(codes::AMBIGUOUS, span, message).help(help);
        all.iter().fold(start, |diagnostic, block| {
            diagnostic.also(self.blocks[*block as usize].name, format!("a {}", keyword(block)))
        })
    }

    fn suggest_element(&self, wanted: &str, code: Code) -> Option<String> {
        if !self.may_suggest(code) {
            return None;
        }
        let near = self.index.suggest(wanted, self.sources, &self.blocks, names::has_signals)?;
        Some(format!("did you mean `{near}`?"))
    }
}
