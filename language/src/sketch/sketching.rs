//! How an element sketches itself.

use std::rc::Rc;

use super::ElementKind;
use super::part::{
    BoxPart, Inner, InnerJunction, OnePort, PartKind, Place, Reading, Start, TwoPort, Value,
};
use crate::reading::fields::ThermalNode;
use crate::reading::ids::NodeId;
use crate::writing::Terminal;

/// An element that has a part in the bond graph of its network.
pub trait Sketched {
    /// Draws it. Signals, actions and elements of bond graphs have nothing to add.
    fn sketch<'m>(&'m self, _: &mut Sketch<'m>) {}
}

/// An element as a piece of a bond graph.
///
/// The node of a circuit, of oil or of heat is a 0-junction, that of a shaft or a rod a 1-junction. An element between two
/// nodes hangs on a junction of the other kind between them.
pub struct Sketch<'m> {
    /// For each node, whether it is fixed, and whether it is mechanical.
    nodes: Rc<[(bool, bool)]>,
    /// Junctions between nodes.
    pub junctions: Vec<InnerJunction>,
    /// Bonds between junctions and nodes.
    pub joins: Vec<[Place; 2]>,
    /// Elements with one bond.
    pub ones: Vec<OnePort<'m>>,
    /// Elements with two bonds.
    pub twos: Vec<TwoPort<'m>>,
    /// What has no elementary kind.
    pub boxes: Vec<BoxPart>,
    /// Signals of no part in particular.
    pub readings: Vec<Reading>,
}

/// A place in a sketch, and whether what hangs there is turned round.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// The place.
    pub at: Place,
    /// Effort and flow have the opposite signs.
    pub turned: bool,
}

impl From<NodeId> for Spot {
    fn from(node: NodeId) -> Self {
        Self { at: Place::Node(node), turned: false }
    }
}

impl<'m> Sketch<'m> {
    /// An empty sketch among these nodes, of which it is known whether they are fixed, and whether they are mechanical.
    pub fn new(nodes: Rc<[(bool, bool)]>) -> Self {
        Self {
            nodes,
            junctions: Vec::new(),
            joins: Vec::new(),
            ones: Vec::new(),
            twos: Vec::new(),
            boxes: Vec::new(),
            readings: Vec::new(),
        }
    }

    /// Whether a node stands still or has potential zero for ever.
    pub fn is_fixed(&self, node: NodeId) -> bool {
        self.nodes.get(node.index()).is_some_and(|node| node.0)
    }

    fn is_mechanical(&self, node: NodeId) -> bool {
        self.nodes.get(node.index()).is_some_and(|node| node.1)
    }

    fn junction(&mut self, is_zero: bool, suffix: &'static str) -> Place {
        self.junctions.push(InnerJunction { is_zero, suffix });
        Place::Inner(Inner(self.junctions.len() - 1))
    }

    /// The junction between two nodes, with the half arrows from the first to the second.
    pub fn bridge(
        &mut self,
        from: impl Terminal,
        to: impl Terminal,
        suffix: &'static str,
    ) -> Place {
        let (from, to) = (from.node(), to.node());
        let at = self.junction(self.is_mechanical(from), suffix);
        self.joins.push([Place::Node(from), at]);
        self.joins.push([at, Place::Node(to)]);
        at
    }

    /// A place for a consumer between two nodes: its effort is that of the first over the second where nodes have efforts,
    /// its flow that of the first where nodes have flows. At a fixed node it is turned round, so that it points away
    /// from what moves.
    pub fn sink(&mut self, from: impl Terminal, to: impl Terminal) -> Spot {
        let turned = self.is_fixed(from.node()) && !self.is_fixed(to.node());
        let at = match turned {
            true => self.bridge(to, from, ""),
            false => self.bridge(from, to, ""),
        };
        Spot { at, turned }
    }

