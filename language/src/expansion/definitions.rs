//! What a Component block declares: its parameters, ports and inputs, and the blocks inside, with those of its bases.

use std::rc::Rc;

use parser::source::{Sources, Span};
use parser::syntax::{Block, Document, NodeId, NodeKind, Parameter};
use rustc_hash::{FxHashMap, FxHashSet};

use equations::domain::Domain;

/// Where something is written: the tree, and the file whose names it sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'s> {
    pub document: &'s Document,
    /// Index of the document.
    pub index: u32,
    /// The file scope.
    pub scope: usize,
}

/// A block as one definition writes it. A derived component puts its own layer over that of its base.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer<'s> {
    pub place: Place<'s>,
    pub block: &'s Block,
}

/// A block inside of a component or a Repeat, or at top level.
#[derive(Clone, Debug)]
pub(super) struct Item<'s> {
    pub keyword: &'s str,
    /// The name up to its first bracket.
    pub base: &'s str,
    /// The name as it is written.
    pub name: &'s str,
    /// From the base to the derived component; never empty.
    pub layers: Vec<Layer<'s>>,
    /// Blocks of a Repeat.
    pub inner: Vec<Item<'s>>,
}

impl<'s> Item<'s> {
    /// The layer that counts for names and keywords: the first, which introduces the block.
    pub(super) fn first(&self) -> Layer<'s> {
        self.layers[0]
    }

    /// The parameter of this name in the outermost layer that gives it.
    pub(super) fn parameter(
        &self,
        sources: &Sources,
        name: &str,
    ) -> Option<(Place<'s>, &'s Parameter)> {
        self.layers.iter().rev().find_map(|layer| {
            let all = layer.place.document.parameters(layer.block).iter();
            let mut named = all.filter(|parameter| sources.text(parameter.name) == name);
            named.next().map(|parameter| (layer.place, parameter))
        })
    }
}

/// Kinds of parameters, as far as the declaration decides.
#[derive(Clone, Debug)]
pub(super) enum ParameterKind<'s> {
    /// Whatever the value is.
    Any,
    /// One of these words.
    Word(Vec<&'s str>),
    /// A component that can stand in for this one.
    Component(&'s str),
}

/// A parameter of a component.
#[derive(Clone, Debug)]
pub(super) struct ParameterDeclaration<'s> {
    pub name: &'s str,
    pub span: Span,
    pub kind: ParameterKind<'s>,
    /// The default, and where it is written.
    pub default: Option<(Place<'s>, Vec<NodeId>)>,
    pub min: Option<(Place<'s>, NodeId)>,
    pub max: Option<(Place<'s>, NodeId)>,
    pub unit: &'s str,
    pub about: &'s str,
}

/// The domain of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PortDomain {
    /// A node of a network.
    Node(Domain),
    /// A bond of a bond graph.
    Bond,
    /// A triad.
    Frame,
    /// The declaration is wrong, which is reported.
    Unknown,
}

/// A port of a component.
#[derive(Clone, Debug)]
pub(super) struct PortDeclaration<'s> {
    pub name: &'s str,
    pub span: Span,
    pub keyword: Span,
    pub domain: PortDomain,
    /// The word behind `Domain =`.
    pub domain_word: Option<Span>,
    pub is_required: bool,
    pub about: &'s str,
}

/// A signal that comes in.
#[derive(Clone, Debug)]
pub(super) struct InputDeclaration<'s> {
    pub name: &'s str,
    pub span: Span,
    pub keyword: Span,
    pub default: Option<(Place<'s>, NodeId)>,
    pub unit: Option<(Place<'s>, &'s Parameter)>,
    pub about: &'s str,
}

/// A component as its users see it: bases and all.
#[derive(Clone, Debug)]
pub(super) struct Definition<'s> {
    /// Its name with the namespace it is known under.
    pub name: &'s str,
    pub span: Span,
    pub scope: usize,
    pub about: &'s str,
    pub parameters: Vec<ParameterDeclaration<'s>>,
    pub ports: Vec<PortDeclaration<'s>>,
    pub inputs: Vec<InputDeclaration<'s>>,
    pub items: Vec<Item<'s>>,
    /// Components that are declared inside, by number.
    pub nested: FxHashMap<&'s str, usize>,
    /// Where each declared name is found.
    pub parameter_index: FxHashMap<&'s str, usize>,
    pub port_index: FxHashMap<&'s str, usize>,
    pub input_index: FxHashMap<&'s str, usize>,
    /// Names of blocks, up to the first bracket.
    pub blocks: FxHashSet<&'s str>,
    /// Names of nodes, up to the first bracket.
    pub nodes: FxHashSet<&'s str>,
    /// The order in which defaults can be worked out.
    pub order: Vec<usize>,
    /// Something in it could not be read.
    pub is_damaged: bool,
}

/// Definitions are shared by their instances.
pub(super) type Definitions<'s> = Vec<Rc<Definition<'s>>>;

