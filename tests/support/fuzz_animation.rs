//! The fuzz target of the `.ani` reader: any bytes are read without a panic, and what is read is consistent.

use std::io::Cursor;

use parser::animation::{AniReader, FileState, Progress};

/// Rows that are looked at one by one.
const LOOKED_AT: u64 = 40;

/// Reads the bytes as a table in all ways that the animator does.
pub fn animation_target(bytes: &[u8]) {
    for state in [FileState::Finished, FileState::Growing] {
        let Ok(mut reader) = AniReader::open(Cursor::new(bytes), state) else { continue };
        // Before the scan, rows are found by search; afterwards by the index.
        let _ = reader.rows_around(0.3);
        while matches!(reader.scan(257), Ok(Progress::More)) {}
        reader.finish();
        for problem in reader.problems() {
            assert!(!problem.to_string().is_empty());
        }
        let bodies = reader.header().map_or(0, |header| header.names.len());
        for number in 0..reader.n_rows().min(LOOKED_AT) {
            let row = reader.row(number).ok().flatten();
            let row = row.unwrap_or_else(|| panic!("row {number} of {}", reader.n_rows()));
            assert_eq!(row.poses.len(), bodies, "one pose per body");
            assert!(row.time.is_finite());
        }
        if let Ok(Some(pair)) = reader.rows_around(0.5) {
            assert!((0.0..=1.0).contains(&pair.fraction(0.5)));
        }
        if let (Ok(Some(first)), Ok(Some(last))) = (reader.first_row(), reader.last_row()) {
            assert!(first.time <= last.time, "rows are in the order of time");
        }
    }
}
