//! The grammar of a block: its head (keyword, name, opening brace, and how wrong names are read) and the lines inside.
//!
//! ```text
//! equation   = expression "=" expression ";"
//! transition = name "->" name ":" expression ";"
//! ```

use crate::codes;
use crate::contents::{CONDITION, Contents};
use crate::diagnostic::Diagnostic;
use crate::grammar::{Parser, failed_at};
use crate::lexical;
use crate::pieces::{Parsed, describe_next, shorten};
use crate::recovery::SEQUENCE_OF_BLOCKS;
use crate::source::Span;
use crate::syntax::{Block, Equation, Run, Transition};

impl<'a> Parser<'a> {
    /// `keyword string "{" content "}"`; a section has no name.
    pub(crate) fn block(&mut self, input: &'a str) -> Parsed<'a, Block> {
        let (rest, keyword) = self.reader.take(input, lexical::keyword)?;
        let behind_keyword = self.reader.skip(rest);
        let (behind_name, name) = self.block_name(behind_keyword, keyword)?;
        let rest = self.reader.skip(behind_name);
        let inside = self.opening_brace(rest, behind_name)?;
        let (parameters, blocks) = (self.open_parameters.len(), self.open_blocks.len());
        let (equations, transitions) =
            (self.reader.document.equations.len(), self.reader.document.transitions.len());
        self.damaged = false;
        let rest = self.content(inside, keyword);
        // Parameters and inner blocks of one block become neighbours in their tables. Equations and transitions are
        // neighbours already, because a block that has such lines holds no blocks; those of inner blocks are not its own.
        let has_lines = self.open_blocks.len() == blocks;
        let document = &mut self.reader.document;
        let block = Block {
            keyword,
            name,
            span: Span::default(),
            damaged: self.damaged,
            parameters: moved(&mut self.open_parameters, parameters, &mut document.parameters),
            inner: moved(&mut self.open_blocks, blocks, &mut document.inner),
            equations: if has_lines {
                added(&document.equations, equations)
            } else {
                Run::default()
            },
            transitions: if has_lines {
                added(&document.transitions, transitions)
            } else {
                Run::default()
            },
        };
        let span = keyword.to(self.reader.span_between(input, rest));
        Ok((rest, Block { span, ..block }))
    }

    /// The quoted name; a bare or missing one is reported and the block read all the same.
    fn block_name(&mut self, input: &'a str, keyword: Span) -> Parsed<'a, Span> {
        if lexical::string(input).is_ok() {
            let (rest, quoted) = self.reader.quoted(input)?;
            let name = Span::new(quoted.start + 1, quoted.end - 1);
            self.check_name(name, quoted);
            return Ok((rest, name));
        }
        let word = self.reader.text(keyword);
        if input.starts_with('{') && matches!(word, "Set" | "Transitions") {
            return Ok((input, keyword.after()));
        }
        if input.starts_with('{') {
            let message = format!("this `{word}` block has no name");
            let help = name_help(word);
            self.reader
                .report(Diagnostic::new(codes::EXPECTED_NAME, keyword.after(), message).help(help));
            self.reader.document.lost_blocks = true;
            return Ok((input, keyword.after()));
        }
        if let Some((extra, behind)) = lexical::word_before_name(input) {
            let span = self.reader.span_to(input, extra.len());
            let message = format!("unexpected `{}` in front of the name", shorten(extra));
            let help = format!("every block is written `{word} \"name\" {{`");
            self.reader.report(Diagnostic::new(codes::UNEXPECTED, span, message).help(help));
            return self.block_name(behind, keyword);
        }
        let Some((name, rest)) = lexical::badly_quoted_name(input) else {
            return Err(self.no_block(input, keyword));
        };
        let written = self.reader.span_between(input, rest);
        let start = self.reader.span_between(name, rest).start;
        let plain = Span::new(start, start + name.len() as u32);
        // References to it are written otherwise.
        self.reader.document.lost_blocks |= !name.chars().all(lexical::is_name_character);
        if input.starts_with('"') {
            // The quotes are closed nowhere, but the brace tells where the name ends.
            let message = "the name of this block is not closed with `\"`";
            let help = format!("write `{word} \"{name}\" {{`");
            self.reader
                .report(Diagnostic::new(codes::UNTERMINATED_STRING, written, message).help(help));
        } else {
            let message = format!("the name of this `{word}` block is not in quotes");
            let better: String = name.chars().map(as_name_character).collect();
            let help = format!("write `{word} \"{}\" {{`", shorten(&better));
            self.reader.report(Diagnostic::new(codes::UNQUOTED_NAME, written, message).help(help));
        }
        Ok((rest, plain))
    }

    /// Reports a keyword without a name of a block: perhaps a parameter that lost its block.
    fn no_block(&mut self, input: &'a str, keyword: Span) -> nom::Err<&'a str> {
        if input.starts_with('"') {
            // Reports that the string is not closed.
            return match self.reader.quoted(input) {
                Ok((rest, _)) => nom::Err::Failure(rest),
                Err(error) => error,
            };
        }
        let word = self.reader.text(keyword);
        let (message, help) = if input.starts_with('=') && !input.starts_with("==") {
            let message = format!("parameter `{word}` stands outside of a block");
            (message, "was the block closed too early by a `}`?")
        } else {
            (format!("expected a block, found `{}`", shorten(word)), SEQUENCE_OF_BLOCKS)
        };
        self.reader.report(Diagnostic::new(codes::EXPECTED_BLOCK, keyword, message).help(help));
        nom::Err::Failure(input)
    }

    fn check_name(&mut self, name: Span, quoted: Span) {
        let text = self.reader.text(name);
        if text.is_empty() {
            let message = "this block's name is empty";
            let help = name_help("Keyword");
            self.reader.report(Diagnostic::new(codes::EXPECTED_NAME, quoted, message).help(help));
            self.reader.document.lost_blocks = true;
        } else if text.contains('[') && text.starts_with(lexical::is_identifier_start) {
            self.name_indices(name, text);
        } else if let Some(bad) = text.chars().find(|&c| !lexical::is_name_character(c)) {
            let message = format!(
                "`{}` cannot be a name: it contains `{}`",
                shorten(text),
                bad.escape_debug()
            );
            let better: String = text.chars().map(as_name_character).collect();
            let help =
                format!("names have letters, digits, `_`, `-` and `.`; try `{}`", shorten(&better));
            self.reader.report(Diagnostic::new(codes::BAD_NAME, quoted, message).help(help));
            self.reader.document.lost_blocks = true;
        }
    }

    /// Reads the expressions in the brackets of a block's name, such as `link[i-1]`.
    fn name_indices(&mut self, name: Span, text: &'a str) {
        let behind = text.find('[').and_then(|at| text.get(at..)).unwrap_or("");
        let behind = lexical::tail(behind).map_or(behind, |(rest, _)| rest);
        // The text ends with the name, so that no expression reaches beyond the quotes.
        let (rest, indices) = match self.brackets(behind) {
            Ok(read) => read,
            Err(_) => {
                self.reader.document.lost_blocks = true;
                return;
            }
        };
        if !rest.is_empty() {
            let message = format!("`{}` cannot be a name", shorten(text));
            let help = "names with brackets are written `name[i]`, `name[i, j]` or `name[i].part`";
            self.reader.report(Diagnostic::new(codes::BAD_NAME, name, message).help(help));
            self.reader.document.lost_blocks = true;
        } else if !indices.is_empty() {
            self.reader.document.indexed_names.push((name, indices));
        }
    }

    /// `"{"`; a missing one is reported just behind the name.
    fn opening_brace(
        &mut self,
        input: &'a str,
        behind_name: &'a str,
    ) -> Result<&'a str, nom::Err<&'a str>> {
        if let Some(inside) = input.strip_prefix('{') {
            return Ok(inside);
        }
        let message =
            format!("expected `{{` behind the name of the block, found {}", describe_next(input));
        let here = self.reader.span_to(behind_name, 0);
        self.reader.report(Diagnostic::new(codes::EXPECTED_BRACE, here, message));
        let goes_on = lexical::starts_parameter(input) || input.starts_with('}');
        if goes_on { Ok(input) } else { Err(nom::Err::Failure(input)) }
    }

    /// Reports a section that stands in a block of another kind; gives the text behind it.
    pub(crate) fn misplaced_section(&mut self, input: &'a str, owner: &str) -> &'a str {
        let span = self.reader.next_span(input);
        let message = format!("a `{}` section stands in a `{owner}` block", self.reader.text(span));
        self.reader.report(Diagnostic::new(codes::UNEXPECTED, span, message));
        self.damaged = true;
        self.reader.behind_block(input)
    }

    /// One line of a block: a parameter, an equation or a transition. Gives the text behind it.
    pub(crate) fn line(&mut self, input: &'a str, contents: Contents) -> &'a str {
        let is_condition = lexical::starts_parameter(input)
            && lexical::identifier(input).is_ok_and(|(_, name)| name == CONDITION);
        let errors = self.reader.diagnostics.errors();
        let read = match contents {
            Contents::Equations if !is_condition => {
                let read = self.equation(input);
                self.is_left_side = false;
                read.map(|(rest, equation)| {
                    self.reader.document.equations.push(equation);
                    rest
                })
            }
            Contents::Transitions if !is_condition => {
                self.transition(input).map(|(rest, transition)| {
                    self.reader.document.transitions.push(transition);
                    rest
                })
            }
            _ => self.parameter(input).map(|(rest, parameter)| {
                self.open_parameters.push(parameter);
                rest
            }),
        };
        match read {
            Ok(rest) => rest,
            Err(error) => {
                self.damaged = true;
                self.reader.open_members.clear();
                // A block in the place of a value is told as the end of a block that is not closed, but here it may stand.
                let is_told = self.reader.diagnostics.errors() > errors;
                if let (false, Some(broken)) = (is_told, self.open_parameters.last())
                    && contents.holds(failed_at(&error))
                {
                    let _ = self.reader.missing_value(failed_at(&error), broken.name);
                }
                self.reader.recover(failed_at(&error), self.open_lists)
            }
        }
    }

    /// `expression "=" expression ";"`
    fn equation(&mut self, input: &'a str) -> Parsed<'a, Equation> {
        self.open_lists = 0;
        self.is_left_side = true;
        let (rest, left) = self.expression(input)?;
        self.is_left_side = false;
        let behind = self.reader.skip(rest);
        let is_equals_sign = behind.starts_with('=') && !behind.starts_with("==");
        let Some(after) = behind.strip_prefix('=').filter(|_| is_equals_sign) else {
            let message =
                format!("expected `=` behind the left side, found {}", describe_next(behind));
            let here = self.reader.next_span(behind);
            let help = "an equation is written `expression = expression;`";
            let mistake = Diagnostic::new(codes::EXPECTED_EQUATION, here, message);
            self.reader.report(mistake.help(help));
            return Err(nom::Err::Failure(behind));
        };
        let name = self.reader.span_between(input, rest);
        let after = self.reader.skip(after);
        if after.starts_with([';', '}']) || after.is_empty() {
            return Err(self.reader.missing_value(after, name));
        }
        let (rest, right) = self.expression(after)?;
        let span = self.reader.span_between(input, rest);
        let rest = self.semicolon(rest, name)?;
        Ok((rest, Equation { left, right, span }))
    }

    /// `name "->" name ":" expression ";"`
    fn transition(&mut self, input: &'a str) -> Parsed<'a, Transition> {
        self.open_lists = 0;
        let (rest, from) = self.reader.take(input, lexical::identifier)?;
        let rest = self.symbol(rest, "->")?;
        let (rest, to) = self.state(rest)?;
        let start = self.symbol(rest, ":")?;
        let (rest, condition) = self.expression(start)?;
        let span = self.reader.span_between(input, rest);
        let rest = self.semicolon(rest, from)?;
        Ok((rest, Transition { from, to, condition, span }))
    }

    /// The name of the state behind the arrow.
    fn state(&mut self, input: &'a str) -> Parsed<'a, Span> {
        match lexical::identifier(input) {
            Ok((rest, _)) => Ok((rest, self.reader.span_between(input, rest))),
            Err(_) => Err(self.no_transition(input, "the name of a state")),
        }
    }

    /// A symbol of a transition; gives the text behind it.
    fn symbol(&mut self, input: &'a str, symbol: &str) -> Result<&'a str, nom::Err<&'a str>> {
        let next = self.reader.skip(input);
        match next.strip_prefix(symbol) {
            Some(rest) => Ok(self.reader.skip(rest)),
            None => Err(self.no_transition(next, &format!("`{symbol}`"))),
        }
    }

    fn no_transition(&mut self, at: &'a str, expected: &str) -> nom::Err<&'a str> {
        let message = format!("expected {expected}, found {}", describe_next(at));
        let here = self.reader.next_span(at);
        let help = "a transition is written `from -> to : condition;`";
        let mistake = Diagnostic::new(codes::EXPECTED_TRANSITION, here, message);
        self.reader.report(mistake.help(help));
        nom::Err::Failure(at)
    }
}

/// Moves the entries from `first` on to the end of another table; gives their place there.
fn moved<T>(open: &mut Vec<T>, first: usize, table: &mut Vec<T>) -> Run {
    let start = table.len();
    table.extend(open.drain(first..));
    added(table, start)
}

/// The entries of a table from `first` on.
fn added<T>(table: &[T], first: usize) -> Run {
    Run { first: first as u32, count: (table.len() - first) as u32 }
}

fn name_help(keyword: &str) -> String {
    format!("every block has a name in quotes: `{keyword} \"name\" {{`")
}

fn as_name_character(c: char) -> char {
    if lexical::is_name_character(c) { c } else { '_' }
}
