//! A pump that delivers a given flow into a.

use crate::blocks::network::{SOURCE_PORT, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::HydraulicNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A given flow.
    pub struct FlowSource {
        a: HydraulicNode = "a", Plus, Unit::None, Required, Any, "port that is filled";
        b: HydraulicNode = "b", Plus, Unit::None, Word("tank"), Any, "port that the oil comes from";
        flow: Program = "Q", Plus, Unit::Is("m^3/s"), Required, Any, "flow";
    }
}

/// The table of the FlowSource block.
pub static FLOW_SOURCE: BlockSchema = element_schema(
    "FlowSource",
    "A pump: the flow Q into node a, out of node b.",
    &[FlowSource::PARAMETERS],
    &[SOURCE_PORT],
);

impl FlowSource {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let (_, q) = e.source_port(self.a, self.b);
        e.equal(q, e.time(&self.flow));
        e.tie_by_law(self.a, Some(self.b), &self.flow);
    }
}

impl Sketched for FlowSource {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.b, self.a);
        s.one((ElementKind::Sf, ""), Value::of("Q", &self.flow), spot, readings::OIL_SOURCE);
    }
}
