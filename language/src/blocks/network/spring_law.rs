//! What torsion springs and linear springs have in common.

use crate::sketch::{ElementKind, Reading, Sketch, Start, Value};
use crate::writing::{Flange, TwoFlange, Writer};

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

    /// A compliance and a resistor, which have the speed in common.
    pub fn sketch<F: Flange>(&self, s: &mut Sketch<'_>, (a, b): (F, F)) {
        let mut spot = s.sink(b, a);
        let (is_elastic, is_damped) = (self.stiffness > 0.0, self.damping > 0.0);
        if is_elastic && is_damped {
            spot = s.behind(spot, "w");
        }
        let rotates = F::SIGNALS[0] == "phi";
        let readings = |both: [&'static [Reading]; 2]| both[usize::from(!rotates)];
        if is_elastic {
            let (c, play) = (self.stiffness, self.backlash);
            let value = match play > 0.0 {
                true => Value::law(format!(
                    "if(@.q > {play:?}, {c:?}*(@.q - {play:?}), if(@.q < -{play:?}, {c:?}*(@.q + {play:?}), 0))"
                )),
                false => Value::number(1.0 / c),
            };
            let (suffix, signals) = match is_damped {
                true => ("c", readings([SPEED_OF_SHAFT, SPEED_OF_ROD])),
                false => ("", readings([SPRING_OF_SHAFT, SPRING_OF_ROD])),
            };
            s.one((ElementKind::C, suffix), value, spot, signals);
            s.starts(Start::of(F::SIGNALS[0], 1.0, -self.relaxed));
        }
        if is_damped {
            let (suffix, signals): (_, &[Reading]) = match is_elastic {
                true => ("d", &[]),
                false => ("", readings([SPRING_OF_SHAFT, SPRING_OF_ROD])),
            };
            s.one((ElementKind::R, suffix), Value::number(self.damping), spot, signals);
        }
        if !is_elastic && !is_damped {
            s.one((ElementKind::Se, ""), Value::number(0.0), spot, &[]);
        }
    }
}

const SPEED_OF_SHAFT: &[Reading] = &[("w", "@.f")];
const SPEED_OF_ROD: &[Reading] = &[("v", "@.f")];
const SPRING_OF_SHAFT: &[Reading] = &[("w", "@.f"), ("tau", "@.e"), ("power", "@.power")];
const SPRING_OF_ROD: &[Reading] = &[("v", "@.f"), ("f", "@.e"), ("power", "@.power")];
