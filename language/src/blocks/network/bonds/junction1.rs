//! A 1-junction: one flow for all bonds, and the efforts sum to zero.

use super::Power;
use crate::blocks::network::element_schema;
use crate::element::{BlockSchema, signal};
use crate::reading::{Group, parameters};
use crate::sketch::Sketched;
use crate::writing::Writer;

parameters! {
    /// A 1-junction.
    pub struct Junction1 {
    }
}

/// The table of the Junction1 block.
pub static JUNCTION1: BlockSchema = element_schema(
    "Junction1",
    "A 1-junction: all flows are equal, and the efforts (in minus out) sum to zero.",
    &[Junction1::PARAMETERS],
    &[&[signal("f", "", "the common flow")]],
);

impl Junction1 {
    /// Writes its equations.
    pub(crate) fn equations(&self, w: &Writer<'_>) {
        let f = w.unknown("f");
        let ports = Power::all(w);
        ports.iter().for_each(|port| w.equal(port.f, f));
        let efforts = ports.iter().map(|port| port.push()).reduce(|sum, e| sum + e);
        if let Some(efforts) = efforts {
            w.equal(efforts, w.number(0.0));
        }
        w.signal("f", f);
    }
}

impl Sketched for Junction1 {}
