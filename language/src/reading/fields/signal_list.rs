//! Lists of signals.

use parser::source::Span;
use parser::syntax::Parameter;

use crate::element::{DefaultValue, Kind, ParameterSchema};
use crate::reading::{BlockReader, Field};
use equations::expression::SignalRef;

/// Signals by path.
#[derive(Clone, Debug, PartialEq)]
pub struct Signals(pub Box<[(SignalRef, Span)]>);

impl Field for Signals {
    const KIND: Kind = Kind::Signals;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let mut signals = Vec::new();
        let mut good = true;
        for &id in reader.values(given) {
            let Some((text, span)) = reader.bare(schema, id) else {
                good = false;
                continue;
            };
            match reader.context.signal(text, span) {
                Ok((signal, _)) => signals.push((signal, span)),
                Err(mistake) => {
                    mistake.into_iter().for_each(|mistake| reader.context.report(*mistake));
                    good = false;
                }
            }
        }
        good.then(|| Self(signals.into()))
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}
