//! Finds the signal that a text such as `J.q[2]` means, or says what was probably meant.

use parser::suggest::nearest;

use super::Error;
use equations::expression::SignalRef;
use language::element::{BlockSchema, SignalShape};
use language::model::Model;
use language::reading::names::{self, SignalPath};

/// The signal of a model that a path means.
///
/// # Errors
/// If there is none, or if there are several.
pub(super) fn find(model: &Model, path: &str) -> Result<SignalRef, Error> {
    let search = Search { model, path };
    if let Some(signal) = search.value() {
        return Ok(signal);
    }
    let form = || "a signal is written `element.signal`, such as `J.q`".to_string();
    let parts = names::split_path(path).ok_or_else(|| search.unknown(Some(form())))?;
    let block = search.block(&parts)?;
    search.component(block, &parts)
}

struct Search<'a> {
    model: &'a Model,
    path: &'a str,
}

impl Search<'_> {
    fn unknown(&self, help: Option<String>) -> Error {
        Error::plain(format!("there is no signal `{}`", self.path), help)
    }

    fn schema(&self, block: u32) -> &'static BlockSchema {
        self.model.blocks[block as usize].schema
    }

    /// The name of a block as its signals have it.
    fn name(&self, block: u32) -> String {
        let name = self.model.signal_name(SignalRef { block, signal: 0, component: 0 });
        name.rsplit_once('.').map_or_else(String::new, |(name, _)| name.to_string())
    }

    /// The value of a block that is one by its name alone.
    fn value(&self) -> Option<SignalRef> {
        let mut blocks = (0_u32..).zip(&self.model.blocks);
        let (block, _) = blocks.find(|(_, entry)| {
            entry.schema.is_value() && self.model.sources.text(entry.name) == self.path
        })?;
        Some(SignalRef { block, signal: 0, component: 0 })
    }

    /// The one block of the name that has the signal.
    fn block(&self, parts: &SignalPath<'_>) -> Result<u32, Error> {
        let has_signals = |schema: &BlockSchema| schema.all_signals().next().is_some();
        let is_meant = |schema: &BlockSchema| {
            parts.keyword.is_none_or(|keyword| keyword == schema.keyword) && has_signals(schema)
        };
        let blocks = (0_u32..).zip(&self.model.blocks);
        let named: Vec<(u32, String)> = blocks
            .filter(|(_, entry)| is_meant(entry.schema))
            .map(|(block, _)| (block, self.name(block)))
            .collect();
        let of_name = || named.iter().filter(|(_, name)| name == parts.element).map(|(k, _)| *k);
        let has = |block: &u32| {
            self.schema(*block).all_signals().any(|signal| signal.name == parts.signal)
        };
        let fitting: Vec<u32> = of_name().filter(has).collect();
        match (&fitting[..], of_name().next()) {
            (&[block], _) => Ok(block),
            ([], None) => {
                let near = nearest(parts.element, named.iter().map(|(_, name)| name.as_str()));
                let help = near.map(|near| format!("did you mean `{near}.{}`?", parts.signal));
                Err(self.unknown(help))
            }
            ([], Some(block)) => Err(self.unknown(Some(near_signal(self.schema(block), parts)))),
            (several, _) => {
                let words = |&k: &u32| format!("`{}:{}`", self.schema(k).keyword, self.path);
                let all: Vec<String> = several.iter().map(words).collect();
                let help = Some(format!("say which one: {}", all.join(" or ")));
                Err(Error::plain(format!("`{}` could be several signals", self.path), help))
            }
        }
    }

    /// The component of a signal of a block.
    fn component(&self, block: u32, parts: &SignalPath<'_>) -> Result<SignalRef, Error> {
        let schema = self.schema(block);
        let mut signals = (0_u16..).zip(schema.all_signals());
        let (signal, table) = signals
            .find(|(_, signal)| signal.name == parts.signal)
            .ok_or_else(|| self.unknown(None))?;
        let count = match table.shape {
            SignalShape::Scalar => 1,
            SignalShape::PerCoordinate => schema.coordinates.len(),
            SignalShape::Vector => self.model.width(block, table.name),
        };
        if parts.component == 0 || parts.component > count {
            return Err(self.unknown(Some(format!("components count from 1 to {count}"))));
        }
        Ok(SignalRef { block, signal, component: (parts.component - 1) as u16 })
    }
}

/// Advice for an unknown signal: a similar name, or the list of all signals of the element.
fn near_signal(schema: &BlockSchema, parts: &SignalPath<'_>) -> String {
    let all: Vec<&str> = schema.all_signals().map(|signal| signal.name).collect();
    match nearest(parts.signal, all.iter().copied()) {
        Some(near) => format!("did you mean `{}.{near}`?", parts.element),
        None => format!("its signals are {}", all.join(", ")),
    }
}
