//! The types that values of parameters have, and how each is read.

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::syntax::{NodeId, NodeKind, Parameter};

use super::codes;
use super::context::Scope;
use super::ids::{BodyId, JointId, TriadId};
use super::read::{BlockReader, Field, words};
use crate::element::{DefaultValue, Kind, ParameterSchema, Target};
use crate::expression::{Program, SignalRef};

words! {
    /// How an orientation is written.
    pub enum AngleType {
        /// D = Dz(phi) Dx(theta) Dz(psi).
        Euler = "euler",
        /// D = Dx(alpha) Dy(beta) Dz(gamma).
        Cardan = "cardan",
    }
}

words! {
    /// The unit of angles and angular rates written in a block.
    pub enum Degrees {
        /// Radians.
        Radians = "rad",
        /// Degrees.
        Degrees = "deg",
    }
}

words! {
    /// In which direction a spring acts.
    pub enum OneSide {
        /// In both.
        Both = "bi",
        /// Only repulsive, or only positive.
        Positive = "+",
        /// Only attractive, or only negative.
        Negative = "-",
    }
}

words! {
    /// A choice of yes and no.
    pub enum YesNo {
        /// No.
        No = "no",
        /// Yes.
        Yes = "yes",
    }
}

impl YesNo {
    /// Is it yes?
    pub fn is_yes(self) -> bool {
        self == YesNo::Yes
    }
}

impl Field for f64 {
    const KIND: Kind = Kind::Number;

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
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
        0.0
    }

    fn scaled(self, factor: f64) -> Self {
        factor * self
    }
}

impl Field for u32 {
    const KIND: Kind = Kind::Count;

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
        let number = f64::read(reader, schema, given)?;
        if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) {
            return Some(number as u32);
        }
        let message = format!("`{}` takes a whole number, not {number}", schema.name);
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

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
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
        [0.0; N]
    }
}

/// One number for each coordinate of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct PerCoordinate(pub Box<[f64]>);

