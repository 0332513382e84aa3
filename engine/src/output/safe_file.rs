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
        let out = BufWriter::with_capacity(BUFFER, File::create(&temporary)?);
        Ok(Self { path: path.to_path_buf(), temporary, out })
    }

    /// Removes the temporary file of a result that was begun for nothing.
    pub fn discard(path: &Path) {
        // If it cannot be removed, it still does not look complete.
        let _ = fs::remove_file(temporary(path));
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If what is left cannot be written, or the file not be renamed; what could be written then stays
    /// under the temporary name.
    pub fn finish(mut self) -> io::Result<PathBuf> {
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
