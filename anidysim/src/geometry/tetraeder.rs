//! The tetrahedron with its four corners.

use mechanics::Vec3;

use super::Mesh;

/// A tetrahedron. All four faces are closed, whatever the order of the corners.
pub fn tetraeder(corners: [Vec3; 4]) -> Mesh {
    let [a, b, c, d] = corners;
    // Positive if 2, 3, 4 turn counter-clockwise about the direction from 1 to them.
    let turned = (b - a).cross(c - a).dot(d - a) < 0.0;
    let mut mesh = Mesh::default();
    for [p, q, r] in [[b, c, d], [a, d, c], [a, b, d], [a, c, b]] {
        let [p, q, r] = if turned { [p, r, q] } else { [p, q, r] };
        // A face without area is a line; any normal will do.
        mesh.polygon(&[p, q, r], (q - p).cross(r - p).normalized().unwrap_or(Vec3::Z));
    }
    mesh
}

#[cfg(test)]
mod tests {
    use mechanics::vec3;

    use super::*;
    use crate::geometry::mesh::checks::assert_solid;

    #[test]
    fn a_tetrahedron_is_a_solid_in_either_order() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        assert_solid(&tetraeder(corners), 1.0 / 6.0);
        let [a, b, c, d] = corners;
        assert_solid(&tetraeder([a, c, b, d]), 1.0 / 6.0);
        let skew =
            [vec3(1.0, 2.0, 3.0), vec3(-1.0, 0.5, 0.0), vec3(0.0, 0.0, 2.0), vec3(4.0, -1.0, 1.0)];
        let edge = |k: usize| skew[k] - skew[0];
        assert_solid(&tetraeder(skew), edge(1).cross(edge(2)).dot(edge(3)).abs() / 6.0);
        assert_eq!(tetraeder(skew).faces.len(), 4);
    }

    #[test]
    fn corners_that_coincide_leave_less() {
        let mesh = tetraeder([Vec3::ZERO, Vec3::ZERO, Vec3::X, Vec3::Y]);
        assert_eq!((mesh.faces.len(), mesh.volume()), (2, 0.0));
    }
}
