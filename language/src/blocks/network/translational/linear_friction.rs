//! Dry friction between two rods: sticks up to Rmax, slides with Rv.

use crate::blocks::network::{TWO_RODS, dry_friction, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::{ThermalNode, TranslationalNode};
use crate::reading::{Group, parameters};
use crate::sketch::{DRY_FRICTION, ElementKind, Sketch, Sketched};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// Dry friction.
    pub struct LinearFriction {
        a: TranslationalNode = "a", Plus, Unit::None, Required, Any, "one side";
        b: TranslationalNode = "b", Plus, Unit::None, Word("base"), Any, "the other side";
        limit: f64 = "Rmax", Plus, Unit::Is("N"), Required, Positive, "largest force at rest";
        sliding: Option<Program> = "Rv", Plus, Unit::Is("N"), Absent("<Rmax>"), Any, "force while sliding, positive; may use `abs(name.v)`";
        heat: Option<ThermalNode> = "Heat", Plus, Unit::None, Absent("nowhere"), Any, "thermal node that takes the loss";
    }
}

/// The table of the LinearFriction block.
pub static LINEAR_FRICTION: BlockSchema = element_schema(
    "LinearFriction",
    "Dry friction between two rods, with real stiction.",
    &[LinearFriction::PARAMETERS],
    &[TWO_RODS, &[dry_friction::STATE]],
);

impl LinearFriction {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let limit = e.number(self.limit);
        let sliding = self.sliding.as_ref().map_or(limit, |program| e.time(program));
        let law = dry_friction::Friction { limit, sliding, active: None, heat: self.heat };
        law.equations(e, e.two_flange(self.a, self.b));
    }
}

impl Sketched for LinearFriction {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.b, self.a);
        s.like(ElementKind::R, spot, DRY_FRICTION);
        s.heat(self.heat, "&.power");
    }
}
