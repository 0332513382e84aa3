//! The table that Input blocks follow: a column of times `t`, and a column for each input.
//!
//! The crate `csv` reads rows and cells. A message points at the cell, so the place of a cell in the text is searched in
//! the line where the row ends.

use std::sync::Arc;

use csv::{ByteRecord, ReaderBuilder, Terminator};
use parser::diagnostic::{Diagnostic, Diagnostics};
use parser::digits::push_seventeen;
use parser::source::{Source, Span};

use crate::codes;
use crate::element::written;

/// Advice about the first line.
const HEADER_HELP: &str = "the first line names the columns: `t` for the times in s, then the Input blocks, such as `t,u`";

/// A table of values over time that Input blocks follow, as a text: a column `t`, and a column for each input.
///
/// Between two rows a value changes linearly, or stays if the block says `Interpolation = hold`; two rows with the same
/// time are a jump. Before the first row the first value holds, behind the last row the last one. What is wrong
/// with a table is told when a model takes it.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Shown in messages.
    pub(crate) name: String,
    pub(crate) bytes: Arc<[u8]>,
}

impl Inputs {
    /// The table of a text as a `.csv` file has it; `name` stands in messages.
    pub fn from_text(name: &str, text: &str) -> Self {
        Self { name: name.into(), bytes: text.as_bytes().into() }
    }

    /// A table of columns: the times in s, and the values of each input at these times.
    pub fn from_columns(times: &[f64], columns: &[(&str, &[f64])]) -> Self {
        let mut text = b"t".to_vec();
        for (name, _) in columns {
            text.push(b',');
            text.extend_from_slice(name.as_bytes());
        }
        for (row, &t) in times.iter().enumerate() {
            text.push(b'\n');
            push_number(&mut text, Some(t));
            for (_, values) in columns {
                text.push(b',');
                push_number(&mut text, values.get(row).copied());
            }
        }
        Self { name: "<inputs>".into(), bytes: text.into() }
    }
}

/// Seventeen digits give the same number back. A cell without a finite number is found when the text is read.
fn push_number(text: &mut Vec<u8>, number: Option<f64>) {
    match number {
        Some(number) if number.is_finite() => push_seventeen(text, number),
        Some(_) => text.extend_from_slice(b"nan"),
        None => {}
    }
}

/// Values of inputs over time.
#[derive(Debug, Default)]
pub(crate) struct InputTable {
    columns: Vec<InputColumn>,
}

/// The values of one input.
#[derive(Debug)]
pub(crate) struct InputColumn {
    /// The name of the Input block.
    pub name: String,
    /// Where the name stands.
    pub header: Span,
    /// Times and values.
    points: Vec<[f64; 2]>,
}

impl InputTable {
    /// All columns but that of the times.
    pub fn columns(&self) -> &[InputColumn] {
        &self.columns
    }

    /// Times and values of an input; `None` if the table does not have it.
    pub fn points(&self, name: &str) -> Option<&[[f64; 2]]> {
        let column = self.columns.iter().find(|column| column.name == name)?;
        Some(&column.points)
    }

