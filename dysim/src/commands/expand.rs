//! `dysim expand`: the flat model that components, Repeats and conditions lead to, as a text.

use std::io::Read;
use std::path::Path;

use engine::LoadOptions;
use engine::internals::load::{Disk, Input, load};
use engine::plugin::Plugins;
use parser::diagnostic::Severity;
use parser::exit::Exit;
use parser::render::render;

use super::libraries;
use crate::arguments::ExpandOptions;
use crate::terminal;

/// Prints the flat model, or what is wrong with the model.
pub fn run(options: &ExpandOptions, plugins: Plugins) -> Exit {
    let input = match input(&options.model) {
        Ok(input) => input,
        Err((words, exit)) => {
            terminal::complain(&words);
            return exit;
        }
    };
    let load_options = LoadOptions {
        set: options.set.clone(),
        plugins,
        only_warns_of_primitives: true,
        libraries: libraries::directories(&options.library),
        expands: true,
        ..LoadOptions::default()
    };
    let loaded = match load(input, &load_options, &Disk) {
        Ok(loaded) => loaded,
        Err(error) => {
            terminal::complain(&error.to_string());
            return Exit::Machine;
        }
    };
    for diagnostic in loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error) {
        terminal::say(&render(diagnostic, &loaded.sources, terminal::style()));
    }
    let flat = loaded.flat.and_then(|index| loaded.sources.get(index));
    let Some(flat) = flat.filter(|_| loaded.diagnostics.errors() == 0) else { return Exit::Model };
    match &options.output {
        None => terminal::print(flat.text()),
        Some(path) => match std::fs::write(path, flat.text()) {
            Ok(()) => Exit::Done,
            Err(error) => {
                terminal::complain(&format!("cannot write `{}`: {error}", path.display()));
                Exit::Machine
            }
        },
    }
}

/// The model of a name on the command line.
pub fn input(name: &str) -> Result<Input, (String, Exit)> {
    if name != "-" {
        return Ok(Input::File(Disk.model_path(Path::new(name))));
    }
    let mut bytes = Vec::new();
    match std::io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(Input::Text { name: "<stdin>".into(), bytes }),
        Err(error) => Err((format!("cannot read standard input: {error}"), Exit::Machine)),
    }
}
