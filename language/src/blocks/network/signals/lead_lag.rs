//! A lead and a lag: k (Tn s + 1)/(Td s + 1); state x: Td x' + x = u, y = k (x + Tn (u - x)/Td).

use super::linear::Linear;
use super::{OUTPUT, SampledBlock, Sampling, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A lead and a lag.
    pub struct LeadLag {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        k: f64 = "k", Plus, Unit::None, Number(1.0), Any, "gain";
        lead: f64 = "Tn", Plus, Unit::Is("s"), Required, Any, "time constant of the numerator";
        lag: f64 = "Td", Plus, Unit::Is("s"), Required, Positive, "time constant of the denominator";
        initial: Option<f64> = "xinit", Plus, Unit::None, Absent("0"), Any, "state at the start";
    }
}

/// The table of the LeadLag block.
pub static LEAD_LAG: BlockSchema = element_schema(
    "LeadLag",
    "A lead and a lag: k (Tn s + 1)/(Td s + 1); state x: Td x' + x = u, y = k (x + Tn (u - x)/Td).",
    &[LeadLag::PARAMETERS, Sampling::PARAMETERS],
    &[OUTPUT],
);

impl LeadLag {
    fn linear(&self) -> Linear {
        let (rate, ratio) = (1.0 / self.lag, self.lead / self.lag);
        Linear::first_order([-rate, rate, self.k * (1.0 - ratio), self.k * ratio], self.initial)
    }
}

impl SignalBlock for LeadLag {
    fn equations(&self, e: &Writer<'_>) {
        let (_, y) = self.linear().write(e, &[e.time(&self.u)]);
        y.iter().for_each(|&y| e.signal("y", y));
    }
}

impl SampledBlock for LeadLag {
    fn sampled(&self, _: &Writer<'_>, period: f64) -> Option<SampledForm> {
        Some(self.linear().sampled(vec![self.u.clone()], period))
    }
}
