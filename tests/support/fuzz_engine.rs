//! The fuzz targets of the engine: any text is told wrong or becomes a system whose right-hand side can be evaluated.

use std::io;
use std::path::{Path, PathBuf};

use engine::LoadOptions;
use engine::internals::load::{Files, Input, load};
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

/// Reads the bytes as a model, builds its system, and evaluates it at its start and later.
pub fn model_target(bytes: &[u8]) {
    let input = Input::Text { name: "fuzz.dys".into(), bytes: bytes.to_vec() };
    let Ok(loaded) = load(input, &LoadOptions::default(), &NoFiles) else { return };
    let shown = render_all(&loaded.diagnostics, &loaded.sources, Style::Plain);
    assert_eq!(shown.is_empty(), loaded.diagnostics.is_empty());
    let Some(model) = &loaded.model else {
        assert!(loaded.diagnostics.errors() > 0, "a refused model says why");
        return;
    };
    let Ok(system) = build(model, false) else { return };
    let mut run = Run::new(&system);
    let mut y = system.initial_state();
    let start = model.solver.start;
    if run.assemble(start, &mut y).is_err() || run.begin(&mut y).is_err() {
        return;
    }
    let mut ydot = vec![0.0; y.len()];
    for t in [start, start + 0.1, start + 1e3] {
        if run.derivatives(t, &y, &mut ydot).is_ok() {
            assert!(
                ydot.iter().all(|rate| !rate.is_nan()),
                "a right-hand side without a value says so"
            );
        }
    }
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
