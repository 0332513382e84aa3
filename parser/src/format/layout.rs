//! Where blocks, parameters and comments begin and end, and the blank lines between them.

use super::flow::{self, STEP, one_line};
use super::lines::{Lines, WIDTH, width};
use super::tokens::{Scanner, Token, TokenKind};

/// The formatted text; `None` if the scanner meets a character that it does not know.
pub(super) fn layout(text: &str) -> Option<String> {
    let mut layout = TextLayout { text, lines: Lines::default(), previous: None };
    let mut scanner = Scanner::new(text);
    // One block at a time, so that a long text needs little memory besides its result.
    let (mut between, mut block) = (Vec::new(), Vec::new());
    loop {
        let found = read_block(&mut scanner, &mut between, &mut block);
        let line = layout.on_one_line(&block, 0);
        let shape = found.then_some(if line.is_some() {
            ParameterShape::OneLine
        } else {
            ParameterShape::Tall
        });
        layout.between(&between, shape);
        if !found {
            return scanner.is_at_end().then(|| layout.lines.finish());
        }
        layout.block(&block, line, 0);
        layout.previous = shape;
    }
}

/// Reads the next block into `block`, and the tokens before it, up to and including the block's first token, into
/// `between`. False at the end of the text.
fn read_block(scanner: &mut Scanner, between: &mut Vec<Token>, block: &mut Vec<Token>) -> bool {
    between.clear();
    block.clear();
    let mut depth = 0_usize;
    for token in scanner {
        let outside = token.kind.is_comment() || token.kind == TokenKind::Semicolon;
        if block.is_empty() {
            between.push(token);
        }
        if !block.is_empty() || !outside {
            block.push(token);
        }
        match token.kind {
            TokenKind::OpenBlock => depth += 1,
            TokenKind::CloseBlock if depth <= 1 => return true,
            TokenKind::CloseBlock => depth -= 1,
            _ => {}
        }
    }
    false
}

/// How a block is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ParameterShape {
    OneLine,
    Tall,
}

/// One item of a block: a parameter or a comment, with the comments behind it on its line.
struct Item {
    first: usize,
    /// One past the last token.
    end: usize,
    /// Columns up to the equals sign, if the sign can be aligned.
    head: Option<usize>,
    /// The user left a blank line before the item.
    spaced: bool,
    /// One past the closing brace of an inner block; none for a line.
    block_end: Option<usize>,
}

struct TextLayout<'t> {
    text: &'t str,
    lines: Lines,
    /// The shape of the last block, whose last line still waits for its trailing comments.
    previous: Option<ParameterShape>,
}

