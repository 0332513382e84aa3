//! A source of flow: f is given along the bond, e follows from the rest of the graph.

use super::{Power, SOURCE, port_signals};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::sketch::Sketched;
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A source of flow.
    pub struct Sf {
        flow: Program = "f", Plus, Unit::None, Required, Any, "flow along the bond: current, speed, volume flow";
    }
}

/// The table of the Sf block.
pub static SF: BlockSchema =
    element_schema("Sf", "A source of flow.", &[Sf::PARAMETERS], &[SOURCE]);

/// The table of the MSf block.
pub static MSF: BlockSchema = element_schema(
    "MSf",
    "A modulated source of flow: Sf, drawn with a signal arrow.",
    &[Sf::PARAMETERS],
    &[SOURCE],
);

impl Sf {
    /// Writes its equations.
    pub(crate) fn equations(&self, w: &Writer<'_>) {
        let Some(port) = Power::only(w) else { return };
        w.equal(port.f, w.time(&self.flow));
        port_signals(w, port.e, port.f);
    }
}

impl Sketched for Sf {}
