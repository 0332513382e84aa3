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
pub use crate::sketch::ElementKind;
use equations::expression::Program;

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
    /// The name is that of the text, and worth showing.
    pub named: bool,
    /// The value, where it is a number.
    pub value: Option<f64>,
    /// Bonds of the element.
    pub bonds: Vec<usize>,
}

impl GraphElement {
    /// An element without a name and bonds.
    pub(super) fn new(kind: ElementKind, symbol: &'static str) -> Self {
        Self {
            kind,
            symbol,
            name: String::new(),
            block: None,
            modulated: false,
            open: false,
            zero: false,
            named: true,
            value: None,
            bonds: Vec::new(),
        }
    }

    /// The label with the name, also where a drawing leaves it out.
    pub fn full_label(&self) -> String {
        match self.named {
            true => self.label(),
            false => format!("{}:{}", self.symbol, self.name),
        }
    }

    /// Symbol and name: `R:d`, or `0:node x` for a node of a network.
    pub fn label(&self) -> String {
        match (self.name.is_empty() || !self.named, self.open) {
            (true, _) => self.symbol.into(),
            (_, true) => format!("{}:node {}", self.symbol, self.name),
            _ => format!("{}:{}", self.symbol, self.name),
        }
    }
}

/// An end of a bond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BondSide {
    /// Where the half arrow starts.
    From,
    /// Where the half arrow points.
    To,
}

impl BondSide {
    /// The other end.
    pub(super) fn opposite(self) -> Self {
        match self {
            Self::From => Self::To,
            Self::To => Self::From,
        }
    }
}

/// A bond.
#[derive(Clone, Debug, PartialEq)]
pub struct Bond {
    /// Name of the bond.
    pub name: String,
    /// Block of the bond, if the text has one.
    pub block: Option<u32>,
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

    /// The side at which an element is.
    pub fn side(&self, element: usize) -> BondSide {
        if self.to == element { BondSide::To } else { BondSide::From }
    }
}

/// A bond graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The elements in the order of the text, then nodes.
    pub elements: Vec<GraphElement>,
    /// The bonds in the order of the text.
    pub bonds: Vec<Bond>,
    /// Signals: the element that is measured, and the element that is changed.
    pub information: Vec<[usize; 2]>,
}

impl Graph {
    /// The bonds of the text with their elements; without bonds it is empty.
    pub fn new(model: &Model) -> Self {
        Self::of_text(model, &mut FxHashMap::default())
    }

    /// The bonds of the text with their elements, and the place of each block.
    pub(super) fn of_text(model: &Model, places: &mut FxHashMap<u32, usize>) -> Self {
        let mut graph = Self::default();
        for element in &model.elements {
            if let Some((kind, symbol, value)) = describe(&element.what) {
                places.insert(element.block, graph.elements.len());
                let modulated = symbol.starts_with('M');
                let name = model.block_name(element.block).to_string();
                let block = Some(element.block);
                // Equations may give a port its effort or its flow.
                let open = matches!(kind, ElementKind::Zero) && symbol == PORT_SYMBOL;
                let is_source = matches!(kind, ElementKind::Se | ElementKind::Sf);
                let value = value.and_then(Program::as_constant);
                let zero = is_source && value == Some(0.0);
                let element = GraphElement {
                    name,
                    block,
                    modulated,
                    open,
                    zero,
                    value,
                    ..GraphElement::new(kind, symbol)
                };
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
            let from = graph.place(model, places, from);
            let to = graph.place(model, places, to);
            graph.bond(model.block_name(element.block), Some(element.block), [from, to]);
        }
        graph
    }

    /// The place of an end of a bond; nodes and references are added as they are met.
    fn place(&mut self, model: &Model, places: &mut FxHashMap<u32, usize>, end: BondEnd) -> usize {
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
                let (name, block) = (model.node_name(node).to_string(), Some(declared.block));
                GraphElement { name, block, open: true, ..GraphElement::new(kind, symbol) }
            }
            BondEnd::Reference(domain) => {
                let kind = if domain.is_mechanical() { ElementKind::Sf } else { ElementKind::Se };
                let symbol = domain.reference();
                GraphElement { zero: symbol != "ambient", ..GraphElement::new(kind, symbol) }
            }
        };
        self.add(element)
    }

    /// Adds an element and gives its place.
    pub(super) fn add(&mut self, element: GraphElement) -> usize {
        self.elements.push(element);
        self.elements.len() - 1
    }

    /// Adds a bond.
    pub(super) fn bond(&mut self, name: &str, block: Option<u32>, [from, to]: [usize; 2]) {
        let own = self.bonds.len();
        self.elements[from].bonds.push(own);
        self.elements[to].bonds.push(own);
        self.bonds.push(Bond { name: name.into(), block, from, to });
    }

    /// `R `d``, or `the node `x``, for sentences.
    pub fn words(&self, element: usize) -> String {
        let element = &self.elements[element];
        match (element.open, element.kind) {
            (true, _) => format!("the node `{}`", element.name),
            (_, ElementKind::Zero | ElementKind::One) if !element.named => {
                format!("the {}-junction `{}`", element.symbol, element.name)
            }
            (_, ElementKind::Zero) => format!("Junction0 `{}`", element.name),
            (_, ElementKind::One) => format!("Junction1 `{}`", element.name),
            _ if element.name.is_empty() => format!("`{}`", element.symbol),
            _ => format!("{} `{}`", element.symbol, element.name),
        }
    }
}

/// The symbol of a port to equations.
const PORT_SYMBOL: &str = "port";

/// A network element in the bond graph: kind, symbol and value.
fn describe(element: &NetworkElement) -> Option<(ElementKind, &'static str, Option<&Program>)> {
    Some(match element {
        NetworkElement::Se(source) => (ElementKind::Se, "Se", Some(&source.effort)),
        NetworkElement::MSe(source) => (ElementKind::Se, "MSe", Some(&source.effort)),
        NetworkElement::Sf(source) => (ElementKind::Sf, "Sf", Some(&source.flow)),
        NetworkElement::MSf(source) => (ElementKind::Sf, "MSf", Some(&source.flow)),
        NetworkElement::R(own) => (ElementKind::R, "R", own.resistance.as_ref()),
        NetworkElement::MR(own) => (ElementKind::R, "MR", own.resistance.as_ref()),
        NetworkElement::C(own) => (ElementKind::C, "C", own.compliance.as_ref()),
        NetworkElement::MC(own) => (ElementKind::C, "MC", own.compliance.as_ref()),
        NetworkElement::I(own) => (ElementKind::I, "I", own.inertia.as_ref()),
        NetworkElement::MI(own) => (ElementKind::I, "MI", own.inertia.as_ref()),
        NetworkElement::TF(own) => (ElementKind::Transformer, "TF", Some(&own.modulus)),
        NetworkElement::MTF(own) => (ElementKind::Transformer, "MTF", Some(&own.modulus)),
        NetworkElement::GY(own) => (ElementKind::Gyrator, "GY", Some(&own.ratio)),
        NetworkElement::MGY(own) => (ElementKind::Gyrator, "MGY", Some(&own.ratio)),
        NetworkElement::Port(port) if port.inner.is_none() => {
            (ElementKind::Zero, PORT_SYMBOL, None)
        }
        NetworkElement::Junction0(_) => (ElementKind::Zero, "0", None),
        NetworkElement::Junction1(_) => (ElementKind::One, "1", None),
        _ => return None,
    })
}
