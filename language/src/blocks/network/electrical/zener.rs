//! A Zener diode: forward and off as an ideal diode, in breakdown v = -Vz + Rz i.

use crate::blocks::network::valve::Valve;
use crate::blocks::network::{TWO_PIN, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::{ElectricalNode, ThermalNode};
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, VALVE};
use crate::writing::Writer;

parameters! {
    /// A Zener diode.
    pub struct Zener {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "anode";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "cathode";
        zener: f64 = "Vz", Plus, Unit::Is("V"), Required, Positive, "breakdown voltage";
        forward: f64 = "Vf", Plus, Unit::Is("V"), Number(0.7), Any, "forward voltage";
        on: f64 = "Ron", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance in forward direction";
        breakdown: f64 = "Rz", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance in breakdown";
        off: f64 = "Roff", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance while open; 0 is infinite";
        heat: Option<ThermalNode> = "Heat", Plus, Unit::None, Absent("nowhere"), Any, "thermal node that takes the loss";
    }
}

/// The table of the Zener block.
pub static ZENER: BlockSchema = element_schema(
    "Zener",
    "An ideal Zener diode: conducts forward above Vf and backward above Vz.",
    &[Zener::PARAMETERS],
    &[TWO_PIN, &[signal("state", "", "0 open, 1 forward, -1 breakdown")]],
);

impl Zener {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let pins = e.two_pin(self.p, self.n);
        let valve = Valve { forward: self.forward, on: self.on, off: self.off };
        let state = e.mode(0, &[(0, "open"), (1, "forward"), (-1, "breakdown")]);
        let g = valve.leakage();
        let broken = pins.v + self.zener - self.breakdown * (pins.i + g * self.zener);
        let open = e.if_mode(state, -1, broken, pins.i - g * pins.v);
        e.valve(state, e.if_mode(state, 1, valve.closed(pins), open), pins);
        e.change(state, 0, 1, pins.v - self.forward);
        e.change(state, 1, 0, valve.least_current() - pins.i);
        e.change(state, 0, -1, -self.zener - pins.v);
        e.change(state, -1, 0, pins.i + g * self.zener);
        valve.tie(e, state, 1, self.p, self.n);
        valve.tie(e, state, -1, self.p, self.n);
        let backward = e.if_mode(state, -1, e.number(-1.0), e.number(0.0));
        e.signal("state", e.if_mode(state, 1, e.number(1.0), backward));
        e.heat(self.heat, pins.v * pins.i);
    }
}

impl Sketched for Zener {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.p, self.n);
        s.like(ElementKind::R, spot, VALVE);
        s.heat(self.heat, "&.power");
    }
}
