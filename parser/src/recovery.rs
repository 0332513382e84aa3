//! What is said about a mistake in the grammar, and where reading goes on after it.

use crate::block::SEQUENCE_OF_BLOCKS;
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::grammar::{Parser, describe_next};
use crate::lexical;
use crate::source::Span;

impl<'a> Parser<'a> {
    /// The name, number, string or character at the beginning of `input`.
    pub(crate) fn next_span(&self, input: &'a str) -> Span {
        let word = lexical::identifier(input).or_else(|_| lexical::number(input));
        let length = match word {
            Ok((_, word)) => word.len(),
            Err(_) => match lexical::string(input) {
                Ok((_, inside)) => inside.len() + 2,
                Err(_) => input.chars().next().map_or(0, char::len_utf8),
            },
        };
        self.span_to(input, length)
    }

    /// Does the text end in a comment that is not closed? That is reported, and what is missing is
    /// in the comment.
    pub(crate) fn in_open_comment(&self) -> bool {
        let comment = self.document.comments.last();
        comment.is_some_and(|last| !lexical::is_closed_comment(self.text(*last)))
    }

    /// The end of the current parameter: behind its semicolon, or before the closing brace or next block.
    /// `open_lists` braces were opened before the place where reading failed.
    pub(crate) fn recover(&mut self, mut input: &'a str, mut open_lists: usize) -> &'a str {
        loop {
            input = self.skip(input);
            let Some(first) = input.chars().next() else { return input };
            match first {
                ';' => return &input[1..],
                '}' if open_lists == 0 => return input,
                '}' => open_lists -= 1,
                '{' => open_lists += 1,
                c if lexical::is_identifier_start(c) => {
                    if lexical::starts_block(input) {
                        return input;
                    }
                    let rest = lexical::identifier(input).map_or("", |(rest, _)| rest);
                    input = rest;
                    continue;
                }
                '"' => {
                    input = lexical::string(input).map_or(&input[1..], |(rest, _)| rest);
                    continue;
                }
                _ => {}
            }
            input = &input[first.len_utf8()..];
        }
    }

    /// The start of the next block, or the end of the text. `from` is where the lost text begins.
    pub(crate) fn recover_to_block(&mut self, from: &'a str, failed_at: &'a str) -> &'a str {
        let rest = self.next_block(failed_at);
        let lost = self.text(self.span_between(from, rest));
        // Prose holds no blocks; what has a brace or an equals sign may have been one.
        self.document.lost_blocks |= lost.contains(['{', '=']);
        rest
    }

