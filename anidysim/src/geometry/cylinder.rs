//! Cylinder and cone: elliptic ends in planes across the z axis, straight lines between them.

use std::f64::consts::TAU;

use mechanics::{Vec3, vec3};

use super::Mesh;

/// Half axes of an elliptic end along x and y (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// Along x.
    pub x: f64,
    /// Along y.
    pub y: f64,
}

/// A cylinder around the z axis from -h/2 to h/2 whose ends may differ, with `n` lines along it.
pub fn cylinder(bottom: End, top: End, height: f64, n: u32) -> Mesh {
    frustum(bottom, top, -height / 2.0, height / 2.0, n)
}

/// A cone with its base in the xy plane and its tip at `height` on the z axis.
pub fn cone(base: End, height: f64, n: u32) -> Mesh {
    frustum(base, End { x: 0.0, y: 0.0 }, 0.0, height, n)
}

/// Cosine and sine of part `k` of `n` of a turn, exact at quarters.
fn direction(k: u32, n: u32) -> (f64, f64) {
    let quarters = 4 * k;
    if quarters.is_multiple_of(n) {
        return match quarters / n {
            0 => (1.0, 0.0),
            1 => (0.0, 1.0),
            2 => (-1.0, 0.0),
            _ => (0.0, -1.0),
        };
    }
    let (sin, cos) = (TAU * f64::from(k) / f64::from(n)).sin_cos();
    (cos, sin)
}

/// Outward normal of the side at direction (c, s), at the height where the half axes are `a`, `b`.
///
/// The side is `r(u, w) = (a cos u, b sin u, w h)` with `a`, `b` linear in `w`; the cross product of
/// its derivatives is `(h b cos u, h a sin u, -(a b' sin^2 u + b a' cos^2 u))`.
fn side_normal((c, s): (f64, f64), (a, b): (f64, f64), slope: (f64, f64), h: f64) -> Option<Vec3> {
    vec3(h * b * c, h * a * s, -(a * slope.1 * s * s + b * slope.0 * c * c)).normalized()
}

fn frustum(bottom: End, top: End, low: f64, high: f64, n: u32) -> Mesh {
    let mut mesh = Mesh::default();
    let h = high - low;
    let slope = (top.x - bottom.x, top.y - bottom.y);
    let middle = ((bottom.x + top.x) / 2.0, (bottom.y + top.y) / 2.0);
    // At a tip the normal of the generating line counts, which its middle has, too.
    let normal = |at: (f64, f64), end: End| {
        side_normal(at, (end.x, end.y), slope, h)
            .or_else(|| side_normal(at, middle, slope, h))
            .unwrap_or(vec3(at.0, at.1, 0.0))
    };
    let place = |(c, s): (f64, f64), end: End, z: f64| vec3(end.x * c, end.y * s, z);
    let angles: Vec<(f64, f64)> = (0..n).map(|k| direction(k, n)).collect();
    // The side: rings of vertices below and above.
    for &at in &angles {
        mesh.vertex(place(at, bottom, low), normal(at, bottom));
        mesh.vertex(place(at, top, high), normal(at, top));
    }
    for k in 0..n {
        let next = (k + 1) % n;
        mesh.quad(2 * k, 2 * next, 2 * next + 1, 2 * k + 1);
    }
    // The ends.
    let upper: Vec<Vec3> = angles.iter().map(|&at| place(at, top, high)).collect();
    let lower: Vec<Vec3> = angles.iter().rev().map(|&at| place(at, bottom, low)).collect();
    mesh.polygon(&lower, -Vec3::Z);
    mesh.polygon(&upper, Vec3::Z);
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::mesh::checks::assert_solid;

    /// Area of the polygon with `n` corners on an ellipse.
    fn polygon_area(x: f64, y: f64, n: u32) -> f64 {
        f64::from(n) / 2.0 * (TAU / f64::from(n)).sin() * x * y
    }

    /// Volume between two such polygons. The section at height w has the corners `(1 - w) p_k + w q_k`
    /// and, on the diagonals of the side, `(1 - w) p_k + w q_(k+1)`. In its area the mixed terms of p
    /// and q add up to those of the ellipse with linear half axes, also where the quads of the side
    /// are not flat, and the integral over w is as for a frustum.
    fn frustum_volume(bottom: End, top: End, h: f64, n: u32) -> f64 {
        let mixed = (bottom.x * top.y + top.x * bottom.y) / 2.0;
        polygon_area(1.0, 1.0, n) * h * (bottom.x * bottom.y + mixed + top.x * top.y) / 3.0
    }

    #[test]
    fn a_cylinder_is_a_solid_on_its_surface() {
        for n in [3, 4, 8, 33] {
            let end = End { x: 2.0, y: 0.5 };
            let mesh = cylinder(end, end, 3.0, n);
            assert_solid(&mesh, polygon_area(2.0, 0.5, n) * 3.0);
            for (place, normal) in mesh.vertices.iter().zip(&mesh.normals) {
                let on = (place.x / 2.0).powi(2) + (place.y / 0.5).powi(2);
                assert!((on - 1.0).abs() < 1e-12 && place.z.abs() == 1.5);
                // On the side the gradient of the ellipse.
                let gradient = vec3(place.x / 4.0, place.y / 0.25, 0.0).normalized().unwrap();
                assert!(normal.z.abs() == 1.0 || (*normal - gradient).norm() < 1e-12);
            }
        }
    }

    #[test]
    fn a_tapered_cylinder_has_the_volume_of_its_section() {
        let (bottom, top) = (End { x: 2.0, y: 1.0 }, End { x: 0.5, y: 1.5 });
        for n in [4, 7, 24] {
            let mesh = cylinder(bottom, top, 2.0, n);
            assert_solid(&mesh, frustum_volume(bottom, top, 2.0, n));
            let mut rings = mesh.vertices.iter();
            assert!(rings.all(|p| p.z == 1.0 || p.z == -1.0));
        }
    }

    /// The normal of a round cone makes the angle of its generating line with the axis.
    #[test]
    fn a_cone_has_its_volume_and_normals() {
        for n in [3, 8, 21] {
            let mesh = cone(End { x: 1.5, y: 1.5 }, 2.0, n);
            assert_solid(&mesh, polygon_area(1.5, 1.5, n) * 2.0 / 3.0);
            let slant = 2f64.hypot(1.5);
            for normal in mesh.normals.iter().filter(|normal| normal.z.abs() < 0.99) {
                assert!((normal.z - 1.5 / slant).abs() < 1e-12);
            }
            let (low, high) = mesh.bounds().unwrap();
            assert_eq!((low.z, high.z), (0.0, 2.0));
        }
        assert_solid(&cone(End { x: 1.0, y: 3.0 }, 1.0, 12), polygon_area(1.0, 3.0, 12) / 3.0);
    }

    #[test]
    fn numbers_without_extent_leave_finite_meshes() {
        let flat = End { x: 0.0, y: 0.0 };
        let wedge = End { x: 0.0, y: 1.0 };
        let round = End { x: 1.0, y: 1.0 };
        for (bottom, top, h) in
            [(flat, flat, 1.0), (round, round, 0.0), (round, wedge, 1.0), (wedge, wedge, 1.0)]
        {
            let mesh = cylinder(bottom, top, h, 8);
            let finite = |v: &Vec3| v.is_finite();
            assert!(mesh.vertices.iter().all(finite) && mesh.normals.iter().all(finite));
            assert!(mesh.normals.iter().all(|n| (n.norm() - 1.0).abs() < 1e-12));
        }
    }
}
