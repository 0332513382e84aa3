//! A file that has its name only when it is complete.
//!
//! Pieces of text are handed to a thread that writes them, so that the copy into the operating system's
//! memory, a quarter of the cost of a result file, does not hold up the integration.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// Room for a few hundred rows, so that the disk sees few and large writes.
const PIECE: usize = 1 << 18;
/// Pieces that may wait to be written; a slow disk then slows the run instead of filling the memory.
const WAITING: usize = 4;

/// A file under a temporary name beside its own.
pub struct SafeFile {
    path: PathBuf,
    temporary: PathBuf,
    /// What is not handed over yet.
    piece: Vec<u8>,
    writer: Option<Writer>,
}

/// The thread that writes, and the way to it.
struct Writer {
    pieces: SyncSender<Vec<u8>>,
    thread: JoinHandle<io::Result<()>>,
}

impl Writer {
    fn start(mut file: File) -> io::Result<Self> {
        let (pieces, waiting) = sync_channel::<Vec<u8>>(WAITING);
        let write = move || waiting.iter().try_for_each(|piece| file.write_all(&piece));
        let thread = thread::Builder::new().name("result file".into()).spawn(write)?;
        Ok(Self { pieces, thread })
    }

    /// Waits until everything is written; gives the first failure.
    fn finish(self) -> io::Result<()> {
        drop(self.pieces);
        let lost = |_| Err(io::Error::other("the thread that writes the file was lost"));
        self.thread.join().unwrap_or_else(lost)
    }
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
        let writer = Some(Writer::start(File::create(&temporary)?)?);
        Ok(Self { path: path.to_path_buf(), temporary, piece: Vec::with_capacity(PIECE), writer })
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
        self.hand_over()?;
        self.writer.take().map_or(Ok(()), Writer::finish)?;
        fs::rename(&self.temporary, &self.path)?;
        Ok(std::mem::take(&mut self.path))
    }

    /// Hands the present piece to the writing thread.
    fn hand_over(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        let sent = self.writer.as_ref().is_some_and(|writer| writer.pieces.send(piece).is_ok());
        if sent {
            return Ok(());
        }
        // The thread has ended, so that it has a failure to tell.
        let ended = || io::Error::other("writing had ended before");
        Err(self.writer.take().and_then(|writer| writer.finish().err()).unwrap_or_else(ended))
    }
}

impl Write for SafeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.hand_over()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hand_over()
    }
}
