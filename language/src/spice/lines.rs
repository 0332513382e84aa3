//! The lines of a netlist: comments removed, continuations joined, cut into words.

use parser::source::Span;

/// The kind of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or a number.
    Word,
    /// `{...}` or `'...'`: the text inside.
    Expression,
    /// `=`
    Equals,
    /// `(`
    Open,
    /// `)`
    Close,
}

/// A word in lower case, since case means nothing in SPICE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Kind of the word.
    pub kind: Kind,
    /// Text of the word; of an expression the inside.
    pub text: String,
    /// Place of the word.
    pub span: Span,
}

/// A statement with its continuation lines.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The text as it is written, continuation lines joined.
    pub raw: String,
    /// The words, at least one.
    pub tokens: Vec<Token>,
    /// From the first word to the last.
    pub span: Span,
}

/// The title, and all statements behind it.
pub fn split(text: &str, base: u32) -> (String, Vec<Line>) {
    let first = text.split_inclusive('\n').next().unwrap_or("");
    let title = first.trim().trim_start_matches('*').trim().to_string();
    (title, statements(&text[first.len()..], base + first.len() as u32))
}

/// All statements of a text without title.
pub fn statements(text: &str, base: u32) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut start = 0;
    // A line that ends with two backslashes goes on in the next one.
    let mut goes_on = false;
    for physical in text.split_inclusive('\n') {
        let offset = base + start as u32;
        start += physical.len();
        let mut content = without_comment(physical).trim_end();
        let trimmed = content.trim_start();
        let place = offset + (content.len() - trimmed.len()) as u32;
        let was_open = std::mem::take(&mut goes_on);
        if let Some(rest) = content.strip_suffix("\\\\") {
            (content, goes_on) = (rest, true);
        }
        let trimmed = content.trim_start();
        match trimmed.as_bytes().first() {
            None | Some(b'*' | b'#') => goes_on = was_open && trimmed.is_empty(),
            Some(b'+') if !lines.is_empty() => add(&mut lines, &trimmed[1..], place + 1),
            Some(_) if was_open && !lines.is_empty() => add(&mut lines, trimmed, place),
            Some(_) => {
                lines.push(Line::default());
                add(&mut lines, trimmed, place);
                if lines.last().is_some_and(|line| line.tokens.is_empty()) {
                    lines.pop();
                }
            }
        }
    }
    for line in &mut lines {
        if let (Some(first), Some(last)) = (line.tokens.first(), line.tokens.last()) {
            line.span = first.span.to(last.span);
        }
    }
    lines
}

/// Adds a piece to the last line.
fn add(lines: &mut [Line], text: &str, place: u32) {
    if let Some(line) = lines.last_mut() {
        tokens(text, place, &mut line.tokens);
        line.raw.push_str(text);
        line.raw.push(' ');
    }
}

/// The part before `;`, or before `$` or `//` that follow a blank.
fn without_comment(line: &str) -> &str {
    let mut after_blank = true;
    let mut is_quoted = false;
    for (at, byte) in line.bytes().enumerate() {
        is_quoted ^= byte == b'"';
        let is_comment = match byte {
            b';' => true,
            b'$' => after_blank,
            b'/' => after_blank && line[at..].starts_with("//"),
            _ => false,
        };
        if is_comment && !is_quoted {
            return &line[..at];
        }
        after_blank = byte.is_ascii_whitespace();
    }
    line
}

/// Cuts a piece of a line into words.
fn tokens(text: &str, base: u32, out: &mut Vec<Token>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let (kind, inside) = match byte {
            b'=' => (Kind::Equals, start..start + 1),
            b'(' => (Kind::Open, start..start + 1),
            b')' => (Kind::Close, start..start + 1),
            b'"' => {
                let length = bytes[start + 1..].iter().take_while(|b| **b != b'"').count();
                (Kind::Word, start + 1..start + 1 + length)
            }
            b'{' | b'\'' => {
                let end = expression_end(bytes, start);
                (Kind::Expression, start + 1..end)
            }
            _ if is_separator(byte) => {
                at += 1;
                continue;
            }
            _ => {
                let is_part = |b: &u8| !is_separator(*b) && !b"=(){}'\"".contains(b);
                let length = bytes[start..].iter().take_while(|b| is_part(b)).count().max(1);
                (Kind::Word, start..start + length)
            }
        };
        at = if kind == Kind::Expression || byte == b'"' {
            (inside.end + 1).min(text.len())
        } else {
            inside.end
        };
        let span = Span::new(base + start as u32, base + at as u32);
        let text = text.get(inside).unwrap_or("").to_lowercase();
        out.push(Token { kind, text, span });
    }
}

fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b','
}

/// Where the brace or quote that opens at `start` is closed; the end of the text if it is not.
fn expression_end(bytes: &[u8], start: usize) -> usize {
    let close = if bytes[start] == b'{' { b'}' } else { b'\'' };
    let mut depth = 0;
    for (at, &byte) in bytes.iter().enumerate().skip(start + 1) {
        match byte {
            b'{' if close == b'}' => depth += 1,
            _ if byte == close && depth == 0 => return at,
            b'}' if depth > 0 => depth -= 1,
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &Line) -> Vec<&str> {
        line.tokens.iter().map(|t| t.text.as_str()).collect()
    }

    #[test]
    fn comments_and_continuations() {
        let netlist =
            "The title\n* nothing\nR1 A 0 1K ; one\n\nV1 a 0\n+ SIN(0,1 50)\n+ $ no\n.end\n";
        let (title, lines) = split(netlist, 0);
        assert_eq!(title, "The title");
        assert_eq!(lines.len(), 3);
        assert_eq!(texts(&lines[0]), ["r1", "a", "0", "1k"]);
        assert_eq!(texts(&lines[1]), ["v1", "a", "0", "sin", "(", "0", "1", "50", ")"]);
        assert_eq!(texts(&lines[2]), [".end"]);
    }

    #[test]
    fn expressions_are_one_word_and_spans_point_at_them() {
        let netlist = "t\nR1 a b R={2*{x}} tc='a + b'\n";
        let (_, lines) = split(netlist, 100);
        assert_eq!(texts(&lines[0]), ["r1", "a", "b", "r", "=", "2*{x}", "tc", "=", "a + b"]);
        let span = lines[0].tokens[5].span;
        assert_eq!(&netlist[span.start as usize - 100..span.end as usize - 100], "{2*{x}}");
        // Not closed: up to the end of the line.
        assert_eq!(texts(&split("t\nR1 a b {2*x", 0).1[0]), ["r1", "a", "b", "2*x"]);
    }
}
