//! The graph: elements, and bonds between them.
//!
//! A node of a network where a bond ends is a junction of the graph, 0 or 1 by its domain; the rest of the network is one
//! more port of this junction, of either causality. `gnd`, `tank` and `ambient` are sources of effort, `base` is a
//! source of flow.

use rustc_hash::FxHashMap;

use crate::blocks::network::NetworkElement;
use crate::blocks::network::bonds::BondEnd;
use crate::model::Model;
use crate::reading::ids::ElementId;

/// The kind of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// A source of effort.
    Se,
    /// A source of flow.
    Sf,
    /// A resistor.
    R,
    /// A compliance.
    C,
    /// An inertia.
    I,
    /// A transformer.
    Transformer,
    /// A gyrator.
    Gyrator,
    /// A 0-junction: one effort.
    Zero,
    /// A 1-junction: one flow.
    One,
}

impl ElementKind {
    /// Whether the element has bonds to several neighbours.
    pub fn is_inner(self) -> bool {
        matches!(self, Self::Transformer | Self::Gyrator | Self::Zero | Self::One)
    }

    /// Whether the element is a 0- or 1-junction.
    pub fn is_junction(self) -> bool {
        matches!(self, Self::Zero | Self::One)
    }

    /// Whether the element stores energy.
    pub fn is_storage(self) -> bool {
        matches!(self, Self::C | Self::I)
    }
}

/// An element.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphElement {
    /// Kind of the element.
    pub kind: ElementKind,
    /// Symbol in the graph: `MSe`, `0`, `gnd`.
    pub symbol: &'static str,
    /// Name of the element; empty for `gnd` and the like.
    pub name: String,
    /// Block of the element, or of the node.
    pub block: Option<u32>,
    /// A signal changes the value of the element.
    pub modulated: bool,
    /// The element is a node, with the rest of a network behind it.
    pub open: bool,
    /// The element is a source of zero effort or zero flow.
    pub zero: bool,
    /// Bonds of the element.
    pub bonds: Vec<usize>,
}

impl GraphElement {
    /// Symbol and name: `R:d`, or `0:node x` for a node of a network.
    pub fn label(&self) -> String {
        match (self.name.is_empty(), self.open) {
            (true, _) => self.symbol.into(),
            (_, true) => format!("{}:node {}", self.symbol, self.name),
            _ => format!("{}:{}", self.symbol, self.name),
        }
    }
}

/// A bond.
#[derive(Clone, Debug, PartialEq)]
pub struct Bond {
    /// Name of the bond.
    pub name: String,
    /// Block of the bond.
    pub block: u32,
    /// The element where the half arrow starts.
    pub from: usize,
    /// The element that it points at.
    pub to: usize,
}

impl Bond {
    /// The element at the other end.
    pub fn other(&self, element: usize) -> usize {
        if self.from == element { self.to } else { self.from }
    }
}

/// A bond graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The elements in the order of the text, then nodes.
    pub elements: Vec<GraphElement>,
    /// The bonds in the order of the text.
    pub bonds: Vec<Bond>,
}

impl Graph {
    /// The bond graph of a model; without bonds it is empty.
    pub fn new(model: &Model) -> Self {
        let mut graph = Self::default();
        let mut places: FxHashMap<u32, usize> = FxHashMap::default();
        for element in &model.elements {
            if let Some((kind, symbol, zero)) = describe(&element.what) {
                places.insert(element.block, graph.elements.len());
                let modulated = symbol.starts_with('M');
                let name = model.block_name(element.block).to_string();
                let block = Some(element.block);
                // Equations may give a port its effort or its flow.
                let open = matches!(kind, ElementKind::Zero) && symbol == PORT_SYMBOL;
                let bonds = Vec::new();
                let element =
                    GraphElement { kind, symbol, name, block, modulated, open, zero, bonds };
                graph.elements.push(element);
            }
        }
        for element in &model.elements {
            let (from, to) = match &element.what {
                NetworkElement::Bond(bond) => (bond.from, bond.to),
                NetworkElement::Port(port) => {
                    let Some(from) = port.bond() else { continue };
                    let own = model.blocks[element.block as usize].handle;
                    (from, BondEnd::Element(ElementId(own)))
                }
                _ => continue,
            };
            let from = graph.place(model, &mut places, from);
            let to = graph.place(model, &mut places, to);
            let own = graph.bonds.len();
            graph.elements[from].bonds.push(own);
            graph.elements[to].bonds.push(own);
            let name = model.block_name(element.block).to_string();
            graph.bonds.push(Bond { name, block: element.block, from, to });
        }
        graph
    }

