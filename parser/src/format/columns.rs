//! The columns of a matrix: components that stand in rows of equal length are put under each other.

use super::flow::{Gap, blank_between, spelling};
use super::lines::{WIDTH, width};
use super::tokens::{Token, TokenKind};

/// A component of a value or list.
struct Component {
    /// First token of the component.
    first: usize,
    /// Columns that the component takes.
    width: usize,
    /// The component is the first on its line.
    begins_row: bool,
    numeric: bool,
}

/// The components of one bracket, or of the whole value.
#[derive(Default)]
struct Grid {
    components: Vec<Component>,
    /// The next token begins a component.
    ended: bool,
    /// There is a token that has no place in a matrix.
    spoiled: bool,
    /// Parentheses open inside the component.
    depth: usize,
}

/// How many blanks to put before each token so that numbers end under each other.
pub(super) fn padding(text: &str, tokens: &[Token], gaps: &[Gap], trailing: &[bool]) -> Vec<usize> {
    let mut padding = vec![0; tokens.len()];
    // Most values are one line: there is nothing to align in them.
    if !gaps.contains(&Gap::Break) {
        return padding;
    }
    let mut grids: Vec<Grid> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Equals => grids.push(Grid { ended: true, ..Grid::default() }),
            TokenKind::OpenList => {
                // A list among the components: the lists are aligned, not what surrounds them.
                if let Some(outer) = grids.last_mut() {
                    outer.spoiled = true;
                }
                grids.push(Grid { ended: true, ..Grid::default() });
            }
            TokenKind::CloseList | TokenKind::Semicolon => {
                if let Some(grid) = grids.pop() {
                    grid.fill(&mut padding);
                }
            }
            _ => {
                if let Some(grid) = grids.last_mut() {
                    let before = index.checked_sub(1).map(|before| tokens[before].kind);
                    grid.add(index, token, gaps[index], before, text);
                    grid.spoiled |= token.kind.is_comment() && !trailing[index];
                }
            }
        }
    }
    padding
}

impl Grid {
    fn add(
        &mut self,
        index: usize,
        token: &Token,
        gap: Gap,
        before: Option<TokenKind>,
        text: &str,
    ) {
        match token.kind {
            TokenKind::Comma if self.depth == 0 => {
                self.ended = true;
                return;
            }
            TokenKind::OpenParenthesis => self.depth += 1,
            TokenKind::CloseParenthesis => self.depth = self.depth.saturating_sub(1),
            kind if kind.is_comment() => {
                // A comment may end a row, not stand in one.
                self.spoiled |= !self.ended;
                return;
            }
            _ => {}
        }
        let spelled = spelling(text, token);
        if self.ended {
            self.ended = false;
            let begins_row = gap == Gap::Break || self.components.is_empty();
            let numeric = spelled.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
            let width = width(&spelled);
            self.components.push(Component { first: index, width, begins_row, numeric });
        } else if let Some(component) = self.components.last_mut() {
            self.spoiled |= gap == Gap::Break;
            let blank = before.is_some_and(|before| blank_between(before, token.kind));
            component.width += width(&spelled) + usize::from(blank);
        }
    }

    /// Writes the blanks of this grid, if it is one.
    fn fill(&self, padding: &mut [usize]) {
        let Some(columns) = self.columns() else { return };
        let mut column = 0;
        for component in &self.components {
            column = if component.begins_row { 0 } else { column + 1 };
            padding[component.first] = columns[column] - component.width;
        }
    }

    /// The widths of the columns. All rows have them, only the last may be shorter.
    fn columns(&self) -> Option<Vec<usize>> {
        if self.spoiled || !self.components.iter().any(|component| component.numeric) {
            return None;
        }
        let mut columns: Vec<usize> = Vec::new();
        let (mut column, mut rows) = (0, 0);
        for component in &self.components {
            if component.begins_row {
                if rows > 1 && column + 1 != columns.len() {
                    return None;
                }
                rows += 1;
                column = 0;
            } else {
                column += 1;
            }
            match columns.get_mut(column) {
                Some(widest) => *widest = component.width.max(*widest),
                None if rows == 1 => columns.push(component.width),
                None => return None,
            }
        }
        let total: usize = columns.iter().map(|column| column + 2).sum();
        (rows > 1 && columns.len() > 1 && total <= WIDTH).then_some(columns)
    }
}
