//! The smallest pieces of the text, each a nom parser: white space, comments, names, numbers, strings.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_until, take_while, take_while1};
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{opt, recognize, rest};
use nom::multi::many0_count;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

/// Can a name or keyword begin with this character inside an expression?
pub fn is_identifier_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// May this character follow in an identifier?
pub fn is_identifier_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// May a block's name contain this character?
pub fn is_name_character(c: char) -> bool {
    is_identifier_part(c) || c == '-' || c == '.'
}

/// White space, at least one character.
pub fn white_space(input: &str) -> IResult<&str, &str> {
    take_while1(char::is_whitespace)(input)
}

/// `// ...` up to the end of the line.
pub fn line_comment(input: &str) -> IResult<&str, &str> {
    recognize((tag("//"), take_while(|c| c != '\n'))).parse(input)
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

/// Does the comment end where it should, not only with the text?
pub fn is_closed_comment(comment: &str) -> bool {
    comment.starts_with("//") || (comment.len() >= 4 && comment.ends_with("*/"))
}

/// Skips white space and comments; a loop rather than a combinator that collects what it skips.
pub fn trivia(mut input: &str) -> &str {
    while let Ok((after, _)) = alt((white_space, comment)).parse(input) {
        input = after;
    }
    input
}

/// A keyword, a parameter's name, a function's name.
pub fn identifier(input: &str) -> IResult<&str, &str> {
    recognize((take_while1(is_identifier_start), take_while(is_identifier_part))).parse(input)
}

/// The longest run of characters that a bare name or an unspaced expression may have.
pub fn word_run(input: &str) -> IResult<&str, &str> {
    take_while1(|c| is_name_character(c) || c == ':' || c == '[' || c == ']')(input)
}

/// A number without sign: `1`, `1.`, `.5`, `1.e-9`.
pub fn number(input: &str) -> IResult<&str, &str> {
    // Not nom's `digit0`: at the end of the text it gives a rest whose address is not the end.
    let fraction = (char('.'), take_while(|c: char| c.is_ascii_digit()));
    let mantissa = alt((recognize((digit1, opt(fraction))), recognize((char('.'), digit1))));
    let exponent = (one_of("eE"), opt(one_of("+-")), digit1);
    recognize((mantissa, opt(exponent))).parse(input)
}

/// A string on one line; gives the text between the quotes.
pub fn string(input: &str) -> IResult<&str, &str> {
    delimited(char('"'), take_while(|c| c != '"' && c != '\n'), char('"')).parse(input)
}

/// A name or a path to a signal: `a`, `a.q`, `a.q[2]`, `Keyword:a.q`, `"a-b".q`, `Keyword:"a-b".q`.
pub fn path(input: &str) -> IResult<&str, &str> {
    let qualifier = (identifier, char(':'));
    let element = alt((recognize((string, part)), identifier));
    let index = (char('['), digit1, char(']'));
    recognize((opt(qualifier), element, many0_count(part), opt(index))).parse(input)
}

/// `.part` of a path.
fn part(input: &str) -> IResult<&str, &str> {
    preceded(char('.'), take_while1(is_identifier_part)).parse(input)
}

/// What was meant as the name of a block in wrong quotes or none, with blanks or without, in front of
/// its opening brace; and the text behind it and its quotes.
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

/// What may be wrong with a text that begins like a number but is none.
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

/// Does a block begin here: keyword, name (with quotes or without), opening brace?
pub fn starts_block(input: &str) -> bool {
    let Ok((after, _)) = identifier(input) else { return false };
    let Ok((after, _)) = alt((string, word_run)).parse(trivia(after)) else { return false };
    trivia(after).starts_with('{')
}

/// Does a parameter begin here: name and equals sign (not `==`)?
pub fn starts_parameter(input: &str) -> bool {
    let Ok((after, _)) = identifier(input) else { return false };
    let after = trivia(after);
    after.starts_with('=') && !after.starts_with("==")
}

/// What to write instead of a character that looks right but is not.
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
