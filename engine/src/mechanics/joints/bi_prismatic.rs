//! BiPrismatic: two translations along directions fixed in both triads.

use super::{Joint, Prepared, check_independent, unit_axis};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::mechanics::error::BuildError;
use crate::mechanics::spatial::{Motion, Pose};
use crate::mechanics::vector::{Mat3, Vec3};
use crate::model::joint::{CONNECTION, COORDINATE_OPTIONS, SIGNALS, joint_schema};
use crate::reading::{Group, parameters};

parameters! {
    /// Two translations in a plane.
    pub struct BiPrismaticParameters {
        axis1: [f64; 3] = "JointAxis1", DySim, Unit::None, Numbers(&[1.0, 0.0, 0.0]), Any, "first direction, in T0";
        point1: [f64; 3] = "JointPoint1", DySim, Unit::Is("m"), Number(0.0), Any, "has no effect";
        axis2: [f64; 3] = "JointAxis2", DySim, Unit::None, Numbers(&[0.0, 1.0, 0.0]), Any, "second direction, in T0";
        point2: [f64; 3] = "JointPoint2", DySim, Unit::Is("m"), Number(0.0), Any, "has no effect";
        q: [f64; 2] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 2] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rates";
    }
}

/// The table of the BiPrismatic block.
pub static BI_PRISMATIC: BlockSchema = joint_schema(
    "BiPrismatic",
    Origin::DySim,
    "Two translations in a plane.",
    &[CONNECTION, BiPrismaticParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Shift, Coordinate::Shift],
    SIGNALS,
);

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
    pub(super) fn prepare(&self) -> Result<Prepared, BuildError> {
        let axes = [unit_axis(self.axis1, 1)?, unit_axis(self.axis2, 2)?];
        check_independent(axes[0], axes[1])?;
        let joint = Joint::BiPrismatic(BiPrismatic { axes });
        Ok(Prepared { base: Pose::IDENTITY, tip: Pose::IDENTITY, joint })
    }
}

impl BiPrismatic {
    /// Sum of the two shifts.
    pub(super) fn transform(&self, q: &[f64]) -> Pose {
        Pose::new(Mat3::IDENTITY, self.axes[0] * q[0] + self.axes[1] * q[1])
    }

    /// The unit vectors of the axes.
    pub(super) fn axes(&self) -> [Vec3; 2] {
        self.axes
    }

    /// Velocities along the axes.
    pub(super) fn fill_motion(&self, phi: &mut [Motion]) {
        phi[0] = Motion::new(Vec3::ZERO, self.axes[0]);
        phi[1] = Motion::new(Vec3::ZERO, self.axes[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;
    use crate::mechanics::vector::vec3;

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        let axes = BiPrismaticAxes { axis1: Vec3::X, axis2: vec3(1.0, 2.0, 2.0) };
        testing::check_derivatives(&Geometry::BiPrismatic(axes));
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
