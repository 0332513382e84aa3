//! Reads an `.ani` table of any size: the header at once, and a scan in small portions that judges
//! every line, reports its problems and leaves a sparse index. The rows are found in `seek.rs`.
//!
//! Until the scan has passed, rows have no numbers, and rows whose time goes back are not recognised with certainty.

use super::header::{HeaderOutcome, header_key, read_header};
use super::index::{IndexEntry, RowIndex};
use super::problem::{Fault, ProblemList};
use super::row::{RowVerdict, backwards, check_poses, judge, runs_ahead};
use super::window::Window;
use super::{AniHeader, AniProblem, MAX_LINE_BYTES, Pose};
use std::io::{self, Read, Seek};

/// Bytes per number that a row may take on average; the longest number written has 24.
const MAX_BYTES_PER_NUMBER: usize = 64;

/// The limit for a row of few bodies: comments between the rows may be longer than rows.
const MIN_LINE_LIMIT: usize = 64 << 10;

/// Bytes before the end of the scan that are compared to see whether the file was replaced.
const MARK_BYTES: u64 = 64;

/// Whether more may be appended to the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    /// dysim is still writing: a last line without line end is not judged yet.
    Growing,
    /// The file is complete: a last line without line end is a row, or cut off.
    Finished,
}

/// How far the scan has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Lines are left to be scanned.
    More,
    /// All complete lines were scanned; a growing file may have more later.
    UpToDate,
    /// The file is no longer the one that was scanned: open it again.
    Replaced,
}

/// Reads an `.ani` table from any `Read + Seek`, holding only a window of the table in memory.
pub struct AniReader<R> {
    pub(super) window: Window<R>,
    pub(super) state: FileState,
    problems: ProblemList,
    pub(super) table: Option<OpenTable>,
    /// Set when the header can not be used, so that it is not read and reported again.
    unusable: bool,
    /// The poses of the row that is judged.
    pub(super) scratch: Vec<Pose>,
}

/// Data known once the header is read.
pub(super) struct OpenTable {
    pub(super) header: AniHeader,
    /// Where the rows start.
    pub(super) offset: u64,
    /// Most bytes in a line.
    pub(super) limit: usize,
    pub(super) index: RowIndex,
    pub(super) scan: Scan,
}

/// Where the scan stands.
pub(super) struct Scan {
    /// Offset and number of the line to be scanned next.
    pub(super) offset: u64,
    line: u64,
    /// The last good row, and the number of its line.
    pub(super) last: Option<IndexEntry>,
    last_line: u64,
    /// The time of the good row before the last one, while no other row followed the last.
    before_last: Option<f64>,
    /// A last line without line end was judged, so nothing may follow any more.
    closed: bool,
    /// The absence of rows was reported.
    told_no_rows: bool,
    /// The bytes just before `offset`.
    mark: Vec<u8>,
}

impl<R: Read + Seek> AniReader<R> {
    /// Reads the header. Only failures of `source` are errors; what is wrong with the text is told
    /// by [`problems`](Self::problems).
    pub fn open(source: R, state: FileState) -> io::Result<Self> {
        let window = Window::new(source)?;
        let mut reader = Self {
            window,
            state,
            problems: ProblemList::default(),
            table: None,
            unusable: false,
            scratch: Vec::new(),
        };
        reader.read_header()?;
        Ok(reader)
    }

    /// The header; `None` while it is still being written, or if it can not be used.
    pub fn header(&self) -> Option<&AniHeader> {
        self.table.as_ref().map(|table| &table.header)
    }

    /// The problems found so far, in about the order of the file; at most 50 errors and 50 warnings.
    pub fn problems(&self) -> &[AniProblem] {
        self.problems.kept()
    }

    /// Numbers of errors and warnings found so far, including the ones that are not kept.
    pub fn problem_counts(&self) -> (u64, u64) {
        self.problems.counts()
    }

