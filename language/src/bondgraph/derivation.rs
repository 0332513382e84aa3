//! The bond graph of a whole model: its networks, by the procedure of Roddeck (sections 5.1 and 5.2), joined to the bonds of
//! the text.
//!
//! 1. Each node is a junction: 0 where what is equal is an effort (voltage, pressure, temperature), 1 where it is a flow
//!    (speed).
//! 2. Each element hangs on a junction of the other kind between its nodes; inertias hang on their nodes.
//! 3. The node that is fixed is a junction with a source of zero; the rules of simplification take it out.
//!
//! What has no elementary kind is a box, or is left in its network: then its nodes are open junctions.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::{ElementKind, Graph, GraphElement};
use super::measured;
use crate::blocks::network::NetworkElement;
use crate::model::Model;
use crate::reading::ids::NodeId;
use crate::sketch::{COUPLED, OnePort, PartKind, Place, Reading, Sketch, Start, TwoPort, Value};

/// A bond graph that was made from networks, with what its parts come from.
#[derive(Debug, Default)]
pub struct Derivation<'m> {
    /// The graph.
    pub graph: Graph,
    /// The parts that come from elements of networks.
    pub parts: Vec<DerivedPart<'m>>,
    /// Elements without an elementary kind, and why.
    pub told: Vec<(usize, &'static str)>,
    /// The junction of each node.
    pub(super) nodes: Vec<Option<usize>>,
    /// Names that are taken.
    taken: FxHashSet<String>,
}

/// A part of a bond graph that comes from an element of a network.
#[derive(Debug)]
pub struct DerivedPart<'m> {
    /// The element of the graph.
    pub element: usize,
    /// The block of the element of the network.
    pub block: u32,
    /// Follows the name of the block in that of the part.
    pub suffix: &'static str,
    /// Its value.
    pub value: Value<'m>,
    /// What it holds at the start.
    pub start: Option<Start>,
    /// Its effort and flow have the opposite signs.
    pub turned: bool,
    /// Signals of the element of the network.
    pub readings: &'static [Reading],
}

impl Graph {
    /// The bond graph of a whole model: of its bonds and of its networks.
    pub fn whole(model: &Model) -> Self {
        derive(model, &FxHashSet::default()).graph
    }
}

/// The bond graph of a model, in which some elements, by their blocks, stay in their networks.
pub fn derive<'m>(model: &'m Model, kept: &FxHashSet<u32>) -> Derivation<'m> {
    let mut places = FxHashMap::default();
    let mut own = Derivation { graph: Graph::of_text(model, &mut places), ..Derivation::default() };
    let nodes = model.nodes.iter();
    own.nodes = nodes.map(|node| places.get(&node.block).copied()).collect();
    own.taken = (0..model.blocks.len() as u32 - model.nodes.len() as u32)
        .map(|block| model.block_name(block).to_string())
        .collect();
    let coupled = coupled(model);
    let nodes = model.nodes.iter();
    let known: Rc<[(bool, bool)]> =
        nodes.map(|node| (node.is_reference, node.domain.is_mechanical())).collect();
    let mut sketches = Vec::new();
    let mut open = vec![false; model.nodes.len()];
    for (index, element) in model.elements.iter().enumerate() {
        let mut sketch = Sketch::new(known.clone());
        element.what.sketch(&mut sketch);
        if coupled.contains(&index) {
            sketch.box_all(COUPLED);
        }
        if kept.contains(&element.block) {
            sketch.nodes().for_each(|node| open[node.index()] = true);
        } else {
            sketches.push((element.block, sketch));
        }
    }
    // A node of the text is open only while something is left behind it.
    for (node, place) in own.nodes.iter().enumerate() {
        if let Some(place) = *place {
            own.graph.elements[place].open = open[node];
        }
    }
    for (block, sketch) in sketches {
        own.draw(model, block, sketch, &open);
    }
    own.close_ports(model);
    measured::find(model, &mut own);
    own
}

