//! TriPrismatic: three translations along the axes of T0, no rotation.

use crate::element::{BlockSchema, Coordinate, Origin};
use crate::mechanics::spatial::{Motion, Pose};
use crate::mechanics::vector::{Mat3, Vec3, vec3};
use crate::model::joint::{CONNECTION, COORDINATE_OPTIONS, SIGNALS, joint_schema};
use crate::reading::{Group, parameters};

parameters! {
    /// Three translations.
    pub struct TriPrismaticParameters {
        q: [f64; 3] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 3] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rates";
    }
}

/// The table of the TriPrismatic block.
pub static TRI_PRISMATIC: BlockSchema = joint_schema(
    "TriPrismatic",
    Origin::DySim,
    "Three translations.",
    &[CONNECTION, TriPrismaticParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Shift, Coordinate::Shift, Coordinate::Shift],
    SIGNALS,
);

/// The shift.
pub(super) fn transform(q: &[f64]) -> Pose {
    Pose::new(Mat3::IDENTITY, vec3(q[0], q[1], q[2]))
}

/// Velocities along x, y, z.
pub(super) fn fill_motion(phi: &mut [Motion]) {
    for (column, axis) in phi.iter_mut().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
        *column = Motion::new(Vec3::ZERO, axis);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        testing::check_derivatives(&Geometry::TriPrismatic);
    }

    #[test]
    fn coordinates_are_the_position_of_t1_in_t0() {
        let pose = testing::joint_pose(&Geometry::TriPrismatic, &[1.0, -2.0, 3.0]);
        assert_eq!(pose, Pose::from_translation(vec3(1.0, -2.0, 3.0)));
    }
}
