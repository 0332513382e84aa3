//! The smallest pieces of the text, each a nom parser: white space, comments, names, numbers, strings.

use std::borrow::Cow;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_until, take_while1};
use nom::character::complete::{char, digit1};
use nom::combinator::{opt, recognize, rest};
use nom::error::{Error, ErrorKind};
use nom::multi::many0_count;
use nom::sequence::preceded;
use nom::{IResult, Parser};

/// Whether a name or keyword can begin with this character inside an expression.
pub fn is_identifier_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Whether this character may follow in an identifier.
pub fn is_identifier_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a block's name may contain this character.
pub fn is_name_character(c: char) -> bool {
    is_identifier_part(c) || c == '-' || c == '.'
}

fn is_word_character(c: char) -> bool {
    is_name_character(c) || matches!(c, ':' | '[' | ']')
}

// What an ASCII character may be part of, one bit each. Nearly every character of a model is ASCII, and
// looking it up takes a fraction of the time of decoding and asking.
const SPACE: u8 = 1;
const START: u8 = 2;
const PART: u8 = 4;
const WORD: u8 = 8;

const CLASSES: [u8; 128] = {
    let mut classes = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        let b = byte as u8;
        if matches!(b, b'\t'..=b'\r' | b' ') {
            classes[byte] = SPACE;
        } else if b.is_ascii_alphabetic() || b == b'_' {
            classes[byte] = START | PART | WORD;
        } else if b.is_ascii_digit() {
            classes[byte] = PART | WORD;
        } else if matches!(b, b'-' | b'.' | b':' | b'[' | b']') {
            classes[byte] = WORD;
        }
        byte += 1;
    }
    classes
};

/// How many bytes at the start of `input` are of a class; `fits` decides for characters beyond ASCII.
fn run_length(input: &str, class: u8, fits: impl Fn(char) -> bool) -> usize {
    let bytes = input.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match CLASSES.get(usize::from(byte)) {
            Some(classes) if classes & class != 0 => at += 1,
            Some(_) => break,
            None => match input.get(at..).and_then(|rest| rest.chars().next()) {
                Some(c) if fits(c) => at += c.len_utf8(),
                _ => break,
            },
        }
    }
    at
}

/// The first `length` bytes, of which there must be one.
fn take1(input: &str, length: usize) -> IResult<&str, &str> {
    match input.split_at_checked(length) {
        Some((taken, rest)) if length > 0 => Ok((rest, taken)),
        _ => Err(nom::Err::Error(Error::new(input, ErrorKind::TakeWhile1))),
    }
}

/// White space, at least one character.
pub fn white_space(input: &str) -> IResult<&str, &str> {
    take1(input, run_length(input, SPACE, char::is_whitespace))
}

/// `// ...` up to the end of the line.
pub fn line_comment(input: &str) -> IResult<&str, &str> {
    let (_, _) = tag("//").parse(input)?;
    take1(input, input.find('\n').unwrap_or(input.len()))
}

/// `/* ... */`; one that is not closed reaches to the end of the text.
pub fn block_comment(input: &str) -> IResult<&str, &str> {
    let closed = recognize((tag("/*"), take_until("*/"), tag("*/")));
    alt((closed, recognize((tag("/*"), rest)))).parse(input)
}

/// A comment of either kind.
pub fn comment(input: &str) -> IResult<&str, &str> {
    alt((line_comment, block_comment)).parse(input)
}

/// Whether the comment has its own end, and does not only end with the text.
pub fn is_closed_comment(comment: &str) -> bool {
    comment.starts_with("//") || (comment.len() >= 4 && comment.ends_with("*/"))
}

/// The text with line ends of one character: `\r\n` becomes `\n`; a carriage return elsewhere stays.
pub(crate) fn unix_lines(text: &str) -> Cow<'_, str> {
    if !text.contains("\r\n") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => {
                out.push_str(line.trim_end_matches('\r'));
                out.push('\n');
            }
            None => out.push_str(line),
        }
    }
    Cow::Owned(out)
}

/// Skips white space and comments; a loop rather than a combinator that collects what it skips.
pub fn trivia(mut input: &str) -> &str {
    loop {
        input = after_white_space(input);
        if !input.starts_with('/') {
            return input;
        }
        match comment(input) {
            Ok((after, _)) => input = after,
            Err(_) => return input,
        }
    }
}

