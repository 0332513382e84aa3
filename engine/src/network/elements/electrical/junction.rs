//! What diodes and transistors share: the ideal valve, and the charge of a depletion layer.

use crate::model::fields::ElectricalNode;
use crate::network::expr::Ex;
use crate::network::flatten::{Mode, TwoPin, Writer};

/// An ideal valve, G = 1/Roff: open i = G v, closed v = Vf + Ron (i - G Vf).
#[derive(Clone, Copy)]
pub(super) struct Valve {
    /// Vf, V.
    pub forward: f64,
    /// Ron, Ohm.
    pub on: f64,
    /// Roff, Ohm; 0 is infinite.
    pub off: f64,
}

impl Valve {
    /// G.
    pub fn leakage(self) -> f64 {
        if self.off > 0.0 { 1.0 / self.off } else { 0.0 }
    }

    /// The current at which it opens, G Vf.
    pub fn least_current(self) -> f64 {
        self.leakage() * self.forward
    }

    /// Zero while it is closed.
    pub fn closed<'a>(self, TwoPin { v, i }: TwoPin<'a>) -> Ex<'a> {
        v - self.forward - self.on * (i - self.least_current())
    }

    /// Zero in mode 1 (closed) and in all others (open).
    pub fn law<'a>(self, e: &Writer<'a>, pins: TwoPin<'a>, state: Mode) -> Ex<'a> {
        let open = pins.i - self.leakage() * pins.v;
        e.if_mode(state, 1, self.closed(pins), open)
    }

    /// It holds its terminals together while it conducts.
    pub fn tie(self, e: &Writer<'_>, state: Mode, value: i8, p: ElectricalNode, n: ElectricalNode) {
        if self.off > 0.0 {
            e.tie(p, n);
        } else {
            e.tie_in(state, value, p, n);
        }
    }
}

/// The depletion layer of a junction as SPICE has it (Antognetti & Massobrio, *Semiconductor Device Modeling
/// with SPICE*, 1.4): C = C0 (1 - v/Vj)^-M below FC Vj, and its tangent above.
#[derive(Clone, Copy)]
pub(super) struct DepletionLayer {
    /// C0, F.
    pub capacitance: f64,
    /// Vj, V.
    pub potential: f64,
    /// M.
    pub grading: f64,
    /// FC.
    pub depletion: f64,
}

impl DepletionLayer {
    /// dQ/dt.
    pub fn current<'a>(self, e: &Writer<'a>, v: Ex<'a>) -> Ex<'a> {
        if self.capacitance == 0.0 { v.number(0.0) } else { self.slope(v) * e.rate(v) }
    }

    /// dQ/dv.
    fn slope(self, v: Ex<'_>) -> Ex<'_> {
        let Self { capacitance, potential, grading, depletion } = self;
        let limit = depletion * potential;
        let below = capacitance * (1.0 - v / potential).power(-grading);
        let slope = 1.0 - depletion * (1.0 + grading);
        let factor = capacitance * (1.0 - depletion).powf(-1.0 - grading);
        let above = factor * (slope + grading * (v / potential));
        (v - limit).if_positive(above, below)
    }
}