    /// Good rows behind the scan; [`row`](Self::row) reads them by number.
    pub fn n_rows(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.index.n_rows())
    }

    /// Bytes scanned and bytes in the file, for a progress bar.
    pub fn scanned_bytes(&self) -> (u64, u64) {
        (self.table.as_ref().map_or(0, |table| table.scan.offset), self.window.end())
    }

    /// Declares a growing file complete: the next scan judges a last line without line end.
    pub fn finish(&mut self) {
        self.state = FileState::Finished;
    }

    /// Looks for bytes appended, then scans about `max_bytes` more (0: only looks). Call it
    /// between frames, or in a loop while it returns [`Progress::More`].
    pub fn scan(&mut self, max_bytes: u64) -> io::Result<Progress> {
        self.window.refresh()?;
        if self.was_replaced()? {
            return Ok(Progress::Replaced);
        }
        self.read_header()?;
        let Some(table) = &self.table else { return Ok(Progress::UpToDate) };
        let stop = table.scan.offset.saturating_add(max_bytes);
        let progress = loop {
            if self.scan_offset() >= stop && self.scan_offset() < self.window.end() {
                break Progress::More;
            }
            if !self.scan_line()? {
                break Progress::UpToDate;
            }
        };
        self.set_mark()?;
        if progress == Progress::UpToDate {
            self.report_no_rows();
        }
        Ok(progress)
    }

    /// Reads the header if that was not possible before.
    fn read_header(&mut self) -> io::Result<()> {
        if self.table.is_some() || self.unusable {
            return Ok(());
        }
        // Kept apart: while the header is incomplete, nothing is said about it.
        let mut problems = ProblemList::default();
        let growing = self.state == FileState::Growing;
        match read_header(&mut self.window, growing, &mut problems)? {
            HeaderOutcome::Waiting => return Ok(()),
            HeaderOutcome::Unusable => self.unusable = true,
            HeaderOutcome::Ready { header, offset, line } => {
                self.table = Some(OpenTable::new(header, offset, line));
                self.set_mark()?;
            }
        }
        problems.sort_by_line();
        self.problems = problems;
        Ok(())
    }

    /// Scans one line; `false` if there is none that is complete.
    fn scan_line(&mut self) -> io::Result<bool> {
        let Some(table) = &mut self.table else { return Ok(false) };
        let scan = &mut table.scan;
        let Some(line) = self.window.line(scan.offset, table.limit)? else { return Ok(false) };
        if !line.terminated && self.state == FileState::Growing {
            return Ok(false);
        }
        let names = &table.header.names;
        match judge(&line, names, &mut self.scratch) {
            RowVerdict::Row(time) => {
                let good = scan.take_row(time, line.text, &mut table.index, &mut self.problems);
                if good && let Some(fault) = check_poses(line.text, names, &self.scratch) {
                    self.problems.warning(scan.line, fault);
                }
            }
            RowVerdict::Bad(fault) => self.problems.error(scan.line, fault),
            RowVerdict::Nothing => {
                if let Some(key) = header_key(line.text) {
                    self.problems.warning(scan.line, late_header(key));
                }
            }
        }
        scan.closed = !line.terminated;
        scan.offset = line.next;
        scan.line += 1;
        Ok(true)
    }

    /// Whether the bytes scanned are gone or others now.
    fn was_replaced(&mut self) -> io::Result<bool> {
        let Some(table) = &self.table else { return Ok(false) };
        let Scan { offset, closed, mark, .. } = &table.scan;
        let end = self.window.end();
        if end < *offset || (*closed && end > *offset) {
            return Ok(true);
        }
        let start = offset.saturating_sub(mark.len() as u64);
        let same = self.window.at(start, mark.len())?.starts_with(mark);
        Ok(!same)
    }

    /// Remembers the bytes before the end of the scan.
    fn set_mark(&mut self) -> io::Result<()> {
        let Some(table) = &mut self.table else { return Ok(()) };
        let length = table.scan.offset.min(MARK_BYTES);
        let wanted = usize::try_from(length).unwrap_or_default();
        let bytes = self.window.at(table.scan.offset - length, wanted)?;
        table.scan.mark = bytes[..wanted.min(bytes.len())].to_vec();
        Ok(())
    }

    /// Tells once that a complete table has nothing to show.
    fn report_no_rows(&mut self) {
        let Some(table) = &mut self.table else { return };
        let growing = self.state == FileState::Growing;
        if growing || table.index.n_rows() > 0 || table.scan.told_no_rows {
            return;
        }
        table.scan.told_no_rows = true;
        let columns = table.header.n_columns();
        let message = format!("the table has no usable row, expected rows of {columns} columns");
        let help = "run the simulation again; its log tells why it stopped".to_owned();
        self.problems.error(table.scan.line, Fault { column: 1, message, help });
    }
}

impl Scan {
    /// Takes the row at the scan into the index if its time is in order; `false` if not.
    ///
    /// Where times fall, one of two rows is wrong. It is the upper one if the lower one fits the row
    /// before both: a single time with a lost decimal point must not hide all rows after it.
    /// `AniReader::next_row` decides the same way.
    fn take_row(
        &mut self,
        time: f64,
        text: &[u8],
        index: &mut RowIndex,
        problems: &mut ProblemList,
    ) -> bool {
        match (self.before_last, self.last) {
            (_, None) => {}
            (_, Some(last)) if last.time <= time => self.before_last = Some(last.time),
            (Some(above), Some(last)) if above <= time => {
                problems.error(self.last_line, runs_ahead(last.time, above, time));
                index.pop();
            }
            (_, Some(last)) => {
                problems.error(self.line, backwards(text, time, last.time));
                self.before_last = None;
                return false;
            }
        }
        let entry = IndexEntry { offset: self.offset, time };
        index.push(entry);
        self.last = Some(entry);
        self.last_line = self.line;
        true
    }
}

impl OpenTable {
    fn new(header: AniHeader, offset: u64, line: u64) -> Self {
        let limit = header.n_columns().saturating_mul(MAX_BYTES_PER_NUMBER);
        let scan = Scan {
            offset,
            line,
            last: None,
            last_line: 0,
            before_last: None,
            closed: false,
            told_no_rows: false,
            mark: Vec::new(),
        };
        let limit = limit.clamp(MIN_LINE_LIMIT, MAX_LINE_BYTES);
        Self { header, offset, limit, index: RowIndex::new(), scan }
    }
}

/// A header line among the rows: two files put together, perhaps.
fn late_header(key: &str) -> Fault {
    Fault {
        column: 1,
        message: format!("`# {key}:` after the first row, expected before it"),
        help: "the line has no effect; split the file if two tables were joined".to_owned(),
    }
}
