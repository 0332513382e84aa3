//! What there is to draw: shapes, coils, trails, frames and names of a model as plain data.
//!
//! A shape that several primitives share is there once. Nothing here draws.

pub mod paths;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use language::blocks::graphics::{Primitive, Shape};
use language::model::Model;
use language::reading::ids::{BodyId, TriadId};
use mechanics::{Pose, Vec3, vec3};

use crate::geometry::{self, End, Equivalent, Mesh};

/// Red, green and blue as the model gives them, 0 to 1, the intensity multiplied in.
pub type Color = [f32; 3];

/// The colours of the world's axes x, y, z.
pub const AXIS_COLORS: [Color; 3] = [[0.85, 0.1, 0.1], [0.1, 0.65, 0.1], [0.1, 0.25, 0.9]];

/// Colours of bodies that the model gives none, in turn.
const DEFAULT_COLORS: [Color; 6] = [
    [0.35, 0.55, 0.8],
    [0.85, 0.55, 0.3],
    [0.45, 0.7, 0.45],
    [0.75, 0.45, 0.6],
    [0.6, 0.6, 0.35],
    [0.4, 0.65, 0.7],
];

/// A surface at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The body that carries it: index in the model, `None` for the world.
    pub body: Option<usize>,
    /// The pose in the body frame.
    pub pose: Pose,
    /// Index in [`Scene::meshes`].
    pub mesh: usize,
    /// Colour of the shape.
    pub color: Color,
}

/// Three arrows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The body that carries it, `None` for the world.
    pub body: Option<usize>,
    /// The pose in the body frame.
    pub pose: Pose,
    /// Length of the arrows (m).
    pub length: f64,
    /// Colours of x, y, z.
    pub colors: [Color; 3],
}

/// A point on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The body, `None` for the world.
    pub body: Option<usize>,
    /// The place in the body frame (m).
    pub place: Vec3,
}

/// A coil between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coil {
    /// Where it begins and ends.
    pub ends: [Anchor; 2],
    /// Radius (m).
    pub radius: f64,
    /// Number of turns.
    pub turns: u32,
    /// Colour of the coil.
    pub color: Color,
}

/// The path of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trail {
    /// The point.
    pub anchor: Anchor,
    /// How far back in time it reaches (s); `None` for the whole motion.
    pub length: Option<f64>,
    /// Colour of the trail.
    pub color: Color,
}

/// Data of a body for labels and legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// Name of the body.
    pub name: String,
    /// Colour of the body's first shape.
    pub color: Color,
    /// Centre of gravity in the body frame (m).
    pub centre: Vec3,
}

/// Everything there is to draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The different surfaces.
    pub meshes: Vec<Mesh>,
    /// The boxes around them.
    pub bounds: Vec<Option<(Vec3, Vec3)>>,
    /// Where they are.
    pub parts: Vec<Part>,
    /// Axes primitives.
    pub frames: Vec<Frame>,
    /// Spring primitives.
    pub coils: Vec<Coil>,
    /// Trail primitives.
    pub trails: Vec<Trail>,
    /// The bodies, in the order of the model.
    pub bodies: Vec<Named>,
    /// The triads: the bodies that carry them and their poses there.
    pub triads: Vec<(Option<usize>, Pose)>,
    /// Weight of all bodies (N), with which forces are compared.
    pub weight: f64,
    /// Messages about parts that could not be read, such as mesh files.
    pub problems: Vec<String>,
}

/// Index of a body in the model, `None` for the world.
fn index_of(body: BodyId) -> Option<usize> {
    body.index().checked_sub(1)
}

