//! Draws a scene with kiss3d, in a window or without one.

mod batch;
mod device;
mod labels;
mod lens;
mod lines;
mod paint;
mod space;

pub use device::{DeviceError, headless};

use kiss3d::color::Color as Light;
use kiss3d::light::Light as Lamp;
use kiss3d::post_processing::Tonemap;
use kiss3d::scene::{InstanceData3d, SceneNode3d};
use kiss3d::window::Window;
use mechanics::{Pose, Vec3, vec3};

use crate::geometry::{self, Mesh};
use crate::motion::forces::Arrow;
use crate::scene::{AXIS_COLORS, Color, Scene, placed};
use crate::view::{Camera, Item, View};
use batch::Batch;
use lens::Lens;
use space::{Space, along, direction};

/// Thickness of axes and of force arrows as parts of their lengths, and the size of their heads.
const SHAFT: f64 = 0.012;
const HEAD_LENGTH: f64 = 0.13;

/// Colour of force arrows.
const FORCE_COLOR: Color = [0.85, 0.1, 0.55];

/// An arrow is never longer than this many of the world's axes.
const LONGEST_ARROW: f64 = 3.0;

/// Colour of the floor.
const FLOOR: Color = [0.93, 0.94, 0.95];

/// Where the sun shines to, in the world.
const SUN: Vec3 = vec3(0.45, 0.6, -1.0);

/// Everything drawn of one model, made once.
pub struct Stage {
    scene: Scene,
    root: SceneNode3d,
    /// One for each mesh of the scene.
    batches: Vec<Batch>,
    /// The edges of each mesh, for wireframes.
    edges: Vec<Vec<[Vec3; 2]>>,
    arrows: Arrows,
    floor: (Mesh, Batch),
    coils: Vec<SceneNode3d>,
    head_light: SceneNode3d,
    poses: Vec<Option<Pose>>,
    forces: Vec<Arrow>,
    paths: Vec<Vec<Vec3>>,
}

/// Shafts and heads of everything that is drawn as an arrow.
struct Arrows {
    meshes: [Mesh; 2],
    shafts: Batch,
    heads: Batch,
}

impl Stage {
    /// Makes the surfaces. A window has to be there, visible or not.
    pub fn new(scene: Scene) -> Self {
        let mut root = SceneNode3d::empty();
        root.add_light(
            Lamp::directional(direction(SUN))
                .with_color(Light::new(1.0, 1.0, 1.0, 1.0))
                .with_intensity(1.8),
        );
        let head_light = root.add_light(
            Lamp::directional(direction(-Vec3::Z)).with_intensity(1.2).with_casts_shadows(false),
        );
        let batches = scene.meshes.iter().map(|mesh| Batch::new(&mut root, mesh)).collect();
        let meshes = [geometry::shaft(), geometry::head()];
        let arrows = Arrows {
            shafts: Batch::new(&mut root, &meshes[0]),
            heads: Batch::new(&mut root, &meshes[1]),
            meshes,
        };
        let square = geometry::sheet();
        let floor = Batch::new(&mut root, &square);
        let edges = scene.meshes.iter().map(Mesh::edges).collect();
        let coils = scene.coils.iter().map(|coil| {
            batch::node(
                &mut root,
                &geometry::coil(Vec3::ZERO, Vec3::Z, coil.radius.max(1e-3), coil.turns),
            )
        });
        let coils = coils.collect();
        let poses = vec![None; scene.bodies.len()];
        Self {
            scene,
            root,
            batches,
            edges,
            arrows,
            floor: (square, floor),
            coils,
            head_light,
            poses,
            forces: Vec::new(),
            paths: Vec::new(),
        }
    }

    /// The scene that is drawn.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Puts the bodies of the model at their places; `None` hides one.
    pub fn set_poses(&mut self, poses: &[Option<Pose>]) {
        self.poses.clear();
        self.poses.extend_from_slice(poses);
    }

