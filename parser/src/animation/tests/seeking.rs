//! Rows by time and by number, before and after the scan, in tables of any size.

use super::*;
use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

/// Checks the pair around `time` in a table with rows at 0, 0.5, 1 and so on to `last`.
#[track_caller]
fn assert_around<R: Read + Seek>(reader: &mut AniReader<R>, time: f64, last: f64) {
    let pair = reader.rows_around(time).unwrap().unwrap();
    let before = (time * 2.0).floor().clamp(0.0, last * 2.0) / 2.0;
    let after = if time < 0.0 { 0.0 } else { (before + 0.5).min(last) };
    assert_eq!((pair.before.time, pair.after.time), (before, after), "at {time}");
    assert_eq!(pair.before.poses[0][0][3], before);
    let fraction = if after > before { (time - before) / 0.5 } else { 0.0 };
    assert_eq!(pair.fraction(time), fraction);
}

#[test]
fn hundred_thousand_rows_are_found_by_time_and_number() {
    let all: Vec<f64> = (0..100_000).map(|k| f64::from(k) * 0.5).collect();
    let text = table(&["a"], &all);
    let last = 49_999.5;
    let mut reader = AniReader::open(Cursor::new(text.as_bytes()), FileState::Finished).unwrap();
    let probes = [-1.0, 0.0, 0.25, 0.5, 777.7, 24_999.75, 40_000.0, 49_999.4, last, 1e9];
    // Before any scan, half way, and after it.
    for budget in [0, text.len() as u64 / 2, u64::MAX] {
        reader.scan(budget).unwrap();
        for time in probes {
            assert_around(&mut reader, time, last);
        }
        for k in 0..200 {
            assert_around(&mut reader, f64::from(k) * 251.3 - 2.0, last);
        }
        assert_eq!(reader.first_row().unwrap().unwrap().time, 0.0);
        assert_eq!(reader.last_row().unwrap().unwrap().time, last);
    }
    assert_eq!(reader.problem_counts(), (0, 0));
    assert_eq!(reader.n_rows(), 100_000);
    for number in [0, 1, 2, 65_535, 65_536, 65_537, 99_999] {
        let row = reader.row(number).unwrap().unwrap();
        assert_eq!((row.time, row.number), (number as f64 * 0.5, Some(number)));
    }
    assert_eq!(reader.row(100_000).unwrap(), None);
}

#[test]
fn stepping_goes_through_all_rows_both_ways() {
    let all: Vec<f64> = (0..500).map(|k| f64::from(k) * 0.5).collect();
    let text = table(&["a"], &all).replace("\n100.5 1", "\n100.5 oops");
    for budget in [0, 20_000, u64::MAX] {
        let mut reader =
            AniReader::open(Cursor::new(text.as_bytes()), FileState::Finished).unwrap();
        reader.scan(budget).unwrap();
        let expected: Vec<f64> = all.iter().copied().filter(|&time| time != 100.5).collect();
        let mut forward = vec![];
        let mut row = reader.first_row().unwrap();
        while let Some(here) = row {
            forward.push(here.time);
            row = reader.next_row(&here).unwrap();
        }
        assert_eq!(forward, expected);
        let mut backward = vec![];
        let mut row = reader.last_row().unwrap();
        while let Some(here) = row {
            backward.push(here.time);
            row = reader.previous_row(&here).unwrap();
        }
        backward.reverse();
        assert_eq!(backward, expected);
    }
}

#[test]
fn event_instant_gives_the_row_after_the_event() {
    let mut writer = AniWriter::new(Vec::new(), "m", &["a"]).unwrap();
    for (time, x) in [(0.0, 0.0), (1.0, 1.0), (1.0, 2.0), (2.0, 3.0)] {
        writer.write_row(time, &[pose_at(x)]).unwrap();
    }
    let text = writer.finish().unwrap();
    let mut unscanned = AniReader::open(Cursor::new(&text[..]), FileState::Finished).unwrap();
    for reader in [&mut unscanned, &mut scanned(&text)] {
        let x = |row: &AniRow| row.poses[0][0][3];
        let at = reader.rows_around(1.0).unwrap().unwrap();
        assert_eq!((x(&at.before), x(&at.after)), (2.0, 3.0));
        let before = reader.rows_around(0.5).unwrap().unwrap();
        assert_eq!((x(&before.before), x(&before.after)), (0.0, 1.0));
        assert_eq!(before.fraction(0.5), 0.5);
    }
}

#[test]
fn stretches_of_damage_do_not_hide_the_rows_behind() {
    let good: Vec<f64> = (0..2000).map(|k| f64::from(k) * 0.5).collect();
    let text = table(&["a"], &good);
    let hole = "oops ".repeat(20_000) + "\n" + &"damaged line\n".repeat(20_000);
    let text = text.replace("\n500 1", &format!("\n{hole}500 1"));
    for budget in [0, u64::MAX] {
        let mut reader =
            AniReader::open(Cursor::new(text.as_bytes()), FileState::Finished).unwrap();
        reader.scan(budget).unwrap();
        for time in [0.2, 499.6, 499.5, 500.0, 500.2, 999.5] {
            assert_around(&mut reader, time, 999.5);
        }
    }
}

