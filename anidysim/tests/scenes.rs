//! Pictures of every primitive, drawn without a window and compared with stored ones.
//!
//! `UPDATE_EXPECT=1` writes them anew; look at them before you commit.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of a test may fail like the test")]

mod support;

use anidysim::render::Stage;
use anidysim::scene::Scene;
use anidysim::view::{Item, Projection, View};
use mechanics::{Mat3, Pose, Vec3, vec3};
use support::{Shot, assert_like, difference, draw, model};

/// A body with a primitive, in a world with two triads.
fn with(primitive: &str) -> String {
    format!("Primitive \"p\" {{ {primitive} }}")
}

/// Draws a scene with its body at the origin.
fn shot(blocks: &str) -> Option<Shot> {
    let scene = support::scene(blocks);
    let poses = vec![Some(Pose::IDENTITY); scene.bodies.len()];
    let mut points = scene.corners(&poses);
    points.extend(scene.standing_corners());
    draw(scene, &poses, |view| *view = View::framing(&points, support::ASPECT))
}

/// One scene for each primitive of the language: the name of the picture and the block.
const SCENES: &[(&str, &str)] = &[
    (
        "cylinder",
        "Parent = b; Color = 0.9, 0.3, 0.2, 1; Type = Cylinder; RadiusBottomX = 0.6; RadiusBottomY = 0.4; RadiusTopX = 0.3; RadiusTopY = 0.3; GridLong = 24;",
    ),
    (
        "box",
        "Parent = b; Color = 0.2, 0.5, 0.9, 1; Type = Box; LengthX = 0.6; LengthY = 1; LengthZ = 0.8;",
    ),
    (
        "axes",
        "Parent = b; Position = 0.1, 0.2, 0.3; Cardan = 0, 20, 30; Degrees = deg; Color = 0.2, 0.2, 1, 1; ColorX = 1, 0.2, 0.2, 1; ColorY = 0.1, 0.7, 0.1, 1; Type = Axes; Length = 1;",
    ),
    (
        "sphere",
        "Parent = b; Color = 0.9, 0.8, 0.1, 1; Type = Sphere; RadiusX = 0.7; RadiusY = 0.5; RadiusZ = 0.4; GridLong = 32; GridLati = 16;",
    ),
    ("sphere_by_default", "Parent = b; Color = 0.9, 0.8, 0.1, 1; Type = Sphere;"),
    (
        "cone",
        "Parent = b; Color = 0.3, 0.8, 0.3, 1; Type = Cone; RadiusX = 0.5; RadiusY = 0.4; GridLong = 24;",
    ),
    (
        "extrude",
        "Parent = b; Color = 0.7, 0.3, 0.8, 1; Type = Extrude; HeightZ = 0.4; VertexList = { 0,0,0, 1,0,0, 0.6,0.4,0, 1,1,0, 0.5,0.75,0, 0.25,1.2,0, -0.2,0.5,0 };",
    ),
    ("tetraeder", "Parent = b; Color = 1, 0.5, 0.1, 1; Type = Tetraeder;"),
    ("mesh", "Parent = b; Color = 0.4, 0.7, 0.7, 1; Type = Mesh; File = wedge.obj; Scale = 0.8;"),
    (
        "spring",
        "Color = 0.3, 0.3, 0.4, 1; Type = Spring; Triad1 = low; Triad2 = high; Radius = 0.15; Coils = 7;",
    ),
    (
        "half_intensity",
        "Parent = b; Color = 0.2, 0.5, 0.9, 0.5; Type = Box; LengthX = 0.6; LengthY = 1; LengthZ = 0.8;",
    ),
];

#[test]
fn every_primitive_looks_as_it_did() {
    for (name, primitive) in SCENES {
        // A coil needs no body; a dot keeps the body's default shape away.
        let dot = match *name {
            "spring" => {
                "Primitive \"dot\" { Parent = b; Type = Box; LengthX = 0.1; LengthY = 0.1; LengthZ = 0; }"
            }
            _ => "",
        };
        let Some(shot) = shot(&format!("{}{dot}", with(primitive))) else { return };
        assert_like(name, &shot);
    }
}

