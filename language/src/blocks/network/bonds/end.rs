//! What a bond ends at.

use parser::syntax::Parameter;

use super::{ENDS, is_element};
use crate::blocks::network::port_domain::own_domain;
use crate::element::{BlockSchema, DefaultValue, Family, Kind, ParameterSchema, Target};
use crate::reading::ids::{ElementId, NodeId};
use crate::reading::names::{Found, find, split_reference};
use crate::reading::{BlockReader, Field};
use equations::domain::Domain;

/// The end of a bond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BondEnd {
    /// An element of a bond graph.
    Element(ElementId),
    /// A node of a network.
    Node(NodeId),
    /// A node that is fixed: `gnd`, `base`, `tank`, `ambient`.
    Reference(Domain),
}

impl Field for BondEnd {
    const KIND: Kind = Kind::Reference(Target::BondEnd(ENDS));

    fn read(
        reader: &mut BlockReader<'_, '_>,
        schema: &'static ParameterSchema,
        given: &Parameter,
    ) -> Option<Self> {
        let id = reader.single(schema, given)?;
        let (text, _) = reader.bare(schema, id)?;
        let (keyword, name) = split_reference(text);
        // An element of the graph may be called like a node that is fixed.
        let context = &reader.context;
        let accept = |schema: &BlockSchema| is_element(schema);
        let found = find(&context.index, &context.blocks, keyword, name, accept);
        let fixed = Domain::ALL.into_iter().find(|domain| domain.reference() == name);
        if let (Some(domain), Found::WrongKind(_) | Found::Unknown) = (fixed, found) {
            return Some(Self::Reference(domain));
        }
        let block = reader.reference(schema, given, Target::BondEnd(ENDS))?;
        let entry = &reader.context.blocks[block as usize];
        Some(match entry.schema.family {
            Family::Node => Self::Node(NodeId(entry.handle)),
            // The port of a network means its node.
            _ if let Some(domain) = own_domain(reader.context, block) => {
                Self::Node(reader.context.node(name, domain)?)
            }
            _ => Self::Element(ElementId(entry.handle)),
        })
    }

    fn from_default(_: &BlockReader<'_, '_>, _: DefaultValue) -> Option<Self> {
        None
    }

    fn placeholder() -> Self {
        Self::Element(ElementId::BROKEN)
    }
}
