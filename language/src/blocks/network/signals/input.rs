//! A value from outside the model: a column of a table, what a program sets, else its default.
//!
//! Without a column the value is a register, which keeps what it was given last. With a column the output follows
//! the points of the column like that of a Table block whose input is time: the corners are known instants, so that
//! no integration method steps over one.

use super::table::{self, Method};
use super::{OUTPUT, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::fields::FreeText;
use crate::reading::{BlockReader, Group, parameters, words};
use crate::writing::Writer;

words! {
    /// What an input does between the rows of its table.
    pub enum Interpolation {
        /// Straight lines.
        Linear = "linear",
        /// Stays at the last value.
        Hold = "hold",
    }
}

parameters! {
    /// What is written in the block.
    pub struct InputParameters {
        unit: Option<FreeText> = "Unit", Plus, Unit::None, Absent("none"), Any, "unit, for tables and plots";
        default: f64 = "Default", Plus, Unit::None, Number(0.0), Any, "value if none comes from outside";
        interpolation: Interpolation = "Interpolation", Plus, Unit::None, Word("linear"), Any, "what it does between the rows of a table";
        about: Option<FreeText> = "About", Plus, Unit::None, Absent("none"), Any, "what it is, in words";
    }
}

/// The table of the Input block.
pub static INPUT: BlockSchema = element_schema(
    "Input",
    "A value from outside the model: a column of `--input table.csv`, what a program sets, else Default.",
    &[InputParameters::PARAMETERS],
    &[OUTPUT],
);

/// The table of what an analysis adds to a time expression or signal: no block of the text.
pub static EXCITATION: BlockSchema = element_schema("Excitation", "", &[], &[OUTPUT]);

/// A value from outside the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Parameters of the block.
    pub parameters: InputParameters,
    /// The points of the input's column: time and value. `None` if no table has such a column.
    pub column: Option<Box<[[f64; 2]]>>,
}

impl Input {
    /// A register that only an analysis changes.
    pub(crate) fn hidden() -> Self {
        let interpolation = Interpolation::Linear;
        let parameters = InputParameters { unit: None, default: 0.0, interpolation, about: None };
        Self { parameters, column: None }
    }

    /// Reads the block, and its column of the table of inputs.
    pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Self {
        let name = reader.context.name(reader.block);
        let column = reader.context.inputs.and_then(|table| table.points(name));
        Self { parameters: InputParameters::read(reader), column: column.map(Into::into) }
    }
}

impl SignalBlock for Input {
    fn equations(&self, e: &Writer<'_>) {
        let method = match self.parameters.interpolation {
            Interpolation::Linear => Method::Linear,
            Interpolation::Hold => Method::Hold,
        };
        match &self.column {
            Some(points) => table::follow_time(e, points, method),
            None => e.signal("y", e.registers().given(self.parameters.default)),
        }
    }
}
