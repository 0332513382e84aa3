//! Elements of plugins with their places in the vectors of the run.

use std::ops::Range;
use std::sync::Arc;

use parser::diagnostic::Diagnostic;

use super::Element;
use crate::codes;
use language::model::plugins::PluginBlock;
use language::model::{Declared, Model};
use language::plugin::DiscreteState;
use language::plugin::instance::{Instance, Made};

/// All elements of plugins.
#[derive(Default)]
pub(crate) struct PluginElements {
    /// In the order of the model's Plugin blocks.
    pub list: Vec<PluginElement>,
    /// The guard of their first discrete state among all guards; each state has one.
    pub first_guard: usize,
    /// Number of their discrete states.
    pub n_states: usize,
    /// Number of numbers that they remember.
    pub n_memory: usize,
    /// Number of their signals.
    pub n_signals: usize,
    /// The first element of each block that has one, by block.
    first_elements: Vec<(u32, u32)>,
}

/// An element of a plugin.
pub(crate) struct PluginElement {
    /// The block that declares it.
    pub block: u32,
    /// The code of the plugin with the parameters of the block.
    pub instance: Arc<dyn Instance>,
    /// True if the plugin acts on bodies.
    pub is_force: bool,
    /// First time expression of the plugin.
    pub first_input: usize,
    /// Discrete states of the plugin.
    pub states: Range<usize>,
    /// Names, values and scales of the discrete states.
    pub declared: Vec<DiscreteState>,
    /// Remembered numbers of the plugin.
    pub memory: Range<usize>,
    /// Values of the remembered numbers at the beginning.
    pub first_memory: Vec<f64>,
    /// Signals of the plugin, without `power`.
    pub signals: Range<usize>,
    /// Place of the plugin among the works.
    pub work: Option<usize>,
}

impl PluginElements {
    /// The element and the state of a guard.
    pub fn of_guard(&self, guard: usize) -> Option<(&PluginElement, usize)> {
        let at = guard.checked_sub(self.first_guard)?;
        let found = self.list.iter().find(|element| element.states.contains(&at))?;
        Some((found, at - found.states.start))
    }

    /// The element of a block.
    pub fn of_block(&self, block: u32) -> Option<&PluginElement> {
        let at = self.list.binary_search_by_key(&block, |element| element.block).ok()?;
        Some(&self.list[at])
    }

    /// Notes where the elements of each block are, if any plugin may ask.
    pub fn index_elements(&mut self, elements: &[Element]) {
        if !self.list.is_empty() {
            let places = elements.iter().zip(0_u32..).map(|(element, at)| (element.block, at));
            self.first_elements = places.collect();
            self.first_elements.sort_unstable();
            self.first_elements.dedup_by_key(|(block, _)| *block);
        }
    }

    /// The first built-in element of a block.
    pub fn first_element(&self, block: u32) -> Option<usize> {
        let at = self.first_elements.binary_search_by_key(&block, |(block, _)| *block).ok()?;
        Some(self.first_elements[at].1 as usize)
    }
}

/// Adds the element of a Plugin block.
///
/// # Errors
/// If the model was read without its plugin.
pub(super) fn add(
    all: &mut PluginElements,
    model: &Model,
    plugin: &Declared<PluginBlock>,
    first_input: usize,
    n_work: &mut usize,
) -> Result<(), Diagnostic> {
    let Some(Made { instance, declaration }) = Made::of(plugin) else {
        let name = model.block_name(plugin.block);
        let message = format!("Plugin `{name}` cannot act: the model was read without plugins");
        let span = model.name_span(plugin.block);
        return Err(Diagnostic::new(codes::UNKNOWN_PLUGIN, span, message));
    };
    let states = all.n_states..all.n_states + declaration.states.len();
    let memory = all.n_memory..all.n_memory + declaration.remembered.len();
    let signals = all.n_signals..all.n_signals + declaration.n_signals;
    (all.n_states, all.n_memory, all.n_signals) = (states.end, memory.end, signals.end);
    let work = (declaration.conservative == Some(false)).then_some(*n_work);
    *n_work += usize::from(work.is_some());
    all.list.push(PluginElement {
        block: plugin.block,
        instance: Arc::clone(instance),
        is_force: declaration.conservative.is_some(),
        first_input,
        states,
        declared: declaration.states.clone(),
        memory,
        first_memory: declaration.remembered.clone(),
        signals,
        work,
    });
    Ok(())
}
