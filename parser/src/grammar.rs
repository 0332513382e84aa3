//! The grammar of blocks and parameters, and how to go on after a mistake.
//!
//! ```text
//! document  = { block }
//! block     = keyword string "{" { parameter } "}"
//! parameter = name "=" value { "," value } ";"
//! value     = expression | word | string | "+" | "-" | "{" [ value { "," value } [ "," ] ] "}"
//! ```
//!
//! A production that meets a mistake reports it and returns nom's `Failure` with the place where it
//! gave up; [`Parser::recover`] finds the next semicolon, brace or block from there.

use nom::IResult;

use crate::codes;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lexical;
use crate::source::{Source, Span};
use crate::syntax::{Block, Document, NodeId, NodeKind, Parameter, Run};

/// What a production gives: the text behind it and its value, or the place where it failed.
pub(crate) type Parsed<'a, T> = IResult<&'a str, T, &'a str>;

/// The state of one run over a text.
pub(crate) struct Parser<'a> {
    pub(crate) text: &'a str,
    pub(crate) base: u32,
    pub(crate) document: Document,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) depth: usize,
    /// While a reading is only tried, mistakes are noted here and not reported.
    pub(crate) trial: Option<bool>,
    /// Members of the lists that are being read, an inner list behind the outer one.
    pub(crate) open_members: Vec<NodeId>,
}

/// What stands at the beginning of `input`, in words for a message.
pub(crate) fn describe_next(input: &str) -> String {
    match input.chars().next() {
        None => "the end of the file".into(),
        Some('"') => "a string".into(),
        Some(c) if lexical::is_identifier_start(c) => {
            let name = lexical::identifier(input).map_or("", |(_, name)| name);
            format!("`{}`", name.chars().take(40).collect::<String>())
        }
        Some(c) if c.is_control() => format!("the control character U+{:04X}", u32::from(c)),
        Some(c) => format!("`{c}`"),
    }
}

