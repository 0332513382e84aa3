//! A resistance to heat: R Q = T_a - T_b.

use crate::blocks::network::{HEAT_PATH, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::ThermalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Value, readings};
use crate::writing::{TwoPort, Writer};
use equations::expression::Program;

parameters! {
    /// A resistance to heat.
    pub struct ThermalResistor {
        a: ThermalNode = "a", Plus, Unit::None, Required, Any, "where the heat enters";
        b: ThermalNode = "b", Plus, Unit::None, Word("ambient"), Any, "where it leaves";
        resistance: Program = "R", Plus, Unit::Is("K/W"), Required, Any, "thermal resistance";
    }
}

/// The table of the ThermalResistor block.
pub static THERMAL_RESISTOR: BlockSchema = element_schema(
    "ThermalResistor",
    "A resistance to heat: R Q = T_a - T_b.",
    &[ThermalResistor::PARAMETERS],
    &[HEAT_PATH],
);

impl ThermalResistor {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPort { d, q } = e.heat_path(self.a, self.b);
        e.equal(d, e.time(&self.resistance) * q);
        e.tie(self.a, self.b);
    }
}

impl Sketched for ThermalResistor {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.a, self.b);
        s.one((ElementKind::R, ""), Value::of("R", &self.resistance), spot, readings::HEAT_PATH);
    }
}
