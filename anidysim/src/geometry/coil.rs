//! The coil of a Spring: a round wire along a helix between two points.

use std::f64::consts::TAU;

use mechanics::{Mat3, Vec3, vec3};

use super::Mesh;

/// Lines along the wire, and sections of the wire in each turn.
const AROUND: u32 = 8;
const PER_TURN: u32 = 20;

/// Part of a coil at each end in which the wire runs from the axis to its radius.
const LEAD: f64 = 0.08;

/// Radius of the wire as a part of that of the coil.
const WIRE: f64 = 0.12;

/// The middle of the wire at part `s` of its way, for a coil along z.
fn helix(s: f64, length: f64, radius: f64, turns: f64) -> Vec3 {
    let r = radius * (s.min(1.0 - s) / LEAD).min(1.0);
    let (sin, cos) = (TAU * turns * s).sin_cos();
    vec3(r * cos, r * sin, s * length)
}

/// A coil from `start` to `end` (m). The wire ends on the axis, at the points it connects.
pub fn coil(start: Vec3, end: Vec3, radius: f64, turns: u32) -> Mesh {
    let span = end - start;
    let length = span.norm();
    let axis = span.normalized().unwrap_or(Vec3::Z);
    let frame = Mat3::with_third_axis(axis);
    let wire = radius * WIRE;
    let n = turns.max(1) * PER_TURN;
    let at = |s: f64| helix(s.clamp(0.0, 1.0), length, radius, f64::from(turns));
    let mut mesh = Mesh::default();
    for k in 0..=n {
        let s = f64::from(k) / f64::from(n);
        let step = 0.25 / f64::from(n);
        let tangent = (at(s + step) - at(s - step)).normalized().unwrap_or(Vec3::Z);
        // Across the wire: away from the axis as far as that is perpendicular.
        let (sin, cos) = (TAU * f64::from(turns) * s).sin_cos();
        let out = vec3(cos, sin, 0.0);
        let side = (out - tangent * out.dot(tangent)).normalized().unwrap_or(Vec3::X);
        let other = tangent.cross(side);
        for j in 0..AROUND {
            let (sin, cos) = (TAU * f64::from(j) / f64::from(AROUND)).sin_cos();
            let normal = side * cos + other * sin;
            mesh.vertex(start + frame * (at(s) + normal * wire), frame * normal);
        }
    }
    for k in 0..n {
        for j in 0..AROUND {
            let next = (j + 1) % AROUND;
            let (here, there) = (k * AROUND, (k + 1) * AROUND);
            mesh.quad(here + j, here + next, there + next, there + j);
        }
    }
    let last = n * AROUND;
    let ring = |mesh: &Mesh, first: u32| -> Vec<Vec3> {
        (0..AROUND).map(|j| mesh.vertices[(first + j) as usize]).collect()
    };
    let (mut lower, upper) = (ring(&mesh, 0), ring(&mesh, last));
    lower.reverse();
    mesh.polygon(&lower, -axis);
    mesh.polygon(&upper, axis);
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::mesh::checks::{assert_closed, assert_outward};

    #[test]
    fn a_coil_is_a_closed_wire_between_its_ends() {
        let (start, end) = (vec3(1.0, -1.0, 0.5), vec3(-0.5, 2.0, 2.0));
        let mesh = coil(start, end, 0.1, 6);
        assert_closed(&mesh);
        assert_outward(&mesh);
        // No point is farther from the axis than radius and wire, and the ends are at the ends.
        let axis = (end - start).normalized().unwrap();
        for &place in &mesh.vertices {
            let across = (place - start).cross(axis).norm();
            assert!(across < 0.1 * (1.0 + WIRE) + 1e-12);
        }
        let mean = |range: std::ops::Range<usize>| {
            let n = range.len() as f64;
            mesh.vertices[range].iter().fold(Vec3::ZERO, |sum, &p| sum + p) * (1.0 / n)
        };
        assert!((mean(0..8) - start).norm() < 1e-12);
        let last = (6 * PER_TURN * AROUND) as usize;
        assert!((mean(last..last + 8) - end).norm() < 1e-12);
    }

    /// Wire volume: section times length of the helix, of which the leads are a small part.
    #[test]
    fn the_wire_has_its_thickness_and_the_coil_its_turns() {
        let (length, radius, turns) = (2.0, 0.2, 10);
        let mesh = coil(Vec3::ZERO, Vec3::Z * length, radius, turns);
        let turn = (TAU * radius).hypot(length / f64::from(turns));
        let section =
            f64::from(AROUND) / 2.0 * (TAU / f64::from(AROUND)).sin() * (radius * WIRE).powi(2);
        let ratio = mesh.volume() / (section * turn * f64::from(turns));
        // The leads, 16 % of the way, have about half the radius; chords are 0.4 % shorter than arcs.
        assert!((0.88..0.96).contains(&ratio), "{ratio}");
    }

    #[test]
    fn a_coil_of_length_zero_is_finite() {
        let mesh = coil(Vec3::X, Vec3::X, 0.1, 3);
        assert!(mesh.vertices.iter().chain(&mesh.normals).all(|v| v.is_finite()));
    }
}
