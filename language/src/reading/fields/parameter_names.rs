//! Lists of parameters by name.

use parser::source::Span;
use parser::syntax::Parameter;

use crate::element::{DefaultValue, Kind, ParameterSchema};
use crate::reading::{BlockReader, Field};

/// Parameters by name, with the places where they are named.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterNames(pub Box<[(String, Span)]>);

impl ParameterNames {
    /// Names that no text holds.
    pub(crate) fn plain(names: &[String]) -> Self {
        Self(names.iter().map(|name| (name.clone(), Span::default())).collect())
    }
}

impl Field for ParameterNames {
    const KIND: Kind = Kind::Names;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let mut names = Vec::new();
        for &id in reader.values(given) {
            let (name, span) = reader.bare(schema, id)?;
            names.push((name.to_string(), span));
        }
        Some(Self(names.into()))
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}
