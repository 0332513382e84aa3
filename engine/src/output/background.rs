//! Rows that a thread of their own turns into text and writes.
//!
//! The run hands its numbers over in large blocks. Converting them to text costs more than computing them
//! for a small model, and so runs beside the integration. Rows that wait to fill a block are fetched by the thread
//! itself when nothing has come for a while: an integrator that is busy with the next row does not keep them from the disk.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A table as text, in the thread that writes it.
pub(super) trait Text: Send {
    /// Adds a row.
    fn row(&mut self, numbers: &[f64]) -> io::Result<()>;
    /// Writes what is collected, so that others see it.
    fn flush(&mut self) -> io::Result<()>;
    /// Completes the file; `stopped` tells when a run ended early.
    fn finish(self: Box<Self>, stopped: Option<f64>) -> io::Result<PathBuf>;
}

/// Numbers of a block, about: enough that handing over costs nothing, few enough to stay in the cache.
const BLOCK: usize = 1 << 12;
/// Numbers that may wait for the thread; a slow disk then slows the run instead of filling the memory.
const WAITING: usize = 1 << 16;
/// Rows reach the disk within twice this time.
const LATENCY: Duration = Duration::from_millis(400);

/// Rows one after the other, on their way to the thread.
struct Block {
    numbers: Vec<f64>,
    /// Others wait to see them.
    is_urgent: bool,
}

/// The run's end of the way to the thread.
pub(super) struct Background {
    /// Rows that are not handed over yet, one after the other. While a block is on its way they are locked, so that
    /// the thread cannot fetch rows that come behind it.
    rows: Arc<Mutex<Vec<f64>>>,
    /// Numbers in a row.
    width: usize,
    thread: Option<Thread>,
}

struct Thread {
    full: SyncSender<Block>,
    /// Blocks come back to be filled again.
    empty: Receiver<Vec<f64>>,
    handle: JoinHandle<io::Result<Box<dyn Text>>>,
}

impl Background {
    /// Starts the thread for rows of `width` numbers.
    pub fn start(text: Box<dyn Text>, width: usize) -> io::Result<Self> {
        let width = width.max(1);
        let block = BLOCK.max(width);
        let (full, blocks) = sync_channel((WAITING / block).max(1));
        let (back, empty) = channel();
        let rows = Arc::new(Mutex::new(Vec::with_capacity(block + width)));
        let writer = Writer { text, width, rows: Arc::clone(&rows), flushed: Instant::now() };
        let write = move || writer.write_blocks(&blocks, &back);
        let handle = thread::Builder::new().name("result file".into()).spawn(write)?;
        let thread = Some(Thread { full, empty, handle });
        Ok(Self { rows, width, thread })
    }

    /// Adds the row that `fill` appends.
    ///
    /// # Errors
    /// A failure of the thread, which may be that of an earlier row.
    pub fn row(&mut self, fill: impl FnOnce(&mut Vec<f64>)) -> io::Result<()> {
        let mut rows = lock(&self.rows);
        fill(&mut rows);
        debug_assert_eq!(rows.len() % self.width, 0, "a row has {} numbers", self.width);
        let is_full = rows.len() >= BLOCK;
        drop(rows);
        if is_full { self.hand_over(false) } else { Ok(()) }
    }

    /// Lets the thread write the finished rows now, so that others see them.
    ///
    /// # Errors
    /// A failure of the thread, which may be that of an earlier row.
    pub fn flush(&mut self) -> io::Result<()> {
        self.hand_over(true)
    }

    /// Hands the finished rows to the thread.
    fn hand_over(&mut self, is_urgent: bool) -> io::Result<()> {
        let mut rows = lock(&self.rows);
        let Some(thread) = self.thread.as_ref().filter(|_| !rows.is_empty() || is_urgent) else {
            return Ok(());
        };
        let room = || Vec::with_capacity(rows.capacity());
        let next = thread.empty.try_recv().unwrap_or_else(|_| room());
        let numbers = std::mem::replace(&mut *rows, next);
        let sent = thread.full.send(Block { numbers, is_urgent });
        drop(rows);
        // A thread that has ended has a failure to tell.
        sent.map_err(|_| self.failure())
    }

    /// Hands the last rows over; the thread goes on with what it has and then ends.
    pub fn close(mut self) -> Closing {
        let handed_over = self.hand_over(true);
        Closing { handed_over, handle: self.thread.take().map(|thread| thread.handle) }
    }

    /// The failure with which the thread ended.
    fn failure(&mut self) -> io::Error {
        let handle = self.thread.take().map(|thread| thread.handle);
        Closing { handed_over: Ok(()), handle }.wait().err().unwrap_or_else(ended_before)
    }
}

/// A thread that writes the last rows.
pub(super) struct Closing {
    handed_over: io::Result<()>,
    handle: Option<JoinHandle<io::Result<Box<dyn Text>>>>,
}

impl Closing {
    /// Waits until all rows are written.
    ///
    /// # Errors
    /// The first failure to write them.
    pub fn wait(self) -> io::Result<Box<dyn Text>> {
        self.handed_over?;
        let lost = |_| Err(io::Error::other("the thread that writes the file was lost"));
        self.handle.map_or_else(|| Err(ended_before()), |handle| handle.join().unwrap_or_else(lost))
    }
}

fn ended_before() -> io::Error {
    io::Error::other("writing had ended before")
}

/// The thread's end.
struct Writer {
    text: Box<dyn Text>,
    width: usize,
    /// Rows that wait to fill a block.
    rows: Arc<Mutex<Vec<f64>>>,
    /// When what was written last reached the disk.
    flushed: Instant,
}