    /// The table that a text has; all mistakes are reported.
    pub fn read(source: &Source, diagnostics: &mut Diagnostics) -> Self {
        let text = source.text();
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut rows = Rows::new(source, body);
        let Some(header) = rows.next() else {
            let message = "the table of inputs is empty";
            let mistake = Diagnostic::new(codes::INPUT_TABLE, source.span(), message);
            diagnostics.push(mistake.help(HEADER_HELP));
            return Self::default();
        };
        let mut table = Self { columns: header_columns(&header, diagnostics) };
        let mut before = f64::NEG_INFINITY;
        let mut count = 0;
        for row in rows {
            count += 1;
            if row.cells.len() != header.cells.len() {
                let (found, expected) = (row.cells.len(), header.cells.len());
                let message =
                    format!("this row has {}, the first line has {expected}", counted(found));
                let help = "give every row a value for each column, separated as the names are";
                diagnostics.push(row.mistake(row.whole, message).help(help));
                continue;
            }
            let Some(t) = row.number(0, "t", diagnostics) else { continue };
            if t < before {
                let message = format!("t = {} comes behind t = {}", written(t), written(before));
                let help = "sort the rows by time; two rows with the same time are a jump";
                diagnostics.push(row.mistake(row.span(0), message).help(help));
            }
            before = t;
            for (k, column) in table.columns.iter_mut().enumerate() {
                if let Some(value) = row.number(k + 1, &column.name, diagnostics) {
                    column.points.push([t, value]);
                }
            }
        }
        if count == 0 {
            let message = "the table of inputs has no rows";
            let help = "add rows below the names: a time in s and the values of the inputs";
            diagnostics.push(header.mistake(header.whole, message.into()).help(help));
        }
        table
    }
}

fn counted(cells: usize) -> String {
    if cells == 1 { "1 cell".into() } else { format!("{cells} cells") }
}

/// The columns that the first line names.
fn header_columns(header: &Row, diagnostics: &mut Diagnostics) -> Vec<InputColumn> {
    let first = header.cells.first().map_or("", String::as_str);
    if first != "t" {
        let message = format!("the first column of a table of inputs is `t`, not `{first}`");
        diagnostics.push(header.mistake(header.span(0), message).help(HEADER_HELP));
    }
    let mut columns: Vec<InputColumn> = Vec::new();
    for (k, cell) in header.cells.iter().enumerate().skip(1) {
        // The header of a result file names the signal.
        let name = cell.strip_suffix(".y").unwrap_or(cell).to_string();
        let span = header.span(k);
        if let Some(known) = columns.iter().find(|column| column.name == name) {
            let message = format!("two columns are named `{name}`");
            let mistake = header.mistake(span, message).also(known.header, "the first one");
            diagnostics.push(mistake.help("keep one of them"));
        }
        columns.push(InputColumn { name, header: span, points: Vec::new() });
    }
    columns
}

/// One row: its cells and where it stands.
struct Row {
    cells: Vec<String>,
    /// The line.
    whole: Span,
    /// The cells in the text; none where quotes make that unclear.
    places: Vec<Span>,
}

impl Row {
    /// Where a cell stands.
    fn span(&self, cell: usize) -> Span {
        self.places.get(cell).copied().filter(|span| !span.is_empty()).unwrap_or(self.whole)
    }

    fn mistake(&self, span: Span, message: String) -> Diagnostic {
        Diagnostic::new(codes::INPUT_TABLE, span, message)
    }

    /// The number in a cell; `None` after a mistake, which is reported.
    fn number(&self, cell: usize, column: &str, diagnostics: &mut Diagnostics) -> Option<f64> {
        let text = self.cells[cell].as_str();
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        if number.is_none() {
            let message = match text.is_empty() {
                true => format!("column `{column}` has no value in this row"),
                false => format!("`{text}` in column `{column}` is not a finite number"),
            };
            let help = "write a number with a decimal point, such as 0.5 or 1e-3";
            diagnostics.push(self.mistake(self.span(cell), message).help(help));
        }
        number
    }
}

/// The rows of a text.
struct Rows<'t> {
    reader: csv::Reader<&'t [u8]>,
    record: ByteRecord,
    body: &'t str,
    /// The address of the first byte of the body.
    base: u32,
    delimiter: char,
}

