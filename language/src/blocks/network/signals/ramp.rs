//! A ramp: rises by Amplitude in Duration from Tbegin on, and stays.

use super::{OUTPUT, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::Writer;
use equations::expression::{Formula, Program};

parameters! {
    /// A ramp.
    pub struct Ramp {
        amplitude: f64 = "Amplitude", Plus, Unit::None, Number(1.0), Any, "rise";
        duration: f64 = "Duration", Plus, Unit::Is("s"), Required, Positive, "how long it rises";
        offset: f64 = "Offset", Plus, Unit::None, Number(0.0), Any, "added to it";
        begin: f64 = "Tbegin", Plus, Unit::Is("s"), Number(0.0), Any, "when it begins";
    }
}

/// The table of the Ramp block.
pub static RAMP: BlockSchema = element_schema(
    "Ramp",
    "A ramp: rises by Amplitude in Duration from Tbegin on, and stays.",
    &[Ramp::PARAMETERS],
    &[OUTPUT],
);

impl Ramp {
    /// The output as a function of time.
    fn program(&self) -> Program {
        let since = (Formula::time() - self.begin).clamp(0.0, self.duration);
        (self.offset + self.amplitude / self.duration * since).program()
    }
}

impl SignalBlock for Ramp {
    fn equations(&self, e: &Writer<'_>) {
        e.signal("y", e.time(&self.program()));
    }

    fn of_time(&self, _: &str) -> Option<Program> {
        Some(self.program())
    }
}