    /// Sets the forces for which arrows are drawn.
    pub fn set_forces(&mut self, forces: &[Arrow]) {
        self.forces.clear();
        self.forces.extend_from_slice(forces);
    }

    /// Sets the paths of the Trail primitives, in their order in the scene.
    pub fn set_paths(&mut self, paths: Vec<Vec<Vec3>>) {
        self.paths = paths;
    }

    /// Where the followed body is, if one is followed.
    fn followed(&self, view: &View) -> Option<Vec3> {
        let pose = (*self.poses.get(view.body?)?)?;
        Some(pose.translation)
    }

    /// The camera with which [`draw`](Self::draw) looks at the scene.
    pub fn camera(&self, view: &View) -> Camera {
        view.camera_at(self.followed(view))
    }

    /// Draws one picture; `false` when the window was closed.
    pub async fn draw(&mut self, window: &mut Window, view: &View) -> bool {
        let camera = self.camera(view);
        let space = Space::new(camera.target, camera.distance);
        prepare(window, view);
        self.place_parts(&space, view);
        self.place_arrows(&space, view);
        self.place_floor(&space, view);
        self.place_coils(&space);
        let toward = -camera.axes().2;
        self.head_light.modify_light(|light| {
            light.light_type = kiss3d::light::LightType::Directional(direction(toward));
        });
        lines::draw(window, self, &space, view);
        labels::draw(window, self, &camera, view);
        let mut lens = Lens::new(camera, self.reach(&space, view));
        window.render_3d(&mut self.root, &mut lens).await
    }

    /// How far from the origin of the drawn space something may be.
    fn reach(&self, space: &Space, view: &View) -> f64 {
        let extent = view.options.extent;
        let corners = [extent.x_min, extent.x_max].into_iter();
        let grid = corners.flat_map(|x| [extent.y_min, extent.y_max].map(|y| vec3(x, y, 0.0)));
        let standing = self.scene.standing_corners();
        let points = self.scene.corners(&self.poses).into_iter().chain(standing).chain(grid);
        points.map(|point| f64::from(space.point(point).length())).fold(0.0, f64::max)
    }

    fn place_parts(&mut self, space: &Space, view: &View) {
        let wire = view.options.shows(Item::Wireframe);
        for part in self.scene.parts.iter().filter(|_| !wire) {
            let Some(pose) = placed(part.body, part.pose, &self.poses) else { continue };
            if pose.is_finite() {
                let instance = instance(space, &pose, [1.0; 3], part.color);
                self.batches[part.mesh].instances.push(instance);
            }
        }
        let smooth = view.options.shows(Item::Smooth);
        for (batch, mesh) in self.batches.iter_mut().zip(&self.scene.meshes) {
            batch.show(&mut self.root, smooth, mesh);
        }
    }

    /// World axes, Axes primitives, triads and forces.
    fn place_arrows(&mut self, space: &Space, view: &View) {
        let options = &view.options;
        let mut frames: Vec<(Pose, f64, f64, [Color; 3])> = Vec::new();
        if options.shows(Item::Axes) {
            frames.push((Pose::IDENTITY, options.axes_length, 1.0, AXIS_COLORS));
        }
        for frame in &self.scene.frames {
            let pose = placed(frame.body, frame.pose, &self.poses);
            frames.extend(pose.map(|pose| (pose, frame.length, 1.0, frame.colors)));
        }
        if options.shows(Item::Triads) {
            let poses = self.scene.triads.iter();
            let poses = poses.filter_map(|&(body, pose)| placed(body, pose, &self.poses));
            frames.extend(poses.map(|pose| (pose, options.triad_length, 2.0, AXIS_COLORS)));
        }
        // Short arrows are thicker, so that they are seen.
        for (pose, length, thickness, colors) in frames {
            for (k, color) in colors.into_iter().enumerate() {
                let axis = pose.rotation.column(k) * length;
                self.arrows.add(space, pose.translation, axis, thickness * length, color);
            }
        }
        if options.shows(Item::Forces) {
            let strongest = self.forces.iter().map(|arrow| arrow.force.norm()).fold(0.0, f64::max);
            let reference = if self.scene.weight > 0.0 { self.scene.weight } else { strongest };
            for arrow in &self.forces {
                let limit = LONGEST_ARROW * options.axes_length;
                let length = (arrow.force.norm() / reference * options.axes_length).min(limit);
                let Some(axis) = arrow.force.normalized() else { continue };
                self.arrows.add(
                    space,
                    arrow.point,
                    axis * length,
                    options.axes_length,
                    FORCE_COLOR,
                );
            }
        }
        self.arrows.show(&mut self.root);
    }

