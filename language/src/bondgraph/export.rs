//! A model with its networks written as a bond graph, as a text that can be simulated.
//!
//! Elements become the elements of the graph, everything else stays as it is written, and paths to signals are replaced:
//! `R1.i` is `R1.f`. What has no elementary kind, or has a signal that the graph does not have, stays in its network; bonds
//! end at its nodes.

use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

use super::derivation::{Derivation, DerivedPart, derive};
use super::export_texts::{Texts, path_name};
use super::graph::{ElementKind, Graph};
use super::simplification::simplify;
use crate::element::Family;
use crate::model::Model;
use crate::reading::ids::NodeId;
use crate::sketch::StartOf;
use equations::domain::Domain;

/// What an export asks of a model that has begun: the value of a signal, by its path, at the start.
pub type AtStart<'a> = dyn Fn(&str) -> Option<f64> + 'a;

/// A model whose networks are a bond graph.
#[derive(Clone, Debug)]
pub struct Exported {
    /// Its text.
    pub text: String,
    /// Paths to signals of the networks, and what they are in the graph: a path, or `(-path)`.
    pub paths: FxHashMap<String, String>,
}

/// A model whose networks are a bond graph, simplified if wanted.
pub fn export(model: &Model, simplified: bool, at_start: &AtStart<'_>) -> Exported {
    let texts = Texts::new(model);
    let (own, paths) = settle(model, &texts);
    let graph = if simplified { simplify(&own.graph).0 } else { own.graph.clone() };
    let parts = own.parts.iter().map(|part| (own.graph.elements[part.element].name.as_str(), part));
    let export = Export { model, texts, own: &own, parts: parts.collect(), paths, at_start };
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = export.write(&mut text, &graph);
    Exported { text, paths: export.paths }
}

/// The graph, with all elements that have to stay in their networks, and what paths become.
fn settle<'m>(model: &'m Model, texts: &Texts<'_>) -> (Derivation<'m>, FxHashMap<String, String>) {
    let mut kept: FxHashSet<u32> = FxHashSet::default();
    loop {
        let own = derive(model, &kept);
        let paths = paths(model, &own);
        let before = kept.len();
        let told = own.told.iter().filter_map(|(element, _)| own.graph.elements[*element].block);
        kept.extend(told);
        kept.extend(lost(model, texts, &own, &paths));
        kept.extend(inertias_at_open_nodes(model, &own));
        if kept.len() == before {
            return (own, paths);
        }
    }
}

/// The paths to signals of elements that became parts of the graph, and the same in the graph.
fn paths(model: &Model, own: &Derivation<'_>) -> FxHashMap<String, String> {
    let mut paths = FxHashMap::default();
    for part in &own.parts {
        let (keyword, name) =
            (model.blocks[part.block as usize].schema.keyword, model.block_name(part.block));
        for (signal, reading) in part.readings {
            let text = reading_of(&own.graph.elements[part.element].name, reading, part.turned);
            paths.insert(format!("{keyword}:{name}.{signal}"), text.clone());
            paths.insert(format!("{name}.{signal}"), text);
        }
    }
    for (index, node) in model.nodes.iter().enumerate() {
        let Some(place) = own.nodes[index] else { continue };
        let element = &own.graph.elements[place];
        if element.open || node.is_reference {
            continue;
        }
        let name = model.node_name(NodeId(index as u32));
        let (signal, variable) = potential(node.domain);
        let text = format!("{}.{variable}", path_name(&element.name));
        paths.insert(format!("node:{name}.{signal}"), text.clone());
        // An element of this name has its own signals.
        paths.entry(format!("{name}.{signal}")).or_insert(text);
    }
    paths
}

/// The signal of a node that the graph has too.
fn potential(domain: Domain) -> (&'static str, &'static str) {
    match domain {
        Domain::Rotational => ("w", "f"),
        Domain::Translational => ("v", "f"),
        _ => (domain.potential(), "e"),
    }
}

/// A reading with the name of its part; of a part that is turned round, effort, flow and what they integrate to change sign.
fn reading_of(name: &str, reading: &str, turned: bool) -> String {
    let name = path_name(name);
    let own = reading.trim_matches(['(', ')']);
    let is_negative = own.starts_with('-');
    let signal = own.rsplit('.').next().unwrap_or(own);
    let flips = turned && matches!(signal, "e" | "f" | "q" | "p");
    if is_negative != flips { format!("(-{name}.{signal})") } else { format!("{name}.{signal}") }
}

