//! A given temperature, or a given difference of two.

use crate::blocks::network::element_schema;
use crate::element::{BlockSchema, signal};
use crate::reading::fields::ThermalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A given temperature.
    pub struct TemperatureSource {
        a: ThermalNode = "a", Plus, Unit::None, Required, Any, "node whose temperature is given";
        b: Option<ThermalNode> = "b", Plus, Unit::None, Absent("absolute zero"), Any, "node that it counts from";
        temperature: Program = "T", Plus, Unit::Is("K"), Required, Any, "T_a, or T_a - T_b";
    }
}

/// The table of the TemperatureSource block.
pub static TEMPERATURE_SOURCE: BlockSchema = element_schema(
    "TemperatureSource",
    "A given temperature T_a, or with b a given difference T_a - T_b.",
    &[TemperatureSource::PARAMETERS],
    &[&[signal("Q", "W", "heat flow delivered to a")]],
);

impl TemperatureSource {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let q = e.unknown("Q");
        let given = e.time(&self.temperature);
        let t = e.potential(self.a.0);
        e.flow(self.a.0, -q);
        match self.b {
            Some(b) => {
                e.equal(t - e.potential(b.0), given);
                e.flow(b.0, q);
                e.rigid_tie(self.a, b);
            }
            None => {
                e.equal(t, given);
                e.hold(self.a);
            }
        }
        e.signal("Q", q);
    }
}

impl Sketched for TemperatureSource {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let value = Value::of("T", &self.temperature);
        match self.b {
            Some(b) => {
                let spot = s.supply(b, self.a);
                s.one((ElementKind::Se, ""), value, spot, readings::TEMPERATURE_SOURCE);
            }
            None => s.one((ElementKind::Se, ""), value, self.a.0, readings::TEMPERATURE_SOURCE),
        }
    }
}
