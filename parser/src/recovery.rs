//! What is said about a mistake in the grammar, and where reading goes on after it.

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::grammar::{Parser, describe_next};
use crate::lexical;
use crate::source::Span;

impl<'a> Parser<'a> {
    /// The end of the current parameter: behind its semicolon, or before the closing brace or next block.
    pub(crate) fn recover(&mut self, mut input: &'a str) -> &'a str {
        let mut open_lists = 0;
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

    /// The start of the next block, or the end of the text.
    pub(crate) fn recover_to_block(&mut self, mut input: &'a str) -> &'a str {
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
        &input[1..]
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
        let span = self.span_to(input, input.chars().next().map_or(0, char::len_utf8));
        let help = "a model is a sequence of blocks: `Keyword \"name\" { Parameter = value; }`";
        self.report(Diagnostic::new(codes::EXPECTED_BLOCK, span, message).help(help));
        let rest = input.get(span.len()..).unwrap_or("");
        self.recover_to_block(rest)
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
        let here = self.span_to(at, at.chars().next().map_or(0, char::len_utf8));
        let open = self.span_to(open, 1);
        self.report(
            Diagnostic::new(codes::UNCLOSED_LIST, here, message).also(open, "the list begins here"),
        );
        nom::Err::Failure(at)
    }

    pub(crate) fn missing_value(&mut self, input: &'a str, name: Span) -> nom::Err<&'a str> {
        let message =
            format!("expected a value for `{}`, found {}", self.text(name), describe_next(input));
        let here = self.span_to(input, input.chars().next().map_or(0, char::len_utf8));
        self.report(Diagnostic::new(codes::EXPECTED_VALUE, here, message));
        nom::Err::Failure(input)
    }

    /// Something between a value and the semicolon that does not continue the value.
    pub(crate) fn not_separated(&mut self, next: &'a str, name: &str) -> nom::Err<&'a str> {
        let first = next.chars().next();
        let here = self.span_to(next, first.map_or(0, char::len_utf8));
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
                let joins = next.starts_with(|c: char| c.is_alphanumeric() || c == '"');
                joins.then(|| "separate values with `,`; names and words have no blanks".into())
            });
            Diagnostic::new(codes::EXPECTED_COMMA, here, message).maybe_help(words)
        };
        self.report(diagnostic);
        nom::Err::Failure(next)
    }
}
