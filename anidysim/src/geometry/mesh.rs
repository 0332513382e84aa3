//! Triangles with a normal at every corner.

use std::collections::HashMap;

use mechanics::{Pose, Vec3};

/// Cosine of the angle between faces that are taken for one flat polygon.
const FLAT: f64 = 1.0 - 1e-9;

/// A surface of triangles. Corners are listed counter-clockwise seen from outside. Where a surface
/// has a crease, its vertices are there several times, with different normals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Places (m).
    pub vertices: Vec<Vec3>,
    /// Unit vectors outwards, one for each vertex.
    pub normals: Vec<Vec3>,
    /// Three vertices each.
    pub faces: Vec<[u32; 3]>,
}

impl Mesh {
    /// Adds a vertex and tells its index.
    pub(super) fn vertex(&mut self, place: Vec3, normal: Vec3) -> u32 {
        self.vertices.push(place);
        self.normals.push(normal);
        (self.vertices.len() - 1) as u32
    }

    /// Adds a triangle, unless two of its corners coincide: then it has no area and no neighbours
    /// that need it.
    pub(super) fn triangle(&mut self, a: u32, b: u32, c: u32) {
        let at = |k: u32| self.vertices[k as usize];
        if at(a) != at(b) && at(b) != at(c) && at(c) != at(a) {
            self.faces.push([a, b, c]);
        }
    }

    /// Adds the two triangles of four corners, counter-clockwise.
    pub(super) fn quad(&mut self, a: u32, b: u32, c: u32, d: u32) {
        self.triangle(a, b, c);
        self.triangle(a, c, d);
    }

    /// Adds a flat convex polygon, counter-clockwise around `normal`.
    pub(super) fn polygon(&mut self, corners: &[Vec3], normal: Vec3) {
        let indices: Vec<u32> = corners.iter().map(|&place| self.vertex(place, normal)).collect();
        for pair in indices.windows(2).skip(1) {
            self.triangle(indices[0], pair[0], pair[1]);
        }
    }

    /// Adds all of another mesh.
    pub fn append(&mut self, other: &Mesh) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(&other.vertices);
        self.normals.extend(&other.normals);
        self.faces.extend(other.faces.iter().map(|face| face.map(|k| k + first)));
    }

    /// This surface, moved by a pose.
    pub fn moved(&self, pose: &Pose) -> Mesh {
        Mesh {
            vertices: self.vertices.iter().map(|&place| pose.transform_point(place)).collect(),
            normals: self.normals.iter().map(|&normal| pose.rotation * normal).collect(),
            faces: self.faces.clone(),
        }
    }

    /// The corners of a face.
    pub fn corners(&self, face: [u32; 3]) -> [Vec3; 3] {
        face.map(|k| self.vertices[k as usize])
    }

    /// This surface with the normal of each face at the corners of the face, so that it looks faceted.
    pub fn faceted(&self) -> Mesh {
        let mut mesh = Mesh::default();
        for &face in &self.faces {
            let [a, b, c] = self.corners(face);
            let fallback = self.normals[face[0] as usize];
            mesh.polygon(&[a, b, c], (b - a).cross(c - a).normalized().unwrap_or(fallback));
        }
        mesh
    }

    /// The lines along which the surface bends or ends, for a wireframe: not the diagonals of flat
    /// polygons.
    pub fn edges(&self) -> Vec<[Vec3; 2]> {
        let bits = |p: Vec3| p.to_array().map(|x| (x + 0.0).to_bits());
        let mut known: HashMap<_, (Vec3, bool)> = HashMap::new();
        let mut order = Vec::new();
        for &face in &self.faces {
            let corners = self.corners(face);
            let [a, b, c] = corners;
            let Some(normal) = (b - a).cross(c - a).normalized() else { continue };
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let (p, q) = (bits(from), bits(to));
                let key = if p < q { (p, q) } else { (q, p) };
                match known.get_mut(&key) {
                    // Drawn unless the second face continues the first.
                    Some((first, drawn)) => *drawn = first.dot(normal) < FLAT,
                    None => {
                        known.insert(key, (normal, true));
                        order.push((key, [from, to]));
                    }
                }
            }
        }
        let drawn =
            order.into_iter().filter(|(key, _)| known.get(key).is_some_and(|&(_, drawn)| drawn));
        drawn.map(|(_, edge)| edge).collect()
    }

    /// Volume inside a closed surface (m^3), by the divergence theorem: the sum of the signed
    /// volumes of the tetrahedra between the origin and each face.
    pub fn volume(&self) -> f64 {
        let of_face = |&face: &[u32; 3]| {
            let [a, b, c] = self.corners(face);
            a.dot(b.cross(c)) / 6.0
        };
        self.faces.iter().map(of_face).sum()
    }

    /// The corners of the smallest box with sides parallel to the axes; `None` for an empty mesh.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let first = *self.vertices.first()?;
        Some(self.vertices.iter().fold((first, first), |(low, high), p| {
            (
                Vec3 { x: low.x.min(p.x), y: low.y.min(p.y), z: low.z.min(p.z) },
                Vec3 { x: high.x.max(p.x), y: high.y.max(p.y), z: high.z.max(p.z) },
            )
        }))
    }
}

