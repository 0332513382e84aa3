//! Free names, file names and texts.

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::syntax::Parameter;

use crate::codes;
use crate::element::{DefaultValue, Kind, ParameterSchema};
use crate::reading::{BlockReader, Field};

/// A free name or a file name, as it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<const FILE: bool>(pub Span);

/// A free name.
pub type Name = Text<false>;
/// A file name.
pub type FileName = Text<true>;

impl<const FILE: bool> Field for Text<FILE> {
    const KIND: Kind = if FILE { Kind::File } else { Kind::Name };

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let id = reader.single(schema, given)?;
        let (text, span) = reader.bare(schema, id)?;
        let separator = |c: char| c == '/' || c == '\\' || c.is_control();
        // The name of a model becomes the name of its files.
        if text.is_empty() || (!FILE && (text.contains(separator) || text.starts_with('.'))) {
            let message = format!("`{}` takes {}, not `{text}`", schema.name, schema.kind.words());
            reader.context.report(Diagnostic::new(codes::WRONG_TYPE, span, message));
            return None;
        }
        Some(Self(span))
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Span::default())
    }
}

/// Free names, as they stand in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names(pub Box<[Span]>);

impl Field for Names {
    const KIND: Kind = Kind::Names;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let names =
            reader.values(given).iter().map(|&id| reader.bare(schema, id).map(|(_, span)| span));
        names.collect::<Option<Box<[Span]>>>().map(Self)
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}

/// Any text, as it stands between its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeText(pub Span);

impl Field for FreeText {
    const KIND: Kind = Kind::Text;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let id = reader.single(schema, given)?;
        reader.bare(schema, id).map(|(_, span)| Self(span))
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Span::default())
    }
}
