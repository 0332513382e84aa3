//! Tables of numbers: `.csv`, and columns separated by blanks with `#` comments.
//!
//! Files may be larger than memory, so the names are read first and then only the columns that are wanted.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// No line of a table is longer; what has longer lines is no table.
const LONGEST_LINE: u64 = 1 << 26;

/// Why a table cannot be read.
#[derive(Debug)]
pub enum TableError {
    /// The file.
    Io(io::Error),
    /// There is nothing in it.
    Empty,
    /// There is a header but no row.
    NoRows,
    /// A cell of a wanted column is no number.
    NotANumber {
        /// Counted from 1.
        line: u64,
        /// The name of the column.
        column: String,
        /// What stands there.
        text: String,
    },
    /// A row has more or fewer cells than the header.
    Width {
        /// Counted from 1.
        line: u64,
        /// Cells of the row.
        found: usize,
        /// Cells of the header.
        expected: usize,
    },
    /// A line without end.
    TooLong {
        /// Counted from 1.
        line: u64,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Empty => f.write_str("the file is empty"),
            Self::NoRows => f.write_str("there are no rows below the names of the columns"),
            Self::NotANumber { line, column, text } => {
                write!(f, "line {line}, column `{column}`: `{text}` is not a number")
            }
            Self::Width { line, found, expected } => {
                write!(
                    f,
                    "line {line} has {found} columns, expected {expected} as in the first line"
                )
            }
            Self::TooLong { line } => write!(f, "line {line} has no end: this is not a table"),
        }
    }
}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// How cells are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    /// One character.
    Byte(u8),
    /// Any number of blanks and tabs.
    Blanks,
}

impl Separator {
    /// The cells of a line. Between quotation marks a separator is a character like others.
    fn cells(self, line: &str) -> impl Iterator<Item = &str> {
        let (mut by_byte, mut by_mark, mut by_blanks) = (None, None, None);
        match self {
            Self::Byte(byte) if line.contains('"') => {
                let mut quoted = false;
                by_mark = Some(line.split(move |c: char| {
                    quoted ^= c == '"';
                    c == char::from(byte) && !quoted
                }));
            }
            Self::Byte(byte) => by_byte = Some(line.split(char::from(byte))),
            Self::Blanks => by_blanks = Some(line.split_ascii_whitespace()),
        }
        let cells = by_byte.into_iter().flatten().chain(by_blanks.into_iter().flatten());
        let cells = cells.chain(by_mark.into_iter().flatten());
        cells.map(|cell| cell.trim().trim_matches('"'))
    }
}

/// Lines with their numbers, without comments and empty ones.
struct Lines {
    reader: BufReader<File>,
    line: Vec<u8>,
    number: u64,
    /// Did the last line end as lines do?
    ended: bool,
}

impl Lines {
    /// The next line that is not empty.
    fn next(&mut self) -> Result<Option<&str>, TableError> {
        loop {
            self.line.clear();
            self.number += 1;
            let mut limited = self.reader.by_ref().take(LONGEST_LINE);
            if limited.read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            self.ended = self.line.last() == Some(&b'\n');
            if !self.ended && self.line.len() as u64 == LONGEST_LINE {
                return Err(TableError::TooLong { line: self.number });
            }
            if !self.line.trim_ascii().is_empty() {
                break;
            }
        }
        let text = self.line.trim_ascii();
        Ok(Some(std::str::from_utf8(text).unwrap_or("(bytes that are no text)")))
    }
}

/// A table whose names are known and whose rows are still to be read.
pub struct TableFile {
    lines: Lines,
    separator: Separator,
    names: Vec<String>,
    /// The first row, which was needed to find the names.
    first: Option<String>,
    /// A file that is still written may end within a row.
    growing: bool,
}

/// The columns that were asked for.
#[derive(Debug)]
pub struct Table {
    /// One vector per column, all of one length.
    pub columns: Vec<Vec<f64>>,
    /// Was the last row left out because it is not complete?
    pub torn: bool,
}

