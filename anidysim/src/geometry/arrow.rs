//! Arrows along z in two parts, so that long and short ones have heads of the same shape.

use super::{End, Mesh, cone, cylinder};

/// Lines around shafts and heads: round enough at the few pixels they take.
const AROUND: u32 = 16;

/// Radius of a head of length 1.
const HEAD_RADIUS: f64 = 0.27;

/// A shaft from the origin to z = 1 with radius 1, to be stretched.
pub fn shaft() -> Mesh {
    let round = End { x: 1.0, y: 1.0 };
    let mut mesh = cylinder(round, round, 1.0, AROUND);
    for place in &mut mesh.vertices {
        place.z += 0.5;
    }
    mesh
}

/// A head from the xy plane to z = 1, to be scaled alike in all directions.
pub fn head() -> Mesh {
    cone(End { x: HEAD_RADIUS, y: HEAD_RADIUS }, 1.0, AROUND)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::mesh::checks::{assert_closed, assert_outward};

    #[test]
    fn both_parts_are_closed_and_reach_from_zero_to_one() {
        for (mesh, radius) in [(shaft(), 1.0), (head(), HEAD_RADIUS)] {
            assert_closed(&mesh);
            assert_outward(&mesh);
            let (low, high) = mesh.bounds().unwrap();
            assert_eq!((low.z, high.z), (0.0, 1.0));
            assert_eq!((low.x, high.x), (-radius, radius));
        }
    }
}
