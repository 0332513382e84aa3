//! Models with their flat texts, for the commands that show what components become.

use std::io::Read;
use std::path::{Path, PathBuf};

use engine::LoadOptions;
use engine::internals::load::{Disk, Input, Loaded, load};
use engine::plugin::Plugins;
use parser::diagnostic::Severity;
use parser::exit::Exit;
use parser::render::render;

use super::libraries;
use crate::terminal;

/// Something that went wrong, in words, and how the program ends; no words where they have been said.
pub type Trouble = (String, Exit);

/// Ends a command, with words about what went wrong.
pub fn end(outcome: Result<(), Trouble>) -> Exit {
    match outcome {
        Ok(()) => Exit::Done,
        Err((words, exit)) => {
            if !words.is_empty() {
                terminal::complain(&words);
            }
            exit
        }
    }
}

/// The model of a name on the command line, with its flat text; what is wrong with the model is said here.
pub fn read(
    name: &str,
    set: &[String],
    library: &[PathBuf],
    plugins: Plugins,
) -> Result<Loaded, Trouble> {
    let options = LoadOptions {
        set: set.to_vec(),
        plugins,
        only_warns_of_primitives: true,
        libraries: libraries::directories(library),
        expands: true,
        ..LoadOptions::default()
    };
    let loaded =
        load(input(name)?, &options, &Disk).map_err(|error| (error.to_string(), Exit::Machine))?;
    for diagnostic in loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error) {
        terminal::say(&render(diagnostic, &loaded.sources, terminal::style()));
    }
    match loaded.diagnostics.errors() {
        0 => Ok(loaded),
        _ => Err((String::new(), Exit::Model)),
    }
}

fn input(name: &str) -> Result<Input, Trouble> {
    if name != "-" {
        return Ok(Input::File(Disk.model_path(Path::new(name))));
    }
    let mut bytes = Vec::new();
    match std::io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(Input::Text { name: "<stdin>".into(), bytes }),
        Err(error) => Err((format!("cannot read standard input: {error}"), Exit::Machine)),
    }
}
