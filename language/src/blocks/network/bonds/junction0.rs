//! A 0-junction: one effort for all bonds, and the flows sum to zero.

use super::Power;
use crate::blocks::network::element_schema;
use crate::element::{BlockSchema, signal};
use crate::reading::{Group, parameters};
use crate::sketch::Sketched;
use crate::writing::Writer;

parameters! {
    /// A 0-junction.
    pub struct Junction0 {
    }
}

/// The table of the Junction0 block.
pub static JUNCTION0: BlockSchema = element_schema(
    "Junction0",
    "A 0-junction: all efforts are equal, and the flows (in minus out) sum to zero.",
    &[Junction0::PARAMETERS],
    &[&[signal("e", "", "the common effort")]],
);

impl Junction0 {
    /// Writes its equations.
    pub(crate) fn equations(&self, w: &Writer<'_>) {
        let e = w.unknown("e");
        let ports = Power::all(w);
        ports.iter().for_each(|port| w.equal(port.e, e));
        let flows = ports.iter().map(|port| port.inward()).reduce(|sum, f| sum + f);
        if let Some(flows) = flows {
            w.equal(flows, w.number(0.0));
        }
        w.signal("e", e);
    }
}

impl Sketched for Junction0 {}
