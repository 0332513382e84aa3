//! Tables of numbers: `.csv`, and columns separated by blanks with `#` comments.
//!
//! Files may be larger than memory, so the names are read first and then only the columns that are wanted. Rows are
//! read with the crate `csv`; two of 400 columns take a fifth less time than with lines that are split here.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::Path;

use csv::{ByteRecord, Reader, ReaderBuilder, Terminator};

/// No row of a table is longer; what has longer rows is no table.
const LONGEST_ROW: u64 = 1 << 26;
/// Bytes that are read at a time.
const BUFFER: usize = 1 << 18;

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
        /// The text of the cell.
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
    /// A reader of rows.
    fn reader<R: Read>(self, input: R) -> Reader<R> {
        let (delimiter, quoting) = match self {
            Self::Byte(byte) => (byte, true),
            Self::Blanks => (b' ', false),
        };
        // Only with a line end of one byte does `csv` count lines as editors do.
        ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .quoting(quoting)
            .comment(Some(b'#'))
            .terminator(Terminator::Any(b'\n'))
            .buffer_capacity(BUFFER)
            .from_reader(input)
    }

    /// The cells of a row. Several blanks separate like one.
    fn cells(self, row: &ByteRecord) -> impl Iterator<Item = &[u8]> {
        let words = move |field| -> Words<'_> {
            match self {
                Self::Byte(_) => Words::One(Some(trimmed(field))),
                Self::Blanks => Words::Many(field),
            }
        };
        row.iter().flat_map(words)
    }

    /// Whether the row has only blanks, or a comment behind blanks.
    fn is_void(self, row: &ByteRecord) -> bool {
        let visible = matches!(self, Self::Byte(b',' | b';'));
        let mut fields = row.iter().map(<[u8]>::trim_ascii);
        match fields.find(|field| visible || !field.is_empty()) {
            None => true,
            Some(first) => first.starts_with(b"#") || (first.is_empty() && row.len() == 1),
        }
    }

    /// The cells of one line, as text.
    fn texts(self, line: &str) -> Vec<String> {
        let mut row = ByteRecord::new();
        // Reading from memory does not fail.
        let _ = self.reader(line.as_bytes()).read_byte_record(&mut row);
        self.cells(&row).map(|cell| String::from_utf8_lossy(cell).into_owned()).collect()
    }
}

/// The cells of a field: itself, or the words in it.
enum Words<'r> {
    One(Option<&'r [u8]>),
    Many(&'r [u8]),
}

impl<'r> Iterator for Words<'r> {
    type Item = &'r [u8];

    fn next(&mut self) -> Option<&'r [u8]> {
        match self {
            Self::One(cell) => cell.take(),
            Self::Many(rest) => {
                let text = rest.trim_ascii_start();
                let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
                let (word, after) = text.split_at(end);
                *rest = after;
                (!word.is_empty()).then_some(word)
            }
        }
    }
}

/// Without blanks and the quotation marks that stand behind a blank.
fn trimmed(field: &[u8]) -> &[u8] {
    let mut cell = field.trim_ascii();
    while let [b'"', inner @ ..] | [inner @ .., b'"'] = cell {
        cell = inner;
    }
    cell
}

/// The lines above the rows.
struct Lines {
    reader: BufReader<File>,
    line: Vec<u8>,
    number: u64,
}

impl Lines {
    /// The next line that is not empty.
    fn next(&mut self) -> Result<Option<String>, TableError> {
        loop {
            self.line.clear();
            self.number += 1;
            let mut limited = self.reader.by_ref().take(LONGEST_ROW);
            let read = limited.read_until(b'\n', &mut self.line)?;
            if read == 0 {
                return Ok(None);
            }
            if read as u64 == LONGEST_ROW {
                return Err(TableError::TooLong { line: self.number });
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(Some(String::from_utf8_lossy(&self.line).into_owned()));
            }
        }
    }
}

/// An input with a limit for the length of each row.
struct Guarded<R> {
    input: R,
    /// Bytes that may still be read before a row must have ended.
    left: u64,
    /// The end of the input has been reached.
    at_end: bool,
    /// The last byte that was read is the end of a line.
    ended: bool,
}

impl<R: Read> Read for Guarded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if room == 0 {
            return Err(io::Error::other("a row without end"));
        }
        let read = self.input.read(&mut buffer[..room])?;
        self.left -= read as u64;
        self.at_end = read == 0;
        if let Some(&last) = buffer[..read].last() {
            self.ended = last == b'\n';
        }
        Ok(read)
    }
}

/// A table whose names are known and whose rows are still to be read.
pub struct TableFile {
    /// The first row, if it was needed to find the names, and the rest of the file.
    input: Chain<Cursor<Vec<u8>>, BufReader<File>>,
    /// Lines above that.
    above: u64,
    separator: Separator,
    names: Vec<String>,
    /// A file that is still written may end within a row.
    growing: bool,
}

/// The columns that were asked for.
#[derive(Debug)]
pub struct Table {
    /// One vector per column, all of one length.
    pub columns: Vec<Vec<f64>>,
    /// The last row was left out because it is not complete.
    pub torn: bool,
}