impl Field for PerCoordinate {
    const KIND: Kind = Kind::PerCoordinate;

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
        let mut numbers = vec![0.0; reader.coordinates.len()];
        reader.numbers(schema, given, &mut numbers)?;
        Some(Self(numbers.into()))
    }

    fn from_default(reader: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        match default {
            DefaultValue::Number(number) => Some(Self(vec![number; reader.coordinates.len()].into())),
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

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
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

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
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

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
        let values = reader.values(given);
        if values.is_empty() || values.len() % N != 0 {
            let message =
                format!("`{}` takes groups of {N} numbers, but has {} numbers", schema.name, values.len());
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

/// A free name or a file name, as it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<const FILE: bool>(pub Span);

/// A free name.
pub type Name = Text<false>;
/// A file name.
pub type FileName = Text<true>;

impl<const FILE: bool> Field for Text<FILE> {
    const KIND: Kind = if FILE { Kind::File } else { Kind::Name };

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
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

impl Field for BodyId {
    const KIND: Kind = Kind::Reference(Target::Body);

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
        let id = reader.single(schema, given)?;
        if reader.bare(schema, id)?.0 == "world" {
            return Some(BodyId::WORLD);
        }
        let block = reader.reference(schema, given, Target::Body)?;
        // The world is the first body of the table.
        Some(BodyId(reader.context.blocks[block as usize].handle + 1))
    }

    fn from_default(_: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        (default == DefaultValue::Word("world")).then_some(BodyId::WORLD)
    }

    fn placeholder() -> Self {
        BodyId::BROKEN
    }
}

impl Field for TriadId {
    const KIND: Kind = Kind::Reference(Target::Triad);

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
        let block = reader.reference(schema, given, Target::Triad)?;
        Some(TriadId(reader.context.blocks[block as usize].handle))
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        TriadId::BROKEN
    }
}

fn read_joint(
    reader: &mut BlockReader<'_, '_>,
    schema: &'static ParameterSchema,
    given: &Parameter,
    target: Target,
) -> Option<JointId> {
    let block = reader.reference(schema, given, target)?;
    let entry = reader.context.blocks[block as usize];
    // Values "per coordinate" of a block that acts on a joint are for that joint.
    if reader.schema.coordinates.is_empty() {
        reader.coordinates = entry.schema.coordinates;
    }
    Some(JointId(entry.handle))
}

impl Field for JointId {
    const KIND: Kind = Kind::Reference(Target::Joint);

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
        read_joint(reader, schema, given, Target::Joint)
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        JointId::BROKEN
    }
}

/// Declares a reference to joints of certain keywords.
macro_rules! joint_of {
    ($($(#[$meta:meta])* $name:ident: $($keyword:literal),+;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub JointId);

        impl Field for $name {
            const KIND: Kind = Kind::Reference(Target::JointOf(&[$($keyword),+]));

            fn read(
                reader: &mut BlockReader<'_, '_>,
                schema: &'static ParameterSchema,
                given: &Parameter,
            ) -> Option<Self> {
                read_joint(reader, schema, given, Target::JointOf(&[$($keyword),+])).map(Self)
            }

            fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
                None
            }

            fn placeholder() -> Self {
                Self(JointId::BROKEN)
            }
        }
    )*};
}

joint_of! {
    /// A joint that turns about one axis.
    TurningJoint: "Revolute";
    /// A joint that shifts along one axis.
    SlidingJoint: "Prismatic";
    /// A joint with one freedom.
    SingleJoint: "Revolute", "Prismatic", "Screw";
}

impl Field for Program {
    const KIND: Kind = Kind::Time;

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
        let id = reader.single(schema, given)?;
        reader.context.program(reader.document, id, Scope::Time)
    }

    fn from_default(_: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        match default {
            DefaultValue::Number(number) => Some(Program::constant(number)),
            _ => None,
        }
    }

    fn placeholder() -> Self {
        Program::default()
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
    let read = |&id: &NodeId| reader.context.program(reader.document, id, Scope::Time);
    let programs: Vec<Option<Program>> = values.iter().map(read).collect();
    programs.into_iter().collect()
}

/// Three time expressions.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeVector(pub Box<[Program]>);

impl Field for TimeVector {
    const KIND: Kind = Kind::TimeVector(3);

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
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

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
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

/// Coulomb friction of one coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionLaw {
    /// Largest static friction, N or Nm.
    pub static_limit: f64,
    /// Friction while sliding.
    pub sliding: SlidingFriction,
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

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
        let count = reader.coordinates.len();
        let values = reader.document.values(given);
        let mut laws = Vec::with_capacity(count);
        match values.len() {
            // One number each: the same friction at rest and in motion.
            n if n == count => {
                for (component, &id) in values.iter().enumerate() {
                    let static_limit = reader.number(schema, id, component)?;
                    laws.push(FrictionLaw { static_limit, sliding: SlidingFriction::Static });
                }
            }
            n if n == 2 * count => {
                for (component, pair) in values.chunks_exact(2).enumerate() {
                    let static_limit = reader.number(schema, pair[0], component)?;
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

/// Sliding friction: a table `{ v1,R1, v2,R2, ... }` or an expression.
fn sliding(reader: &mut BlockReader<'_, '_>, id: NodeId) -> Option<SlidingFriction> {
    let node = reader.document.node(id);
    let NodeKind::List(run) = node.kind else {
        return reader.context.program(reader.document, id, Scope::Law).map(SlidingFriction::Expression);
    };
    let members = reader.document.members(run);
    let numbers: Option<Vec<f64>> =
        members.iter().map(|&member| reader.context.constant(reader.document, member)).collect();
    let table: Box<[[f64; 2]]> = numbers?.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    let rising = table.windows(2).all(|pair| pair[0][0] < pair[1][0]);
    if members.is_empty() || members.len() % 2 != 0 || !rising || table[0][0] < 0.0 {
        let message = "a friction table has pairs of rising speed (from 0) and friction";
        reader.context.report(Diagnostic::new(codes::WRONG_COUNT, node.span, message));
        return None;
    }
    Some(SlidingFriction::Table(table))
}

/// Signals by path.
#[derive(Clone, Debug, PartialEq)]
pub struct Signals(pub Box<[(SignalRef, Span)]>);

impl Field for Signals {
    const KIND: Kind = Kind::Signals;

    fn read(reader: &mut BlockReader<'_, '_>, schema: &'static ParameterSchema, given: &Parameter) -> Option<Self> {
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
                    reader.context.report(*mistake);
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
