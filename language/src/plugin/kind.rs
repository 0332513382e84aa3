//! How a type that implements [`Plugin`] becomes a kind of plugin.

use std::marker::PhantomData;
use std::sync::Arc;

use super::instance::Made;
use super::{Plugin, Setup};
use crate::element::{BlockSchema, Family, Origin, Quantity, SignalSchema, signal};
use crate::model::plugins::{COMMON, Create, PluginType};
use crate::reading::{BlockReader, Group};

/// Most signals of one plugin, `power` included.
pub(crate) const MAX_SIGNALS: usize = 32;

/// The signal that every force of a plugin has.
const POWER: SignalSchema =
    signal("power", "W", "power delivered to the bodies").of(Quantity::Power, 0);

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
}

fn read<T: Plugin>(reader: &mut BlockReader<'_, '_>) -> Create {
    let parameters = T::Parameters::read(reader);
    Box::new(move |setup: &Setup<'_>| {
        Made::new(|| T::new(parameters, setup)).map(|made| Arc::new(made) as _)
    })
}
