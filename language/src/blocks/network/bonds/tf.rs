//! A transformer: e1 = m e2, f2 = m f1. Port 1 is where a bond ends, port 2 where one starts.

use super::{Power, TWO_PORT, transfer_signals};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::sketch::Sketched;
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A transformer of a bond graph.
    pub struct Tf {
        modulus: Program = "m", Plus, Unit::None, Required, Any, "modulus: e1 = m e2, f2 = m f1";
    }
}

/// The table of the TF block.
pub static TF: BlockSchema = element_schema(
    "TF",
    "A transformer: e1 = m e2, f2 = m f1; one bond ends in it (1), one starts there (2).",
    &[Tf::PARAMETERS],
    &[TWO_PORT],
);

/// The table of the MTF block.
pub static MTF: BlockSchema = element_schema(
    "MTF",
    "A modulated transformer: TF, drawn with a signal arrow.",
    &[Tf::PARAMETERS],
    &[TWO_PORT],
);

impl Tf {
    /// Writes its equations.
    pub(crate) fn equations(&self, w: &Writer<'_>) {
        let Some([one, two]) = Power::through(w) else { return };
        let m = w.time(&self.modulus);
        w.equal(one.e, m * two.e);
        w.equal(two.f, m * one.f);
        transfer_signals(w, &[one, two]);
    }
}

impl Sketched for Tf {}
