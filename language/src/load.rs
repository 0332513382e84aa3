//! Reading the files of a model and putting it together.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parser::codes as text_codes;
use parser::diagnostic::{Diagnostic, Diagnostics};
use parser::source::{Sources, Span};
use parser::syntax::{Block, Document, NodeKind};

use crate::blocks::general::Analysis;
use crate::blocks::network::signals::table::TABLE;
use crate::bondgraph;
use crate::codes;
use crate::model::elaborate::{Choices, Order, elaborate};
use crate::model::plugins::Plugins;
use crate::model::{Model, checks};
use crate::reading::fields::points;
use crate::reading::input_table::{InputTable, Inputs};
use crate::wiring;

/// Where files come from.
pub trait Files {
    /// The content of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// One name for each file, whatever path leads to it.
    fn identity(&self, path: &Path) -> PathBuf;
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Disk {
    /// The file of a model as it is named on a command line: the suffix `.dys` may be left out.
    pub fn model_path(&self, path: &Path) -> PathBuf {
        let mut longer = path.as_os_str().to_owned();
        longer.push(".dys");
        let longer = PathBuf::from(longer);
        let named = path.extension().is_some_and(|suffix| suffix == "dys");
        // If neither file exists, the message names the file with the suffix, which a user expects.
        let missing = !path.exists() && !named;
        if !path.is_file() && (longer.is_file() || missing) { longer } else { path.to_path_buf() }
    }
}

/// Most bytes read from an input that is no file, such as a pipe or a device: some devices never end.
const LONGEST_STREAM: u64 = 1 << 28;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = std::fs::File::open(path)?;
        if file.metadata()?.is_file() {
            return std::fs::read(path);
        }
        let mut bytes = Vec::new();
        let read = file.take(LONGEST_STREAM).read_to_end(&mut bytes)?;
        match (read as u64) < LONGEST_STREAM {
            true => Ok(bytes),
            false => Err(io::Error::other("it does not end")),
        }
    }

    fn identity(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
    }
}

/// The model's main text.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file; its directory is where includes are looked for.
    File(PathBuf),
    /// A text with a name, such as standard input; includes are looked for in the current directory.
    Text {
        /// Shown in messages.
        name: String,
        /// The content.
        bytes: Vec<u8>,
    },
}

/// How a model is read.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// `NAME=VALUE` for entries of Parameters blocks.
    pub set: Vec<String>,
    /// Warnings count as errors.
    pub strict: bool,
    /// Impossible masses and inertias are warnings only.
    pub allow_unphysical: bool,
    /// The plugins that Plugin blocks may name.
    pub plugins: Plugins,
    /// Analysis instead of `Type` of the Solver block.
    pub analysis: Option<Analysis>,
    /// The table that the Input blocks follow.
    pub inputs: Option<Inputs>,
    /// Mistakes in primitives are warnings only, because nothing is drawn.
    pub only_warns_of_primitives: bool,
}

/// The main file could not be read.
#[derive(Debug)]
pub struct LoadError {
    /// Path of the file.
    pub path: PathBuf,
    /// Reason of the failure.
    pub error: io::Error,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.error.kind() {
            io::ErrorKind::NotFound => "there is no such file".into(),
            io::ErrorKind::IsADirectory => "this is a directory, not a model file".into(),
            io::ErrorKind::PermissionDenied => "reading it is not permitted".into(),
            _ => self.error.to_string(),
        };
        write!(f, "cannot read `{}`: {reason}", self.path.display())
    }
}

impl std::error::Error for LoadError {}

/// The result of [`load`].
#[derive(Debug)]
pub struct Loaded {
    /// The texts, for showing the messages.
    pub sources: Arc<Sources>,
    /// All messages about the texts.
    pub diagnostics: Diagnostics,
    /// The model, if there is no error.
    pub model: Option<Arc<Model>>,
}

impl Inputs {
    /// The table of a `.csv` file.
    ///
    /// # Errors
    /// If the file cannot be read. Mistakes in its content are reported when a model takes the table.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let bytes = Disk.read(path).map_err(|error| LoadError { path: path.into(), error })?;
        Ok(Self { name: path.display().to_string(), bytes: bytes.into() })
    }
}

/// Deepest chain of files that include each other.
const MAX_INCLUDE_DEPTH: usize = 64;

