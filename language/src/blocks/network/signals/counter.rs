//! A counter: y grows by Step each time the condition becomes true.

use std::sync::Arc;

use super::{OUTPUT, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::fields::Condition;
use crate::reading::{Group, parameters};
use crate::writing::Writer;
use equations::discrete::EventLaw;

parameters! {
    /// A counter.
    pub struct Counter {
        trigger: Condition = "Trigger", Plus, Unit::None, Required, Any, "counts when it becomes true";
        reset: Condition = "Reset", Plus, Unit::None, Word("no"), Any, "puts y back to yinit while it is true";
        initial: f64 = "yinit", Plus, Unit::None, Number(0.0), Any, "output at the start";
        step: f64 = "Step", Plus, Unit::None, Number(1.0), Any, "what is added";
    }
}

/// The table of the Counter block.
pub static COUNTER: BlockSchema = element_schema(
    "Counter",
    "A counter: y grows by Step each time Trigger becomes true; Reset puts it back.",
    &[Counter::PARAMETERS],
    &[OUTPUT],
);

#[derive(Debug)]
struct Counting {
    initial: f64,
    step: f64,
}

impl EventLaw for Counting {
    fn act(&self, now: &[f64], before: &[f64], _: &[f64], y: &mut [f64]) -> Result<(), String> {
        if now[1] > 0.5 {
            y[0] = self.initial;
        } else if now[0] > before[0] {
            y[0] += self.step;
        }
        Ok(())
    }
}

impl SignalBlock for Counter {
    fn equations(&self, e: &Writer<'_>) {
        let (registers, y) = e.registers().remembered(&[self.initial]);
        e.signal("y", y[0]);
        let watched = [e.condition(&self.trigger), e.condition(&self.reset)];
        let law = Counting { initial: self.initial, step: self.step };
        e.registers().watch(&watched, &[], registers, Arc::new(law));
    }
}
