//! Functions of time of sources, and gates of switches: as numbers and as expressions of a model.

/// A function of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wave {
    /// Does not change.
    Constant(f64),
    /// offset + amplitude sin(2 pi frequency t + phase).
    Sine {
        /// Amplitude.
        amplitude: f64,
        /// Frequency, Hz.
        frequency: f64,
        /// Phase, rad.
        phase: f64,
        /// Mean.
        offset: f64,
    },
    /// `high` while the gate is on, otherwise `low`.
    Pulse {
        /// Value while off.
        low: f64,
        /// Value while on.
        high: f64,
        /// When it is on.
        gate: Gate,
    },
}

/// On while mod(t + shift, period) < on, or the opposite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// Period, s.
    pub period: f64,
    /// Length of the first part of a period, s.
    pub on: f64,
    /// Shift to earlier times, s, not negative.
    pub shift: f64,
    /// Is it on in the second part instead?
    pub inverted: bool,
}

impl Gate {
    /// Is it on?
    pub fn is_on(&self, t: f64) -> bool {
        ((t + self.shift).rem_euclid(self.period) < self.on) != self.inverted
    }

    /// When it changes before `end`.
    pub fn edges(&self, end: f64) -> Vec<f64> {
        let first = (self.shift / self.period).floor() as i64;
        let last = ((end + self.shift) / self.period).ceil() as i64;
        let starts = (first..=last).map(|k| k as f64 * self.period - self.shift);
        starts.flat_map(|t| [t, t + self.on]).filter(|&t| t > 0.0 && t < end).collect()
    }

    /// As a condition of a model.
    pub fn text(&self) -> String {
        let Gate { period, on, shift, inverted } = *self;
        let sign = if inverted { ">=" } else { "<" };
        format!("mod(t + {shift:?}, {period:?}) {sign} {on:?}")
    }
}

impl Wave {
    /// Its value at `t`, with gates as they are at `within`, a time in the same stretch between edges.
    pub fn value(&self, t: f64, within: f64) -> f64 {
        match *self {
            Wave::Constant(value) => value,
            Wave::Sine { amplitude, frequency, phase, offset } => {
                offset + amplitude * (std::f64::consts::TAU * frequency * t + phase).sin()
            }
            Wave::Pulse { low, high, gate } => {
                if gate.is_on(within) {
                    high
                } else {
                    low
                }
            }
        }
    }

    /// How often it repeats itself smoothly.
    pub fn period(&self) -> Option<f64> {
        match *self {
            Wave::Sine { frequency, .. } => Some(1.0 / frequency),
            _ => None,
        }
    }

    /// Its largest magnitude.
    pub fn size(&self) -> f64 {
        match *self {
            Wave::Constant(value) => value.abs(),
            Wave::Sine { amplitude, offset, .. } => amplitude.abs() + offset.abs(),
            Wave::Pulse { low, high, .. } => low.abs().max(high.abs()),
        }
    }

    /// As an expression of a model.
    pub fn text(&self) -> String {
        match *self {
            Wave::Constant(value) => format!("{value:?}"),
            Wave::Sine { amplitude, frequency, phase, offset } => {
                format!("{offset:?} + {amplitude:?}*sin(2*pi*{frequency:?}*t + {phase:?})")
            }
            Wave::Pulse { low, high, gate } => format!("if({}, {high:?}, {low:?})", gate.text()),
        }
    }
}
