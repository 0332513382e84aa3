//! A resistor: e = R f, or a law e = e(f).

use super::{ONE_PORT, Power, port_signals};
use crate::blocks::network::element_schema;
use crate::codes;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A resistor of a bond graph.
    pub struct R {
        resistance: Option<Program> = "R", Plus, Unit::None, Absent("from Law"), Any, "resistance e/f; required unless Law is given";
        law: Option<Program> = "Law", Plus, Unit::None, Absent("e = R f"), Any, "effort as an expression of the element's own flow, `name.f`";
    }
}

/// The table of the R block.
pub static R_ELEMENT: BlockSchema =
    element_schema("R", "A resistor: e = R f, or e = Law.", &[R::PARAMETERS], &[ONE_PORT]);

/// The table of the MR block.
pub static MR: BlockSchema = element_schema(
    "MR",
    "A modulated resistor: R, drawn with a signal arrow.",
    &[R::PARAMETERS],
    &[ONE_PORT],
);

impl R {
    /// Writes its equations.
    pub(crate) fn equations(&self, w: &Writer<'_>) {
        let Some(port) = Power::only(w) else { return };
        let (e, f) = (port.e, port.inward());
        match (&self.resistance, &self.law) {
            (Some(resistance), None) => w.equal(e, w.time(resistance) * f),
            (None, Some(law)) => w.equal(e, w.time(law)),
            (None, None) => w.missing(
                "R",
                "resistance e/f; or `Law = ...;`: effort as an expression of the flow",
            ),
            (Some(_), Some(_)) => {
                let help = "remove one of them";
                w.mistake(codes::CONTRADICTION, "has both `R` and `Law`", help);
            }
        }
        port_signals(w, e, f);
    }
}
