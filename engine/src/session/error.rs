//! What can go wrong at the front door, as words and as data.

use std::fmt;
use std::sync::Arc;

use parser::diagnostic::{Diagnostic, Diagnostics, Severity};
use parser::render::{Style, render};
use parser::source::{Sources, Span};

use crate::simulation::RunError;
use language::load::LoadError;

/// One message about a model: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The kind of mistake, such as `A012`; stable between versions. Empty for mistakes of a caller.
    pub code: &'static str,
    /// The mistake is a warning only.
    pub is_warning: bool,
    /// Description of the mistake, in one line.
    pub message: String,
    /// Advice how to correct the mistake.
    pub help: Option<String>,
    /// File, line and column, both from 1; `None` where the mistake has no place in a text.
    pub place: Option<(String, usize, usize)>,
}

impl Mistake {
    pub(super) fn new(diagnostic: &Diagnostic, sources: &Sources) -> Self {
        let span = diagnostic.primary.span;
        let position = sources.position(span).filter(|_| span != Span::default());
        Self {
            code: diagnostic.code.id(),
            is_warning: diagnostic.severity != Severity::Error,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            place: position.map(|(source, at)| (source.name().to_string(), at.line, at.column)),
        }
    }
}

/// The kind of failure of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The caller asks for something that is not there, such as an unknown signal.
    Request,
    /// The texts of the model are wrong.
    Model,
    /// The simulation has no start or cannot go on.
    Simulation,
    /// A file cannot be read or written.
    File,
    /// Somebody has interrupted the run.
    Interrupted,
}

/// Why a call failed. Shown as text it has all messages, with the lines of the model that they are about.
#[derive(Clone)]
pub struct Error {
    kind: ErrorKind,
    mistakes: Vec<Mistake>,
    text: String,
    /// All messages with the texts that they are about, warnings included.
    messages: Option<Box<(Diagnostics, Arc<Sources>)>>,
}

impl Error {
    /// The kind of this failure.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// All messages as data.
    pub fn diagnostics(&self) -> &[Mistake] {
        &self.mistakes
    }

    /// All messages, warnings included, with the texts that they are about; `None` for messages without texts.
    #[doc(hidden)]
    pub fn messages(&self) -> Option<(&Diagnostics, &Arc<Sources>)> {
        self.messages.as_deref().map(|(diagnostics, sources)| (diagnostics, sources))
    }

    /// A mistake of the caller, without a place in a text.
    pub(super) fn plain(message: impl Into<String>, help: Option<String>) -> Self {
        Self::of_kind(ErrorKind::Request, message, help)
    }

    fn of_kind(kind: ErrorKind, message: impl Into<String>, help: Option<String>) -> Self {
        let message = message.into();
        let text = match &help {
            Some(help) => format!("{message}\n  help: {help}"),
            None => message.clone(),
        };
        let mistake = Mistake { code: "", is_warning: false, message, help, place: None };
        Self { kind, mistakes: vec![mistake], text, messages: None }
    }

    /// All mistakes in the texts of a model as one error.
    pub(super) fn of_model(diagnostics: Diagnostics, sources: &Arc<Sources>) -> Self {
        let (mut mistakes, mut text) = (Vec::new(), String::new());
        for diagnostic in diagnostics.iter().filter(|d| d.severity == Severity::Error) {
            mistakes.push(Mistake::new(diagnostic, sources));
            text += &render(diagnostic, sources, Style::Plain);
        }
        let text = text.trim_end().to_string();
        let messages = Some(Box::new((diagnostics, Arc::clone(sources))));
        Self { kind: ErrorKind::Model, mistakes, text, messages }
    }

    /// Why a model cannot be simulated.
    pub(super) fn of_simulation(
        mistakes: impl IntoIterator<Item = Diagnostic>,
        sources: &Arc<Sources>,
    ) -> Self {
        let mut diagnostics = Diagnostics::new(false);
        mistakes.into_iter().for_each(|mistake| diagnostics.push(mistake));
        Self { kind: ErrorKind::Simulation, ..Self::of_model(diagnostics, sources) }
    }

    /// Why a run ended.
    pub(super) fn of_run(error: RunError, sources: &Arc<Sources>) -> Self {
        match error {
            RunError::Simulation(diagnostic) => Self::of_simulation([*diagnostic], sources),
            RunError::Output(diagnostic) => {
                Self { kind: ErrorKind::File, ..Self::of_simulation([*diagnostic], sources) }
            }
            RunError::Write(error) => Self::of_kind(ErrorKind::File, error.to_string(), None),
            RunError::Interrupted => Self::of_kind(ErrorKind::Interrupted, "interrupted", None),
        }
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Self {
        Self::of_kind(ErrorKind::File, error.to_string(), None)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The text too: it is what a program shows that ends with an error.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}
