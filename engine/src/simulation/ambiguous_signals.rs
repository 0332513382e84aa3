//! Columns of the results that are not unique at some place, such as angles at a singular orientation.

use crate::output;
use crate::system::{Run, SignalSource, System, source};
use equations::expression::SignalRef;

/// Columns that may have such places, each with its block and whether the log has told of it.
pub(super) struct AmbiguousSignals(Vec<(SignalSource, u32, bool)>);

impl AmbiguousSignals {
    /// The columns of the results.
    pub fn new(system: &System) -> Self {
        let may_be = |source: &SignalSource| {
            matches!(
                source,
                SignalSource::Body(..) | SignalSource::Triad(..) | SignalSource::Sensor(..)
            )
        };
        let columns = output::columns(&system.model).into_iter();
        let found = columns.map(|signal: SignalRef| (source(system, signal), signal.block, false));
        Self(found.filter(|(source, ..)| may_be(source)).collect())
    }

    /// Looks at an observed state; `tell` gets words about what is not unique there for the first time.
    pub fn look(&mut self, t: f64, run: &Run<'_>, tell: &mut dyn FnMut(String)) {
        let model = &run.system.model;
        for index in 0..self.0.len() {
            let (source, block, is_told) = self.0[index];
            if is_told {
                continue;
            }
            let Some(words) = run.ambiguity(source) else { continue };
            let keyword = model.blocks[block as usize].schema.keyword;
            tell(format!(
                "note: {keyword} {}: {words} (first at t = {t} s)",
                model.block_name(block)
            ));
            // One note for a block and cause.
            for (other, owner, is_told) in &mut self.0 {
                *is_told |= *owner == block && run.ambiguity(*other) == Some(words);
            }
        }
    }
}
