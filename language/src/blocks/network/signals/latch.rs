//! A latch: y becomes 1 while Set is true and 0 while Reset is, and stays otherwise.

use std::sync::Arc;

use super::{OUTPUT, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::fields::Condition;
use crate::reading::{Group, parameters};
use crate::writing::Writer;
use equations::discrete::EventLaw;

parameters! {
    /// A latch.
    pub struct Latch {
        set: Condition = "Set", Plus, Unit::None, Required, Any, "y becomes 1";
        reset: Condition = "Reset", Plus, Unit::None, Required, Any, "y becomes 0; wins over Set";
        initial: f64 = "yinit", Plus, Unit::None, Number(0.0), Between(0.0, 1.0), "output at the start, 0 or 1";
    }
}

/// The table of the Latch block.
pub static LATCH: BlockSchema = element_schema(
    "Latch",
    "A latch: y becomes 1 while Set is true and 0 while Reset is, and stays otherwise.",
    &[Latch::PARAMETERS],
    &[OUTPUT],
);

/// Takes one of two values while its condition is true; the second wins.
#[derive(Debug)]
pub(crate) struct Remembering {
    pub first: f64,
    pub second: f64,
    /// At the start, if neither condition is true.
    pub initial: f64,
}

impl EventLaw for Remembering {
    fn act(&self, now: &[f64], _: &[f64], _: &[f64], y: &mut [f64]) -> Result<(), String> {
        if now[1] > 0.5 {
            y[0] = self.second;
        } else if now[0] > 0.5 {
            y[0] = self.first;
        }
        Ok(())
    }

    /// What is true at the start is no event: nothing that looks at the output sees it change. The values that lead here
    /// may be those of a pass before the solution, so that none of them is remembered.
    fn begin(&self, now: &[f64], y: &mut [f64]) -> Result<(), String> {
        y[0] = self.initial;
        self.act(now, now, &[], y)
    }
}

impl SignalBlock for Latch {
    fn equations(&self, e: &Writer<'_>) {
        let initial = f64::from(self.initial > 0.5);
        let (registers, y) = e.registers().remembered(&[initial]);
        e.signal("y", y[0]);
        let watched = [e.condition(&self.set), e.condition(&self.reset)];
        let law = Remembering { first: 1.0, second: 0.0, initial };
        e.registers().watch(&watched, &[], registers, Arc::new(law));
    }
}
