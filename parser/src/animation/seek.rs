//! Finds single rows of a table, by time, by number or beside another row.
//!
//! Two ways lead to a row. Behind the scan, the sparse index gives a start near it. Ahead of the
//! scan, the reader bisects the file by bytes: it jumps to the middle, looks for the next line start
//! and compares the time. So a file of gigabytes can be shown at any time as soon as it is opened.
//! Damaged rows are passed over both ways, and reported by neither: that is the scan's task.

use super::reader::{AniReader, FileState};
use super::row::{RowVerdict, judge};
use super::{AniRow, RowPair};
use std::io::{self, Read, Seek};

/// A bisection ends when so few bytes are left that reading on from there is as fast.
const BISECTION_END: u64 = 16 << 10;

impl<R: Read + Seek> AniReader<R> {
    /// Good row `number`, counted from 0, if the scan has come so far.
    pub fn row(&mut self, number: u64) -> io::Result<Option<AniRow>> {
        let Some(table) = &self.table else { return Ok(None) };
        let Some((first, entry)) = table.index.entry_for_row(number) else { return Ok(None) };
        let mut row = self.good_row_from(entry.offset, None, Some(first))?;
        for _ in first..number {
            let Some(here) = row else { break };
            row = self.next_row(&here)?;
        }
        Ok(row)
    }

    /// The first good row of the table.
    pub fn first_row(&mut self) -> io::Result<Option<AniRow>> {
        let Some(table) = &self.table else { return Ok(None) };
        self.good_row_from(table.offset, None, Some(0))
    }

    /// The last good row of the table.
    pub fn last_row(&mut self) -> io::Result<Option<AniRow>> {
        if self.scanned_all() {
            return self.last_scanned_row();
        }
        let floor = self.scan_offset();
        let scanned = self.table.as_ref().and_then(|table| table.scan.last);
        let mut offset = self.window.end();
        while let Some(row) = self.good_row_before(offset, floor, f64::INFINITY)? {
            // The scan will pass over rows that go back.
            if scanned.is_none_or(|last| last.time <= row.time) {
                return Ok(Some(row));
            }
            offset = row.offset;
        }
        self.last_scanned_row()
    }

    /// The good row after `row`.
    pub fn next_row(&mut self, row: &AniRow) -> io::Result<Option<AniRow>> {
        self.good_row_from(row.next, Some(row.time), row.number.map(|number| number + 1))
    }

    /// The good row before `row`.
    pub fn previous_row(&mut self, row: &AniRow) -> io::Result<Option<AniRow>> {
        // Behind the scan, the index knows.
        if let Some(number) = row.number {
            return number.checked_sub(1).map_or(Ok(None), |before| self.row(before));
        }
        let floor = self.scan_offset();
        match self.good_row_before(row.offset, floor, row.time)? {
            Some(row) => Ok(Some(row)),
            None => self.last_scanned_row(),
        }
    }

    /// The two rows around `time` (seconds), wherever in the file. `None` if there is no good row.
    pub fn rows_around(&mut self, time: f64) -> io::Result<Option<RowPair>> {
        let Some(start) = self.row_not_after(time)? else { return Ok(None) };
        // A last row at or before `time`: at an event, the row after it.
        let mut before = start;
        loop {
            match self.next_row(&before)? {
                Some(after) if after.time <= time => before = after,
                // Before the first row of the table, there is only that row.
                Some(after) if before.time <= time => {
                    return Ok(Some(RowPair { before, after }));
                }
                _ => return Ok(Some(RowPair { after: before.clone(), before })),
            }
        }
    }

    /// A good row not later than `time` and near it; the first row if all are later.
    fn row_not_after(&mut self, time: f64) -> io::Result<Option<AniRow>> {
        let Some(table) = &self.table else { return Ok(None) };
        let all = self.scanned_all();
        match table.scan.last {
            // Ahead of the scan.
            Some(last) if !all && last.time <= time => {
                let row = self.last_scanned_row()?;
                row.map(|row| self.bisect(row, time)).transpose()
            }
            None if !all => {
                let row = self.first_row()?;
                row.map(|row| self.bisect(row, time)).transpose()
            }
            // Behind it.
            _ => match table.index.entry_for_time(time) {
                Some((number, entry)) => self.good_row_from(entry.offset, None, Some(number)),
                None => self.first_row(),
            },
        }
    }

