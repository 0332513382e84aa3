//! The text as a sequence of tokens, comments among them, each with the line breaks before it.
//!
//! The scanner follows the same rules as the grammar, above all the one that decides whether `a-b` is
//! one word or three tokens. It reads only texts that parsed without errors; where it meets something
//! else it stops, and the formatter then leaves the text alone.

use super::lines::width;
use crate::contents::Contents;
use crate::expression::binary_operator;
use crate::lexical;
use crate::syntax::BinaryOp;

/// The kind of a token, as far as layout is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A keyword, name, number, path, string or word.
    Atom,
    /// `=`
    Equals,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `{` of a block.
    OpenBlock,
    /// `}` of a block.
    CloseBlock,
    /// `{` of a list.
    OpenList,
    /// `}` of a list.
    CloseList,
    /// `(`
    OpenParenthesis,
    /// `)`
    CloseParenthesis,
    /// A sign or `!` in front of its operand.
    Unary,
    /// A sign that would make a name of its operand if the blank behind it went: `- a`.
    LooseUnary,
    /// An operator between two operands.
    Binary,
    /// `*`, `/` or `^`: bind so tightly that blanks around them would mislead, as in `m*L^2 + b`.
    TightBinary,
    /// `// ...`
    LineComment,
    /// `// ...` on its own line, right below the trailing comment that it continues.
    MoreComment,
    /// `/* ... */`
    BlockComment,
}

impl TokenKind {
    /// Whether the token is a comment.
    pub(super) fn is_comment(self) -> bool {
        matches!(self, TokenKind::LineComment | TokenKind::MoreComment | TokenKind::BlockComment)
    }

    /// Whether the token reaches to the end of its line.
    pub(super) fn ends_line(self) -> bool {
        matches!(self, TokenKind::LineComment | TokenKind::MoreComment)
    }

    /// Whether an operand or a value is expected behind the token.
    fn wants_operand(self) -> bool {
        matches!(
            self,
            TokenKind::Equals
                | TokenKind::Comma
                | TokenKind::OpenList
                | TokenKind::OpenParenthesis
                | TokenKind::Unary
                | TokenKind::LooseUnary
                | TokenKind::Binary
                | TokenKind::TightBinary
        )
    }
}

/// A token or a comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// The kind of the token.
    pub(super) kind: TokenKind,
    /// Line breaks between the previous token and this one: 0, 1, or 2 for any larger number.
    pub(super) newlines: u8,
    /// First byte in the text.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
}

/// Which part of the grammar the scanner is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScanPlace {
    Outside,
    Header,
    Body,
    /// The left side of an equation.
    Left,
    /// The states of a transition.
    States,
    Value,
}

/// Reads one token after the other.
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    line_start: usize,
    place: ScanPlace,
    /// What the blocks that are open may hold, the innermost last.
    open: Vec<Contents>,
    /// What the block may hold whose head is being read.
    next: Contents,
    /// An expression is being read that is never a word: of an equation or a transition.
    in_line: bool,
    parentheses: usize,
    /// The last token that was no comment.
    previous: TokenKind,
    /// Columns of the trailing `//` comment on the line above, where it can be continued.
    trailing: Option<[usize; 3]>,
    /// The last token was a `/* */` comment.
    after_comment: bool,
    /// The current line begins inside a comment of several lines.
    torn: bool,
    /// Line breaks passed since the last token; the beginning of the text counts as one.
    newlines: usize,
}

impl<'t> Scanner<'t> {
    /// A scanner at the beginning of a text; a byte order mark is passed over.
    pub(super) fn new(text: &'t str) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self {
            text,
            at,
            line_start: at,
            place: ScanPlace::Outside,
            open: Vec::new(),
            next: Contents::Parameters,
            in_line: false,
            parentheses: 0,
            previous: TokenKind::Semicolon,
            trailing: None,
            after_comment: false,
            torn: false,
            newlines: 1,
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Whether the whole text was read.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_white_space();
        self.rest().is_empty()
    }

    fn skip_white_space(&mut self) {
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
        self.pass(len);
    }

    /// Steps over white space or a comment and keeps count of the lines in it.
    fn pass(&mut self, len: usize) {
        let passed = self.rest().get(..len).unwrap_or("");
        self.newlines += passed.bytes().filter(|&byte| byte == b'\n').count();
        if let Some(last) = passed.rfind('\n') {
            self.line_start = self.at + last + 1;
            self.torn = false;
        }
        self.at += len;
    }

    fn take(&mut self, kind: TokenKind, len: usize) -> Token {
        let newlines = self.newlines.min(2) as u8;
        let start = self.at;
        self.pass(len);
        self.newlines = 0;
        Token { kind, newlines, start, end: self.at }
    }

