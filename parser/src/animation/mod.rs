//! The `.ani` table, through which dysim hands body poses to the animator: writer and reader side by side.
//!
//! ```text
//! # DySimAniFileVersion: 0.5
//! # ModelName: crank_slider
//! # NumberOfBodies: 2
//! # NamesOfBodies: crank slider
//! 0 1 0 0 0.25  0 1 0 0  0 0 1 0  0 0 0 1  ...
//! ```
//!
//! Each row holds the time and, for each body, its 4x4 pose row by row. Blanks or tabs separate the
//! numbers, lines starting with `#` are comments, a byte order mark and CRLF are accepted.
//!
//! ```
//! use parser::animation::{AniReader, AniWriter, FileState, Progress};
//!
//! let pose = |x| [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
//! let mut writer = AniWriter::new(Vec::new(), "crank_slider", &["slider"])?;
//! writer.write_row(0.0, &[pose(0.0)])?;
//! writer.write_row(0.5, &[pose(2.0)])?;
//! let file = std::io::Cursor::new(writer.finish()?);
//!
//! let mut reader = AniReader::open(file, FileState::Finished)?;
//! let pair = reader.rows_around(0.25)?.ok_or("no rows")?;
//! assert_eq!(pair.fraction(0.25), 0.5);
//! // Between frames, in portions: judge all lines and number the rows.
//! while reader.scan(1 << 20)? == Progress::More {}
//! assert_eq!((reader.n_rows(), reader.problems().len()), (2, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There is no file access here: the writer gets any [`std::io::Write`], the reader any
//! `Read + Seek`, which may be far larger than memory and may still be growing.

mod header;
mod index;
mod problem;
mod reader;
mod row;
mod seek;
mod window;
mod writer;

#[cfg(test)]
mod tests;

pub use problem::{AniProblem, Severity};
pub use reader::{AniReader, FileState, Progress};
pub use writer::AniWriter;

/// The version this module writes and fully understands.
pub const ANI_VERSION: &str = "0.5";

/// More bodies than this are taken for a damaged header; the bound keeps one row well below the
/// memory the animator may use (a row of 100,000 bodies has at most about 40 MB of text).
pub const MAX_BODIES: usize = 100_000;

/// Numbers of one body in a row: the 4x4 pose.
const NUMBERS_PER_BODY: usize = 16;

/// No header and no row may take more bytes than this, so that a file without line ends can not
/// fill the memory.
const MAX_LINE_BYTES: usize = 64 << 20;

/// A homogeneous pose, `pose[row][column]`: rotation in the upper left 3x3, position (metres) in
/// the last column, last row 0 0 0 1. It maps body coordinates to world coordinates.
pub type Pose = [[f64; 4]; 4];

/// Contents of the head of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AniHeader {
    /// The version as written, empty if the file has none.
    pub version: String,
    /// The name of the model that made the data, empty if the file has none.
    pub model_name: String,
    /// The bodies in the order of the columns. A body whose name the file does not tell is called
    /// `#1`, `#2` and so on by its place, which no name in a model can equal.
    pub names: Vec<String>,
}

impl AniHeader {
    /// Numbers in each row: the time and one pose per body.
    pub fn n_columns(&self) -> usize {
        columns_for(self.names.len())
    }
}

/// One row: where all bodies are at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct AniRow {
    /// Time in seconds.
    pub time: f64,
    /// One pose per body, in the order of [`AniHeader::names`].
    pub poses: Vec<Pose>,
    /// Place among the good rows, from 0; `None` while the scan has not come this far.
    pub number: Option<u64>,
    /// Where the line of this row starts in the file, and where the next one does.
    offset: u64,
    next: u64,
}

/// The two rows on both sides of a time; the same row twice at and beyond the ends of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct RowPair {
    /// The last row not later than the time asked for (the first row if there is none).
    pub before: AniRow,
    /// The row that follows (the last row if there is none).
    pub after: AniRow,
}

impl RowPair {
    /// Where `time` lies between the two rows: 0 at `before`, 1 at `after`, never outside.
    pub fn fraction(&self, time: f64) -> f64 {
        // Halved first, since the difference of two finite times may overflow.
        let span = self.after.time / 2.0 - self.before.time / 2.0;
        let fraction = (time / 2.0 - self.before.time / 2.0) / span;
        // Also catches 0/0, when both are the same row.
        if span > 0.0 && fraction > 0.0 { fraction.min(1.0) } else { 0.0 }
    }
}

/// Numbers in a row with `n_bodies` bodies.
pub fn columns_for(n_bodies: usize) -> usize {
    1 + NUMBERS_PER_BODY * n_bodies
}
