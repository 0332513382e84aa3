//! The inertia of oil in a line: L dq/dt = dp.

use crate::blocks::network::{TWO_PORT, element_schema};
use crate::element::BlockSchema;
use crate::reading::fields::HydraulicNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Start, Value, readings};
use crate::writing::{TwoPort, Writer};

parameters! {
    /// The inertia of oil in a line.
    pub struct Inertance {
        a: HydraulicNode = "a", Plus, Unit::None, Required, Any, "port where the flow enters";
        b: HydraulicNode = "b", Plus, Unit::None, Required, Any, "port where it leaves";
        inertance: f64 = "L", Plus, Unit::Is("Pa s^2/m^3"), Required, Positive, "inertance: density times length over area";
        initial: Option<f64> = "Qinit", Plus, Unit::Is("m^3/s"), Absent("0, or what the network asks for"), Any, "flow at the start";
    }
}

/// The table of the Inertance block.
pub static INERTANCE: BlockSchema = element_schema(
    "Inertance",
    "The inertia of oil in a line: L dq/dt = dp.",
    &[Inertance::PARAMETERS],
    &[TWO_PORT],
);

impl Inertance {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPort { d, q } = e.two_port(self.a, self.b);
        let flow = e.state("q", self.initial);
        e.equal(flow, q);
        e.equal(d, self.inertance * e.rate(flow));
        e.tie(self.a, self.b);
        e.stores(0.5 * self.inertance * flow * flow);
    }
}

impl Sketched for Inertance {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.a, self.b);
        s.one((ElementKind::I, ""), Value::number(self.inertance), spot, readings::OIL);
        s.starts(Start::of("q", self.inertance, 0.0));
    }
}