    /// Moves from `low` towards the last row not later than `time`, by halving the bytes between.
    fn bisect(&mut self, mut low: AniRow, time: f64) -> io::Result<AniRow> {
        // All rows that start at `high` or later are later than `time`, or behind something that is no row.
        let mut high = self.window.end();
        let longest = self.table.as_ref().map_or(0, |table| table.limit) as u64;
        while high.saturating_sub(low.next) > BISECTION_END {
            let middle = low.next + (high - low.next) / 2;
            // No row is longer; a file that a crash has left may have a hole of gigabytes without a line feed.
            let stop = high.min(middle + longest + 1);
            let start = self.window.next_line_start(middle, stop)?;
            let found = match start {
                Some(start) if start < high => self.good_row_between(start, high)?,
                _ => None,
            };
            match found {
                Some(row) if row.time <= time => low = row,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    /// The first row with all its numbers that starts at `offset` or later and before `stop`.
    fn good_row_between(&mut self, mut offset: u64, stop: u64) -> io::Result<Option<AniRow>> {
        while offset < stop {
            match self.read_line(offset)? {
                (_, Some(row)) => return Ok(Some(row)),
                (Some(next), None) => offset = next,
                (None, None) => break,
            }
        }
        Ok(None)
    }

    /// The first good row at `offset` or later, after a row at `last_time`. It has `number`, if it is
    /// behind the scan.
    fn good_row_from(
        &mut self,
        offset: u64,
        last_time: Option<f64>,
        number: Option<u64>,
    ) -> io::Result<Option<AniRow>> {
        let scanned = self.scan_offset();
        let end = self.window.end();
        let mut found = self.good_row_between(offset, end)?;
        while let (Some(row), Some(last)) = (&found, last_time) {
            // Passed over, as by the scan: rows that go back, and rows that alone run ahead.
            let following = self.good_row_between(row.next, end)?;
            let runs_ahead =
                following.as_ref().is_some_and(|next| last <= next.time && next.time < row.time);
            if last <= row.time && !runs_ahead {
                break;
            }
            found = following;
        }
        Ok(found.map(|row| AniRow { number: number.filter(|_| row.offset < scanned), ..row }))
    }

    /// The last good row that ends at `offset` or earlier, starts at `floor` or later, and is not
    /// later than `time`.
    fn good_row_before(
        &mut self,
        mut offset: u64,
        floor: u64,
        time: f64,
    ) -> io::Result<Option<AniRow>> {
        while let Some(start) = self.window.line_start_before(offset, floor)? {
            match self.read_line(start)? {
                (_, Some(row)) if row.time <= time => return Ok(Some(row)),
                _ => offset = start,
            }
        }
        Ok(None)
    }

    /// The line at `offset`: where the next line starts, and the row, if it is a good one.
    fn read_line(&mut self, offset: u64) -> io::Result<(Option<u64>, Option<AniRow>)> {
        let Some(table) = &self.table else { return Ok((None, None)) };
        let Some(line) = self.window.line(offset, table.limit)? else { return Ok((None, None)) };
        if !line.terminated && self.state == FileState::Growing {
            return Ok((None, None));
        }
        let next = line.next;
        match judge(&line, &table.header.names, &mut self.scratch) {
            RowVerdict::Row(time) => {
                let poses = self.scratch.clone();
                Ok((Some(next), Some(AniRow { time, poses, number: None, offset, next })))
            }
            RowVerdict::Nothing | RowVerdict::Bad(_) => Ok((Some(next), None)),
        }
    }

    /// The last row behind the scan.
    fn last_scanned_row(&mut self) -> io::Result<Option<AniRow>> {
        let Some(table) = &self.table else { return Ok(None) };
        let Some(last) = table.scan.last else { return Ok(None) };
        let number = table.index.n_rows().checked_sub(1);
        self.good_row_from(last.offset, None, number)
    }

    /// Where the scan goes on.
    pub(super) fn scan_offset(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.scan.offset)
    }

    /// Whether nothing lies ahead of the scan.
    fn scanned_all(&self) -> bool {
        self.scan_offset() >= self.window.end()
    }
}
