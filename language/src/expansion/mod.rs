//! From components to a flat model: a stage of its own between the trees of the texts and the model.
//!
//! The expansion writes a new text, the flat model, in which every block of every instance stands with its full name, such
//! as `Resistor "m1.Ra"`. All later stages read this text like any other, so that a component needs no provision
//! there, and `dysim expand` prints it. Its tree is made along with the text, and each piece of the text knows the place
//! in a written text that it stands for, and the instance that it belongs to: messages show the definition and the chain
//! of instances.
//!
//! What happens to a value is decided by the table of the block that it stands in: a name of a node becomes the name of
//! the outer node that a port is joined to, a reference gets the prefix of the instance, in an expression parameters
//! become numbers and paths get the prefix.
//!
//! Steps:
//! 1. `gather`: the declarations of all files, and the definitions of the components, bases first.
//! 2. `file_constants`: the values of the Parameters blocks of all files.
//! 3. `observed`: the ports whose potential or flow is looked at by name, which become blocks of the flat model.
//! 4. `blocks`, `instances`, `repeats`: the blocks in their order; `flat_values` and `expressions` write their values.
//!
//! A model without components, Repeats and the like is not expanded: its texts are read as they are.

mod bases;
mod blocks;
mod choices;
mod component_tables;
mod declarations;
mod define;
mod definitions;
mod environment;
mod expressions;
mod file_constants;
pub(crate) mod file_scopes;
mod flat_values;
mod gather;
mod instance_ports;
mod instance_values;
mod instances;
mod meaning_of_names;
mod named_nodes;
mod names_in_values;
mod need;
mod observed;
mod ordering;
mod parameter_values;
mod repeats;
pub(crate) mod unused;

use component_tables::component_tables;
use define::item;
use file_constants::evaluate_constants;
use gather::{gather, place};
use observed::find_observed;
use std::path::PathBuf;

use parser::diagnostic::{Diagnostic, Diagnostics};
use parser::emit::{Emitted, Emitter};
use parser::source::{Sources, Span};
use parser::syntax::{Block, Document, Parameter};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::element::BlockSchema;
use crate::model::plugins::Plugins;
use crate::model::registry;
pub use component_tables::ComponentTable;
use definitions::{Definitions, Item, Layer};
use environment::{Environment, View};
use file_scopes::{Constant, FileFunction, FileScope, Names};
pub(crate) use need::is_needed;
use unused::CERTAIN;

/// What the expansion works on.
#[derive(Clone, Copy)]
pub(crate) struct Texts<'s> {
    pub sources: &'s Sources,
    pub documents: &'s [Document],
    /// The directory of each document.
    pub directories: &'s [PathBuf],
    /// The blocks of all files; the main file is the first.
    pub scopes: &'s [FileScope],
    /// Values from the command line.
    pub overrides: &'s [(u32, Parameter)],
    pub plugins: Plugins,
    /// Some text could not be read.
    pub lost_blocks: bool,
    /// The ports of the instances are to be noted, for drawings.
    pub notes_ports: bool,
}

/// The flat model.
pub(crate) struct Flat {
    pub emitted: Emitted,
    /// The blocks in their order: one of the flat text, or a block of a written text that stays as it is.
    pub order: Vec<FlatBlock>,
    pub diagnostics: Diagnostics,
    /// The components that some instance uses, by number.
    pub used: FxHashSet<usize>,
    /// Parts are missing because of a mistake.
    pub has_lost_parts: bool,
    /// The components that the main file can name.
    pub components: Vec<ComponentTable>,
}

/// A block of the flat model.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FlatBlock {
    /// A block of the flat text, by its number there.
    Emitted(u32),
    /// A block of a written text: document and number.
    Written(u32, u32),
}

/// The state of an expansion.
struct Expander<'s> {
    sources: &'s Sources,
    documents: &'s [Document],
    directories: &'s [PathBuf],
    plugins: Plugins,
    lost_blocks: bool,
    notes_ports: bool,
    schemas: FxHashMap<&'static str, &'static BlockSchema>,
    names: Vec<Names<'s>>,
    constants: Vec<Constant<'s>>,
    /// Formulas of the files, and their numbers by their full names.
    functions: Vec<FileFunction<'s>>,
    function_index: FxHashMap<String, usize>,
    definitions: Definitions<'s>,
    /// Names of ports that are looked at as signals or nodes somewhere.
    observed: FxHashSet<&'s str>,
    emitter: Emitter,
    order: Vec<FlatBlock>,
    diagnostics: Diagnostics,
    /// Written places with a mistake that is reported once, whatever the number of instances.
    reported: FxHashSet<Span>,
    /// Definitions of the instances that are being written, the innermost last.
    chain: Vec<usize>,
    /// The instance whose names and values are being looked at.
    instance: Option<u32>,
    /// Definitions that some instance uses.
    used: FxHashSet<usize>,
    /// There is no room for more blocks, which is reported.
    is_full: bool,
    /// The value that is being written has a mistake, which is reported.
    is_broken: bool,
    /// Blocks and passes of Repeats up to now.
    count: usize,
    /// Parts are missing because of a mistake: names that are unknown may be theirs.
    has_lost_parts: bool,
}

