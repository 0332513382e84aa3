//! A magnetic coupling of two inductors: flux_1 = L1 i1 + M i2, flux_2 = M i1 + L2 i2.

use crate::element::BlockSchema;
use crate::model::fields::InductorRef;
use crate::model::ids::ElementId;
use crate::model::read::{Group, parameters};
use crate::model::{Model, codes};
use crate::network::elements::{NetworkElement, element_schema};
use crate::network::flatten::Writer;
use rustc_hash::FxHashMap;

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

/// For each inductor those that it is coupled with, and how strongly.
pub(crate) fn couplings(model: &Model) -> FxHashMap<ElementId, Vec<(ElementId, f64)>> {
    let mut all: FxHashMap<ElementId, Vec<(ElementId, f64)>> = FxHashMap::default();
    let inductance = |id: ElementId| match &model.elements[id.index()].what {
        NetworkElement::Inductor(inductor) => inductor.inductance.as_constant().unwrap_or(0.0),
        _ => 0.0,
    };
    for element in &model.elements {
        if let NetworkElement::MutualInductor(coupling) = &element.what {
            let (a, b) = (coupling.inductor1.0, coupling.inductor2.0);
            let from_factor = || {
                let product = inductance(a) * inductance(b);
                coupling.coupling.unwrap_or(0.0) * product.max(0.0).sqrt()
            };
            let mutual = coupling.mutual.unwrap_or_else(from_factor);
            all.entry(a).or_default().push((b, mutual));
            all.entry(b).or_default().push((a, mutual));
        }
    }
    all
}

impl MutualInductor {
    /// Its share is in the equations of the inductors; here it is checked.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        if self.coupling.is_none() && self.mutual.is_none() {
            e.missing("K", "coupling factor, or `M = ...;`: mutual inductance");
        }
        if self.inductor1 == self.inductor2 {
            let help = "name two different inductors";
            e.mistake(codes::SAME_BODY, "couples an inductor with itself", help);
        }
    }
}
