//! A source of effort: e is f follows from the rest of the graph.

use super::{Power, SOURCE, port_signals};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::sketch::Sketched;
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A source of effort.
    pub struct Se {
        effort: Program = "e", Plus, Unit::None, Required, Any, "effort: voltage, force, torque, pressure";
    }
}

/// The table of the Se block.
pub static SE: BlockSchema =
    element_schema("Se", "A source of effort.", &[Se::PARAMETERS], &[SOURCE]);

/// The table of the MSe block.
pub static MSE: BlockSchema = element_schema(
    "MSe",
    "A modulated source of effort: Se, drawn with a signal arrow.",
    &[Se::PARAMETERS],
    &[SOURCE],
);

impl Se {
    /// Writes its equations.
    pub(crate) fn equations(&self, w: &Writer<'_>) {
        let Some(port) = Power::only(w) else { return };
        w.equal(port.e, w.time(&self.effort));
        port_signals(w, port.e, port.f);
    }
}

impl Sketched for Se {}
