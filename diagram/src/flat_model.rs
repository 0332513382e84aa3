//! What the flat text of a model says about connections: which blocks there are, which nodes they share, which blocks
//! they name, whose signals they read.
//!
//! The tables of the blocks tell what a value means, so that every block of the language is drawn without a line of its
//! own here.

use language::element::Family;
use parser::origin::Instance;
use rustc_hash::FxHashMap;

/// A block that stands in a picture.
#[derive(Clone, Debug)]
pub struct Element {
    /// The full name.
    pub name: String,
    /// The keyword as a person wrote it: an Input of a component is a Signal in the flat text.
    pub keyword: String,
    /// The family of its block.
    pub family: Family,
    /// The instance that it is a part of.
    pub instance: Option<usize>,
    /// The ports that are joined to nodes, and the nodes.
    pub terminals: Vec<(String, usize)>,
    /// The values that it takes from signals: parameter and source.
    pub reads: Vec<(String, Source)>,
    /// Names of what is drawn with it: triads, primitives, variables.
    pub carries: Vec<String>,
    /// It closes a kinematic loop.
    pub closes_loop: bool,
}

/// Where a signal comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// An element, by its number.
    Element(usize),
    /// A node, by its number.
    Node(usize),
}

/// A node of a network, or several that are one.
#[derive(Clone, Debug)]
pub struct Node {
    /// The full name.
    pub name: String,
    /// Its domain.
    pub kind: Kind,
    /// Its potential is fixed: it is drawn as a symbol wherever it occurs.
    pub is_reference: bool,
    /// Number of elements at it.
    pub ends: usize,
}

/// Kinds of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Voltage and current.
    Electrical,
    /// Angle and torque.
    Rotational,
    /// Position and force.
    Translational,
    /// Temperature and heat flow.
    Thermal,
    /// Pressure and volume flow.
    Hydraulic,
    /// Effort and flow.
    Bond,
    /// A joint and its bodies.
    Mechanics,
    /// A force or constraint and where it acts.
    Force,
    /// A signal.
    Signal,
}

/// What a relation leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// The body that does not move.
    World,
    /// An element, by its number.
    Element(usize),
    /// A node, by its number.
    Node(usize),
}

/// A connection that is no node: a joint and its bodies, a force and where it acts, a bond.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Where it begins: the mother, the source.
    pub from: Place,
    /// Where it leads.
    pub to: Place,
    /// Its domain.
    pub kind: Kind,
    /// It leads from mother to child, or has an arrow.
    pub is_directed: bool,
    /// It closes a kinematic loop.
    pub is_dashed: bool,
    /// Its name: that of a bond, or the parameter that names the other block.
    pub name: String,
}

/// An instance of a component.
#[derive(Clone, Debug)]
pub struct Part {
    /// The full name.
    pub name: String,
    /// The name of its component.
    pub component: String,
    /// The instance that it is a part of.
    pub parent: Option<usize>,
    /// The number behind that of the last part inside of it.
    pub end: usize,
    /// Ports by name, and the nodes or bodies that they are joined to.
    pub ports: Vec<(String, Place)>,
}

/// A model as far as it is drawn.
#[derive(Clone, Debug, Default)]
pub struct FlatModel {
    /// Blocks.
    pub elements: Vec<Element>,
    /// Nodes of networks.
    pub nodes: Vec<Node>,
    /// Other connections.
    pub relations: Vec<Relation>,
    /// Names of what is drawn with the world, and the instances that they stand in.
    pub world: Vec<(Option<usize>, String)>,
    /// Each instance stands before those inside of it.
    pub parts: Vec<Part>,
    /// Relations at each element.
    pub relations_of: Vec<Vec<usize>>,
    /// For each element the elements that read its signals.
    pub readers: Vec<Vec<usize>>,
    /// Elements by the instance that they stand in directly; the last list is that of the top.
    pub inside: Vec<Vec<usize>>,
    /// Parts by the instance that they stand in directly; the last list is that of the top.
    pub parts_inside: Vec<Vec<usize>>,
}

impl FlatModel {
    /// The place of a scope in the lists by instance.
    pub fn slot(&self, scope: Option<usize>) -> usize {
        scope.unwrap_or(self.parts.len())
    }

    /// Is an instance within a scope, or the scope itself?
    pub fn is_within(&self, instance: Option<usize>, scope: Option<usize>) -> bool {
        match (instance, scope) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(instance), Some(scope)) => (scope..self.parts[scope].end).contains(&instance),
        }
    }

    /// The part of a scope that an instance is in; none for the scope itself.
    pub fn part_of(&self, instance: Option<usize>, scope: Option<usize>) -> Option<usize> {
        let mut part = None;
        let mut at = instance;
        while at != scope {
            part = at;
            at = self.parts[at?].parent;
        }
        part
    }

    /// A full name as it is called inside of a scope.
    pub fn local<'n>(&self, name: &'n str, scope: Option<usize>) -> &'n str {
        let prefix = scope.map_or("", |scope| self.parts[scope].name.as_str());
        let rest = name.strip_prefix(prefix).filter(|_| !prefix.is_empty());
        rest.and_then(|rest| rest.strip_prefix('.')).unwrap_or(name)
    }

    /// Fills the lists that follow from the others.
    pub(crate) fn index(&mut self) {
        let slots = self.parts.len() + 1;
        self.inside = vec![Vec::new(); slots];
        self.parts_inside = vec![Vec::new(); slots];
        self.relations_of = vec![Vec::new(); self.elements.len()];
        self.readers = vec![Vec::new(); self.elements.len()];
        for (index, element) in self.elements.iter().enumerate() {
            self.inside[element.instance.unwrap_or(slots - 1)].push(index);
            for (_, node) in &element.terminals {
                self.nodes[*node].ends += 1;
            }
            for (_, source) in &element.reads {
                match *source {
                    Source::Element(source) => self.readers[source].push(index),
                    Source::Node(node) => self.nodes[node].ends += 1,
                }
            }
        }
        for (index, part) in self.parts.iter().enumerate() {
            self.parts_inside[part.parent.unwrap_or(slots - 1)].push(index);
        }
        for (index, relation) in self.relations.iter().enumerate() {
            for place in [relation.from, relation.to] {
                match place {
                    Place::Element(element) => self.relations_of[element].push(index),
                    Place::Node(node) => self.nodes[node].ends += 1,
                    Place::World => {}
                }
            }
        }
    }
}

/// The parts without their ports, and their numbers by name.
pub(crate) fn parts(instances: &[Instance]) -> (Vec<Part>, FxHashMap<&str, usize>) {
    let mut parts: Vec<Part> = instances
        .iter()
        .enumerate()
        .map(|(index, instance)| Part {
            name: instance.name.to_string(),
            component: instance.component.to_string(),
            parent: instance.parent.map(|parent| parent as usize),
            end: index + 1,
            ports: Vec::new(),
        })
        .collect();
    for index in (0..parts.len()).rev() {
        if let Some(parent) = parts[index].parent {
            parts[parent].end = parts[parent].end.max(parts[index].end);
        }
    }
    let names = instances.iter().enumerate().map(|(index, one)| (&*one.name, index)).collect();
    (parts, names)
}
