//! Instants of sampled blocks: t_k = start + k T, as products and not as sums.

/// Instants closer than this many units of round-off are the same.
const SAME_INSTANT: f64 = 8.0 * f64::EPSILON;
/// Ratios of periods are looked for among fractions with denominators up to this.
const LARGEST_RATIO: f64 = 1e6;

/// Equidistant instants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// The first instant, s.
    pub start: f64,
    /// The period, s.
    pub period: f64,
}

/// Are two instants the same but for rounding?
pub fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME_INSTANT * a.abs().max(b.abs())
}

/// A time just before an instant, by more than the distance at which two instants count as one.
pub fn just_before(t: f64) -> f64 {
    t - 2.0 * SAME_INSTANT * t.abs()
}

impl Clock {
    /// The instant of a number.
    pub fn at(self, k: f64) -> f64 {
        self.start + k * self.period
    }

    /// The number of the last instant up to `t`; below 0 before the first.
    pub fn count(self, t: f64) -> f64 {
        let k = ((t - self.start) / self.period).floor();
        // The quotient may be off by one in its last digit.
        if t >= self.at(k + 1.0) || same(t, self.at(k + 1.0)) { k + 1.0 } else { k }
    }

    /// The first instant behind `t`.
    pub fn next(self, t: f64) -> f64 {
        self.at((self.count(t) + 1.0).max(0.0))
    }

    /// Do instants of both coincide at some time?
    pub fn meets(self, other: Self) -> bool {
        // T1/T2 = p/q: instants are multiples of g = T2/q, and all residues of the distance modulo g are met.
        let Some(q) = denominator(self.period / other.period) else { return false };
        let steps = (self.start - other.start) / (other.period / q);
        (steps - steps.round()).abs() <= 1e-6
    }
}

/// The denominator of a ratio as a fraction of small numbers (continued fractions).
fn denominator(ratio: f64) -> Option<f64> {
    let (mut x, mut before, mut q) = (ratio, 0.0, 1.0);
    loop {
        if (ratio * q - (ratio * q).round()).abs() <= 1e-9 * q {
            return Some(q);
        }
        x = 1.0 / (x - x.floor());
        (before, q) = (q, x.floor() * q + before);
        if !q.is_finite() || q > LARGEST_RATIO {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_products() {
        let clock = Clock { start: 0.5, period: 0.1 };
        assert_eq!(clock.count(0.4), -1.0);
        assert_eq!(clock.next(0.4), 0.5);
        let mut t = 0.0;
        for k in 0..10_000 {
            t = clock.next(t);
            assert_eq!(t, 0.5 + f64::from(k) * 0.1);
            assert_eq!(clock.count(t), f64::from(k));
        }
    }

    #[test]
    fn clocks_meet_where_their_instants_coincide() {
        let clock = |start, period| Clock { start, period };
        assert!(clock(0.0, 0.1).meets(clock(0.0, 0.3)));
        assert!(clock(0.0, 0.2).meets(clock(0.1, 0.3)));
        assert!(!clock(0.0, 0.2).meets(clock(0.1, 0.2)));
        assert!(!clock(0.0, 0.2).meets(clock(0.1, 0.4)));
        assert!(clock(0.0, 0.008).meets(clock(0.004, 0.001)));
    }
}
