//! An inductor: flux = L i, v = dflux/dt.

use crate::element::BlockSchema;
use crate::expression::Program;
use crate::model::fields::ElectricalNode;
use crate::model::read::{Group, parameters};
use crate::network::elements::{TWO_PIN, element_schema, signal};
use crate::network::flatten::{Rigid, TwoPin, Writer};

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
            signal("energy", "J", "energy stored, flux i/2"),
        ],
    ],
);

impl Inductor {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPin { v, i } = e.two_pin(self.p, self.n);
        let l = e.time(&self.inductance);
        let own = match l.value() {
            // A constant inductance makes the current the state.
            Some(_) => {
                let state = e.state("i", self.initial);
                e.equal(state, i);
                l * state
            }
            None => {
                let flux = e.unknown("flux");
                e.equal(flux, l * i);
                if let Some(i) = self.initial {
                    e.starts_at(flux, l * i);
                }
                flux
            }
        };
        let flux = e.coupled(own);
        match e.rigidly_coupled() {
            None => e.equal(v, e.rate(flux)),
            // With |K| = 1 both windings have one flux: L1 (i1 + M/L1 i2), seen by the first.
            Some(Rigid { other, ratio, is_first: true }) => {
                let magnetising = e.unknown("im");
                e.equal(magnetising, i + ratio * e.signal_of(other, "i"));
                e.equal(v, e.rate(l * magnetising));
            }
            Some(Rigid { other, ratio, is_first: false }) => {
                e.equal(v, ratio * e.signal_of(other, "v"));
            }
        }
        e.tie(self.p, self.n);
        e.signal("flux", flux);
        e.signal("energy", 0.5 * flux * i);
    }
}
