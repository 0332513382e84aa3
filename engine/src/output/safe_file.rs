//! A file that has its name only when it is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Text is written in pieces that begin and end at multiples of so many bytes. Pieces that begin anywhere
/// cost the system half as much again, as its pages then are written in two parts.
const PIECE: usize = 1 << 17;

/// A file under a temporary name beside its own.
pub struct SafeFile {
    path: PathBuf,
    temporary: PathBuf,
    file: File,
    /// What is not written yet.
    text: Vec<u8>,
    /// Bytes that are missing to the end of the present piece.
    missing: usize,
}

/// The temporary name; the process number keeps two runs of one model in one directory apart.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

impl SafeFile {
    /// Creates the temporary file.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        let temporary = temporary(path);
        let file = File::create(&temporary)?;
        Ok(Self { path: path.to_path_buf(), temporary, file, text: Vec::new(), missing: PIECE })
    }

    /// Removes the temporary file of a result that was begun for nothing.
    pub fn discard(path: &Path) {
        // If it cannot be removed, it still does not look complete.
        let _ = fs::remove_file(temporary(path));
    }

    /// Lets `append` add to the text without a copy in between.
    ///
    /// # Errors
    /// If much text has come together and cannot be written.
    pub fn append(&mut self, append: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        append(&mut self.text);
        if self.text.len() < self.missing {
            return Ok(());
        }
        let whole = self.text.len() - (self.text.len() - self.missing) % PIECE;
        self.write_out(whole)
    }

    /// Writes the first `length` bytes of the text.
    fn write_out(&mut self, length: usize) -> io::Result<()> {
        let written = self.file.write_all(&self.text[..length]);
        self.text.drain(..length);
        self.missing = PIECE - (PIECE - self.missing + length) % PIECE;
        written
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If what is left cannot be written, or the file not be renamed; what could be written then stays
    /// under the temporary name.
    pub fn finish(mut self) -> io::Result<PathBuf> {
        self.flush()?;
        // Some systems rename only what is closed.
        drop(self.file);
        fs::rename(&self.temporary, &self.path)?;
        Ok(self.path)
    }
}

impl Write for SafeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.append(|text| text.extend_from_slice(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_out(self.text.len())
    }
}
