//! The texts of a model: the main file, the files that it includes, values of the command line, the table of inputs.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use parser::codes as text_codes;
use parser::diagnostic::{Diagnostic, Diagnostics};
use parser::emit::Emitted;
use parser::source::{Sources, Span};
use parser::suggest::nearest;
use parser::syntax::{Block, Document, NodeKind};

use crate::blocks::network::signals::table::TABLE;
use crate::codes;
use crate::decoding::decode;
use crate::expansion::file_scopes::FileScope;
use crate::expansion::unused::{certain, expand_unused};
use crate::expansion::{self, ComponentTable, Flat, FlatBlock, expand, is_needed};
use crate::files::{Files, LoadError, find_included};
use crate::model::elaborate::Order;
use crate::model::plugins::Plugins;
use crate::reading::fields::points;
use crate::reading::input_table::{InputTable, Inputs};
use crate::spice::{self, Imported, spice_codes};

/// The name of the text of the flat model.
const FLAT: &str = "<expanded model>";
/// The name of the translation of a netlist.
const TRANSLATION: &str = "<translated netlist>";

/// Deepest chain of files that include each other.
const MAX_INCLUDE_DEPTH: usize = 64;

/// All texts of a model while they are gathered.
pub(crate) struct Texts {
    pub sources: Sources,
    pub documents: Vec<Document>,
    /// The directory of each document.
    pub directories: Vec<PathBuf>,
    /// The blocks of the main file with what it includes, then those of files that are included under a name.
    pub scopes: Vec<FileScope>,
    pub order: Order,
    /// The blocks of a model of components that nothing uses, which is only checked.
    pub unused: Order,
    /// The components that the main file can name.
    pub components: Vec<ComponentTable>,
    pub diagnostics: Diagnostics,
    /// Is the main text a SPICE netlist?
    pub is_netlist: bool,
    /// The index of its translation.
    pub translation: Option<usize>,
    /// Files of a scope that were read so far, and the place where each is included.
    known: HashMap<(usize, PathBuf), Span>,
    /// The scopes of files that are included under a name.
    named: HashMap<PathBuf, usize>,
}

/// May blocks be missing, because some text or file could not be read?
fn texts_are_lost(order: &Order, documents: &[Document]) -> bool {
    order.lost_file || documents.iter().any(Document::lost_blocks)
}

/// A file whose blocks are being walked through.
struct Open {
    document: u32,
    next: u32,
    scope: usize,
    directory: PathBuf,
    identity: Option<PathBuf>,
}

impl Texts {
    pub(crate) fn new(strict: bool) -> Self {
        Self {
            sources: Sources::default(),
            documents: Vec::new(),
            directories: Vec::new(),
            scopes: vec![FileScope::default()],
            order: Order::default(),
            unused: Order::default(),
            components: Vec::new(),
            diagnostics: Diagnostics::new(strict),
            is_netlist: false,
            translation: None,
            known: HashMap::new(),
            named: HashMap::new(),
        }
    }

    /// Adds the main text, and each included file at the place of its Include block.
    pub(crate) fn add_main(
        &mut self,
        name: &str,
        bytes: Vec<u8>,
        directory: PathBuf,
        identity: Option<PathBuf>,
        libraries: &[PathBuf],
        files: &dyn Files,
    ) {
        let document = match self.is_netlist {
            true => self.add_netlist(name, &bytes, &directory, files),
            false => self.add(name, bytes, &directory, Span::default()),
        };
        let Some(document) = document else { return };
        self.known.extend(identity.clone().map(|identity| ((0, identity), Span::default())));
        // A stack of files: an Include block puts its file on top.
        let mut open = vec![Open { document, next: 0, scope: 0, directory, identity }];
        while let Some(file) = open.last_mut() {
            let (document, index, scope) = (file.document, file.next, file.scope);
            file.next += 1;
            let Some(&block) = self.documents[document as usize].blocks().get(index as usize)
            else {
                open.pop();
                continue;
            };
            self.scopes[scope].blocks.push((document, index));
            if self.sources.text(block.keyword) == "Include" {
                let included = self.include(document, &block, &open, libraries, files);
                open.extend(included);
            }
        }
    }

