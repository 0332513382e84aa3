//! What tests and benchmarks share: generated models of any size, equations with known answers, plugins, ways to
//! load a model, and an allocator that counts.

use std::path::Path;

pub mod chains;
pub mod counting;
pub mod loading;
pub mod loops;
pub mod models;
pub mod ode;
pub mod plugins;
pub mod trains;

/// The root of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."))
}
