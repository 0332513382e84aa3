//! A sine from Tbegin on: Offset + Amplitude exp(-Damping tau) sin(2 pi Frequency tau + Phase), tau = t - Tbegin.

use super::{OUTPUT, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::Writer;
use equations::expression::{Formula, Program};

parameters! {
    /// A sine.
    pub struct Sine {
        amplitude: f64 = "Amplitude", Plus, Unit::None, Number(1.0), Any, "amplitude";
        frequency: f64 = "Frequency", Plus, Unit::Is("Hz"), Required, Any, "frequency";
        phase: f64 = "Phase", Plus, Unit::Is("rad"), Number(0.0), Any, "angle at its beginning";
        offset: f64 = "Offset", Plus, Unit::None, Number(0.0), Any, "added to it";
        begin: f64 = "Tbegin", Plus, Unit::Is("s"), Number(0.0), Any, "when it begins";
        damping: f64 = "Damping", Plus, Unit::Is("1/s"), Number(0.0), Any, "rate at which it decays";
    }
}

/// The table of the Sine block.
pub static SINE: BlockSchema = element_schema(
    "Sine",
    "A sine from Tbegin on: Offset + Amplitude exp(-Damping tau) sin(2 pi Frequency tau + Phase), tau = t - Tbegin.",
    &[Sine::PARAMETERS],
    &[OUTPUT],
);

impl Sine {
    /// The output as a function of time.
    fn program(&self) -> Program {
        // Before the beginning the time counts as zero, so that nothing overflows.
        let since = || (Formula::time() - self.begin).call("max", &[0.0]);
        let angle = std::f64::consts::TAU * self.frequency * since() + self.phase;
        let wave = self.amplitude * angle.call("sin", &[]);
        let decayed = match self.damping {
            0.0 => wave,
            damping => wave * (-damping * since()).call("exp", &[]),
        };
        (self.offset + Formula::time().at_least(self.begin) * decayed).program()
    }
}

impl SignalBlock for Sine {
    fn equations(&self, e: &Writer<'_>) {
        e.signal("y", e.time(&self.program()));
    }

    fn of_time(&self, _: &str) -> Option<Program> {
        Some(self.program())
    }
}
