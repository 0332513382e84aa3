//! The fuzz targets of the engine: any text is told wrong or becomes a system whose right-hand side can be evaluated.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::LoadOptions;
use engine::internals::load::{Files, Input, load};
use engine::internals::model::Model;
use engine::internals::system::{Run, build};
use integrate::Problem;
use parser::render::{Style, render_all};

/// There is no file besides the text.
struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        Err(io::Error::from(io::ErrorKind::NotFound))
    }

    fn identity(&self, path: &Path) -> PathBuf {
        path.to_path_buf()
    }
}

/// Reads the bytes as a model, builds its system, and evaluates it at its start and later. What components become is a
/// model too, with the same rates to the last bit.
pub fn model_target(bytes: &[u8]) {
    let input = Input::Text { name: "fuzz.dys".into(), bytes: bytes.to_vec() };
    let options = LoadOptions { expands: true, ..LoadOptions::default() };
    let Ok(loaded) = load(input, &options, &NoFiles) else { return };
    let shown = render_all(&loaded.diagnostics, &loaded.sources, Style::Plain);
    assert_eq!(shown.is_empty(), loaded.diagnostics.is_empty());
    let Some(model) = &loaded.model else {
        assert!(loaded.diagnostics.errors() > 0, "a refused model says why");
        return;
    };
    let rates = rates(model);
    let Some(text) = loaded.flat.and_then(|flat| loaded.sources.get(flat)) else { return };
    let text = text.text();
    let input = Input::Text { name: "flat.dys".into(), bytes: text.as_bytes().to_vec() };
    let Ok(flat) = load(input, &LoadOptions::default(), &NoFiles) else {
        panic!("the flat text is too large")
    };
    let shown = render_all(&flat.diagnostics, &flat.sources, Style::Plain);
    let Some(model) = &flat.model else { panic!("{shown}\n{text}") };
    let again = self::rates(model);
    let bits =
        |all: &[Vec<f64>]| all.iter().flatten().map(|rate| rate.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&rates), bits(&again), "the flat model is another one:\n{text}");
}

/// The rates of a model at its start and later, as far as it has any.
fn rates(model: &Arc<Model>) -> Vec<Vec<f64>> {
    let Ok(system) = build(model, false) else { return Vec::new() };
    let mut run = Run::new(&system);
    let mut y = system.initial_state();
    let start = model.solver.start;
    if run.assemble(start, &mut y).is_err() || run.begin(&mut y).is_err() {
        return Vec::new();
    }
    let mut ydot = vec![0.0; y.len()];
    let mut all = Vec::new();
    for t in [start, start + 0.1, start + 1e3] {
        if run.derivatives(t, &y, &mut ydot).is_ok() {
            assert!(
                ydot.iter().all(|rate| !rate.is_nan()),
                "a right-hand side without a value says so"
            );
            all.push(ydot.clone());
        }
    }
    all
}

/// Puts the text where constants and where functions of time stand.
pub fn expression_target(bytes: &[u8]) {
    let expression = String::from_utf8_lossy(bytes);
    let model = format!(
        "Solver \"v\" {{ Type = dynamic; Solver = derf; Tend = 1; Tstep = 0.1; }}\n\
         Parameters \"p\" {{ a = 2; b = a + 1; x = {expression}; }}\n\
         Triad \"o\" {{ Parent = world; }} Triad \"e\" {{ Parent = rod; }}\n\
         Revolute \"J\" {{ Parent = rod; TriadFrom = o; TriadTo = e; JointAxis = 0, 1, 0; Qinit = 0.5; }}\n\
         Body \"rod\" {{ Parent = world; Joint = J; Mass = 1; }}\n"
    );
    model_target(model.as_bytes());
    let force = format!("JointForce \"f\" {{ Joint1D = J; Value = {expression}; }}\n");
    model_target(format!("{}{force}", model.replace(&format!("x = {expression};"), "")).as_bytes());
}
