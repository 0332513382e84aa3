//! A sampler that holds its value: y := u at the instants of a clock or when a condition becomes true.
//!
//! `Quantum`, `ymin` and `ymax` make it an analogue-digital converter: of 12 bits over 0 to 10 V it has
//! `Quantum = 10/2^12`, `ymin = 0`, `ymax = 10 - 10/2^12`.

use std::sync::Arc;

use super::laws::HoldLaw;
use super::{OUTPUT, SignalBlock, check_limits};
use crate::blocks::network::element_schema;
use crate::codes;
use crate::element::BlockSchema;
use crate::reading::fields::Condition;
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::Writer;
use equations::discrete::EventLaw;
use equations::expression::Program;

parameters! {
    /// A sampler that holds its value.
    pub struct SampleHold {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        period: Option<f64> = "Tsample", Plus, Unit::Is("s"), Absent("none, then Trigger is needed"), Positive, "period";
        offset: f64 = "Toffset", Plus, Unit::Is("s"), Number(0.0), NotNegative, "first instant after the start";
        trigger: Option<Condition> = "Trigger", Plus, Unit::None, Absent("none, then Tsample is needed"), Any, "samples when it becomes true";
        initial: f64 = "yinit", Plus, Unit::None, Number(0.0), Any, "output before the first instant";
        quantum: f64 = "Quantum", Plus, Unit::None, Number(0.0), NotNegative, "output is a multiple of this; 0 does not round";
        low: Option<f64> = "ymin", Plus, Unit::None, Absent("none"), Any, "lowest output";
        high: Option<f64> = "ymax", Plus, Unit::None, Absent("none"), Any, "highest output";
    }
}

/// The table of the SampleHold block.
pub static SAMPLE_HOLD: BlockSchema = element_schema(
    "SampleHold",
    "A sampler that holds its value: y := u at instants or when a condition becomes true; with Quantum an analogue-digital converter.",
    &[SampleHold::PARAMETERS],
    &[OUTPUT],
);

/// Samples when the condition becomes true.
#[derive(Debug)]
struct Triggered(HoldLaw);

impl EventLaw for Triggered {
    fn act(&self, now: &[f64], before: &[f64], u: &[f64], y: &mut [f64]) -> Result<(), String> {
        if now[0] > before[0] {
            y.fill(self.0.value(u[0]));
        }
        Ok(())
    }
}

impl SignalBlock for SampleHold {
    fn equations(&self, e: &Writer<'_>) {
        check_limits(e, ["ymin", "ymax"], self.low, self.high);
        let law = HoldLaw { quantum: self.quantum, limits: [self.low, self.high] };
        match (self.period, &self.trigger) {
            (Some(period), None) => {
                let form = SampledForm {
                    inputs: vec![self.u.clone()],
                    initial: Vec::new(),
                    outputs: 1,
                    before: Some(self.initial),
                    feeds_through: true,
                    law: Arc::new(law),
                };
                let (_, y) = e.registers().sampled(form, [period, self.offset]);
                y.iter().for_each(|&y| e.signal("y", y));
            }
            (None, Some(trigger)) => {
                let (registers, y) = e.registers().remembered(&[self.initial]);
                e.signal("y", y[0]);
                let (inputs, law) = ([self.u.clone()], Arc::new(Triggered(law)));
                e.registers().watch(&[e.condition(trigger)], &inputs, registers, law);
            }
            (None, None) => e.missing("Tsample", "the period, or `Trigger`, the condition"),
            (Some(_), Some(_)) => {
                let help = "keep one of them";
                e.mistake(codes::CONFLICT, "has both `Tsample` and `Trigger`", help);
            }
        }
    }
}
