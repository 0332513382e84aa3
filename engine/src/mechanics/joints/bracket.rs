//! A rigid connection.

use crate::element::{BlockSchema, Origin};
use crate::model::joint::{CONNECTION, REACTIONS_ONLY, joint_schema};
use crate::model::read::{Group, parameters};

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