/// The text behind white space, if there is any.
pub(crate) fn after_white_space(input: &str) -> &str {
    let length = run_length(input, SPACE, char::is_whitespace);
    input.get(length..).unwrap_or("")
}

/// A keyword, a parameter's name, a function's name.
pub fn identifier(input: &str) -> IResult<&str, &str> {
    if !input.starts_with(is_identifier_start) {
        return take1(input, 0);
    }
    take1(input, run_length(input, PART, is_identifier_part))
}

/// The keyword of a block: a name, or a path such as `drives.Motor` to a component of an included file.
pub fn keyword(input: &str) -> IResult<&str, &str> {
    let part = (char('.'), identifier);
    recognize((identifier, many0_count(part))).parse(input)
}

/// Whether the whole text is an identifier.
pub(crate) fn is_identifier(text: &str) -> bool {
    text.starts_with(is_identifier_start)
        && run_length(text, PART, is_identifier_part) == text.len()
}

/// The longest run of characters that a bare name or an unspaced expression may have.
pub fn word_run(input: &str) -> IResult<&str, &str> {
    take1(input, run_length(input, WORD, is_word_character))
}

/// A number without sign: `1`, `1.`, `.5`, `1.e-9`.
pub fn number(input: &str) -> IResult<&str, &str> {
    let bytes = input.as_bytes();
    let digits = |from: usize| {
        let tail = bytes.get(from..).unwrap_or(&[]);
        tail.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let whole = digits(0);
    let mut at = whole;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        // A dot alone is no number.
        if whole + fraction == 0 {
            return take1(input, 0);
        }
        at += 1 + fraction;
    }
    if at > 0 && matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at + 1 + sign);
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    take1(input, at)
}

/// A string on one line; gives the text between the quotes.
pub fn string(input: &str) -> IResult<&str, &str> {
    let (inside, _) = char('"').parse(input)?;
    match inside.find(['"', '\n']).map(|at| inside.split_at(at)) {
        Some((text, after)) if after.starts_with('"') => Ok((&after[1..], text)),
        _ => take1(input, 0),
    }
}

/// A name or a path to a signal: `a`, `a.q`, `a.q[2]`, `a[3].q`, `a[1,2].q`, `Keyword:a.q`, `"a-b".q`, `Keyword:"a-b".q`.
/// It ends before a bracket that contains anything but digits.
pub fn path(input: &str) -> IResult<&str, &str> {
    let qualifier = (identifier, char(':'));
    let element = alt((recognize((string, part)), identifier));
    recognize((opt(qualifier), element, tail)).parse(input)
}

/// The part of a path behind its first name: `.part` and `[1,2]` in any order.
pub fn tail(input: &str) -> IResult<&str, &str> {
    recognize(many0_count(alt((part, digits_in_brackets)))).parse(input)
}

/// `.part` of a path.
fn part(input: &str) -> IResult<&str, &str> {
    preceded(char('.'), take_while1(is_identifier_part)).parse(input)
}

/// `[1]` or `[1,2]`.
fn digits_in_brackets(input: &str) -> IResult<&str, &str> {
    let more = (char(','), digit1);
    recognize((char('['), digit1, many0_count(more), char(']'))).parse(input)
}

/// Whether every bracket of a text is closed.
pub(crate) fn has_closed_brackets(text: &str) -> bool {
    let step = |depth: usize, byte: u8| match byte {
        b'[' => Some(depth + 1),
        b']' => depth.checked_sub(1),
        _ => Some(depth),
    };
    text.bytes().try_fold(0, step) == Some(0)
}

/// The text meant as the name of a block, in wrong quotes or none, before the opening brace of the block; and the text
/// behind the name and its quotes.
pub fn badly_quoted_name(input: &str) -> Option<(&str, &str)> {
    let is_quote = |c: char| c == '"' || look_alike(c) == Some("\"");
    let start = input.strip_prefix(is_quote).unwrap_or(input);
    if let Ok((after, name)) = word_run(start) {
        let rest = after.strip_prefix(is_quote).unwrap_or(after);
        if trivia(rest).starts_with('{') {
            return Some((name, rest));
        }
    }
    // Several words on the line of the brace.
    let end = start.char_indices().take(MAX_NAME).find(|(_, c)| "{}=;\"\n".contains(*c))?;
    let (words, rest) = start.split_at(end.0);
    let name = words.trim_end().trim_end_matches(is_quote);
    (rest.starts_with('{') && !name.is_empty()).then_some((name, rest))
}