impl Scene {
    /// The scene of a model. Mesh files are looked for beside `model_file`.
    pub fn new(model: &Model, model_file: &Path) -> Self {
        let folder = model_file.parent().unwrap_or(Path::new("")).to_path_buf();
        let mut builder = Builder { scene: Self::default(), known: HashMap::new(), folder, model };
        for primitive in &model.primitives {
            builder.add(model.block_name(primitive.block), primitive);
        }
        builder.add_bodies();
        let mut scene = builder.scene;
        let gravity = Vec3::from(model.system.gravity).norm() * model.system.gravity_scale;
        scene.weight = model.bodies.iter().map(|body| body.mass).sum::<f64>() * gravity;
        let triads = model.triads.iter();
        scene.triads = triads.map(|triad| (index_of(triad.parent), triad.pose())).collect();
        scene
    }

    /// Corners of boxes around everything that is drawn on bodies at `poses`, and points of coils, in
    /// the world.
    pub fn corners(&self, poses: &[Option<Pose>]) -> Vec<Vec3> {
        let mut points = self.corners_where(|body| body.is_some(), poses);
        let ends = self.coils.iter().flat_map(|coil| coil.ends);
        points.extend(ends.filter_map(|end| end.at(poses)));
        points.retain(|point| point.is_finite());
        points
    }

    /// Corners of boxes around everything that is drawn on the world, part by part.
    pub fn standing_corners(&self) -> Vec<Vec3> {
        self.corners_where(|body| body.is_none(), &[])
    }

    fn corners_where(
        &self,
        wanted: impl Fn(Option<usize>) -> bool,
        poses: &[Option<Pose>],
    ) -> Vec<Vec3> {
        let mut points = Vec::new();
        for part in self.parts.iter().filter(|part| wanted(part.body)) {
            let Some(pose) = placed(part.body, part.pose, poses) else { continue };
            let Some((low, high)) = self.bounds[part.mesh] else { continue };
            for k in 0..8 {
                let pick = |bit: usize, a: f64, b: f64| if k & bit == 0 { a } else { b };
                let corner =
                    vec3(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z));
                points.push(pose.transform_point(corner));
            }
        }
        for frame in self.frames.iter().filter(|frame| wanted(frame.body)) {
            let Some(pose) = placed(frame.body, frame.pose, poses) else { continue };
            let ends = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
            points.extend(ends.map(|end| pose.transform_point(end * frame.length)));
        }
        points
    }
}

impl Anchor {
    /// The place in the world; `None` where that is not known.
    pub fn at(&self, poses: &[Option<Pose>]) -> Option<Vec3> {
        placed(self.body, Pose::from_translation(self.place), poses).map(|pose| pose.translation)
    }
}

/// The pose in the world of something with `pose` on a body; `None` where that is not known.
pub fn placed(body: Option<usize>, pose: Pose, poses: &[Option<Pose>]) -> Option<Pose> {
    match body {
        None => Some(pose),
        Some(index) => Some((*poses.get(index)?)? * pose),
    }
}

struct Builder<'a> {
    scene: Scene,
    /// Meshes by the words of their shapes.
    known: HashMap<String, Option<usize>>,
    folder: PathBuf,
    model: &'a Model,
}

