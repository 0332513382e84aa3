//! A weighted sum: y = k_1 u_1 + k_2 u_2 + ...

use super::linear::{Linear, dot};
use super::{OUTPUT, SampledBlock, Sampling, SignalBlock};
use crate::blocks::network::element_schema;
use crate::codes;
use crate::element::BlockSchema;
use crate::reading::fields::{NumberList, TimeList};
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::Writer;
use equations::expr::Ex;

parameters! {
    /// A weighted sum.
    pub struct Sum {
        u: TimeList = "u", Plus, Unit::None, Required, Any, "inputs";
        k: NumberList = "k", Plus, Unit::None, Number(1.0), Any, "factors, one for all or one for each input";
    }
}

/// The table of the Sum block.
pub static SUM: BlockSchema = element_schema(
    "Sum",
    "A weighted sum: y = k_1 u_1 + k_2 u_2 + ...",
    &[Sum::PARAMETERS, Sampling::PARAMETERS],
    &[OUTPUT],
);

impl Sum {
    /// One factor for each input; nothing, after a message, where there are not so many.
    fn factors(&self, e: &Writer<'_>) -> Option<Vec<f64>> {
        match *self.k.0 {
            [single] => Some(vec![single; self.u.0.len()]),
            ref all if all.len() == self.u.0.len() => Some(all.to_vec()),
            ref all => {
                let words = format!("has {} inputs and {} factors", self.u.0.len(), all.len());
                e.mistake(codes::MATRIX_SIZE, &words, "give `k` one number, or one for each input");
                None
            }
        }
    }
}

impl SignalBlock for Sum {
    fn equations(&self, e: &Writer<'_>) {
        let Some(factors) = self.factors(e) else { return };
        let u: Vec<Ex<'_>> = self.u.0.iter().map(|u| e.time(u)).collect();
        e.signal("y", dot(e, &factors, &u));
    }
}

impl SampledBlock for Sum {
    fn sampled(&self, e: &Writer<'_>, _: f64) -> Option<SampledForm> {
        let factors = self.factors(e)?;
        let (inputs, law) = (self.u.0.to_vec(), Linear::direct(factors));
        Some(law.with_steps(inputs, Default::default(), [None; 2]))
    }
}
