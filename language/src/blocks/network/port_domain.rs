//! The domains of ports, as the text of a Port block tells them before the block is read: they decide about its table and
//! about the node that it has.

use parser::syntax::Block;

use crate::reading::context::Context;
use crate::reading::words;
use equations::domain::Domain;

/// The keyword of ports.
pub(crate) const KEYWORD: &str = "Port";

words! {
    /// What a port is a port of.
    pub enum PortDomain {
        /// Voltage and current.
        Electrical = "electrical",
        /// Angle and torque.
        Rotational = "rotational",
        /// Position and force.
        Translational = "translational",
        /// Temperature and heat flow.
        Thermal = "thermal",
        /// Pressure and volume flow.
        Hydraulic = "hydraulic",
        /// Effort and flow of a bond graph.
        Bond = "bond",
    }
}

impl PortDomain {
    /// The domain of the nodes; none in a bond graph.
    pub fn of_nodes(self) -> Option<Domain> {
        Some(match self {
            Self::Electrical => Domain::Electrical,
            Self::Rotational => Domain::Rotational,
            Self::Translational => Domain::Translational,
            Self::Thermal => Domain::Thermal,
            Self::Hydraulic => Domain::Hydraulic,
            Self::Bond => return None,
        })
    }
}

/// The domain that the text gives a port.
pub(crate) fn written_domain(
    context: &Context<'_>,
    document: u32,
    block: &Block,
) -> Option<PortDomain> {
    let document = &context.documents[document as usize];
    let mut parameters = document.parameters(block).iter();
    let given = parameters.find(|given| context.sources.text(given.name) == "Domain")?;
    PortDomain::from_word(context.sources.text(given.value))
}

/// The domain of the node that a port has, if the block is a port of such a domain.
pub(crate) fn own_domain(context: &Context<'_>, block: u32) -> Option<Domain> {
    let entry = context.blocks[block as usize];
    if entry.schema.keyword != KEYWORD {
        return None;
    }
    written_domain(context, entry.place.0, context.syntax_of(block))?.of_nodes()
}
