//! What can go wrong at the front door, as words and as data.

use std::fmt;

use parser::diagnostic::{Diagnostic, Severity};
use parser::render::{Style, render};
use parser::source::{Sources, Span};

use crate::simulation::RunError;

/// One message about a model: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The kind of mistake, such as `A012`; stable between versions. Empty for mistakes of a caller.
    pub code: &'static str,
    /// Is it a warning only?
    pub is_warning: bool,
    /// What is wrong, in one line.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// File, line and column, both from 1; `None` where the mistake has no place in a text.
    pub place: Option<(String, usize, usize)>,
}

impl Mistake {
    fn new(diagnostic: &Diagnostic, sources: &Sources) -> Self {
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

/// Why a call failed. Shown as text it has all messages, with the lines of the model that they are about.
#[derive(Clone, Debug)]
pub struct Error {
    mistakes: Vec<Mistake>,
    text: String,
}

impl Error {
    /// All messages as data.
    pub fn diagnostics(&self) -> &[Mistake] {
        &self.mistakes
    }

    /// A mistake of the caller, without a place in a text.
    pub(super) fn plain(message: impl Into<String>, help: Option<String>) -> Self {
        let message = message.into();
        let text = match &help {
            Some(help) => format!("{message}\n  help: {help}"),
            None => message.clone(),
        };
        let mistake = Mistake { code: "", is_warning: false, message, help, place: None };
        Self { mistakes: vec![mistake], text }
    }

    /// What is wrong with a model.
    pub(super) fn of_model<'d>(
        diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
        sources: &Sources,
    ) -> Self {
        let (mut mistakes, mut text) = (Vec::new(), String::new());
        for diagnostic in diagnostics {
            mistakes.push(Mistake::new(diagnostic, sources));
            text += &render(diagnostic, sources, Style::Plain);
        }
        Self { mistakes, text: text.trim_end().to_string() }
    }

    /// Why a run ended.
    pub(super) fn of_run(error: &RunError, sources: &Sources) -> Self {
        match error {
            RunError::Simulation(diagnostic) | RunError::Output(diagnostic) => {
                Self::of_model([&**diagnostic], sources)
            }
            RunError::Write(_) | RunError::Interrupted => Self::plain(error.to_string(), None),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}
