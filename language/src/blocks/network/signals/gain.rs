//! A factor: y = k u.

use super::laws::ProductLaw;
use super::{OUTPUT, SampledBlock, Sampling, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A factor.
    pub struct Gain {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        k: Program = "k", Plus, Unit::None, Number(1.0), Any, "factor";
    }
}

/// The table of the Gain block.
pub static GAIN: BlockSchema = element_schema(
    "Gain",
    "A factor: y = k u.",
    &[Gain::PARAMETERS, Sampling::PARAMETERS],
    &[OUTPUT],
);

impl SignalBlock for Gain {
    fn equations(&self, e: &Writer<'_>) {
        e.signal("y", e.time(&self.k) * e.time(&self.u));
    }
}

impl SampledBlock for Gain {
    fn sampled(&self, _: &Writer<'_>, _: f64) -> Option<SampledForm> {
        Some(ProductLaw::of(vec![self.k.clone(), self.u.clone()]))
    }
}
