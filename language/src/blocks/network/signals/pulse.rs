//! Pulses: Offset + Amplitude in the first part of each period, Offset in the rest and before Tbegin.

use super::{OUTPUT, SignalBlock, periodic};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// Pulses.
    pub struct Pulse {
        amplitude: f64 = "Amplitude", Plus, Unit::None, Number(1.0), Any, "height";
        period: f64 = "Period", Plus, Unit::Is("s"), Required, Positive, "period";
        duty: f64 = "Duty", Plus, Unit::None, Number(0.5), Between(0.0, 1.0), "part of the period that it is on";
        offset: f64 = "Offset", Plus, Unit::None, Number(0.0), Any, "added to it";
        begin: f64 = "Tbegin", Plus, Unit::Is("s"), Number(0.0), Any, "when it begins";
        count: u32 = "Count", Plus, Unit::None, Number(0.0), Any, "number of periods; 0 is endless";
    }
}

/// The table of the Pulse block.
pub static PULSE: BlockSchema = element_schema(
    "Pulse",
    "Pulses: Offset + Amplitude in the first part of each period, Offset in the rest and before Tbegin.",
    &[Pulse::PARAMETERS],
    &[OUTPUT],
);

impl Pulse {
    /// The output as a function of time.
    fn program(&self) -> Program {
        let (since, active) = periodic(self.period, self.begin, self.count);
        let on = match self.duty {
            // The end of the period is that of the pulse: nothing happens there.
            1.0 => active,
            duty => active * since.below(duty * self.period),
        };
        (self.offset + self.amplitude * on).program()
    }
}

impl SignalBlock for Pulse {
    fn equations(&self, e: &Writer<'_>) {
        e.signal("y", e.time(&self.program()));
    }

    fn of_time(&self, _: &str) -> Option<Program> {
        Some(self.program())
    }
}
