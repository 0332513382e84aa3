//! The camera: the world's z axis points up unless the eye goes over the pole.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use mechanics::{Vec3, vec3};

/// Angle of view from the lower to the upper edge of the picture (rad).
const ANGLE_OF_VIEW: f64 = PI / 6.0;

/// Distances beyond these (m) are taken for mistakes: single precision would fail to draw them.
const DISTANCES: (f64, f64) = (1e-6, 1e9);

/// How points are brought to the plane of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// Objects farther away are smaller.
    #[default]
    Perspective,
    /// Parallel lines stay parallel. Sizes are the sizes at the target.
    Orthographic,
}

/// The planes of the world that can be looked at squarely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// From above: x to the right, y up.
    Xy,
    /// From the front: x to the right, z up.
    Xz,
    /// From the right: y to the right, z up.
    Yz,
}

/// Where the eye is and where it looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// The point in the middle of the picture (world, m).
    pub target: Vec3,
    /// Direction of the eye seen from the target: angle about the world's z from x (rad).
    pub azimuth: f64,
    /// Height of the eye above the horizontal plane through the target, as an angle (rad). Any
    /// value is possible; beyond a right angle the picture is upside down.
    pub elevation: f64,
    /// From the target to the eye (m).
    pub distance: f64,
    /// Perspective or not.
    pub projection: Projection,
}

/// A point in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projected {
    /// Pixels from the left edge.
    pub x: f64,
    /// Pixels from the upper edge.
    pub y: f64,
    /// Distance from the eye along the line of sight (m).
    pub depth: f64,
}

impl Camera {
    /// From the right front and above, at the world's origin.
    pub fn standard() -> Self {
        Self {
            target: Vec3::ZERO,
            azimuth: (-60f64).to_radians(),
            elevation: 20f64.to_radians(),
            distance: 5.0,
            projection: Projection::Perspective,
        }
    }

    /// Unit vectors to the right, up and towards the eye (world).
    pub fn axes(&self) -> (Vec3, Vec3, Vec3) {
        let ((sa, ca), (se, ce)) = (self.azimuth.sin_cos(), self.elevation.sin_cos());
        let right = vec3(-sa, ca, 0.0);
        // The derivative of `toward` by the elevation, which exists at the poles, too.
        let up = vec3(-se * ca, -se * sa, ce);
        let toward = vec3(ce * ca, ce * sa, se);
        (right, up, toward)
    }

    /// Where the eye is (world, m).
    pub fn eye(&self) -> Vec3 {
        self.target + self.axes().2 * self.distance
    }

    /// Angle of view from the lower to the upper edge (rad).
    pub fn angle_of_view(&self) -> f64 {
        ANGLE_OF_VIEW
    }

    /// Tangent of half the angle of view.
    pub(super) fn half_tangent(&self) -> f64 {
        (ANGLE_OF_VIEW / 2.0).tan()
    }

    /// Height of the picture at the distance of the target (m).
    pub fn picture_height(&self) -> f64 {
        2.0 * self.distance * self.half_tangent()
    }

    /// Looks squarely at a plane.
    pub fn look_at_plane(&mut self, plane: Plane) {
        (self.azimuth, self.elevation) = match plane {
            Plane::Xy => (-FRAC_PI_2, FRAC_PI_2),
            Plane::Xz => (-FRAC_PI_2, 0.0),
            Plane::Yz => (0.0, 0.0),
        };
    }

    /// Turns the picture about the world's z, then about the horizontal of the window (rad).
    /// Positive angles move the front of the scene to the right and down.
    pub fn rotate(&mut self, about_z: f64, about_horizontal: f64) {
        self.azimuth = wrapped(self.azimuth - about_z);
        self.elevation = wrapped(self.elevation + about_horizontal);
    }

    /// Moves the picture to the right and up, by parts of its height.
    pub fn translate(&mut self, right: f64, up: f64) {
        let (x, y, _) = self.axes();
        let target = self.target - (x * right + y * up) * self.picture_height();
        if target.is_finite() {
            self.target = target;
        }
    }

    /// Makes everything larger by `factor`.
    pub fn zoom(&mut self, factor: f64) {
        let distance = self.distance / factor;
        if distance.is_finite() && factor > 0.0 {
            self.distance = distance.clamp(DISTANCES.0, DISTANCES.1);
        }
    }