/// Elements with a signal that some expression reads and the graph does not have; elements at a node of that kind.
fn lost(
    model: &Model,
    texts: &Texts<'_>,
    own: &Derivation<'_>,
    paths: &FxHashMap<String, String>,
) -> Vec<u32> {
    let gone: FxHashMap<&str, u32> =
        own.parts.iter().map(|part| (model.block_name(part.block), part.block)).collect();
    let mut nodes: FxHashMap<&str, usize> = FxHashMap::default();
    for (index, place) in own.nodes.iter().enumerate() {
        let open = place.is_none_or(|place| own.graph.elements[place].open);
        if !open && !model.nodes[index].is_reference {
            nodes.insert(model.node_name(NodeId(index as u32)), index);
        }
    }
    let mut lost = Vec::new();
    for path in texts.paths().filter(|path| !paths.contains_key(*path)) {
        let bare = path.split_once(':').map_or(path, |(_, bare)| bare);
        let Some((name, _)) = bare.rsplit_once('.') else { continue };
        if let Some(&block) = gone.get(name).filter(|_| !path.starts_with("node:")) {
            lost.push(block);
        } else if let Some(&node) = nodes.get(name) {
            lost.extend(at_node(own, node));
        }
    }
    lost
}

/// The elements at a node.
fn at_node<'o>(own: &'o Derivation<'_>, node: usize) -> impl Iterator<Item = u32> + 'o {
    let place = own.nodes[node];
    let bonds = place.map_or(&[][..], |place| &own.graph.elements[place].bonds[..]);
    let neighbours = bonds.iter().map(move |&bond| own.graph.bonds[bond].other(place.unwrap_or(0)));
    neighbours
        .filter_map(|element| own.graph.elements[element].block)
        .filter(|block| own.parts.iter().any(|part| part.block == *block))
}

/// At a mechanical node of a network the inertias give the place at the start, which bonds do not know.
fn inertias_at_open_nodes(model: &Model, own: &Derivation<'_>) -> Vec<u32> {
    let open = (0..model.nodes.len()).filter(|&node| {
        let open = own.nodes[node].is_some_and(|place| own.graph.elements[place].open);
        open && model.nodes[node].domain.is_mechanical()
    });
    let is_inertia = |block: &u32| {
        matches!(
            model.blocks[*block as usize].schema.keyword,
            "Inertia" | "Mass" | "Motor" | "Generator"
        )
    };
    open.flat_map(|node| at_node(own, node)).filter(is_inertia).collect()
}

struct Export<'a, 'm> {
    model: &'m Model,
    texts: Texts<'m>,
    own: &'a Derivation<'m>,
    /// The parts by their names.
    parts: FxHashMap<&'a str, &'a DerivedPart<'m>>,
    paths: FxHashMap<String, String>,
    at_start: &'a AtStart<'a>,
}

impl Export<'_, '_> {
    fn write(&self, out: &mut String, graph: &Graph) -> std::fmt::Result {
        writeln!(out, "// The networks of this model as a bond graph, made by dysim.\n")?;
        let gone: FxHashSet<u32> = self.own.parts.iter().map(|part| part.block).collect();
        let joined = |block: u32| self.own.graph.elements.iter().any(|e| e.block == Some(block));
        for block in 0..self.model.blocks.len() as u32 {
            let schema = self.model.blocks[block as usize].schema;
            let is_replaced = gone.contains(&block)
                || schema.family == Family::Node
                || schema.keyword == "Bond"
                || (joined(block) && schema.keyword == "Port" && !self.texts.has_bonds(block));
            match schema.keyword {
                _ if is_replaced => {}
                "Junction0" | "Junction1" | "Include" => {}
                "Output" => self.output(out, block)?,
                _ => writeln!(out, "{}", self.texts.block(block, &self.paths))?,
            }
        }
        for port in self.texts.frame_ports() {
            writeln!(out, "{port}")?;
        }
        for element in &graph.elements {
            if element.kind == ElementKind::Signal {
                continue;
            }
            if let Some(part) = self.parts.get(element.name.as_str()) {
                self.part(out, &element.name, element.symbol, part)?;
            } else if element.kind.is_junction() && !element.open && element.symbol != "port" {
                writeln!(out, "Junction{} \"{}\" {{ }}", element.symbol, element.name)?;
            }
        }
        self.bonds(out, graph)
    }

    /// The bonds, and sources of nothing at junctions with one bond.
    fn bonds(&self, out: &mut String, graph: &Graph) -> std::fmt::Result {
        let end = |element: usize| {
            let element = &graph.elements[element];
            match (element.name.is_empty(), element.open && element.symbol != "port") {
                (true, _) => element.symbol.to_string(),
                (_, true) => format!("node:{}", element.name),
                _ => element.name.clone(),
            }
        };
        for (index, element) in graph.elements.iter().enumerate() {
            if element.kind.is_junction() && !element.open && element.bonds.len() == 1 {
                let (symbol, variable) =
                    if element.symbol == "1" { ("Se", "e") } else { ("Sf", "f") };
                let name = format!("{}_end", element.name);
                writeln!(out, "{symbol} \"{name}\" {{ {variable} = 0; }}")?;
                writeln!(out, "Bond \"{name}_bond\" {{ From = {name}; To = {}; }}", end(index))?;
            }
        }
        for bond in &graph.bonds {
            let (from, to) = (end(bond.from), end(bond.to));
            writeln!(out, "Bond \"{}\" {{ From = {from}; To = {to}; }}", bond.name)?;
        }
        Ok(())
    }