    fn comment(&mut self, len: usize) -> Token {
        if self.rest().starts_with("/*") {
            self.trailing = None;
            self.after_comment = true;
            let line_start = self.line_start;
            let token = self.take(TokenKind::BlockComment, len);
            self.torn |= self.line_start != line_start;
            return token;
        }
        let columns = columns(self.text.get(self.line_start..self.at).unwrap_or(""));
        // Only the line right below can continue a comment, and only at the same column.
        let below = self.trailing.is_some_and(|above| (0..3).any(|i| above[i] == columns[i]));
        let continues = self.newlines == 1 && below;
        let begins = self.newlines == 0 && self.can_be_continued();
        self.trailing = (continues || begins).then_some(columns);
        self.take(if continues { TokenKind::MoreComment } else { TokenKind::LineComment }, len)
    }

    /// May the comment that begins here go on below? Only one that stands to the right of where the
    /// next line will begin for certain, because otherwise a comment of the next line, once it is
    /// indented, could look as if it continued this one.
    fn can_be_continued(&self) -> bool {
        let ended = matches!(
            self.previous,
            TokenKind::Semicolon | TokenKind::OpenBlock | TokenKind::CloseBlock
        );
        ended && !self.after_comment && !self.torn
    }

    /// The kind and length of the token that begins here.
    fn token(&mut self) -> Option<(TokenKind, usize)> {
        let rest = self.rest();
        let atom = |found: nom::IResult<&str, &str>| {
            found.ok().map(|(after, _)| (TokenKind::Atom, rest.len() - after.len()))
        };
        let first = rest.chars().next()?;
        match (self.place, first) {
            (ScanPlace::Outside | ScanPlace::Body, ';') => Some((TokenKind::Semicolon, 1)),
            (ScanPlace::Outside, _) => self.keyword(rest),
            (ScanPlace::Header, '{') => {
                self.open.push(self.next);
                self.place = ScanPlace::Body;
                Some((TokenKind::OpenBlock, 1))
            }
            (ScanPlace::Header, _) => atom(lexical::string(rest)),
            (ScanPlace::Body, '}') => {
                self.open.pop();
                self.place =
                    if self.open.is_empty() { ScanPlace::Outside } else { ScanPlace::Body };
                Some((TokenKind::CloseBlock, 1))
            }
            (ScanPlace::Body, '=') => {
                self.place = ScanPlace::Value;
                self.in_line = false;
                self.parentheses = 0;
                Some((TokenKind::Equals, 1))
            }
            (ScanPlace::Body, _) => self.begin_line(rest, first),
            (ScanPlace::Left, '=') if !rest.starts_with("==") => {
                self.place = ScanPlace::Value;
                Some((TokenKind::Equals, 1))
            }
            (ScanPlace::States, '-') => rest.starts_with("->").then_some((TokenKind::Binary, 2)),
            (ScanPlace::States, ':') => {
                self.place = ScanPlace::Value;
                Some((TokenKind::Binary, 1))
            }
            (ScanPlace::States, _) => atom(lexical::identifier(rest)),
            (ScanPlace::Left, _) => self.value_token(rest, first),
            (ScanPlace::Value, _) => self.value_token(rest, first),
        }
    }

    /// The keyword of a block or section.
    fn keyword(&mut self, rest: &str) -> Option<(TokenKind, usize)> {
        let (after, keyword) = lexical::keyword(rest).ok()?;
        self.next = Contents::of(keyword);
        self.place = ScanPlace::Header;
        Some((TokenKind::Atom, rest.len() - after.len()))
    }

    /// The first token of a line in a block: of an inner block, an equation, a transition or a parameter.
    fn begin_line(&mut self, rest: &str, first: char) -> Option<(TokenKind, usize)> {
        let contents = self.open.last().copied().unwrap_or(Contents::Parameters);
        if contents.holds(rest) {
            return self.keyword(rest);
        }
        if !contents.has_parameter(rest) && self.previous != TokenKind::Atom {
            self.in_line = true;
            self.parentheses = 0;
            if contents == Contents::Transitions {
                self.place = ScanPlace::States;
                let (after, _) = lexical::identifier(rest).ok()?;
                return Some((TokenKind::Atom, rest.len() - after.len()));
            }
            self.place = ScanPlace::Left;
            return self.operand_or_parenthesis(rest, first);
        }
        let (after, _) = lexical::identifier(rest).ok()?;
        let after = lexical::tail(after).map_or(after, |(after, _)| after);
        Some((TokenKind::Atom, rest.len() - behind_brackets(after)?.len()))
    }

    /// The first token of an expression.
    fn operand_or_parenthesis(&mut self, rest: &str, first: char) -> Option<(TokenKind, usize)> {
        if first == '(' {
            self.parentheses += 1;
            return Some((TokenKind::OpenParenthesis, 1));
        }
        self.operand(rest, first)
    }

