//! One surface, drawn at many places in one go.

use std::cell::RefCell;
use std::rc::Rc;

use kiss3d::glamx::{self, Vec2};
use kiss3d::resource::GpuMesh3d;
use kiss3d::scene::{InstanceData3d, SceneNode3d};
use mechanics::Vec3;

use super::space::direction;
use crate::geometry::Mesh;

/// A surface and where it is drawn next.
pub(super) struct Batch {
    smooth: SceneNode3d,
    /// Made when it is needed.
    faceted: Option<SceneNode3d>,
    /// What it is drawn with.
    pub(super) instances: Vec<InstanceData3d>,
}

impl Batch {
    pub(super) fn new(root: &mut SceneNode3d, mesh: &Mesh) -> Self {
        Self { smooth: node(root, mesh), faceted: None, instances: Vec::new() }
    }

    /// Hands the instances over. `surface` is asked for when the faceted one is needed first.
    pub(super) fn show(&mut self, root: &mut SceneNode3d, smooth: bool, surface: &Mesh) {
        self.smooth.set_visible(smooth && !self.instances.is_empty());
        let active = if smooth {
            &mut self.smooth
        } else {
            self.faceted.get_or_insert_with(|| node(root, &surface.faceted()))
        };
        active.set_instances(&self.instances);
        active.set_visible(!self.instances.is_empty());
        if let (true, Some(faceted)) = (smooth, &mut self.faceted) {
            faceted.set_visible(false);
        }
        self.instances.clear();
    }
}

/// A node for a mesh, with the surface of painted metal.
pub(super) fn node(root: &mut SceneNode3d, mesh: &Mesh) -> SceneNode3d {
    let vertices = drawn(&mesh.vertices);
    let uvs = vec![Vec2::ZERO; vertices.len()];
    let gpu =
        GpuMesh3d::new(vertices, mesh.faces.clone(), Some(drawn(&mesh.normals)), Some(uvs), true);
    let mut node = root.add_mesh(Rc::new(RefCell::new(gpu)), glamx::Vec3::ONE);
    node.set_roughness(0.55);
    node.set_metallic(0.0);
    node
}

/// Gives a node the shape of another mesh with as many vertices and the same faces.
pub(super) fn reshape(node: &mut SceneNode3d, mesh: &Mesh) {
    node.modify_vertices(&mut |vertices| vertices.clone_from(&drawn(&mesh.vertices)));
    node.modify_normals(&mut |normals| normals.clone_from(&drawn(&mesh.normals)));
}

fn drawn(vectors: &[Vec3]) -> Vec<glamx::Vec3> {
    vectors.iter().map(|&v| direction(v)).collect()
}