impl Writer {
    /// The loop of the thread: ends with the first failure, or when no more blocks come.
    fn write_blocks(
        mut self,
        blocks: &Receiver<Block>,
        back: &Sender<Vec<f64>>,
    ) -> io::Result<Box<dyn Text>> {
        let mut fetched = Vec::new();
        loop {
            match blocks.recv_timeout(LATENCY) {
                Ok(Block { mut numbers, is_urgent }) => {
                    self.write(&numbers, is_urgent)?;
                    numbers.clear();
                    // At the end of the run nobody wants it back.
                    let _ = back.send(numbers);
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.fetch(blocks, &mut fetched)?;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(self.text),
            }
        }
    }

    /// Writes rows, and what is collected if that is urgent or the last time was long ago.
    fn write(&mut self, numbers: &[f64], is_urgent: bool) -> io::Result<()> {
        numbers.chunks_exact(self.width).try_for_each(|row| self.text.row(row))?;
        if is_urgent || self.flushed.elapsed() > LATENCY {
            self.text.flush()?;
            self.flushed = Instant::now();
        }
        Ok(())
    }

    /// Writes the blocks that have come meanwhile, then the rows that wait.
    fn fetch(&mut self, blocks: &Receiver<Block>, fetched: &mut Vec<f64>) -> io::Result<()> {
        {
            // The run is about to add to the rows, or to hand them over: that is as good.
            let Ok(mut rows) = self.rows.try_lock() else { return Ok(()) };
            // Nothing is sent while the lock is held.
            fetched.clear();
            while let Ok(block) = blocks.try_recv() {
                fetched.extend_from_slice(&block.numbers);
            }
            fetched.extend_from_slice(&rows);
            rows.clear();
        }
        if fetched.is_empty() { Ok(()) } else { self.write(fetched, true) }
    }
}

/// The rows; a thread that was lost while it held them leaves them whole.
fn lock(rows: &Mutex<Vec<f64>>) -> MutexGuard<'_, Vec<f64>> {
    rows.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tells every row and every flush, and fails at a given row.
    struct Told {
        rows: Sender<Option<Vec<f64>>>,
        fails_at: f64,
    }

    impl Text for Told {
        fn row(&mut self, numbers: &[f64]) -> io::Result<()> {
            if numbers[0] == self.fails_at {
                return Err(io::Error::other("no room"));
            }
            self.rows.send(Some(numbers.to_vec())).map_err(io::Error::other)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.rows.send(None).map_err(io::Error::other)
        }

        fn finish(self: Box<Self>, _: Option<f64>) -> io::Result<PathBuf> {
            Ok(PathBuf::from("told"))
        }
    }

    fn start(width: usize, fails_at: f64) -> (Background, Receiver<Option<Vec<f64>>>) {
        let (rows, told) = channel();
        (Background::start(Box::new(Told { rows, fails_at }), width).unwrap(), told)
    }

    fn fill(width: usize, row: usize) -> Vec<f64> {
        (0..width).map(|column| (row + column) as f64).collect()
    }

    #[test]
    fn rows_of_any_width_come_whole_and_in_order() {
        // Rows that fill blocks exactly, that do not, and that are longer than a block.
        for (width, n) in [(1, 3 * BLOCK), (7, 10_000), (BLOCK, 5), (BLOCK + 1, 40)] {
            let (mut file, told) = start(width, f64::NAN);
            for row in 0..n {
                file.row(|numbers| numbers.extend(fill(width, row))).unwrap();
            }
            let path = file.close().wait().unwrap().finish(None).unwrap();
            assert_eq!(path, PathBuf::from("told"));
            let rows: Vec<_> = told.iter().flatten().collect();
            assert_eq!(rows.len(), n);
            assert!(rows.iter().enumerate().all(|(k, row)| *row == fill(width, k)), "{width}");
        }
    }

    #[test]
    fn a_flush_brings_a_single_row_out() {
        let (mut file, told) = start(2, f64::NAN);
        file.row(|numbers| numbers.extend([1.0, 2.0])).unwrap();
        file.flush().unwrap();
        // The file is still open; both come all the same.
        assert_eq!(told.recv().unwrap(), Some(vec![1.0, 2.0]));
        assert_eq!(told.recv().unwrap(), None);
        file.close().wait().unwrap();
    }

    #[test]
    fn rows_come_out_while_nobody_asks() {
        let (mut file, told) = start(2, f64::NAN);
        for row in 0..5 {
            file.row(|numbers| numbers.extend(fill(2, row))).unwrap();
        }
        // The run is busy with the next row; a second is what users are promised.
        let rows: Vec<_> =
            (0..5).map(|_| told.recv_timeout(Duration::from_secs(1)).unwrap()).collect();
        assert!(rows.into_iter().enumerate().all(|(k, row)| row == Some(fill(2, k))));
        assert_eq!(told.recv_timeout(Duration::from_secs(1)).unwrap(), None);
        file.close().wait().unwrap();
    }

    #[test]
    fn the_failure_of_the_thread_ends_the_rows() {
        let (mut file, told) = start(1, 5.0);
        let mut row = 0.0;
        let error = loop {
            row += 1.0;
            if let Err(error) = file.row(|numbers| numbers.push(row)) {
                break error;
            }
            assert!(row < 1e7, "the failure is never told");
        };
        assert_eq!(error.to_string(), "no room");
        assert_eq!(told.iter().flatten().count(), 4, "the rows before it are kept");
        assert!(file.close().wait().is_err());
    }

    #[test]
    fn a_failure_in_the_last_rows_is_told_at_the_end() {
        let (mut file, _told) = start(1, 2.0);
        for row in [1.0, 2.0, 3.0] {
            file.row(|numbers| numbers.push(row)).unwrap();
        }
        assert_eq!(file.close().wait().err().unwrap().to_string(), "no room");
    }
}
