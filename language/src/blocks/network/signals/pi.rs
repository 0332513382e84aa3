//! A PI controller with limits and anti-windup: yd = k (u + x), y = clamp(yd), x' = u/Ti + Tw (y - yd).

use super::linear::Linear;
use super::{OUTPUT, SampledBlock, Sampling, SignalBlock, check_limits};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A PI controller.
    pub struct Pi {
        u: Program = "u", Plus, Unit::None, Required, Any, "control error";
        k: f64 = "k", Plus, Unit::None, Number(1.0), Any, "gain";
        reset: f64 = "Ti", Plus, Unit::Is("s"), Required, Positive, "reset time";
        initial: Option<f64> = "xinit", Plus, Unit::None, Absent("0"), Any, "state at the start";
        low: Option<f64> = "ymin", Plus, Unit::None, Absent("none"), Any, "lowest output";
        high: Option<f64> = "ymax", Plus, Unit::None, Absent("none"), Any, "highest output";
        back: Option<f64> = "Tw", Plus, Unit::None, Absent("1/(k Ti)"), NotNegative, "what leads the state back while the output is limited";
    }
}

/// The table of the PI block.
pub static PI: BlockSchema = element_schema(
    "PI",
    "A PI controller with limits and anti-windup: yd = k (u + x), y = clamp(yd), x' = u/Ti + Tw (y - yd).",
    &[Pi::PARAMETERS, Sampling::PARAMETERS],
    &[OUTPUT],
);

impl Pi {
    fn linear(&self) -> Linear {
        Linear::first_order([0.0, 1.0 / self.reset, self.k, self.k], self.initial)
    }

    fn back(&self) -> f64 {
        self.back.unwrap_or(1.0 / (self.k * self.reset))
    }
}

impl SignalBlock for Pi {
    fn equations(&self, e: &Writer<'_>) {
        check_limits(e, ["ymin", "ymax"], self.low, self.high);
        let limits = [self.low, self.high];
        e.signal("y", self.linear().write_limited(e, e.time(&self.u), limits, self.back()));
    }
}

impl SampledBlock for Pi {
    fn sampled(&self, e: &Writer<'_>, period: f64) -> Option<SampledForm> {
        check_limits(e, ["ymin", "ymax"], self.low, self.high);
        let limits = [self.low, self.high];
        Some(self.linear().sampled_limited(&self.u, period, limits, self.back()))
    }
}
