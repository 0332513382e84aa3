//! The flat text is a model like any other: reading it gives the tree that the expansion made, and the same results.

use std::path::{Path, PathBuf};

use dysim_generated::loading::load_file;
use dysim_generated::root;
use engine::{LoadOptions, Model, ModelSource};
use parser::source::Sources;

use crate::support::flat_of;

/// All models that are shipped.
fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the folder of models is there");
    for path in entries.map(|entry| entry.expect("entries can be read").path()) {
        match path.is_dir() {
            true => models(&path, found),
            false if path.extension().is_some_and(|suffix| suffix == "dys") => found.push(path),
            false => {}
        }
    }
    found.sort();
}

fn options() -> LoadOptions {
    let plugins = engine::plugin::Plugins::Known(user_plugins::PLUGINS);
    LoadOptions { expands: true, plugins, ..LoadOptions::default() }
}

#[test]
fn flat_texts_of_all_models_are_read_back_as_the_same_tree() {
    let mut all = Vec::new();
    models(&root().join("models"), &mut all);
    let mut checked = 0;
    for path in all {
        let loaded = load_file(&path, &options());
        if loaded.diagnostics.errors() > 0 {
            // A file with parts of models only, which others include.
            continue;
        }
        let flat = flat_of(&loaded);
        // Read back, printed, read and printed again: printing is a fixed point of a tree without mistakes.
        let mut sources = Sources::default();
        sources.add("flat.dys", flat.as_str()).expect("there is room");
        let parsed = parser::parse(&sources.all()[0]);
        assert!(parsed.diagnostics.is_empty(), "{}: {:?}", path.display(), parsed.diagnostics);
        let again = parser::print(&sources.all()[0], &parsed.document);
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(squeezed(&again), squeezed(&flat), "{}", path.display());
        checked += 1;
    }
    assert!(checked > 60, "{checked} models");
}

/// A column, by its bits.
fn columns(model: &Model) -> Vec<(String, Vec<u64>)> {
    let names = [
        "axis[1].link.J.q",
        "axis[3].link.J.q",
        "axis[2].drive.heat",
        "axis[3].drive.m.i",
        "axis[2].drive.set",
    ];
    let table =
        model.run().expect("the model runs").signals(&names).expect("the signals are there");
    let bits = |name: &str| {
        let column = table.column(name).expect("the column is there");
        column.iter().map(|value| value.to_bits()).collect()
    };
    table.names().iter().map(|name| (name.to_string(), bits(name))).collect()
}

const ROBOT: &str = r#"
    Header "h" { ModelName = m; OutputType = none; }
    System "s" { GravAccel = 0, 0, -9.81; ScaleGrav = 1; }
    Solver "v" { Type = dynamic; Solver = derf; AbsErr = 1e-9; RelErr = 1e-7; Tstart = 0; Tend = 0.3; Tstep = 0.05; TstepMax = 0.05; TstepMin = 0; TstepIni = 1e-3; }
    Parameters "p" { N = 3; ratio = { 20, -30, 15.5 }; }
    Component "Drive" {
        Port "shaft" { Domain = rotational; }
        Input "set" { Unit = "V"; }
        Parameter "R" { Default = 0.7; Min = 0; }
        Parameter "i" { Default = 10; }
        Variable "heat" { Start = 0; Fixed = yes; Unit = "J"; }
        Equations "losses" { der(heat) = R*m.i^2; }
        VoltageSource "V" { p = a; n = gnd; V = clamp(set, -24, 24); }
        Motor "m" { p = a; n = gnd; shaft = rotor; R = R; L = 1e-3; k = 0.05; J = 1e-5; }
        Gear "g" { a = rotor; b = shaft; Ratio = i; }
    }
    Component "Link" {
        Port "from" { Domain = frame; }
        Parameter "L" { Default = 0.4; }
        Parameter "m" { Default = 2; }
        Triad "top" { Parent = b; Position = 0, 0, L/2; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
        Triad "tip" { Parent = b; Position = 0, 0, -L/2; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
        Revolute "J" { Parent = b; TriadFrom = from; TriadTo = top; JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = 0.3; QDinit = 0; Degrees = rad; }
        Body "b" { Joint = J; Mass = m; Inertia = m*L^2/12, 0, 0, m*L^2/12, 0, m*L^2/100; CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
    }
    Component "Axis" {
        Port "from" { Domain = frame; }
        Parameters "p" { i = 1; L = 0.4; goal = 0; }
        Link "link" { from = from; L = L; }
        JointAxis "ja" { Joint = link.J; flange = s; }
        Drive "drive" { shaft = s; i = i; set = 40*(goal - link.J.q)*sign(i) - 2*link.J.qd*sign(i); }
    }
    Triad "base0" { Parent = world; Position = 0, 0, 1; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
    Repeat "k" { To = N; Axis "axis[k]" { from = if(k == 1, base0, axis[k-1].link.tip); i = ratio[k]; L = 0.5 - 0.1*k; goal = 0.2*k; drive.R = 0.5 + 0.1*k; } }
    Output "o" { Files = csv; Signals = axis[1].link.J.q, axis[N].link.J.q, axis[2].drive.heat, axis[3].drive.m.i, axis[2].drive.set; }
"#;

#[test]
fn a_flat_text_runs_to_the_same_bits() {
    let model = Model::from_text("m.dys", ROBOT).expect("the model is correct");
    let loaded = crate::support::load(&[("m.dys", ROBOT)]);
    let flat = flat_of(&loaded);
    let source = ModelSource::Text { name: "flat.dys".into(), bytes: flat.into_bytes() };
    let plain = Model::open(source, LoadOptions::default()).expect("the flat model is correct");
    let (of_components, of_flat) = (columns(&model), columns(&plain));
    assert_eq!(of_components, of_flat);
    let moved =
        of_components.iter().find(|(name, _)| name == "axis[3].link.J.q").map(|(_, q)| q.clone());
    let moved = moved.expect("the last joint is there");
    assert_ne!(moved.first(), moved.last(), "the robot moves");
}