    fn next_block(&mut self, mut input: &'a str) -> &'a str {
        loop {
            input = self.skip(input);
            let Some(first) = input.chars().next() else { return input };
            if lexical::is_identifier_start(first) {
                if lexical::starts_block(input) {
                    return input;
                }
                input = lexical::identifier(input).map_or("", |(rest, _)| rest);
            } else {
                input = &input[first.len_utf8()..];
            }
        }
    }

    pub(crate) fn stray_brace(&mut self, input: &'a str) -> &'a str {
        let span = self.span_to(input, 1);
        let message = "this `}` closes no block";
        self.report(Diagnostic::new(codes::STRAY_BRACE, span, message));
        // Several in a row are one mistake.
        let mut rest = self.skip(&input[1..]);
        while let Some(after) = rest.strip_prefix('}') {
            rest = self.skip(after);
        }
        rest
    }

    pub(crate) fn stray_semicolon(&mut self, input: &'a str) -> &'a str {
        let span = self.span_to(input, 1);
        let message = "this `;` ends no parameter";
        self.report(Diagnostic::new(codes::STRAY_SEMICOLON, span, message).help("remove it"));
        &input[1..]
    }

    /// Something at the top level that cannot begin a block.
    pub(crate) fn not_a_block(&mut self, input: &'a str) -> &'a str {
        let message = format!("expected a block, found {}", describe_next(input));
        let span = self.next_span(input);
        let diagnostic = Diagnostic::new(codes::EXPECTED_BLOCK, span, message);
        self.report(diagnostic.help(SEQUENCE_OF_BLOCKS));
        let rest = input.get(span.len()..).unwrap_or("");
        let rest = rest.trim_start_matches(lexical::is_identifier_part);
        self.recover_to_block(input, rest)
    }

    pub(crate) fn unexpected(&mut self, input: &'a str) -> nom::Err<&'a str> {
        let first = input.chars().next();
        let message = format!("expected a parameter or `}}`, found {}", describe_next(input));
        let span = self.span_to(input, first.map_or(0, char::len_utf8));
        let help = first
            .and_then(lexical::look_alike)
            .map(|plain| format!("type the plain character `{plain}` instead"));
        self.report(Diagnostic::new(codes::UNEXPECTED, span, message).maybe_help(help));
        // Step over it, so that recovery moves on even from a character it would stop at.
        nom::Err::Failure(input.get(span.len()..).unwrap_or(""))
    }

    pub(crate) fn unclosed_block(&mut self, input: &'a str, keyword: Span) {
        if input.is_empty() && self.in_open_comment() {
            return;
        }
        let message = format!("this `{}` block is not closed", self.text(keyword));
        let here = self.span_to(input, 0);
        let (label, help) = if input.is_empty() {
            ("the file ends here", "close the block with `}`")
        } else {
            ("the next block begins here", "close the block with `}` before this line")
        };
        self.report(
            Diagnostic::new(codes::UNCLOSED_BLOCK, keyword, message).also(here, label).help(help),
        );
    }

    pub(crate) fn unclosed_list(&mut self, open: &'a str, at: &'a str) -> nom::Err<&'a str> {
        let message = format!("expected `,` or `}}` in this list, found {}", describe_next(at));
        let here = self.next_span(at);
        let open = self.span_to(open, 1);
        self.report(
            Diagnostic::new(codes::UNCLOSED_LIST, here, message).also(open, "the list begins here"),
        );
        nom::Err::Failure(at)
    }

    /// `};` behind values whose list was not opened; gives the text behind it. The block must go on,
    /// else the brace closes the block.
    pub(crate) fn list_not_opened(&mut self, next: &'a str) -> Option<&'a str> {
        let rest = lexical::trivia(next.strip_prefix('}')?).strip_prefix(';')?;
        let goes_on = lexical::trivia(rest);
        if !goes_on.starts_with('}') && !lexical::starts_parameter(goes_on) {
            return None;
        }
        let message = "this `}` closes no list";
        let here = self.span_to(next, 1);
        let help = "open the list with `{` behind the `=`";
        self.report(Diagnostic::new(codes::STRAY_BRACE, here, message).help(help));
        Some(rest)
    }

    pub(crate) fn missing_value(&mut self, input: &'a str, name: Span) -> nom::Err<&'a str> {
        if input.is_empty() && self.in_open_comment() {
            return nom::Err::Failure(input);
        }
        let message =
            format!("expected a value for `{}`, found {}", self.text(name), describe_next(input));
        let here = self.next_span(input);
        self.report(Diagnostic::new(codes::EXPECTED_VALUE, here, message));
        nom::Err::Failure(input)
    }

    /// Something between a value and the semicolon that does not continue the value.
    pub(crate) fn not_separated(&mut self, next: &'a str, name: &str) -> nom::Err<&'a str> {
        let first = next.chars().next();
        let here = self.next_span(next);
        let diagnostic = if next.starts_with(')') {
            Diagnostic::new(codes::EXTRA_PARENTHESIS, here, "this `)` closes no parenthesis")
        } else {
            let message = format!(
                "expected `,` or `;` after a value of `{name}`, found {}",
                describe_next(next)
            );
            let help = first
                .and_then(lexical::look_alike)
                .map(|plain| format!("type the plain character `{plain}` instead"));
            let words = help.or_else(|| {
                let joins = next.starts_with(|c: char| c.is_alphanumeric() || "\"(".contains(c));
                joins.then(|| {
                    "values are separated with `,`, factors with `*`; names have no blanks, units are not written"
                        .into()
                })
            });
            Diagnostic::new(codes::EXPECTED_COMMA, here, message).maybe_help(words)
        };
        self.report(diagnostic);
        nom::Err::Failure(next)
    }
}
