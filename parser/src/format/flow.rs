//! Writes a sequence of tokens as one line or several: a block's head, a parameter, a comment.
//!
//! The user's line breaks inside a value are kept where they can have a meaning (between components, around operators,
//! behind an opening brace) and removed elsewhere (before a comma or semicolon). Continuation lines begin under the first
//! component, or four columns deeper behind a bracket that ends its line.

use std::borrow::Cow;

use super::columns;
use super::lines::{Lines, WIDTH, width};
use super::tokens::{Token, TokenKind};
use crate::lexical::unix_lines;

/// Columns of one step of indentation.
pub(super) const STEP: usize = 4;

/// The space between a token and the token before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    None,
    Blank,
    Break,
}

/// An open bracket.
struct Frame {
    /// Column where lines inside the bracket begin.
    members: usize,
    /// Column of the closing bracket if it begins a line.
    close: usize,
}

/// The text of a token as it is written out.
pub(super) fn spelling<'t>(text: &'t str, token: &Token) -> Cow<'t, str> {
    let spelled = text.get(token.start..token.end).unwrap_or("");
    match token.kind {
        TokenKind::LineComment | TokenKind::MoreComment => Cow::Borrowed(spelled.trim_end()),
        TokenKind::BlockComment => unix_lines(spelled),
        _ => Cow::Borrowed(spelled),
    }
}

/// Whether there is a blank between two tokens on one line.
pub(super) fn blank_between(before: TokenKind, after: TokenKind) -> bool {
    match (before, after) {
        (_, TokenKind::Comma | TokenKind::Semicolon | TokenKind::CloseParenthesis)
        | (TokenKind::OpenParenthesis, _)
        | (TokenKind::OpenList, TokenKind::CloseList)
        | (TokenKind::OpenBlock, TokenKind::CloseBlock)
        | (TokenKind::Atom, TokenKind::OpenParenthesis) => false,
        // A comment keeps its distance: `a/` directly before `/* b */` would begin another comment.
        (TokenKind::Unary | TokenKind::TightBinary, after) => after.is_comment(),
        (before, TokenKind::TightBinary) => before.is_comment(),
        _ => true,
    }
}

/// Whether a line break of the user is kept between two tokens.
fn keeps_break(before: TokenKind, after: TokenKind) -> bool {
    match (before, after) {
        (_, TokenKind::Comma | TokenKind::Semicolon | TokenKind::Equals | TokenKind::OpenBlock)
        | (TokenKind::Atom, TokenKind::OpenParenthesis | TokenKind::Atom) => false,
        (_, after) if after.is_comment() => true,
        (before, _) => {
            !matches!(before, TokenKind::Unary | TokenKind::LooseUnary | TokenKind::Equals)
        }
    }
}

/// Whether the bracket at the head of these tokens is the last token on its line, apart from comments.
fn hangs(tokens: &[Token]) -> bool {
    let mut previous = TokenKind::OpenList;
    for (index, token) in tokens.iter().enumerate().skip(1) {
        let closes = matches!(token.kind, TokenKind::CloseList | TokenKind::CloseParenthesis);
        if token.newlines > 0 || previous.ends_line() {
            return !closes || index > 1;
        }
        if !token.kind.is_comment() {
            return false;
        }
        previous = token.kind;
    }
    false
}

/// The gap before each token.
fn gaps(tokens: &[Token]) -> Vec<Gap> {
    let mut gaps = Vec::with_capacity(tokens.len());
    let mut hanging = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let Some(before) = index.checked_sub(1).map(|previous| tokens[previous].kind) else {
            gaps.push(Gap::None);
            continue;
        };
        // A closing bracket begins a line if its opening bracket ends one; other breaks are the user's.
        let breaks = match token.kind {
            TokenKind::CloseList | TokenKind::CloseParenthesis => hanging.pop().unwrap_or(false),
            _ => token.newlines > 0 && keeps_break(before, token.kind),
        };
        if matches!(token.kind, TokenKind::OpenList | TokenKind::OpenParenthesis) {
            hanging.push(hangs(&tokens[index..]));
        }
        gaps.push(if breaks || before.ends_line() {
            Gap::Break
        } else if blank_between(before, token.kind) {
            Gap::Blank
        } else {
            Gap::None
        });
    }
    gaps
}

