//! Translates SPICE netlists into `.dys` models.
//!
//! The netlist is cut into statements, subcircuits are expanded with the values of their parameters, and every
//! element becomes one block with the same name. What has no counterpart is named, never dropped in silence.

mod ac_sweep;
mod assignments;
mod block;
mod devices;
mod expression;
mod expression_text;
mod inclusion;
mod lines;
mod loose_nodes;
mod netlist;
mod number;
mod parameter_scopes;
mod shown;
pub mod spice_codes;
mod statement;
mod transient;
mod translate;

use std::collections::HashMap;
use std::io;
use std::path::Path;

use parser::diagnostic::Diagnostics;
use parser::source::{Source, Sources, Span};

use block::Block;
use inclusion::Gathering;
pub use inclusion::Read;
use lines::Line;
use translate::Translator;

/// A netlist in the language of `.dys` files.
pub struct Imported {
    /// The model.
    pub text: String,
    /// Remarks about the netlist. With errors among the remarks the model is incomplete.
    pub diagnostics: Diagnostics,
    /// Offsets in the text, ascending, with the statements of the netlist that are written there.
    pub pieces: Vec<(usize, Span)>,
    /// The first statement of an element that could not be translated.
    pub missing: Option<Span>,
}

/// Does the name of a file say that it is a netlist?
pub fn is_netlist(path: &Path) -> bool {
    let known = ["cir", "ckt", "cki", "net", "sp", "spi", "spice"];
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|own| known.iter().any(|known| own.eq_ignore_ascii_case(known)))
}

/// Translates a netlist that includes no other files.
pub fn import(source: &Source) -> Imported {
    let name = source.name().to_string();
    let (title, lines) = lines::split(source.text(), source.base());
    let mut diagnostics = Diagnostics::default();
    let mut sources = Sources::default();
    let read = |_: &Path| Err(io::Error::from(io::ErrorKind::NotFound));
    let lines = Gathering {
        sources: &mut sources,
        read: &read,
        diagnostics: &mut diagnostics,
        known: HashMap::new(),
    }
    .gather(lines, Path::new(""));
    translate(&name, title, lines, diagnostics)
}

/// Translates a netlist of one of the texts; the files that it includes become texts, too.
pub fn import_files(
    sources: &mut Sources,
    index: usize,
    directory: &Path,
    read: Read<'_>,
) -> Imported {
    let mut diagnostics = Diagnostics::default();
    let (name, (title, lines)) = match sources.get(index) {
        Some(source) => (source.name().to_string(), lines::split(source.text(), source.base())),
        None => Default::default(),
    };
    let known = HashMap::new();
    let lines =
        Gathering { sources, read, diagnostics: &mut diagnostics, known }.gather(lines, directory);
    translate(&name, title, lines, diagnostics)
}

fn translate(
    name: &str,
    title: String,
    lines: Vec<Line>,
    mut diagnostics: Diagnostics,
) -> Imported {
    let netlist = netlist::sort(lines, &mut diagnostics);
    let title = netlist.title.clone().unwrap_or(title);
    let mut translator = Translator::new(&netlist, &mut diagnostics);
    translator.elements();
    translator.tie_loose_nodes();
    translator.tell_not_held();
    let signals = translator.signals();
    let mut text = String::new();
    if !title.is_empty() {
        text.push_str(&format!("// {title}\n\n"));
    }
    let stem = Path::new(name).file_stem().map_or("netlist".into(), |stem| stem.to_string_lossy());
    let stem: String = stem.chars().map(|c| if c == '"' { '_' } else { c }).collect();
    let header = Block::new("Header", "netlist").expression("ModelName", &format!("\"{stem}\""));
    text.push_str(&header.word("OutputType", "all").finish());
    text.push_str("System \"still\" { GravAccel = 0, 0, -9.81; ScaleGrav = 0; }\n");
    let solver = translator.solver();
    let output = Block::new("Output", "results").expression("Files", "csv");
    let output =
        if signals.is_empty() { output } else { output.expression("Signals", &signals.join(", ")) };
    text.push_str(&solver.finish());
    text.push_str(&output.finish());
    text.push('\n');
    let start = text.len();
    let pieces = translator.pieces.iter().map(|&(at, span)| (start + at, span)).collect();
    text.push_str(&translator.text);
    let missing = translator.missing;
    diagnostics.sort();
    Imported { text, diagnostics, pieces, missing }
}
