//! Bracket: no freedom, T1 coincides with T0.

use super::{CONNECTION, JointTable, REACTIONS_ONLY, joint_schema};
use crate::element::{BlockSchema, Origin};
use crate::reading::{Group, parameters};
use mechanics::Geometry;

parameters! {
    /// No freedom: joins two bodies rigidly.
    pub struct BracketParameters {

    }
}

/// The table of the Bracket block.
pub static BRACKET: BlockSchema = joint_schema(
    "Bracket",
    Origin::DySim,
    "No freedom: joins two bodies rigidly.",
    &[CONNECTION, BracketParameters::PARAMETERS],
    &[],
    REACTIONS_ONLY,
);

impl JointTable for BracketParameters {
    fn geometry(&self) -> Geometry {
        Geometry::Bracket
    }

    fn initial(&self) -> (&[f64], &[f64]) {
        (&[], &[])
    }
}
