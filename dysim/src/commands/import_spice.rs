//! `dysim import-spice`: a SPICE netlist as a model.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use engine::internals::load::{Disk, Files};
use engine::internals::spice::{self, Imported};
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
    let (name, text) = match read(&options.netlist) {
        Ok(read) => read,
        Err(exit) => return exit,
    };
    let mut sources = Sources::default();
    let Some(source) = sources.add(name.as_str(), text).ok().and_then(|index| sources.get(index))
    else {
        terminal::complain(&format!("`{name}` is larger than 4 GiB"));
        return Exit::Model;
    };
    let Imported { text, diagnostics } = spice::import(source);
    if !diagnostics.is_empty() {
        terminal::say(&render_all(&diagnostics, &sources, terminal::style()));
    }
    if diagnostics.errors() > 0 {
        terminal::say("no model is written\n");
        return Exit::Model;
    }
    let text = formatted(&text);
    let Some(path) = &options.output else { return terminal::print(&text) };
    match fs::write(path, text) {
        Ok(()) => Exit::Done,
        Err(error) => {
            terminal::complain(&format!("cannot write `{}`: {error}", path.display()));
            Exit::Machine
        }
    }
}

/// The netlist's name and text. A byte that is no UTF-8, as in old comments, is replaced.
fn read(netlist: &str) -> Result<(String, String), Exit> {
    let mut bytes = Vec::new();
    let (name, outcome) = match netlist {
        "-" => ("<stdin>", io::stdin().lock().read_to_end(&mut bytes).map(|_| ())),
        path => (path, Disk.read(Path::new(path)).map(|read| bytes = read)),
    };
    if let Err(error) = outcome {
        terminal::complain(&format!("cannot read `{name}`: {error}"));
        return Err(Exit::Machine);
    }
    Ok((name.to_string(), String::from_utf8_lossy(&bytes).into_owned()))
}

/// The model in the usual layout.
fn formatted(text: &str) -> String {
    let mut sources = Sources::default();
    let parsed = |source: &Source| parser::format(source, &parser::parse(source));
    let source = sources.add("model", text).ok().and_then(|index| sources.get(index));
    source.and_then(parsed).unwrap_or_else(|| text.to_string())
}
