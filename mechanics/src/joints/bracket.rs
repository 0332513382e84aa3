//! Bracket: no freedom, T1 coincides with T0.

use crate::spatial::Pose;

/// The identity.
#[inline]
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
