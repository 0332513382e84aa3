//! A body that stores heat: C T' = Q.

use crate::blocks::network::element_schema;
use crate::element::{BlockSchema, signal};
use crate::reading::fields::ThermalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Start, Value, readings};
use crate::writing::Writer;

/// Temperature at the start where none is K.
const ROOM: f64 = 293.15;

parameters! {
    /// A body that stores heat.
    pub struct HeatCapacity {
        a: ThermalNode = "a", Plus, Unit::None, Required, Any, "the body";
        capacity: f64 = "C", Plus, Unit::Is("J/K"), Required, Positive, "heat capacity";
        initial: Option<f64> = "Tinit", Plus, Unit::Is("K"), Absent("293.15, or what the network asks for"), NotNegative, "temperature at the start";
    }
}

/// The table of the HeatCapacity block.
pub static HEAT_CAPACITY: BlockSchema = element_schema(
    "HeatCapacity",
    "A body that stores heat: C T' = Q.",
    &[HeatCapacity::PARAMETERS],
    &[&[signal("T", "K", "temperature"), signal("Q", "W", "heat flow into the body")]],
);

impl HeatCapacity {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let t = e.state_near("T", self.initial, ROOM);
        e.equal(t, e.potential(self.a.0));
        let q = self.capacity * e.rate(t);
        e.flow(self.a.0, q);
        e.hold(self.a);
        e.signal("T", t);
        e.signal("Q", q);
    }
}

impl Sketched for HeatCapacity {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        s.one(
            (ElementKind::C, ""),
            Value::number(self.capacity),
            self.a.0,
            readings::HEAT_CAPACITY,
        );
        s.starts(Start::of("T", self.capacity, 0.0));
    }
}
