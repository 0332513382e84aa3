//! An inertia: p' = e, f = p/I.

use super::{ONE_PORT, Power, port_signals};
use crate::blocks::network::element_schema;
use crate::element::{BlockSchema, signal};
use crate::reading::{Group, parameters};
use crate::writing::{Store, Writer, stored_energy};
use equations::expression::Program;

parameters! {
    /// An inertia.
    pub struct I {
        inertia: Program = "I", Plus, Unit::None, Required, Any, "inertia p/f: inductance, mass, moment of inertia";
        initial: Option<f64> = "Pinit", Plus, Unit::None, Absent("0, or what the graph asks for"), Any, "momentum p at the start";
    }
}

/// The table of the I block.
pub static I_ELEMENT: BlockSchema = element_schema(
    "I",
    "An inertia: p' = e, f = p/I.",
    &[I::PARAMETERS],
    &[
        ONE_PORT,
        &[
            signal("p", "", "momentum: flux, momentum, pressure momentum"),
            signal("energy", "J", "energy stored, the integral of f dp"),
        ],
    ],
);

/// The table of the MI block.
pub static MI: BlockSchema = element_schema(
    "MI",
    "A modulated inertia: I, drawn with a signal arrow.",
    &[I::PARAMETERS],
    &[
        ONE_PORT,
        &[
            signal("p", "", "momentum: flux, momentum, pressure momentum"),
            signal("energy", "J", "energy stored, the integral of f dp"),
        ],
    ],
);

impl I {
    /// Writes its equations.
    pub(crate) fn equations(&self, w: &Writer<'_>) {
        let Some(port) = Power::only(w) else { return };
        let (e, f) = (port.e, port.inward());
        let p = w.state("p", self.initial);
        let capacity = w.time(&self.inertia);
        w.equal(p, capacity * f);
        w.equal(e, w.rate(p));
        port_signals(w, e, f);
        w.signal("p", p);
        let (stored, effort) = (("p", p), ("f", f));
        w.signal("energy", stored_energy(w, &Store { stored, effort, capacity }));
    }
}
