//! Bracket: no freedom, T1 coincides with T0.

use super::{CONNECTION, REACTIONS_ONLY, joint_schema};
use crate::element::{BlockSchema, Origin};
use crate::reading::{Group, parameters};

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
