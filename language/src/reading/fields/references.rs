//! Names of other blocks, resolved to typed handles.

use parser::syntax::Parameter;

use crate::element::{DefaultValue, Kind, ParameterSchema, Target};
use crate::reading::ids::{BodyId, JointId, TriadId};
use crate::reading::{BlockReader, Field};

impl Field for BodyId {
    const KIND: Kind = Kind::Reference(Target::Body);

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
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

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
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

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        read_joint(reader, schema, given, Target::Joint)
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        JointId::BROKEN
    }
}

/// Declares a reference to certain joints only.
macro_rules! joint_of {
    ($($(#[$meta:meta])* $name:ident: $target:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub JointId);

        impl Field for $name {
            const KIND: Kind = Kind::Reference($target);

            fn read(
                reader: &mut BlockReader<'_, '_>,
                schema: &'static ParameterSchema,
                given: &Parameter,
            ) -> Option<Self> {
                read_joint(reader, schema, given, $target).map(Self)
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
    TurningJoint: Target::JointOf(&["Revolute"]);
    /// A joint that shifts along one axis.
    SlidingJoint: Target::JointOf(&["Prismatic"]);
    /// A joint with one freedom.
    SingleJoint: Target::SingleJoint;
}