/// Reads a model with all its includes, and checks it.
pub fn load(input: Input, options: &LoadOptions, files: &dyn Files) -> Result<Loaded, LoadError> {
    let (name, bytes, path) = match input {
        Input::File(path) => match files.read(&path) {
            Ok(bytes) => (path.display().to_string(), bytes, Some(path)),
            Err(error) => return Err(LoadError { path, error }),
        },
        Input::Text { name, bytes } => (name, bytes, None),
    };
    // Gather all texts: the main text with its includes, values of the command line, the table of inputs.
    let stem =
        path.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    let mut texts = Texts::new(options.strict);
    let directory =
        path.as_deref().and_then(Path::parent).map_or_else(PathBuf::new, Path::to_path_buf);
    let identity = path.as_deref().map(|path| files.identity(path));
    texts.add_main(&name, bytes, directory, identity, files);
    texts.add_overrides(&options.set);
    texts.add_inputs(options.inputs.as_ref());
    // Put the model together, then check its equations.
    let Texts { sources, documents, order, diagnostics, .. } = texts;
    let sources = Arc::new(sources);
    let stem = stem.unwrap_or_else(|| "model".into());
    let LoadOptions { plugins, allow_unphysical, analysis, only_warns_of_primitives, .. } =
        *options;
    let choices = Choices { plugins, allow_unphysical, analysis, only_warns_of_primitives };
    let (mut model, mut diagnostics) =
        elaborate(&sources, &documents, &order, diagnostics, choices, &stem);
    check_equations(&mut model, &mut diagnostics);
    diagnostics.sort();
    let model = (diagnostics.errors() == 0).then(|| Arc::new(model));
    Ok(Loaded { sources, diagnostics, model })
}

/// Reports mistakes that show only when bond graphs and equations are made of a model without other mistakes; the model
/// keeps the equations.
fn check_equations(model: &mut Model, diagnostics: &mut Diagnostics) {
    if diagnostics.errors() == 0 {
        bondgraph::check(model).into_iter().for_each(|mistake| diagnostics.push(mistake));
    }
    if diagnostics.errors() == 0 {
        let written = wiring::write(model);
        let unfit = checks::network_switching(model, &written.switching);
        written.mistakes.into_iter().chain(unfit).for_each(|mistake| diagnostics.push(mistake));
        model.equations = written.equations.map(Arc::new);
    }
}

/// All texts of a model while they are gathered.
struct Texts {
    sources: Sources,
    documents: Vec<Document>,
    /// Blocks in the order of the text, with included files in place: document and index in the document.
    order: Order,
    diagnostics: Diagnostics,
    /// Files read so far, and the place where each file is included.
    known: HashMap<PathBuf, Span>,
}

/// A file whose blocks are being walked through.
struct Open {
    document: u32,
    next: u32,
    directory: PathBuf,
    identity: Option<PathBuf>,
}

impl Texts {
    fn new(strict: bool) -> Self {
        Self {
            sources: Sources::default(),
            documents: Vec::new(),
            order: Order::default(),
            diagnostics: Diagnostics::new(strict),
            known: HashMap::new(),
        }
    }

    /// Adds the main text, and each included file at the place of its Include block.
    fn add_main(
        &mut self,
        name: &str,
        bytes: Vec<u8>,
        directory: PathBuf,
        identity: Option<PathBuf>,
        files: &dyn Files,
    ) {
        let Some(document) = self.add(name, bytes, Span::default()) else { return };
        self.known.extend(identity.clone().map(|identity| (identity, Span::default())));
        // A stack of files: an Include block puts its file on top.
        let mut open = vec![Open { document, next: 0, directory, identity }];
        while let Some(file) = open.last_mut() {
            let (document, index) = (file.document, file.next);
            file.next += 1;
            let Some(&block) = self.documents[document as usize].blocks().get(index as usize)
            else {
                open.pop();
                continue;
            };
            self.order.blocks.push((document, index));
            if self.sources.text(block.keyword) == "Include" {
                let included = self.include(document, &block, &open, files);
                open.extend(included);
            } else if self.sources.text(block.keyword) == TABLE.keyword
                && let Some(file) = open.last()
            {
                let directory = file.directory.clone();
                self.read_points(document, &block, &directory, files);
            }
        }
    }

