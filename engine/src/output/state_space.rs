//! A linear model in one file, for other programs.
//!
//! `.json` has the matrices as lists of rows, and names and units of states, inputs and outputs. `.mat` is of MATLAB's level 4,
//! which MATLAB, Octave and `scipy.io.loadmat` read: for each matrix a header of five numbers of four bytes (type, rows,
//! columns, imaginary part, length of the name), the name with a zero behind it, and the entries column by column; texts
//! are matrices of letters ("MAT-File Format", The MathWorks, chapter 2). Both are little-endian and exact.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use language::safe_file::SafeFile;
use nalgebra::DMatrix;

/// Names and units of rows or columns.
pub type Named = Vec<(String, String)>;

/// What is written.
pub struct StateSpace<'a> {
    /// Name of the model.
    pub model: &'a str,
    /// States.
    pub states: Named,
    /// Inputs.
    pub inputs: Named,
    /// Outputs.
    pub outputs: Named,
    /// The matrices by their names.
    pub matrices: Vec<(&'static str, &'a DMatrix<f64>)>,
}

impl StateSpace<'_> {
    fn lists(&self) -> [(&'static str, &Named); 3] {
        [("states", &self.states), ("inputs", &self.inputs), ("outputs", &self.outputs)]
    }

    /// Writes the `.json` file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_json(&self, path: &Path) -> io::Result<PathBuf> {
        let mut file = SafeFile::create(path)?;
        write!(file, "{{\n  \"model\": {}", text(self.model))?;
        for (name, list) in self.lists() {
            let all: Vec<String> = list
                .iter()
                .map(|(name, unit)| {
                    format!("{{\"name\": {}, \"unit\": {}}}", text(name), text(unit))
                })
                .collect();
            write!(file, ",\n  \"{name}\": [{}]", all.join(", "))?;
        }
        for (name, matrix) in &self.matrices {
            let row = |row: usize| {
                let numbers: Vec<String> =
                    matrix.row(row).iter().map(|x| format!("{x:?}")).collect();
                format!("[{}]", numbers.join(", "))
            };
            let rows: Vec<String> = (0..matrix.nrows()).map(row).collect();
            write!(file, ",\n  \"{name}\": [{}]", rows.join(",\n    "))?;
        }
        writeln!(file, "\n}}")?;
        file.finish()
    }

    /// Writes the `.mat` file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_mat(&self, path: &Path) -> io::Result<PathBuf> {
        let mut file = SafeFile::create(path)?;
        for (name, matrix) in &self.matrices {
            header(&mut file, 0, [matrix.nrows(), matrix.ncols()], name)?;
            matrix.iter().try_for_each(|x| file.write_all(&x.to_le_bytes()))?;
        }
        for (name, list) in self.lists() {
            let names: Vec<&str> = list.iter().map(|(name, _)| name.as_str()).collect();
            let units: Vec<&str> = list.iter().map(|(_, unit)| unit.as_str()).collect();
            letters(&mut file, name, &names)?;
            letters(&mut file, &format!("{name}_units"), &units)?;
        }
        file.finish()
    }
}

/// A text of `.json` in quotes.
fn text(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// Type 0: doubles, little-endian; 1: letters.
fn header(file: &mut SafeFile, kind: i32, shape: [usize; 2], name: &str) -> io::Result<()> {
    for number in [kind, shape[0] as i32, shape[1] as i32, 0, name.len() as i32 + 1] {
        file.write_all(&number.to_le_bytes())?;
    }
    file.write_all(name.as_bytes())?;
    file.write_all(&[0])
}

/// Texts as rows of letters, filled up with blanks. The format has no letters beyond one byte.
fn letters(file: &mut SafeFile, name: &str, rows: &[&str]) -> io::Result<()> {
    let letter = |c: char| if c.is_ascii() { f64::from(u32::from(c)) } else { f64::from(b'?') };
    let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.chars().map(letter).collect()).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    header(file, 1, [rows.len(), width], name)?;
    for column in 0..width {
        for row in &rows {
            let letter = row.get(column).copied().unwrap_or(f64::from(b' '));
            file.write_all(&letter.to_le_bytes())?;
        }
    }
    Ok(())
}
