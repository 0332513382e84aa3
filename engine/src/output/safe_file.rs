//! A file that has its name only when it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Room for a few hundred rows, so that the disk sees few and large writes.
const BUFFER: usize = 1 << 18;

/// A file under a temporary name beside its own.
pub struct SafeFile {
    path: PathBuf,
    temporary: PathBuf,
    out: BufWriter<File>,
    /// What is under the temporary name stays there.
    kept: bool,
}

impl SafeFile {
    /// Creates the temporary file.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        // The process number keeps two runs of one model in one directory apart.
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}.part", std::process::id()));
        let temporary = path.with_file_name(name);
        let out = BufWriter::with_capacity(BUFFER, File::create(&temporary)?);
        Ok(Self { path: path.to_path_buf(), temporary, out, kept: false })
    }

    /// Leaves what could be written under the temporary name.
    pub fn keep(mut self) {
        self.kept = true;
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If what is left cannot be written, or the file not be renamed; what could be written then stays
    /// under the temporary name.
    pub fn finish(mut self) -> io::Result<PathBuf> {
        self.kept = true;
        self.out.flush()?;
        fs::rename(&self.temporary, &self.path)?;
        Ok(std::mem::take(&mut self.path))
    }
}

impl Write for SafeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for SafeFile {
    /// A file that was begun for nothing leaves no trace.
    fn drop(&mut self) {
        if !self.kept {
            // If it cannot be removed, it still does not look complete.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
