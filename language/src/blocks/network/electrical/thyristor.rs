//! A thyristor: an ideal diode that begins to conduct only while its gate is on.

use crate::blocks::network::valve::Valve;
use crate::blocks::network::{TWO_PIN, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::{Condition, ElectricalNode, ThermalNode};
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, VALVE};
use crate::writing::Writer;

parameters! {
    /// A thyristor.
    pub struct Thyristor {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "anode";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "cathode";
        gate: Condition = "Gate", Plus, Unit::None, Required, Any, "when it may begin to conduct";
        forward: f64 = "Vf", Plus, Unit::Is("V"), Number(0.0), Any, "forward voltage";
        on: f64 = "Ron", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance while closed";
        off: f64 = "Roff", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance while open; 0 is infinite";
        hold: f64 = "Ihold", Plus, Unit::Is("A"), Number(0.0), NotNegative, "below this current it opens";
        heat: Option<ThermalNode> = "Heat", Plus, Unit::None, Absent("nowhere"), Any, "thermal node that takes the loss";
    }
}

/// A current below this is none, A: far above rounding, far below any holding current.
const NOTHING: f64 = 1e-9;

/// The table of the Thyristor block.
pub static THYRISTOR: BlockSchema = element_schema(
    "Thyristor",
    "An ideal thyristor: closes at v > Vf while Gate holds, opens at i < Ihold.",
    &[Thyristor::PARAMETERS],
    &[TWO_PIN, &[signal("state", "", "0 open, 1 closed")]],
);

impl Thyristor {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let pins = e.two_pin(self.p, self.n);
        let valve = Valve { forward: self.forward, on: self.on, off: self.off };
        let state = e.mode(0, &[(0, "open"), (1, "closed")]);
        let gate = e.condition(&self.gate) - 0.5;
        e.valve(state, valve.law(e, pins, state), pins);
        e.change(state, 0, 1, gate.if_positive(pins.v - self.forward, e.number(-1.0)));
        // While the gate is on, a current that is still rising from 0 does not open it.
        let least = e.number(valve.least_current());
        let hold = e.number(self.hold.max(valve.least_current()));
        e.change(state, 1, 0, gate.if_positive(least, hold) - pins.i);
        // One that carries nothing as the gate goes off blocks, whatever comes then.
        let carried = pins.i - least;
        let size = carried.if_positive(carried, -carried);
        e.change_at_step(state, 1, 0, gate.if_positive(e.number(-1.0), NOTHING - size));
        valve.tie(e, state, 1, self.p, self.n);
        e.signal("state", e.if_mode(state, 1, e.number(1.0), e.number(0.0)));
        e.heat(self.heat, pins.v * pins.i);
    }
}

impl Sketched for Thyristor {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.p, self.n);
        s.like(ElementKind::R, spot, VALVE);
        s.heat(self.heat, "&.power");
    }
}
