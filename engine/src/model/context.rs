//! What reading the blocks of a model needs to know: texts, names, constants; and where it reports.

use std::cell::Cell;

use parser::diagnostic::{Code, Diagnostic, Diagnostics};
use parser::source::{Sources, Span};
use parser::suggest::nearest;
use parser::syntax::{Block, Document, NodeId, NodeKind, Parameter};
use rustc_hash::FxHashMap;

use super::codes;
use super::names::{self, BlockEntry, Found, NameIndex, SignalPath};
use crate::element::{SignalSchema, SignalShape};
use crate::expression::{Names, Operand, Program, SignalRef, compile};

/// The state of putting a model together.
pub(crate) struct Context<'s> {
    pub sources: &'s Sources,
    pub documents: &'s [Document],
    pub blocks: Vec<BlockEntry>,
    pub index: NameIndex<'s>,
    /// Entries of `Parameters`; `None` for one whose value is wrong.
    pub constants: FxHashMap<&'s str, Option<f64>>,
    pub diagnostics: Diagnostics,
    /// How often a suggestion was looked for.
    pub looks: Cell<usize>,
    /// Memory for the parameters of the block that is being read.
    pub given: Vec<(&'static str, &'s Parameter)>,
}

/// Which names an expression may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Constants only.
    Constant,
    /// Also `t` and signals.
    Time,
    /// Also `v`, the speed in a friction law.
    Law,
}

/// Suggestions are looked for this often, because each look goes through all names.
const LOOKS: usize = 500;
/// And this often in a large model.
const LOOKS_IF_LARGE: usize = 10;
/// A model with more names than this is large.
const LARGE: usize = 20_000;

impl<'s> Context<'s> {
    pub(crate) fn document_of(&self, block: u32) -> &'s Document {
        &self.documents[self.blocks[block as usize].place.0 as usize]
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

    /// Is it worth the time to look for a suggestion for another message of this code?
    pub(crate) fn may_suggest(&self, code: Code) -> bool {
        let large = self.blocks.len() + self.constants.len() > LARGE;
        let looks = self.looks.get();
        self.looks.set(looks + 1);
        !self.diagnostics.is_full(code) && looks < if large { LOOKS_IF_LARGE } else { LOOKS }
    }

    /// The value of a constant expression; mistakes are reported.
    pub(crate) fn constant(&mut self, document: &Document, node: NodeId) -> Option<f64> {
        if let NodeKind::Number(number) = document.node(node).kind {
            // The grammar has reported a literal that is too large.
            return number.is_finite().then_some(number);
        }
        self.program(document, node, Scope::Constant)?.as_constant()
    }

    /// A compiled expression; mistakes are reported.
    pub(crate) fn program(
        &mut self,
        document: &Document,
        node: NodeId,
        scope: Scope,
    ) -> Option<Program> {
        match compile(document, node, &Scoped { context: self, scope }) {
            Ok(program) => Some(program),
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
    ) -> Result<(SignalRef, &'static SignalSchema), Box<Diagnostic>> {
        let unknown = |message: String| Diagnostic::new(codes::UNKNOWN_SIGNAL, span, message);
        let Some(path) = names::split_path(text) else {
            let message = format!("`{text}` is no signal");
            return Err(Box::new(
                unknown(message).help("a signal is written `element.signal`, such as `J1.q`"),
            ));
        };
        let found =
            names::find(&self.index, &self.blocks, path.keyword, path.element, names::has_signals);
        let block = match found {
            Found::One(block) => block,
            Found::Several(all) => {
                return Err(Box::new(self.ambiguous(path.element, span, &all)));
            }
            Found::WrongKind(block) => {
                let keyword = self.blocks[block as usize].schema.keyword;
                return Err(Box::new(unknown(format!(
                    "the {keyword} `{}` has no signals",
                    path.element
                ))));
            }
            Found::Unknown => {
                let message = format!("there is no element `{}`", path.element);
                let near = self.suggest_element(path.element, codes::UNKNOWN_SIGNAL);
                return Err(Box::new(unknown(message).maybe_help(near)));
            }
        };
        self.signal_of(block, &path, span)
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
        };
        if path.component == 0 || path.component > count {
            let message =
                format!("`{}.{}` has no component {}", path.element, path.signal, path.component);
            let help = format!("components count from 1 to {count}");
            return Err(Box::new(Diagnostic::new(codes::UNKNOWN_SIGNAL, span, message).help(help)));
        }
        let component = (path.component - 1) as u16;
        Ok((SignalRef { block, signal: index as u16, component }, signal))
    }