impl<'s> Definition<'s> {
    pub(super) fn empty(name: &'s str, span: Span, scope: usize) -> Self {
        Self {
            name,
            span,
            scope,
            about: "",
            parameters: Vec::new(),
            ports: Vec::new(),
            inputs: Vec::new(),
            items: Vec::new(),
            nested: FxHashMap::default(),
            parameter_index: FxHashMap::default(),
            port_index: FxHashMap::default(),
            input_index: FxHashMap::default(),
            blocks: FxHashSet::default(),
            nodes: FxHashSet::default(),
            order: Vec::new(),
            is_damaged: false,
        }
    }

    /// Is this the name of something inside that can be named in a path?
    pub(super) fn has(&self, base: &str) -> bool {
        self.blocks.contains(base)
            || self.nodes.contains(base)
            || self.port_index.contains_key(base)
            || self.input_index.contains_key(base)
    }

    /// All names that an expression inside of the component may use, for suggestions.
    pub(super) fn names(&self) -> impl Iterator<Item = &'s str> + '_ {
        let declared = self.parameters.iter().map(|p| p.name);
        let declared = declared.chain(self.ports.iter().map(|p| p.name));
        let declared = declared.chain(self.inputs.iter().map(|p| p.name));
        declared.chain(self.blocks.iter().copied())
    }

    /// What an instance may give, for suggestions.
    pub(super) fn givable(&self) -> impl Iterator<Item = &'s str> + '_ {
        let parameters = self.parameters.iter().map(|p| p.name);
        parameters
            .chain(self.ports.iter().map(|p| p.name))
            .chain(self.inputs.iter().map(|p| p.name))
    }

    /// Adds or changes a parameter.
    pub(super) fn declare_parameter(&mut self, new: ParameterDeclaration<'s>) {
        match self.parameter_index.get(new.name) {
            Some(&known) => {
                let old = &mut self.parameters[known];
                if !matches!(new.kind, ParameterKind::Any) {
                    old.kind = new.kind;
                }
                old.default = new.default.or(old.default.take());
                old.min = new.min.or(old.min.take());
                old.max = new.max.or(old.max.take());
                old.unit = if new.unit.is_empty() { old.unit } else { new.unit };
                old.about = if new.about.is_empty() { old.about } else { new.about };
                old.span = new.span;
            }
            None => {
                self.parameter_index.insert(new.name, self.parameters.len());
                self.parameters.push(new);
            }
        }
    }

    /// Adds or replaces a port.
    pub(super) fn declare_port(&mut self, new: PortDeclaration<'s>) {
        match self.port_index.get(new.name) {
            Some(&known) => self.ports[known] = new,
            None => {
                self.port_index.insert(new.name, self.ports.len());
                self.ports.push(new);
            }
        }
    }

    /// Takes an input back.
    pub(super) fn remove_input(&mut self, name: &str) {
        self.inputs.retain(|input| input.name != name);
        let numbered = self.inputs.iter().enumerate();
        self.input_index = numbered.map(|(at, input)| (input.name, at)).collect();
    }

    /// Adds or replaces an input.
    pub(super) fn declare_input(&mut self, new: InputDeclaration<'s>) {
        match self.input_index.get(new.name) {
            Some(&known) => self.inputs[known] = new,
            None => {
                self.input_index.insert(new.name, self.inputs.len());
                self.inputs.push(new);
            }
        }
    }
}

/// A name up to its first bracket.
pub(super) fn base_of(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

/// The first name of a path, without quotes, up to a dot or bracket.
pub(super) fn first_of_path(path: &str) -> &str {
    match path.strip_prefix('"') {
        Some(rest) => rest.split('"').next().unwrap_or(rest),
        None => path.split(['.', '[']).next().unwrap_or(path),
    }
}

/// The name of a block at the beginning of a path, with its brackets, and what follows behind the dot. The name may have
/// dots of its own.
pub(super) fn way_into<'p>(path: &'p str, base: &str) -> Option<(&'p str, &'p str)> {
    let rest = path.strip_prefix(base)?;
    let rest = match rest.strip_prefix('[') {
        Some(indices) => indices.split_once(']')?.1,
        None => rest,
    };
    let behind = rest.strip_prefix('.')?;
    Some((&path[..path.len() - rest.len()], behind))
}

/// A value that is a bare or quoted name, without its quotes.
pub(super) fn bare<'s>(sources: &'s Sources, document: &Document, id: NodeId) -> (&'s str, Span) {
    let node = document.node(id);
    let span = match node.kind {
        NodeKind::Text => Span::new(node.span.start + 1, node.span.end.saturating_sub(1)),
        _ => node.span,
    };
    (sources.text(span), span)
}

/// The single value of a parameter.
pub(super) fn single(document: &Document, parameter: &Parameter) -> Option<NodeId> {
    match *document.values(parameter) {
        [value] => Some(value),
        _ => None,
    }
}
