//! What the productions share: places in the text, nodes, lists, strings, white space and comments.

use nom::IResult;

use crate::codes;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::lexical;
use crate::source::{Source, Span};
use crate::syntax::{Document, Node, NodeId, NodeKind, Run};

/// Result of a production: the text behind it and its value, or the place where it failed.
pub(crate) type Parsed<'a, T> = IResult<&'a str, T, &'a str>;

/// The beginning of `input`, in words for a message.
pub(crate) fn describe_next(input: &str) -> String {
    match input.chars().next() {
        None => "the end of the text".into(),
        Some('"') => "a string".into(),
        Some(c) if lexical::is_identifier_start(c) => {
            let name = lexical::identifier(input).map_or("", |(_, name)| name);
            format!("`{}`", shorten(name))
        }
        Some(c) if c.is_ascii_digit() => {
            let number = lexical::number(input).map_or("", |(_, number)| number);
            format!("`{}`", shorten(number))
        }
        Some(c) if c.is_control() => format!("the control character U+{:04X}", u32::from(c)),
        Some(c) => format!("`{c}`"),
    }
}

/// At most 40 characters, for messages.
pub(crate) fn shorten(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { format!("{short}...") } else { short }
}

/// The text and the tree of everything read so far: the productions of the grammar write to it.
pub(crate) struct Reader<'a> {
    pub(crate) text: &'a str,
    /// The place of the text among all sources.
    base: u32,
    pub(crate) document: Document,
    pub(crate) diagnostics: Diagnostics,
    /// While a reading is only tried, the first mistake is noted here and none reported.
    pub(crate) trial: Option<Option<Code>>,
    /// Members of the lists that are being read, an inner list behind the outer one.
    pub(crate) open_members: Vec<NodeId>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        Self {
            text: source.text(),
            base: source.base(),
            document: Document::default(),
            diagnostics: Diagnostics::default(),
            trial: None,
            open_members: Vec::new(),
        }
    }

    fn offset(&self, rest: &str) -> u32 {
        // `rest` is a tail of a slice of the text; its address tells the offset, also inside a run.
        (rest.as_ptr() as usize - self.text.as_ptr() as usize) as u32 + self.base
    }

    /// From the start of one tail of the text to the start of a later one.
    pub(crate) fn span_between(&self, from: &str, to: &str) -> Span {
        Span::new(self.offset(from), self.offset(to))
    }

    /// The first `len` bytes of a tail of the text.
    pub(crate) fn span_to(&self, from: &str, len: usize) -> Span {
        let start = self.offset(from);
        Span::new(start, start + len as u32)
    }

    pub(crate) fn text(&self, span: Span) -> &'a str {
        let range = (span.start - self.base) as usize..(span.end - self.base) as usize;
        self.text.get(range).unwrap_or("")
    }

    /// Reports a mistake, or only notes it while a reading is tried.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        match &mut self.trial {
            Some(mistake) => *mistake = mistake.or(Some(diagnostic.code)),
            None => self.diagnostics.push(diagnostic),
        }
    }

    pub(crate) fn node(&mut self, span: Span, kind: NodeKind) -> NodeId {
        self.document.nodes.push(Node { span, kind });
        NodeId(self.document.nodes.len() as u32 - 1)
    }

    /// How many members of unfinished lists there are: where the next list begins.
    pub(crate) fn open_run(&self) -> usize {
        self.open_members.len()
    }

    /// Adds a member to the list that is being read.
    pub(crate) fn push_member(&mut self, member: NodeId) {
        self.open_members.push(member);
    }

    /// Moves the members of the finished list to the document.
    pub(crate) fn close_run(&mut self, from: usize) -> Run {
        let first = self.document.members.len() as u32;
        self.document.members.extend(self.open_members.drain(from..));
        Run { first, count: self.document.members.len() as u32 - first }
    }

    /// Applies a lexical parser and gives the span of what it took.
    pub(crate) fn take(
        &mut self,
        input: &'a str,
        lexical: impl Fn(&'a str) -> IResult<&'a str, &'a str>,
    ) -> Parsed<'a, Span> {
        match lexical(input) {
            Ok((rest, _)) => Ok((rest, self.span_between(input, rest))),
            Err(_) => Err(self.unexpected(input)),
        }
    }

    /// A string; one that is not closed ends with its line. The span includes the quotes.
    pub(crate) fn quoted(&mut self, input: &'a str) -> Parsed<'a, Span> {
        if let Ok((rest, _)) = lexical::string(input) {
            return Ok((rest, self.span_between(input, rest)));
        }
        let line = input.find('\n').unwrap_or(input.len());
        let line = input[..line].trim_end().len();
        let span = self.span_to(input, line);
        let message = "this string is not closed on its line";
        let help = "close it with `\"`";
        self.report(Diagnostic::new(codes::UNTERMINATED_STRING, span, message).help(help));
        // A semicolon on the line is more likely the end of the parameter than a part of the string.
        let end = input[..line].find(';').unwrap_or(line);
        Err(nom::Err::Failure(&input[end..]))
    }

    /// Skips white space and comments, and keeps the comments.
    pub(crate) fn skip(&mut self, mut input: &'a str) -> &'a str {
        loop {
            input = lexical::after_white_space(input);
            if !input.starts_with('/') {
                return input;
            }
            if let Ok((rest, text)) = lexical::comment(input) {
                self.keep_comment(input, rest, text);
                input = rest;
            } else {
                return input;
            }
        }
    }

    fn keep_comment(&mut self, input: &'a str, rest: &'a str, text: &str) {
        let span = self.span_between(input, rest);
        // Looking ahead passes the same comment several times.
        if self.trial.is_some()
            || self.document.comments.last().is_some_and(|last| last.start >= span.start)
        {
            return;
        }
        if !lexical::is_closed_comment(text) {
            let message = "this comment is not closed";
            let start = self.span_to(input, 2);
            let help = "close it with `*/`";
            self.report(Diagnostic::new(codes::UNTERMINATED_COMMENT, start, message).help(help));
            self.document.lost_blocks = true;
        }
        self.document.comments.push(span);
    }
}
