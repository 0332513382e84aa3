//! An integrator: y' = k u; at a limit y' = 0 until u turns.

use std::sync::Arc;

use super::laws::IntegratorLaw;
use super::linear::Linear;
use super::{OUTPUT, SampledBlock, Sampling, SignalBlock, check_limits};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::{Operand, Writer};
use equations::expr::Ex;
use equations::expression::Program;

parameters! {
    /// An integrator.
    pub struct Integrator {
        u: Program = "u", Plus, Unit::None, Required, Any, "input";
        k: f64 = "k", Plus, Unit::None, Number(1.0), Any, "factor";
        initial: Option<f64> = "yinit", Plus, Unit::None, Absent("0"), Any, "output at the start";
        low: Option<f64> = "ymin", Plus, Unit::None, Absent("none"), Any, "lowest output";
        high: Option<f64> = "ymax", Plus, Unit::None, Absent("none"), Any, "highest output";
    }
}

/// The table of the Integrator block.
pub static INTEGRATOR: BlockSchema = element_schema(
    "Integrator",
    "An integrator: y' = k u; at a limit y' = 0 until u turns.",
    &[Integrator::PARAMETERS, Sampling::PARAMETERS],
    &[OUTPUT],
);

impl Integrator {
    fn linear(&self) -> Linear {
        Linear::first_order([0.0, self.k, 1.0, 0.0], self.initial)
    }

    /// The rate, held at zero while it leads out of the limits.
    fn held<'a>(&self, e: &Writer<'a>, y: Ex<'a>, rate: Ex<'a>) -> Ex<'a> {
        let (output, pushes) = (Operand::of(e, y), Operand::of(e, rate));
        let mut free = e.number(1.0);
        if let Some(high) = self.high {
            let at_limit = output.switching(e, |y| y.at_least(high));
            let outwards = pushes.switching(e, |rate| rate.above(0.0));
            free = free - at_limit * outwards;
        }
        if let Some(low) = self.low {
            let at_limit = output.switching(e, |y| y.at_most(low));
            let outwards = pushes.switching(e, |rate| rate.below(0.0));
            free = free - at_limit * outwards;
        }
        free * rate
    }
}

impl SignalBlock for Integrator {
    fn equations(&self, e: &Writer<'_>) {
        let u = e.time(&self.u);
        if self.low.is_none() && self.high.is_none() {
            let (_, y) = self.linear().write(e, &[u]);
            return y.iter().for_each(|&y| e.signal("y", y));
        }
        check_limits(e, ["ymin", "ymax"], self.low, self.high);
        let y = e.state("y", self.initial);
        e.equal(e.rate(y), self.held(e, y, self.k * u));
        e.signal("y", y);
    }
}

impl SampledBlock for Integrator {
    fn sampled(&self, e: &Writer<'_>, period: f64) -> Option<SampledForm> {
        check_limits(e, ["ymin", "ymax"], self.low, self.high);
        let law = IntegratorLaw { step: self.k * period, limits: [self.low, self.high] };
        Some(SampledForm {
            inputs: vec![self.u.clone()],
            initial: vec![self.initial],
            outputs: 1,
            before: None,
            feeds_through: false,
            law: Arc::new(law),
        })
    }
}
