//! The ideal valve: a diode, or a check valve with pressure for voltage and flow for current.

use crate::writing::{Mode, Terminal, TwoPin, Writer};
use equations::expr::Ex;

/// An ideal valve, G = 1/Roff: open i = G v, closed v = Vf + Ron (i - G Vf).
#[derive(Clone, Copy)]
pub(in crate::blocks::network) struct Valve {
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
    pub fn tie(self, e: &Writer<'_>, state: Mode, value: i8, p: impl Terminal, n: impl Terminal) {
        if self.off > 0.0 {
            e.tie(p, n);
        } else {
            e.tie_in(state, value, p, n);
        }
    }
}
