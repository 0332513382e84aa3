//! The pictures of all models of the repository.

use std::fs;

use diagram::Diagram;
use diagram::Shape;
use diagram::flat_model::Kind;
use diagram::picture::Picture;
use language::load::{Disk, Input, LoadOptions, load};
use user_plugins::PLUGINS;

use crate::inspection::{diagram, inspect, is_xml, nothing_is_lost, pictures};
use dysim_tests::every_block;
use dysim_tests::programs::root;

/// All models with their diagrams.
fn models() -> Vec<(String, Diagram)> {
    let mut found = Vec::new();
    for folder in fs::read_dir(root().join("models")).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "dys") {
                continue;
            }
            let plugins = engine::plugin::Plugins::Known(PLUGINS);
            let options = LoadOptions {
                expands: true,
                only_warns_of_primitives: true,
                plugins,
                ..LoadOptions::default()
            };
            let loaded = load(Input::File(path.clone()), &options, &Disk).unwrap();
            assert_eq!(loaded.diagnostics.errors(), 0, "{path:?}");
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            found.push((stem, Diagram::new(&loaded).unwrap()));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(found.len() > 80, "{}", found.len());
    found
}

#[test]
fn every_model_has_pictures_that_can_be_read() {
    for (name, diagram) in models() {
        let pictures = pictures(&diagram);
        for (scope, picture) in &pictures {
            let name = format!("{name} {scope:?}");
            inspect(&name, picture);
            is_xml(&diagram.svg(picture, *scope, &|_| Some("a&b.svg".into())));
        }
        nothing_is_lost(&name, &diagram, &pictures);
        for depth in [1, 2, 99] {
            let opened = diagram.picture(None, depth).unwrap();
            inspect(&format!("{name}, {depth} levels"), &opened);
        }
    }
}

#[test]
fn every_block_of_the_language_is_drawn() {
    let diagram = diagram("every_block", &every_block::text());
    let pictures = pictures(&diagram);
    for (scope, picture) in &pictures {
        inspect(&format!("every block {scope:?}"), picture);
    }
    nothing_is_lost("every_block", &diagram, &pictures);
    assert!(diagram.model().elements.len() > 100, "{}", diagram.model().elements.len());
}

#[test]
fn the_same_model_gives_the_same_picture() {
    for (name, again) in models().into_iter().zip(models()) {
        let (name, first) = name;
        let svg = |diagram: &Diagram| {
            let picture = diagram.picture(None, 99).unwrap();
            diagram.svg(&picture, None, &|_| None)
        };
        assert_eq!(svg(&first), svg(&again.1), "{name}");
    }
}

#[track_caller]
fn picture(name: &str) -> Picture {
    let text = fs::read_to_string(root().join("models").join(name)).unwrap();
    diagram(name, &text).picture(None, 0).unwrap()
}

fn left_of(picture: &Picture, name: &str) -> f64 {
    let found = picture.boxes.iter().find(|one| one.title.lines().next().unwrap() == name);
    found.unwrap_or_else(|| panic!("{name}")).extent[0]
}

#[test]
fn models_that_a_person_draws_without_crossings_have_none() {
    for name in [
        "circuits/bridge_rectifier.dys",
        "circuits/buck_converter.dys",
        "circuits/half_wave_rectifier.dys",
        "circuits/op_amp_filter.dys",
        "circuits/rc_rl.dys",
        "circuits/switched_rc.dys",
        "circuits/thyristor_phase_control.dys",
        "circuits/transformer.dys",
        "loops/bricard.dys",
        "loops/excavator.dys",
        "loops/four_bar.dys",
        "loops/governor.dys",
        "loops/slider_crank.dys",
        "loops/stewart_platform.dys",
        "mechanics/engine_on_bushings.dys",
        "mechanics/person.dys",
        "mechatronics/dc_motor.dys",
        "mechatronics/dc_motor_pi.dys",
        "mechatronics/hydraulic_jack.dys",
        "bondgraphs/feed_drive.dys",
        "bondgraphs/lever.dys",
    ] {
        assert_eq!(picture(name).crossings, 0, "{name}");
    }
}

#[test]
fn a_control_loop_runs_from_the_reference_to_the_load() {
    let picture = picture("mechatronics/dc_motor_pi.dys");
    let order = [
        "reference: Function",
        "control: PI",
        "supply: VoltageSource",
        "motor: Motor",
        "load: TorqueSource",
    ];
    let places: Vec<f64> = order.iter().map(|name| left_of(&picture, name)).collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn bodies_are_a_tree_from_the_world_whose_loops_are_dashed() {
    let picture = picture("loops/four_bar.dys");
    let order = ["world", "JA: Revolute", "crank: Body", "JB: Revolute", "coupler: Body"];
    let mut places: Vec<f64> = Vec::new();
    for name in order {
        let found = picture.boxes.iter().find(|one| one.title.lines().next() == Some(name));
        places.push(found.unwrap().extent[0]);
    }
    assert!(places.is_sorted(), "{places:?}");
    let dashed: Vec<&str> = picture
        .boxes
        .iter()
        .filter(|one| one.is_dashed)
        .map(|one| one.title.lines().next().unwrap())
        .collect();
    assert_eq!(dashed, ["JC: Revolute"]);
    assert_eq!(picture.lines.iter().filter(|line| line.is_dashed).count(), 2);
    assert!(picture.lines.iter().all(|line| line.kind == Kind::Mechanics && !line.has_arrow));
    // What is drawn with a body is told there.
    let crank = picture.boxes.iter().find(|one| one.title.starts_with("crank: Body")).unwrap();
    assert!(crank.title.contains("Triad B"), "{}", crank.title);
    assert_eq!(picture.boxes.iter().filter(|one| one.shape == Shape::World).count(), 1);
}
