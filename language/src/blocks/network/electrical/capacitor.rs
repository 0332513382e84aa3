//! A capacitor: q = C v, i = dq/dt.

use crate::blocks::network::{TWO_PIN, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::ElectricalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Start, Value, readings};
use crate::writing::{Store, TwoPin, Writer, stored_energy, with_own};
use equations::expression::Program;

parameters! {
    /// A capacitor.
    pub struct Capacitor {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "node where the current enters";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "node where it leaves";
        capacitance: Program = "C", Plus, Unit::Is("F"), Required, Any, "capacitance";
        initial: Option<f64> = "Vinit", Plus, Unit::Is("V"), Absent("0, or what the circuit asks for"), Any, "voltage at the start";
    }
}

/// The table of the Capacitor block.
pub static CAPACITOR: BlockSchema = element_schema(
    "Capacitor",
    "A capacitor: q = C v, i = dq/dt.",
    &[Capacitor::PARAMETERS],
    &[
        TWO_PIN,
        &[signal("q", "C", "charge"), signal("energy", "J", "energy stored, the integral of v dq")],
    ],
);

impl Capacitor {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPin { v, i } = e.two_pin(self.p, self.n);
        let c = e.time(&self.capacitance);
        let charge = match c.value() {
            // A constant capacitance makes the voltage the state.
            Some(_) => {
                let state = e.state("v", self.initial);
                e.equal(state, v);
                c * state
            }
            None => {
                let charge = e.unknown("q");
                e.equal(charge, c * v);
                if let Some(v) = self.initial {
                    // The capacitance at this voltage, not at the one that the network has before.
                    let c = with_own(e, c, "v", e.number(v)).unwrap_or(c);
                    e.starts_at(charge, c * v);
                }
                charge
            }
        };
        e.equal(i, e.rate(charge));
        e.tie(self.p, self.n);
        e.signal("q", charge);
        let store = Store { stored: ("q", charge), effort: ("v", v), capacity: c };
        let energy = stored_energy(e, &store);
        e.signal("energy", energy);
        e.stores(energy);
    }
}

impl Sketched for Capacitor {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.p, self.n);
        s.one((ElementKind::C, ""), Value::of("C", &self.capacitance), spot, readings::CAPACITOR);
        s.starts(Start::of("q", 1.0, 0.0));
    }
}
