//! An operational amplifier, ideal or with gain, limits, resistances and a pole.
//!
//! Ideal: v_p = v_n, no input current, any output current. With gain A: v0 = clamp(A (v_p - v_n), Vmin, Vmax),
//! behind a lag of 1/(2 pi Fp) if there is a pole, v_out - v_ref = v0 - Rout i.

use crate::blocks::network::{POWER, element_schema};
use crate::element::{BlockSchema, signal};
use crate::reading::fields::ElectricalNode;
use crate::reading::{Group, parameters};
use crate::sketch::{Sketch, Sketched};
use crate::writing::Writer;

parameters! {
    /// An operational amplifier.
    pub struct OpAmp {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "non-inverting input";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "inverting input";
        out: ElectricalNode = "out", Plus, Unit::None, Required, Any, "output";
        reference: ElectricalNode = "ref", Plus, Unit::None, Word("gnd"), Any, "node that the output counts from";
        gain: f64 = "Gain", Plus, Unit::None, Number(0.0), NotNegative, "gain; 0 is ideal";
        lowest: Option<f64> = "Vmin", Plus, Unit::Is("V"), Absent("none"), Any, "lowest output voltage";
        highest: Option<f64> = "Vmax", Plus, Unit::Is("V"), Absent("none"), Any, "highest output voltage";
        input: f64 = "Rin", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "resistance between the inputs; 0 is none";
        output: f64 = "Rout", Plus, Unit::Is("Ohm"), Number(0.0), NotNegative, "output resistance";
        pole: f64 = "Fp", Plus, Unit::Is("Hz"), Number(0.0), NotNegative, "frequency of the pole; 0 is none";
    }
}

/// The table of the OpAmp block.
pub static OP_AMP: BlockSchema = element_schema(
    "OpAmp",
    "An operational amplifier, ideal (Gain = 0) or with gain, limits, resistances and a pole.",
    &[OpAmp::PARAMETERS],
    &[&[
        signal("vd", "V", "voltage between the inputs"),
        signal("i", "A", "current out of the output"),
        POWER,
        signal("state", "", "-1 at Vmin, 0 free, 1 at Vmax"),
    ]],
);

impl OpAmp {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let (vp, vn) = (e.potential(self.p.0), e.potential(self.n.0));
        let vd = vp - vn;
        let i = e.unknown("i");
        let output = e.potential(self.out.0) - e.potential(self.reference.0);
        let input = if self.input > 0.0 { 1.0 / self.input * vd } else { 0.0 * vd };
        e.flow(self.p.0, input);
        e.flow(self.n.0, -input);
        e.flow(self.out.0, -i);
        e.flow(self.reference.0, i);
        let inner = output + self.output * i;
        let state = e.mode(0, &[(-1, "at Vmin"), (0, "free"), (1, "at Vmax")]);
        // What drives the output while it is free, and what would drive it at a limit.
        let free = match (self.gain > 0.0, self.pole > 0.0) {
            (false, _) => vd,
            (true, false) => self.gain * vd - inner,
            (true, true) => {
                let lagging = e.unknown("v0");
                e.equal(
                    lagging + e.rate(lagging) / (std::f64::consts::TAU * self.pole),
                    self.gain * vd,
                );
                lagging - inner
            }
        };
        let ideal = self.gain == 0.0;
        let limited = |limit: f64| inner - limit;
        let at_highest = self.highest.map_or(free, limited);
        let at_lowest = self.lowest.map_or(free, limited);
        let below = e.if_mode(state, -1, at_lowest, free);
        e.equal(e.if_mode(state, 1, at_highest, below), e.number(0.0));
        if let Some(highest) = self.highest {
            e.change(state, 0, 1, inner - highest);
            // `free` is positive while the input wants more than the limit.
            e.change(state, 1, 0, -free);
        }
        if let Some(lowest) = self.lowest {
            e.change(state, 0, -1, lowest - inner);
            e.change(state, -1, 0, free);
        }
        e.rigid_tie(self.out, self.reference);
        if ideal || self.input > 0.0 {
            e.tie(self.p, self.n);
        }
        e.signal("vd", vd);
        e.signal("i", i);
        e.signal("power", input * vd - output * i);
        let backward = e.if_mode(state, -1, e.number(-1.0), e.number(0.0));
        e.signal("state", e.if_mode(state, 1, e.number(1.0), backward));
    }
}

impl Sketched for OpAmp {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        s.boxed(
            &[self.p.0, self.n.0, self.out.0, self.reference.0],
            "its output takes power from a supply that is not part of the model",
        );
    }
}