    /// Adds a SPICE netlist with the files that it includes, and its translation, whose document it gives.
    fn add_netlist(
        &mut self,
        name: &str,
        bytes: &[u8],
        directory: &Path,
        files: &dyn Files,
    ) -> Option<u32> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let index = self.sources.add(name, text).ok()?;
        let read = |path: &Path| files.read(path);
        let Imported { text, diagnostics, pieces, missing } =
            spice::import_files(&mut self.sources, index, directory, &read);
        let is_wrong = diagnostics.errors() > 0;
        self.diagnostics.append(diagnostics);
        if let Some(span) = missing.filter(|_| !is_wrong) {
            let message = "the netlist is translated in part only";
            let help = "`dysim import-spice` writes what can be translated";
            self.diagnostics.push(Diagnostic::new(spice_codes::PARTLY, span, message).help(help));
        }
        let added = self.sources.add_translation(TRANSLATION, text, &pieces).ok()?;
        // A text that is no model has an empty document.
        while self.documents.len() < added {
            self.documents.push(Document::EMPTY);
            self.directories.push(directory.to_path_buf());
        }
        self.directories.push(directory.to_path_buf());
        self.translation = Some(added);
        if is_wrong {
            // What else is wrong follows from that.
            self.order.lost_file = true;
            self.documents.push(Document::EMPTY);
            return Some(added as u32);
        }
        let parsed = parser::parse(self.sources.get(added)?);
        self.diagnostics.append(parsed.diagnostics);
        self.documents.push(parsed.document);
        Some(added as u32)
    }

    /// Reads the file of an Include block, unless it is known already.
    fn include(
        &mut self,
        document: u32,
        block: &Block,
        open: &[Open],
        libraries: &[PathBuf],
        files: &dyn Files,
    ) -> Option<Open> {
        let (name, span) = self.file_name(document, block)?;
        let namespace = self.value_of(document, block, "As");
        let including = open.last()?;
        let scope = including.scope;
        let found = match find_included(&name, &including.directory, libraries, files) {
            Ok(found) => found,
            Err((path, error)) => {
                let message = LoadError { path, error }.to_string();
                let help = where_files_may_be(&name);
                self.diagnostics
                    .push(Diagnostic::new(codes::FILE_NOT_READ, span, message).help(help));
                self.order.lost_file = true;
                return None;
            }
        };
        let identity = found.identity;
        // A file on the stack includes itself.
        if let Some(at) = open.iter().position(|file| file.identity.as_ref() == Some(&identity)) {
            self.includes_itself(&open[at..], span);
            return None;
        }
        let scope = match namespace {
            Some((namespace, place)) => {
                let known = self.named.get(&identity).copied();
                let target = known.unwrap_or(self.scopes.len());
                self.add_namespace(scope, namespace, target, place)?;
                if known.is_some() {
                    return None;
                }
                self.named.insert(identity.clone(), target);
                self.scopes.push(FileScope::default());
                target
            }
            None => {
                // A file that was read before adds nothing.
                if let Some(&first) = self.known.get(&(scope, identity.clone())) {
                    let message = format!("`{name}` is included a second time, which adds nothing");
                    let twice = Diagnostic::new(codes::INCLUDED_TWICE, span, message);
                    let help = "remove one of the Include blocks; to have a part twice, make a Component of it";
                    self.diagnostics.push(twice.also(first, "included here first").help(help));
                    return None;
                }
                scope
            }
        };
        if open.len() >= MAX_INCLUDE_DEPTH {
            let message =
                format!("files include each other deeper than {MAX_INCLUDE_DEPTH} levels");
            self.order.lost_file = true;
            self.diagnostics.push(Diagnostic::new(codes::INCLUDE_CYCLE, span, message));
            return None;
        }
        self.known.insert((scope, identity.clone()), span);
        let directory = found.path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let document =
            self.add(&found.path.display().to_string(), found.bytes, &directory, span)?;
        Some(Open { document, next: 0, scope, directory, identity: Some(identity) })
    }

    /// Gives a file the name under which another sees it; nothing if the name is taken.
    fn add_namespace(
        &mut self,
        scope: usize,
        name: String,
        target: usize,
        place: Span,
    ) -> Option<()> {
        let known = self.scopes[scope].namespaces.iter().find(|(known, _, _)| *known == name);
        if let Some(&(_, _, first)) = known {
            let message = format!("two files are included as `{name}`");
            let mistake = Diagnostic::new(codes::DUPLICATE_NAME, place, message);
            self.diagnostics
                .push(mistake.also(first, "the first one").help("give one of them another name"));
            return None;
        }
        self.scopes[scope].namespaces.push((name, target, place));
        Some(())
    }

    fn includes_itself(&mut self, open: &[Open], span: Span) {
        let chain: Vec<String> = open
            .iter()
            .filter_map(|file| self.sources.get(file.document as usize))
            .map(|source| format!("`{}`", source.name()))
            .collect();
        let message = format!("this file includes itself: {} -> {}", chain.join(" -> "), chain[0]);
        let help = "remove one of the Include blocks";
        self.diagnostics.push(Diagnostic::new(codes::INCLUDE_CYCLE, span, message).help(help));
    }

    /// Reads the files of the Table blocks, whose names are relative to the main file.
    pub(crate) fn read_tables(&mut self, files: &dyn Files) {
        let directory = self.directories.first().cloned().unwrap_or_default();
        for at in 0..self.order.blocks.len() {
            let (document, index) = self.order.blocks[at];
            let Some(&block) = self.documents[document as usize].blocks().get(index as usize)
            else {
                continue;
            };
            if self.sources.text(block.keyword) == TABLE.keyword {
                // A block that is not expanded has a name relative to its own file.
                let own = self.directories.get(document as usize).cloned();
                self.read_points(
                    document,
                    &block,
                    &own.unwrap_or_else(|| directory.clone()),
                    files,
                );
            }
        }
    }

    /// Reads the file of a Table block, if it names one.
    fn read_points(&mut self, document: u32, block: &Block, directory: &Path, files: &dyn Files) {
        let Some((name, span)) = self.file_name(document, block) else { return };
        let path = directory.join(&name);
        let mistake = match files.read(&path) {
            Ok(bytes) => match points(&decode(bytes).text) {
                Ok(points) => {
                    self.order.data.insert(span, points);
                    return;
                }
                Err(line) => {
                    let message = format!("line {line} of `{name}` has not two numbers");
                    let help = "each line has x and y, separated by blanks or a comma";
                    Diagnostic::new(codes::WRONG_TYPE, span, message).help(help)
                }
            },
            Err(error) => {
                let message = LoadError { path, error }.to_string();
                let help = "the path is relative to the file with the Table block";
                Diagnostic::new(codes::FILE_NOT_READ, span, message).help(help)
            }
        };
        self.diagnostics.push(mistake);
    }

    /// The file name in an Include block; mistakes are reported when the block is read.
    fn file_name(&self, document: u32, block: &Block) -> Option<(String, Span)> {
        self.value_of(document, block, "File")
    }

    /// A name or text that a block gives.
    fn value_of(&self, document: u32, block: &Block, name: &str) -> Option<(String, Span)> {
        let document = &self.documents[document as usize];
        let is_named = |span| self.sources.text(span) == name;
        let parameter =
            document.parameters(block).iter().find(|parameter| is_named(parameter.name))?;
        let [single] = document.values(parameter) else { return None };
        let node = document.node(*single);
        let text = self.sources.text(node.span);
        let name = if node.kind == NodeKind::Text { text.trim_matches('"') } else { text };
        (!name.is_empty()).then(|| (name.to_string(), node.span))
    }

    /// Decodes, parses and keeps a text.
    fn add(&mut self, name: &str, bytes: Vec<u8>, directory: &Path, asked: Span) -> Option<u32> {
        let decoded = decode(bytes);
        let Ok(index) = self.sources.add(name, decoded.text) else {
            let message = format!("with `{name}` the model is larger than 4 GiB");
            let help = "meshes and tables are read from their own files";
            self.diagnostics.push(Diagnostic::new(codes::TOO_LARGE, asked, message).help(help));
            return None;
        };
        self.directories.push(directory.to_path_buf());
        let source = self.sources.get(index)?;
        let invalid: Vec<Span> = decoded
            .invalid
            .iter()
            .map(|(at, len)| Span::new(source.base() + at, source.base() + at + len))
            .collect();
        for &span in &invalid {
            let message = "this is not UTF-8 text";
            let diagnostic = Diagnostic::new(text_codes::INVALID_UTF8, span, message);
            self.diagnostics.push(diagnostic.help(decoded.help));
        }
        if decoded.unreadable {
            self.order.lost_file = true;
            self.documents.push(Document::EMPTY);
            return Some(index as u32);
        }
        let parsed = parser::parse(source);
        if invalid.is_empty() {
            self.diagnostics.append(parsed.diagnostics);
        } else {
            // Places that are not UTF-8 are reported once, and not again as unexpected characters.
            let starts: HashSet<u32> = invalid.iter().map(|span| span.start).collect();
            let others = parsed.diagnostics.iter();
            let others = others.filter(|d| !starts.contains(&d.primary.span.start));
            others.for_each(|diagnostic| self.diagnostics.push(diagnostic.clone()));
        }
        self.documents.push(parsed.document);
        Some(index as u32)
    }

    /// Puts the blocks in their order: as they are written, or those of the flat model that components expand to.
    pub(crate) fn put_in_order(&mut self, plugins: Plugins, asks_for_flat_text: bool) {
        let is_flat = asks_for_flat_text || is_needed(&self.sources, &self.documents, &self.scopes);
        if !is_flat {
            self.order.blocks = std::mem::take(&mut self.scopes[0].blocks);
            return;
        }
        let texts = expansion::Texts {
            sources: &self.sources,
            documents: &self.documents,
            directories: &self.directories,
            scopes: &self.scopes,
            overrides: &self.order.overrides,
            plugins,
            lost_blocks: texts_are_lost(&self.order, &self.documents),
            notes_ports: asks_for_flat_text,
        };
        let Flat { emitted, order, diagnostics, used, has_lost_parts, components } = expand(texts);
        self.components = components;
        self.order.lost_file |= has_lost_parts;
        self.diagnostics.append(diagnostics);
        self.order.blocks = self.placed(&order);
        self.order.flat = self.add_flat(emitted);
        // Components that nothing uses are checked in a model of their own.
        let texts = expansion::Texts {
            sources: &self.sources,
            documents: &self.documents,
            directories: &self.directories,
            scopes: &self.scopes,
            overrides: &self.order.overrides,
            plugins,
            lost_blocks: texts_are_lost(&self.order, &self.documents),
            notes_ports: false,
        };
        if let Some(Flat { emitted, order, diagnostics, .. }) = expand_unused(texts, &used) {
            self.diagnostics.append(certain(&diagnostics));
            self.unused.blocks = self.placed(&order);
            self.add_flat(emitted);
        }
    }

    /// The places of blocks; those that were written anew are in the next document.
    fn placed(&self, order: &[FlatBlock]) -> Vec<(u32, u32)> {
        let next = self.documents.len() as u32;
        let place = |block: &FlatBlock| match *block {
            FlatBlock::Emitted(index) => (next, index),
            FlatBlock::Written(document, index) => (document, index),
        };
        order.iter().map(place).collect()
    }

    fn add_flat(&mut self, emitted: Emitted) -> Option<usize> {
        let Emitted { text, document, origins, too_large } = emitted;
        let added = self.sources.add_generated(FLAT, text, origins);
        if too_large || added.is_err() {
            let message = "the expanded model is larger than 4 GiB";
            self.diagnostics.push(Diagnostic::new(codes::TOO_LARGE, Span::default(), message));
        }
        self.documents.push(document);
        self.directories.push(self.directories.first().cloned().unwrap_or_default());
        added.ok()
    }

    /// Values from the command line, as texts of their own.
    pub(crate) fn add_overrides(&mut self, set: &[String]) {
        for assignment in set {
            let Ok(index) = self.sources.add("--set", assignment.as_str()) else { continue };
            let Some(source) = self.sources.get(index) else { continue };
            let parsed = parser::parse_assignment(source);
            self.diagnostics.append(parsed.diagnostics);
            if let Some(parameter) = parsed.assignment {
                self.order.overrides.push((self.documents.len() as u32, parameter));
            }
            self.documents.push(parsed.document);
            self.directories.push(PathBuf::new());
        }
    }

    /// The table that Input blocks follow, as a text of its own. It is the last one: it has no document.
    pub(crate) fn add_inputs(&mut self, inputs: Option<&Inputs>) {
        let Some(Inputs { name, bytes }) = inputs else { return };
        let decoded = decode(bytes.to_vec());
        let Ok(index) = self.sources.add(name.as_str(), decoded.text) else {
            let message = format!("with `{name}` the model is larger than 4 GiB");
            self.diagnostics.push(Diagnostic::new(codes::TOO_LARGE, Span::default(), message));
            return;
        };
        let Some(source) = self.sources.get(index) else { return };
        for (at, len) in decoded.invalid {
            let span = Span::new(source.base() + at, source.base() + at + len);
            let mistake = Diagnostic::new(text_codes::INVALID_UTF8, span, "this is not UTF-8 text");
            self.diagnostics.push(mistake.help(decoded.help));
        }
        if !decoded.unreadable {
            self.order.inputs = Some(InputTable::read(source, &mut self.diagnostics));
        }
    }
}

/// What to do about a file that is not there.
fn where_files_may_be(name: &str) -> String {
    match nearest(name, library::FILES.iter().map(|file| file.name)) {
        Some(near) => format!("did you mean `{near}` of the library?"),
        None => "the path is relative to the file with the Include block; files are also looked for in the \
                 directories of `--library` and in the library of the program"
            .into(),
    }
}
