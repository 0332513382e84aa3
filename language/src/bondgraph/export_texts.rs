//! The texts of blocks, with other paths to signals in their expressions.

use rustc_hash::FxHashMap;

use crate::model::Model;
use parser::source::Span;
use parser::syntax::{Block, Document, Node, NodeKind, Parameter};

/// The texts of a model, read once more: a model keeps only what they mean.
pub(super) struct Texts<'m> {
    model: &'m Model,
    documents: Vec<Document>,
    /// The document of each block, and its place there.
    places: Vec<Option<(usize, usize)>>,
}

/// A name as it stands in a path: in quotes if it is no word.
pub(super) fn path_name(name: &str) -> String {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
    if starts && name.chars().all(is_word) { name.into() } else { format!("\"{name}\"") }
}

impl<'m> Texts<'m> {
    /// The texts that the blocks of a model stand in.
    pub fn new(model: &'m Model) -> Self {
        let mut documents = Vec::new();
        let mut places = vec![None; model.blocks.len()];
        let mut blocks: FxHashMap<Span, u32> = FxHashMap::default();
        for block in 0..(model.blocks.len() - model.nodes.len()) as u32 {
            blocks.insert(model.name_span(block), block);
        }
        for source in model.sources.all() {
            let parsed = parser::parse(source);
            for (at, block) in parsed.document.blocks().iter().enumerate() {
                if let Some(own) = blocks.get(&block.name) {
                    places[*own as usize] = Some((documents.len(), at));
                }
            }
            documents.push(parsed.document);
        }
        Self { model, documents, places }
    }

    fn place(&self, block: u32) -> Option<(&Document, &Block)> {
        let (document, at) = (*self.places.get(block as usize)?)?;
        let document = &self.documents[document];
        Some((document, document.blocks().get(at)?))
    }

    /// Ports of triads, which are names and no blocks of the model.
    pub fn frame_ports(&self) -> Vec<&str> {
        let mut ports = Vec::new();
        for (index, document) in self.documents.iter().enumerate() {
            let at = |own: usize| Some((index, own));
            for (own, block) in document.blocks().iter().enumerate() {
                let text = |span: Span| self.model.sources.text(span);
                let is_port = text(block.keyword) == "Port" && !self.places.contains(&at(own));
                if is_port && self.places.iter().flatten().any(|place| place.0 == index) {
                    ports.push(text(block.span));
                }
            }
        }
        ports
    }

    /// Whether a block names the end of a bond.
    pub fn has_bonds(&self, block: u32) -> bool {
        let is_bond = |(document, own): (&Document, &Block)| {
            let mut parameters = document.parameters(own).iter();
            parameters.any(|own| self.model.sources.text(own.value).trim() == "bond")
        };
        self.place(block).is_some_and(is_bond)
    }

    /// All paths in the texts.
    pub fn paths(&self) -> impl Iterator<Item = &str> + '_ {
        let used = |index: &usize| self.places.iter().flatten().any(|(own, _)| own == index);
        let documents = self.documents.iter().enumerate().filter(move |(index, _)| used(index));
        let nodes = documents.flat_map(|(_, document)| document.nodes());
        let names = nodes.filter(|node| node.kind == NodeKind::Name);
        names.map(|node| self.model.sources.text(node.span)).filter(|text| text.contains('.'))
    }

    /// The names and paths in the values of a block.
    pub fn paths_of(&self, block: u32) -> impl Iterator<Item = &str> + '_ {
        let parameters = self.place(block).map(|(document, own)| {
            let values = document.parameters(own).iter().map(|own| own.value);
            let lines = document.equations(own).iter().map(|own| own.span);
            (document, values.chain(lines).collect::<Vec<_>>())
        });
        let names = parameters.into_iter().flat_map(move |(document, spans)| {
            spans.into_iter().flat_map(move |span| names_in(document, span))
        });
        names.map(|span| self.model.sources.text(span))
    }

    /// A piece of text with other paths.
    fn replaced(
        &self,
        document: &Document,
        span: Span,
        paths: &FxHashMap<String, String>,
    ) -> String {
        let names = names_in(document, span);
        let whole = self.model.sources.text(span);
        let mut text = String::new();
        let mut done = 0;
        for name in names {
            let path = self.model.sources.text(name).replace('"', "");
            let Some(new) = paths.get(&path) else { continue };
            let (from, to) = ((name.start - span.start) as usize, (name.end - span.start) as usize);
            text += whole.get(done..from).unwrap_or("");
            text += new;
            done = to;
        }
        text + whole.get(done..).unwrap_or("")
    }

    /// A block with other paths.
    pub fn block(&self, block: u32, paths: &FxHashMap<String, String>) -> String {
        let place = self.place(block);
        place.map_or(String::new(), |(document, own)| self.replaced(document, own.span, paths))
    }

    /// The value of a parameter, with other paths.
    pub fn parameter(
        &self,
        block: u32,
        name: &str,
        paths: &FxHashMap<String, String>,
    ) -> Option<String> {
        let (document, own) = self.place(block)?;
        let mut parameters = document.parameters(own).iter();
        let found = parameters.find(|own| self.model.sources.text(own.name) == name)?;
        Some(self.replaced(document, found.value, paths))
    }

    /// The block that lists results: signals with the other sign are written as they are without it.
    pub fn output(&self, block: u32, paths: &FxHashMap<String, String>) -> String {
        let Some((document, own)) = self.place(block) else { return String::new() };
        let mut text = format!("Output \"{}\" {{", self.model.sources.text(own.name));
        for parameter in document.parameters(own) {
            let name = self.model.sources.text(parameter.name);
            text += &format!(" {name} = {};", self.entry(document, parameter, paths));
        }
        text + " }"
    }

    fn entry(
        &self,
        document: &Document,
        parameter: &Parameter,
        paths: &FxHashMap<String, String>,
    ) -> String {
        let values = document.values(parameter).iter();
        let values = values.map(|id| {
            let text = self.replaced(document, document.node(*id).span, paths);
            text.trim_matches(['(', ')', '-']).to_string()
        });
        values.collect::<Vec<_>>().join(", ")
    }
}

/// The names and paths in a piece of text, in its order.
fn names_in(document: &Document, span: Span) -> Vec<Span> {
    let nodes = document.nodes();
    // Nodes stand in the order in which they were read: those of a piece of text are neighbours.
    let first = nodes.partition_point(|node| node.span.end <= span.start);
    let inside = |node: &&Node| node.span.start < span.end;
    let names = nodes[first..].iter().take_while(inside);
    let names = names.filter(|node| node.kind == NodeKind::Name && span.start <= node.span.start);
    let mut names: Vec<Span> = names.map(|node| node.span).collect();
    names.sort_unstable_by_key(|name| name.start);
    names.dedup();
    names
}
