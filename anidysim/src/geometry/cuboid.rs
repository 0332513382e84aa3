//! The box: centred, sides parallel to the axes.

use mechanics::{Vec3, vec3};

use super::Mesh;

/// A box with its three lengths (m).
pub fn cuboid(x: f64, y: f64, z: f64) -> Mesh {
    let mut mesh = Mesh::default();
    let half = vec3(x / 2.0, y / 2.0, z / 2.0);
    // Each side by its outward axis and the two axes that follow it in a right-handed sense.
    for (n, u, v) in
        [(Vec3::X, Vec3::Y, Vec3::Z), (Vec3::Y, Vec3::Z, Vec3::X), (Vec3::Z, Vec3::X, Vec3::Y)]
    {
        for sign in [1.0, -1.0] {
            let corner = |s: f64, t: f64| {
                let d = n * sign + u * (s * sign) + v * t;
                vec3(d.x * half.x, d.y * half.y, d.z * half.z)
            };
            let corners =
                [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            mesh.polygon(&corners, n * sign);
        }
    }
    mesh
}

/// A square of length one in the xy plane, seen from above.
pub fn sheet() -> Mesh {
    let mut mesh = Mesh::default();
    let corner = |x: f64, y: f64| vec3(x, y, 0.0);
    mesh.polygon(
        &[corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)],
        Vec3::Z,
    );
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::mesh::checks::assert_solid;

    #[test]
    fn a_box_is_a_solid_with_its_corners() {
        let mesh = cuboid(1.0, 2.0, 3.0);
        assert_solid(&mesh, 6.0);
        assert_eq!(mesh.bounds(), Some((vec3(-0.5, -1.0, -1.5), vec3(0.5, 1.0, 1.5))));
        assert_eq!(mesh.faces.len(), 12);
    }

    /// A sheet has two sides and no more.
    #[test]
    fn a_box_without_thickness_is_a_sheet() {
        let mesh = cuboid(1.0, 2.0, 0.0);
        assert_eq!(mesh.volume(), 0.0);
        assert_eq!(mesh.faces.len(), 4);
    }
}
