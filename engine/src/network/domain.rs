//! The physical domains of nodes: what is equal at a node, and what sums to zero there.

use crate::element::{BlockSchema, Family, Origin, SignalSchema};

use super::elements::signal;
use crate::model::general::System;

/// A domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Voltage and current.
    Electrical,
    /// Temperature and heat flow.
    Thermal,
}

impl Domain {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Electrical => "electrical",
            Self::Thermal => "thermal",
        }
    }

    /// The node whose potential is fixed, which every network of the domain counts from.
    pub fn reference(self) -> &'static str {
        match self {
            Self::Electrical => "gnd",
            Self::Thermal => "ambient",
        }
    }

    /// Name of the potential: what is equal at a node.
    pub fn potential(self) -> &'static str {
        match self {
            Self::Electrical => "v",
            Self::Thermal => "T",
        }
    }

    /// The potential of the reference node.
    pub fn reference_potential(self, system: &System) -> f64 {
        match self {
            Self::Electrical => 0.0,
            Self::Thermal => system.ambient_temperature,
        }
    }

    /// What flows, in words.
    pub fn flow(self) -> &'static str {
        match self {
            Self::Electrical => "current",
            Self::Thermal => "heat flow",
        }
    }

    /// Is a node with a single terminal a mistake?
    pub fn needs_two_terminals(self) -> bool {
        self == Self::Electrical
    }

    /// The table of a node of this domain.
    pub fn schema(self) -> &'static BlockSchema {
        match self {
            Self::Electrical => &ELECTRICAL_NODE,
            Self::Thermal => &THERMAL_NODE,
        }
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

/// An electrical node. Nodes are no blocks, but have names and signals like those.
pub static ELECTRICAL_NODE: BlockSchema =
    node_schema("An electrical node.", &[&[signal("v", "V", "potential")]]);
/// A thermal node.
pub static THERMAL_NODE: BlockSchema =
    node_schema("A thermal node.", &[&[signal("T", "K", "temperature")]]);