/// The figure of the manual with all its primitives, the world's axes and the grid.
const ALL: &str = r#"
Primitive "p1" { Parent = world; Position = 1.5, 0, 0.5; Color = 0.9, 0.2, 0.2, 1; Type = Cylinder; RadiusBottomX = 0.5; RadiusBottomY = 0.3; RadiusTopX = 0.25; RadiusTopY = 0.25; GridLong = 24; }
Primitive "p2" { Parent = world; Position = 3, 0, 0.4; Color = 0.2, 0.6, 0.9, 1; Type = Box; LengthX = 0.6; LengthY = 0.8; LengthZ = 0.8; }
Primitive "p3" { Parent = world; Position = 4.5, 0, 0; Color = 0, 0, 1, 1; ColorX = 1, 0, 0, 1; ColorY = 0, 1, 0, 1; Type = Axes; Length = 0.8; }
Primitive "p4" { Parent = world; Position = 1.5, 2, 0.4; Color = 0.9, 0.8, 0.1, 1; Type = Sphere; RadiusX = 0.6; RadiusY = 0.4; RadiusZ = 0.4; GridLong = 24; GridLati = 16; }
Primitive "p5" { Parent = world; Position = 3, 2, 0; Color = 0.3, 0.8, 0.3, 1; Type = Cone; RadiusX = 0.4; RadiusY = 0.4; HeightZ = 1; GridLong = 24; }
Primitive "p6" { Parent = world; Position = 4.2, 1.7, 0.2; Color = 0.7, 0.3, 0.8, 1; Type = Extrude; HeightZ = 0.4; VertexList = { 0,0,0, 1,0,0, 0.6,0.4,0, 1,1,0, 0.5,0.75,0, 0.25,1.2,0, -0.2,0.5,0 }; }
Primitive "p7" { Parent = world; Position = 1.2, 3.6, 0; Cardan = 0, 0, -60; Degrees = deg; Color = 1, 0.5, 0, 1; Type = Tetraeder; }
Primitive "p8" { Parent = b; Color = 0.5, 0.5, 0.5, 1; Type = Sphere; RadiusX = 0.15; RadiusY = 0.15; RadiusZ = 0.15; GridLong = 16; GridLati = 12; }
"#;

/// All primitives at once, with the floor that catches shadows.
fn figure(blocks: &str, change: impl FnOnce(&mut View)) -> Option<Shot> {
    let scene = support::scene(blocks);
    let poses = [Some(Pose::from_translation(vec3(0.0, 0.0, 1.0)))];
    let mut points = scene.corners(&poses);
    points.extend(scene.standing_corners());
    draw(scene, &poses, |view| {
        *view = View::framing(&points, support::ASPECT);
        view.options.floor = true;
        change(view);
    })
}

#[test]
fn the_figure_of_the_manual_looks_as_it_did() {
    let Some(shot) = figure(ALL, |_| {}) else { return };
    assert_like("figure", &shot);
    let changed = figure(ALL, |view| {
        view.options.set(Item::Wireframe, true);
        view.camera.projection = Projection::Orthographic;
    });
    assert_like("figure_wireframe", &changed.unwrap());
    let flat = figure(ALL, |view| {
        view.options.set(Item::Smooth, false);
        view.options.set(Item::Legend, true);
        view.options.set(Item::Labels, true);
        view.options.set(Item::Triads, true);
    });
    assert_like("figure_flat", &flat.unwrap());
}

