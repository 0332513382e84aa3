//! The main job: read a model, check it, simulate it.

use std::io::Read;
use std::path::Path;
use std::time::Instant;

use engine::model::{Disk, Input, LoadError, LoadOptions, Loaded, Model, codes, load};
use parser::diagnostic::{Diagnostic, Diagnostics, Severity};
use parser::render::render_all;

use crate::arguments::Arguments;
use crate::exit::Exit;
use crate::terminal::{self, Verbosity};

/// Reads, checks and simulates the model of the command line.
pub fn run(arguments: &Arguments) -> Exit {
    let Some(model) = arguments.model.as_deref() else { return Exit::Usage };
    let options = LoadOptions {
        set: arguments.set.clone(),
        strict: arguments.strict,
        allow_unphysical: arguments.allow_unphysical,
    };
    let start = Instant::now();
    let loaded = match open(model).and_then(|input| load(input, &options, &Disk)) {
        Ok(loaded) => loaded,
        Err(error) => {
            terminal::complain(&error.to_string());
            return Exit::Machine;
        }
    };
    for source in loaded.sources.all() {
        log::debug!("read {}: {} bytes", source.name(), source.text().len());
    }
    log::debug!("checked in {:.3} s", start.elapsed().as_secs_f64());
    report(&loaded.diagnostics, &loaded, arguments.verbosity());
    let Some(model) = &loaded.model else { return wrong_model(&loaded) };
    if arguments.check && arguments.quiet {
        return Exit::Done;
    }
    if arguments.check {
        return terminal::print(&format!("{}\n", summary(model, &loaded.diagnostics)));
    }
    simulate(model, &loaded)
}

/// A model file or standard input.
fn open(model: &str) -> Result<Input, LoadError> {
    if model != "-" {
        return Ok(Input::File(Disk.model_path(Path::new(model))));
    }
    let mut bytes = Vec::new();
    match std::io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(Input::Text { name: "<stdin>".into(), bytes }),
        Err(error) => Err(LoadError { path: "-".into(), error }),
    }
}

/// Shows what there is to say about the model.
fn report(diagnostics: &Diagnostics, loaded: &Loaded, verbosity: Verbosity) {
    if verbosity > Verbosity::Quiet {
        return terminal::say(&render_all(diagnostics, &loaded.sources, terminal::style()));
    }
    for diagnostic in diagnostics.iter().filter(|d| d.severity == Severity::Error) {
        terminal::say(&parser::render::render(diagnostic, &loaded.sources, terminal::style()));
    }
}

/// Counts the mistakes; those in `--set` alone are mistakes of the command line.
fn wrong_model(loaded: &Loaded) -> Exit {
    let plural =
        |n: usize, word: &str| if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") };
    let (errors, warnings) = (loaded.diagnostics.errors(), loaded.diagnostics.warnings());
    let more =
        if warnings > 0 { format!(", {}", plural(warnings, "warning")) } else { String::new() };
    terminal::say(&format!("{}{more}\n", plural(errors, "error")));
    let in_arguments = |diagnostic: &Diagnostic| {
        loaded
            .sources
            .source_of(diagnostic.primary.span)
            .is_some_and(|source| source.name() == "--set")
    };
    let mut errors = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    if errors.all(in_arguments) { Exit::Usage } else { Exit::Model }
}

/// What the model consists of, in one line.
fn summary(model: &Model, diagnostics: &Diagnostics) -> String {
    let freedoms: usize = model.joints.iter().map(|joint| joint.initial().0.len()).sum();
    let count = |n: usize, one: &str, many: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let parts: Vec<String> = [
        count(model.bodies.len(), "body", "bodies"),
        count(model.joints.len(), "joint", "joints"),
        count(freedoms, "freedom", "freedoms"),
        count(model.constraints.len(), "constraint", "constraints"),
        count(model.forces.len(), "force", "forces"),
        count(model.primitives.len(), "primitive", "primitives"),
        count(diagnostics.warnings(), "warning", "warnings"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let parts = if parts.is_empty() { "no elements".into() } else { parts.join(", ") };
    format!("{}: correct; {parts}", model.name)
}

/// Runs the model as far as this version can.
fn simulate(model: &Model, loaded: &Loaded) -> Exit {
    let solver = model.blocks.iter().find(|entry| entry.schema.keyword == "Solver");
    let span = solver.map_or_else(Default::default, |entry| entry.name);
    let mut diagnostics = Diagnostics::default();
    let message = "simulation is not yet supported; `--check` checks the model";
    diagnostics.push(Diagnostic::new(codes::NOT_SUPPORTED, span, message));
    terminal::say(&render_all(&diagnostics, &loaded.sources, terminal::style()));
    Exit::Simulation
}
