//! `name = value` in the statements of a netlist.

use super::lines::{Kind, Token};

/// `name = value`
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The name, with its place.
    pub name: Token,
    /// The value, not yet evaluated.
    pub value: Token,
}

/// `name = expression` and `name(arguments) = expression` in a text, in lower case; blanks may stand anywhere.
pub fn written_assignments(raw: &str) -> Vec<(String, Option<String>, String)> {
    let text = raw.trim().to_lowercase();
    let text = text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
    let bytes = text.as_bytes();
    // Signs of equality that are no part of a comparison, outside of parentheses and quotes.
    let (mut depth, mut is_quoted, mut signs) = (0_i32, false, Vec::new());
    for (at, &byte) in bytes.iter().enumerate() {
        let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
        let after = bytes.get(at + 1).copied().unwrap_or(b' ');
        match byte {
            b'\'' => is_quoted = !is_quoted,
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth -= 1,
            b'=' if depth == 0 && !is_quoted && after != b'=' && !b"=<>!".contains(&before) => {
                signs.push(at);
            }
            _ => {}
        }
    }
    // The name before each sign, with its arguments.
    let start_of = |sign: usize| {
        let left = text[..sign].trim_end();
        let open = if left.ends_with(')') { left.rfind('(').unwrap_or(0) } else { left.len() };
        let name = text[..open].trim_end();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '#');
        (name.len() - name.chars().rev().take_while(|&c| is_part(c)).count(), open)
    };
    let mut found = Vec::new();
    for (k, &sign) in signs.iter().enumerate() {
        let (start, open) = start_of(sign);
        let end = signs.get(k + 1).map_or(text.len(), |&next| start_of(next).0);
        let name = text[start..open.max(start)].trim().to_string();
        let arguments = text[open.min(sign)..sign].trim();
        let arguments = arguments.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let value = text.get(sign + 1..end.max(sign + 1)).unwrap_or("").trim();
        let value = value.trim_end_matches(',').trim();
        if !name.is_empty() {
            found.push((name, arguments.map(str::to_string), inside(value).to_string()));
        }
    }
    found
}

/// A text without the braces or quotes around it.
pub fn inside(text: &str) -> &str {
    let text = text.trim();
    for (open, close) in [('{', '}'), ('\'', '\''), ('"', '"')] {
        let inner = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inner.filter(|inner| !inner.contains(open)) {
            return inner.trim();
        }
    }
    text
}

/// Separates `name = value` from the other words; parentheses mean nothing here.
pub fn arguments(tokens: &[Token]) -> (Vec<&Token>, Vec<Assignment>) {
    let plain: Vec<&Token> =
        tokens.iter().filter(|t| !matches!(t.kind, Kind::Open | Kind::Close)).collect();
    let mut words = Vec::new();
    let mut assignments = Vec::new();
    let mut at = 0;
    while let Some(&token) = plain.get(at) {
        let equals = plain.get(at + 1).is_some_and(|next| next.kind == Kind::Equals);
        match plain.get(at + 2) {
            Some(&value) if equals => {
                assignments.push(Assignment { name: token.clone(), value: value.clone() });
                at += 3;
            }
            _ => {
                words.push(token);
                at += 1;
            }
        }
    }
    (words, assignments)
}
