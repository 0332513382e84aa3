//! From the world of the model to the space that is drawn.
//!
//! The graphics works in single precision and with lengths near one: shadows and depth are tuned for
//! that. So the target of the camera becomes the origin and its distance a constant; a clockwork and a
//! satellite in its orbit are drawn equally well.

use kiss3d::glamx;
use mechanics::{Mat3, Pose, Vec3};

/// Distance from eye to target in the space that is drawn.
pub(super) const DISTANCE: f64 = 10.0;

/// The map from world coordinates (m) to coordinates of the space that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Space {
    origin: Vec3,
    scale: f64,
}

impl Space {
    pub(super) fn new(target: Vec3, distance: f64) -> Self {
        Self { origin: target, scale: DISTANCE / distance }
    }

    /// A point.
    pub(super) fn point(&self, place: Vec3) -> glamx::Vec3 {
        direction((place - self.origin) * self.scale)
    }

    /// Place and deformation of something with a pose whose axes are stretched by `stretch` (m).
    pub(super) fn placed(&self, pose: &Pose, stretch: [f64; 3]) -> (glamx::Vec3, glamx::Mat3) {
        let axis = |k: usize| direction(pose.rotation.column(k) * (stretch[k] * self.scale));
        (self.point(pose.translation), glamx::Mat3::from_cols(axis(0), axis(1), axis(2)))
    }
}

/// A direction, or a vector in the space that is drawn.
pub(super) fn direction(v: Vec3) -> glamx::Vec3 {
    glamx::Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

/// A pose at `start` whose z axis points along `axis`.
pub(super) fn along(start: Vec3, axis: Vec3) -> Pose {
    Pose::new(Mat3::with_third_axis(axis.normalized().unwrap_or(Vec3::Z)), start)
}

#[cfg(test)]
mod tests {
    use mechanics::vec3;

    use super::*;

    /// A satellite and a watch keep their digits.
    #[test]
    fn far_and_small_things_keep_their_shape() {
        for (target, distance) in [(vec3(7e6, -3e6, 1e6), 20.0), (vec3(1e-4, 0.0, 0.0), 1e-3)] {
            let space = Space::new(target, distance);
            let point = target + vec3(0.1, 0.2, -0.3) * distance;
            let drawn = space.point(point);
            // Rounding of the sum far from the origin, in units of the drawn space.
            let bound = 1e-6 + 8.0 * f64::EPSILON * target.norm() / distance * DISTANCE;
            for (value, expected) in drawn.to_array().iter().zip([1.0, 2.0, -3.0]) {
                assert!((f64::from(*value) - expected).abs() < bound, "{drawn:?}");
            }
        }
    }
}
