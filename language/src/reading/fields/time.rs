//! Time expressions.

use parser::syntax::{NodeId, Parameter};

use crate::element::{DefaultValue, Kind, ParameterSchema};
use crate::reading::scope::Scope;
use crate::reading::{BlockReader, Field};
use equations::expression::{Formula, Program};

impl Field for Program {
    const KIND: Kind = Kind::Time;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let id = reader.single(schema, given)?;
        let program = reader.context.program(reader.document, id, Scope::Time)?;
        Some(reader.context.additions.add_to_parameter(reader.block, schema.name, program))
    }

    fn from_default(_: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        match default {
            DefaultValue::Number(number) => Some(Program::constant(number)),
            DefaultValue::Word("t") => Some(Formula::time().program()),
            _ => None,
        }
    }

    fn placeholder() -> Self {
        Program::default()
    }
}

/// A time expression among the parameters of a plugin, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeInput(pub(crate) usize);

impl TimeInput {
    fn keep(reader: &BlockReader<'_, '_>, program: Program) -> Self {
        let mut programs = reader.programs.borrow_mut();
        programs.push(program);
        Self(programs.len() - 1)
    }
}

impl Field for TimeInput {
    const KIND: Kind = Kind::Time;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let program = Program::read(reader, schema, given)?;
        Some(Self::keep(reader, program))
    }

    fn from_default(reader: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        let program = Program::from_default(reader, default)?;
        Some(Self::keep(reader, program))
    }

    fn placeholder() -> Self {
        Self(0)
    }
}

fn read_programs(
    reader: &mut BlockReader<'_, '_>,
    schema: &'static ParameterSchema,
    given: &Parameter,
    count: usize,
) -> Option<Box<[Program]>> {
    let values = reader.values(given);
    if values.len() != count {
        reader.wrong_count(schema, given, count, values.len());
        return None;
    }
    let scope = Scope::Time;
    let read = |&id: &NodeId| reader.context.program(reader.document, id, scope);
    let programs: Vec<Option<Program>> = values.iter().map(read).collect();
    programs.into_iter().collect()
}

/// One time expression or several.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeList(pub Box<[Program]>);

impl Field for TimeList {
    const KIND: Kind = Kind::TimeList;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let count = reader.values(given).len();
        read_programs(reader, schema, given, count).map(Self)
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}

/// Three time expressions.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeVector(pub Box<[Program]>);

impl Field for TimeVector {
    const KIND: Kind = Kind::TimeVector(3);

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        read_programs(reader, schema, given, 3).map(Self)
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}

/// One time expression for each coordinate of the joint.
#[derive(Clone, Debug, PartialEq)]
pub struct TimePerCoordinate(pub Box<[Program]>);

impl Field for TimePerCoordinate {
    const KIND: Kind = Kind::TimePerCoordinate;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        // Without a joint there is nothing to count against, and that mistake is reported already.
        let count = match reader.coordinates.len() {
            0 => reader.values(given).len(),
            count => count,
        };
        read_programs(reader, schema, given, count).map(Self)
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}
