//! One guard between events: its side, whether it is armed, its zero band.

use super::super::Side;

/// Half width of the zero band relative to a guard's scale: some fifty round-offs, as a guard is
/// typically a difference of a few states of its scale.
pub(super) const ZERO_BAND: f64 = 1e-14;

/// A guard on the wrong side by less than this, relative to its scale, may be there by what the modes count as zero: it
/// is watched on, because it means what it says if it goes farther.
const DOUBT: f64 = 1e-9;

/// Limit of the half width of the band of a guard that slides along zero, relative to the guard's scale: wide enough that
/// the run makes progress, narrow enough for the results (see [`GuardWatch::fire`]).
const SLIDING_BAND: f64 = 1e-5;
/// Alternating crossings without arming after which a guard counts as sliding.
const SLIDING_LIMIT: usize = 20;

/// State of one guard between events.
#[derive(Clone, Copy, Debug)]
pub(super) struct GuardWatch {
    pub side: Side,
    /// The guard has been clearly on its side since the last event.
    pub armed: bool,
    /// Half width of the zero band.
    pub band: f64,
    /// Shift of the root while unarmed: the band, twice the value for a guard that begins a little on the wrong side, or
    /// infinite for one that begins there.
    pub shift: f64,
    pub scale: f64,
    /// Level above which the guard is armed: the band, or twice the band if the band acts as a hysteresis that the guard has
    /// just crossed.
    clear: f64,
    /// Least half width of the band after the present event.
    pub next_band: f64,
    /// Direction of the last crossing.
    rising: bool,
    /// Consecutive crossings without arming, all in one direction: the guard never leaves zero.
    pub repetitions: usize,
    /// Consecutive crossings without arming, to and fro: the guard slides along zero.
    pub alternations: usize,
    /// Time of the first of the consecutive crossings.
    pub t_first: f64,
}

impl GuardWatch {
    /// A guard of scale one on its positive side.
    pub fn new() -> Self {
        Self {
            side: Side::Positive,
            armed: false,
            band: ZERO_BAND,
            shift: ZERO_BAND,
            scale: 1.0,
            clear: ZERO_BAND,
            next_band: 0.0,
            rising: false,
            repetitions: 0,
            alternations: 0,
            t_first: 0.0,
        }
    }

    /// Notes a crossing at `t` that left the value `g`.
    ///
    /// The value left by the bracket of a root is noise, whatever its size, so the band covers it. A guard that crosses without
    /// having been armed gets a band twice as wide. If the guard slides along zero because both modes drive it back, the band
    /// is a hysteresis that grows until the run makes progress; if the guard never leaves zero, the repetitions show it.
    pub fn fire(&mut self, t: f64, g: f64) {
        let rising = self.side == Side::Negative;
        if self.armed {
            self.forget();
            self.next_band = 2.0 * g.abs();
        } else {
            if self.repetitions + self.alternations == 0 {
                self.t_first = t;
            }
            if rising == self.rising {
                (self.repetitions, self.alternations) = (self.repetitions + 1, 0);
            } else {
                (self.repetitions, self.alternations) = (0, self.alternations + 1);
            }
            // A value beyond the band would put the guard to sleep on the wrong side.
            let wide = 2.0 * self.band.max(g.abs());
            self.next_band = wide.min(SLIDING_BAND * self.scale);
        }
        self.rising = rising;
    }

    /// True at every [`SLIDING_LIMIT`]-th event of a guard that slides along zero.
    pub fn is_sliding(&self) -> bool {
        self.alternations > 0 && self.alternations.is_multiple_of(SLIDING_LIMIT)
    }

    /// Ends the counts of crossings without arming.
    pub fn forget(&mut self) {
        self.repetitions = 0;
        self.alternations = 0;
    }

    /// Takes a side and a value after an event.
    pub fn rearm(&mut self, side: Side, g: f64) {
        self.side = side;
        self.band = (ZERO_BAND * self.scale).max(self.next_band);
        self.next_band = 0.0;
        let hysteresis = self.repetitions + self.alternations > 0;
        self.clear = if hysteresis { 2.0 * self.band } else { self.band };
        let r = side.sign() * g;
        self.armed = r > self.clear;
        self.shift = match () {
            () if r >= -self.band => self.band,
            () if r >= -DOUBT * self.scale => -2.0 * r,
            () => f64::INFINITY,
        };
    }

    /// The value whose sign is watched: positive until the guard crosses.
    pub fn reading(&self, g: f64) -> f64 {
        let r = self.side.sign() * g;
        if self.armed { r } else { r + self.shift }
    }

    pub fn arm_if_clear(&mut self, g: f64) {
        if self.side.sign() * g > self.clear {
            self.armed = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An event that changes nothing leaves the guard behind zero, each time farther than twice its band: it stays watched,
    /// and fires again when it has gone on.
    #[test]
    fn a_guard_that_nothing_answers_does_not_fall_asleep() {
        let mut watch = GuardWatch::new();
        watch.rearm(Side::Negative, -1.0);
        let mut g = 1e-15;
        for _ in 0..20 {
            watch.fire(0.0, g);
            watch.rearm(Side::Negative, g);
            assert!(watch.shift.is_finite() && watch.reading(g) >= 0.0, "{g:e}");
            assert!(watch.reading(10.0 * g) < 0.0, "{g:e}");
            g *= 2.9;
        }
    }
}
