//! Surfaces of all primitives as plain triangles: one file per shape. Nothing here draws.

mod cuboid;
mod cylinder;
mod ellipsoid;
mod extrude;
mod mesh;
mod tetraeder;
mod triangulate;

pub use cuboid::cuboid;
pub use cylinder::{End, cone, cylinder};
pub use ellipsoid::ellipsoid;
pub use extrude::extrude;
pub use mesh::Mesh;
pub use tetraeder::tetraeder;
