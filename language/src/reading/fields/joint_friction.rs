//! Friction laws of joints: `Friction = Rmax;` or `Friction = Rmax, Rv;` for each coordinate.

use parser::diagnostic::Diagnostic;
use parser::syntax::{NodeId, NodeKind, Parameter};

use crate::codes;
use crate::element::{DefaultValue, Kind, ParameterSchema};
use crate::reading::scope::Scope;
use crate::reading::{BlockReader, Field};
use equations::expression::Program;

/// Coulomb friction of one coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionLaw {
    /// Largest static friction, N or Nm.
    pub static_limit: StaticFriction,
    /// Friction while sliding.
    pub sliding: SlidingFriction,
}

/// Largest static friction.
#[derive(Clone, Debug, PartialEq)]
pub enum StaticFriction {
    /// One value.
    Constant(f64),
    /// An expression, which may use the time and signals, such as the load of the joint.
    Expression(Program),
}

/// Friction while sliding, as it depends on the speed.
#[derive(Clone, Debug, PartialEq)]
pub enum SlidingFriction {
    /// The static limit at every speed.
    Static,
    /// An expression, which may use the speed `v`, the time and signals.
    Expression(Program),
    /// Pairs of speed and friction.
    Table(Box<[[f64; 2]]>),
}

/// Friction for each coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionLaws(pub Box<[FrictionLaw]>);

impl Field for FrictionLaws {
    const KIND: Kind = Kind::Friction;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let count = reader.coordinates.len();
        let values = reader.document.values(given);
        let mut laws = Vec::with_capacity(count);
        match values.len() {
            // One number each: the same friction at rest and in motion.
            n if n == count => {
                for (component, &id) in values.iter().enumerate() {
                    let static_limit = limit(reader, schema, id, component)?;
                    laws.push(FrictionLaw { static_limit, sliding: SlidingFriction::Static });
                }
            }
            n if n == 2 * count => {
                for (component, pair) in values.chunks_exact(2).enumerate() {
                    let static_limit = limit(reader, schema, pair[0], component)?;
                    laws.push(FrictionLaw { static_limit, sliding: sliding(reader, pair[1])? });
                }
            }
            n => {
                reader.wrong_count(schema, given, count, n);
                return None;
            }
        }
        Some(Self(laws.into()))
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(Box::default())
    }
}

/// Static friction: a number or an expression.
fn limit(
    reader: &mut BlockReader<'_, '_>,
    schema: &'static ParameterSchema,
    id: NodeId,
    component: usize,
) -> Option<StaticFriction> {
    let program = reader.context.program_if_any(reader.document, id, Scope::Law);
    match program.filter(|program| program.as_constant().is_none()) {
        Some(program) => Some(StaticFriction::Expression(program)),
        None => reader.number(schema, id, component).map(StaticFriction::Constant),
    }
}

/// Sliding friction: a table `{ v1,R1, v2,R2, ... }` or an expression.
fn sliding(reader: &mut BlockReader<'_, '_>, id: NodeId) -> Option<SlidingFriction> {
    let node = reader.document.node(id);
    let NodeKind::List(run) = node.kind else {
        return reader
            .context
            .program(reader.document, id, Scope::Law)
            .map(SlidingFriction::Expression);
    };
    let members = reader.document.members(run);
    let numbers: Option<Vec<f64>> =
        members.iter().map(|&member| reader.context.constant(reader.document, member)).collect();
    let table: Box<[[f64; 2]]> = numbers?.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    let rising = table.windows(2).all(|pair| pair[0][0] < pair[1][0]);
    if members.is_empty() || !members.len().is_multiple_of(2) || !rising || table[0][0] < 0.0 {
        let message = "a friction table has pairs of rising speed (from 0) and friction";
        reader.context.report(Diagnostic::new(codes::WRONG_COUNT, node.span, message));
        return None;
    }
    if let Some(place) = table.iter().position(|pair| pair[1] < 0.0) {
        let span = reader.document.node(members[2 * place + 1]).span;
        let message = "friction opposes the motion: its size is not negative";
        reader.context.report(Diagnostic::new(codes::OUT_OF_RANGE, span, message));
        return None;
    }
    Some(SlidingFriction::Table(table))
}
