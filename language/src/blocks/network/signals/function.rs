//! An expression with a name: y is what it says.

use super::laws::ProductLaw;
use super::{OUTPUT, SampledBlock, Sampling, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// An expression.
    pub struct Function {
        y: Program = "y", Plus, Unit::None, Required, Any, "the expression";
    }
}

/// The table of the Function block.
pub static FUNCTION: BlockSchema = element_schema(
    "Function",
    "An expression with a name: y is what it says.",
    &[Function::PARAMETERS, Sampling::PARAMETERS],
    &[OUTPUT],
);

impl SignalBlock for Function {
    fn equations(&self, e: &Writer<'_>) {
        e.signal("y", e.time(&self.y));
    }
}

impl SampledBlock for Function {
    fn sampled(&self, _: &Writer<'_>, _: f64) -> Option<SampledForm> {
        Some(ProductLaw::of(vec![self.y.clone()]))
    }
}