impl Builder<'_> {
    fn add(&mut self, name: &str, primitive: &Primitive) {
        let placement = &primitive.placement;
        let color = mixed(placement.color);
        let body = placement.parent.and_then(index_of);
        let pose = placement.pose();
        match &primitive.shape {
            Shape::Axes(axes) => {
                let colors = [mixed(axes.color_x), mixed(axes.color_y), color];
                self.scene.frames.push(Frame { body, pose, length: axes.length, colors });
            }
            Shape::Coil(coil) => self.scene.coils.push(Coil {
                ends: [coil.triad1, coil.triad2].map(|triad| self.anchor(triad)),
                radius: coil.radius,
                turns: coil.coils,
                color,
            }),
            Shape::Trail(trail) => {
                let anchor = self.anchor(trail.triad);
                self.scene.trails.push(Trail { anchor, length: trail.length, color });
            }
            shape => {
                if let Some(mesh) = self.mesh(name, shape) {
                    self.scene.parts.push(Part { body, pose, mesh, color });
                }
            }
        }
    }

    fn anchor(&self, triad: TriadId) -> Anchor {
        let triad = self.model.triad(triad);
        Anchor { body: index_of(triad.parent), place: triad.position.into() }
    }

    /// The mesh of a shape, made if it was not there before.
    fn mesh(&mut self, name: &str, shape: &Shape) -> Option<usize> {
        let key = format!("{shape:?}");
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let index = match surface(shape, self.model, &self.folder) {
            Ok(mesh) => Some(self.insert(mesh)),
            Err(problem) => {
                self.scene.problems.push(format!("primitive `{name}` is not shown: {problem}"));
                None
            }
        };
        self.known.insert(key, index);
        index
    }

    fn insert(&mut self, mesh: Mesh) -> usize {
        self.scene.bounds.push(mesh.bounds());
        self.scene.meshes.push(mesh);
        self.scene.meshes.len() - 1
    }

    /// Adds names and colours of the bodies, and shapes for bodies that have none.
    fn add_bodies(&mut self) {
        let mut colors: Vec<Option<Color>> = vec![None; self.model.bodies.len()];
        let frames = self.scene.frames.iter().map(|frame| (frame.body, frame.colors[2]));
        let parts = self.scene.parts.iter().map(|part| (part.body, part.color));
        for (body, color) in parts.chain(frames) {
            let Some(body) = body else { continue };
            colors[body].get_or_insert(color);
        }
        let mut defaults = DEFAULT_COLORS.iter().cycle();
        for (index, body) in self.model.bodies.iter().enumerate() {
            let color = colors[index].unwrap_or_else(|| {
                let color = defaults.next().copied().unwrap_or_default();
                self.add_default(index, color);
                color
            });
            let centre = body.cg_pose().translation;
            let name = self.model.block_name(body.block).to_owned();
            self.scene.bodies.push(Named { name, color, centre });
        }
    }

    fn add_default(&mut self, index: usize, color: Color) {
        let (pose, mesh) = match geometry::equivalent(&self.model.bodies[index]) {
            Some(Equivalent::Cuboid(pose, [x, y, z])) => (pose, geometry::cuboid(x, y, z)),
            Some(Equivalent::Ball(pose, r)) => (pose, geometry::ellipsoid(r, r, r, 24, 16)),
            None => return,
        };
        let mesh = self.insert(mesh);
        self.scene.parts.push(Part { body: Some(index), pose, mesh, color });
    }
}

/// The surface of a shape that has one.
fn surface(shape: &Shape, model: &Model, folder: &Path) -> Result<Mesh, String> {
    Ok(match shape {
        Shape::Cylinder(c) => geometry::cylinder(
            End { x: c.bottom_x, y: c.bottom_y },
            End { x: c.top_x, y: c.top_y },
            c.height,
            c.grid_long,
        ),
        Shape::Cuboid(c) => geometry::cuboid(c.x, c.y, c.z),
        Shape::Sphere(s) => geometry::ellipsoid(s.x, s.y, s.z, s.grid_long, s.grid_lati),
        Shape::Cone(c) => geometry::cone(End { x: c.x, y: c.y }, c.height, c.grid_long),
        Shape::Extrude(e) => {
            let outline: Vec<[f64; 2]> = e.outline.0.iter().map(|&[x, y, _]| [x, y]).collect();
            geometry::extrude(&outline, e.height)
        }
        Shape::Tetraeder(t) => {
            geometry::tetraeder([t.vertex1, t.vertex2, t.vertex3, t.vertex4].map(Vec3::from))
        }
        Shape::Mesh(m) => geometry::read_mesh(&folder.join(model.sources.text(m.file.0)), m.scale)?,
        Shape::Axes(_) | Shape::Coil(_) | Shape::Trail(_) => Mesh::default(),
    })
}

/// The colour of a parameter: the intensity scales the mixture.
fn mixed([red, green, blue, intensity]: [f64; 4]) -> Color {
    [red, green, blue].map(|part| (part * intensity) as f32)
}