/// Writes the flat model.
pub(crate) fn expand(texts: Texts<'_>) -> Flat {
    let mut expander = Expander::new(texts);
    gather(&mut expander, texts.scopes);
    evaluate_constants(&mut expander, texts.overrides);
    find_observed(&mut expander);
    expander.write_model(texts.scopes);
    expander.finish()
}

impl<'s> Expander<'s> {
    fn new(texts: Texts<'s>) -> Self {
        Self {
            sources: texts.sources,
            documents: texts.documents,
            directories: texts.directories,
            plugins: texts.plugins,
            lost_blocks: texts.lost_blocks,
            notes_ports: texts.notes_ports,
            schemas: registry::blocks().map(|schema| (schema.keyword, schema)).collect(),
            names: texts.scopes.iter().map(|_| Names::default()).collect(),
            constants: Vec::new(),
            functions: Vec::new(),
            function_index: FxHashMap::default(),
            definitions: Vec::new(),
            observed: FxHashSet::default(),
            emitter: Emitter::behind(texts.sources),
            order: Vec::new(),
            diagnostics: Diagnostics::default(),
            reported: FxHashSet::default(),
            chain: Vec::new(),
            instance: None,
            used: FxHashSet::default(),
            is_full: false,
            is_broken: false,
            count: 0,
            has_lost_parts: false,
        }
    }

    /// What was written.
    fn finish(self) -> Flat {
        let components = component_tables(&self);
        let Self { emitter, order, diagnostics, used, has_lost_parts, .. } = self;
        let emitted = emitter.finish();
        Flat { emitted, order, diagnostics, used, has_lost_parts, components }
    }

    /// Writes all blocks in their order.
    fn write_model(&mut self, scopes: &[FileScope]) {
        let top = top_level();
        for (scope, file) in scopes.iter().enumerate() {
            for &(document, index) in &file.blocks {
                let place = place(self, document, scope);
                let Some(block) = place.document.blocks().get(index as usize) else { continue };
                let keyword = self.sources.text(block.keyword);
                // Of files included under a name only formulas become blocks of the model.
                if keyword == "Component" || (scope > 0 && keyword != "Formula") {
                    continue;
                }
                if keyword == "Include" {
                    self.order.push(FlatBlock::Written(document, index));
                    continue;
                }
                let view = View { environment: &top, indices: None, place, arguments: &[] };
                self.write_top_block(view, block);
                if self.is_full {
                    return;
                }
            }
        }
    }

    /// Writes what a block of a file stands for.
    fn write_top_block(&mut self, view: View<'_, 's>, block: &'s Block) {
        let keyword = self.sources.text(block.keyword);
        let name = self.sources.text(block.name);
        let base = definitions::base_of(name);
        let place = view.place;
        let mut inner = Vec::new();
        if keyword == "Repeat" {
            for block in place.document.inner(block) {
                inner.extend(item(self, Layer { place, block }));
            }
        }
        let layers = vec![Layer { place, block }];
        let item = Item { keyword, base, name, layers, inner };
        self.write_item(view, &item, &[]);
    }

    /// Reports a mistake. One that depends on the values of an instance shows the instances that lead there.
    fn report(&mut self, mut diagnostic: Diagnostic) {
        if !CERTAIN.contains(&diagnostic.code) {
            diagnostic.secondary.extend(self.emitter.instance_labels(self.instance));
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports that something is not there, unless it may be in a text that could not be read.
    fn report_missing(&mut self, diagnostic: Diagnostic) {
        if !self.lost_blocks {
            self.report(diagnostic);
        }
    }

    /// Reports a mistake of a written place once.
    fn report_once(&mut self, diagnostic: Diagnostic) {
        if self.reported.insert(diagnostic.primary.span) {
            self.report(diagnostic);
        }
    }
}

/// The surroundings of the blocks that stand in no component.
fn top_level<'s>() -> Environment<'s> {
    Environment {
        definition: None,
        prefix: String::new(),
        values: Vec::new(),
        ports: Vec::new(),
        instance: None,
    }
}
