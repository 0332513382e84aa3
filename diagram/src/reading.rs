//! Reads the flat text of a model.

use language::element::{BlockSchema, Family, Kind as Value, Target};
use language::model::registry;
use parser::source::Sources;
use parser::syntax::{Block, Document, NodeId, NodeKind, Parameter};
use rustc_hash::FxHashMap;

use crate::flat_model::{Element, FlatModel, Kind, Node, Place, Relation, Source, parts};

/// Nodes whose potential is fixed.
const REFERENCES: [&str; 4] = ["gnd", "base", "tank", "ambient"];

/// What stands in no picture: settings, constants, functions.
fn is_drawn(family: Family) -> bool {
    !matches!(family, Family::Setting | Family::Parameters | Family::Include | Family::Formula)
}

/// Reads the flat text with this index.
pub fn read(sources: &Sources, flat: usize) -> FlatModel {
    let Some(source) = sources.get(flat) else { return FlatModel::default() };
    let document = parser::parse(source).document;
    let (parts, part_names) = parts(source.instances());
    let mut reader = Reader {
        sources,
        document: &document,
        schemas: registry::blocks().map(|schema| (schema.keyword, schema)).collect(),
        model: FlatModel { parts, ..FlatModel::default() },
        blocks: Vec::new(),
        names: FxHashMap::default(),
        triads: FxHashMap::default(),
        bond_ports: FxHashMap::default(),
        nodes: FxHashMap::default(),
        union: Vec::new(),
    };
    let found: Vec<(&Block, Option<&'static BlockSchema>)> = document
        .blocks()
        .iter()
        .map(|block| (block, reader.schemas.get(sources.text(block.keyword)).copied()))
        .collect();
    let found: Vec<(&Block, &'static BlockSchema)> = found
        .into_iter()
        .filter_map(|(block, schema)| Some((block, schema.filter(|s| is_drawn(s.family))?)))
        .collect();
    for &(block, schema) in &found {
        let instance = sources.instances(block.name).first().and_then(|i| part_names.get(&*i.name));
        reader.declare(block, schema, instance.copied());
    }
    reader.join_ports();
    for index in 0..reader.blocks.len() {
        reader.connect(index);
    }
    for &(block, schema) in &found {
        reader.attach(block, schema);
    }
    let instances: Vec<_> = source.instances().iter().map(|one| one.ports.clone()).collect();
    for (index, ports) in instances.iter().enumerate() {
        for port in ports {
            let Some(outer) = port.outer.as_deref() else { continue };
            let place = match reader.body_of(outer) {
                Some(place) => place,
                None => match reader.known_node(outer) {
                    Some(node) => Place::Node(node),
                    None => continue,
                },
            };
            reader.model.parts[index].ports.push((port.name.to_string(), place));
        }
    }
    reader.finish()
}

struct Reader<'s> {
    sources: &'s Sources,
    document: &'s Document,
    schemas: FxHashMap<&'static str, &'static BlockSchema>,
    model: FlatModel,
    /// The block and table of each element.
    blocks: Vec<(&'s Block, &'static BlockSchema)>,
    /// Elements by name; blocks of different families may share one.
    names: FxHashMap<&'s str, Vec<usize>>,
    /// The bodies or ports that triads and ports of triads stand for.
    triads: FxHashMap<&'s str, &'s str>,
    /// What ports of bond graphs are joined to.
    bond_ports: FxHashMap<&'s str, &'s str>,
    nodes: FxHashMap<String, usize>,
    /// Nodes that are one: each leads to another or to itself.
    union: Vec<usize>,
}

impl<'s> Reader<'s> {
    /// The value of a parameter as a plain text.
    fn word(&self, block: &Block, name: &str) -> Option<&'s str> {
        let mut parameters = self.document.parameters(block).iter();
        let found = parameters.find(|parameter| self.sources.text(parameter.name) == name)?;
        Some(self.sources.text(found.value).trim().trim_matches('"'))
    }

    /// Notes a block by its name.
    fn declare(&mut self, block: &'s Block, schema: &'static BlockSchema, instance: Option<usize>) {
        let name = self.sources.text(block.name);
        match (schema.family, schema.keyword) {
            (Family::Triad, _) => {
                let parent = self.word(block, "Parent").unwrap_or("world");
                self.triads.insert(name, parent);
                return;
            }
            (Family::Primitive, _) | (_, "Bond") => return,
            (_, "Port") => {
                let joined = self.word(block, "Node");
                match (self.word(block, "Domain"), joined) {
                    (Some("frame"), Some(triad)) => _ = self.triads.insert(name, triad),
                    (Some("bond"), Some(end)) => _ = self.bond_ports.insert(name, end),
                    (Some("bond" | "frame") | None, _) => {}
                    (Some(domain), joined) => {
                        let kind = kind_of_word(domain);
                        let own = self.node(name, kind);
                        if let Some(joined) = joined {
                            let joined = self.node(joined, kind);
                            self.union_of(own, joined);
                        }
                    }
                }
                if self.word(block, "Domain") != Some("bond") || joined.is_some() {
                    return;
                }
            }
            _ => {}
        }
        let written = self.sources.text(self.sources.written(block.keyword));
        let keyword = match (schema.keyword, written) {
            ("Signal", "Input") => "Input",
            ("Plugin", _) => self.word(block, "Type").unwrap_or("Plugin"),
            (keyword, _) => keyword,
        };
        self.names.entry(name).or_default().push(self.blocks.len());
        self.blocks.push((block, schema));
        self.model.elements.push(Element {
            name: name.into(),
            keyword: keyword.into(),
            family: schema.family,
            instance,
            terminals: Vec::new(),
            reads: Vec::new(),
            carries: Vec::new(),
            closes_loop: self.word(block, "Role") == Some("loop"),
        });
    }

    fn node(&mut self, name: &str, kind: Kind) -> usize {
        let is_reference = REFERENCES.contains(&name);
        let key = if is_reference { format!("{name} {kind:?}") } else { name.to_string() };
        let nodes = &mut self.model.nodes;
        *self.nodes.entry(key).or_insert_with(|| {
            self.union.push(nodes.len());
            nodes.push(Node { name: name.into(), kind, is_reference, ends: 0 });
            nodes.len() - 1
        })
    }

    fn representative(&self, mut node: usize) -> usize {
        while self.union[node] != node {
            node = self.union[node];
        }
        node
    }

    fn known_node(&self, name: &str) -> Option<usize> {
        let index = self.nodes.get(name).copied().or_else(|| {
            let is_reference = REFERENCES.contains(&name);
            let mut all = self.model.nodes.iter();
            all.position(|node| is_reference && node.name == name)
        });
        index.map(|index| self.representative(index))
    }

    /// The nodes are one; the second one's name is kept.
    fn union_of(&mut self, a: usize, b: usize) {
        let (a, b) = (self.representative(a), self.representative(b));
        self.union[a] = b;
    }

    /// The nodes at elements, which come into being by being named.
    fn join_ports(&mut self) {
        for index in 0..self.blocks.len() {
            let (block, schema) = self.blocks[index];
            for parameter in self.document.parameters(block) {
                let name = self.sources.text(parameter.name);
                let domain = match schema.parameter(name).map(|known| known.kind) {
                    Some(Value::Node(domain)) => kind_of_word(domain.words()),
                    Some(Value::Flange) => Kind::Rotational,
                    _ => continue,
                };
                for &value in self.document.values(parameter) {
                    let text = self.sources.text(self.document.node(value).span);
                    let node = self.node(text.trim_matches('"'), domain);
                    self.model.elements[index].terminals.push((name.into(), node));
                }
            }
        }
        // What a flange is, another element at its node may tell.
        for (index, (_, schema)) in self.blocks.iter().enumerate() {
            for (port, node) in &mut self.model.elements[index].terminals {
                let mut root = *node;
                while self.union[root] != root {
                    root = self.union[root];
                }
                *node = root;
                if let Some(Value::Node(domain)) = schema.parameter(port).map(|known| known.kind) {
                    self.model.nodes[root].kind = kind_of_word(domain.words());
                }
            }
        }
    }

    /// The body that a name stands for: that of a body, a triad, a port of a triad, or of the world.
    fn body_of(&self, name: &str) -> Option<Place> {
        let mut name = name;
        // A chain of ports has an end, but a broken text may go round.
        for _ in 0..1000 {
            if name == "world" {
                return Some(Place::World);
            }
            let bodies = self.names.get(name).into_iter().flatten();
            let mut bodies = bodies.filter(|&&e| self.blocks[e].1.family == Family::Body);
            match (self.triads.get(name), bodies.next()) {
                (Some(next), body) if *next != name => match body {
                    // A triad may have the name of its body.
                    Some(&body) if *next == self.model.elements[body].name => {
                        return Some(Place::Element(body));
                    }
                    _ => name = next,
                },
                (_, Some(&body)) => return Some(Place::Element(body)),
                _ => return None,
            }
        }
        None
    }

    /// The block that a reference names.
    fn target(&self, name: &str, target: Target) -> Option<Place> {
        let name = name.rsplit(':').next().unwrap_or(name).trim_matches('"');
        match target {
            Target::Body => {
                let mut known = self.names.get(name).into_iter().flatten();
                let body = known.find(|&&e| self.blocks[e].1.family == Family::Body);
                return match body {
                    Some(&body) => Some(Place::Element(body)),
                    None => self.body_of(name),
                };
            }
            Target::Triad => return self.triads.get(name).and_then(|next| self.body_of(next)),
            _ => {}
        }
        let mut name = name;
        for _ in 0..1000 {
            let mut known = self.names.get(name).into_iter().flatten();
            if let Some(&found) = known.find(|&&e| target.accepts(self.blocks[e].1)) {
                return Some(Place::Element(found));
            }
            match self.bond_ports.get(name) {
                Some(next) => name = next,
                None => break,
            }
        }
        match target {
            Target::BondEnd(_) => self.known_node(name).map(Place::Node),
            _ => None,
        }
    }

    /// Reads what an element is connected to besides nodes.
    fn connect(&mut self, index: usize) {
        let (block, schema) = self.blocks[index];
        for parameter in self.document.parameters(block) {
            let name = self.sources.text(parameter.name);
            match schema.parameter(name).map(|known| known.kind) {
                Some(Value::Node(_) | Value::Flange) => {}
                Some(Value::Reference(target)) => self.refer(index, parameter, target),
                Some(
                    Value::Word(_) | Value::Words(_) | Value::Name | Value::Names | Value::File
                    | Value::Text | Value::Signals,
                ) => {}
                None if schema.family == Family::Plugin => {
                    self.refer(index, parameter, Target::Body);
                    self.refer(index, parameter, Target::Triad);
                    self.refer(index, parameter, Target::Joint);
                    self.read(index, name, self.document.values(parameter).to_vec());
                }
                _ => self.read(index, name, self.document.values(parameter).to_vec()),
            }
        }
        let equations: Vec<_> = self.document.equations(block).to_vec();
        for equation in equations {
            self.read(index, "", vec![equation.left, equation.right]);
        }
        let sections: Vec<Block> = self.document.inner(block).to_vec();
        for section in &sections {
            for transition in self.document.transitions(section).to_vec() {
                self.read(index, "", vec![transition.condition]);
            }
            for set in self.document.equations(section).to_vec() {
                self.read(index, "", vec![set.right]);
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
        self.model.relations.push(Relation { from, to, kind, is_directed, is_dashed, name: name.into() });
    }

    /// A parameter that names another block.
    fn refer(&mut self, index: usize, parameter: &Parameter, target: Target) {
        let name = self.sources.text(parameter.name);
        let (_, schema) = self.blocks[index];
        let own = Place::Element(index);
        for &value in self.document.values(parameter) {
            let text = self.sources.text(self.document.node(value).span);
            let Some(other) = self.target(text, target).filter(|other| *other != own) else { continue };
            match (schema.family, name) {
                // The joint tells it.
                (Family::Body, "Parent") | (Family::Joint, "Parent") => {}
                (Family::Body, _) => self.relate(other, own, Kind::Mechanics, true, name),
                (Family::Joint, "TriadFrom") => self.relate(other, own, Kind::Mechanics, true, name),
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
    fn read(&mut self, index: usize, parameter: &str, expressions: Vec<NodeId>) {
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

    /// The block or node whose signal a path names.
    fn source(&self, path: &str) -> Option<Source> {
        let (keyword, path) = match path.split_once(':') {
            Some((keyword, path)) => (Some(keyword), path),
            None => (None, path),
        };
        let path = path.replace('"', "");
        // The signal is what is left behind the longest name.
        let ends = std::iter::once(path.len()).chain(path.rmatch_indices(['.', '[']).map(|m| m.0));
        for end in ends {
            let name = &path[..end];
            let signal = path[end..].trim_start_matches('.').split('[').next().unwrap_or("");
            let known = self.names.get(name).into_iter().flatten().copied();
            let fits = |&element: &usize| {
                let schema = self.blocks[element].1;
                let named = keyword.is_none_or(|keyword| schema.keyword == keyword);
                let has = schema.family == Family::Plugin
                    || (schema.is_value() && (signal.is_empty() || end < path.len()))
                    || schema.all_signals().any(|known| known.name == signal)
                    || (schema.keyword == "Automaton" && !signal.is_empty());
                named && has
            };
            if let Some(element) = known.clone().find(fits) {
                return Some(Source::Element(element));
            }
            if signal.is_empty() {
                continue;
            }
            if self.triads.contains_key(name)
                && let Some(Place::Element(body)) = self.body_of(name)
            {
                return Some(Source::Element(body));
            }
            if let Some(node) = self.known_node(name) {
                return Some(Source::Node(node));
            }
        }
        None
    }

    /// Bonds, and what is drawn with other blocks.
    fn attach(&mut self, block: &'s Block, schema: &'static BlockSchema) {
        let name = self.sources.text(block.name);
        match (schema.family, schema.keyword) {
            (_, "Bond") => {
                let kind = |parameter| schema.parameter(parameter).map(|known| known.kind);
                let end = |parameter| match (kind(parameter), self.word(block, parameter)) {
                    (Some(Value::Reference(target)), Some(name)) => self.target(name, target),
                    _ => None,
                };
                if let (Some(from), Some(to)) = (end("From"), end("To")) {
                    self.relate(from, to, Kind::Bond, true, name);
                }
            }
            (Family::Triad | Family::Primitive, _) => {
                let parent = self.word(block, "Parent").unwrap_or("world");
                let place = self.target(parent, Target::Body).or_else(|| self.body_of(parent));
                if let Some(Place::Element(body)) = place {
                    self.model.elements[body].carries.push(format!("{} {name}", schema.keyword));
                }
            }
            _ => {}
        }
    }

    fn finish(mut self) -> FlatModel {
        // Nodes that are one with another have no ends of their own.
        let roots: Vec<usize> = (0..self.union.len()).map(|n| self.representative(n)).collect();
        for element in &mut self.model.elements {
            for (_, node) in &mut element.terminals {
                *node = roots[*node];
            }
            for (_, source) in &mut element.reads {
                if let Source::Node(node) = source {
                    *node = roots[*node];
                }
            }
        }
        merge_variables(&mut self.model);
        self.model.index();
        self.model
    }
}

fn kind_of_word(domain: &str) -> Kind {
    match domain {
        "rotational" => Kind::Rotational,
        "translational" => Kind::Translational,
        "thermal" => Kind::Thermal,
        "hydraulic" => Kind::Hydraulic,
        _ => Kind::Electrical,
    }
}

/// Variables are drawn with the first Equations block of their instance: they have no connections of their own.
fn merge_variables(model: &mut FlatModel) {
    let mut equations: FxHashMap<Option<usize>, usize> = FxHashMap::default();
    for (index, element) in model.elements.iter().enumerate().rev() {
        if element.keyword == "Equations" {
            equations.insert(element.instance, index);
        }
    }
    let mut home: Vec<usize> = (0..model.elements.len()).collect();
    for index in 0..model.elements.len() {
        let element = &model.elements[index];
        let is_plain = element.keyword == "Variable" && element.terminals.is_empty();
        if let (true, Some(&into)) = (is_plain, equations.get(&element.instance)) {
            home[index] = into;
            let name = format!("Variable {}", element.name);
            let reads = std::mem::take(&mut model.elements[index].reads);
            model.elements[into].carries.push(name);
            model.elements[into].reads.extend(reads);
        }
    }
    let mut number = vec![0; home.len()];
    let mut next = 0;
    for index in 0..home.len() {
        number[index] = next;
        next += usize::from(home[index] == index);
    }
    let new: Vec<usize> = home.iter().map(|&home| number[home]).collect();
    let mut index = 0;
    model.elements.retain(|_| {
        index += 1;
        home[index - 1] == index - 1
    });
    for (index, element) in model.elements.iter_mut().enumerate() {
        for (_, source) in &mut element.reads {
            if let Source::Element(source) = source {
                *source = new[*source];
            }
        }
        element.reads.retain(|(_, source)| *source != Source::Element(index));
        let mut seen = Vec::new();
        element.reads.retain(|read| {
            let is_new = !seen.contains(read);
            seen.push(read.clone());
            is_new
        });
    }
    let moved = |place: &mut Place| {
        if let Place::Element(element) = place {
            *element = new[*element];
        }
    };
    for relation in &mut model.relations {
        moved(&mut relation.from);
        moved(&mut relation.to);
    }
    model.relations.retain(|relation| relation.from != relation.to);
    model.parts.iter_mut().flat_map(|part| &mut part.ports).for_each(|(_, place)| moved(place));
}
