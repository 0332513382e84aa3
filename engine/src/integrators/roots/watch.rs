//! One guard between events: its side, whether it is armed, its zero band.

use super::super::Side;

/// Half width of the zero band relative to a guard's scale: some fifty round-offs, as a guard is
/// typically a difference of a few states of its scale.
pub(super) const ZERO_BAND: f64 = 1e-14;

/// State of one guard between events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    pub side: Side,
    /// The guard has been clearly on its side since the last event.
    pub armed: bool,
    /// Half width of the zero band.
    pub band: f64,
    /// Shift of the root while unarmed: the band, or infinite for a guard that is not on its side.
    pub shift: f64,
    pub scale: f64,
    /// What the bracket of the root just found left over: noise, whatever its size.
    pub residue: f64,
    /// Consecutive events without arming, and the time of the first.
    pub unarmed_events: usize,
    pub t_first: f64,
}

impl Watch {
    /// Positive while nothing happens.
    pub fn reading(&self, g: f64) -> f64 {
        let r = self.side.sign() * g;
        if self.armed { r } else { r + self.shift }
    }

    pub fn arm_if_clear(&mut self, g: f64) {
        if self.side.sign() * g > self.band {
            self.armed = true;
        }
    }
}
