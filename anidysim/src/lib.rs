//! Shows in 3D what dysim simulated: shapes, camera, drawing and recording.
//!
//! Nothing here integrates or solves a joint: all poses come from the result file.

pub mod app;
pub mod arguments;
pub mod commands;
pub mod geometry;
pub mod motion;
pub mod playback;
pub mod record;
pub mod render;
pub mod scene;
pub mod view;
pub mod window;
