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
    /// Bytes that are not written yet.
    text: Vec<u8>,
    /// Number of bytes missing to the end of the present piece.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_give_the_whole_text_however_it_is_cut() {
        let directory = std::env::temp_dir().join(format!("dysim_pieces_{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join("text");
        let text: Vec<u8> = (0..4 * PIECE + 17).map(|k| (k * k / 7) as u8).collect();
        for (part, flush_every) in [(1000, usize::MAX), (PIECE, 2), (3 * PIECE + 5, 1), (977, 3)] {
            let mut file = SafeFile::create(&path).unwrap();
            for (k, bytes) in text.chunks(part).enumerate() {
                file.write_all(bytes).unwrap();
                assert!(file.text.len() < PIECE, "no more waits than a piece");
                if k % flush_every == flush_every - 1 {
                    file.flush().unwrap();
                    let written = fs::metadata(&file.temporary).unwrap().len() as usize;
                    assert_eq!(written, text.len().min((k + 1) * part));
                }
                let written = fs::metadata(&file.temporary).unwrap().len() as usize;
                assert_eq!((written + file.missing) % PIECE, 0);
            }
            assert_eq!(file.finish().unwrap(), path);
            assert!(fs::read(&path).unwrap() == text, "parts of {part}");
        }
        fs::remove_dir_all(&directory).unwrap();
    }
}
