//! A given position: s_a - s_b = S, with whatever force it takes.

use crate::blocks::network::{TWO_RODS, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::TranslationalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A given position.
    pub struct PositionSource {
        a: TranslationalNode = "a", Plus, Unit::None, Required, Any, "rod that moves";
        b: TranslationalNode = "b", Plus, Unit::None, Word("base"), Any, "rod that takes the reaction";
        position: Program = "S", Plus, Unit::Is("m"), Required, Any, "position s_a - s_b; speed and acceleration follow from it";
    }
}

/// The table of the PositionSource block.
pub static POSITION_SOURCE: BlockSchema = element_schema(
    "PositionSource",
    "A given position: s_a - s_b = S; `f` is the force delivered to a.",
    &[PositionSource::PARAMETERS],
    &[TWO_RODS],
);

impl PositionSource {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let flanges = e.two_flange(self.a, self.b);
        e.rigid_tie(self.a, self.b);
        e.equal(-flanges.x, e.time(&self.position));
    }
}

impl Sketched for PositionSource {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.b, self.a);
        s.like(ElementKind::Sf, spot, "its flow is the rate of a position");
    }
}