    /// An element of the graph.
    fn part(
        &self,
        out: &mut String,
        name: &str,
        symbol: &str,
        part: &DerivedPart<'_>,
    ) -> std::fmt::Result {
        let kind = self.own.graph.elements[part.element].kind;
        let parameter = match kind {
            _ if part.value.is_law => "Law",
            ElementKind::Se => "e",
            ElementKind::Sf => "f",
            ElementKind::R => "R",
            ElementKind::C => "C",
            ElementKind::I => "I",
            ElementKind::Transformer => "m",
            _ => "r",
        };
        let value = self.value(name, part);
        write!(out, "{symbol} \"{name}\" {{ {parameter} = {value};")?;
        if let Some(start) = part.start {
            let path = match start.of {
                StartOf::Own(signal) => {
                    let keyword = self.model.blocks[part.block as usize].schema.keyword;
                    format!("{keyword}:{}.{signal}", self.model.block_name(part.block))
                }
                StartOf::Node(node) => {
                    let signal = potential(self.model.nodes[node.index()].domain).0;
                    format!("node:{}.{signal}", self.model.node_name(node))
                }
            };
            if let Some(value) = (self.at_start)(&path) {
                let held = start.factor * value + start.offset;
                let held = if part.turned { -held } else { held };
                let letter = if kind == ElementKind::C { "Qinit" } else { "Pinit" };
                write!(out, " {letter} = {held:?};")?;
            }
        }
        writeln!(out, " }}")
    }

    /// The text of a value: what stands for something in its words is written out.
    fn value(&self, name: &str, part: &DerivedPart<'_>) -> String {
        let mut text = String::new();
        let mut rest = part.value.words.as_str();
        while let Some(letter) = rest.chars().next() {
            rest = &rest[letter.len_utf8()..];
            // `&.x`: the point belongs to the mark.
            let behind = if letter == '&' { rest.trim_start_matches('.') } else { rest };
            let length = behind.find(|c: char| !c.is_alphanumeric()).unwrap_or(behind.len());
            let (word, after) = behind.split_at(length);
            match letter {
                '$' => text += &self.given(part),
                '@' => text += &path_name(name),
                '%' => text += &self.control(part),
                '&' | '~' | '#' => {
                    text += &self.mentioned(letter, word, part);
                    rest = after;
                }
                _ => text.push(letter),
            }
        }
        text
    }

    /// A path in the graph.
    fn path(&self, path: String) -> String {
        self.paths.get(&path).cloned().unwrap_or(path)
    }

    /// A signal of the element, another part of it, or the potential of a node.
    fn mentioned(&self, mark: char, word: &str, part: &DerivedPart<'_>) -> String {
        match mark {
            '&' => self.path(format!("{}.{word}", self.model.block_name(part.block))),
            '~' => {
                let mut parts = self.own.parts.iter();
                let found = parts.find(|other| other.block == part.block && other.suffix == word);
                let name = found.map(|found| &self.own.graph.elements[found.element].name);
                path_name(name.map_or("", String::as_str))
            }
            _ => {
                let node = word.parse().ok().and_then(|number: usize| part.value.nodes.get(number));
                let Some(&node) = node else { return String::new() };
                let declared = &self.model.nodes[node.index()];
                if declared.is_reference {
                    return format!("{:?}", declared.domain.reference_potential(0.0));
                }
                let signal = potential(declared.domain).0;
                self.path(format!("{}.{signal}", self.model.node_name(node)))
            }
        }
    }

    /// The current of the controlling element.
    fn control(&self, part: &DerivedPart<'_>) -> String {
        let control = part.value.control.and_then(|id| self.model.elements.get(id.0 as usize));
        let name = control.map_or("", |element| self.model.block_name(element.block));
        self.path(format!("{name}.i"))
    }

    /// The text of the parameter that a part takes over.
    fn given(&self, part: &DerivedPart<'_>) -> String {
        let Some(given) = part.value.given else { return String::new() };
        let written = self.texts.parameter(part.block, given.parameter, &self.paths);
        let constant = || given.program.as_constant().map(|number| format!("{number:?}"));
        written.or_else(constant).unwrap_or_default()
    }

    /// The Output block, with the signals that are left.
    fn output(&self, out: &mut String, block: u32) -> std::fmt::Result {
        writeln!(out, "{}", self.texts.output(block, &self.paths))
    }
}
