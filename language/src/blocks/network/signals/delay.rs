//! A dead time: y(t) = u(t - T).

use super::{OUTPUT, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A dead time.
    pub struct Delay {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        delay: f64 = "T", Plus, Unit::Is("s"), Required, Positive, "how long it takes";
        initial: Option<f64> = "yinit", Plus, Unit::None, Absent("u at the start"), Any, "output until the start has come through";
    }
}

/// The table of the Delay block.
pub static DELAY: BlockSchema = element_schema(
    "Delay",
    "A dead time: y(t) = u(t - T); jumps of u are events again T later.",
    &[Delay::PARAMETERS],
    &[OUTPUT],
);

impl SignalBlock for Delay {
    fn equations(&self, e: &Writer<'_>) {
        e.signal("y", e.registers().delayed(e.time(&self.u), self.delay, self.initial));
    }
}
