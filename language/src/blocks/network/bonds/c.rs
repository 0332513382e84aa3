//! A compliance: q' = f, e = q/C.

use super::{ONE_PORT, Power, port_signals};
use crate::blocks::network::element_schema;
use crate::element::{BlockSchema, signal};
use crate::reading::{Group, parameters};
use crate::writing::{Store, Writer, stored_energy};
use equations::expression::Program;

parameters! {
    /// A compliance.
    pub struct C {
        compliance: Program = "C", Plus, Unit::None, Required, Any, "compliance q/e: capacitance, 1/stiffness";
        initial: Option<f64> = "Qinit", Plus, Unit::None, Absent("0, or what the graph asks for"), Any, "displacement q at the start";
    }
}

/// The table of the C block.
pub static C_ELEMENT: BlockSchema = element_schema(
    "C",
    "A compliance: q' = f, e = q/C.",
    &[C::PARAMETERS],
    &[
        ONE_PORT,
        &[
            signal("q", "", "displacement: charge, elongation, volume"),
            signal("energy", "J", "energy stored, the integral of e dq"),
        ],
    ],
);

/// The table of the MC block.
pub static MC: BlockSchema = element_schema(
    "MC",
    "A modulated compliance: C, drawn with a signal arrow.",
    &[C::PARAMETERS],
    &[
        ONE_PORT,
        &[
            signal("q", "", "displacement: charge, elongation, volume"),
            signal("energy", "J", "energy stored, the integral of e dq"),
        ],
    ],
);

impl C {
    /// Writes its equations.
    pub(crate) fn equations(&self, w: &Writer<'_>) {
        let Some(port) = Power::only(w) else { return };
        let (e, f) = (port.e, port.inward());
        let q = w.state("q", self.initial);
        let capacity = w.time(&self.compliance);
        w.equal(q, capacity * e);
        w.equal(f, w.rate(q));
        port_signals(w, e, f);
        w.signal("q", q);
        let (stored, effort) = (("q", q), ("e", e));
        w.signal("energy", stored_energy(w, &Store { stored, effort, capacity }));
    }
}
