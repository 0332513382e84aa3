//! A brake: dry friction while it is active, no torque otherwise.

use crate::blocks::network::{TWO_SHAFTS, dry_friction, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::{Condition, RotationalNode, ThermalNode};
use crate::reading::{Group, parameters};
use crate::sketch::{DRY_FRICTION, ElementKind, Sketch, Sketched};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A brake.
    pub struct Brake {
        a: RotationalNode = "a", Plus, Unit::None, Required, Any, "one side";
        b: RotationalNode = "b", Plus, Unit::None, Word("base"), Any, "the other side";
        limit: f64 = "Rmax", Plus, Unit::Is("Nm"), Required, Positive, "largest torque at rest";
        sliding: Option<Program> = "Rv", Plus, Unit::Is("Nm"), Absent("<Rmax>"), Any, "torque while sliding, positive; may use `abs(name.w)`";
        active: Condition = "Active", Plus, Unit::None, Word("yes"), Any, "when it brakes";
        heat: Option<ThermalNode> = "Heat", Plus, Unit::None, Absent("nowhere"), Any, "thermal node that takes the loss";
    }
}

/// The table of the Brake block.
pub static BRAKE: BlockSchema = element_schema(
    "Brake",
    "A brake: dry friction while it is active.",
    &[Brake::PARAMETERS],
    &[TWO_SHAFTS, &[dry_friction::STATE]],
);

impl Brake {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let limit = e.number(self.limit);
        let sliding = self.sliding.as_ref().map_or(limit, |program| e.time(program));
        let active = Some(e.condition(&self.active));
        let law = dry_friction::Friction { limit, sliding, active, heat: self.heat };
        law.equations(e, e.two_flange(self.a, self.b));
    }
}

impl Sketched for Brake {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.b, self.a);
        s.like(ElementKind::R, spot, DRY_FRICTION);
        s.heat(self.heat, "&.power");
    }
}
