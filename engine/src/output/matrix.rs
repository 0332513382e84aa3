//! Matrices with named rows and columns, as `.csv`.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use language::safe_file::SafeFile;

/// A name as a field of a table: in quotes if it has a comma, as `R[1,2].i` has (RFC 4180).
pub(super) fn quoted(name: &str) -> Cow<'_, str> {
    match name.contains(',') {
        true => format!("\"{name}\"").into(),
        false => name.into(),
    }
}

/// A table of numbers whose first row and first column are names: `pandas.read_csv(file, index_col=0)` reads it.
pub struct MatrixFile {
    file: SafeFile,
}

impl MatrixFile {
    /// Creates the file with the names of the columns; `corner` is the name of the first.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path, corner: &str, columns: &[String]) -> io::Result<Self> {
        let mut file = SafeFile::create(path)?;
        write!(file, "{corner}")?;
        columns.iter().try_for_each(|column| write!(file, ",{}", quoted(column)))?;
        write!(file, "\r\n")?;
        Ok(Self { file })
    }

    /// Writes a row: its name, then as many numbers as there are columns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn row(&mut self, name: &str, numbers: impl IntoIterator<Item = f64>) -> io::Result<()> {
        write!(self.file, "{}", quoted(name))?;
        numbers.into_iter().try_for_each(|number| write!(self.file, ",{number:.16e}"))?;
        write!(self.file, "\r\n")
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If what is left cannot be written.
    pub fn finish(self) -> io::Result<PathBuf> {
        self.file.finish()
    }
}
