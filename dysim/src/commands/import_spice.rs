//! `dysim import-spice`: a SPICE netlist as a model.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use engine::internals::load::{Disk, Files, Input, LoadOptions, Loaded, load};
use engine::internals::spice::spice_codes;
use parser::diagnostic::Diagnostic;
use parser::exit::Exit;
use parser::render::render_all;
use parser::source::{Source, Sources};

use crate::arguments::ImportOptions;
use crate::terminal;

/// Translates the netlist; what cannot be translated is said.
pub fn run(options: &ImportOptions) -> Exit {
    let identity = |path: &Path| Disk.identity(path);
    if let Some(path) = &options.output
        && identity(path) == identity(Path::new(&options.netlist))
    {
        let shown = path.display();
        terminal::complain(&format!("`{shown}` is the netlist: the model needs another name"));
        return Exit::Usage;
    }
    let loaded = match read(&options.netlist) {
        Ok(input) => {
            let load_options = LoadOptions { is_netlist: true, ..LoadOptions::default() };
            load(input, &load_options, &Disk)
        }
        Err(exit) => return exit,
    };
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            terminal::complain(&error.to_string());
            return Exit::Machine;
        }
    };
    let Loaded { sources, diagnostics, translation, .. } = loaded;
    if !diagnostics.is_empty() {
        terminal::say(&render_all(&diagnostics, &sources, terminal::style()));
    }
    // A translation is checked as a model; one of which a part is missing may still be of use.
    let is_part = |told: &&Diagnostic| told.code == spice_codes::PARTLY;
    let is_partly = diagnostics.iter().any(|told| is_part(&told));
    let is_wrong = diagnostics.errors() > usize::from(is_partly);
    let text = translation.and_then(|index| sources.get(index));
    let Some(text) = text.filter(|_| !is_wrong) else {
        terminal::say("no model is written\n");
        return Exit::Model;
    };
    let own = options.output.as_deref().and_then(Path::file_stem);
    let netlist = Path::new(&options.netlist).file_stem();
    let text = match (netlist, own) {
        (Some(from), Some(to)) => renamed(text.text(), from, to),
        _ => text.text().to_string(),
    };
    let text = formatted(&text);
    let done = if is_partly { Exit::Partly } else { Exit::Done };
    let Some(path) = &options.output else {
        let printed = terminal::print(&text);
        return if printed == Exit::Done { done } else { printed };
    };
    match fs::write(path, text) {
        Ok(()) => done,
        Err(error) => {
            terminal::complain(&format!("cannot write `{}`: {error}", path.display()));
            Exit::Machine
        }
    }
}

/// The model under the name of its own file, after which results are called.
fn renamed(text: &str, from: &OsStr, to: &OsStr) -> String {
    let named = |stem: &OsStr| format!("ModelName = \"{}\"", stem.to_string_lossy());
    text.replacen(&named(from), &named(to), 1)
}

/// The netlist: a file, or standard input.
fn read(netlist: &str) -> Result<Input, Exit> {
    if netlist != "-" {
        return Ok(Input::File(netlist.into()));
    }
    let mut bytes = Vec::new();
    match io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(Input::Text { name: "<stdin>".into(), bytes }),
        Err(error) => {
            terminal::complain(&format!("cannot read `<stdin>`: {error}"));
            Err(Exit::Machine)
        }
    }
}

/// The model in the usual layout.
fn formatted(text: &str) -> String {
    let mut sources = Sources::default();
    let parsed = |source: &Source| parser::format(source, &parser::parse(source));
    let source = sources.add("model", text).ok().and_then(|index| sources.get(index));
    source.and_then(parsed).unwrap_or_else(|| text.to_string())
}
