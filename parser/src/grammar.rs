//! The grammar of blocks and parameters, and the recovery after a mistake.
//!
//! ```text
//! document  = { block }
//! block     = keyword string "{" { parameter | block | section | equation | transition } "}"
//! section   = keyword "{" { equation | transition } "}"
//! parameter = name "=" value { "," value } ";"
//! value     = expression | word | string | "+" | "-" | "{" [ value { "," value } [ "," ] ] "}"
//! ```
//!
//! The keyword decides which of these a block may hold, see `contents.rs`; most blocks hold parameters only.
//!
//! A production that meets a mistake reports it and returns nom's `Failure` with the place where it
//! gave up; [`Reader::recover`] finds the next semicolon, brace or block from there.

use crate::codes;
use crate::contents::Contents;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lexical;
use crate::pieces::{Parsed, Reader, describe_next};
use crate::source::{Source, Span};
use crate::syntax::{Block, Document, NodeId, NodeKind, Parameter, Run};

/// The state of one run over a text.
pub(crate) struct Parser<'a> {
    pub(crate) reader: Reader<'a>,
    /// Number of productions that are open inside each other.
    pub(crate) depth: usize,
    /// Some text of the current block could not be read.
    pub(crate) damaged: bool,
    /// Number of lists that are open where a parameter failed; recovery passes their closing braces.
    pub(crate) open_lists: usize,
    /// The left side of an equation is being read, which ends with an equals sign.
    pub(crate) is_left_side: bool,
    /// Parameters of the blocks that are being read, an inner block behind the outer one.
    pub(crate) open_parameters: Vec<Parameter>,
    /// Inner blocks of the blocks that are being read.
    pub(crate) open_blocks: Vec<Block>,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        Self {
            reader: Reader::new(source),
            depth: 0,
            damaged: false,
            open_lists: 0,
            is_left_side: false,
            open_parameters: Vec::new(),
            open_blocks: Vec::new(),
        }
    }

    /// Reads the whole text.
    pub(crate) fn document(mut self) -> (Document, Diagnostics) {
        let text = self.reader.text;
        let mut input = self.reader.skip(text.strip_prefix('\u{feff}').unwrap_or(text));
        // Each pass reads a block, or reports text outside of blocks and skips it.
        while let Some(first) = input.chars().next() {
            input = match first {
                c if lexical::is_identifier_start(c) => match self.block(input) {
                    Ok((rest, block)) => {
                        self.reader.document.blocks.push(block);
                        rest
                    }
                    Err(error) => self.reader.recover_to_block(input, failed_at(&error)),
                },
                '}' => self.reader.stray_brace(input),
                ';' => self.reader.stray_semicolon(input),
                _ => self.reader.not_a_block(input),
            };
            input = self.reader.skip(input);
        }
        let document = &mut self.reader.document;
        document.blocks.shrink_to_fit();
        document.inner.shrink_to_fit();
        document.parameters.shrink_to_fit();
        document.members.shrink_to_fit();
        document.nodes.shrink_to_fit();
        (self.reader.document, self.reader.diagnostics)
    }

    /// `name "=" value` as the whole text.
    pub(crate) fn assignment(mut self) -> (Document, Option<Parameter>, Diagnostics) {
        let text = self.reader.text;
        let input = self.reader.skip(text);
        let assignment = self.whole_assignment(input).ok();
        (self.reader.document, assignment, self.reader.diagnostics)
    }

    fn whole_assignment(&mut self, input: &'a str) -> Result<Parameter, nom::Err<&'a str>> {
        let (rest, name) = self.parameter_name(input)?;
        let rest = self.reader.skip(rest);
        let start = self.equals_sign(rest, name)?;
        let (rest, value) = self.expression(start)?;
        self.reader.push_member(value);
        let values = self.reader.close_run(0);
        let value = self.reader.span_between(start, rest);
        let rest = self.reader.skip(rest);
        if rest.is_empty() {
            return Ok(Parameter { name, value, values });
        }
        let text = self.reader.text(name);
        Err(self.reader.not_separated(rest, text))
    }

    /// Reads the content of a block up to its closing brace; gives the text behind the brace.
    pub(crate) fn content(&mut self, inside: &'a str, keyword: Span) -> &'a str {
        let contents = Contents::of(self.reader.text(keyword));
        let mut input = self.reader.skip(inside);
        loop {
            if let Some(rest) = input.strip_prefix('}') {
                return rest;
            }
            let next = if contents.holds(input) {
                self.inner_block(input)
            } else if let Some(owner) = Contents::owner_of_section(input) {
                self.misplaced_section(input, owner)
            } else if input.is_empty() || lexical::starts_block(input) {
                // The end of the text, or the head of another block: the closing brace is missing.
                self.reader.unclosed_block(input, keyword);
                self.damaged = true;
                return input;
            } else if input.starts_with(';') {
                self.reader.stray_semicolon(input)
            } else {
                self.line(input, contents)
            };
            input = self.reader.skip(next);
        }
    }

    /// Reads a block or section inside of a block; gives the text behind it.
    fn inner_block(&mut self, input: &'a str) -> &'a str {
        let damaged = self.damaged;
        match self.nested(input, Self::block) {
            Ok((rest, block)) => {
                self.damaged = damaged;
                self.open_blocks.push(block);
                rest
            }
            Err(error) => {
                self.damaged = true;
                self.reader.document.lost_blocks = true;
                let behind = self.reader.recover(failed_at(&error), 0);
                // A block that is nested too deeply failed before its first character was read.
                let stands_still = behind.len() >= input.len();
                if stands_still { self.reader.behind_block(input) } else { behind }
            }
        }
    }

    /// `identifier { "." part | "[" expression { "," expression } "]" }`
    fn parameter_name(&mut self, input: &'a str) -> Parsed<'a, Span> {
        let Ok((rest, _)) = lexical::identifier(input) else {
            return Err(self.reader.unexpected(input));
        };
        let rest = lexical::tail(rest).map_or(rest, |(rest, _)| rest);
        let (rest, indices) = self.brackets(rest)?;
        let name = self.reader.span_between(input, rest);
        if !indices.is_empty() {
            self.reader.document.indexed_names.push((name, indices));
        }
        Ok((rest, name))
    }

    /// `name "=" value { "," value } ";"`
    pub(crate) fn parameter(&mut self, input: &'a str) -> Parsed<'a, Parameter> {
        self.open_lists = 0;
        let (rest, name) = self.parameter_name(input)?;
        let rest = self.reader.skip(rest);
        self.value_of(rest, name).inspect_err(|_| {
            // Keep the name, so that the parameter is not reported as missing later.
            let broken = Parameter { name, value: name.after(), values: Run::default() };
            self.open_parameters.push(broken);
        })
    }

    /// `"=" value { "," value } ";"`
    fn value_of(&mut self, input: &'a str, name: Span) -> Parsed<'a, Parameter> {
        let start = self.equals_sign(input, name)?;
        let (rest, values) = self.values(start, name)?;
        let value = self.reader.span_between(start, rest);
        let rest = self.semicolon(rest, name)?;
        Ok((rest, Parameter { name, value, values }))
    }

    /// `"="`; gives the start of the value.
    fn equals_sign(&mut self, input: &'a str, name: Span) -> Result<&'a str, nom::Err<&'a str>> {
        if let (Some(after), false) = (input.strip_prefix('='), input.starts_with("==")) {
            return Ok(self.reader.skip(after));
        }
        let text = self.reader.text(name);
        let message = format!("expected `=` after `{text}`, found {}", describe_next(input));
        let here = self.reader.span_to(input, 0);
        let help = format!("a parameter is written `{text} = value;`");
        self.reader.report(Diagnostic::new(codes::EXPECTED_EQUALS, here, message).help(help));
        // Assignment symbols of other languages are accepted after the message, so that the value is checked too.
        for symbol in [":=", "==", ":"] {
            if let Some(after) = input.strip_prefix(symbol) {
                return Ok(self.reader.skip(after));
            }
        }
        let a_value_follows =
            input.starts_with(|c: char| c.is_alphanumeric() || "\"{-.".contains(c));
        if a_value_follows && !lexical::starts_parameter(input) {
            Ok(input)
        } else {
            Err(nom::Err::Failure(input))
        }
    }

    /// `value { "," value }`
    fn values(&mut self, input: &'a str, name: Span) -> Parsed<'a, Run> {
        let first = self.reader.open_run();
        let (mut input, value) = self.value(input, name)?;
        self.reader.push_member(value);
        while let Some(after) = self.reader.skip(input).strip_prefix(',') {
            let after = self.reader.skip(after);
            let (rest, value) = self.value(after, name)?;
            self.reader.push_member(value);
            input = rest;
        }
        Ok((input, self.reader.close_run(first)))
    }

    /// One value.
    fn value(&mut self, input: &'a str, name: Span) -> Parsed<'a, NodeId> {
        match input.chars().next() {
            None | Some(';' | '}' | ',') => return Err(self.reader.missing_value(input, name)),
            // The block is not closed, which is reported when the next block begins.
            Some(_) if lexical::starts_block(input) => return Err(nom::Err::Failure(input)),
            Some('{') => return self.nested(input, |parser, input| parser.list(input, name)),
            Some('+' | '-') => {
                let after = self.reader.skip(&input[1..]);
                if after.starts_with([';', ',', '}']) {
                    let span = self.reader.span_to(input, 1);
                    return Ok((&input[1..], self.reader.node(span, NodeKind::Word)));
                }
            }
            _ => {}
        }
        if let Ok((rest, run)) = lexical::word_run(input)
            && lexical::has_closed_brackets(run)
            && (lexical::trivia(rest).starts_with([',', ';', '}']) || rest.is_empty())
        {
            return self.word(input, rest, run);
        }
        self.expression(input)
    }

    /// A value of name characters only: a number, an expression such as `a-b`, or just a word.
    fn word(&mut self, input: &'a str, rest: &'a str, run: &'a str) -> Parsed<'a, NodeId> {
        let span = self.reader.span_between(input, rest);
        let (digits, sign) = run.strip_prefix('-').map_or((run, 1.0), |digits| (digits, -1.0));
        if let Ok(("", number)) = lexical::number(digits) {
            if let Some(number) = number.parse::<f64>().ok().filter(|number| number.is_finite()) {
                return Ok((rest, self.reader.node(span, NodeKind::Number(sign * number))));
            }
            return self.expression(input);
        }
        if lexical::is_identifier(run) {
            return Ok((rest, self.reader.node(span, NodeKind::Name)));
        }
        let (nodes, members) = (self.reader.document.nodes.len(), self.reader.open_members.len());
        let outer = self.reader.trial.replace(None);
        let tried = self.expression(run);
        let mistake = std::mem::replace(&mut self.reader.trial, outer).flatten();
        match tried {
            Ok(("", node)) if mistake.is_none() => Ok((rest, node)),
            // This is an expression in spite of all, and the mistake shall be reported.
            _ if mistake == Some(codes::TOO_DEEP) => self.expression(input),
            _ => {
                self.reader.document.nodes.truncate(nodes);
                self.reader.open_members.truncate(members);
                Ok((rest, self.reader.node(span, NodeKind::Word)))
            }
        }
    }

    /// `"{" [ value { "," value } [ "," ] ] "}"`
    fn list(&mut self, input: &'a str, name: Span) -> Parsed<'a, NodeId> {
        let first = self.reader.open_run();
        let mut next = self.reader.skip(&input[1..]);
        self.open_lists += 1;
        loop {
            if let Some(rest) = next.strip_prefix('}') {
                self.open_lists -= 1;
                let span = self.reader.span_between(input, rest);
                let run = self.reader.close_run(first);
                return Ok((rest, self.reader.node(span, NodeKind::List(run))));
            }
            let (after, member) = self.value(next, name)?;
            self.reader.push_member(member);
            let after = self.reader.skip(after);
            next = match after.strip_prefix(',') {
                Some(rest) => self.reader.skip(rest),
                None if after.starts_with('}') => after,
                None => return Err(self.reader.unclosed_list(input, after)),
            };
        }
    }

    /// `";"`; gives the text behind it. One that is only forgotten is reported and taken as read.
    pub(crate) fn semicolon(
        &mut self,
        input: &'a str,
        name: Span,
    ) -> Result<&'a str, nom::Err<&'a str>> {
        let next = self.reader.skip(input);
        if let Some(rest) = next.strip_prefix(';') {
            return Ok(rest);
        }
        if next.is_empty() && self.reader.in_open_comment() {
            return Err(nom::Err::Failure(next));
        }
        if let Some(rest) = self.reader.list_not_opened(next) {
            return Ok(rest);
        }
        let text = self.reader.text(name);
        let forgotten = next.is_empty()
            || next.starts_with('}')
            || lexical::starts_parameter(next)
            || lexical::starts_block(next);
        if forgotten {
            let message = format!("expected `;` after the value of `{text}`");
            let here = self.reader.span_to(input, 0);
            self.reader.report(Diagnostic::new(codes::MISSING_SEMICOLON, here, message));
            return Ok(input);
        }
        Err(self.reader.not_separated(next, text))
    }
}

/// Where a production gave up.
pub(crate) fn failed_at<'a>(error: &nom::Err<&'a str>) -> &'a str {
    match error {
        nom::Err::Error(at) | nom::Err::Failure(at) => at,
        nom::Err::Incomplete(_) => "",
    }
}
