//! The block `Plugin`: its table, how it is read, and how its element is made.
//!
//! What plugins do is not known here: they see the model, and so lie above it.

mod plugin_types;
mod setup;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use parser::diagnostic::Diagnostic;
use parser::suggest::nearest;
use parser::syntax::Block;

use super::{Declared, Model};
use crate::codes;
use crate::element::{BlockSchema, Family, Origin, ParameterSchema};
use crate::reading::context::Context;
use crate::reading::fields::Name;
use crate::reading::{BlockReader, Group, parameters};
use equations::expression::Program;
pub use plugin_types::{PluginType, Plugins};
pub use setup::{ElementHandle, Refusal, Setup, SignalHandle};

parameters! {
    /// What every Plugin block says.
    pub struct Common {
        kind: Name = "Type", Plus, Unit::None, Required, Any, "which plugin; the other parameters are those that it declares";
    }
}

/// The parameters of every Plugin block.
pub(crate) const COMMON: &[ParameterSchema] = Common::PARAMETERS;

/// The table of a Plugin block whose plugin is not known.
pub static PLUGIN: BlockSchema = BlockSchema {
    keyword: "Plugin",
    family: Family::Plugin,
    origin: Origin::Plus,
    doc: "An element written by a user and compiled in; `dysim --list Plugin` names those that the program has.",
    parameters: &[COMMON],
    variants: None,
    coordinates: &[],
    signals: &[],
};

/// An element as a model keeps it; its type is known only to the plugin that made it.
type Made = Arc<dyn Any + Send + Sync>;

/// Makes the element when the model is complete.
pub(crate) type Create = Box<dyn FnOnce(&Setup<'_>) -> Result<Made, Refusal>>;

/// A Plugin block.
#[derive(Clone)]
pub struct PluginBlock {
    /// The plugin, if it is known.
    pub kind: Option<&'static PluginType>,
    /// Time expressions among its parameters.
    pub programs: Box<[Program]>,
    /// The element.
    pub(crate) made: Option<Made>,
}

impl fmt::Debug for PluginBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PluginBlock").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// The table of a block: that of its plugin, if it is known.
pub(crate) fn table(
    context: &Context<'_>,
    plugins: Plugins,
    document: u32,
    block: &Block,
) -> &'static BlockSchema {
    let document = &context.documents[document as usize];
    let mut parameters = document.parameters(block).iter();
    let given = parameters.find(|parameter| context.sources.text(parameter.name) == "Type");
    let word = given.map_or("", |given| context.sources.text(given.value).trim_matches('"'));
    plugins.find(word).map_or(&PLUGIN, PluginType::table)
}

impl PluginBlock {
    /// Reads a block, and gives what makes its element.
    pub(crate) fn read(
        reader: &mut BlockReader<'_, '_>,
        plugins: Plugins,
    ) -> (Self, Option<Create>) {
        let word = reader.context.sources.text(Common::read(reader).kind.0);
        let kind = plugins.find(word);
        if kind.is_none() && !word.is_empty() {
            unknown_type(reader, plugins, word);
        }
        let create = kind.map(|kind| (kind.read)(reader));
        let programs = reader.programs.take().into();
        (Self { kind, programs, made: None }, create)
    }
}

/// Makes the elements, if all else about the model is right.
pub(crate) fn create(context: &mut Context<'_>, model: &mut Model, creations: Vec<Option<Create>>) {
    if creations.is_empty() || context.diagnostics.errors() > 0 {
        return;
    }
    model.blocks.clone_from(&context.blocks);
    for (at, create) in creations.into_iter().enumerate() {
        let Declared { block, what: PluginBlock { kind, .. } } = model.plugins[at];
        let (Some(create), Some(kind)) = (create, kind) else { continue };
        let setup = Setup { model, index: &context.index, block, reads_forces: kind.reads_forces };
        match create(&setup) {
            Ok(made) => model.plugins[at].what.made = Some(made),
            Err(refusal) => refuse(context, block, refusal),
        }
    }
}

fn unknown_type(reader: &mut BlockReader<'_, '_>, plugins: Plugins, word: &str) {
    let Plugins::Known(all) = plugins else { return };
    let words: Vec<&str> = all.iter().map(PluginType::word).collect();
    let help = match nearest(word, words.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if words.is_empty() => "this program has no plugins".into(),
        None => format!("it has {}", words.join(", ")),
    };
    let span = reader.context.place_of(reader.block, "Type");
    let message = format!("this program has no plugin `{word}`");
    reader.context.report(Diagnostic::new(codes::UNKNOWN_PLUGIN, span, message).help(help));
}

/// Says why a plugin cannot be as its block wants it.
fn refuse(context: &mut Context<'_>, block: u32, refusal: Refusal) {
    let name = context.name(block);
    let span = match refusal.parameter {
        Some(parameter) => context.place_of(block, parameter),
        None => context.blocks[block as usize].name,
    };
    let message = format!("Plugin `{name}`: {}", refusal.message);
    let diagnostic = Diagnostic::new(codes::PLUGIN_REFUSES, span, message);
    context.report(diagnostic.maybe_help(refusal.help));
}