    /// The mistake of a name that fits several elements of different keywords.
    pub(crate) fn ambiguous(&self, name: &str, span: Span, all: &[u32]) -> Diagnostic {
        let message = format!("`{name}` could be one of {} elements", all.len());
        let keyword = |&block: &u32| self.blocks[block as usize].schema.keyword;
        let choices: Vec<String> =
            all.iter().map(|block| format!("`{}:{name}`", keyword(block))).collect();
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

/// The names of an expression in their scope.
struct Scoped<'c, 's> {
    context: &'c Context<'s>,
    scope: Scope,
}

impl Scoped<'_, '_> {
    /// Why a name means nothing here.
    fn unknown(&self, path: &str, span: Span) -> Diagnostic {
        let context = self.context;
        if matches!(path.to_lowercase().as_str(), "nan" | "inf" | "infinity") {
            let message = format!("`{path}` is not a finite number");
            return Diagnostic::new(codes::NOT_FINITE, span, message);
        }
        let constants = context.constants.keys().copied().chain(["pi", "e"]);
        let near =
            context.may_suggest(codes::UNKNOWN_NAME).then(|| nearest(path, constants)).flatten();
        let message = format!("there is no parameter `{path}`");
        let diagnostic = Diagnostic::new(codes::UNKNOWN_NAME, span, message);
        if let Some(near) = near {
            return diagnostic.help(format!("did you mean `{near}`?"));
        }
        let block = context.index.all(path).next().filter(|_| self.scope != Scope::Constant);
        let signal =
            block.and_then(|block| context.blocks[block as usize].schema.all_signals().next());
        match signal {
            Some(signal) => {
                diagnostic.help(format!("name a signal of it, such as `{path}.{}`", signal.name))
            }
            None => diagnostic.help(format!("declare it: `Parameters \"p\" {{ {path} = 1.0; }}`")),
        }
    }

    fn path(&self, path: &str, span: Span) -> Result<Operand, Box<Diagnostic>> {
        let signal = self.context.signal(path, span);
        if self.scope == Scope::Constant {
            let message = match signal {
                Ok(_) => format!("the signal `{path}` cannot be used here: this value is constant"),
                Err(diagnostic) => return Err(diagnostic),
            };
            return Err(Box::new(Diagnostic::new(codes::NOT_CONSTANT, span, message)));
        }
        let (reference, schema) = signal?;
        if schema.needs_accelerations {
            let message =
                format!("`{path}` depends on accelerations, which depend on this expression");
            let help = "use positions, velocities and forces; accelerations are for `Output`";
            return Err(Box::new(
                Diagnostic::new(codes::NEEDS_ACCELERATIONS, span, message).help(help),
            ));
        }
        Ok(Operand::Signal(reference))
    }
}

impl Names for Scoped<'_, '_> {
    fn operand(&self, path: &str, span: Span) -> Result<Operand, Option<Box<Diagnostic>>> {
        match (path, self.scope) {
            ("pi", _) => return Ok(Operand::Constant(std::f64::consts::PI)),
            ("e", _) => return Ok(Operand::Constant(std::f64::consts::E)),
            ("t", Scope::Constant) => {
                let message = "the time `t` cannot be used here: this value is constant";
                return Err(Some(Box::new(Diagnostic::new(codes::NOT_CONSTANT, span, message))));
            }
            ("t", _) => return Ok(Operand::Time),
            ("v", Scope::Law) => return Ok(Operand::Argument),
            _ => {}
        }
        match self.context.constants.get(path) {
            Some(Some(number)) => Ok(Operand::Constant(*number)),
            // Its own mistake is already reported.
            Some(None) => Err(None),
            None if path.contains('.') => self.path(path, span).map_err(Some),
            None => match (path, self.scope) {
                ("yes", Scope::Time | Scope::Law) => Ok(Operand::Constant(1.0)),
                ("no", Scope::Time | Scope::Law) => Ok(Operand::Constant(0.0)),
                _ => Err(Some(Box::new(self.unknown(path, span)))),
            },
        }
    }

    fn text(&self, span: Span) -> &str {
        self.context.sources.text(span)
    }
}
