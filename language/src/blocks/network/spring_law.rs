//! What torsion springs and linear springs have in common.

use crate::writing::{TwoFlange, Writer};

/// A spring with damper and backlash.
pub(super) struct Spring {
    /// c.
    pub stiffness: f64,
    /// d.
    pub damping: f64,
    /// Where it is relaxed.
    pub relaxed: f64,
    /// Half of the play.
    pub backlash: f64,
}

impl Spring {
    /// Writes the equations, and the signals `energy` and `state`.
    pub fn equations<'a>(&self, e: &Writer<'a>, TwoFlange { x, f }: TwoFlange<'a>) {
        let stretch = x - self.relaxed;
        let (stretch, state) = if self.backlash > 0.0 {
            let (inside, state) = e.clamp(stretch, [-self.backlash, self.backlash]);
            (stretch - inside, state)
        } else {
            (stretch, e.number(1.0))
        };
        let mut law = self.stiffness * stretch;
        if self.damping > 0.0 {
            law = law + self.damping * e.rate(x);
        }
        e.equal(f, law);
        e.signal("energy", 0.5 * self.stiffness * stretch * stretch);
        e.signal("state", state);
    }
}