    /// Reads the file of an Include block, unless it is known already.
    fn include(
        &mut self,
        document: u32,
        block: &Block,
        open: &[Open],
        files: &dyn Files,
    ) -> Option<Open> {
        let (name, span) = self.file_name(document, block)?;
        let path = open.last()?.directory.join(&name);
        let identity = files.identity(&path);
        // A file on the stack includes itself.
        if let Some(at) = open.iter().position(|file| file.identity.as_ref() == Some(&identity)) {
            let chain: Vec<String> = open[at..]
                .iter()
                .filter_map(|file| self.sources.get(file.document as usize))
                .map(|source| format!("`{}`", source.name()))
                .collect();
            let message =
                format!("this file includes itself: {} -> {}", chain.join(" -> "), chain[0]);
            let help = "remove one of the Include blocks";
            let diagnostic = Diagnostic::new(codes::INCLUDE_CYCLE, span, message);
            self.diagnostics.push(diagnostic.help(help));
            return None;
        }
        // A file that was read before adds nothing.
        if let Some(&first) = self.known.get(&identity) {
            let message = format!("`{name}` is included a second time, which adds nothing");
            let twice = Diagnostic::new(codes::INCLUDED_TWICE, span, message);
            let help = "remove one of the Include blocks; to have a part twice, copy its blocks under other names";
            self.diagnostics.push(twice.also(first, "included here first").help(help));
            return None;
        }
        if open.len() >= MAX_INCLUDE_DEPTH {
            let message =
                format!("files include each other deeper than {MAX_INCLUDE_DEPTH} levels");
            self.order.lost_file = true;
            self.diagnostics.push(Diagnostic::new(codes::INCLUDE_CYCLE, span, message));
            return None;
        }
        let bytes = match files.read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let message = LoadError { path, error }.to_string();
                let help = "the path is relative to the file with the Include block";
                self.diagnostics
                    .push(Diagnostic::new(codes::FILE_NOT_READ, span, message).help(help));
                self.order.lost_file = true;
                return None;
            }
        };
        self.known.insert(identity.clone(), span);
        let document = self.add(&path.display().to_string(), bytes, span)?;
        let directory = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        Some(Open { document, next: 0, directory, identity: Some(identity) })
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
        let document = &self.documents[document as usize];
        let is_file = |name| self.sources.text(name) == "File";
        let parameter =
            document.parameters(block).iter().find(|parameter| is_file(parameter.name))?;
        let [single] = document.values(parameter) else { return None };
        let node = document.node(*single);
        let text = self.sources.text(node.span);
        let name = if node.kind == NodeKind::Text { text.trim_matches('"') } else { text };
        (!name.is_empty()).then(|| (name.to_string(), node.span))
    }

    /// Decodes, parses and keeps a text.
    fn add(&mut self, name: &str, bytes: Vec<u8>, asked: Span) -> Option<u32> {
        let decoded = decode(bytes);
        let Ok(index) = self.sources.add(name, decoded.text) else {
            let message = format!("with `{name}` the model is larger than 4 GiB");
            let help = "meshes and tables are read from their own files";
            self.diagnostics.push(Diagnostic::new(codes::TOO_LARGE, asked, message).help(help));
            return None;
        };
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

    /// Values from the command line, as texts of their own.
    fn add_overrides(&mut self, set: &[String]) {
        for assignment in set {
            let Ok(index) = self.sources.add("--set", assignment.as_str()) else { continue };
            let Some(source) = self.sources.get(index) else { continue };
            let parsed = parser::parse_assignment(source);
            self.diagnostics.append(parsed.diagnostics);
            if let Some(parameter) = parsed.assignment {
                self.order.overrides.push((self.documents.len() as u32, parameter));
            }
            self.documents.push(parsed.document);
        }
    }

    /// The table that Input blocks follow, as a text of its own. It is the last one: it has no document.
    fn add_inputs(&mut self, inputs: Option<&Inputs>) {
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

/// A decoded text.
struct Decoded {
    text: String,
    /// Places that were not UTF-8: offset and length in the text.
    invalid: Vec<(u32, u32)>,
    help: &'static str,
    /// There is nothing to parse.
    unreadable: bool,
}

const UTF16_HELP: &str = "the file seems to be UTF-16; save it as UTF-8";
const LATIN1_HELP: &str = "save the file as UTF-8, for example with `iconv -f latin1 -t utf-8`";

/// Whether the bytes are UTF-16, with its mark or with a zero in every other byte.
fn is_wide(bytes: &[u8]) -> bool {
    const LOOKED_AT: usize = 64;
    let mark = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let start = &bytes[..bytes.len().min(LOOKED_AT) & !1];
    let zeros = |of: usize| start.iter().skip(of).step_by(2).filter(|&&byte| byte == 0).count();
    mark || (start.len() >= 8 && zeros(0).max(zeros(1)) * 4 > start.len())
}

fn decode(bytes: Vec<u8>) -> Decoded {
    if is_wide(&bytes) {
        let text = char::REPLACEMENT_CHARACTER.to_string();
        let invalid = vec![(0, text.len() as u32)];
        return Decoded { invalid, text, help: UTF16_HELP, unreadable: true };
    }
    match String::from_utf8(bytes) {
        Ok(text) => Decoded { text, invalid: Vec::new(), help: LATIN1_HELP, unreadable: false },
        Err(error) => {
            let bytes = error.into_bytes();
            let mut text = String::with_capacity(bytes.len());
            let mut invalid = Vec::new();
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                if !chunk.invalid().is_empty() {
                    invalid
                        .push((text.len() as u32, char::REPLACEMENT_CHARACTER.len_utf8() as u32));
                    text.push(char::REPLACEMENT_CHARACTER);
                }
            }
            Decoded { text, invalid, help: LATIN1_HELP, unreadable: false }
        }
    }
}
