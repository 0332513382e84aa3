//! The tables of nodes. Nodes are no blocks, but have names and signals like blocks.

use super::{BlockSchema, Family, Origin, SignalSchema, signal};
use equations::domain::Domain;

/// The table of a node of this domain.
pub fn node_table(domain: Domain) -> &'static BlockSchema {
    match domain {
        Domain::Electrical => &ELECTRICAL_NODE,
        Domain::Rotational => &ROTATIONAL_NODE,
        Domain::Translational => &TRANSLATIONAL_NODE,
        Domain::Thermal => &THERMAL_NODE,
        Domain::Hydraulic => &HYDRAULIC_NODE,
    }
}

const fn node_schema(
    doc: &'static str,
    signals: &'static [&'static [SignalSchema]],
) -> BlockSchema {
    BlockSchema {
        keyword: "node",
        family: Family::Node,
        origin: Origin::Plus,
        doc,
        parameters: &[],
        variants: None,
        coordinates: &[],
        signals,
    }
}

/// An electrical node. Nodes are no blocks, but have names and signals like blocks.
pub static ELECTRICAL_NODE: BlockSchema =
    node_schema("An electrical node.", &[&[signal("v", "V", "potential")]]);
/// A rotational node; its signals are the potential, its rate and the rate of that, in this order.
pub static ROTATIONAL_NODE: BlockSchema = node_schema(
    "A shaft, with what is fixed to it.",
    &[&[
        signal("phi", "rad", "angle"),
        signal("w", "rad/s", "speed"),
        signal("a", "rad/s^2", "acceleration"),
    ]],
);
/// A translational node; its signals are the potential, its rate and the rate of that, in this order.
pub static TRANSLATIONAL_NODE: BlockSchema = node_schema(
    "A rod, with what is fixed to it.",
    &[&[
        signal("s", "m", "position"),
        signal("v", "m/s", "speed"),
        signal("a", "m/s^2", "acceleration"),
    ]],
);
/// A thermal node.
pub static THERMAL_NODE: BlockSchema =
    node_schema("A thermal node.", &[&[signal("T", "K", "temperature")]]);
/// A hydraulic node.
pub static HYDRAULIC_NODE: BlockSchema =
    node_schema("A hydraulic node.", &[&[signal("p", "Pa", "pressure above that of the tank")]]);
