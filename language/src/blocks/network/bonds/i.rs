//! An inertia: p' = e, f = p/I, or a law f = f(p).

use super::{Constitution, ONE_PORT, Power, port_signals};
use crate::blocks::network::element_schema;
use crate::element::{BlockSchema, signal};
use crate::reading::{Group, parameters};
use crate::sketch::Sketched;
use crate::writing::{Store, Writer, stored_energy, work_of_law};
use equations::expression::Program;

parameters! {
    /// An inertia.
    pub struct I {
        inertia: Option<Program> = "I", Plus, Unit::None, Absent("from Law"), Any, "inertia p/f: inductance, mass, moment of inertia; required unless Law is given";
        law: Option<Program> = "Law", Plus, Unit::None, Absent("f = p/I"), Any, "flow as an expression of the element's own momentum, `name.p`";
        initial: Option<f64> = "Pinit", Plus, Unit::None, Absent("0, or what the graph asks for"), Any, "momentum p at the start";
    }
}

/// The table of the I block.
pub static I_ELEMENT: BlockSchema = element_schema(
    "I",
    "An inertia: p' = e, f = p/I, or f = Law.",
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
        w.equal(e, w.rate(p));
        port_signals(w, e, f);
        w.signal("p", p);
        let factor = ("I", self.inertia.as_ref());
        let what = "inertia p/f; or `Law = ...;`: flow as an expression of the momentum";
        let energy = match Constitution::of(w, factor, self.law.as_ref(), what) {
            Some(Constitution::Factor(capacity)) => {
                w.equal(p, capacity * f);
                let (stored, effort) = (("p", p), ("f", f));
                stored_energy(w, &Store { stored, effort, capacity })
            }
            Some(Constitution::Law(law)) => {
                w.equal(f, law);
                work_of_law(w, ("p", p), law)
            }
            None => return,
        };
        w.signal("energy", energy);
        w.stores(energy);
    }
}

impl Sketched for I {}
