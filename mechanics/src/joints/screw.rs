//! Screw: rotation about an axis with an advance along it in proportion to the angle.

use super::dual::{DualBases, FORCES, TORQUES, angle_z, near};
use super::{FramedJoint, Joint, Kinematics, axis_frame};
use crate::error::{BuildError, Quantity};
use crate::spatial::{Load, Motion, Pose};
use crate::vector::{Mat3, Vec3, vec3};

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
    pub(super) fn prepare(&self) -> Result<FramedJoint, BuildError> {
        if !self.pitch.is_finite() {
            return Err(BuildError::NotFinite(Quantity::Joint));
        }
        let frame = axis_frame(self.axis, self.point)?;
        let joint = Joint::Screw(Screw { pitch: self.pitch });
        Ok(FramedJoint { base: frame, tip: frame, joint })
    }
}

impl Screw {
    /// The force along z that does no work on the motion, with the torque that belongs to it.
    #[inline]
    pub(super) fn locked_thrust(&self) -> Load {
        let scale = 1.0 / (1.0 + self.pitch * self.pitch).sqrt();
        Load::new(vec3(0.0, 0.0, -self.pitch * scale), vec3(0.0, 0.0, scale))
    }

    /// The angle at which the advance is reached; the present one where there is no advance.
    #[inline]
    pub(super) fn turn_at(&self, advance: f64, present: f64) -> f64 {
        let turn = advance / self.pitch;
        if turn.is_finite() { turn } else { present }
    }
}

impl Kinematics for Screw {
    const N_FREEDOMS: usize = 1;

    /// Rotation about z and advance along it.
    #[inline]
    fn transform(&self, q: &[f64]) -> Pose {
        Pose::new(Mat3::rotation_z(q[0]), vec3(0.0, 0.0, self.pitch * q[0]))
    }

    /// Angular velocity about z with its advance.
    #[inline]
    fn fill_motion(&self, _q: &[f64], _x: &Pose, phi: &mut [Motion]) {
        phi[0] = Motion::new(Vec3::Z, vec3(0.0, 0.0, self.pitch));
    }

    fn fill_dual_bases(&self, _phi: &[Motion], bases: &mut DualBases) {
        let [tx, ty, tz] = TORQUES;
        let [fx, fy, _] = FORCES;
        bases.fill(&[tz], &[tx, ty, fx, fy, self.locked_thrust()]);
    }

    fn locate(&self, x: &Pose, q: &mut [f64]) {
        q[0] = near(angle_z(&x.rotation), self.turn_at(x.translation.z, q[0]));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Geometry, testing};
    use super::*;

    const AXIS: ScrewAxis =
        ScrewAxis { axis: vec3(1.0, -2.0, 2.0), point: vec3(0.3, 0.1, -0.8), pitch: 0.15 };

    #[test]
    fn motion_loads_and_coordinates_belong_to_the_transform() {
        testing::check(&Geometry::Screw(AXIS));
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
