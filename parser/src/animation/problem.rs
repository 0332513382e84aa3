//! Mistakes in an `.ani` table, described so that a user can correct them. The checks are elsewhere.

use std::fmt;

/// Reports kept of each severity; further reports are only counted. A table with one damaged column has as many faults as
/// rows, and nobody reads more than a page of reports.
const MAX_KEPT: usize = 50;

/// Longest excerpt of foreign text in a message, in characters.
const MAX_EXCERPT: usize = 32;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The data is used as it is.
    Warning,
    /// The line, or the whole table, can not be used.
    Error,
}

/// One problem in an `.ani` table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AniProblem {
    /// Line in the file, from 1.
    pub line: u64,
    /// Character in the line, from 1.
    pub column: u64,
    /// Whether the data can still be used.
    pub severity: Severity,
    /// The text that was found, and the text that was expected.
    pub message: String,
    /// Advice for the user.
    pub help: String,
}

impl fmt::Display for AniProblem {
    /// `12:5: error: message`, then a line with the help; the caller puts the file name in front.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{}:{}: {severity}: {}", self.line, self.column, self.message)?;
        if !self.help.is_empty() {
            write!(f, "\nhelp: {}", self.help)?;
        }
        Ok(())
    }
}

impl std::error::Error for AniProblem {}

/// A problem of which only the place inside its line is known yet.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    /// Character in the line, from 1.
    pub column: u64,
    pub message: String,
    pub help: String,
}

/// The problems of one table, in the order they were found, with a bound on their number.
#[derive(Debug, Default)]
pub(super) struct ProblemList {
    kept: Vec<AniProblem>,
    errors: u64,
    warnings: u64,
}

impl ProblemList {
    /// Adds an error.
    pub fn error(&mut self, line: u64, fault: Fault) {
        self.push(line, Severity::Error, fault);
    }

    /// Adds a warning.
    pub fn warning(&mut self, line: u64, fault: Fault) {
        self.push(line, Severity::Warning, fault);
    }

    /// Puts problems found in another order into the order of the lines.
    pub fn sort_by_line(&mut self) {
        self.kept.sort_by_key(|problem| (problem.line, problem.column));
    }

    /// The problems kept.
    pub fn kept(&self) -> &[AniProblem] {
        &self.kept
    }

    /// How many errors and warnings were found, kept or not.
    pub fn counts(&self) -> (u64, u64) {
        (self.errors, self.warnings)
    }

    /// Counted apart, so that many warnings do not push an error off the list.
    fn push(&mut self, line: u64, severity: Severity, fault: Fault) {
        let count = match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        if *count <= MAX_KEPT as u64 {
            let Fault { column, message, help } = fault;
            self.kept.push(AniProblem { line, column, severity, message, help });
        }
    }
}

/// The start of foreign text as it can be printed: bounded, no control characters.
pub(super) fn excerpt(text: &[u8]) -> String {
    // Four bytes per character is the most that UTF-8 takes.
    let head = &text[..text.len().min(4 * (MAX_EXCERPT + 1))];
    let decoded = String::from_utf8_lossy(head);
    let mut shown: String =
        decoded.chars().take(MAX_EXCERPT).flat_map(char::escape_debug).collect();
    if decoded.chars().count() > MAX_EXCERPT {
        shown.push_str("...");
    }
    shown
}

/// The column, from 1, of the character at byte `at` of a line.
pub(super) fn column_at(line: &[u8], at: usize) -> u64 {
    let before = &line[..at.min(line.len())];
    // Continuation bytes of UTF-8 belong to the character before them.
    1 + before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64
}