impl TableFile {
    /// Opens a table and reads the names of its columns. They stand in the first line of a `.csv` file and in the
    /// last comment above the numbers elsewhere.
    ///
    /// # Errors
    /// If the file cannot be read or holds no table.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let reader = BufReader::with_capacity(BUFFER, File::open(path)?);
        let growing = path.extension().is_some_and(|extension| extension == "part");
        let mut lines = Lines { reader, line: Vec::new(), number: 0 };
        let mut comments: Vec<String> = Vec::new();
        let first = loop {
            match lines.next()? {
                None if comments.is_empty() => return Err(TableError::Empty),
                None => return Err(TableError::NoRows),
                Some(line) if line.trim_start().starts_with('#') => {
                    comments.push(line.trim_start().trim_start_matches('#').trim().to_string());
                }
                Some(line) => break line.trim_start_matches('\u{feff}').to_string(),
            }
        };
        let has = |byte: u8| first.trim().as_bytes().contains(&byte);
        let separator = [b',', b';', b'\t'].into_iter().find(|&byte| has(byte));
        let separator = separator.map_or(Separator::Blanks, Separator::Byte);
        let cells = separator.texts(&first);
        let is_header = !cells.iter().all(|cell| number(cell.as_bytes()).is_some());
        let (names, row, above) = if is_header {
            (cells, Vec::new(), lines.number)
        } else {
            let mut named = comments.iter().rev().map(|line| separator.texts(line));
            let named = named.find(|names| names.len() == cells.len());
            let numbers = || (1..=cells.len()).map(|column| column.to_string()).collect();
            (named.unwrap_or_else(numbers), first.into_bytes(), lines.number - 1)
        };
        let input = Cursor::new(row).chain(lines.reader);
        Ok(Self { input, above, separator, names, growing })
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
    pub fn read(self, wanted: &[usize]) -> Result<Table, TableError> {
        let Self { input, above, separator, names, growing } = self;
        let mut table = Table { columns: vec![Vec::new(); wanted.len()], torn: false };
        let mut values = vec![f64::NAN; names.len()];
        let mut is_wanted = vec![false; names.len()];
        for &column in wanted {
            is_wanted[column] = true;
        }
        let input = Guarded { input, left: LONGEST_ROW, at_end: false, ended: true };
        let mut reader = separator.reader(input);
        let mut row = ByteRecord::new();
        loop {
            let start = reader.position().line();
            match reader.read_byte_record(&mut row) {
                Ok(true) => {}
                Ok(false) => break,
                Err(_) if reader.get_ref().left == 0 => {
                    return Err(TableError::TooLong { line: above + start });
                }
                Err(error) => return Err(TableError::Io(error.into())),
            }
            reader.get_mut().left = LONGEST_ROW;
            if separator.is_void(&row) {
                continue;
            }
            // The last row may lack its end.
            let cut = reader.get_ref().at_end && !reader.get_ref().ended;
            let filled = fill(separator.cells(&row), &names, &is_wanted, &mut values);
            if cut && (growing || filled.is_err()) {
                table.torn = true;
                break;
            }
            filled.map_err(|mistake| {
                // Behind a row that ends with its line the count is that of the next one; a cell in
                // quotation marks may have many lines.
                let inside = row.as_slice().iter().filter(|&&byte| byte == b'\n').count() as u64;
                let behind = u64::from(!reader.get_ref().at_end) + inside;
                let line = (above + reader.position().line()).saturating_sub(behind);
                mistake.at(line, &names)
            })?;
            for (column, &source) in table.columns.iter_mut().zip(wanted) {
                column.push(values[source]);
            }
        }
        match table.columns.first() {
            Some(column) if column.is_empty() => Err(TableError::NoRows),
            _ => Ok(table),
        }
    }
}

/// A mistake in a row.
enum Mistake {
    /// No number in a column.
    NotANumber(usize, String),
    /// So many cells.
    Width(usize),
}

impl Mistake {
    fn at(self, line: u64, names: &[String]) -> TableError {
        match self {
            Self::NotANumber(column, text) => {
                TableError::NotANumber { line, column: names[column].clone(), text }
            }
            Self::Width(found) => TableError::Width { line, found, expected: names.len() },
        }
    }
}

/// Reads the wanted cells of a row.
fn fill<'r>(
    cells: impl Iterator<Item = &'r [u8]>,
    names: &[String],
    wanted: &[bool],
    values: &mut [f64],
) -> Result<(), Mistake> {
    let mut found = 0;
    for cell in cells {
        if wanted.get(found) == Some(&true) {
            values[found] = number(cell).ok_or_else(|| {
                let line = String::from_utf8_lossy(cell).lines().next().unwrap_or("").to_string();
                Mistake::NotANumber(found, line.chars().take(30).collect())
            })?;
        }
        found += 1;
    }
    if found == names.len() { Ok(()) } else { Err(Mistake::Width(found)) }
}

/// A number, or NaN for an empty cell.
fn number(cell: &[u8]) -> Option<f64> {
    if cell.is_empty() { Some(f64::NAN) } else { std::str::from_utf8(cell).ok()?.parse().ok() }
}
