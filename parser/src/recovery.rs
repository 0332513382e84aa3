//! Messages about a mistake in the grammar, and the place where reading goes on after it.

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::lexical;
use crate::pieces::{Reader, describe_next};
use crate::source::Span;

/// Advice for a text that is not a sequence of blocks.
pub(crate) const SEQUENCE_OF_BLOCKS: &str =
    "a model is a sequence of blocks: `Keyword \"name\" { Parameter = value; }`";

impl<'a> Reader<'a> {
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

    /// Whether the text ends in a comment that is not closed. The open comment is reported, and it holds everything that is
    /// missing.
    pub(crate) fn in_open_comment(&self) -> bool {
        let comment = self.document.comments.last();
        comment.is_some_and(|last| !lexical::is_closed_comment(self.text(*last)))
    }

    /// The end of the current parameter: behind its semicolon, or before the closing brace or next block.
    /// A brace that closes one of the `open_lists` in which the mistake stands does not close the block.
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
                    input = skip_word(input);
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

    /// The start of the next block, or the end of the text. The lost text begins at `from`.
    pub(crate) fn recover_to_block(&mut self, from: &'a str, failed_at: &'a str) -> &'a str {
        let rest = self.next_block(failed_at);
        let lost = self.text(self.span_between(from, rest));
        // Prose contains no blocks; a text with a brace or an equals sign may have been a block.
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
                input = skip_word(input);
            } else {
                input = &input[first.len_utf8()..];
            }
        }
    }

    /// The text behind a block that is not read, braces inside of it included.
    pub(crate) fn behind_block(&mut self, mut input: &'a str) -> &'a str {
        let mut depth = 0_usize;
        loop {
            input = self.skip(input);
            let Some(first) = input.chars().next() else { return input };
            if let Ok((rest, _)) = lexical::string(input) {
                input = rest;
                continue;
            }
            input = &input[first.len_utf8()..];
            match first {
                '{' => depth += 1,
                '}' if depth <= 1 => return input,
                '}' => depth -= 1,
                _ => {}
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

/// Behind the word that begins here. No block begins inside a word such as `a.b-c`, and to look for one
/// at each of its parts would take time with the square of its length.
fn skip_word(input: &str) -> &str {
    lexical::word_run(input).map_or("", |(rest, _)| rest)
}

#[cfg(test)]
mod tests {
    use crate::Parsed;
    use crate::source::Sources;

    fn parse(text: &str) -> (Sources, Parsed) {
        let mut sources = Sources::default();
        sources.add("m.dys", text).unwrap();
        let parsed = crate::parse(&sources.all()[0]);
        (sources, parsed)
    }

    /// Code and line of every message.
    fn mistakes(text: &str) -> Vec<(&'static str, usize)> {
        let (sources, parsed) = parse(text);
        let place = |d: &crate::diagnostic::Diagnostic| {
            sources.position(d.primary.span).map_or(0, |(_, position)| position.line)
        };
        parsed.diagnostics.iter().map(|d| (d.code.id(), place(d))).collect()
    }

    #[test]
    fn all_mistakes_of_a_text_are_found_in_one_run() {
        let text = "Body \"a\" {\n  Mass = 1 +;\n  Inertia = 1, , 2;\n  Parent world;\n  Joint = j\n  \
                    Color = (1;\n  List = { 1, 2;\n}\nBody b { Mass = 1; }\nBody { Mass = 2x; }\n}\n\
                    Body \"b c\" { ;A = \"open;\n B := 1e999; }\nMass = 3;\nBody \"z\" {\n  A = 1 < 2 < 3;\n";
        let expected = [
            ("P015", 2),
            ("P009", 3),
            ("P008", 4),
            ("P010", 5),
            ("P014", 6),
            ("P013", 7),
            ("P004", 9),
            ("P003", 10),
            ("P007", 11),
            ("P021", 12),
            ("P020", 12),
            ("P011", 12),
            ("P008", 13),
            ("P016", 13),
            ("P002", 14),
            ("P019", 16),
            ("P006", 15),
        ];
        assert_eq!(mistakes(text), expected);
    }

    #[test]
    fn what_follows_a_mistake_is_read() {
        let (sources, parsed) =
            parse("A \"a\" { x = ; y = 2; }\nnonsense 1 2 3\nB \"b\" { z = (1; w = 3; }");
        let document = &parsed.document;
        let names: Vec<_> = document
            .blocks()
            .iter()
            .flat_map(|block| document.parameters(block))
            .map(|parameter| (sources.text(parameter.name), document.values(parameter).len()))
            .collect();
        // Of a value that could not be read the name is kept, without values.
        assert_eq!(names, [("x", 0), ("y", 1), ("z", 0), ("w", 1)]);
    }

    #[test]
    fn whatever_is_not_closed_is_reported_once() {
        let cases: &[(&str, &[&str])] = &[
            ("A \"a", &["P011"]),
            ("A \"a\"", &["P005"]),
            ("A \"a\" {", &["P006"]),
            ("A \"a\" { x", &["P008", "P006"]),
            ("A \"a\" { x = \"b; }", &["P011"]),
            ("A \"a\" { x = 1; } /* b", &["P012"]),
            ("A \"a\" { x = 1; /* b }", &["P012"]),
            ("A \"a\" { x = (1; }", &["P014"]),
            ("A \"a\" { x = f(1; }", &["P014"]),
            ("A \"a\" { x = { 1; }", &["P013"]),
            ("/*", &["P012"]),
            ("/*/", &["P012"]),
        ];
        for (text, codes) in cases {
            let found: Vec<_> = mistakes(text).into_iter().map(|(code, _)| code).collect();
            assert_eq!(found, *codes, "{text}");
        }
    }

    #[test]
    fn line_ends_and_a_byte_order_mark_do_not_matter() {
        let unix = "// c\nA \"a\" {\n x = 1,\n 2; // d\n}\n/* e\n f */\n";
        let marked = format!("\u{feff}{unix}");
        let windows = format!("\u{feff}{}", unix.replace('\n', "\r\n"));
        let (sources, parsed) = parse(unix);
        for other in [marked, windows] {
            let (other_sources, other_parsed) = parse(&other);
            assert!(other_parsed.diagnostics.is_empty(), "{other:?}");
            let (a, b) = (&sources.all()[0], &other_sources.all()[0]);
            assert!(crate::same_meaning((a, &parsed), (b, &other_parsed)), "{other:?}");
        }
        assert_eq!(mistakes("\u{feff}\u{feff}A \"a\" {}"), [("P002", 1)]);
    }

    #[test]
    fn recovery_takes_time_in_proportion_to_the_text() {
        // Each of these once made every step look at the whole rest; a hang shows in the test's time.
        let n = 50_000;
        for piece in ["a.", "a-", "a ", "\"", "a\"", "(", "{", "}", "a /**/", "a=", ";", "1a"] {
            let (_, parsed) = parse(&format!("A \"a\" {{ x = ) {}", piece.repeat(n)));
            assert!(parsed.diagnostics.errors() > 0, "{piece}");
            let (_, parsed) = parse(&format!(") {}", piece.repeat(n)));
            assert!(parsed.diagnostics.errors() > 0, "{piece}");
        }
    }
}
