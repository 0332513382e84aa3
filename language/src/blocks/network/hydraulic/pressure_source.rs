//! A given pressure: p_a - p_b = P, whatever flows.

use crate::blocks::network::{SOURCE_PORT, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::HydraulicNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A given pressure.
    pub struct PressureSource {
        a: HydraulicNode = "a", Plus, Unit::None, Required, Any, "port under pressure";
        b: HydraulicNode = "b", Plus, Unit::None, Word("tank"), Any, "port that it counts from";
        pressure: Program = "P", Plus, Unit::Is("Pa"), Required, Any, "pressure p_a - p_b";
    }
}

/// The table of the PressureSource block.
pub static PRESSURE_SOURCE: BlockSchema = element_schema(
    "PressureSource",
    "A given pressure: p_a - p_b = P.",
    &[PressureSource::PARAMETERS],
    &[SOURCE_PORT],
);

impl PressureSource {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let (dp, _) = e.source_port(self.a, self.b);
        e.equal(dp, e.time(&self.pressure));
        e.rigid_tie(self.a, self.b);
    }
}

impl Sketched for PressureSource {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.b, self.a);
        s.one((ElementKind::Se, ""), Value::of("P", &self.pressure), spot, readings::OIL_SOURCE);
    }
}
