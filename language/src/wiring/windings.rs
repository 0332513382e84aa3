//! The inductors of a model that share flux.

use rustc_hash::FxHashMap;

use crate::blocks::network::NetworkElement;
use crate::model::Model;
use crate::reading::ids::ElementId;
use crate::writing::{Share, Windings};

/// The couplings of all inductors.
pub(super) fn find(model: &Model) -> Windings {
    Windings::new(couplings(model), |id| [inductance(model, id), first_current(model, id)])
}

/// For each inductor the inductors that it is coupled with, and how strongly.
fn couplings(model: &Model) -> FxHashMap<ElementId, Vec<Share>> {
    let mut all: FxHashMap<ElementId, Vec<Share>> = FxHashMap::default();
    let own = |id: ElementId| inductance(model, id).unwrap_or(0.0);
    for element in &model.elements {
        if let NetworkElement::MutualInductor(coupling) = &element.what {
            let (a, b) = (coupling.inductor1.0, coupling.inductor2.0);
            let from_factor =
                || coupling.coupling.unwrap_or(0.0) * (own(a) * own(b)).max(0.0).sqrt();
            let mutual = coupling.mutual.unwrap_or_else(from_factor);
            all.entry(a).or_default().push((b, mutual));
            all.entry(b).or_default().push((a, mutual));
        }
    }
    all
}

/// A constant inductance.
fn inductance(model: &Model, id: ElementId) -> Option<f64> {
    match &model.elements[id.index()].what {
        NetworkElement::Inductor(inductor) => inductor.inductance.as_constant(),
        _ => None,
    }
}

/// The current at the start, if it is given.
fn first_current(model: &Model, id: ElementId) -> Option<f64> {
    match &model.elements[id.index()].what {
        NetworkElement::Inductor(inductor) => inductor.initial,
        _ => None,
    }
}
