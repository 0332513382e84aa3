//! What the equations of an element may ask about the rest of the model.

use crate::element::BlockSchema;
use crate::reading::ids::{BodyId, ElementId, JointId, NodeId};
use equations::domain::Domain;
use equations::expression::SignalRef;
use equations::names::Names;

/// A node of the networks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeFacts {
    /// The entry of the node among the blocks.
    pub block: u32,
    /// The physical domain: which potential is equal at the node, and which flow is balanced.
    pub domain: Domain,
    /// The potential of the node is fixed (`gnd`).
    pub is_reference: bool,
}

/// The model around an element.
pub trait Surroundings: Names {
    /// The table of a block.
    fn schema(&self, block: u32) -> &'static BlockSchema;

    /// The index of a block among the blocks of its family.
    fn handle(&self, block: u32) -> u32;

    /// The block of a network element.
    fn block_of_element(&self, element: ElementId) -> u32;

    /// The block of a joint.
    fn block_of_joint(&self, joint: JointId) -> u32;

    /// The bodies whose relative motion a body, triad or sensor tells; the world comes first.
    fn bodies_of(&self, block: u32) -> [BodyId; 2];

    /// Number of components of a signal whose block decides about it.
    fn width(&self, block: u32, signal: &str) -> usize;

    /// Does a signal change at events only?
    fn takes_steps(&self, signal: SignalRef) -> bool;

    /// A node; none for a reference that could not be resolved.
    fn node(&self, node: NodeId) -> Option<NodeFacts>;

    /// Number of nodes.
    fn n_nodes(&self) -> usize;

    /// Temperature of the surroundings, K: the potential of the thermal reference.
    fn ambient_temperature(&self) -> f64;

    /// First instant of the run, s.
    fn start(&self) -> f64;

    /// Whether the run begins at the operating point.
    fn is_steady(&self) -> bool;
}
