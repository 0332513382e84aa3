//! A gyrator: e1 = r f2, e2 = r f1. Port 1 is where a bond ends, port 2 where one starts.

use super::{Power, TWO_PORT, transfer_signals};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::sketch::Sketched;
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A gyrator.
    pub struct Gy {
        ratio: Program = "r", Plus, Unit::None, Required, Any, "ratio: e1 = r f2, e2 = r f1";
    }
}

/// The table of the GY block.
pub static GY: BlockSchema = element_schema(
    "GY",
    "A gyrator: e1 = r f2, e2 = r f1; one bond ends in it (1), one starts there (2).",
    &[Gy::PARAMETERS],
    &[TWO_PORT],
);

/// The table of the MGY block.
pub static MGY: BlockSchema = element_schema(
    "MGY",
    "A modulated gyrator: GY, drawn with a signal arrow.",
    &[Gy::PARAMETERS],
    &[TWO_PORT],
);

impl Gy {
    /// Writes its equations.
    pub(crate) fn equations(&self, w: &Writer<'_>) {
        let Some([one, two]) = Power::through(w) else { return };
        let r = w.time(&self.ratio);
        w.equal(one.e, r * two.f);
        w.equal(two.e, r * one.f);
        transfer_signals(w, &[one, two]);
    }
}

impl Sketched for Gy {}
