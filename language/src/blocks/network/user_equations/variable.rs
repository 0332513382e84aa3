//! An unknown of equations of one's own, or a value that changes at events only.
//!
//! An expression names it by its whole name. A real variable is an unknown: some equation has to determine it. A discrete
//! variable or a condition is a register, which keeps its value between events.

use parser::syntax::{NodeKind, Parameter};

use crate::blocks::network::element_schema;
use crate::codes;
use crate::element::{BlockSchema, DefaultValue, Kind, ParameterSchema, signal};
use crate::reading::fields::{FreeText, YesNo};
use crate::reading::{BlockReader, Field, Group, parameters, words};
use crate::sketch::Sketched;
use crate::writing::Writer;

words! {
    /// What a variable may be.
    pub enum VariableType {
        /// An unknown that equations determine.
        Real = "real",
        /// A number that changes at events only.
        Discrete = "discrete",
        /// A truth value that changes at events only.
        Condition = "condition",
    }
}

/// A number, or `yes` and `no` for 1 and 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartValue(pub f64);

impl Field for StartValue {
    const KIND: Kind = Kind::Number;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let id = reader.single(schema, given)?;
        let is_name = reader.document.node(id).kind == NodeKind::Name;
        match reader.raw(id) {
            "yes" if is_name => Some(Self(1.0)),
            "no" if is_name => Some(Self(0.0)),
            _ => f64::read(reader, schema, given).map(Self),
        }
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(f64::NAN)
    }
}

parameters! {
    /// A variable.
    pub struct Variable {
        unit: Option<FreeText> = "Unit", Plus, Unit::None, Absent("none"), Any, "unit, for tables and plots";
        start: Option<StartValue> = "Start", Plus, Unit::None, Absent("0"), Any, "value at the start: of a state, if nothing else asks for another; of any other unknown the first guess; of a discrete variable its first value";
        fixed: YesNo = "Fixed", Plus, Unit::None, Word("no"), Any, "`yes`: the run begins at Start, which is then an initial condition";
        nominal: Option<f64> = "Nominal", Plus, Unit::None, Absent("what it was so far"), Positive, "usual size, by which the choice of states weighs it against others";
        kind: VariableType = "Type", Plus, Unit::None, Word("real"), Any, "`real`: an unknown of equations; `discrete`, `condition`: a number or truth value that changes at events only";
        about: Option<FreeText> = "About", Plus, Unit::None, Absent("none"), Any, "what it is, in words";
    }
}

/// The table of the Variable block.
pub static VARIABLE: BlockSchema = element_schema(
    "Variable",
    "An unknown that Equations determine, or a value that changes at events only; expressions name it by its whole name.",
    &[Variable::PARAMETERS],
    &[&[signal("value", "", "the value; the name of the variable alone means the same")]],
);

impl Variable {
    /// Writes the unknown or the register.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let start = self.start.map(|start| start.0);
        let value = match self.kind {
            VariableType::Real => {
                e.wished_unknown(start, self.fixed.is_yes(), self.nominal.unwrap_or(0.0))
            }
            VariableType::Discrete | VariableType::Condition => {
                let first = start.unwrap_or(0.0);
                if self.kind == VariableType::Condition && first != 0.0 && first != 1.0 {
                    let help = "a condition is `yes` or `no`";
                    e.mistake(codes::OUT_OF_RANGE, "has a `Start` that is no truth value", help);
                }
                e.registers().remembered(&[first]).1[0]
            }
        };
        e.signal("value", value);
    }
}

impl Sketched for Variable {}
