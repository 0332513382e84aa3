//! Normals for triangles that come without useful ones.

use std::collections::HashMap;

use mechanics::Vec3;

use super::{Mesh, Triangle};

/// Faces that meet at less than this angle look like one curved surface: cosine of 40 degrees.
const SMOOTH: f64 = 0.766;

/// A mesh in which the normal of a corner is the mean over all faces there that form a curved surface
/// with its own face, weighted by their areas. Triangles without area are left out.
pub(super) fn with_normals(triangles: &[Triangle]) -> Mesh {
    let bits = |p: Vec3| p.to_array().map(|x| (x + 0.0).to_bits());
    // Twice the area times the unit normal.
    let area = |t: &Triangle| (t[1] - t[0]).cross(t[2] - t[0]);
    let solid: Vec<(&Triangle, Vec3, Vec3)> = triangles
        .iter()
        .filter_map(|triangle| Some((triangle, area(triangle), area(triangle).normalized()?)))
        .collect();
    let mut at_place: HashMap<[u64; 3], Vec<usize>> = HashMap::new();
    for (k, (triangle, ..)) in solid.iter().enumerate() {
        for &corner in *triangle {
            at_place.entry(bits(corner)).or_default().push(k);
        }
    }
    let mut mesh = Mesh::default();
    for (triangle, _, own) in &solid {
        let corners = triangle.map(|corner| {
            let around = at_place.get(&bits(corner)).map_or(&[][..], Vec::as_slice);
            let curved = around.iter().map(|&k| &solid[k]).filter(|(.., n)| n.dot(*own) > SMOOTH);
            let sum = curved.fold(Vec3::ZERO, |sum, (_, area, _)| sum + *area);
            mesh.vertex(corner, sum.normalized().unwrap_or(*own))
        });
        mesh.triangle(corners[0], corners[1], corners[2]);
    }
    mesh
}
