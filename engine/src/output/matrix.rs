//! Matrices with named rows and columns, as `.csv`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use language::safe_file::SafeFile;

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
        columns.iter().try_for_each(|column| write!(file, ",{column}"))?;
        write!(file, "\r\n")?;
        Ok(Self { file })
    }

    /// Writes a row: its name, then as many numbers as there are columns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn row(&mut self, name: &str, numbers: impl IntoIterator<Item = f64>) -> io::Result<()> {
        write!(self.file, "{name}")?;
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
