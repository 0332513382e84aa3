//! Bracket: no freedom, T1 coincides with T0.

use super::Kinematics;
use super::dual::{DualBases, FORCES, TORQUES};
use crate::spatial::{Motion, Pose};

/// No freedom.
#[derive(Clone, Copy, Debug)]
pub struct Bracket;

impl Kinematics for Bracket {
    const N_FREEDOMS: usize = 0;

    /// The identity.
    #[inline]
    fn transform(&self, _q: &[f64]) -> Pose {
        Pose::IDENTITY
    }

    #[inline]
    fn fill_motion(&self, _q: &[f64], _x: &Pose, _phi: &mut [Motion]) {}

    fn fill_dual_bases(&self, _phi: &[Motion], bases: &mut DualBases) {
        let [tx, ty, tz] = TORQUES;
        let [fx, fy, fz] = FORCES;
        bases.fill(&[], &[tx, ty, tz, fx, fy, fz]);
    }

    fn locate(&self, _x: &Pose, _q: &mut [f64]) {}
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    #[test]
    fn the_triads_coincide() {
        assert_eq!(testing::joint_pose(&Geometry::Bracket, &[]), Pose::IDENTITY);
        testing::check(&Geometry::Bracket);
    }
}