/// The comparison notices what it has to: a primitive that is missing, displaced by a few pixels, or
/// of another colour, a grid or axes that are not there.
#[test]
fn the_comparison_can_fail() {
    let Some(whole) = figure(ALL, |_| {}) else { return };
    let changed = |from: &str, to: &str| {
        assert!(ALL.contains(from), "{from}");
        let scene = support::scene(&ALL.replace(from, to));
        // The same view, although the extent may be another.
        let poses = [Some(Pose::from_translation(vec3(0.0, 0.0, 1.0)))];
        draw(scene, &poses, |view| *view = whole.view.clone()).unwrap()
    };
    let cone = ALL.lines().find(|line| line.contains("Cone")).unwrap();
    let cases = [
        ("missing", changed(cone, "")),
        ("displaced", changed("Position = 3, 2, 0;", "Position = 3.08, 2, 0;")),
        ("recoloured", changed("0.3, 0.8, 0.3, 1", "0.3, 0.8, 0.3, 0.8")),
        ("larger", changed("LengthX = 0.6", "LengthX = 0.7")),
        ("without grid", figure(ALL, |view| view.options.set(Item::Grid, false)).unwrap()),
        ("without axes", figure(ALL, |view| view.options.set(Item::Axes, false)).unwrap()),
        ("without shadows", figure(ALL, |view| view.options.set(Item::Shadows, false)).unwrap()),
    ];
    assert!(difference(&whole, &figure(ALL, |_| {}).unwrap()).is_ok(), "two equal pictures differ");
    for (what, shot) in cases {
        assert!(difference(&whole, &shot).is_err(), "{what}: not noticed");
    }
}

const BALL: &str = "Primitive \"p\" { Parent = b; Position = 0, 0, 0.2; Color = 1, 0, 0, 1; Type = Sphere; \
                    RadiusX = 0.1; RadiusY = 0.1; RadiusZ = 0.1; GridLong = 24; GridLati = 16; }";

/// A view with nothing in it but bodies.
fn bare(view: &mut View) {
    for item in [Item::Grid, Item::Axes, Item::Shadows] {
        view.options.set(item, false);
    }
}

/// The middle of a red ball in the picture is where the camera projects the middle of the ball.
#[test]
fn pictures_differ_as_the_poses_do() {
    let turn = Mat3::rotation(vec3(0.6, 0.0, 0.8), 1.0);
    let poses = [
        Pose::IDENTITY,
        Pose::from_translation(vec3(0.5, 0.3, 0.4)),
        Pose::new(turn, vec3(-0.6, 0.2, 0.1)),
    ];
    for projection in [Projection::Perspective, Projection::Orthographic] {
        for pose in poses {
            let shot = draw(support::scene(BALL), &[Some(pose)], |view| {
                bare(view);
                view.camera.projection = projection;
            });
            let Some(shot) = shot else { return };
            let middle = pose.transform_point(vec3(0.0, 0.0, 0.2));
            let expected = shot.camera.project(middle, shot.size()).unwrap();
            let (x, y, count) =
                shot.centroid(|[r, g, b]| r > g.saturating_add(40) && r > b.saturating_add(40));
            // A ball of 0.1 m at this distance; far from the axis its outline is an ellipse whose middle
            // is not the image of the ball's middle, by (r/d)^2 of the distance from the middle: 0.1 px.
            assert!(
                (x - expected.x).abs() < 0.6 && (y - expected.y).abs() < 0.6,
                "{x} {y} {expected:?}"
            );
            let radius = 0.1 * f64::from(shot.height) / shot.camera.picture_height();
            let area = std::f64::consts::PI * radius * radius;
            assert!(
                (0.7..1.4).contains(&(count as f64 / area)),
                "{count} pixels instead of {area}"
            );
        }
    }
}

#[test]
fn a_body_without_pose_is_not_drawn() {
    for pose in [None, Some(Pose::from_translation(vec3(f64::NAN, 0.0, 0.0)))] {
        let Some(shot) = draw(support::scene(BALL), &[pose], bare) else { return };
        let (.., count) = shot.centroid(|pixel| pixel != [255, 255, 255]);
        assert_eq!(count, 0);
    }
}

