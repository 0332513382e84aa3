//! A limiter of the slope: y' = clamp((u - y)/T, Rmin, Rmax).

use super::{OUTPUT, SignalBlock, check_limits};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::{Operand, Writer};
use equations::expression::Program;

parameters! {
    /// A limiter of the slope.
    pub struct RateLimiter {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        high: f64 = "Rmax", Plus, Unit::None, Required, Positive, "steepest rise";
        low: Option<f64> = "Rmin", Plus, Unit::None, Absent("-Rmax"), Any, "steepest fall, negative";
        lag: f64 = "T", Plus, Unit::Is("s"), Number(1e-3), Positive, "time constant with which it follows inside the limits";
        initial: Option<f64> = "yinit", Plus, Unit::None, Absent("u at the start"), Any, "output at the start";
    }
}

/// The table of the RateLimiter block.
pub static RATE_LIMITER: BlockSchema = element_schema(
    "RateLimiter",
    "A limiter of the slope: y' = clamp((u - y)/T, Rmin, Rmax).",
    &[RateLimiter::PARAMETERS],
    &[OUTPUT],
);

impl SignalBlock for RateLimiter {
    fn equations(&self, e: &Writer<'_>) {
        let low = self.low.unwrap_or(-self.high);
        check_limits(e, ["Rmin", "Rmax"], Some(low), Some(self.high));
        let u = e.time(&self.u);
        let y = match self.initial {
            Some(_) => e.state("y", self.initial),
            None => e.state_from("y", u),
        };
        let wanted = (u - y) / self.lag;
        e.equal(e.rate(y), Operand::of(e, wanted).limited(e, wanted, [Some(low), Some(self.high)]));
        e.signal("y", y);
    }
}
