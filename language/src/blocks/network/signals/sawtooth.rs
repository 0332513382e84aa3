//! A sawtooth: Offset + Amplitude tau/Period, tau since the last period began; Offset before Tbegin.

use super::{OUTPUT, SignalBlock, periodic};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A sawtooth.
    pub struct Sawtooth {
        amplitude: f64 = "Amplitude", Plus, Unit::None, Number(1.0), Any, "height at the end of a period";
        period: f64 = "Period", Plus, Unit::Is("s"), Required, Positive, "period";
        offset: f64 = "Offset", Plus, Unit::None, Number(0.0), Any, "added to it";
        begin: f64 = "Tbegin", Plus, Unit::Is("s"), Number(0.0), Any, "when it begins";
        count: u32 = "Count", Plus, Unit::None, Number(0.0), Any, "number of periods; 0 is endless";
    }
}

/// The table of the Sawtooth block.
pub static SAWTOOTH: BlockSchema = element_schema(
    "Sawtooth",
    "A sawtooth: Offset + Amplitude tau/Period, tau since the last period began; Offset before Tbegin.",
    &[Sawtooth::PARAMETERS],
    &[OUTPUT],
);

impl Sawtooth {
    /// The output as a function of time.
    fn program(&self) -> Program {
        let (since, active) = periodic(self.period, self.begin, self.count);
        (self.offset + self.amplitude / self.period * (active * since)).program()
    }
}

impl SignalBlock for Sawtooth {
    fn equations(&self, e: &Writer<'_>) {
        e.signal("y", e.time(&self.program()));
    }

    fn of_time(&self, _: &str) -> Option<Program> {
        Some(self.program())
    }
}