    /// Where a point (world) appears in a picture of `size` (width, height) pixels; `None` behind
    /// the eye.
    pub fn project(&self, point: Vec3, size: (f64, f64)) -> Option<Projected> {
        let (right, up, toward) = self.axes();
        let from_target = point - self.target;
        let depth = self.distance - from_target.dot(toward);
        let scale = match self.projection {
            Projection::Perspective if depth > 0.0 => size.1 / (2.0 * self.half_tangent() * depth),
            Projection::Perspective => return None,
            Projection::Orthographic => size.1 / self.picture_height(),
        };
        let x = size.0 / 2.0 + from_target.dot(right) * scale;
        let y = size.1 / 2.0 - from_target.dot(up) * scale;
        (x.is_finite() && y.is_finite()).then_some(Projected { x, y, depth })
    }
}

/// The equal angle within half a turn (rad).
fn wrapped(angle: f64) -> f64 {
    if !angle.is_finite() {
        return 0.0;
    }
    let turned = angle.rem_euclid(TAU);
    if turned > PI { turned - TAU } else { turned }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (f64, f64) = (400.0, 300.0);

    fn close(a: Vec3, b: Vec3) -> bool {
        (a - b).norm() < 1e-12
    }

    fn pixel(camera: &Camera, point: Vec3) -> (f64, f64) {
        let at = camera.project(point, SIZE).unwrap();
        (at.x, at.y)
    }

    #[test]
    fn the_axes_are_a_right_handed_frame_everywhere() {
        let mut camera = Camera::standard();
        for k in 0..200 {
            camera.rotate(0.37 * f64::from(k), 0.61 * f64::from(k));
            let (right, up, toward) = camera.axes();
            assert!(close(right.cross(up), toward) && close(up.cross(toward), right));
        }
    }

    #[test]
    fn square_views_show_their_axes() {
        let mut camera = Camera::standard();
        let cases = [
            (Plane::Xy, Vec3::X, Vec3::Y),
            (Plane::Xz, Vec3::X, Vec3::Z),
            (Plane::Yz, Vec3::Y, Vec3::Z),
        ];
        for (plane, x, y) in cases {
            camera.look_at_plane(plane);
            let (right, up, _) = camera.axes();
            assert!(close(right, x) && close(up, y), "{plane:?}");
        }
    }

    #[test]
    fn turning_about_the_vertical_moves_the_front_to_the_right() {
        let mut camera = Camera::standard();
        camera.look_at_plane(Plane::Xz);
        let front = vec3(0.0, -0.5, 0.0);
        camera.rotate(0.1, 0.0);
        assert!(pixel(&camera, front).0 > 200.0);
        camera.look_at_plane(Plane::Xz);
        camera.rotate(0.0, 0.1);
        assert!(pixel(&camera, front).1 > 150.0);
    }

    #[test]
    fn translation_moves_the_picture_by_parts_of_its_height() {
        for projection in [Projection::Perspective, Projection::Orthographic] {
            let mut camera = Camera { projection, ..Camera::standard() };
            let (x, y) = pixel(&camera, camera.target);
            let point = camera.target;
            camera.translate(0.1, 0.2);
            let (to_x, to_y) = pixel(&camera, point);
            assert!((to_x - x - 30.0).abs() < 1e-9 && (to_y - y + 60.0).abs() < 1e-9);
        }
    }

    #[test]
    fn zoom_scales_about_the_target() {
        let mut camera = Camera { projection: Projection::Orthographic, ..Camera::standard() };
        let point = vec3(0.3, 0.1, 0.2);
        let (x, y) = pixel(&camera, point);
        camera.zoom(2.0);
        let (to_x, to_y) = pixel(&camera, point);
        assert!(((to_x - 200.0) - 2.0 * (x - 200.0)).abs() < 1e-9);
        assert!(((to_y - 150.0) - 2.0 * (y - 150.0)).abs() < 1e-9);
    }

    /// The size at the target does not depend on the projection.
    #[test]
    fn both_projections_agree_at_the_target() {
        let camera = Camera::standard();
        let parallel = Camera { projection: Projection::Orthographic, ..camera.clone() };
        let (right, up, _) = camera.axes();
        let point = camera.target + right * 0.4 - up * 0.3;
        let (a, b) = (pixel(&camera, point), pixel(&parallel, point));
        assert!((a.0 - b.0).abs() < 1e-9 && (a.1 - b.1).abs() < 1e-9);
    }

    #[test]
    fn nonsense_leaves_the_camera_usable() {
        let mut camera = Camera::standard();
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, 1e-300] {
            camera.zoom(factor);
            assert!(camera.distance >= DISTANCES.0 && camera.distance <= DISTANCES.1, "{factor}");
        }
        camera.rotate(f64::NAN, f64::INFINITY);
        camera.translate(f64::NAN, 0.0);
        assert!(camera.eye().is_finite());
        assert_eq!(camera.project(camera.eye() + camera.axes().2, SIZE), None);
    }
}
