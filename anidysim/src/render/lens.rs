//! The camera of the view as kiss3d wants it.

use kiss3d::camera::Camera3d;
use kiss3d::event::WindowEvent;
use kiss3d::glamx::{Mat3, Mat4, Pose3, Quat, Vec3};
use kiss3d::window::Canvas;

use super::space::{DISTANCE, direction};
use crate::view::{Camera, Projection};

/// Nothing nearer to the eye is drawn, in the space that is drawn.
const NEAR: f32 = 0.05;

/// A camera in the space that is drawn: it looks at the origin.
pub(super) struct Lens {
    camera: Camera,
    far: f32,
    aspect: f32,
}

impl Lens {
    /// `reach` is how far from the target there is something to see, in the space that is drawn.
    pub(super) fn new(camera: Camera, reach: f64) -> Self {
        Self { camera, far: (DISTANCE + reach).max(2.0 * DISTANCE) as f32, aspect: 1.0 }
    }

    /// The projection as kiss3d expects it. The screen takes depths from 0 to 1. Perspective depths are made
    /// for -1 to 1, which only hides what is nearer than about twice `NEAR`, and the shadows count on it;
    /// parallel ones would lose the nearer half of the scene.
    fn projection(&self) -> Mat4 {
        let tangent = (self.camera.angle_of_view() / 2.0).tan() as f32;
        match self.camera.projection {
            Projection::Perspective => {
                let (near, far) = (NEAR, self.far);
                Mat4::from_cols_array(&[
                    1.0 / (tangent * self.aspect),
                    0.0,
                    0.0,
                    0.0,
                    0.0,
                    1.0 / tangent,
                    0.0,
                    0.0,
                    0.0,
                    0.0,
                    -(far + near) / (far - near),
                    -1.0,
                    0.0,
                    0.0,
                    -2.0 * far * near / (far - near),
                    0.0,
                ])
            }
            Projection::Orthographic => {
                let half = tangent * DISTANCE as f32;
                // What is behind the eye counts, too: there is no eye in this projection.
                let (near, far) = (2.0 * DISTANCE as f32 - self.far, self.far);
                Mat4::from_cols_array(&[
                    1.0 / (half * self.aspect),
                    0.0,
                    0.0,
                    0.0,
                    0.0,
                    1.0 / half,
                    0.0,
                    0.0,
                    0.0,
                    0.0,
                    -1.0 / (far - near),
                    0.0,
                    0.0,
                    0.0,
                    -near / (far - near),
                    1.0,
                ])
            }
        }
    }
}

impl Camera3d for Lens {
    fn handle_event(&mut self, _: &Canvas, event: &WindowEvent) {
        if let WindowEvent::FramebufferSize(width, height) = *event {
            self.aspect = width.max(1) as f32 / height.max(1) as f32;
        }
    }

    fn eye(&self) -> Vec3 {
        direction(self.camera.axes().2 * DISTANCE)
    }

    fn view_transform(&self) -> Pose3 {
        let (right, up, toward) = self.camera.axes();
        // Rows of the matrix from world to camera are the camera's axes.
        let axes = Mat3::from_cols(direction(right), direction(up), direction(toward));
        let rotation = Quat::from_mat3(&axes.transpose());
        Pose3::from_parts(Vec3::new(0.0, 0.0, -DISTANCE as f32), rotation)
    }

    fn transformation(&self) -> Mat4 {
        self.projection() * self.view_transform().to_mat4()
    }

    fn inverse_transformation(&self) -> Mat4 {
        self.transformation().inverse()
    }

    fn clip_planes(&self) -> (f32, f32) {
        (NEAR, self.far)
    }

    fn update(&mut self, _: &Canvas) {}

    fn view_transform_pair(&self, _: usize) -> (Pose3, Mat4) {
        (self.view_transform(), self.projection())
    }
}
