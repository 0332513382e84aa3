//! An ideal switch: closed v = Ron i, open i = v/Roff.

use crate::blocks::network::{TWO_PIN, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::{Condition, ElectricalNode, ThermalNode};
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, VALVE};
use crate::writing::{TwoPin, Writer};

parameters! {
    /// An ideal switch.
    pub struct Switch {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "one contact";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "the other contact";
        closed: Condition = "Closed", Plus, Unit::None, Required, Any, "when it conducts";
        on: f64 = "Ron", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance while closed";
        off: f64 = "Roff", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance while open; 0 is infinite";
        heat: Option<ThermalNode> = "Heat", Plus, Unit::None, Absent("nowhere"), Any, "thermal node that takes the loss";
    }
}

/// The table of the Switch block.
pub static SWITCH: BlockSchema = element_schema(
    "Switch",
    "An ideal switch: closed v = Ron i, open i = v/Roff.",
    &[Switch::PARAMETERS],
    &[TWO_PIN, &[signal("state", "", "0 open, 1 closed")]],
);

impl Switch {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let pins = e.two_pin(self.p, self.n);
        let TwoPin { v, i } = pins;
        let closed = e.condition(&self.closed);
        let state = e.mode(0, &[(0, "open"), (1, "closed")]);
        e.change_at_step(state, 0, 1, closed - 0.5);
        e.change_at_step(state, 1, 0, 0.5 - closed);
        let g = if self.off > 0.0 { 1.0 / self.off } else { 0.0 };
        e.valve(state, e.if_mode(state, 1, v - self.on * i, i - g * v), pins);
        if g > 0.0 {
            e.tie(self.p, self.n);
        } else {
            e.tie_in(state, 1, self.p, self.n);
        }
        e.signal("state", e.if_mode(state, 1, e.number(1.0), e.number(0.0)));
        e.heat(self.heat, v * i);
    }
}

impl Sketched for Switch {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.p, self.n);
        s.like(ElementKind::R, spot, VALVE);
        s.heat(self.heat, "&.power");
    }
}
