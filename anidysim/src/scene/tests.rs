//! What a model's blocks become.

use language::load::{Disk, Input, LoadOptions, load};

use super::*;

fn scene(blocks: &str) -> Scene {
    let text = format!(
        "Header \"h\" {{ ModelName = m; }} System \"s\" {{ GravAccel = 0, 0, -10; }}
         Solver \"v\" {{ Type = dynamic; Solver = de; }}
         Triad \"a\" {{ Parent = world; Position = 0, 0, 3; }} Triad \"b\" {{ Parent = one; Position = 1, 0, 0; }}
         Triad \"c\" {{ Parent = two; }}
         Revolute \"J1\" {{ Parent = one; TriadFrom = a; TriadTo = b; }}
         Revolute \"J2\" {{ Parent = two; TriadFrom = a; TriadTo = c; }}
         Body \"one\" {{ Parent = world; Joint = J1; Mass = 2; CGFramePosition = 0, 0, 5; }}
         Body \"two\" {{ Parent = world; Joint = J2; Mass = 3; }}
         {blocks}"
    );
    let input = Input::Text { name: "test.dys".into(), bytes: text.into_bytes() };
    let loaded = load(input, &LoadOptions::default(), &Disk).unwrap();
    Scene::new(&loaded.model.unwrap(), Path::new("test.dys"))
}

#[test]
fn colours_are_scaled_by_their_intensity() {
    let scene = scene("Primitive \"p\" { Parent = one; Color = 1, 0.5, 0.2, 0.5; Type = Box; }");
    assert_eq!(scene.parts[0].color, [0.5, 0.25, 0.1]);
    assert_eq!(scene.bodies[0].color, scene.parts[0].color);
}

#[test]
fn equal_shapes_are_there_once() {
    let scene = scene(
        "Primitive \"p\" { Parent = one; Type = Box; } Primitive \"q\" { Parent = two; Type = Box; Position = 1, 2, 3; }
         Primitive \"r\" { Parent = two; Type = Box; LengthX = 2; }",
    );
    assert_eq!((scene.meshes.len(), scene.parts.len()), (2, 3));
    assert_eq!(scene.parts[1].pose.translation, vec3(1.0, 2.0, 3.0));
    assert_eq!(scene.parts[1].body, Some(1));
}

#[test]
fn only_bodies_without_primitives_get_default_shapes() {
    let bare = scene("");
    assert_eq!(bare.parts.len(), 2);
    assert_eq!(bare.parts[0].pose.translation, vec3(0.0, 0.0, 5.0));
    let with_axes = scene("Primitive \"p\" { Parent = one; Type = Axes; }");
    assert_eq!(with_axes.parts.len(), 1);
    assert_eq!(with_axes.parts[0].body, Some(1));
}

/// Cardan angles turn about x, then y, then z.
#[test]
fn primitives_are_placed_by_cardan_angles() {
    let scene =
        scene("Primitive \"p\" { Parent = one; Cardan = 90, 0, 90; Degrees = deg; Type = Box; }");
    let x = scene.parts[0].pose.rotation.column(0);
    // x goes to y by the last angle, and that to z by the first.
    assert!((x - Vec3::Z).norm() < 1e-12, "{x:?}");
}

#[test]
fn axes_take_the_colour_of_the_primitive_where_they_have_none() {
    let scene = scene(
        "Primitive \"p\" { Parent = world; Color = 0, 0, 1, 1; ColorX = 1, 0, 0, 1; Type = Axes; }",
    );
    assert_eq!(scene.frames[0].colors, [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]);
    assert_eq!(scene.frames[0].length, 0.25);
}

#[test]
fn coils_and_trails_hang_on_triads() {
    let scene = scene(
        "Primitive \"p\" { Type = Spring; Triad1 = a; Triad2 = b; } Primitive \"q\" { Type = Trail; Triad = b; Length = 2; }",
    );
    let poses = [Some(Pose::from_translation(vec3(0.0, 1.0, 0.0))), None];
    let [start, end] = scene.coils[0].ends.map(|end| end.at(&poses).unwrap());
    assert_eq!((start, end), (vec3(0.0, 0.0, 3.0), vec3(1.0, 1.0, 0.0)));
    assert_eq!(scene.trails[0].length, Some(2.0));
    assert_eq!(scene.coils[0].ends[1].at(&[None, None]), None);
}

#[test]
fn a_mesh_that_is_not_there_is_told_and_the_rest_is_shown() {
    let scene = scene(
        "Primitive \"lost\" { Parent = one; Type = Mesh; File = nowhere.stl; } Primitive \"p\" { Parent = one; Type = Box; }",
    );
    assert!(scene.problems[0].contains("`lost`") && scene.problems[0].contains("nowhere.stl"));
    assert_eq!(scene.parts.iter().filter(|part| part.body == Some(0)).count(), 1);
}

#[test]
fn forces_are_compared_with_the_weight() {
    assert_eq!(scene("").weight, 50.0);
}
