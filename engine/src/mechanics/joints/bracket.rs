//! Bracket: no freedom, T1 coincides with T0.

use crate::element::{BlockSchema, Origin};
use crate::mechanics::spatial::Pose;
use crate::model::joint::{CONNECTION, REACTIONS_ONLY, joint_schema};
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

/// The identity.
pub(super) fn transform() -> Pose {
    Pose::IDENTITY
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    #[test]
    fn the_triads_coincide() {
        assert_eq!(testing::joint_pose(&Geometry::Bracket, &[]), Pose::IDENTITY);
        testing::check_derivatives(&Geometry::Bracket);
    }
}
