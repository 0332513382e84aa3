//! The ellipsoid around the origin, its poles on the z axis.

use std::f64::consts::{PI, TAU};

use mechanics::{Vec3, vec3};

use super::Mesh;

/// An ellipsoid with half axes `x`, `y`, `z` (m), `n_long` parts around the z axis and `n_lati` parts
/// from pole to pole.
pub fn ellipsoid(x: f64, y: f64, z: f64, n_long: u32, n_lati: u32) -> Mesh {
    let mut mesh = Mesh::default();
    for lati in 0..=n_lati {
        for long in 0..n_long {
            let s = on_unit_sphere(long, n_long, lati, n_lati);
            // The gradient (sx/x, sy/y, sz/z), multiplied by x y z so that a flat one has it, too.
            let normal = vec3(y * z * s.x, z * x * s.y, x * y * s.z).normalized().unwrap_or(s);
            mesh.vertex(vec3(x * s.x, y * s.y, z * s.z), normal);
        }
    }
    for lati in 0..n_lati {
        for long in 0..n_long {
            let next = (long + 1) % n_long;
            let (below, above) = (lati * n_long, (lati + 1) * n_long);
            mesh.quad(below + long, below + next, above + next, above + long);
        }
    }
    mesh
}

/// A point of the grid, from the south pole up. The poles are exact, so that their vertices coincide.
fn on_unit_sphere(long: u32, n_long: u32, lati: u32, n_lati: u32) -> Vec3 {
    if lati == 0 {
        return -Vec3::Z;
    }
    if lati == n_lati {
        return Vec3::Z;
    }
    let (sin_u, cos_u) = (TAU * f64::from(long) / f64::from(n_long)).sin_cos();
    let polar = PI * f64::from(lati) / f64::from(n_lati);
    vec3(polar.sin() * cos_u, polar.sin() * sin_u, -polar.cos())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::mesh::checks::{assert_closed, assert_outward, assert_solid};

    /// Volume of the polyhedron: rings are pyramid frusta over regular polygons; an affine map
    /// multiplies it by x y z. The quads of a round ring are flat, so this is exact.
    fn volume(n_long: u32, n_lati: u32) -> f64 {
        let polygon = f64::from(n_long) / 2.0 * (TAU / f64::from(n_long)).sin();
        let ring = |k: u32| {
            let polar = PI * f64::from(k) / f64::from(n_lati);
            (polar.sin(), -polar.cos())
        };
        (0..n_lati)
            .map(|k| {
                let ((a, low), (b, high)) = (ring(k), ring(k + 1));
                polygon * (high - low) * (a * a + a * b + b * b) / 3.0
            })
            .sum()
    }

    #[test]
    fn an_ellipsoid_is_a_solid_on_its_surface() {
        for (n_long, n_lati) in [(3, 2), (8, 8), (17, 5), (40, 24)] {
            let mesh = ellipsoid(1.0, 2.0, 0.5, n_long, n_lati);
            assert_solid(&mesh, volume(n_long, n_lati));
            for (p, normal) in mesh.vertices.iter().zip(&mesh.normals) {
                let on = p.x * p.x + p.y * p.y / 4.0 + p.z * p.z / 0.25;
                assert!((on - 1.0).abs() < 1e-12);
                let gradient = vec3(p.x, p.y / 4.0, p.z / 0.25).normalized().unwrap();
                assert!((*normal - gradient).norm() < 1e-12);
            }
        }
    }

    #[test]
    fn a_fine_sphere_comes_near_the_ball() {
        let error = ellipsoid(1.0, 1.0, 1.0, 200, 100).volume() / (4.0 * PI / 3.0) - 1.0;
        // Second order in both steps: (2 pi/200)^2/6 + (pi/100)^2/4 or so.
        assert!(error < 0.0 && error > -1e-3, "{error}");
    }

    #[test]
    fn a_flat_ellipsoid_is_a_disc() {
        let mesh = ellipsoid(1.0, 1.0, 0.0, 8, 8);
        assert!(mesh.normals.iter().all(|n| (n.norm() - 1.0).abs() < 1e-12));
        assert_eq!(mesh.volume(), 0.0);
        assert_closed(&ellipsoid(1e-9, 1e9, 1.0, 8, 8));
        assert_outward(&ellipsoid(1e-3, 1e3, 1.0, 8, 8));
    }
}