#[cfg(test)]
pub(super) mod checks {
    //! What every closed primitive has to fulfil.

    use super::*;

    fn bits(v: Vec3) -> [u64; 3] {
        // Adding zero makes one zero of both.
        v.to_array().map(|x| (x + 0.0).to_bits())
    }

    /// Every edge is used exactly once in each direction, by place and not by index.
    pub fn assert_closed(mesh: &Mesh) {
        let mut uses: HashMap<([u64; 3], [u64; 3]), i32> = HashMap::new();
        for &face in &mesh.faces {
            let corners = mesh.corners(face);
            for k in 0..3 {
                let (a, b) = (bits(corners[k]), bits(corners[(k + 1) % 3]));
                assert_ne!(a, b, "an edge of length zero");
                *uses.entry((a, b)).or_default() += 1;
            }
        }
        for (&(a, b), &count) in &uses {
            assert_eq!(count, 1, "an edge is used {count} times in one direction");
            assert_eq!(uses.get(&(b, a)), Some(&1), "an edge has a face on one side only");
        }
    }

    /// Normals have length one, and on each face they point to the side to which it turns.
    pub fn assert_outward(mesh: &Mesh) {
        assert_eq!(mesh.vertices.len(), mesh.normals.len());
        for normal in &mesh.normals {
            assert!((normal.norm() - 1.0).abs() < 1e-12, "{normal:?}");
        }
        for &face in &mesh.faces {
            let [a, b, c] = mesh.corners(face);
            let area = (b - a).cross(c - a);
            let mean = face.iter().fold(Vec3::ZERO, |sum, &k| sum + mesh.normals[k as usize]);
            // A corner of a flat polygon may be straight: such a face has no area and no side.
            assert!(area.norm() < 1e-12 || area.dot(mean) > 0.0, "{face:?}: {mean:?}");
        }
    }

    /// Both, and the volume (m^3) up to rounding.
    pub fn assert_solid(mesh: &Mesh, volume: f64) {
        assert_closed(mesh);
        assert_outward(mesh);
        let error = mesh.volume() / volume - 1.0;
        // A sum of at most some thousand terms, each with a few roundings.
        assert!(error.abs() < 1e-11, "volume {} instead of {volume}", mesh.volume());
    }

    #[test]
    fn an_open_or_turned_surface_is_noticed() {
        let mut open = crate::geometry::cuboid(1.0, 1.0, 1.0);
        open.faces.pop();
        assert!(std::panic::catch_unwind(|| assert_closed(&open)).is_err());
        let mut turned = crate::geometry::cuboid(1.0, 1.0, 1.0);
        turned.faces[3].swap(0, 1);
        assert!(std::panic::catch_unwind(|| assert_closed(&turned)).is_err());
        assert!(std::panic::catch_unwind(|| assert_outward(&turned)).is_err());
    }

    #[test]
    fn edges_are_those_of_the_solid_not_of_its_triangles() {
        assert_eq!(crate::geometry::cuboid(1.0, 2.0, 3.0).edges().len(), 12);
        let round = crate::geometry::End { x: 1.0, y: 1.0 };
        assert_eq!(crate::geometry::cylinder(round, round, 1.0, 8).edges().len(), 24);
        assert_eq!(crate::geometry::cone(round, 1.0, 8).edges().len(), 16);
        // Meridians in 6 parts each, and 5 parallels.
        assert_eq!(crate::geometry::ellipsoid(1.0, 2.0, 3.0, 8, 6).edges().len(), 8 * 6 + 5 * 8);
    }

    #[test]
    fn facets_keep_the_surface() {
        let smooth = crate::geometry::ellipsoid(1.0, 2.0, 3.0, 9, 7);
        let faceted = smooth.faceted();
        assert_closed(&faceted);
        assert_outward(&faceted);
        assert!((faceted.volume() - smooth.volume()).abs() < 1e-12);
    }
}
