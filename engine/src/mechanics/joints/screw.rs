//! Screw: rotation about an axis with an advance along it in proportion to the angle.

use super::{Joint, Prepared, axis_frame};
use crate::element::{BlockSchema, Coordinate, Origin};
use crate::mechanics::error::{BuildError, Quantity};
use crate::mechanics::spatial::{Load, Motion, Pose};
use crate::mechanics::vector::{Mat3, Vec3, vec3};
use crate::model::joint::{CONNECTION, COORDINATE_OPTIONS, SIGNALS, joint_schema};
use crate::reading::fields::Degrees;
use crate::reading::{Group, parameters};

parameters! {
    /// A rotation about an axis with an advance along it.
    pub struct ScrewParameters {
        axis: [f64; 3] = "JointAxis", Plus, Unit::None, Numbers(&[0.0, 0.0, 1.0]), Any, "axis of the screw, in T0";
        point: [f64; 3] = "JointPoint", Plus, Unit::Is("m"), Number(0.0), Any, "a point of the axis, in T0";
        pitch: f64 = "Pitch", Plus, Unit::Is("m/rad"), Number(0.0), Any, "advance per radian";
        q: [f64; 1] = "Qinit", Plus, Unit::Coordinate, Number(0.0), Any, "initial coordinate";
        qd: [f64; 1] = "QDinit", Plus, Unit::Rate, Number(0.0), Any, "initial rate";
        degrees: Degrees = "Degrees", Plus, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Screw block.
pub static SCREW: BlockSchema = joint_schema(
    "Screw",
    Origin::Plus,
    "A rotation about an axis with an advance along it.",
    &[CONNECTION, ScrewParameters::PARAMETERS, COORDINATE_OPTIONS],
    &[Coordinate::Angle],
    SIGNALS,
);

/// The axis in the coordinates of T0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScrewAxis {
    /// Direction; any length but zero.
    pub axis: Vec3,
    /// A point of the axis (m).
    pub point: Vec3,
    /// Advance per radian (m/rad).
    pub pitch: f64,
}

/// A screw about z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screw {
    pitch: f64,
}

impl ScrewAxis {
    /// Base and tip frame lie on the axis with z along it.
    pub(super) fn prepare(&self) -> Result<Prepared, BuildError> {
        if !self.pitch.is_finite() {
            return Err(BuildError::NotFinite(Quantity::Joint));
        }
        let frame = axis_frame(self.axis, self.point)?;
        let joint = Joint::Screw(Screw { pitch: self.pitch });
        Ok(Prepared { base: frame, tip: frame, joint })
    }
}

impl Screw {
    /// Rotation about z and advance along it.
    pub(super) fn transform(&self, q: &[f64]) -> Pose {
        Pose::new(Mat3::rotation_z(q[0]), vec3(0.0, 0.0, self.pitch * q[0]))
    }

    /// The force along z that does no work on the motion, with the torque that belongs to it.
    pub(super) fn locked_thrust(&self) -> Load {
        let scale = 1.0 / (1.0 + self.pitch * self.pitch).sqrt();
        Load::new(vec3(0.0, 0.0, -self.pitch * scale), vec3(0.0, 0.0, scale))
    }

    /// The angle at which the advance is reached; the present one where there is no advance.
    pub(super) fn turn_at(&self, advance: f64, present: f64) -> f64 {
        let turn = advance / self.pitch;
        if turn.is_finite() { turn } else { present }
    }

    /// Angular velocity about z with its advance.
    pub(super) fn fill_motion(&self, phi: &mut [Motion]) {
        phi[0] = Motion::new(Vec3::Z, vec3(0.0, 0.0, self.pitch));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    const AXIS: ScrewAxis =
        ScrewAxis { axis: vec3(1.0, -2.0, 2.0), point: vec3(0.3, 0.1, -0.8), pitch: 0.15 };

    #[test]
    fn motion_and_bias_are_derivatives_of_the_transform() {
        testing::check_derivatives(&Geometry::Screw(AXIS));
    }

    #[test]
    fn the_advance_is_pitch_times_angle_along_the_axis() {
        let turn = testing::rotation_about(AXIS.axis, AXIS.point, 2.0);
        let advance = AXIS.axis.normalized().unwrap() * (0.15 * 2.0);
        let expected = Pose::new(turn.rotation, turn.translation + advance);
        testing::assert_same_pose(&testing::joint_pose(&Geometry::Screw(AXIS), &[2.0]), &expected);
    }

    #[test]
    fn a_pitch_that_is_not_finite_is_refused() {
        assert!(ScrewAxis { pitch: f64::INFINITY, ..AXIS }.prepare().is_err());
    }
}
