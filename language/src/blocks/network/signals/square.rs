//! A square wave: Offset + Amplitude in the first half of each period, Offset - Amplitude in the second, Offset before Tbegin.

use super::{OUTPUT, SignalBlock, periodic};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A square wave.
    pub struct Square {
        amplitude: f64 = "Amplitude", Plus, Unit::None, Number(1.0), Any, "amplitude";
        period: f64 = "Period", Plus, Unit::Is("s"), Required, Positive, "period";
        offset: f64 = "Offset", Plus, Unit::None, Number(0.0), Any, "added to it";
        begin: f64 = "Tbegin", Plus, Unit::Is("s"), Number(0.0), Any, "when it begins";
        count: u32 = "Count", Plus, Unit::None, Number(0.0), Any, "number of periods; 0 is endless";
    }
}

/// The table of the Square block.
pub static SQUARE: BlockSchema = element_schema(
    "Square",
    "A square wave: Offset + Amplitude in the first half of each period, Offset - Amplitude in the second, Offset before Tbegin.",
    &[Square::PARAMETERS],
    &[OUTPUT],
);

impl Square {
    /// The output as a function of time.
    fn program(&self) -> Program {
        let (since, active) = periodic(self.period, self.begin, self.count);
        let sign = 2.0 * since.below(0.5 * self.period) - 1.0;
        (self.offset + self.amplitude * (active * sign)).program()
    }
}

impl SignalBlock for Square {
    fn equations(&self, e: &Writer<'_>) {
        e.signal("y", e.time(&self.program()));
    }

    fn of_time(&self, _: &str) -> Option<Program> {
        Some(self.program())
    }
}
