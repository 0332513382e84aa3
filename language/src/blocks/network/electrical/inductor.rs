//! An inductor: flux = L i, v = dflux/dt.

use crate::blocks::network::{TWO_PIN, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::ElectricalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Sketch, Sketched, Start, Value, readings};
use crate::writing::Rigid;
use crate::writing::{Store, TwoPin, Writer, stored_energy, with_own};
use equations::expression::Program;

parameters! {
    /// An inductor.
    pub struct Inductor {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "node where the current enters";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "node where it leaves";
        inductance: Program = "L", Plus, Unit::Is("H"), Required, Any, "inductance";
        initial: Option<f64> = "Iinit", Plus, Unit::Is("A"), Absent("0, or what the circuit asks for"), Any, "current at the start";
    }
}

/// The table of the Inductor block.
pub static INDUCTOR: BlockSchema = element_schema(
    "Inductor",
    "An inductor: flux = L i, v = dflux/dt; coupled ones by MutualInductor.",
    &[Inductor::PARAMETERS],
    &[
        TWO_PIN,
        &[
            signal("flux", "Vs", "linked flux, with the shares of coupled inductors"),
            signal("energy", "J", "energy stored, the integral of i dflux"),
        ],
    ],
);

impl Inductor {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPin { v, i } = e.two_pin(self.p, self.n);
        let l = e.time(&self.inductance);
        let (own, current) = match l.value() {
            // A constant inductance makes the current the state.
            Some(_) => {
                let state = e.state("i", self.initial);
                e.equal(state, i);
                (l * state, state)
            }
            None => {
                let flux = e.unknown("flux");
                e.equal(flux, l * i);
                if let Some(i) = self.initial {
                    // The inductance at this current, not at the one that the network has before.
                    let l = with_own(e, l, "i", e.number(i)).unwrap_or(l);
                    e.starts_at(flux, l * i);
                }
                (flux, i)
            }
        };
        let flux = e.coupled(own);
        match e.rigid() {
            None => e.equal(v, e.rate(flux)),
            Some(Rigid::Flux(initial)) => {
                let own = e.state("flux", *initial);
                e.equal(own, flux);
                e.equal(v, e.rate(own));
            }
            Some(Rigid::Voltage(shares)) => {
                let zero = e.number(0.0);
                let sum =
                    shares.iter().fold(zero, |sum, &(other, w)| sum + w * e.signal_of(other, "v"));
                e.equal(v, sum);
            }
        }
        e.tie(self.p, self.n);
        e.signal("flux", flux);
        // Of coupled inductors each has half of what it shares.
        let energy = match l.value() {
            Some(_) => 0.5 * flux * current,
            None => {
                let store = Store { stored: ("flux", own), effort: ("i", i), capacity: l };
                stored_energy(e, &store) + 0.5 * (flux - own) * i
            }
        };
        e.signal("energy", energy);
        e.stores(energy);
    }
}

impl Sketched for Inductor {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let spot = s.sink(self.p, self.n);
        s.one((ElementKind::I, ""), Value::of("L", &self.inductance), spot, readings::INDUCTOR);
        s.starts(Start::of("flux", 1.0, 0.0));
    }
}
