//! Prismatic: one translation along an axis fixed in both triads.

use super::{Joint, Prepared, axis_frame};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::mechanics::error::BuildError;
use crate::mechanics::spatial::{Motion, Pose};
use crate::mechanics::vector::{Mat3, Vec3, vec3};
use crate::model::joint::{CONNECTION, COORDINATE_OPTIONS, SIGNALS, joint_schema};
use crate::reading::{Group, parameters};

parameters! {
    /// One translation along an axis.
    pub struct PrismaticParameters {
        axis: [f64; 3] = "JointAxis", DySim, Unit::None, Numbers(&[0.0, 0.0, 1.0]), Any, "direction of the translation, in T0";
        point: [f64; 3] = "JointPoint", DySim, Unit::Is("m"), Number(0.0), Any, "has no effect";
        q: [f64; 1] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinate";
        qd: [f64; 1] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rate";
    }
}

/// The table of the Prismatic block.
pub static PRISMATIC: BlockSchema = joint_schema(
    "Prismatic",
    Origin::DySim,
    "One translation along an axis.",
    &[CONNECTION, PrismaticParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Shift],
    SIGNALS,
);

/// The direction in the coordinates of T0. A point would have no effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrismaticAxis {
    /// Direction; any length but zero.
    pub axis: Vec3,
}

impl PrismaticAxis {
    /// Base and tip frame have z along the axis.
    pub(super) fn prepare(&self) -> Result<Prepared, BuildError> {
        let frame = axis_frame(self.axis, Vec3::ZERO)?;
        Ok(Prepared { base: frame, tip: frame, joint: Joint::Prismatic })
    }
}

/// Translation along z.
pub(super) fn transform(q: &[f64]) -> Pose {
    Pose::new(Mat3::IDENTITY, vec3(0.0, 0.0, q[0]))
}

/// Velocity along z.
pub(super) fn fill_motion(phi: &mut [Motion]) {
    phi[0] = Motion::new(Vec3::ZERO, Vec3::Z);
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        testing::check_derivatives(&Geometry::Prismatic(PrismaticAxis { axis: Vec3::X }));
    }

    #[test]
    fn the_shift_is_measured_along_the_unit_axis() {
        let geometry = Geometry::Prismatic(PrismaticAxis { axis: vec3(0.0, 3.0, 4.0) });
        let expected = Pose::from_translation(vec3(0.0, 0.6, 0.8) * 2.5);
        testing::assert_same_pose(&testing::joint_pose(&geometry, &[2.5]), &expected);
    }

    #[test]
    fn an_axis_without_length_is_refused() {
        let zero = PrismaticAxis { axis: Vec3::ZERO };
        assert_eq!(zero.prepare().err(), Some(BuildError::ZeroAxis(1)));
    }
}
