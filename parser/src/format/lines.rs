//! Writes lines and puts the trailing comments of neighbouring lines under each other.

use unicode_width::UnicodeWidthStr;

/// Widest line that the formatter makes of its own accord.
pub(super) const WIDTH: usize = 100;

/// The columns a text takes.
pub(super) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// A line whose trailing comment waits for its neighbours.
struct Waiting {
    line: String,
    width: usize,
    comment: String,
    /// The line has only a comment that continues the comment above.
    continues: bool,
}

/// The formatted text while it grows, line by line.
#[derive(Default)]
pub(super) struct Lines {
    out: String,
    line: String,
    column: usize,
    indent: usize,
    continues: bool,
    run: Vec<Waiting>,
}

impl Lines {
    /// Begins a line with so many blanks.
    pub(super) fn start(&mut self, indent: usize) {
        self.indent = indent;
        self.column = 0;
        self.pad_to(indent);
    }

    /// Begins a line with nothing but a comment that continues the trailing comment above.
    pub(super) fn start_continuation(&mut self) {
        self.start(0);
        self.continues = true;
    }

    /// Adds to the current line.
    pub(super) fn push(&mut self, text: &str) {
        self.line.push_str(text);
        match text.rfind('\n') {
            Some(at) => self.column = width(text.get(at + 1..).unwrap_or("")),
            None => self.column += width(text),
        }
    }

    /// Fills the current line with blanks up to a column.
    pub(super) fn pad_to(&mut self, column: usize) {
        while self.column < column {
            self.line.push(' ');
            self.column += 1;
        }
    }

    /// The column where the current line ends.
    pub(super) fn column(&self) -> usize {
        self.column
    }

    /// The indentation of the current line.
    pub(super) fn indent(&self) -> usize {
        self.indent
    }

    /// Whether the current line has only its indentation.
    pub(super) fn at_start(&self) -> bool {
        self.line.len() == self.indent
    }

    /// Ends the line, with a trailing comment unless that is empty.
    pub(super) fn end(&mut self, comment: &str) {
        if comment.is_empty() {
            self.flush();
            self.out.push_str(&self.line);
            self.out.push('\n');
            self.line.clear();
        } else {
            let line = std::mem::take(&mut self.line);
            self.wait(line, comment);
        }
        self.column = 0;
        self.continues = false;
    }

    fn wait(&mut self, line: String, comment: &str) {
        // A comment of several lines stands alone: nothing can be aligned with its end.
        let tall = comment.contains('\n');
        if tall {
            self.flush();
        }
        let (width, continues) = (self.column, self.continues);
        self.run.push(Waiting { line, width, comment: comment.into(), continues });
        if tall {
            self.flush();
        }
    }

    /// Writes the lines that wait; what follows is not aligned with them.
    pub(super) fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        let widest = run.iter().map(|waiting| waiting.width).max().unwrap_or(0);
        let comment = run.iter().map(|waiting| width(&waiting.comment)).max().unwrap_or(0);
        let aligned = widest + 1 + comment <= WIDTH;
        let mut column = 0;
        for waiting in run {
            if aligned {
                column = widest + 1;
            } else if !waiting.continues {
                column = waiting.width + 1;
            }
            self.out.push_str(&waiting.line);
            self.out.extend(std::iter::repeat_n(' ', column.saturating_sub(waiting.width)));
            self.out.push_str(&waiting.comment);
            self.out.push('\n');
        }
    }

    /// An empty line, except at the beginning of the text.
    pub(super) fn blank_line(&mut self) {
        self.flush();
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    /// The whole text.
    pub(super) fn finish(mut self) -> String {
        self.flush();
        self.out
    }
}
