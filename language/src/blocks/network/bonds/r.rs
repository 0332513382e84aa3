//! A resistor: e = R f, or a law e = e(f).

use super::{Constitution, ONE_PORT, Power, port_signals};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::sketch::Sketched;
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
        let factor = ("R", self.resistance.as_ref());
        let what = "resistance e/f; or `Law = ...;`: effort as an expression of the flow";
        match Constitution::of(w, factor, self.law.as_ref(), what) {
            Some(Constitution::Factor(resistance)) => w.equal(e, resistance * f),
            Some(Constitution::Law(law)) => w.equal(e, law),
            None => {}
        }
        port_signals(w, e, f);
    }
}

impl Sketched for R {}