impl TextLayout<'_> {
    /// Writes the comments between two blocks: comments behind the first block, then comments above the second. The last of
    /// the tokens is the first token of the next block if there is one.
    fn between(&mut self, tokens: &[Token], next: Option<ParameterShape>) {
        let mut at = 0;
        // Comments behind the last block stay on its last line.
        if let Some(shape) = self.previous {
            at = item_tail(tokens, 0);
            flow::write(&mut self.lines, self.text, &tokens[..at], None);
            if shape == ParameterShape::Tall {
                self.lines.flush();
            }
        }
        // Two tall blocks are kept apart; a comment goes with the block that it stands above.
        let spaced = tokens[at..].iter().any(|token| token.newlines > 1);
        let tall =
            self.previous == Some(ParameterShape::Tall) && next == Some(ParameterShape::Tall);
        if tall && !spaced {
            self.lines.blank_line();
        }
        let end = tokens.len() - usize::from(next.is_some());
        while at < end {
            let after = item_end(tokens, at);
            self.separate(&tokens[at]);
            self.lines.start(0);
            flow::write(&mut self.lines, self.text, &tokens[at..after], None);
            at = after;
        }
        if let Some(first) = tokens.get(end) {
            self.separate(first);
        }
    }

    /// Keeps one blank line if the user left any before a token.
    fn separate(&mut self, token: &Token) {
        if token.newlines > 1 {
            self.lines.blank_line();
        }
    }

    /// The block as one line, if the user wrote it so or if the block is empty, and if the line fits.
    fn on_one_line(&self, block: &[Token], indent: usize) -> Option<String> {
        let empty =
            block.iter().rev().nth(1).is_some_and(|token| token.kind == TokenKind::OpenBlock);
        let broken = block.iter().skip(1).any(|token| token.newlines > 0);
        let line = if broken && !empty { None } else { one_line(self.text, block) };
        line.filter(|line| indent + width(line) <= WIDTH)
    }

    /// Writes a block; its last line is left open for the comments behind it. Blocks nest no deeper than the grammar allows.
    fn block(&mut self, block: &[Token], line: Option<String>, indent: usize) {
        if let Some(line) = line {
            self.lines.start(indent);
            self.lines.push(&line);
            return;
        }
        self.lines.flush();
        self.lines.start(indent);
        // Head of the block, then its items, then the closing brace.
        let open = block.iter().position(|token| token.kind == TokenKind::OpenBlock).unwrap_or(0);
        let head = comments_end(block, open + 1);
        flow::write(&mut self.lines, self.text, &block[..head], None);
        self.lines.flush();
        let body = &block[..block.len() - 1];
        let items = self.items(body, head);
        let mut rest = items.as_slice();
        while !rest.is_empty() {
            // Neighbours without a blank line between them share the column of the equals sign.
            let next = rest.iter().skip(1).position(|item| item.spaced);
            let (group, others) = rest.split_at(next.map_or(rest.len(), |index| index + 1));
            self.group(block, group, indent + STEP);
            if !others.is_empty() {
                self.lines.blank_line();
            }
            rest = others;
        }
        self.lines.flush();
        self.lines.start(indent);
        self.lines.push("}");
    }

    /// Writes items with their equals signs in one column. Tall inner blocks are kept apart.
    fn group(&mut self, block: &[Token], group: &[Item], indent: usize) {
        let widest = group.iter().filter_map(|item| item.head).max().unwrap_or(0);
        let equals = indent + widest + 1;
        let mut is_behind_tall = false;
        for item in group {
            let Some(end) = item.block_end else {
                self.lines.start(indent);
                let column = item.head.map(|_| equals);
                flow::write(&mut self.lines, self.text, &block[item.first..item.end], column);
                is_behind_tall = false;
                continue;
            };
            let inner = &block[item.first..end];
            let line = self.on_one_line(inner, indent);
            let is_tall = line.is_none();
            if is_tall && is_behind_tall {
                self.lines.blank_line();
            }
            self.block(inner, line, indent);
            flow::write(&mut self.lines, self.text, &block[end..item.end], None);
            if is_tall {
                self.lines.flush();
            }
            is_behind_tall = is_tall;
        }
    }

    /// The parameters and comments of a block from the token `at` on.
    fn items(&self, body: &[Token], mut at: usize) -> Vec<Item> {
        let mut items = Vec::new();
        while at < body.len() {
            let block_end = block_end(body, at);
            let end = block_end.map_or_else(|| item_end(body, at), |end| item_tail(body, end));
            let head = if block_end.is_some() { None } else { self.head(&body[at..end]) };
            items.push(Item { first: at, end, head, spaced: body[at].newlines > 1, block_end });
            at = end;
        }
        items
    }

    /// The columns of a parameter's name and the comments behind it.
    fn head(&self, item: &[Token]) -> Option<usize> {
        let equals = item.iter().position(|token| token.kind == TokenKind::Equals)?;
        let head = &item[..equals];
        if let [name] = head {
            return self.text.get(name.start..name.end).map(width);
        }
        let broken = head.iter().skip(1).any(|token| token.newlines > 0);
        if broken { None } else { one_line(self.text, head).map(|line| width(&line)) }
    }
}

/// One past the closing brace of the inner block that begins at `first`, if a block begins there.
fn block_end(tokens: &[Token], first: usize) -> Option<usize> {
    if tokens[first].kind.is_comment() {
        return None;
    }
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(first) {
        match token.kind {
            TokenKind::OpenBlock => depth += 1,
            TokenKind::CloseBlock if depth <= 1 => return Some(at + 1),
            TokenKind::CloseBlock => depth -= 1,
            TokenKind::Semicolon | TokenKind::Equals if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// One past the last token of the parameter, comment or stray semicolon that begins at `first`.
fn item_end(tokens: &[Token], first: usize) -> usize {
    if tokens[first].kind.is_comment() {
        return same_line(tokens, first + 1);
    }
    let behind = |at: &Token| at.kind == TokenKind::Semicolon;
    let semicolon = tokens[first..].iter().position(behind).map(|index| first + index);
    semicolon.map_or(tokens.len(), |semicolon| item_tail(tokens, semicolon + 1))
}

/// One past the stray semicolons and comments that stay on the line of the token before `at`.
fn item_tail(tokens: &[Token], at: usize) -> usize {
    let strays = tokens[at..].iter().take_while(|token| token.kind == TokenKind::Semicolon).count();
    comments_end(tokens, at + strays)
}

/// One past the comments that stay on the line of the token before `at`. Comments followed by another token on their line
/// belong to that token instead.
fn comments_end(tokens: &[Token], at: usize) -> usize {
    let end = same_line(tokens, at);
    let claimed = tokens
        .get(end)
        .is_some_and(|token| token.newlines == 0 && token.kind != TokenKind::CloseBlock);
    if claimed { at } else { end }
}

/// One past the comments that follow on the same line, continuations included.
fn same_line(tokens: &[Token], at: usize) -> usize {
    let stays = |token: &&Token| {
        token.kind == TokenKind::MoreComment || (token.kind.is_comment() && token.newlines == 0)
    };
    at + tokens.get(at..).unwrap_or(&[]).iter().take_while(stays).count()
}
