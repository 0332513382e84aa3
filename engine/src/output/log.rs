//! `.log`: what happened, in words.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use language::safe_file::SafeFile;

/// The log of a run. It is the only file that a model without output has.
pub struct Log {
    file: SafeFile,
    /// The first failure to write; a log that cannot be written does not stop a run.
    failure: Option<io::Error>,
}

impl Log {
    /// Creates the log.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: SafeFile::create(path)?, failure: None })
    }

    /// Writes a line.
    pub fn line(&mut self, text: fmt::Arguments<'_>) {
        if self.failure.is_none() {
            self.failure = writeln!(self.file, "{text}").err();
        }
    }

    /// Writes what is collected, so that others see it.
    pub fn flush(&mut self) {
        if self.failure.is_none() {
            self.failure = self.file.flush().err();
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// The first failure to write it.
    pub fn finish(self) -> io::Result<PathBuf> {
        match self.failure {
            Some(error) => Err(error),
            None => self.file.finish(),
        }
    }
}
