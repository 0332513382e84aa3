//! Lists of parameters by name.

use parser::source::Span;
use parser::syntax::Parameter;

use crate::element::{DefaultValue, Kind, ParameterSchema};
use crate::reading::{BlockReader, Field};

/// Parameters by name, with the places where they are named.
#[derive(Clone, Debug)]
pub struct ParameterNames(pub Box<[(String, Span)]>);

/// Names are the same wherever they stand.
impl PartialEq for ParameterNames {
    fn eq(&self, other: &Self) -> bool {
        let names = |list: &Self| list.0.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        names(self) == names(other)
    }
}

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
