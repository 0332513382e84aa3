//! Tables of numbers as plain text: blanks between columns, `#` before comments.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::SafeFile;

/// A table whose first comment line names the columns.
pub(super) struct Table {
    file: SafeFile,
    line: Vec<u8>,
    digits: ryu::Buffer,
}

impl Table {
    pub fn create(path: &Path, columns: &[String]) -> io::Result<Self> {
        let mut file = SafeFile::create(path)?;
        writeln!(file, "# {}", columns.join(" "))?;
        Ok(Self { file, line: Vec::new(), digits: ryu::Buffer::new() })
    }

    /// Adds a number to the row: the shortest text that gives the same double again.
    pub fn number(&mut self, number: f64) {
        if !self.line.is_empty() {
            self.line.push(b' ');
        }
        self.line.extend_from_slice(self.digits.format(number).as_bytes());
    }

    pub fn numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|&number| self.number(number));
    }

    /// Writes the row.
    pub fn end_row(&mut self) -> io::Result<()> {
        self.line.push(b'\n');
        let written = self.file.write_all(&self.line);
        self.line.clear();
        written
    }

    pub fn finish(mut self, stopped: Option<f64>) -> io::Result<PathBuf> {
        if let Some(t) = stopped {
            writeln!(self.file, "# incomplete: the run stopped at t = {t}")?;
        }
        self.file.finish()
    }
}
