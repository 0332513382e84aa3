//! Signals over time.

use parser::digits::push_seventeen;

/// The result of a run: a column of times and a column of each signal.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    names: Vec<String>,
    units: Vec<String>,
    times: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

impl Table {
    /// A table without rows.
    pub(super) fn new(names: Vec<String>, units: Vec<String>) -> Self {
        let columns = vec![Vec::new(); names.len()];
        Self { names, units, times: Vec::new(), columns }
    }

    pub(super) fn push(&mut self, t: f64, values: impl Iterator<Item = f64>) {
        self.times.push(t);
        self.columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.times.len()
    }

    /// Names of the signals, in the order of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Units of the signals; empty for signals without a unit.
    pub fn units(&self) -> &[String] {
        &self.units
    }

    /// Times of the rows, s. Two rows at an event have the same time.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The values of a signal; `None` if it is not in the table.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let at = self.names.iter().position(|known| known == name)?;
        Some(&self.columns[at])
    }

    /// The table as the `.csv` file of a run has it.
    pub fn to_csv(&self) -> String {
        let mut text = b"t".to_vec();
        for name in &self.names {
            text.push(b',');
            text.extend_from_slice(name.as_bytes());
        }
        text.extend_from_slice(b"\r\n");
        for (row, &t) in self.times.iter().enumerate() {
            push_seventeen(&mut text, t);
            for column in &self.columns {
                text.push(b',');
                push_seventeen(&mut text, column[row]);
            }
            text.extend_from_slice(b"\r\n");
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}
