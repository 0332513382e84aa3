//! The kinds of plugins that a program has.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::block::{COMMON, Create};
use super::instance::Hosted;
use super::{Plugin, Setup};
use crate::element::{BlockSchema, Family, Origin, SignalSchema, signal};
use crate::reading::{BlockReader, Group};

/// Most signals of one plugin, `power` included.
pub(crate) const MAX_SIGNALS: usize = 32;

/// What every force of a plugin can show.
const POWER: SignalSchema = signal("power", "W", "power delivered to the bodies");

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
    word: &'static str,
    table: &'static BlockSchema,
    switches: bool,
    pub(super) reads_forces: bool,
    pub(super) read: fn(&mut BlockReader<'_, '_>) -> Create,
}

/// The table of a plugin's block, which has the place of a constant.
struct Table<T>(PhantomData<T>);

impl<T: Plugin> Table<T> {
    const TABLE: &'static BlockSchema = &BlockSchema {
        keyword: "Plugin",
        family: Family::Plugin,
        origin: Origin::Plus,
        doc: T::ABOUT,
        parameters: &[COMMON, <T::Parameters as Group>::PARAMETERS],
        variants: None,
        coordinates: &[],
        signals: &[&[POWER], T::SIGNALS],
    };
}

impl PluginType {
    /// The kind that a type implements.
    pub const fn new<T: Plugin>() -> Self {
        assert!(T::SIGNALS.len() < MAX_SIGNALS, "a plugin has too many signals");
        let (force, states) = (T::ROLES.force.is_some(), T::ROLES.states.is_some());
        assert!(
            force || states || T::ROLES.output.is_some(),
            "a plugin without a role does nothing: name one in ROLES"
        );
        Self {
            word: T::TYPE,
            table: Table::<T>::TABLE,
            switches: states,
            reads_forces: !force && !states,
            read: read::<T>,
        }
    }

    /// The word behind `Type =`.
    pub fn word(&self) -> &'static str {
        self.word
    }

    /// Its parameters and signals.
    pub fn table(&self) -> &'static BlockSchema {
        self.table
    }

    /// Has it discrete states?
    pub fn switches(&self) -> bool {
        self.switches
    }
}

fn read<T: Plugin>(reader: &mut BlockReader<'_, '_>) -> Create {
    let parameters = T::Parameters::read(reader);
    Box::new(move |setup: &Setup<'_>| {
        T::new(parameters, setup).map(|plugin| Arc::new(Hosted(Arc::new(plugin))) as _)
    })
}

impl fmt::Debug for PluginType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PluginType({})", self.word)
    }
}
