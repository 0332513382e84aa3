//! Lists of signals, alone or each with a number.

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::syntax::{NodeId, Parameter};

use crate::codes;
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
        let all = reader.values(given).iter().map(|&id| signal(reader, schema, id));
        // Every mistake is reported.
        let all: Vec<Option<(SignalRef, Span)>> = all.collect();
        all.into_iter().collect::<Option<Box<_>>>().map(Self)
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}

/// A signal and its place; mistakes are reported.
fn signal(
    reader: &mut BlockReader<'_, '_>,
    schema: &'static ParameterSchema,
    id: NodeId,
) -> Option<(SignalRef, Span)> {
    let (text, span) = reader.bare(schema, id)?;
    match reader.context.signal(text, span) {
        Ok((signal, _)) => Some((signal, span)),
        Err(mistake) => {
            mistake.into_iter().for_each(|mistake| reader.context.report(*mistake));
            None
        }
    }
}

/// Signals, each with the value that it shall have.
#[derive(Clone, Debug, PartialEq)]
pub struct Targets(pub Box<[(SignalRef, Span, f64)]>);

impl Field for Targets {
    const KIND: Kind = Kind::Targets;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let values = reader.values(given);
        if !values.len().is_multiple_of(2) {
            let message = format!("`{}` takes {}", schema.name, schema.kind.words());
            let help = "each signal is followed by its value: `Given = J1.q, 0.5, pump.p, 2e6`";
            let mistake = Diagnostic::new(codes::WRONG_COUNT, given.value, message);
            reader.context.report(mistake.help(help));
            return None;
        }
        let pairs = values.chunks_exact(2).map(|pair| {
            let signal = signal(reader, schema, pair[0]);
            let number = reader.context.constant(reader.document, pair[1]);
            signal.zip(number).map(|((signal, span), number)| (signal, span, number))
        });
        let pairs: Vec<Option<(SignalRef, Span, f64)>> = pairs.collect();
        pairs.into_iter().collect::<Option<Box<_>>>().map(Self)
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}
