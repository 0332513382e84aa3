//! A step: Offset, and from Tbegin on Offset + Amplitude.

use super::{OUTPUT, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::Writer;
use equations::expression::{Formula, Program};

parameters! {
    /// A step.
    pub struct Step {
        amplitude: f64 = "Amplitude", Plus, Unit::None, Number(1.0), Any, "height";
        offset: f64 = "Offset", Plus, Unit::None, Number(0.0), Any, "added to it";
        begin: f64 = "Tbegin", Plus, Unit::Is("s"), Number(0.0), Any, "when it begins";
    }
}

/// The table of the Step block.
pub static STEP: BlockSchema = element_schema(
    "Step",
    "A step: Offset, and from Tbegin on Offset + Amplitude.",
    &[Step::PARAMETERS],
    &[OUTPUT],
);

impl Step {
    /// The output as a function of time.
    fn program(&self) -> Program {
        let on = Formula::time().at_least(self.begin);
        (self.offset + self.amplitude * on).program()
    }
}

impl SignalBlock for Step {
    fn equations(&self, e: &Writer<'_>) {
        e.signal("y", e.time(&self.program()));
    }

    fn of_time(&self, _: &str) -> Option<Program> {
        Some(self.program())
    }
}
