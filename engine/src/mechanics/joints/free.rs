//! Free: three translations and three rotations.

use crate::element::{BlockSchema, Coordinate, Origin};
use crate::mechanics::quaternion::Quaternion;
use crate::mechanics::spatial::{Motion, Pose};
use crate::mechanics::vector::{Vec3, vec3};
use crate::model::joint::{CONNECTION, COORDINATE_OPTIONS, ROTATIONAL_SIGNALS, joint_schema};
use crate::reading::fields::{AngleType, Degrees};
use crate::reading::{Group, parameters};

parameters! {
    /// Three translations and three rotations.
    pub struct FreeParameters {
        q: [f64; 6] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 6] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rates";
        angle_type: AngleType = "AngleType", DySim, Unit::None, Word("euler"), Any, "kind of the angles that are given and reported";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Free block.
pub static FREE: BlockSchema = joint_schema(
    "Free",
    Origin::DySim,
    "Three translations and three rotations.",
    &[CONNECTION, FreeParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[
        Coordinate::Shift,
        Coordinate::Shift,
        Coordinate::Shift,
        Coordinate::Angle,
        Coordinate::Angle,
        Coordinate::Angle,
    ],
    ROTATIONAL_SIGNALS,
);

/// Position in T0 axes, then the rotation of the quaternion.
pub(super) fn transform(q: &[f64]) -> Pose {
    Pose::new(Quaternion::from_slice(&q[3..7]).matrix(), vec3(q[0], q[1], q[2]))
}

/// Velocities along the axes of T0, then angular velocities about those of T1.
pub(super) fn fill_motion(x: &Pose, phi: &mut [Motion]) {
    for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
        phi[k] = Motion::new(Vec3::ZERO, x.rotation.rows[k]);
        phi[k + 3] = Motion::new(axis, Vec3::ZERO);
    }
}

/// The position changes with the velocity, the quaternion with the angular velocity.
pub(super) fn fill_coordinate_rates(q: &[f64], v: &[f64], qdot: &mut [f64]) {
    qdot[..3].copy_from_slice(&v[..3]);
    let rate = Quaternion::from_slice(&q[3..7]).rates(vec3(v[3], v[4], v[5]));
    qdot[3..7].copy_from_slice(&rate.to_array());
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;
    use crate::mechanics::rotation::AngleType;

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        testing::check_derivatives(&Geometry::Free);
    }

    #[test]
    fn position_is_given_in_the_axes_of_t0() {
        let angles = vec3(0.3, 1.2, -0.7);
        let turn = AngleType::Cardan.quaternion(angles).to_array();
        let q = [1.0, 2.0, 3.0, turn[0], turn[1], turn[2], turn[3]];
        let expected = Pose::new(AngleType::Cardan.matrix(angles), vec3(1.0, 2.0, 3.0));
        testing::assert_same_pose(&testing::joint_pose(&Geometry::Free, &q), &expected);
    }
}
