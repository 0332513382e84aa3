//! Universal: rotation about a first axis, then about a second one that the first carries. The
//! axes may be oblique and need not meet.

use super::dual::angle_z;
use super::{Joint, Prepared, axis_frame, check_independent, unit_axis};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::mechanics::error::BuildError;
use crate::mechanics::spatial::{Motion, Pose};
use crate::mechanics::vector::{Mat3, Vec3};
use crate::model::joint::{CONNECTION, COORDINATE_OPTIONS, SIGNALS, joint_schema};
use crate::reading::fields::Degrees;
use crate::reading::{Group, parameters};

parameters! {
    /// Two rotations: about axis 1, then about axis 2, which axis 1 carries.
    pub struct UniversalParameters {
        axis1: [f64; 3] = "JointAxis1", DySim, Unit::None, Numbers(&[1.0, 0.0, 0.0]), Any, "first axis, in T0";
        point1: [f64; 3] = "JointPoint1", DySim, Unit::Is("m"), Number(0.0), Any, "a point of the first axis, in T0";
        axis2: [f64; 3] = "JointAxis2", DySim, Unit::None, Numbers(&[0.0, 1.0, 0.0]), Any, "second axis, in T0, at q = 0";
        point2: [f64; 3] = "JointPoint2", DySim, Unit::Is("m"), Number(0.0), Any, "a point of the second axis, in T0";
        q: [f64; 2] = "Qinit", DySim, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 2] = "QDinit", DySim, Unit::Rate, Number(0.0), Any, "initial rates";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Universal block.
pub static UNIVERSAL: BlockSchema = joint_schema(
    "Universal",
    Origin::DySim,
    "Two rotations: about axis 1, then about axis 2, which axis 1 carries.",
    &[CONNECTION, UniversalParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Angle, Coordinate::Angle],
    SIGNALS,
);

/// Both axes in the coordinates of T0 at q = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniversalAxes {
    /// Direction of the axis fixed in T0; any length but zero.
    pub axis1: Vec3,
    /// A point of the first axis (m).
    pub point1: Vec3,
    /// Direction of the axis fixed in T1; any length but zero, not parallel to the first.
    pub axis2: Vec3,
    /// A point of the second axis (m).
    pub point2: Vec3,
}

/// Rotation about z, a fixed pose, rotation about z: `Dz(q1) * middle * Dz(q2)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Universal {
    /// Pose of the second axis frame in the first one at q = 0.
    middle: Pose,
}

impl UniversalAxes {
    /// The base lies on the first axis, the tip on the second, each with z along it.
    pub(super) fn prepare(&self) -> Result<Prepared, BuildError> {
        check_independent(unit_axis(self.axis1, 1)?, unit_axis(self.axis2, 2)?)?;
        let base = axis_frame(self.axis1, self.point1)?;
        let tip = axis_frame(self.axis2, self.point2)?;
        let joint = Joint::Universal(Box::new(Universal { middle: base.inverse() * tip }));
        Ok(Prepared { base, tip, joint })
    }
}

impl Universal {
    /// The two rotations in turn.
    pub(super) fn transform(&self, q: &[f64]) -> Pose {
        let first = Mat3::rotation_z(q[0]);
        let turned = first * self.middle.rotation;
        Pose::new(turned.times_rotation_z(q[1]), first * self.middle.translation)
    }

    /// The angles of a rotation: the first turns the second axis to its place, the second does the rest.
    pub(super) fn angles(&self, r: &Mat3) -> [f64; 2] {
        let azimuth = |axis: Vec3| axis.y.atan2(axis.x);
        let first = azimuth(r.column(2)) - azimuth(self.middle.rotation.column(2));
        let before = Mat3::rotation_z(first) * self.middle.rotation;
        [first, angle_z(&(before.transpose() * *r))]
    }
}

/// The first axis (the third one of the base) with the velocity that it gives to the tip's
/// origin, and the second axis z.
pub(super) fn fill_motion(x: &Pose, phi: &mut [Motion]) {
    let lever = x.rotation.transpose_mul(Vec3::Z.cross(x.translation));
    phi[0] = Motion::new(x.rotation.rows[2], lever);
    phi[1] = Motion::new(Vec3::Z, Vec3::ZERO);
}

/// The first axis turns away under the second rotation, `n1 x z v1 v2`, and the tip's origin
/// circles about the first axis, `n1 x (n1 x r) v1^2`.
pub(super) fn bias(phi: &[Motion], v: &[f64]) -> Motion {
    let first = &phi[0];
    Motion::new(
        first.ang.cross(Vec3::Z) * (v[0] * v[1]),
        first.ang.cross(first.lin) * (v[0] * v[0]),
    )
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;
    use crate::mechanics::vector::vec3;

    const OBLIQUE: UniversalAxes = UniversalAxes {
        axis1: vec3(1.0, 0.2, 0.0),
        point1: vec3(0.1, 0.2, 0.3),
        axis2: vec3(0.5, 1.0, -0.4),
        point2: vec3(-0.4, 0.6, 0.9),
    };

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        testing::check_derivatives(&Geometry::Universal(OBLIQUE));
    }

    #[test]
    fn the_second_axis_is_carried_by_the_first() {
        let expected = testing::rotation_about(OBLIQUE.axis1, OBLIQUE.point1, 0.7)
            * testing::rotation_about(OBLIQUE.axis2, OBLIQUE.point2, -1.9);
        let found = testing::joint_pose(&Geometry::Universal(OBLIQUE), &[0.7, -1.9]);
        testing::assert_same_pose(&found, &expected);
    }

    #[test]
    fn parallel_axes_are_refused() {
        let axes = UniversalAxes { axis2: -OBLIQUE.axis1, ..OBLIQUE };
        assert_eq!(axes.prepare().err(), Some(BuildError::DependentAxes));
    }
}