impl TableFile {
    /// Opens a table and reads the names of its columns.
    ///
    /// # Errors
    /// If the file cannot be read or holds no table.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let reader = BufReader::with_capacity(1 << 18, File::open(path)?);
        let lines = Lines { reader, line: Vec::new(), number: 0, ended: true };
        let growing = path.extension().is_some_and(|extension| extension == "part");
        let (separator, names, first) = (Separator::Blanks, Vec::new(), None);
        let mut table = Self { lines, separator, names, first, growing };
        table.read_names()?;
        Ok(table)
    }

    /// Names stand in the first line of a `.csv` file and in the last comment above the numbers elsewhere.
    fn read_names(&mut self) -> Result<(), TableError> {
        let mut comments: Vec<String> = Vec::new();
        let first = loop {
            match self.lines.next()? {
                None if comments.is_empty() => return Err(TableError::Empty),
                None => return Err(TableError::NoRows),
                Some(line) if line.starts_with('#') => {
                    comments.push(line.trim_start_matches('#').trim().to_string());
                }
                Some(line) => break line.trim_start_matches('\u{feff}').to_string(),
            }
        };
        let has = |byte: u8| first.as_bytes().contains(&byte);
        let separator = [b',', b';', b'\t'].into_iter().find(|&byte| has(byte));
        self.separator = separator.map_or(Separator::Blanks, Separator::Byte);
        let cells: Vec<&str> = self.separator.cells(&first).collect();
        if !cells.iter().all(|cell| number(cell).is_some()) {
            self.names = cells.into_iter().map(str::to_string).collect();
            return Ok(());
        }
        let split = |line: &String| -> Vec<String> {
            self.separator.cells(line).map(str::to_string).collect()
        };
        let named = comments.iter().rev().map(split).find(|names| names.len() == cells.len());
        self.names =
            named.unwrap_or_else(|| (1..=cells.len()).map(|column| column.to_string()).collect());
        self.first = Some(first);
        Ok(())
    }

    /// The names of the columns; their numbers, from 1, if the file has none.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Reads these columns to the end of the file.
    ///
    /// # Errors
    /// If a row does not have as many cells as the header or a wanted cell is no number. An empty cell is one that
    /// has no value (NaN).
    pub fn read(mut self, wanted: &[usize]) -> Result<Table, TableError> {
        let mut table = Table { columns: vec![Vec::new(); wanted.len()], torn: false };
        let mut row = vec![f64::NAN; self.names.len()];
        let mut is_wanted = vec![false; self.names.len()];
        for &column in wanted {
            is_wanted[column] = true;
        }
        if let Some(first) = self.first.take() {
            self.fill(&first, &is_wanted, &mut row)?;
            push(&mut table, wanted, &row);
        }
        while let Some(line) = self.lines.next()? {
            if line.starts_with('#') {
                continue;
            }
            let line = line.to_string();
            let filled = self.fill(&line, &is_wanted, &mut row);
            if !self.lines.ended && (self.growing || filled.is_err()) {
                table.torn = true;
                break;
            }
            filled?;
            push(&mut table, wanted, &row);
        }
        match table.columns.first() {
            Some(column) if column.is_empty() => Err(TableError::NoRows),
            _ => Ok(table),
        }
    }

    /// Reads the wanted cells of a line.
    fn fill(&self, line: &str, wanted: &[bool], row: &mut [f64]) -> Result<(), TableError> {
        let (line_number, expected) = (self.lines.number, self.names.len());
        let mut found = 0;
        for cell in self.separator.cells(line) {
            if wanted.get(found) == Some(&true) {
                row[found] = number(cell).ok_or_else(|| TableError::NotANumber {
                    line: line_number,
                    column: self.names[found].clone(),
                    text: cell.chars().take(30).collect(),
                })?;
            }
            found += 1;
        }
        match found == expected {
            true => Ok(()),
            false => Err(TableError::Width { line: line_number, found, expected }),
        }
    }
}

fn push(table: &mut Table, wanted: &[usize], row: &[f64]) {
    for (column, &source) in table.columns.iter_mut().zip(wanted) {
        column.push(row[source]);
    }
}

/// A number, or NaN for an empty cell.
fn number(cell: &str) -> Option<f64> {
    if cell.is_empty() { Some(f64::NAN) } else { cell.parse().ok() }
}
