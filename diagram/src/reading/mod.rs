//! Reads the flat text of a model.

mod connections;
mod names;
mod variables;

use language::element::{BlockSchema, Family, Kind as Value};
use language::model::registry;
use parser::source::Sources;
use parser::syntax::{Block, Document};
use rustc_hash::FxHashMap;

use crate::flat_model::{Element, FlatModel, Kind, Place, Source, parts};

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
    let instance_of = |block: &Block| {
        let innermost = sources.instances(block.name).first().copied();
        innermost.and_then(|instance| part_names.get(&*instance.name).copied())
    };
    for &(block, schema) in &found {
        reader.declare(block, schema, instance_of(block));
    }
    reader.join_ports();
    for index in 0..reader.blocks.len() {
        reader.connect(index);
    }
    for &(block, schema) in &found {
        reader.attach(block, schema, instance_of(block));
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
        variables::merge_variables(&mut self.model);
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