    /// The place of an end of a bond; nodes and references are added as they are met.
    fn place(&mut self, model: &Model, places: &mut FxHashMap<u32, usize>, end: BondEnd) -> usize {
        let new = |kind, symbol, name: &str, block, open: bool| GraphElement {
            kind,
            symbol,
            name: name.into(),
            block,
            modulated: false,
            open,
            zero: !open && symbol != "ambient",
            bonds: Vec::new(),
        };
        let element = match end {
            BondEnd::Element(ElementId(handle)) => {
                let block = model.elements.get(handle as usize).map_or(u32::MAX, |e| e.block);
                return places.get(&block).copied().unwrap_or(0);
            }
            BondEnd::Node(node) => {
                let declared = &model.nodes[node.index()];
                if let Some(&known) = places.get(&declared.block) {
                    return known;
                }
                places.insert(declared.block, self.elements.len());
                let (kind, symbol) = match declared.domain.is_mechanical() {
                    true => (ElementKind::One, "1"),
                    false => (ElementKind::Zero, "0"),
                };
                new(kind, symbol, model.node_name(node), Some(declared.block), true)
            }
            BondEnd::Reference(domain) => {
                let kind = if domain.is_mechanical() { ElementKind::Sf } else { ElementKind::Se };
                new(kind, domain.reference(), "", None, false)
            }
        };
        self.elements.push(element);
        self.elements.len() - 1
    }

    /// `R `d``, or `the node `x``, for sentences.
    pub fn words(&self, element: usize) -> String {
        let element = &self.elements[element];
        match (element.open, element.kind) {
            (true, _) => format!("the node `{}`", element.name),
            (_, ElementKind::Zero) => format!("Junction0 `{}`", element.name),
            (_, ElementKind::One) => format!("Junction1 `{}`", element.name),
            _ if element.name.is_empty() => format!("`{}`", element.symbol),
            _ => format!("{} `{}`", element.symbol, element.name),
        }
    }
}

/// The symbol of a port to equations.
const PORT_SYMBOL: &str = "port";

/// A network element in the bond graph: kind, symbol, and whether it is a source of zero effort or flow.
fn describe(element: &NetworkElement) -> Option<(ElementKind, &'static str, bool)> {
    let nothing = |program: &equations::expression::Program| program.as_constant() == Some(0.0);
    Some(match element {
        NetworkElement::Se(source) => (ElementKind::Se, "Se", nothing(&source.effort)),
        NetworkElement::MSe(source) => (ElementKind::Se, "MSe", nothing(&source.effort)),
        NetworkElement::Sf(source) => (ElementKind::Sf, "Sf", nothing(&source.flow)),
        NetworkElement::MSf(source) => (ElementKind::Sf, "MSf", nothing(&source.flow)),
        NetworkElement::R(_) => (ElementKind::R, "R", false),
        NetworkElement::MR(_) => (ElementKind::R, "MR", false),
        NetworkElement::C(_) => (ElementKind::C, "C", false),
        NetworkElement::MC(_) => (ElementKind::C, "MC", false),
        NetworkElement::I(_) => (ElementKind::I, "I", false),
        NetworkElement::MI(_) => (ElementKind::I, "MI", false),
        NetworkElement::TF(_) => (ElementKind::Transformer, "TF", false),
        NetworkElement::MTF(_) => (ElementKind::Transformer, "MTF", false),
        NetworkElement::GY(_) => (ElementKind::Gyrator, "GY", false),
        NetworkElement::MGY(_) => (ElementKind::Gyrator, "MGY", false),
        NetworkElement::Port(port) if port.inner.is_none() => {
            (ElementKind::Zero, PORT_SYMBOL, false)
        }
        NetworkElement::Junction0(_) => (ElementKind::Zero, "0", false),
        NetworkElement::Junction1(_) => (ElementKind::One, "1", false),
        _ => return None,
    })
}
