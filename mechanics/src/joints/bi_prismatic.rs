//! BiPrismatic: two translations along directions fixed in both triads.

use super::dual::{DualBases, TORQUES, dual_pair, force};
use super::{FramedJoint, Joint, Kinematics, check_independent, unit_axis};
use crate::error::BuildError;
use crate::spatial::{Motion, Pose};
use crate::vector::{Mat3, Vec3};

/// The directions in the coordinates of T0; they may be oblique, not parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BiPrismaticAxes {
    /// Direction of the first translation; any length but zero.
    pub axis1: Vec3,
    /// Direction of the second translation; any length but zero.
    pub axis2: Vec3,
}

/// Two translations along unit vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BiPrismatic {
    axes: [Vec3; 2],
}

impl BiPrismaticAxes {
    /// Base and tip frame are the triads themselves.
    pub(super) fn prepare(&self) -> Result<FramedJoint, BuildError> {
        let axes = [unit_axis(self.axis1, 1)?, unit_axis(self.axis2, 2)?];
        check_independent(axes[0], axes[1])?;
        let joint = Joint::BiPrismatic(BiPrismatic { axes });
        Ok(FramedJoint { base: Pose::IDENTITY, tip: Pose::IDENTITY, joint })
    }
}

impl Kinematics for BiPrismatic {
    const N_FREEDOMS: usize = 2;

    /// Sum of the two shifts.
    #[inline]
    fn transform(&self, q: &[f64]) -> Pose {
        Pose::new(Mat3::IDENTITY, self.axes[0] * q[0] + self.axes[1] * q[1])
    }

    /// Velocities along the axes.
    #[inline]
    fn fill_motion(&self, _q: &[f64], _x: &Pose, phi: &mut [Motion]) {
        phi[0] = Motion::new(Vec3::ZERO, self.axes[0]);
        phi[1] = Motion::new(Vec3::ZERO, self.axes[1]);
    }

    fn fill_dual_bases(&self, phi: &[Motion], bases: &mut DualBases) {
        let (a, b, n) = dual_pair(phi[0].lin, phi[1].lin);
        let [tx, ty, tz] = TORQUES;
        bases.fill(&[force(a), force(b)], &[tx, ty, tz, force(n)]);
    }

    fn locate(&self, x: &Pose, q: &mut [f64]) {
        let (a, b, _) = dual_pair(self.axes[0], self.axes[1]);
        (q[0], q[1]) = (a.dot(x.translation), b.dot(x.translation));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;
    use crate::vector::vec3;

    #[test]
    fn motion_loads_and_coordinates_belong_to_the_transform() {
        let axes = BiPrismaticAxes { axis1: Vec3::X, axis2: vec3(1.0, 2.0, 2.0) };
        testing::check(&Geometry::BiPrismatic(axes));
    }

    #[test]
    fn oblique_shifts_add_up() {
        let axes = BiPrismaticAxes { axis1: Vec3::Z, axis2: vec3(0.0, 3.0, 4.0) };
        let pose = testing::joint_pose(&Geometry::BiPrismatic(axes), &[1.0, 10.0]);
        testing::assert_same_pose(&pose, &Pose::from_translation(vec3(0.0, 6.0, 9.0)));
    }

    #[test]
    fn parallel_axes_are_refused() {
        let axes = BiPrismaticAxes { axis1: vec3(1.0, 2.0, 3.0), axis2: vec3(-2.0, -4.0, -6.0) };
        assert_eq!(axes.prepare().err(), Some(BuildError::DependentAxes));
    }
}