/// The elements that a MutualInductor couples.
fn coupled(model: &Model) -> FxHashSet<usize> {
    let couplings = model.elements.iter().filter_map(|element| match &element.what {
        NetworkElement::MutualInductor(own) => Some([own.inductor1.0, own.inductor2.0]),
        _ => None,
    });
    couplings.flatten().map(|inductor| inductor.0 as usize).collect()
}

impl<'m> Derivation<'m> {
    /// A name that nothing else has.
    pub(super) fn name(&mut self, wish: String) -> String {
        let mut name = wish;
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    fn bond(&mut self, ends: [usize; 2]) {
        let name = self.name((self.graph.bonds.len() + 1).to_string());
        self.graph.bond(&name, None, ends);
    }

    /// The junction of a node.
    fn node(&mut self, model: &Model, node: NodeId, open: &[bool]) -> usize {
        if let Some(place) = self.nodes[node.index()] {
            return place;
        }
        let declared = &model.nodes[node.index()];
        let domain = declared.domain;
        let (kind, symbol) = match domain.is_mechanical() {
            true => (ElementKind::One, "1"),
            false => (ElementKind::Zero, "0"),
        };
        let element =
            GraphElement { block: Some(declared.block), ..GraphElement::new(kind, symbol) };
        let place = if declared.is_reference {
            let name = self.name(format!("at_{}", domain.reference()));
            let place = self.graph.add(GraphElement { name, named: false, ..element });
            let source = if domain.is_mechanical() { ElementKind::Sf } else { ElementKind::Se };
            let symbol = domain.reference();
            let zero = symbol != "ambient";
            let own = self.graph.add(GraphElement { zero, ..GraphElement::new(source, symbol) });
            self.bond([place, own]);
            place
        } else {
            let open = open[node.index()];
            let own = model.node_name(node).to_string();
            let name = if open { own } else { self.name(own) };
            self.graph.add(GraphElement { name, open, ..element })
        };
        self.nodes[node.index()] = Some(place);
        place
    }

    /// Adds the parts of an element.
    fn draw(&mut self, model: &Model, block: u32, sketch: Sketch<'m>, open: &[bool]) {
        let name = model.block_name(block).to_string();
        let mut inner = Vec::new();
        for junction in &sketch.junctions {
            let (kind, symbol) = match junction.is_zero {
                true => (ElementKind::Zero, "0"),
                false => (ElementKind::One, "1"),
            };
            let own = self.name(joined(&format!("at_{name}"), junction.suffix));
            let element = GraphElement::new(kind, symbol);
            let block = Some(block);
            inner.push(self.graph.add(GraphElement { name: own, named: false, block, ..element }));
        }
        let place = |own: &mut Self, place: Place| match place {
            Place::Node(node) => own.node(model, node, open),
            Place::Inner(junction) => inner[junction.0],
        };
        let mut joins = sketch.joins.iter();
        for one in sketch.ones {
            // The bond of a source comes before that of its junction, as one would draw it.
            let at = place(self, one.at);
            self.one(model, block, &name, at, one);
        }
        for &[from, to] in &mut joins {
            let ends = [place(self, from), place(self, to)];
            self.bond(ends);
        }
        for two in sketch.twos {
            let ends = [place(self, two.from), place(self, two.to)];
            self.two(model, block, &name, ends, two);
        }
        for part in sketch.boxes {
            let symbol = model.blocks[block as usize].schema.keyword;
            let symbol = symbol_of_box(part.kind).unwrap_or(symbol);
            let element = self.graph.add(GraphElement {
                name: name.clone(),
                block: Some(block),
                ..GraphElement::new(part.kind, symbol)
            });
            self.told.push((element, part.why));
            let is_source = matches!(part.kind, ElementKind::Se | ElementKind::Sf);
            for end in part.places {
                let at = place(self, end);
                self.bond(if is_source { [element, at] } else { [at, element] });
            }
        }
    }

    fn part(
        &mut self,
        model: &Model,
        block: u32,
        name: &str,
        what: PartKind,
        value: &Value<'m>,
    ) -> usize {
        let modulated = value.changes() || value.words.contains(['&', '~']);
        let own = joined(name, what.suffix);
        let own = if what.suffix.is_empty() { own } else { self.name(own) };
        let is_source = matches!(what.kind, ElementKind::Se | ElementKind::Sf);
        let number = number_of(value);
        let element = GraphElement {
            name: own,
            block: Some(block),
            modulated: modulated && !value.is_law && !is_own_law(model, block, value),
            zero: is_source && number == Some(0.0),
            value: number,
            ..GraphElement::new(what.kind, symbol(what.kind, modulated && !value.is_law))
        };
        self.graph.add(element)
    }

    fn one(&mut self, model: &Model, block: u32, name: &str, at: usize, one: OnePort<'m>) {
        let element = self.part(model, block, name, one.what, &one.value);
        let is_source = matches!(one.what.kind, ElementKind::Se | ElementKind::Sf);
        self.bond(if is_source { [element, at] } else { [at, element] });
        let OnePort { what, value, start, turned, readings, .. } = one;
        let suffix = what.suffix;
        self.parts.push(DerivedPart { element, block, suffix, value, start, turned, readings });
    }

    fn two(&mut self, model: &Model, block: u32, name: &str, ends: [usize; 2], two: TwoPort<'m>) {
        let element = self.part(model, block, name, two.what, &two.value);
        self.bond([ends[0], element]);
        self.bond([element, ends[1]]);
        let TwoPort { what, value, readings, .. } = two;
        let (suffix, start, turned) = (what.suffix, None, false);
        self.parts.push(DerivedPart { element, block, suffix, value, start, turned, readings });
    }

    /// Equations stand behind the node of a port where no element does.
    fn close_ports(&mut self, model: &Model) {
        for element in &model.elements {
            let NetworkElement::Port(port) = &element.what else { continue };
            let place = port.inner.and_then(|inner| self.nodes[inner.index()]);
            let Some(place) = place.filter(|place| self.graph.elements[*place].bonds.len() < 2)
            else {
                continue;
            };
            let name = model.block_name(element.block).to_string();
            let equations = GraphElement {
                name,
                block: Some(element.block),
                ..GraphElement::new(ElementKind::Box, "Equations")
            };
            let equations = self.graph.add(equations);
            self.told.push((equations, "equations of its own"));
            self.bond([place, equations]);
        }
    }
}

/// A name with a suffix.
pub(super) fn joined(name: &str, suffix: &str) -> String {
    if suffix.is_empty() { name.into() } else { format!("{name}_{suffix}") }
}

/// The number that a value is for ever.
fn number_of(value: &Value<'_>) -> Option<f64> {
    match (value.given, value.words.as_str()) {
        (Some(given), "$") => given.program.as_constant(),
        (Some(given), "-($)") => given.program.as_constant().map(|number| -number),
        (None, words) => words.parse().ok(),
        _ => None,
    }
}

/// Whether a value changes with signals of its own element alone: a law, not a modulation.
fn is_own_law(_: &Model, block: u32, value: &Value<'_>) -> bool {
    let Some(given) = value.given else { return value.nodes.is_empty() && value.control.is_none() };
    let own = |op: &equations::expression::Op| match op {
        equations::expression::Op::Signal(signal) => signal.block == block,
        equations::expression::Op::Time => false,
        _ => true,
    };
    value.changes() && given.program.ops().iter().all(own)
}

/// The symbol of an element; modulated ones begin with M.
fn symbol(kind: ElementKind, modulated: bool) -> &'static str {
    let both = match kind {
        ElementKind::Se => ["Se", "MSe"],
        ElementKind::Sf => ["Sf", "MSf"],
        ElementKind::R => ["R", "MR"],
        ElementKind::C => ["C", "MC"],
        ElementKind::I => ["I", "MI"],
        ElementKind::Transformer => ["TF", "MTF"],
        ElementKind::Gyrator => ["GY", "MGY"],
        ElementKind::Zero => ["0", "0"],
        ElementKind::One => ["1", "1"],
        ElementKind::Box | ElementKind::Signal => ["", ""],
    };
    both[usize::from(modulated)]
}

/// The symbol of something that is known in kind alone.
fn symbol_of_box(kind: ElementKind) -> Option<&'static str> {
    Some(symbol(kind, false)).filter(|symbol| !symbol.is_empty())
}
