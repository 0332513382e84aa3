//! Planar: two translations in a plane and a rotation about its normal; coordinates (shift along
//! e1, shift along e2, angle).

use super::{Joint, Prepared, unit_axis};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::mechanics::error::{BuildError, Quantity};
use crate::mechanics::spatial::{Motion, Pose};
use crate::mechanics::vector::{Mat3, Vec3, vec3};
use crate::model::joint::{CONNECTION, COORDINATE_OPTIONS, SIGNALS, joint_schema};
use crate::reading::fields::Degrees;
use crate::reading::{Group, parameters};

parameters! {
    /// Two translations in a plane and a rotation about its normal.
    pub struct PlanarParameters {
        axis: [f64; 3] = "JointAxis", Plus, Unit::None, Numbers(&[0.0, 0.0, 1.0]), Any, "normal of the plane, in T0";
        point: [f64; 3] = "JointPoint", Plus, Unit::Is("m"), Number(0.0), Any, "a point of the axis of rotation, in T0";
        q: [f64; 3] = "Qinit", Plus, Unit::Coordinate, Number(0.0), Any, "initial coordinates";
        qd: [f64; 3] = "QDinit", Plus, Unit::Rate, Number(0.0), Any, "initial rates";
        degrees: Degrees = "Degrees", Plus, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Planar block.
pub static PLANAR: BlockSchema = joint_schema(
    "Planar",
    Origin::Plus,
    "Two translations in a plane and a rotation about its normal.",
    &[CONNECTION, PlanarParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Shift, Coordinate::Shift, Coordinate::Angle],
    SIGNALS,
);

/// Length of the projected x axis of T0 below which it counts as vanishing: the projection of a
/// unit vector has errors of 1e-16, so its direction still has eight digits.
const VANISHING: f64 = 1e-8;

/// The plane in the coordinates of T0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarNormal {
    /// Normal of the plane; any length but zero.
    pub normal: Vec3,
    /// The point about which T1 turns (m).
    pub point: Vec3,
}

impl PlanarNormal {
    /// Base and tip frame have z along the normal and x along e1, the x axis of T0 projected into
    /// the plane (the y axis if that vanishes); e2 = n x e1.
    pub(super) fn prepare(&self) -> Result<Prepared, BuildError> {
        if !self.point.is_finite() {
            return Err(BuildError::NotFinite(Quantity::Joint));
        }
        let n = unit_axis(self.normal, 1)?;
        let projected = |axis: Vec3| axis - n * n.dot(axis);
        let along_x = projected(Vec3::X);
        let chosen = if along_x.norm() > VANISHING { along_x } else { projected(Vec3::Y) };
        let e1 = unit_axis(chosen, 1)?;
        let frame = Pose::new(Mat3::from_columns(e1, n.cross(e1), n), self.point);
        Ok(Prepared { base: frame, tip: frame, joint: Joint::Planar })
    }
}

/// Translation in the xy plane, then rotation about z.
pub(super) fn transform(q: &[f64]) -> Pose {
    Pose::new(Mat3::rotation_z(q[2]), vec3(q[0], q[1], 0.0))
}

/// Velocities along the x and y axes of the base, angular velocity about z.
pub(super) fn fill_motion(x: &Pose, phi: &mut [Motion]) {
    phi[0] = Motion::new(Vec3::ZERO, x.rotation.rows[0]);
    phi[1] = Motion::new(Vec3::ZERO, x.rotation.rows[1]);
    phi[2] = Motion::new(Vec3::Z, Vec3::ZERO);
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        let plane = PlanarNormal { normal: vec3(0.0, 3.0, 4.0), point: vec3(0.3, 0.1, -0.8) };
        testing::check_derivatives(&Geometry::Planar(plane));
    }

    #[test]
    fn shifts_follow_the_projected_axes_of_t0() {
        let point = vec3(0.3, 0.1, -0.8);
        for (normal, e1) in
            [(Vec3::Z, Vec3::X), (vec3(2.0, 0.0, 0.0), Vec3::Y), (-Vec3::Y, Vec3::X)]
        {
            let n = normal.normalized().unwrap();
            let turn = testing::rotation_about(normal, point, 0.5);
            let shift = e1 * 2.0 + n.cross(e1) * 3.0;
            let expected = Pose::new(turn.rotation, turn.translation + shift);
            let geometry = Geometry::Planar(PlanarNormal { normal, point });
            let found = testing::joint_pose(&geometry, &[2.0, 3.0, 0.5]);
            testing::assert_same_pose(&found, &expected);
        }
    }
}