/// The colour of a face that turns to sun and eye is about that of the model, whatever the graphics
/// does to light on the way.
#[test]
fn colours_are_those_of_the_model() {
    for color in [[0.8, 0.3, 0.1], [0.2, 0.6, 0.9], [0.5, 0.5, 0.5], [0.1, 0.1, 0.1]] {
        let [r, g, b] = color;
        let block = format!("Parent = b; Color = {r}, {g}, {b}, 1; Type = Box;");
        let Some(shot) = draw(support::scene(&with(&block)), &[Some(Pose::IDENTITY)], bare) else {
            return;
        };
        // The middle of the side that faces the camera.
        let place = vec3(0.0, -0.5, 0.0);
        let at = shot.camera.project(place, shot.size()).unwrap();
        let found = shot.pixel(at.x as u32, at.y as u32);
        for (found, asked) in found.iter().zip(color) {
            // Light 10 % too bright or dark is 4 % in colour; reflections add to dark ones.
            let found = f64::from(*found) / 255.0;
            assert!((found - asked).abs() < 0.12, "{found} instead of {asked} in {color:?}");
        }
    }
}

/// A watch and an orbit look the same as the scene of a metre.
#[test]
fn pictures_do_not_depend_on_the_scale() {
    let sized = |scale: f64, far: Vec3| {
        let block = format!(
            "Parent = b; Color = 0.2, 0.5, 0.9, 1; Type = Box; LengthX = {}; LengthY = {scale}; LengthZ = {};",
            0.6 * scale,
            0.8 * scale
        );
        let scene = support::scene(&with(&block));
        let pose = Some(Pose::from_translation(far));
        let points = scene.corners(&[pose]);
        draw(scene, &[pose], |view| {
            *view = View::framing(&points, support::ASPECT);
            bare(view);
            view.camera.fit(&points, support::ASPECT);
        })
    };
    let Some(metre) = sized(1.0, Vec3::ZERO) else { return };
    for (scale, far) in [(1e-4, Vec3::ZERO), (1e4, Vec3::ZERO), (1.0, vec3(3e7, 2e7, 1e7))] {
        let shot = sized(scale, far).unwrap();
        assert!(difference(&metre, &shot).is_ok(), "{scale} at {far:?}");
    }
}

/// Bodies without primitives are boxes with their mass and inertia.
#[test]
fn default_shapes_look_as_they_did() {
    let text = model("", "Mass = 12; Inertia = 25, 0, 0, 17, 0, 10;");
    let scene = Scene::new(&text, std::path::Path::new("test.dys"));
    let poses = [Some(Pose::IDENTITY)];
    let points = scene.corners(&poses);
    let shot = draw(scene, &poses, |view| *view = View::framing(&points, support::ASPECT));
    let Some(shot) = shot else { return };
    assert_like("default_shape", &shot);
}

/// Path of a point and forces.
#[test]
fn trails_and_forces_look_as_they_did() {
    let trail = "Primitive \"t\" { Color = 0.8, 0.1, 0.5, 1; Type = Trail; Triad = tip; }";
    let scene = support::scene(&format!("{BALL}\n{trail}"));
    let pose = Pose::from_translation(vec3(0.5, 0.0, 0.0));
    let path: Vec<Vec3> = (0..=60)
        .map(|k| {
            let (sin, cos) = (f64::from(k) / 10.0).sin_cos();
            vec3(0.5 * cos, 0.5 * sin, 0.2)
        })
        .collect();
    let force = |x: f64| anidysim::motion::forces::Arrow {
        point: vec3(x, 0.0, 0.0),
        force: vec3(0.0, 0.0, 60.0 * x),
    };
    let set = move |stage: &mut Stage| {
        stage.set_paths(vec![path]);
        stage.set_forces(&[force(0.5), force(-0.4)]);
    };
    let shot =
        support::draw_with(scene, &[Some(pose)], set, |view| view.options.set(Item::Forces, true));
    let Some(shot) = shot else { return };
    assert_like("trail_and_forces", &shot);
}
