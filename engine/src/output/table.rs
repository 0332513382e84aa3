//! Tables of numbers as plain text: blanks between columns, `#` before comments.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use parser::digits::push_number;

use super::SafeFile;

/// A table whose first comment line names the columns.
pub(super) struct Table {
    file: SafeFile,
    /// Rows that are not written yet. They go to the file in large pieces, without a copy in between.
    rows: String,
    row_is_empty: bool,
}

/// Size of the pieces, bytes.
const PIECE: usize = 1 << 18;

impl Table {
    pub fn create(path: &Path, columns: &[String]) -> io::Result<Self> {
        let mut file = SafeFile::create(path)?;
        writeln!(file, "# {}", columns.join(" "))?;
        Ok(Self { file, rows: String::with_capacity(PIECE + PIECE / 8), row_is_empty: true })
    }

    /// Adds a number to the row: the shortest text that gives the same double again.
    pub fn number(&mut self, number: f64) {
        if !self.row_is_empty {
            self.rows.push(' ');
        }
        self.row_is_empty = false;
        push_number(&mut self.rows, number);
    }

    pub fn numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|&number| self.number(number));
    }

    /// Ends the row.
    pub fn end_row(&mut self) -> io::Result<()> {
        self.rows.push('\n');
        self.row_is_empty = true;
        if self.rows.len() < PIECE { Ok(()) } else { self.write_rows() }
    }

    fn write_rows(&mut self) -> io::Result<()> {
        let written = self.file.write_all(self.rows.as_bytes());
        self.rows.clear();
        written
    }

    pub fn finish(mut self, stopped: Option<f64>) -> io::Result<PathBuf> {
        self.write_rows()?;
        if let Some(t) = stopped {
            writeln!(self.file, "# incomplete: the run stopped at t = {t}")?;
        }
        self.file.finish()
    }
}
