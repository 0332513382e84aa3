//! A magnetic coupling of two inductors: flux_1 = L1 i1 + M i2, flux_2 = M i1 + L2 i2.

use crate::blocks::network::element_schema;
use crate::codes;
use crate::element::BlockSchema;
use crate::reading::fields::InductorRef;
use crate::reading::{Group, parameters};
use crate::sketch::Sketched;
use crate::writing::Writer;

parameters! {
    /// A magnetic coupling of two inductors.
    pub struct MutualInductor {
        inductor1: InductorRef = "Inductor1", Plus, Unit::None, Required, Any, "one inductor";
        inductor2: InductorRef = "Inductor2", Plus, Unit::None, Required, Any, "the other inductor";
        coupling: Option<f64> = "K", Plus, Unit::None, Absent("from M"), Between(-1.0, 1.0), "coupling factor, M = K sqrt(L1 L2); required unless M is given";
        mutual: Option<f64> = "M", Plus, Unit::Is("H"), Absent("from K"), Any, "mutual inductance";
    }
}

/// The table of the MutualInductor block.
pub static MUTUAL_INDUCTOR: BlockSchema = element_schema(
    "MutualInductor",
    "Couples two inductors: adds M di2/dt to v1 and M di1/dt to v2.",
    &[MutualInductor::PARAMETERS],
    &[],
);

impl MutualInductor {
    /// Checks the parameters; the mutual flux is in the equations of the inductors.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        if self.coupling.is_none() && self.mutual.is_none() {
            e.missing("K", "coupling factor, or `M = ...;`: mutual inductance");
        }
        if self.inductor1 == self.inductor2 {
            let help = "name two different inductors";
            e.mistake(codes::SAME_BODY, "couples an inductor with itself", help);
        } else if e.windings.is_impossible(self.inductor1.0, self.inductor2.0) {
            let help = "no magnetic circuit couples more than all of the flux: M^2 <= L1 L2, and for several windings \
                        the matrix of their inductances has no negative eigenvalue";
            let words = "belongs to windings that would give back more energy than they store";
            e.mistake(codes::OUT_OF_RANGE, words, help);
        }
    }
}

impl Sketched for MutualInductor {}
