//! A PID controller with a lag on its derivative, limits and anti-windup.
//!
//! k (1 + 1/(Ti s) + Td s)/((Td/N) s + 1) as x1' = x2, x2' = (u/Ti - x2) N/Td + Tw (y - yd),
//! yd = k (x1 + (1 - N) Ti x2 + N u), y = clamp(yd) (Otter, dissertation, chapter 6).

use super::linear::Linear;
use super::{OUTPUT, SampledBlock, Sampling, SignalBlock, check_limits};
use crate::blocks::network::element_schema;
use crate::codes;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::Writer;
use equations::expression::Program;

parameters! {
    /// A PID controller.
    pub struct Pid {
        u: Program = "u", Plus, Unit::None, Required, Any, "control error";
        k: f64 = "k", Plus, Unit::None, Number(1.0), Any, "gain";
        reset: f64 = "Ti", Plus, Unit::Is("s"), Required, Positive, "reset time";
        derivative: f64 = "Td", Plus, Unit::Is("s"), Required, Positive, "derivative time";
        n: f64 = "N", Plus, Unit::None, Number(10.0), Positive, "the lag is Td/N";
        first: Option<f64> = "x1init", Plus, Unit::None, Absent("0"), Any, "first state at the start";
        second: Option<f64> = "x2init", Plus, Unit::None, Absent("0"), Any, "second state at the start";
        low: Option<f64> = "ymin", Plus, Unit::None, Absent("none"), Any, "lowest output";
        high: Option<f64> = "ymax", Plus, Unit::None, Absent("none"), Any, "highest output";
        back: Option<f64> = "Tw", Plus, Unit::None, Absent("N/(k Ti Td)"), NotNegative, "what leads the second state back while the output is limited";
    }
}

/// The table of the PID block.
pub static PID: BlockSchema = element_schema(
    "PID",
    "A PID controller with a lag on its derivative, limits and anti-windup: k (1 + 1/(Ti s) + Td s)/((Td/N) s + 1).",
    &[Pid::PARAMETERS, Sampling::PARAMETERS],
    &[OUTPUT],
);

impl Pid {
    fn linear(&self) -> Linear {
        let rate = self.n / self.derivative;
        Linear {
            a: vec![0.0, 1.0, 0.0, -rate],
            b: vec![0.0, rate / self.reset],
            c: vec![self.k, self.k * (1.0 - self.n) * self.reset],
            d: vec![self.k * self.n],
            initial: vec![self.first, self.second],
        }
    }

    fn back(&self) -> f64 {
        self.back.unwrap_or(self.n / (self.k * self.reset * self.derivative))
    }

    /// While the output is limited the states obey
    ///
    /// ```text
    /// x1'' + (N/Td - Tw k (N - 1) Ti) x1' + Tw k x1 = ...
    /// ```
    ///
    /// which runs away where the damping is not positive. With the default of `Tw` that is so from N = 2 on.
    fn check_back(&self, e: &Writer<'_>) {
        let rate = self.n / self.derivative;
        let (gain, back) = (self.k * (self.n - 1.0) * self.reset, self.back());
        if self.low.or(self.high).is_some() && rate - back * gain <= 0.0 {
            // Critical damping: x'' + 2 w x' + w^2 x with w^2 = Tw k.
            let w = rate / (1.0 + (1.0 + rate * (self.n - 1.0) * self.reset).sqrt());
            let words = format!(
                "runs away while its output is limited, because `Tw` = {} is too large",
                short(back)
            );
            let help = format!(
                "`Tw` must be below N/(k (N - 1) Ti Td) = {}; `Tw = {};` is damped critically",
                short(rate / gain),
                short(w * w / self.k)
            );
            e.mistake(codes::RUNS_AWAY, &words, &help);
        }
    }
}

/// Three digits.
fn short(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

impl SignalBlock for Pid {
    fn equations(&self, e: &Writer<'_>) {
        check_limits(e, ["ymin", "ymax"], self.low, self.high);
        self.check_back(e);
        let limits = [self.low, self.high];
        e.signal("y", self.linear().write_limited(e, e.time(&self.u), limits, self.back()));
    }
}

impl SampledBlock for Pid {
    fn sampled(&self, e: &Writer<'_>, period: f64) -> Option<SampledForm> {
        check_limits(e, ["ymin", "ymax"], self.low, self.high);
        self.check_back(e);
        let limits = [self.low, self.high];
        Some(self.linear().sampled_limited(&self.u, period, limits, self.back()))
    }
}
