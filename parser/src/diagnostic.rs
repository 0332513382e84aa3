//! What is said to the user about a text: code, severity, message, places, help.

use crate::origin::Instance;
use crate::source::{Sources, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// For the user's information.
    Note,
    /// The model can be used, but probably means something else than the user thinks.
    Warning,
    /// The model cannot be used.
    Error,
}

impl Severity {
    /// The word that starts the message.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A place with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The words, may be empty.
    pub text: String,
}

/// A message shows so many instances of a chain.
pub(crate) const SHOWN_INSTANCES: usize = 5;

impl Label {
    /// The place of an instance, for a message about something inside.
    pub(crate) fn of_instance(instance: &Instance) -> Self {
        let text = format!("in `{}`, an instance of {}", instance.name, instance.component);
        Self { span: instance.place, text }
    }
}

/// One message about the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of mistake; stable between versions.
    pub code: Code,
    /// Severity of the mistake.
    pub severity: Severity,
    /// Description of the mistake, in one line.
    pub message: String,
    /// Place of the mistake.
    pub primary: Label,
    /// Other places that matter, such as the first declaration.
    pub secondary: Vec<Label>,
    /// Advice how to correct the mistake.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A message with the severity that its code usually has.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let primary = Label { span, text: String::new() };
        let severity = code.severity();
        Self { code, severity, message: message.into(), primary, secondary: Vec::new(), help: None }
    }

    /// Adds words at the primary place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds another place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds advice.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Adds advice if there is any.
    pub fn maybe_help(mut self, text: Option<String>) -> Self {
        self.help = text.or(self.help);
        self
    }

    /// Gives the message another severity than its code usually has.
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }
}

/// A code with its phase: `P` text, `A` assembly of the model, `S` simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static CodeInfo);

/// Properties of a code.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeInfo {
    /// For example `A103`.
    pub id: &'static str,
    /// The severity messages with this code usually have.
    pub severity: Severity,
    /// The kind of mistake in a few words.
    pub title: &'static str,
}

impl Code {
    /// For example `A103`.
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// The severity messages with this code usually have.
    pub fn severity(self) -> Severity {
        self.0.severity
    }

    /// The kind of mistake in a few words.
    pub fn title(self) -> &'static str {
        self.0.title
    }
}

/// Declares a table of codes: a constant for each code, and `ALL` with every code.
#[macro_export]
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $id:literal $severity:ident $title:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "` ", $title)]
            $(#[$doc])*
            pub const $name: $crate::diagnostic::Code =
                $crate::diagnostic::Code(&$crate::diagnostic::CodeInfo {
                    id: $id,
                    severity: $crate::diagnostic::Severity::$severity,
                    title: $title,
                });
        )*
        /// Every code of this table.
        pub const ALL: &[$crate::diagnostic::Code] = &[$($name),*];
    };
}

/// All messages about one model, in the order they arose.
///
/// At most [`Diagnostics::KEPT`] messages of one code are kept and the rest only counted, so that a
/// generated file with a million equal mistakes costs neither memory nor the reader's patience.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    counts: Vec<(Code, usize)>,
    errors: usize,
    warnings: usize,
    strict: bool,
}

impl Diagnostics {
    /// How many messages of one code are kept.
    pub const KEPT: usize = 50;

    /// With `strict`, every warning counts as an error.
    pub fn new(strict: bool) -> Self {
        Self { strict, ..Self::default() }
    }

