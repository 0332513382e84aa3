//! A given heat flow into a, out of b if that is given.

use crate::blocks::network::element_schema;
use crate::element::{BlockSchema, signal};
use crate::reading::fields::ThermalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A given heat flow.
    pub struct HeatSource {
        a: ThermalNode = "a", Plus, Unit::None, Required, Any, "node that is heated";
        b: Option<ThermalNode> = "b", Plus, Unit::None, Absent("nowhere"), Any, "node that the heat comes from";
        power: Program = "P", Plus, Unit::Is("W"), Required, Any, "heat flow into a";
    }
}

/// The table of the HeatSource block.
pub static HEAT_SOURCE: BlockSchema = element_schema(
    "HeatSource",
    "A given heat flow into a, out of b.",
    &[HeatSource::PARAMETERS],
    &[&[signal("P", "W", "heat flow into a")]],
);

impl HeatSource {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let power = e.time(&self.power);
        e.flow(self.a.0, -power);
        if let Some(b) = self.b {
            e.flow(b.0, power);
        }
        e.signal("P", power);
        e.tie_by_law(self.a, self.b, &self.power);
    }
}

impl Sketched for HeatSource {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let value = Value::of("P", &self.power);
        match self.b {
            Some(b) => {
                let spot = s.supply(b, self.a);
                s.one((ElementKind::Sf, ""), value, spot, readings::HEAT_SOURCE);
            }
            None => s.one((ElementKind::Sf, ""), value, self.a.0, readings::HEAT_SOURCE),
        }
    }
}