/// For each token, whether it is a comment at the end of its line.
fn trailing(tokens: &[Token], gaps: &[Gap]) -> Vec<bool> {
    let mut trailing = vec![false; tokens.len()];
    for index in (0..tokens.len()).rev() {
        let ends = match gaps.get(index + 1) {
            None | Some(Gap::Break) => true,
            Some(_) => trailing[index + 1],
        };
        trailing[index] = ends && tokens[index].kind.is_comment();
    }
    trailing
}

/// Writes tokens from the current place on and ends the line. `equals` is the column of the `=`.
pub(super) fn write(lines: &mut Lines, text: &str, tokens: &[Token], equals: Option<usize>) {
    let gaps = gaps(tokens);
    let trailing = trailing(tokens, &gaps);
    let padding = columns::padding(text, tokens, &gaps, &trailing);
    let outer = Frame { members: lines.indent() + STEP, close: lines.indent() };
    let mut frames = vec![outer];
    let mut comment = String::new();
    for (index, token) in tokens.iter().enumerate() {
        let spelled = spelling(text, token);
        let closes = matches!(token.kind, TokenKind::CloseList | TokenKind::CloseParenthesis);
        let closed = if closes && frames.len() > 1 { frames.pop() } else { None };
        // A new line: under the members of the innermost bracket, or where the closing bracket belongs.
        if gaps[index] == Gap::Break {
            let continues = token.kind == TokenKind::MoreComment && !comment.is_empty();
            lines.end(&comment);
            comment.clear();
            if continues {
                lines.start_continuation();
                comment.push_str(&spelled);
                continue;
            }
            let inside = frames.last().map_or(0, |frame| frame.members);
            lines.start(closed.map_or(inside, |frame| frame.close));
        }
        // Comments at the end of a line are collected, and aligned when the line ends.
        if trailing[index] && !lines.at_start() {
            comment.push_str(if comment.is_empty() { "" } else { " " });
            comment.push_str(&spelled);
            continue;
        }
        if gaps[index] == Gap::Blank {
            lines.push(" ");
        }
        if let (TokenKind::Equals, Some(column)) = (token.kind, equals) {
            lines.pad_to(column);
        }
        lines.pad_to(lines.column() + padding[index]);
        lines.push(&spelled);
        open_frame(lines, &mut frames, &tokens[index..]);
    }
    lines.end(&comment);
}

/// Records where lines begin inside the bracket that the last written token opened.
fn open_frame(lines: &Lines, frames: &mut Vec<Frame>, tokens: &[Token]) {
    let Some(token) = tokens.first() else { return };
    match token.kind {
        // The value begins one blank behind the equals sign.
        TokenKind::Equals => frames[0].members = lines.column() + 1,
        TokenKind::OpenList | TokenKind::OpenParenthesis => {
            let close = lines.indent();
            let padding = usize::from(token.kind == TokenKind::OpenList);
            let members = if hangs(tokens) { close + STEP } else { lines.column() + padding };
            frames.push(Frame { members, close });
        }
        _ => {}
    }
}

/// All tokens on one line; `None` if the line is too wide or a comment forbids it.
pub(super) fn one_line(text: &str, tokens: &[Token]) -> Option<String> {
    let mut line = String::new();
    let mut before = None;
    for token in tokens {
        if token.kind.ends_line() {
            return None;
        }
        if before.is_some_and(|before| blank_between(before, token.kind)) {
            line.push(' ');
        }
        line.push_str(&spelling(text, token));
        // A character has at most four bytes, so this many bytes are more than the width of a line.
        if line.len() > 4 * WIDTH {
            return None;
        }
        before = Some(token.kind);
    }
    (!line.contains('\n') && width(&line) <= WIDTH).then_some(line)
}