    /// A place for a source between two nodes: it delivers to the second.
    pub fn supply(&mut self, from: impl Terminal, to: impl Terminal) -> Spot {
        let turned = self.is_fixed(to.node()) && !self.is_fixed(from.node());
        let at = match turned {
            true => self.bridge(to, from, ""),
            false => self.bridge(from, to, ""),
        };
        Spot { at, turned }
    }

    /// A junction behind another one, of the other kind: what hangs there has the flow, or effort, of its bond in common.
    pub fn behind(&mut self, Spot { at, turned }: Spot, suffix: &'static str) -> Spot {
        let is_zero = match at {
            Place::Inner(Inner(own)) => !self.junctions[own].is_zero,
            Place::Node(node) => self.is_mechanical(node),
        };
        let inner = self.junction(is_zero, suffix);
        self.joins.push([at, inner]);
        Spot { at: inner, turned }
    }

    /// A junction of its own.
    pub fn alone(&mut self, is_zero: bool, suffix: &'static str) -> Place {
        self.junction(is_zero, suffix)
    }

    /// A bond between two places.
    pub fn join(&mut self, from: Place, to: Place) {
        self.joins.push([from, to]);
    }

    /// An element with one bond.
    pub fn one(
        &mut self,
        (kind, suffix): (ElementKind, &'static str),
        value: Value<'m>,
        spot: impl Into<Spot>,
        readings: &'static [Reading],
    ) {
        let Spot { at, turned } = spot.into();
        let is_source = matches!(kind, ElementKind::Se | ElementKind::Sf);
        let value = if turned && is_source { value.negated() } else { value };
        let what = PartKind { kind, suffix };
        self.ones.push(OnePort { what, value, start: None, at, turned, readings });
    }

    /// What the storage that was added last holds at the start.
    pub fn starts(&mut self, start: Start) {
        if let Some(last) = self.ones.last_mut() {
            last.start = Some(start);
        }
    }

    /// An element with two bonds.
    pub fn two(
        &mut self,
        (kind, suffix): (ElementKind, &'static str),
        value: Value<'m>,
        [from, to]: [Place; 2],
        readings: &'static [Reading],
    ) {
        let what = PartKind { kind, suffix };
        self.twos.push(TwoPort { what, value, from, to, readings });
    }

    /// Something without an elementary kind between or at some nodes.
    pub fn boxed(&mut self, nodes: &[NodeId], why: &'static str) {
        let places = nodes.iter().copied().map(Place::Node).collect();
        self.boxes.push(BoxPart { kind: ElementKind::Box, places, why });
    }

    /// Something between two nodes that is known in kind, but has a law of its own.
    pub fn like(&mut self, kind: ElementKind, spot: impl Into<Spot>, why: &'static str) {
        self.boxes.push(BoxPart { kind, places: vec![spot.into().at], why });
    }

    /// All parts become boxes of their kinds.
    pub fn box_all(&mut self, why: &'static str) {
        for one in std::mem::take(&mut self.ones) {
            self.boxes.push(BoxPart { kind: one.what.kind, places: vec![one.at], why });
        }
    }

    /// The nodes that the element touches.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let joins = self.joins.iter().flatten();
        let ones = self.ones.iter().map(|one| &one.at);
        let twos = self.twos.iter().flat_map(|two| [&two.from, &two.to]);
        let boxes = self.boxes.iter().flat_map(|part| &part.places);
        let places = joins.chain(ones).chain(twos).chain(boxes);
        let values = self.ones.iter().flat_map(|one| one.value.nodes.iter().copied());
        let nodes = places.filter_map(|place| match place {
            Place::Node(node) => Some(*node),
            Place::Inner(_) => None,
        });
        nodes.chain(values)
    }

    /// The loss of the element flows into a thermal node.
    pub fn heat(&mut self, node: Option<ThermalNode>, power: &'static str) {
        if let Some(ThermalNode(node)) = node {
            self.one((ElementKind::Sf, "heat"), Value::text(power), node, &[]);
        }
    }
}
