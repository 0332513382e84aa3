//! The prism over any outline, half its height on each side of the xy plane.

use mechanics::{Vec3, vec3};

use super::Mesh;
use super::triangulate::{signed_area, triangulate};

/// A prism over an outline (x, y), which may be non-convex and run either way. Corners that
/// coincide with their predecessor are left out.
pub fn extrude(outline: &[[f64; 2]], height: f64) -> Mesh {
    let mut points: Vec<[f64; 2]> = outline.to_vec();
    points.dedup();
    while points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    if signed_area(&points) < 0.0 {
        points.reverse();
    }
    let mut mesh = Mesh::default();
    let (low, high) = (-height / 2.0, height / 2.0);
    let at = |p: [f64; 2], z: f64| vec3(p[0], p[1], z);
    let faces = triangulate(&points);
    let upper: Vec<u32> = points.iter().map(|&p| mesh.vertex(at(p, high), Vec3::Z)).collect();
    let lower: Vec<u32> = points.iter().map(|&p| mesh.vertex(at(p, low), -Vec3::Z)).collect();
    for [a, b, c] in faces {
        mesh.triangle(upper[a], upper[b], upper[c]);
        mesh.triangle(lower[a], lower[c], lower[b]);
    }
    for (k, &p) in points.iter().enumerate() {
        let q = points[(k + 1) % points.len()];
        // To the right of the way along the outline is outside.
        let normal = vec3(q[1] - p[1], p[0] - q[0], 0.0).normalized().unwrap_or(Vec3::X);
        mesh.polygon(&[at(p, low), at(q, low), at(q, high), at(p, high)], normal);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::mesh::checks::assert_solid;

    /// Seven corners with a notch, as in the picture of the manual.
    const NOTCHED: [[f64; 2]; 7] =
        [[0.0, 0.0], [2.0, 0.0], [1.2, 0.8], [2.0, 2.0], [1.0, 1.5], [0.5, 2.5], [-0.5, 1.0]];

    #[test]
    fn a_prism_over_a_notched_outline_is_a_solid() {
        let area = signed_area(&NOTCHED);
        let mesh = extrude(&NOTCHED, 0.5);
        assert_solid(&mesh, area * 0.5);
        let (low, high) = mesh.bounds().unwrap();
        assert_eq!((low.z, high.z), (-0.25, 0.25));
        let mut clockwise = NOTCHED;
        clockwise.reverse();
        assert_solid(&extrude(&clockwise, 0.5), area * 0.5);
    }

    #[test]
    fn repeated_corners_do_not_count() {
        let mut repeated = NOTCHED.to_vec();
        repeated.insert(3, NOTCHED[2]);
        repeated.push(NOTCHED[0]);
        assert_solid(&extrude(&repeated, 1.0), signed_area(&NOTCHED));
    }

    #[test]
    fn outlines_without_area_give_no_solid_and_no_failure() {
        for outline in [
            &[][..],
            &[[0.0, 0.0]],
            &[[0.0, 0.0], [1.0, 0.0]],
            &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]],
        ] {
            assert_eq!(extrude(outline, 1.0).volume(), 0.0);
        }
    }
}
