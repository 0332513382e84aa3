//! Files with numbers.
//!
//! They are split here and not by the crate `csv`, which reads the tables of plots: a line may have blanks, commas or
//! semicolons between its numbers and a comment behind them, and `csv` knows one separator for a file and comments
//! on lines of their own. Its line numbers are wrong behind comments, too.

use parser::syntax::Parameter;

use super::FileName;
use crate::element::{DefaultValue, Kind, ParameterSchema};
use crate::reading::{BlockReader, Field};

/// The points of a file with two numbers in each line.
#[derive(Clone, Debug, PartialEq)]
pub struct DataFile(pub Box<[[f64; 2]]>);

impl Field for DataFile {
    const KIND: Kind = Kind::File;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        FileName::read(reader, schema, given)?;
        let id = reader.single(schema, given)?;
        // A file that cannot be read was reported when the texts of the model were.
        reader.context.data.get(&reader.document.node(id).span).cloned().map(Self)
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}

/// The points of a text: two numbers in each line, separated by blanks, commas or semicolons; `#` begins a comment.
///
/// # Errors
/// The number of the line, from 1, that has not two numbers.
pub(crate) fn points(text: &str) -> Result<Box<[[f64; 2]]>, usize> {
    let mut points = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("");
        let words = line.split([' ', '\t', ',', ';', '\r']).filter(|word| !word.is_empty());
        let numbers: Vec<Option<f64>> = words.map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [] => {}
            [Some(x), Some(y)] if x.is_finite() && y.is_finite() => points.push([x, y]),
            _ => return Err(number + 1),
        }
    }
    Ok(points.into())
}

#[cfg(test)]
mod tests {
    use super::points;

    #[test]
    fn points_stand_in_lines() {
        let text = "# x y\n0 1\n 0.5, 2e3 # more\r\n\n1;3\n";
        assert_eq!(points(text).as_deref(), Ok(&[[0.0, 1.0], [0.5, 2000.0], [1.0, 3.0]][..]));
        assert_eq!(points("0 1\n1\n"), Err(2));
        assert_eq!(points("0 nan\n"), Err(1));
    }
}
