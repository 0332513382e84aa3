//! A compliance: q' = f, e = q/C, or a law e = e(q).

use super::{Constitution, ONE_PORT, Power, port_signals};
use crate::blocks::network::element_schema;
use crate::element::{BlockSchema, signal};
use crate::reading::{Group, parameters};
use crate::sketch::Sketched;
use crate::writing::{Store, Writer, stored_energy, work_of_law};
use equations::expression::Program;

parameters! {
    /// A compliance.
    pub struct C {
        compliance: Option<Program> = "C", Plus, Unit::None, Absent("from Law"), Any, "compliance q/e: capacitance, 1/stiffness; required unless Law is given";
        law: Option<Program> = "Law", Plus, Unit::None, Absent("e = q/C"), Any, "effort as an expression of the element's own displacement, `name.q`";
        initial: Option<f64> = "Qinit", Plus, Unit::None, Absent("0, or what the graph asks for"), Any, "displacement q at the start";
    }
}

/// The table of the C block.
pub static C_ELEMENT: BlockSchema = element_schema(
    "C",
    "A compliance: q' = f, e = q/C, or e = Law.",
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
        w.equal(f, w.rate(q));
        port_signals(w, e, f);
        w.signal("q", q);
        let factor = ("C", self.compliance.as_ref());
        let what = "compliance q/e; or `Law = ...;`: effort as an expression of the displacement";
        let energy = match Constitution::of(w, factor, self.law.as_ref(), what) {
            Some(Constitution::Factor(capacity)) => {
                w.equal(q, capacity * e);
                let (stored, effort) = (("q", q), ("e", e));
                stored_energy(w, &Store { stored, effort, capacity })
            }
            Some(Constitution::Law(law)) => {
                w.equal(e, law);
                work_of_law(w, ("q", q), law)
            }
            None => return,
        };
        w.signal("energy", energy);
        w.stores(energy);
    }
}

impl Sketched for C {}