    /// Takes a message.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        if self.strict && diagnostic.severity == Severity::Warning {
            diagnostic.severity = Severity::Error;
        }
        match diagnostic.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => {}
        }
        if self.count(diagnostic.code) < Self::KEPT {
            self.kept.push(diagnostic);
        }
    }

    /// Takes a message of the severity that its code usually has; it is composed only if it is kept.
    pub fn push_with(&mut self, code: Code, compose: impl FnOnce() -> Diagnostic) {
        if !self.is_full(code) {
            return self.push(compose());
        }
        match code.severity() {
            Severity::Error => self.errors += 1,
            Severity::Warning if self.strict => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => {}
        }
        self.count(code);
    }

    /// Will the next message of this code only be counted? Then its text need not be composed.
    pub fn is_full(&self, code: Code) -> bool {
        self.counts.iter().any(|&(c, n)| c == code && n >= Self::KEPT)
    }

    /// Counts a message of the code and gives how many there were before.
    fn count(&mut self, code: Code) -> usize {
        match self.counts.iter_mut().find(|(c, _)| *c == code) {
            Some((_, n)) => {
                *n += 1;
                *n - 1
            }
            None => {
                self.counts.push((code, 1));
                0
            }
        }
    }

    /// Takes all messages of another collection.
    pub fn append(&mut self, other: Diagnostics) {
        let kept_of = |code| other.kept.iter().filter(|d| d.code == code).count();
        let left_out: Vec<(Code, usize)> =
            other.counts.iter().map(|&(code, n)| (code, n - kept_of(code))).collect();
        let (errors, warnings) = (other.errors, other.warnings);
        let before = (self.errors, self.warnings);
        other.kept.into_iter().for_each(|d| self.push(d));
        // Messages that were only counted there are only counted here.
        for (code, n) in left_out.into_iter().filter(|&(_, n)| n > 0) {
            match self.counts.iter_mut().find(|(c, _)| *c == code) {
                Some((_, count)) => *count += n,
                None => self.counts.push((code, n)),
            }
        }
        let promoted = if self.strict { warnings } else { 0 };
        self.errors = before.0 + errors + promoted;
        self.warnings = before.1 + warnings - promoted;
    }

    /// The kept messages.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.kept.iter()
    }

    /// Codes with more messages than were kept, and how many were left out.
    pub fn left_out(&self) -> impl Iterator<Item = (Code, usize)> + '_ {
        self.counts.iter().filter(|(_, n)| *n > Self::KEPT).map(|&(code, n)| (code, n - Self::KEPT))
    }

    /// Number of errors, including the errors left out.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Number of warnings, including the warnings left out.
    pub fn warnings(&self) -> usize {
        self.warnings
    }

    /// Whether there is no message at all.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Puts the kept messages in the order of their places.
    pub fn sort(&mut self) {
        self.kept.sort_by_key(|d| (d.primary.span.start, d.primary.span.end));
    }

    /// Puts the kept messages in the order of their places in the texts that a person wrote, and keeps of messages
    /// that differ only in the instance of a component the first.
    pub fn sort_as_written(&mut self, sources: &Sources) {
        let place = |diagnostic: &Diagnostic| {
            let span = sources.written(diagnostic.primary.span);
            (span.start, span.end)
        };
        self.kept.sort_by_cached_key(place);
        // One component may have several mistakes at one place; two instances of it, or two passes of a Repeat, have the same
        // mistake twice.
        let instance = |d: &Diagnostic| {
            let chain = sources.instances(d.primary.span);
            let instance = chain.first().map(|instance| instance.name.to_string());
            let pass = sources.repeated_block(d.primary.span).map(str::to_string);
            (instance.is_some() || pass.is_some()).then_some((instance, pass))
        };
        let mut kept: Vec<Diagnostic> = Vec::with_capacity(self.kept.len());
        let mut repeated = Vec::with_capacity(self.kept.len());
        for diagnostic in self.kept.drain(..) {
            let is_same = |other: &Diagnostic| {
                other.code == diagnostic.code
                    && place(other) == place(&diagnostic)
                    && instance(other) != instance(&diagnostic)
            };
            let first = instance(&diagnostic).and_then(|_| kept.iter().rposition(is_same));
            match first {
                Some(first) => repeated[first] += 1,
                None => {
                    kept.push(diagnostic);
                    repeated.push(0);
                }
            }
        }
        let left_out: Vec<Code> = self.left_out().map(|(code, _)| code).collect();
        for (diagnostic, &count) in kept.iter_mut().zip(&repeated).filter(|(_, count)| **count > 0)
        {
            let is_instance = !sources.instances(diagnostic.primary.span).is_empty();
            let words = match (count, is_instance) {
                (1, true) => "one more instance",
                (1, false) => "one more pass of the Repeat",
                (_, true) => "further instances",
                (_, false) => "further passes of the Repeat",
            };
            let help = diagnostic.help.take().map_or(String::new(), |help| format!("{help}; "));
            // Of many mistakes of one kind only the first are here.
            let more = if left_out.contains(&diagnostic.code) { "or more " } else { "" };
            let many = if count == 1 { String::new() } else { format!("{count} {more}") };
            diagnostic.help = Some(format!("{help}the same holds for {many}{words}"));
        }
        self.kept = kept;
    }
}
