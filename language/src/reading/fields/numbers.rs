//! Numbers: one number, a whole number, several numbers, groups of numbers.

use parser::diagnostic::Diagnostic;
use parser::syntax::Parameter;

use crate::codes;
use crate::element::{DefaultValue, Kind, ParameterSchema, written};
use crate::reading::{BlockReader, Field};

impl Field for f64 {
    const KIND: Kind = Kind::Number;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let mut number = [0.0];
        reader.numbers(schema, given, &mut number)?;
        Some(number[0])
    }

    fn from_default(_: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        match default {
            DefaultValue::Number(number) => Some(number),
            _ => None,
        }
    }

    fn placeholder() -> Self {
        // Every comparison with it is false, so that no second mistake follows from it.
        f64::NAN
    }

    fn scaled(self, factor: f64) -> Self {
        factor * self
    }
}

impl Field for u32 {
    const KIND: Kind = Kind::Count;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let number = f64::read(reader, schema, given)?;
        if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) {
            return Some(number as u32);
        }
        let message = format!("`{}` takes a whole number, not {}", schema.name, written(number));
        reader.context.report(Diagnostic::new(codes::WRONG_TYPE, given.value, message));
        None
    }

    fn from_default(reader: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        f64::from_default(reader, default).map(|number| number as u32)
    }

    fn placeholder() -> Self {
        0
    }
}

impl<const N: usize> Field for [f64; N] {
    const KIND: Kind = Kind::Vector(N);

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let mut numbers = [0.0; N];
        reader.numbers(schema, given, &mut numbers)?;
        Some(numbers)
    }

    fn from_default(_: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        match default {
            DefaultValue::Number(number) => Some([number; N]),
            DefaultValue::Numbers(numbers) => numbers.try_into().ok(),
            _ => None,
        }
    }

    fn placeholder() -> Self {
        [f64::NAN; N]
    }
}

/// One number for each coordinate of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct PerCoordinate(pub Box<[f64]>);

impl Field for PerCoordinate {
    const KIND: Kind = Kind::PerCoordinate;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let mut numbers = vec![0.0; reader.coordinates.len()];
        reader.numbers(schema, given, &mut numbers)?;
        Some(Self(numbers.into()))
    }

    fn from_default(reader: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        match default {
            DefaultValue::Number(number) => {
                Some(Self(vec![number; reader.coordinates.len()].into()))
            }
            _ => None,
        }
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}

/// A large value that is kept apart.
impl<T: Field> Field for Box<T> {
    const KIND: Kind = T::KIND;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        T::read(reader, schema, given).map(Box::new)
    }

    fn from_default(reader: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        T::from_default(reader, default).map(Box::new)
    }

    fn placeholder() -> Self {
        Box::new(T::placeholder())
    }
}

/// A parameter that may be missing.
impl<T: Field> Field for Option<T> {
    const KIND: Kind = T::KIND;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        T::read(reader, schema, given).map(Some)
    }

    fn from_default(reader: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        match default {
            DefaultValue::Absent(_) => Some(None),
            default => T::from_default(reader, default).map(Some),
        }
    }

    fn placeholder() -> Self {
        None
    }
}

/// Groups of N numbers in braces.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups<const N: usize>(pub Box<[[f64; N]]>);

impl<const N: usize> Field for Groups<N> {
    const KIND: Kind = Kind::List(N);

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let values = reader.values(given);
        if values.is_empty() || !values.len().is_multiple_of(N) {
            let message = format!(
                "`{}` takes groups of {N} numbers, but has {} numbers",
                schema.name,
                values.len()
            );
            reader.context.report(Diagnostic::new(codes::WRONG_COUNT, given.value, message));
            return None;
        }
        let mut numbers = vec![0.0; values.len()];
        reader.numbers(schema, given, &mut numbers)?;
        let group = |chunk: &[f64]| chunk.try_into().unwrap_or([0.0; N]);
        Some(Self(numbers.chunks_exact(N).map(group).collect()))
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}

/// One number or several.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberList(pub Box<[f64]>);

impl Field for NumberList {
    const KIND: Kind = Kind::Numbers;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let mut numbers = vec![0.0; reader.values(given).len()];
        reader.numbers(schema, given, &mut numbers)?;
        Some(Self(numbers.into()))
    }

    fn from_default(_: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        match default {
            DefaultValue::Number(number) => Some(Self([number].into())),
            _ => None,
        }
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}
