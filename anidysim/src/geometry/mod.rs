//! Surfaces of all primitives as plain triangles: one file per shape. Nothing here draws.

mod arrow;
mod coil;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod equivalent;
mod extrude;
mod files;
mod mesh;
mod tetraeder;
mod triangulate;

pub use arrow::{head, shaft};
pub use coil::coil;
pub use cuboid::{cuboid, sheet};
pub use cylinder::{End, cone, cylinder};
pub use ellipsoid::ellipsoid;
pub use equivalent::{Equivalent, equivalent};
pub use extrude::extrude;
pub use files::read_mesh;
pub use mesh::Mesh;
pub use tetraeder::tetraeder;
