//! Nodes, conditions and references to network elements.

use parser::syntax::{self, BinaryOp, Parameter};

use crate::element::{DefaultValue, Kind, ParameterSchema, Target};
use crate::reading::ids::{ElementId, NodeId};
use crate::reading::scope::Scope;
use crate::reading::{BlockReader, Field};
use equations::domain::Domain;
use equations::expression::{Op, Program, TRUE_ABOVE};

/// Declares a terminal for nodes of one domain.
macro_rules! nodes {
    ($($(#[$meta:meta])* $name:ident: $domain:ident;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub NodeId);

        impl Field for $name {
            const KIND: Kind = Kind::Node(Domain::$domain);

            fn read(
                reader: &mut BlockReader<'_, '_>,
                schema: &'static ParameterSchema,
                given: &Parameter,
            ) -> Option<Self> {
                let id = reader.single(schema, given)?;
                let (name, _) = reader.bare(schema, id)?;
                reader.context.node(name, Domain::$domain).map(Self)
            }

            fn from_default(reader: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
                let DefaultValue::Word(name) = default else { return None };
                reader.context.node(name, Domain::$domain).map(Self)
            }

            fn placeholder() -> Self {
                Self(NodeId::BROKEN)
            }
        }
    )*};
}

nodes! {
    /// A terminal of a circuit.
    ElectricalNode: Electrical;
    /// A shaft.
    RotationalNode: Rotational;
    /// A rod.
    TranslationalNode: Translational;
    /// A place that takes heat.
    ThermalNode: Thermal;
    /// A place in a line of oil.
    HydraulicNode: Hydraulic;
}

/// A node that moves with a joint coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointFlange(pub NodeId);

impl Field for JointFlange {
    const KIND: Kind = Kind::Flange;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let id = reader.single(schema, given)?;
        let (name, _) = reader.bare(schema, id)?;
        // What the joint turns or shifts is one or the other; the name decides, and `base` stands for both.
        let turning = reader.context.node(name, Domain::Rotational);
        turning.or_else(|| reader.context.node(name, Domain::Translational)).map(Self)
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self(NodeId::BROKEN)
    }
}

/// A truth value that may change with time and signals: an expression with the value 0 or 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition(pub Program);

impl Condition {
    /// The condition that an expression is; `None` after a mistake, which is reported.
    pub(crate) fn of(reader: &mut BlockReader<'_, '_>, id: syntax::NodeId) -> Option<Self> {
        let program = reader.context.program(reader.document, id, Scope::Time)?;
        // A number is true above a half; for a truth value the comparison changes nothing.
        let compare = [Op::Constant(TRUE_ABOVE), Op::Binary(BinaryOp::Greater)];
        Some(Self(match program.as_constant() {
            Some(number) => Program::constant(f64::from(number > TRUE_ABOVE)),
            None => program.followed_by(&compare),
        }))
    }
}

impl Field for Condition {
    const KIND: Kind = Kind::Condition;

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let id = reader.single(schema, given)?;
        Self::of(reader, id)
    }

    fn from_default(_: &BlockReader<'_, '_>, default: DefaultValue) -> Option<Self> {
        match default {
            DefaultValue::Word("yes") => Some(Self(Program::constant(1.0))),
            DefaultValue::Word("no") => Some(Self(Program::constant(0.0))),
            _ => None,
        }
    }

    fn placeholder() -> Self {
        Self(Program::default())
    }
}

/// Declares a reference to network elements of some kind.
macro_rules! element_refs {
    ($($(#[$meta:meta])* $name:ident: $target:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub ElementId);

        impl Field for $name {
            const KIND: Kind = Kind::Reference($target);

            fn read(
                reader: &mut BlockReader<'_, '_>,
                schema: &'static ParameterSchema,
                given: &Parameter,
            ) -> Option<Self> {
                let block = reader.reference(schema, given, $target)?;
                Some(Self(ElementId(reader.context.blocks[block as usize].handle)))
            }

            fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
                None
            }

            fn placeholder() -> Self {
                Self(ElementId::BROKEN)
            }
        }
    )*};
}

element_refs! {
    /// An inductor.
    InductorRef: Target::ElementOf(&["Inductor"]);
    /// An electrical element with two terminals.
    TwoPinRef: Target::TwoPin;
}
