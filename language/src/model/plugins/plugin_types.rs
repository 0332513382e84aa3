//! The kinds of plugins that a program has.

use std::fmt;

use super::Create;
use crate::element::BlockSchema;
use crate::reading::BlockReader;

/// The plugins that the blocks of a model may name.
#[derive(Clone, Copy, Debug, Default)]
pub enum Plugins {
    /// They are not known here: a program that only draws takes any block, but cannot simulate it.
    #[default]
    Unchecked,
    /// These and no others.
    Known(&'static [PluginType]),
}

impl Plugins {
    /// The plugin of a word.
    pub fn find(self, word: &str) -> Option<&'static PluginType> {
        self.all().iter().find(|kind| kind.word() == word)
    }

    /// All that are known.
    pub fn all(self) -> &'static [PluginType] {
        match self {
            Plugins::Unchecked => &[],
            Plugins::Known(all) => all,
        }
    }
}

/// A kind of plugin: an entry of the slice that a program is given.
pub struct PluginType {
    pub(crate) word: &'static str,
    pub(crate) table: &'static BlockSchema,
    pub(crate) switches: bool,
    pub(crate) reads_forces: bool,
    pub(crate) read: fn(&mut BlockReader<'_, '_>) -> Create,
}

impl PluginType {
    /// The word behind `Type =`.
    pub fn word(&self) -> &'static str {
        self.word
    }

    /// Parameters and signals of the plugin.
    pub fn table(&self) -> &'static BlockSchema {
        self.table
    }

    /// Whether the plugin has discrete states.
    pub fn switches(&self) -> bool {
        self.switches
    }
}

impl fmt::Debug for PluginType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PluginType({})", self.word)
    }
}