#[test]
fn nan_time_gives_the_first_row() {
    let text = table(&["a"], &[1.0, 2.0]);
    let mut reader = scanned(text.as_bytes());
    let pair = reader.rows_around(f64::NAN).unwrap().unwrap();
    assert_eq!((pair.before.time, pair.after.time), (1.0, 1.0));
    assert_eq!(pair.fraction(f64::NAN), 0.0);
}

/// A table of rows of equal length that exists only where it is read; counts the bytes read.
struct VirtualFile {
    head: Vec<u8>,
    n_rows: u64,
    position: u64,
    read: Rc<Cell<u64>>,
}

const ROW_BYTES: u64 = 250;

impl VirtualFile {
    fn row(number: u64) -> Vec<u8> {
        // Half a second between the rows.
        let (whole, half) = (number / 2, number % 2 * 5);
        let text = format!("{whole}.{half} 1 0 0 {whole}.{half} 0 1 0 0 0 0 1 0 0 0 0 1");
        format!("{text:<249}\n").into_bytes()
    }

    fn length(&self) -> u64 {
        self.head.len() as u64 + self.n_rows * ROW_BYTES
    }
}

impl Read for VirtualFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let head = self.head.len() as u64;
        if self.position >= self.length() {
            return Ok(0);
        }
        let (bytes, skip) = match self.position.checked_sub(head) {
            None => (self.head.clone(), self.position),
            Some(inside) => (Self::row(inside / ROW_BYTES), inside % ROW_BYTES),
        };
        let rest = &bytes[usize::try_from(skip).unwrap()..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.position += count as u64;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

impl Seek for VirtualFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = match to {
            SeekFrom::Start(offset) => offset,
            SeekFrom::End(by) => self.length().saturating_add_signed(by),
            SeekFrom::Current(by) => self.position.saturating_add_signed(by),
        };
        Ok(self.position)
    }
}

#[test]
fn terabyte_opens_and_seeks_by_reading_a_few_pages() {
    let read = Rc::new(Cell::new(0));
    let head = table(&["a"], &[]).into_bytes();
    let n_rows = 4_000_000_000;
    let file = VirtualFile { head, n_rows, position: 0, read: Rc::clone(&read) };
    let mut reader = AniReader::open(file, FileState::Growing).unwrap();
    let last = reader.last_row().unwrap().unwrap().time;
    assert_eq!(last, (n_rows - 1) as f64 * 0.5);
    assert!(read.get() < 200_000, "{} bytes to open", read.get());
    for time in [0.1, 1234.25, 1e9 + 0.75, last, 2e9] {
        read.set(0);
        assert_around(&mut reader, time, last);
        // About 26 halvings of 64 KiB each.
        assert!(read.get() < 3_000_000, "{} bytes to seek {time}", read.get());
    }
    // Playing on from a place in the middle needs no seeking at all.
    let mut row = reader.rows_around(5e8).unwrap().unwrap().before;
    read.set(0);
    for k in 0..1000 {
        assert_eq!(row.time, 5e8 + f64::from(k) * 0.5);
        row = reader.next_row(&row).unwrap().unwrap();
    }
    assert!(read.get() < 1_000_000, "{} bytes to play", read.get());
    read.set(0);
    for _ in 0..1000 {
        row = reader.previous_row(&row).unwrap().unwrap();
    }
    assert_eq!(row.time, 5e8);
    assert!(read.get() < 1_000_000, "{} bytes to play backwards", read.get());
}

/// Rows, then zeros up to a terabyte: what a file system may leave after a crash.
struct Hole {
    rows: Vec<u8>,
    position: u64,
    read: Rc<Cell<u64>>,
}

impl Read for Hole {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from((1u64 << 40).saturating_sub(self.position)).unwrap();
        let count = buffer.len().min(left);
        for (byte, at) in buffer[..count].iter_mut().zip(self.position..) {
            *byte = usize::try_from(at).ok().and_then(|at| self.rows.get(at)).copied().unwrap_or(0);
        }
        self.position += count as u64;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

impl Seek for Hole {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = match to {
            SeekFrom::Start(offset) => offset,
            SeekFrom::End(by) => (1u64 << 40).saturating_add_signed(by),
            SeekFrom::Current(by) => self.position.saturating_add_signed(by),
        };
        Ok(self.position)
    }
}

#[test]
fn a_hole_of_a_terabyte_is_not_searched_for_rows() {
    let read = Rc::new(Cell::new(0));
    let mut rows = table(&["a"], &[]).into_bytes();
    for number in 0..1000 {
        rows.extend(VirtualFile::row(number));
    }
    let hole = Hole { rows, position: 0, read: Rc::clone(&read) };
    let mut reader = AniReader::open(hole, FileState::Finished).unwrap();
    let pair = reader.rows_around(123.2).unwrap().unwrap();
    assert_eq!((pair.before.time, pair.after.time), (123.0, 123.5));
    // Forty halvings, each of which reads a line's length at most, and some chunks.
    assert!(read.get() < 40 << 20, "{} bytes are read", read.get());
}
