//! How the scene is looked at: the camera and what is shown. Plain data with methods; nothing here
//! draws, and nothing knows about windows or files.
//!
//! ```
//! use anidysim::view::{Plane, View};
//! use mechanics::vec3;
//!
//! // Two metres around the origin, in a picture that is 4 : 3.
//! let mut view = View::framing(&[vec3(-1.0, -1.0, 0.0), vec3(1.0, 1.0, 0.5)], 4.0 / 3.0);
//! view.camera.look_at_plane(Plane::Xz);
//! view.camera.zoom(2.0);
//! view.options.toggle(anidysim::view::Item::Labels);
//! ```

mod camera;
mod fit;
mod options;

pub use camera::{Camera, Plane, Projected, Projection};
pub use options::{Extent, Item, Options};

use fit::{extent_of, round_down};
use mechanics::{Vec3, vec3};

/// Camera, options and the body to follow.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Where the scene is looked at from.
    pub camera: Camera,
    /// The items that are shown.
    pub options: Options,
    /// The body to follow (index in the model), whether it is followed now or not.
    pub body: Option<usize>,
    /// Whether the camera follows the body. Its target is then relative to the body in x and y.
    following: bool,
    /// Camera of the standard view: its target and distance.
    home: Camera,
}

impl Default for View {
    fn default() -> Self {
        Self::framing(&[vec3(-1.0, -1.0, 0.0), vec3(1.0, 1.0, 1.0)], 4.0 / 3.0)
    }
}

impl View {
    /// The standard view of everything that lies within the hull of `points` (world, metres), in a
    /// picture of the given aspect ratio (width / height). Grid and axes suit the size of the scene.
    pub fn framing(points: &[Vec3], aspect: f64) -> Self {
        let (low, high) = extent_of(points);
        let size = (high - low).norm().max(1e-6);
        let axes_length = round_down(size / 4.0);
        // The world's axes belong to the picture if the scene is near them.
        let near = [low, high].iter().all(|corner| corner.max_abs() < 2.0 * size);
        let tips = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * (1.1 * axes_length));
        let mut shown = points.to_vec();
        shown.extend(tips.into_iter().filter(|_| near));
        let mut camera = Camera::standard();
        camera.fit(&shown, aspect);
        let step = round_down(size / 8.0);
        let reach = |low: f64, high: f64| {
            // The origin belongs to the grid, and half a field of margin to both sides.
            let low = ((low.min(0.0) - step / 2.0) / step).floor() * step;
            let high = ((high.max(0.0) + step / 2.0) / step).ceil() * step;
            (low, high)
        };
        let (x_min, x_max) = reach(low.x, high.x);
        let (y_min, y_max) = reach(low.y, high.y);
        let options = Options {
            extent: Extent { x_min, x_max, y_min, y_max },
            grid_step: step / 2.0,
            axes_length,
            triad_length: round_down(size / 16.0),
            ..Options::default()
        };
        Self { home: camera.clone(), camera, options, body: None, following: false }
    }

    /// Back to the standard view.
    pub fn reset(&mut self) {
        let projection = self.camera.projection;
        self.camera = Camera { projection, ..self.home.clone() };
        if self.following {
            (self.camera.target.x, self.camera.target.y) = (0.0, 0.0);
        }
    }

    /// Makes the present camera the standard view.
    pub fn set_home(&mut self) {
        self.home = self.camera.clone();
    }

    /// Whether the camera follows a body now.
    pub fn is_following(&self) -> bool {
        self.following
    }

    /// Begins to follow [`body`](Self::body), which moves to the middle of the picture, or lets it
    /// go, and the picture stays as it is. `position` is where the body is now, if that is known.
    pub fn set_following(&mut self, on: bool, position: Option<Vec3>) {
        if on == self.following || (on && self.body.is_none()) {
            return;
        }
        self.following = on;
        let target = &mut self.camera.target;
        if on {
            (target.x, target.y) = (0.0, 0.0);
        } else if let Some(position) = position {
            (target.x, target.y) = (target.x + position.x, target.y + position.y);
        }
    }

    /// The camera in world coordinates when the followed body is at `position`. The camera follows
    /// in x and y only, so that a jumping body is seen to jump.
    pub fn camera_at(&self, position: Option<Vec3>) -> Camera {
        let mut camera = self.camera.clone();
        if let (true, Some(position)) = (self.following, position) {
            camera.target += vec3(position.x, position.y, 0.0);
        }
        camera
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moving() -> View {
        View { body: Some(0), ..View::default() }
    }

    #[test]
    fn a_followed_body_stays_in_the_middle_but_rises() {
        let mut view = moving();
        let height = view.camera.target.z;
        view.set_following(true, Some(vec3(3.0, 4.0, 5.0)));
        let camera = view.camera_at(Some(vec3(3.0, 4.0, 5.0)));
        assert_eq!(camera.target, vec3(3.0, 4.0, height));
        let later = view.camera_at(Some(vec3(7.0, -1.0, 9.0)));
        assert_eq!(later.target, vec3(7.0, -1.0, height));
    }

    #[test]
    fn letting_a_body_go_keeps_the_picture() {
        let mut view = moving();
        view.set_following(true, None);
        view.camera.translate(0.1, 0.0);
        let here = Some(vec3(3.0, 4.0, 5.0));
        let before = view.camera_at(here);
        view.set_following(false, here);
        let after = view.camera_at(here);
        assert!((before.target - after.target).norm() < 1e-12);
    }

    #[test]
    fn without_a_body_there_is_nothing_to_follow() {
        let mut view = View::default();
        view.set_following(true, None);
        assert!(!view.is_following());
    }

    #[test]
    fn the_standard_view_comes_back() {
        let mut view = View::default();
        let home = view.camera.clone();
        view.camera.rotate(1.0, 0.3);
        view.camera.translate(0.5, 0.2);
        view.camera.zoom(3.0);
        assert_ne!(view.camera, home);
        view.reset();
        assert_eq!(view.camera, home);
    }

    #[test]
    fn grid_and_axes_suit_the_scene() {
        for size in [1e-3, 1.0, 7.3, 4e4] {
            let view =
                View::framing(&[vec3(0.2, 0.1, 0.0) * size, vec3(2.0, 1.0, 1.0) * size], 1.0);
            let Extent { x_min, x_max, y_min, y_max } = view.options.extent;
            assert!(x_min < 0.0 && x_max > 2.0 * size && y_min < 0.0 && y_max > size);
            assert!(x_max < 4.0 * size && x_min > -size);
            let axes = view.options.axes_length / size;
            assert!((0.2..1.0).contains(&axes), "{axes}");
        }
    }
}