/// A word between keyword and quoted name, as in `Body rod "rod" {`; and the text from the name on.
pub fn word_before_name(input: &str) -> Option<(&str, &str)> {
    let (after, word) = word_run(input).ok()?;
    let name = after.trim_start_matches([' ', '\t']);
    let (behind, _) = string(name).ok()?;
    trivia(behind).starts_with('{').then_some((word, name))
}

/// Longer texts are not taken for a name.
const MAX_NAME: usize = 200;

/// Advice about a text that begins like a number but is none.
pub fn number_help(text: &str) -> Option<String> {
    let (rest, digits) = number(text).ok()?;
    let mut following = rest.chars();
    let (first, second) = (following.next()?, following.next());
    let exponent = matches!(first, 'e' | 'E') && second.is_none_or(|c| "+-.".contains(c));
    Some(match first {
        _ if exponent => format!("the exponent of 10 is missing, as in `{digits}e-3`"),
        'x' | 'X' if digits == "0" => "numbers are written with decimal digits".into(),
        '_' => "digits are written without `_`".into(),
        '.' => "a number has one decimal point".into(),
        c if is_identifier_start(c) => {
            format!("write `{digits}*{rest}` for a product; units are not written, values are SI")
        }
        _ => return None,
    })
}

/// Whether a block begins here: keyword, name (with or without quotes), opening brace.
pub fn starts_block(input: &str) -> bool {
    let Ok((after, _)) = keyword(input) else { return false };
    let Ok((after, _)) = alt((string, word_run)).parse(trivia(after)) else { return false };
    trivia(after).starts_with('{')
}

/// Whether a block without a name or a section begins here: keyword and opening brace.
pub fn starts_nameless(input: &str) -> bool {
    keyword(input).is_ok_and(|(after, _)| trivia(after).starts_with('{'))
}

/// Whether a parameter begins here: name and equals sign (not `==`).
pub fn starts_parameter(input: &str) -> bool {
    let Ok((after, _)) = recognize((identifier, tail)).parse(input) else { return false };
    let after = trivia(after);
    after.starts_with('=') && !after.starts_with("==")
}

/// The character to write instead of one that only looks right.
pub fn look_alike(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{ff02}' => {
            "\""
        }
        '\u{2018}' | '\u{2019}' | '\'' | '`' => "\"",
        '\u{2212}' | '\u{2013}' | '\u{2014}' => "-",
        '\u{d7}' | '\u{b7}' | '\u{22c5}' => "*",
        '\u{f7}' | '\u{2044}' => "/",
        '\u{ff1b}' | '\u{37e}' => ";",
        '\u{ff0c}' => ",",
        '\u{ff1d}' => "=",
        '\u{2264}' => "<=",
        '\u{2265}' => ">=",
        '\u{2260}' => "!=",
        '\u{b2}' => "^2",
        '\u{b3}' => "^3",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_recognised_whole() {
        for text in ["1", "1.", ".5", "1.e-9", "1E+5", "0012.500"] {
            assert_eq!(number(text), Ok(("", text)));
        }
        assert_eq!(number("1e"), Ok(("e", "1")));
        assert!(number(".").is_err());
    }

    #[test]
    fn paths_take_qualifier_quotes_and_index() {
        let paths =
            ["a", "a.q", "a.b.q[12]", "Revolute:a.q", "\"a-b\".q", "node:\"1\".v", "x1.2.v"];
        for text in paths {
            assert_eq!(path(text), Ok(("", text)));
        }
        assert_eq!(path("a.q-1"), Ok(("-1", "a.q")));
    }

    #[test]
    fn trivia_skips_comments_and_an_unclosed_one_takes_the_rest() {
        assert_eq!(trivia(" // a\n /* b */\tc"), "c");
        assert_eq!(trivia("/* b"), "");
    }

    #[test]
    fn blocks_and_parameters_are_told_apart() {
        assert!(starts_block("Body /* x */ \"a\"\n{"));
        assert!(!starts_block("File \"a\";"));
        assert!(starts_parameter("Mass /**/ = 1"));
        assert!(!starts_parameter("a == b"));
    }
}
