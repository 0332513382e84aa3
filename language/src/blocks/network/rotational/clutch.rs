//! A clutch: dry friction while it is engaged. Its torque is given directly, or by the normal force:
//! Rv = Cgeo Mu Fn, Rmax = Peak Rv, free while Fn <= 0.

use crate::blocks::network::dry_friction::{Friction, STATE};
use crate::blocks::network::{TWO_SHAFTS, element_schema};
use crate::codes;
use crate::element::BlockSchema;
use crate::reading::fields::{Condition, RotationalNode, ThermalNode};
use crate::reading::{Group, parameters};
use crate::sketch::{DRY_FRICTION, ElementKind, Sketch, Sketched};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A clutch.
    pub struct Clutch {
        a: RotationalNode = "a", Plus, Unit::None, Required, Any, "one side";
        b: RotationalNode = "b", Plus, Unit::None, Required, Any, "the other side";
        limit: Option<f64> = "Rmax", Plus, Unit::Is("Nm"), Absent("from the normal force"), Positive, "largest torque at rest";
        sliding: Option<Program> = "Rv", Plus, Unit::Is("Nm"), Absent("<Rmax>"), Any, "torque while sliding, positive; may use `abs(name.w)`";
        engaged: Option<Condition> = "Engaged", Plus, Unit::None, Absent("yes"), Any, "when it rubs";
        normal: Option<Program> = "Fn", Plus, Unit::Is("N"), Absent("none"), Any, "normal force; free while it is not positive";
        coefficient: Option<Program> = "Mu", Plus, Unit::None, Absent("none"), Any, "coefficient of sliding friction";
        peak: f64 = "Peak", Plus, Unit::None, Number(1.0), Positive, "with Fn: Rmax over Rv, at least 1";
        geometry: f64 = "Cgeo", Plus, Unit::Is("m"), Number(1.0), Positive, "with Fn: torque over friction force";
        heat: Option<ThermalNode> = "Heat", Plus, Unit::None, Absent("nowhere"), Any, "thermal node that takes the loss";
    }
}

/// The table of the Clutch block.
pub static CLUTCH: BlockSchema = element_schema(
    "Clutch",
    "A clutch: dry friction while it is engaged, with Rmax or with Fn and Mu.",
    &[Clutch::PARAMETERS],
    &[TWO_SHAFTS, &[STATE]],
);

impl Clutch {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let flanges = e.two_flange(self.a, self.b);
        let law = match (&self.limit, &self.normal, &self.coefficient) {
            (Some(_), Some(_), _) => {
                let help = "write `Rmax`, or `Fn` and `Mu`";
                return e.mistake(codes::OUT_OF_RANGE, "has both `Rmax` and `Fn`", help);
            }
            (Some(limit), None, _) => {
                let limit = e.number(*limit);
                let sliding = self.sliding.as_ref().map_or(limit, |program| e.time(program));
                let active = self.engaged.as_ref().map(|engaged| e.condition(engaged));
                Friction { limit, sliding, active, heat: self.heat }
            }
            (None, Some(normal), Some(coefficient)) => {
                let normal = e.time(normal);
                let sliding = self.geometry * e.time(coefficient) * normal;
                let active = Some(e.positive(normal));
                Friction { limit: self.peak * sliding, sliding, active, heat: self.heat }
            }
            (None, None, _) => return e.missing("Rmax", "largest torque; or `Fn` and `Mu`"),
            (None, _, None) => return e.missing("Mu", "coefficient of sliding friction"),
        };
        law.equations(e, flanges);
    }
}

impl Sketched for Clutch {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.b, self.a);
        s.like(ElementKind::R, spot, DRY_FRICTION);
        s.heat(self.heat, "&.power");
    }
}