    fn value_token(&mut self, rest: &str, first: char) -> Option<(TokenKind, usize)> {
        if self.at_value_start()
            && let Some(len) = whole_word(rest)
        {
            return Some((TokenKind::Atom, len));
        }
        match first {
            ',' => Some((TokenKind::Comma, 1)),
            ';' => {
                self.place = ScanPlace::Body;
                Some((TokenKind::Semicolon, 1))
            }
            '{' => Some((TokenKind::OpenList, 1)),
            '}' => Some((TokenKind::CloseList, 1)),
            '(' => {
                self.parentheses += 1;
                Some((TokenKind::OpenParenthesis, 1))
            }
            ')' => {
                self.parentheses = self.parentheses.checked_sub(1)?;
                Some((TokenKind::CloseParenthesis, 1))
            }
            _ if self.previous.wants_operand() => self.operand(rest, first),
            _ => {
                let (_, operator) = binary_operator(rest).ok()?;
                let tight =
                    matches!(operator, BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Power);
                let kind = if tight { TokenKind::TightBinary } else { TokenKind::Binary };
                Some((kind, operator.symbol().len()))
            }
        }
    }

    fn operand(&self, rest: &str, first: char) -> Option<(TokenKind, usize)> {
        if matches!(first, '-' | '+' | '!') {
            let loose = first == '-' && self.at_value_start() && would_be_word(rest);
            return Some((if loose { TokenKind::LooseUnary } else { TokenKind::Unary }, 1));
        }
        let found = lexical::number(rest)
            .or_else(|_| lexical::path(rest))
            .map(|(after, _)| after)
            .or_else(|_| lexical::string(rest).map(|(after, _)| after));
        let after = behind_brackets(found.ok()?)?;
        Some((TokenKind::Atom, rest.len() - after.len()))
    }

    /// Whether a whole value begins here, rather than a part of an expression.
    fn at_value_start(&self) -> bool {
        if self.in_line {
            return false;
        }
        match self.previous {
            TokenKind::Equals | TokenKind::OpenList => true,
            TokenKind::Comma => self.parentheses == 0,
            _ => false,
        }
    }
}

impl Iterator for Scanner<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_white_space();
        if let Ok((after, _)) = lexical::comment(self.rest()) {
            let len = self.rest().len() - after.len();
            return Some(self.comment(len));
        }
        let (kind, len) = self.token()?;
        self.previous = kind;
        self.trailing = None;
        self.after_comment = false;
        Some(self.take(kind, len))
    }
}

/// The columns a text takes with tabs as they are counted in the output, and with tab stops at every
/// eighth and every fourth column, because nobody knows how wide the user's tabs are.
fn columns(text: &str) -> [usize; 3] {
    let stops = |stop: usize| {
        let mut parts = text.split('\t');
        let first = parts.next().map_or(0, width);
        parts.fold(first, |column, part| (column / stop + 1) * stop + width(part))
    };
    [width(text), stops(8), stops(4)]
}

/// The text behind brackets with expressions and the path that goes on behind them: blanks in brackets are part of a
/// name. None for a bracket that is not closed.
fn behind_brackets(mut rest: &str) -> Option<&str> {
    while rest.starts_with('[') {
        let mut depth = 0_usize;
        let end = rest.bytes().position(|byte| {
            match byte {
                b'[' => depth += 1,
                b']' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        rest = rest.get(end + 1..)?;
        rest = lexical::tail(rest).map_or(rest, |(after, _)| after);
    }
    Some(rest)
}

/// The length of a value that is one word as the grammar sees it: a name, a number, `a-b`, `+`.
fn whole_word(rest: &str) -> Option<usize> {
    let after = match lexical::word_run(rest) {
        Ok((after, run)) if lexical::has_closed_brackets(run) => after,
        Ok(_) => return None,
        Err(_) => rest.strip_prefix('+')?,
    };
    lexical::trivia(after).starts_with([',', ';', '}']).then(|| rest.len() - after.len())
}

/// Would the value be one word if the blanks behind its signs went? Of `- a` that changes the meaning,
/// because a block may be called `-a`; of `- 1` it does not.
fn would_be_word(rest: &str) -> bool {
    let operand = rest.trim_start_matches(|c: char| c == '-' || c.is_whitespace());
    let signs = rest.len() - operand.len();
    let number = lexical::number(operand);
    let one_sign = rest.get(1..signs).is_some_and(|more| !more.contains('-'));
    if number.is_ok() && one_sign {
        return false;
    }
    let Ok((after, _)) = number.or_else(|_| lexical::path(operand)) else { return false };
    // A path with quotes is never a word.
    let quoted = operand.get(..operand.len() - after.len()).is_some_and(|path| path.contains('"'));
    !quoted && lexical::trivia(after).starts_with([',', ';', '}'])
}
