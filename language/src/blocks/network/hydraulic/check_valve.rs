//! A check valve, open from a to b. With G = 1/Roff: shut q = G dp, until dp > Pf; open dp = Pf + Ron (q - G Pf), until
//! q < G Pf: an ideal diode.

use crate::blocks::network::valve::Valve;
use crate::blocks::network::{TWO_PORT, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::HydraulicNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, VALVE};
use crate::writing::{TwoPin, Writer};

parameters! {
    /// A check valve.
    pub struct CheckValve {
        a: HydraulicNode = "a", Plus, Unit::None, Required, Any, "port where the flow enters";
        b: HydraulicNode = "b", Plus, Unit::None, Required, Any, "port where it leaves";
        forward: f64 = "Pf", Plus, Unit::Is("Pa"), Number(0.0), NotNegative, "pressure that opens it";
        on: f64 = "Ron", Plus, Unit::Is("Pa s/m^3"), Number(0.0), NotNegative, "resistance while open";
        off: f64 = "Roff", Plus, Unit::Is("Pa s/m^3"), Number(0.0), NotNegative, "resistance while shut; 0 is infinite";
    }
}

/// The table of the CheckValve block.
pub static CHECK_VALVE: BlockSchema = element_schema(
    "CheckValve",
    "A check valve: lets oil flow from a to b only.",
    &[CheckValve::PARAMETERS],
    &[TWO_PORT, &[signal("state", "", "0 shut, 1 open")]],
);

impl CheckValve {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let ports = e.two_port(self.a, self.b);
        let pins = TwoPin { v: ports.d, i: ports.q };
        let valve = Valve { forward: self.forward, on: self.on, off: self.off };
        let state = e.mode(0, &[(0, "shut"), (1, "open")]);
        e.hydraulic_valve(state, valve.law(e, pins, state), ports);
        e.change(state, 0, 1, ports.d - self.forward);
        e.change(state, 1, 0, valve.least_current() - ports.q);
        valve.tie(e, state, 1, self.a, self.b);
        e.signal("state", e.if_mode(state, 1, e.number(1.0), e.number(0.0)));
    }
}

impl Sketched for CheckValve {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.a, self.b);
        s.like(ElementKind::R, spot, VALVE);
    }
}