impl<'a> Parser<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        Self {
            text: source.text(),
            base: source.base(),
            document: Document::default(),
            diagnostics: Diagnostics::default(),
            depth: 0,
            trial: None,
            open_members: Vec::new(),
        }
    }

    /// The whole text.
    pub(crate) fn document(mut self) -> (Document, Diagnostics) {
        let text = self.text;
        let mut input = self.skip(text.strip_prefix('\u{feff}').unwrap_or(text));
        while let Some(first) = input.chars().next() {
            input = match first {
                c if lexical::is_identifier_start(c) => match self.block(input) {
                    Ok((rest, block)) => {
                        self.document.blocks.push(block);
                        rest
                    }
                    Err(error) => self.recover_to_block(failed_at(&error)),
                },
                '}' => self.stray_brace(input),
                ';' => self.stray_semicolon(input),
                _ => self.not_a_block(input),
            };
            input = self.skip(input);
        }
        let document = &mut self.document;
        document.blocks.shrink_to_fit();
        document.parameters.shrink_to_fit();
        document.members.shrink_to_fit();
        document.nodes.shrink_to_fit();
        (self.document, self.diagnostics)
    }

    /// `name "=" value` as the whole text.
    pub(crate) fn assignment(mut self) -> (Document, Option<Parameter>, Diagnostics) {
        let text = self.text;
        let input = self.skip(text);
        let assignment = self.whole_assignment(input).ok();
        (self.document, assignment, self.diagnostics)
    }

    fn whole_assignment(&mut self, input: &'a str) -> Result<Parameter, nom::Err<&'a str>> {
        let (rest, name) = self.take(input, lexical::identifier)?;
        let rest = self.skip(rest);
        let start = self.equals_sign(rest, name)?;
        let (rest, value) = self.expression(start)?;
        self.push_member(value);
        let values = self.close_run(0);
        let value = self.span_between(start, rest);
        let rest = self.skip(rest);
        if rest.is_empty() {
            return Ok(Parameter { name, value, values });
        }
        let text = self.text(name);
        Err(self.not_separated(rest, text))
    }

    /// `keyword string "{" { parameter } "}"`
    fn block(&mut self, input: &'a str) -> Parsed<'a, Block> {
        let (rest, keyword) = self.take(input, lexical::identifier)?;
        let rest = self.skip(rest);
        let (rest, name) = self.block_name(rest, keyword)?;
        let rest = self.skip(rest);
        let inside = self.opening_brace(rest, keyword)?;
        let first = self.document.parameters.len() as u32;
        let rest = self.parameters(inside, keyword);
        let span = keyword.to(self.span_between(input, rest));
        let count = self.document.parameters.len() as u32 - first;
        let block = Block { keyword, name, span, parameters: Run { first, count } };
        Ok((rest, block))
    }

    /// The quoted name; a bare or missing one is reported and the block read all the same.
    fn block_name(&mut self, input: &'a str, keyword: Span) -> Parsed<'a, Span> {
        if input.starts_with('"') {
            let (rest, quoted) = self.quoted(input)?;
            let name = Span::new(quoted.start + 1, quoted.end - 1);
            self.check_name(name, quoted);
            return Ok((rest, name));
        }
        let word = self.text(keyword);
        if input.starts_with('{') {
            let message = format!("this `{word}` block has no name");
            let help = format!("every block has a name in quotes: `{word} \"name\" {{`");
            self.report(Diagnostic::new(codes::EXPECTED_NAME, keyword.after(), message).help(help));
            return Ok((input, keyword.after()));
        }
        if let Ok((rest, bare)) = lexical::word_run(input) {
            let span = self.span_between(input, rest);
            if lexical::trivia(rest).starts_with('{') {
                let message = format!("the name of this `{word}` block is not in quotes");
                let help = format!("write `{word} \"{bare}\" {{`");
                self.report(Diagnostic::new(codes::UNQUOTED_NAME, span, message).help(help));
                return Ok((rest, span));
            }
        }
        Err(self.no_block(input, keyword))
    }

    /// What follows the keyword is no name: perhaps a parameter that lost its block.
    fn no_block(&mut self, input: &'a str, keyword: Span) -> nom::Err<&'a str> {
        let word = self.text(keyword);
        let (message, help) = if input.starts_with('=') {
            let message = format!("parameter `{word}` stands outside of a block");
            (message, "was the block closed too early by a `}`?".to_string())
        } else if let Some(plain) = input.chars().next().and_then(lexical::look_alike) {
            let message = format!("expected a name in quotes after `{word}`");
            (message, format!("type the plain character `{plain}` instead"))
        } else {
            let message = format!("expected a block, found `{word}`");
            (
                message,
                "a model is a sequence of blocks: `Keyword \"name\" { Parameter = value; }`".into(),
            )
        };
        self.report(Diagnostic::new(codes::EXPECTED_BLOCK, keyword, message).help(help));
        nom::Err::Failure(input)
    }

    fn check_name(&mut self, name: Span, quoted: Span) {
        let text = self.text(name);
        if text.is_empty() {
            let message = "this block's name is empty";
            self.report(Diagnostic::new(codes::EXPECTED_NAME, quoted, message));
        } else if let Some(bad) = text.chars().find(|&c| !lexical::is_name_character(c)) {
            let message = format!(
                "`{}` cannot be a name: it contains `{}`",
                shorten(text),
                bad.escape_debug()
            );
            let better: String =
                text.chars().map(|c| if lexical::is_name_character(c) { c } else { '_' }).collect();
            let help =
                format!("names have letters, digits, `_`, `-` and `.`; try `{}`", shorten(&better));
            self.report(Diagnostic::new(codes::BAD_NAME, quoted, message).help(help));
        }
    }

    fn opening_brace(
        &mut self,
        input: &'a str,
        keyword: Span,
    ) -> Result<&'a str, nom::Err<&'a str>> {
        if let Some(inside) = input.strip_prefix('{') {
            return Ok(inside);
        }
        let message = format!("expected `{{`, found {}", describe_next(input));
        let here = self.span_to(input, 0);
        let label = format!("this `{}` block", self.text(keyword));
        self.report(Diagnostic::new(codes::EXPECTED_BRACE, here, message).also(keyword, label));
        if lexical::starts_parameter(input) { Ok(input) } else { Err(nom::Err::Failure(input)) }
    }

    /// Parameters up to the closing brace; gives the text behind it.
    fn parameters(&mut self, inside: &'a str, keyword: Span) -> &'a str {
        let mut input = self.skip(inside);
        loop {
            if let Some(rest) = input.strip_prefix('}') {
                return rest;
            }
            if input.is_empty() || lexical::starts_block(input) {
                self.unclosed_block(input, keyword);
                return input;
            }
            let next = if input.starts_with(';') {
                self.stray_semicolon(input)
            } else {
                match self.parameter(input) {
                    Ok((rest, parameter)) => {
                        self.document.parameters.push(parameter);
                        rest
                    }
                    Err(error) => {
                        self.open_members.clear();
                        self.recover(failed_at(&error))
                    }
                }
            };
            input = self.skip(next);
        }
    }

    /// `name "=" value { "," value } ";"`
    fn parameter(&mut self, input: &'a str) -> Parsed<'a, Parameter> {
        let Ok((rest, _)) = lexical::identifier(input) else { return Err(self.unexpected(input)) };
        let name = self.span_between(input, rest);
        let rest = self.skip(rest);
        let start = self.equals_sign(rest, name)?;
        let (rest, values) = self.values(start, name)?;
        let value = self.span_between(start, rest);
        let rest = self.semicolon(rest, name)?;
        Ok((rest, Parameter { name, value, values }))
    }

    /// `"="`; gives the start of the value.
    fn equals_sign(&mut self, input: &'a str, name: Span) -> Result<&'a str, nom::Err<&'a str>> {
        if let (Some(after), false) = (input.strip_prefix('='), input.starts_with("==")) {
            return Ok(self.skip(after));
        }
        let text = self.text(name);
        let message = format!("expected `=` after `{text}`, found {}", describe_next(input));
        let here = self.span_to(input, 0);
        let help = format!("a parameter is written `{text} = value;`");
        self.report(Diagnostic::new(codes::EXPECTED_EQUALS, here, message).help(help));
        // Assignments of other languages are read on, so that their values are checked as well.
        for symbol in [":=", "==", ":"] {
            if let Some(after) = input.strip_prefix(symbol) {
                return Ok(self.skip(after));
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
        let first = self.open_run();
        let (mut input, value) = self.value(input, name)?;
        self.push_member(value);
        while let Some(after) = self.skip(input).strip_prefix(',') {
            let after = self.skip(after);
            let (rest, value) = self.value(after, name)?;
            self.push_member(value);
            input = rest;
        }
        Ok((input, self.close_run(first)))
    }

    /// One value.
    fn value(&mut self, input: &'a str, name: Span) -> Parsed<'a, NodeId> {
        match input.chars().next() {
            None | Some(';' | '}' | ',') => return Err(self.missing_value(input, name)),
            Some('{') => return self.nested(input, |parser, input| parser.list(input, name)),
            Some('+' | '-') => {
                let after = self.skip(&input[1..]);
                if after.starts_with([';', ',']) {
                    let span = self.span_to(input, 1);
                    return Ok((&input[1..], self.node(span, NodeKind::Word)));
                }
            }
            _ => {}
        }
        if let Ok((rest, run)) = lexical::word_run(input)
            && (lexical::trivia(rest).starts_with([',', ';', '}']) || rest.is_empty())
        {
            return self.word(input, rest, run);
        }
        self.expression(input)
    }

    /// A value of name characters only: a number, an expression such as `a-b`, or just a word.
    fn word(&mut self, input: &'a str, rest: &'a str, run: &'a str) -> Parsed<'a, NodeId> {
        let span = self.span_between(input, rest);
        let (digits, sign) = run.strip_prefix('-').map_or((run, 1.0), |digits| (digits, -1.0));
        if let Ok(("", number)) = lexical::number(digits) {
            if let Some(number) = number.parse::<f64>().ok().filter(|number| number.is_finite()) {
                return Ok((rest, self.node(span, NodeKind::Number(sign * number))));
            }
            return self.expression(input);
        }
        if lexical::is_identifier(run) {
            return Ok((rest, self.node(span, NodeKind::Name)));
        }
        let (nodes, members) = (self.document.nodes.len(), self.open_members.len());
        let outer = self.trial.replace(false);
        let tried = self.expression(run);
        let failed = std::mem::replace(&mut self.trial, outer) != Some(false);
        match tried {
            Ok(("", node)) if !failed => Ok((rest, node)),
            _ => {
                self.document.nodes.truncate(nodes);
                self.open_members.truncate(members);
                Ok((rest, self.node(span, NodeKind::Word)))
            }
        }
    }

    /// `"{" [ value { "," value } [ "," ] ] "}"`
    fn list(&mut self, input: &'a str, name: Span) -> Parsed<'a, NodeId> {
        let first = self.open_run();
        let mut next = self.skip(&input[1..]);
        loop {
            if let Some(rest) = next.strip_prefix('}') {
                let span = self.span_between(input, rest);
                let run = self.close_run(first);
                return Ok((rest, self.node(span, NodeKind::List(run))));
            }
            let (after, member) = self.value(next, name)?;
            self.push_member(member);
            let after = self.skip(after);
            next = match after.strip_prefix(',') {
                Some(rest) => self.skip(rest),
                None if after.starts_with('}') => after,
                None => return Err(self.unclosed_list(input, after)),
            };
        }
    }

    /// `";"`; gives the text behind it. One that is only forgotten is reported and taken as read.
    fn semicolon(&mut self, input: &'a str, name: Span) -> Result<&'a str, nom::Err<&'a str>> {
        let next = self.skip(input);
        if let Some(rest) = next.strip_prefix(';') {
            return Ok(rest);
        }
        let text = self.text(name);
        let forgotten = next.is_empty()
            || next.starts_with('}')
            || lexical::starts_parameter(next)
            || lexical::starts_block(next);
        if forgotten {
            let message = format!("expected `;` after the value of `{text}`");
            let here = self.span_to(input, 0);
            self.report(Diagnostic::new(codes::MISSING_SEMICOLON, here, message));
            return Ok(input);
        }
        Err(self.not_separated(next, text))
    }
}

/// Where a production gave up.
fn failed_at<'a>(error: &nom::Err<&'a str>) -> &'a str {
    match error {
        nom::Err::Error(at) | nom::Err::Failure(at) => at,
        nom::Err::Incomplete(_) => "",
    }
}

/// At most 40 characters, for messages.
fn shorten(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { format!("{short}...") } else { short }
}
