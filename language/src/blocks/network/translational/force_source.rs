//! A force on a, with its reaction on b.

use crate::blocks::network::{TWO_RODS, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::TranslationalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A force.
    pub struct ForceSource {
        a: TranslationalNode = "a", Plus, Unit::None, Required, Any, "rod that a positive force pushes forward";
        b: TranslationalNode = "b", Plus, Unit::None, Word("base"), Any, "rod that takes the reaction";
        force: Program = "F", Plus, Unit::Is("N"), Required, Any, "force";
    }
}

/// The table of the ForceSource block.
pub static FORCE_SOURCE: BlockSchema = element_schema(
    "ForceSource",
    "A force F on a, and -F on b.",
    &[ForceSource::PARAMETERS],
    &[TWO_RODS],
);

impl ForceSource {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let flanges = e.two_flange(self.a, self.b);
        e.equal(flanges.f, e.time(&self.force));
    }
}

impl Sketched for ForceSource {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.supply(self.b, self.a);
        s.one((ElementKind::Se, ""), Value::of("F", &self.force), spot, readings::FORCE_SOURCE);
    }
}
