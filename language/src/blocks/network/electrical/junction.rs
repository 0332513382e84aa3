//! What diodes and transistors share: the charge of a depletion layer.

use crate::writing::Writer;
use equations::expr::Ex;

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
        match (self.capacitance, self.grading) {
            (0.0, _) => v.number(0.0),
            (constant, 0.0) => e.rate(constant * v),
            _ => self.slope(v) * e.rate(v),
        }
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