impl<'t> Rows<'t> {
    fn new(source: &Source, body: &'t str) -> Self {
        let is_row = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
        let header = body.lines().find(is_row).unwrap_or("");
        let delimiter = [',', ';', '\t'].into_iter().find(|&c| header.contains(c)).unwrap_or(',');
        // Only with a line end of one byte is the end of a row the end of a line.
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter as u8)
            .comment(Some(b'#'))
            .terminator(Terminator::Any(b'\n'))
            .from_reader(body.as_bytes());
        let base = source.span().end - body.len() as u32;
        Self { reader, record: ByteRecord::new(), body, base, delimiter }
    }

    /// The row that ends at this byte of the body.
    fn row(&self, end: usize) -> Row {
        let cell = |cell: &[u8]| String::from_utf8_lossy(cell).trim().to_string();
        let until = self.body.get(..end).unwrap_or(self.body);
        let until = until.strip_suffix('\n').unwrap_or(until);
        let start = until.rfind('\n').map_or(0, |at| at + 1);
        let line = &until[start..];
        let span = |from: usize, text: &str| {
            let from = self.base + (start + from + (text.len() - text.trim_start().len())) as u32;
            Span::new(from, from + text.trim().len() as u32)
        };
        let mut places = Vec::new();
        if !line.contains('"') {
            let mut from = 0;
            for text in line.split(self.delimiter) {
                places.push(span(from, text));
                from += text.len() + 1;
            }
        }
        Row { cells: self.record.iter().map(cell).collect(), whole: span(0, line), places }
    }
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        // Reading from memory does not fail.
        while self.reader.read_byte_record(&mut self.record).unwrap_or(false) {
            let row = self.row(self.reader.position().byte() as usize);
            if row.cells.iter().any(|cell| !cell.is_empty()) {
                return Some(row);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use parser::source::Sources;

    use super::*;

    /// The table of a text, and its messages with the texts that they point at.
    fn read(text: &str) -> (InputTable, Vec<(String, String)>) {
        let mut sources = Sources::default();
        sources.add("before.dys", "some other text").unwrap();
        let index = sources.add("table.csv", text).unwrap();
        let mut diagnostics = Diagnostics::new(false);
        let table = InputTable::read(sources.get(index).unwrap(), &mut diagnostics);
        let shown = |d: &Diagnostic| (d.message.clone(), sources.text(d.primary.span).to_string());
        let found = diagnostics.iter().map(shown).collect();
        (table, found)
    }

    #[test]
    fn columns_are_points_over_time() {
        for text in [
            "t,u,w\n0,1,2\n0.5,3,-4e1\n",
            "\u{feff}# measured\r\n\r\nt, u.y, w\r\n0, 1, 2\r\n# half\r\n\"0.5\", 3, -40",
            "t;u;w\n0;1;2\n0.5;3;-40\n",
        ] {
            let (table, mistakes) = read(text);
            assert_eq!(mistakes, [], "{text}");
            assert_eq!(table.points("u"), Some(&[[0.0, 1.0], [0.5, 3.0]][..]), "{text}");
            assert_eq!(table.points("w"), Some(&[[0.0, 2.0], [0.5, -40.0]][..]), "{text}");
            assert_eq!(table.points("t"), None);
        }
    }

    #[test]
    fn mistakes_point_at_cells() {
        for (text, words, place) in [
            ("", "is empty", ""),
            ("u,w\n0,1\n", "the first column of a table of inputs is `t`, not `u`", "u"),
            ("t,u\n", "has no rows", "t,u"),
            ("t,u\n0,1\n# x\n\n1, zero \n", "`zero` in column `u` is not a finite number", "zero"),
            ("t,u\r\n0,1\r\n1,inf\r\n", "`inf` in column `u`", "inf"),
            ("t,u\n0,1\n1,\n", "column `u` has no value", "1,"),
            ("t,u\n0,1\n1,2,3\n", "this row has 3 cells, the first line has 2", "1,2,3"),
            ("t,u\n0,1\n2,1\n1.5,4\n", "t = 1.5 comes behind t = 2", "1.5"),
            ("t,u,u\n0,1,2\n", "two columns are named `u`", "u"),
        ] {
            let (_, mistakes) = read(text);
            let [(message, at)] = &mistakes[..] else { panic!("{text}: {mistakes:?}") };
            assert!(message.contains(words), "{message}");
            assert_eq!(at, place, "{text}");
        }
    }
}
