//! A current source: i = I.

use crate::blocks::network::{TWO_PIN, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::ElectricalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::{TwoPin, Writer};
use equations::expression::Program;

parameters! {
    /// A current source.
    pub struct CurrentSource {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "node where the current enters the source";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "node where it leaves";
        current: Program = "I", Plus, Unit::Is("A"), Required, Any, "current from p through the source to n";
    }
}

/// The table of the CurrentSource block.
pub static CURRENT_SOURCE: BlockSchema = element_schema(
    "CurrentSource",
    "A current source: i = I. I may depend on its own voltage: the law of any element with two terminals.",
    &[CurrentSource::PARAMETERS],
    &[TWO_PIN],
);

impl CurrentSource {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPin { i, .. } = e.two_pin(self.p, self.n);
        e.equal(i, e.time(&self.current));
        e.tie_by_law(self.p, Some(self.n), &self.current);
    }
}

impl Sketched for CurrentSource {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.p, self.n);
        s.one((ElementKind::Sf, ""), Value::of("I", &self.current), spot, readings::CURRENT_SOURCE);
    }
}
