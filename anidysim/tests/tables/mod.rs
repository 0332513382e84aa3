//! Models and tables for the tests of the animator.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::fmt::Write;

use language::load::{Disk, Input, LoadOptions, load};
use language::model::Model;
use parser::render::{Style, render_all};

/// The head of a table with the given bodies.
pub fn header(names: &[&str]) -> String {
    let (count, names) = (names.len(), names.join(" "));
    format!(
        "# DySimAniFileVersion: 0.5\n# ModelName: m\n# NumberOfBodies: {count}\n# NamesOfBodies: {names}\n"
    )
}

/// A row in which each body is turned by `angle` about z and stands at (x, 0, k).
pub fn row(time: f64, angle: f64, x: f64, n_bodies: usize) -> String {
    let (s, c) = angle.sin_cos();
    let mut line = format!("{time:?}");
    for k in 0..n_bodies {
        write!(line, " {c:?} {:?} 0 {x:?} {s:?} {c:?} 0 0 0 0 1 {k} 0 0 0 1", -s).unwrap();
    }
    line + "\n"
}

/// A model with the given bodies, each free and with a box.
pub fn model(names: &[&str]) -> Model {
    model_with(names, "")
}

/// The same with more blocks.
pub fn model_with(names: &[&str], more: &str) -> Model {
    let text = model_text(names) + more;
    let input = Input::Text { name: "m.dys".into(), bytes: text.into() };
    let loaded = load(input, &LoadOptions::default(), &Disk).unwrap();
    let told = render_all(&loaded.diagnostics, &loaded.sources, Style::Plain);
    std::sync::Arc::unwrap_or_clone(loaded.model.unwrap_or_else(|| panic!("{told}")))
}

/// Its text.
pub fn model_text(names: &[&str]) -> String {
    let mut text = "Header \"h\" { ModelName = m; OutputType = all; }\n\
        Solver \"v\" { Type = dynamic; Solver = derf; Tstart = 0; Tend = 1; Tstep = 0.1; }\n\
        Triad \"ground\" { Parent = world; }\n"
        .to_owned();
    for name in names {
        write!(
            text,
            "Body \"{name}\" {{ Parent = world; Joint = j_{name}; }}\n\
             Triad \"t_{name}\" {{ Parent = {name}; }}\n\
             Free \"j_{name}\" {{ TriadFrom = ground; TriadTo = t_{name}; }}\n\
             Primitive \"p_{name}\" {{ Parent = {name}; Type = Box; LengthX = 0.4; LengthY = 0.2; \
             LengthZ = 0.1; Color = 0.2, 0.5, 0.9, 1; }}\n"
        )
        .unwrap();
    }
    text
}
