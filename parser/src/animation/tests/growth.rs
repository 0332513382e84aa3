//! A table that dysim is still writing.

use super::*;
use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

/// A file of which two sides hold a handle.
#[derive(Clone, Default)]
struct SharedFile {
    bytes: Rc<RefCell<Vec<u8>>>,
    position: u64,
}

impl SharedFile {
    fn append(&self, text: &[u8]) {
        self.bytes.borrow_mut().extend_from_slice(text);
    }
}

impl Read for SharedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.bytes.borrow();
        let mut cursor = Cursor::new(&bytes[..]);
        cursor.set_position(self.position);
        let read = cursor.read(buffer)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let bytes = self.bytes.borrow();
        let mut cursor = Cursor::new(&bytes[..]);
        cursor.set_position(self.position);
        self.position = cursor.seek(to)?;
        Ok(self.position)
    }
}

#[test]
fn growing_file_is_followed_byte_by_byte_without_complaint() {
    let text = table(&["a", "b"], &[0.0, 0.25, 0.5, 0.5, 1.0]);
    let file = SharedFile::default();
    let mut reader = AniReader::open(file.clone(), FileState::Growing).unwrap();
    for (k, byte) in text.bytes().enumerate() {
        assert_eq!(reader.scan(u64::MAX).unwrap(), Progress::UpToDate);
        assert_eq!(reader.problem_counts(), (0, 0));
        let written = &text[..k];
        let complete = written.lines().filter(|line| !line.starts_with('#')).count()
            - usize::from(
                !written.is_empty() && !written.ends_with('\n') && reader.header().is_some(),
            );
        if reader.header().is_some() {
            assert_eq!(reader.n_rows(), complete as u64);
            assert_eq!(reader.last_row().unwrap().unwrap().number, Some(complete as u64 - 1));
        }
        file.append(&[byte]);
    }
    reader.finish();
    assert_eq!(reader.scan(u64::MAX).unwrap(), Progress::UpToDate);
    assert_eq!(times(&mut reader), [0.0, 0.25, 0.5, 0.5, 1.0]);
    assert_eq!(reader.problem_counts(), (0, 0));
}

#[test]
fn finishing_judges_the_incomplete_row() {
    let text = table(&["a"], &[0.0, 1.0]);
    let file = SharedFile::default();
    file.append(&text.as_bytes()[..text.len() - 5]);
    let mut reader = AniReader::open(file.clone(), FileState::Growing).unwrap();
    reader.scan(u64::MAX).unwrap();
    assert_eq!(reader.problem_counts(), (0, 0));
    reader.finish();
    reader.scan(u64::MAX).unwrap();
    assert_eq!(reader.problem_counts(), (1, 0));
    assert_eq!(times(&mut reader), [0.0]);
    // It was not finished after all.
    file.append(&text.as_bytes()[text.len() - 5..]);
    assert_eq!(reader.scan(0).unwrap(), Progress::Replaced);
}

#[test]
fn finishing_an_empty_file_reports_it() {
    let mut reader = AniReader::open(SharedFile::default(), FileState::Growing).unwrap();
    reader.scan(1).unwrap();
    assert_eq!(reader.problem_counts(), (0, 0));
    reader.finish();
    reader.scan(1).unwrap();
    assert!(reader.problems()[0].message.contains("empty"));
}

#[test]
fn file_written_anew_is_noticed() {
    let file = SharedFile::default();
    file.append(table(&["a"], &[0.0, 1.0, 2.0]).as_bytes());
    let mut reader = AniReader::open(file.clone(), FileState::Growing).unwrap();
    assert_eq!(reader.scan(u64::MAX).unwrap(), Progress::UpToDate);
    // Shorter than before, then longer but different.
    *file.bytes.borrow_mut() = table(&["a"], &[0.0]).into_bytes();
    assert_eq!(reader.scan(0).unwrap(), Progress::Replaced);
    assert!(reader.rows_around(1.5).is_ok());
    *file.bytes.borrow_mut() = table(&["a"], &[0.0, 0.125, 0.25, 0.375, 0.5]).into_bytes();
    assert_eq!(reader.scan(0).unwrap(), Progress::Replaced);
    assert!(reader.rows_around(1.5).is_ok());
}

proptest! {
    #[test]
    fn growth_in_any_portions_gives_the_same_rows(
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..10),
        budget in 0_u64..400,
    ) {
        // A bad row among them, so that line numbers are compared, too.
        let mut text = table(&["a"], &[0.0, 1.0, 2.0, 3.0]);
        text.push_str("4 oops\n");
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len())).collect();
        cuts.sort_unstable();
        cuts.push(text.len());
        let file = SharedFile::default();
        let mut reader = AniReader::open(file.clone(), FileState::Growing).unwrap();
        let mut from = 0;
        for cut in cuts {
            file.append(&text.as_bytes()[from..cut]);
            from = cut;
            prop_assert_ne!(reader.scan(budget).unwrap(), Progress::Replaced);
        }
        while reader.scan(50).unwrap() == Progress::More {}
        prop_assert_eq!(times(&mut reader), [0.0, 1.0, 2.0, 3.0]);
        prop_assert_eq!(reader.problem_counts(), (1, 0));
        prop_assert_eq!(reader.problems()[0].line, 10);
    }
}
