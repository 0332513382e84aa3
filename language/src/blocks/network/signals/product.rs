//! A product: y = u_1 u_2 ...

use super::laws::ProductLaw;
use super::{OUTPUT, SampledBlock, Sampling, SignalBlock};
use crate::blocks::network::element_schema;
use crate::element::BlockSchema;
use crate::reading::fields::TimeList;
use crate::reading::{Group, parameters};
use crate::writing::SampledForm;
use crate::writing::Writer;

parameters! {
    /// A product.
    pub struct Product {
        u: TimeList = "u", Plus, Unit::None, Required, Any, "factors";
    }
}

/// The table of the Product block.
pub static PRODUCT: BlockSchema = element_schema(
    "Product",
    "A product: y = u_1 u_2 ...",
    &[Product::PARAMETERS, Sampling::PARAMETERS],
    &[OUTPUT],
);

impl SignalBlock for Product {
    fn equations(&self, e: &Writer<'_>) {
        e.signal("y", self.u.0.iter().fold(e.number(1.0), |product, u| product * e.time(u)));
    }
}

impl SampledBlock for Product {
    fn sampled(&self, _: &Writer<'_>, _: f64) -> Option<SampledForm> {
        Some(ProductLaw::of(self.u.0.to_vec()))
    }
}
