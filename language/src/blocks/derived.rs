//! A derived quantity: an expression with a name and a unit, for other expressions and for results.

use crate::element::{BlockSchema, Family, Origin, signal};
use crate::reading::fields::FreeText;
use crate::reading::{BlockReader, Group, parameters};
use equations::expression::Program;

use super::formula::FormulaValue;

parameters! {
    /// Parameters of a Signal block.
    pub struct SignalParameters {
        value: FormulaValue = "Value", Plus, Unit::None, Required, Any, "what it is: an expression of any signals";
        unit: Option<FreeText> = "Unit", Plus, Unit::None, Absent("none"), Any, "unit, for tables and plots";
        about: Option<FreeText> = "About", Plus, Unit::None, Absent("none"), Any, "what it is, in words";
    }
}

/// The table of the Signal block.
pub static SIGNAL: BlockSchema = BlockSchema {
    keyword: "Signal",
    family: Family::Signal,
    origin: Origin::Plus,
    doc: "A derived quantity: its name stands for an expression, in other expressions and in `Output`.",
    parameters: &[SignalParameters::PARAMETERS],
    variants: None,
    coordinates: &[],
    signals: &[&[signal("value", "", "the value; the name of the signal alone means the same")]],
};

/// A derived quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct DerivedSignal {
    /// Parameters of the block.
    pub parameters: SignalParameters,
    /// Its value, in which no other derived quantity stands any more.
    pub program: Program,
}

impl DerivedSignal {
    /// Reads the block, whose value is compiled already.
    pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Self {
        let parameters = SignalParameters::read(reader);
        let known = reader.context.derived.get(&reader.block).cloned().flatten();
        Self { parameters, program: known.unwrap_or_default() }
    }
}
