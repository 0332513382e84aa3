//! A weighted sum: y = k_1 u_1 + k_2 u_2 + ...

use super::linear::dot;
use super::{OUTPUT, SignalBlock};
use crate::element::BlockSchema;
use crate::model::codes;
use crate::model::fields::{NumberList, TimeList};
use crate::model::read::{Group, parameters};
use crate::network::elements::element_schema;
use crate::network::expr::Ex;
use crate::network::flatten::Writer;

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
    &[Sum::PARAMETERS],
    &[OUTPUT],
);

impl Sum {
    /// One factor for each input.
    fn factors(&self) -> Vec<f64> {
        match *self.k.0 {
            [single] => vec![single; self.u.0.len()],
            ref all => all.to_vec(),
        }
    }
}

impl SignalBlock for Sum {
    fn equations(&self, e: &Writer<'_>) {
        let factors = self.factors();
        if factors.len() != self.u.0.len() {
            let words = format!("has {} inputs and {} factors", self.u.0.len(), factors.len());
            e.mistake(codes::MATRIX_SIZE, &words, "give `k` one number, or one for each input");
        }
        let u: Vec<Ex<'_>> = self.u.0.iter().map(|u| e.time(u)).collect();
        e.signal("y", dot(e, &factors, &u));
    }
}
