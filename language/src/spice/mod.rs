//! Translates SPICE netlists into `.dys` models.
//!
//! The netlist is cut into statements, subcircuits are expanded with the values of their parameters, and every
//! element becomes one block with the same name. What has no counterpart is named, never dropped in silence.

mod block;
mod devices;
mod expression;
mod lines;
mod netlist;
mod number;
mod parameter_scopes;
mod shown;
pub mod spice_codes;
mod transient;
mod translate;

use parser::diagnostic::Diagnostics;
use parser::source::Source;

use block::Block;
use translate::Translator;

/// A netlist in the language of `.dys` files.
pub struct Imported {
    /// The model.
    pub text: String,
    /// Remarks about the netlist. With errors among the remarks the model is incomplete.
    pub diagnostics: Diagnostics,
}

/// Translates a netlist.
pub fn import(source: &Source) -> Imported {
    let mut diagnostics = Diagnostics::default();
    let (title, lines) = lines::split(source.text(), source.base());
    let netlist = netlist::sort(lines, &mut diagnostics);
    let mut translator = Translator::new(&netlist, &mut diagnostics);
    translator.elements();
    translator.load_measured_nodes();
    translator.tell_not_held();
    let signals = translator.signals();
    let mut text = String::new();
    if !title.is_empty() {
        text.push_str(&format!("// {title}\n\n"));
    }
    let transient = translator.transient;
    let output = Block::new("Output", "results").expression("Files", "csv");
    let output =
        if signals.is_empty() { output } else { output.expression("Signals", &signals.join(", ")) };
    text.push_str(&transient.block().finish());
    text.push_str(&output.finish());
    text.push('\n');
    text.push_str(&translator.text);
    diagnostics.sort();
    Imported { text, diagnostics }
}
