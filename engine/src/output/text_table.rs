//! Tables of numbers as plain text: blanks between columns, `#` before comments.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use parser::digits::push_shortest;

use super::background::{Background, Text};
use language::safe_file::SafeFile;

/// A table whose first comment line names the columns.
pub(super) struct Table {
    file: SafeFile,
}

impl Table {
    /// Creates the file and starts the thread that writes it.
    pub fn start(path: &Path, columns: &[String]) -> io::Result<Background> {
        let mut file = SafeFile::create(path)?;
        writeln!(file, "# {}", columns.join(" "))?;
        Background::start(Box::new(Self { file }), columns.len())
    }
}

impl Text for Table {
    /// Each number is the shortest text that gives the same double again.
    fn row(&mut self, numbers: &[f64]) -> io::Result<()> {
        self.file.append(|text| {
            push_shortest(text, numbers, b' ');
            text.push(b'\n');
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn finish(mut self: Box<Self>, stopped: Option<f64>) -> io::Result<PathBuf> {
        if let Some(t) = stopped {
            writeln!(self.file, "# incomplete: the run stopped at t = {t}")?;
        }
        self.file.finish()
    }
}