    /// A sheet under the grid that catches shadows. Only where nothing is below it: it would hide that.
    fn place_floor(&mut self, space: &Space, view: &View) {
        let extent = view.options.extent;
        let size = [extent.x_max - extent.x_min, extent.y_max - extent.y_min];
        let shown = view.options.shows(Item::Grid)
            && view.options.shows(Item::Shadows)
            && view.options.floor;
        if shown {
            // A little below the grid lines, which would fight with it for every pixel.
            let low = -2e-4 * size[0].max(size[1]);
            let middle =
                vec3((extent.x_min + extent.x_max) / 2.0, (extent.y_min + extent.y_max) / 2.0, low);
            let pose = Pose::from_translation(middle);
            self.floor.1.instances.push(instance(space, &pose, [size[0], size[1], 1.0], FLOOR));
        }
        self.floor.1.show(&mut self.root, true, &self.floor.0);
    }

    /// Coils change their shape: the wire keeps its thickness while they stretch.
    fn place_coils(&mut self, space: &Space) {
        for (coil, node) in self.scene.coils.iter().zip(&mut self.coils) {
            let ends = coil.ends.map(|end| end.at(&self.poses).filter(|place| place.is_finite()));
            let [Some(start), Some(end)] = ends else {
                node.set_visible(false);
                continue;
            };
            batch::reshape(node, &geometry::coil(Vec3::ZERO, end - start, coil.radius, coil.turns));
            let pose = Pose::from_translation(start);
            node.set_instances(&[instance(space, &pose, [1.0; 3], coil.color)]);
            node.set_visible(true);
        }
    }
}

impl Arrows {
    /// An arrow along `vector` whose thickness suits an arrow of length `size`.
    fn add(&mut self, space: &Space, start: Vec3, vector: Vec3, size: f64, color: Color) {
        let length = vector.norm();
        if !(start.is_finite() && length.is_finite() && length > 0.0) {
            return;
        }
        let head = (HEAD_LENGTH * size).min(0.6 * length);
        let thickness = SHAFT * size;
        let shaft = along(start, vector);
        let neck = along(start + vector * ((length - head) / length), vector);
        self.shafts.instances.push(instance(
            space,
            &shaft,
            [thickness, thickness, length - head],
            color,
        ));
        self.heads.instances.push(instance(space, &neck, [head; 3], color));
    }

    fn show(&mut self, root: &mut SceneNode3d) {
        self.shafts.show(root, true, &self.meshes[0]);
        self.heads.show(root, true, &self.meshes[1]);
    }
}

fn instance(space: &Space, pose: &Pose, stretch: [f64; 3], color: Color) -> InstanceData3d {
    let (position, deformation) = space.placed(pose, stretch);
    InstanceData3d { position, deformation, color: paint::light(color), ..Default::default() }
}

/// Background, lights and shadows of the window.
fn prepare(window: &mut Window, view: &View) {
    window.set_background_color(Light::new(1.0, 1.0, 1.0, 1.0));
    // With the lamps, surfaces that face sun or eye get about the colour of the model.
    window.set_ambient(0.42);
    window.set_tonemap(Tonemap::None);
    window.set_bloom_enabled(false);
    let shadows = view.options.shows(Item::Shadows) && !view.options.shows(Item::Wireframe);
    window.set_shadows_enabled(shadows);
}
