//! What elements are connected to besides nodes: the blocks that they name and whose signals they read.

use language::element::{BlockSchema, Family, Kind as Value, Target};
use parser::syntax::{Block, NodeId, NodeKind, Parameter};

use super::Reader;
use crate::flat_model::{Element, Kind, Place, Relation, Source};

impl<'s> Reader<'s> {
    /// Reads what an element is connected to besides nodes.
    pub(super) fn connect(&mut self, index: usize) {
        let (block, schema) = self.blocks[index];
        for parameter in self.document.parameters(block) {
            let name = self.sources.text(parameter.name);
            match schema.parameter(name).map(|known| known.kind) {
                Some(Value::Node(_) | Value::Flange) => {}
                Some(Value::Reference(target)) => self.refer(index, parameter, target),
                Some(
                    Value::Word(_)
                    | Value::Words(_)
                    | Value::Name
                    | Value::Names
                    | Value::File
                    | Value::Text
                    | Value::Signals,
                ) => {}
                None if schema.family == Family::Plugin => {
                    self.refer(index, parameter, Target::Body);
                    self.refer(index, parameter, Target::Triad);
                    self.refer(index, parameter, Target::Joint);
                    self.note_reads(index, name, self.document.values(parameter).to_vec());
                }
                _ => self.note_reads(index, name, self.document.values(parameter).to_vec()),
            }
        }
        let equations: Vec<_> = self.document.equations(block).to_vec();
        for equation in equations {
            self.note_reads(index, "", vec![equation.left, equation.right]);
        }
        let sections: Vec<Block> = self.document.inner(block).to_vec();
        for section in &sections {
            for transition in self.document.transitions(section).to_vec() {
                self.note_reads(index, "", vec![transition.condition]);
            }
            for set in self.document.equations(section).to_vec() {
                self.note_reads(index, "", vec![set.right]);
                let left = self.sources.text(self.document.node(set.left).span);
                if let Some(Source::Element(to)) = self.source(left) {
                    let (from, to) = (Place::Element(index), Place::Element(to));
                    self.relate(from, to, Kind::Signal, true, "Set");
                }
            }
        }
    }

    fn relate(&mut self, from: Place, to: Place, kind: Kind, is_directed: bool, name: &str) {
        let is_dashed = [from, to].iter().any(|place| match place {
            Place::Element(element) => self.model.elements[*element].closes_loop,
            _ => false,
        });
        let is_dashed = is_dashed && kind == Kind::Mechanics;
        let is_directed = is_directed && !is_dashed;
        self.model.relations.push(Relation {
            from,
            to,
            kind,
            is_directed,
            is_dashed,
            name: name.into(),
        });
    }

    /// A parameter that names another block.
    fn refer(&mut self, index: usize, parameter: &Parameter, target: Target) {
        let name = self.sources.text(parameter.name);
        let (_, schema) = self.blocks[index];
        let own = Place::Element(index);
        for &value in self.document.values(parameter) {
            let text = self.sources.text(self.document.node(value).span);
            let Some(other) = self.target(text, target).filter(|other| *other != own) else {
                continue;
            };
            match (schema.family, name) {
                // The joint tells it.
                (Family::Body, "Parent") | (Family::Joint, "Parent") => {}
                (Family::Body, _) => self.relate(other, own, Kind::Mechanics, true, name),
                (Family::Joint, "TriadFrom") => {
                    self.relate(other, own, Kind::Mechanics, true, name);
                }
                (Family::Sensor, _) => self.relate(other, own, Kind::Signal, true, name),
                (Family::Joint, _) => self.relate(own, other, Kind::Mechanics, true, name),
                (Family::Network, _) if self.is_network(other) => {
                    self.relate(other, own, Kind::Signal, true, name);
                }
                _ => self.relate(own, other, Kind::Force, false, name),
            }
        }
    }

    fn is_network(&self, place: Place) -> bool {
        match place {
            Place::Element(element) => self.blocks[element].1.family == Family::Network,
            Place::Node(_) => true,
            Place::World => false,
        }
    }

    /// Notes whose signals some expressions use.
    fn note_reads(&mut self, index: usize, parameter: &str, expressions: Vec<NodeId>) {
        let is_equations = self.blocks[index].1.keyword == "Equations";
        let mut open = expressions;
        while let Some(id) = open.pop() {
            let node = self.document.node(id);
            match node.kind {
                NodeKind::Name | NodeKind::Word | NodeKind::Text => {
                    let text = self.sources.text(node.span);
                    match self.source(text) {
                        Some(Source::Node(node)) if is_equations => {
                            let port = text.rsplit_once('.').map_or(text, |(port, _)| port);
                            let port = port.rsplit_once('.').map_or(port, |(_, port)| port);
                            let terminal = (port.to_string(), node);
                            let element = &mut self.model.elements[index];
                            if !element.terminals.contains(&terminal) {
                                element.terminals.push(terminal);
                            }
                        }
                        Some(source) if source != Source::Element(index) => {
                            let read = (parameter.to_string(), source);
                            let element = &mut self.model.elements[index];
                            if !element.reads.contains(&read) {
                                element.reads.push(read);
                            }
                        }
                        _ => {}
                    }
                }
                NodeKind::Number(_) | NodeKind::Indexed(_) => {}
                NodeKind::List(run) | NodeKind::Call { arguments: run, .. } => {
                    open.extend(self.document.members(run));
                }
                NodeKind::Parenthesis(inner) | NodeKind::Unary(_, inner) => open.push(inner),
                NodeKind::Binary(_, a, b) => open.extend([a, b]),
            }
        }
    }

    /// Bonds, and what is drawn with other blocks.
    pub(super) fn attach(
        &mut self,
        block: &'s Block,
        schema: &'static BlockSchema,
        instance: Option<usize>,
    ) {
        let name = self.sources.text(block.name);
        match (schema.family, schema.keyword) {
            (_, "Bond") => {
                let kind = |parameter| schema.parameter(parameter).map(|known| known.kind);
                let end = |parameter| match (kind(parameter), self.word(block, parameter)) {
                    (Some(Value::Reference(target)), Some(name)) => self.target(name, target),
                    _ => None,
                };
                match (end("From"), end("To")) {
                    // Two nodes have no box that the line could begin at.
                    (Some(Place::Node(from)), Some(Place::Node(to))) => {
                        self.model.elements.push(Element {
                            name: name.into(),
                            keyword: schema.keyword.into(),
                            family: schema.family,
                            instance,
                            terminals: vec![("From".into(), from), ("To".into(), to)],
                            reads: Vec::new(),
                            carries: Vec::new(),
                            closes_loop: false,
                        });
                    }
                    (Some(from), Some(to)) => self.relate(from, to, Kind::Bond, true, name),
                    _ => {}
                }
            }
            (Family::Triad | Family::Primitive, _) => {
                let parent = self.word(block, "Parent").unwrap_or("world");
                let place = self.target(parent, Target::Body).or_else(|| self.body_of(parent));
                let words = format!("{} {name}", schema.keyword);
                match place {
                    Some(Place::Element(body)) => self.model.elements[body].carries.push(words),
                    Some(Place::World) => self.model.world.push((instance, words)),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}
