//! Spherical: three rotations about the common origin of the triads.

use crate::element::{BlockSchema, Coordinate, Origin};
use crate::mechanics::quaternion::Quaternion;
use crate::mechanics::spatial::{Motion, Pose};
use crate::mechanics::vector::{Vec3, vec3};
use crate::model::joint::{CONNECTION, COORDINATE_OPTIONS, ROTATIONAL_SIGNALS, joint_schema};
use crate::reading::fields::{AngleType, Degrees};
use crate::reading::{Group, parameters};

parameters! {
    /// Three rotations, without singular positions.
    pub struct SphericalParameters {
        q: [f64; 3] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 3] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rates";
        angle_type: AngleType = "AngleType", DySim, Unit::None, Word("euler"), Any, "kind of the angles that are given and reported";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Spherical block.
pub static SPHERICAL: BlockSchema = joint_schema(
    "Spherical",
    Origin::DySim,
    "Three rotations, without singular positions.",
    &[CONNECTION, SphericalParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Angle, Coordinate::Angle, Coordinate::Angle],
    ROTATIONAL_SIGNALS,
);

/// The rotation of the quaternion.
#[inline(always)]
pub(super) fn transform(q: &[f64]) -> Pose {
    Pose::new(Quaternion::from_slice(q).matrix(), Vec3::ZERO)
}

/// Angular velocities about the axes of T1.
pub(super) fn fill_motion(phi: &mut [Motion]) {
    for (column, axis) in phi.iter_mut().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
        *column = Motion::new(axis, Vec3::ZERO);
    }
}

/// The quaternion changes with the angular velocity.
pub(super) fn fill_coordinate_rates(q: &[f64], v: &[f64], qdot: &mut [f64]) {
    let rate = Quaternion::from_slice(q).rates(vec3(v[0], v[1], v[2]));
    qdot[..4].copy_from_slice(&rate.to_array());
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;
    use crate::mechanics::rotation::AngleType;

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        testing::check_derivatives(&Geometry::Spherical);
    }

    #[test]
    fn angles_of_the_user_become_the_rotation_of_t1_in_t0() {
        for kind in [AngleType::Euler, AngleType::Cardan] {
            let angles = vec3(0.3, 1.2, -0.7);
            let q = kind.quaternion(angles).to_array();
            let expected = Pose::new(kind.matrix(angles), Vec3::ZERO);
            testing::assert_same_pose(&testing::joint_pose(&Geometry::Spherical, &q), &expected);
        }
    }
}
