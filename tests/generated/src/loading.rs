//! Texts and files as models: the front door of the engine for tests and benchmarks. What is wrong ends the program with its
//! messages, unless the messages are asked for.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use engine::internals::load::{Disk, Files, Loaded, load};
use engine::internals::system::{System, build};
use engine::{LoadOptions, Model, ModelSource};
use parser::render::{Style, render_all};

/// Files that exist in memory only, by path.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Memory {
    /// Files with these paths and texts.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let files =
            files.iter().map(|(path, text)| (plain(Path::new(path)), text.as_bytes().into()));
        Self { files: files.collect() }
    }
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

impl Files for Memory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(&plain(path)).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn identity(&self, path: &Path) -> PathBuf {
        plain(path)
    }
}

/// The model of a text without errors that includes nothing; messages call it `case.dys`.
///
/// # Panics
/// With the messages, where the text has errors.
pub fn model(text: impl Into<String>) -> Model {
    model_with(text, LoadOptions::default())
}

/// The same, read with options.
///
/// # Panics
/// With the messages, where the text has errors.
pub fn model_with(text: impl Into<String>, options: LoadOptions) -> Model {
    opened(text_source(text), options)
}

/// The model of a file without errors.
///
/// # Panics
/// With the messages, where the file has errors, or without it.
pub fn model_of_file(path: &Path) -> Model {
    model_of_file_with(path, LoadOptions::default())
}

/// The same, read with options.
///
/// # Panics
/// With the messages, where the file has errors, or without it.
pub fn model_of_file_with(path: &Path, options: LoadOptions) -> Model {
    opened(ModelSource::File(path.into()), options)
}

fn opened(source: ModelSource, options: LoadOptions) -> Model {
    Model::open(source, options).unwrap_or_else(|error| panic!("{error}"))
}

fn text_source(text: impl Into<String>) -> ModelSource {
    ModelSource::Text { name: "case.dys".into(), bytes: text.into().into_bytes() }
}

/// The system of a model, for what the front door does not show.
///
/// # Panics
/// With the mistakes, where it cannot be built.
pub fn system(model: &Model) -> Arc<System> {
    Arc::clone(model.system().unwrap_or_else(|error| panic!("{error}")))
}

/// A system of one's own, to be changed.
///
/// # Panics
/// With the mistakes, where it cannot be built.
pub fn own_system(model: &Model) -> System {
    build(model.checked(), false).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"))
}

/// Reads a text that includes nothing, with all messages.
///
/// # Panics
/// Never: a text needs no file.
pub fn load_text(text: impl Into<String>, options: &LoadOptions) -> Loaded {
    load_from(text_source(text), options, &Memory::default())
}

/// Reads files that are in memory, with all messages; the first one is the main file.
///
/// # Panics
/// Where there is no file.
pub fn load_files(files: &[(&str, &str)], options: &LoadOptions) -> Loaded {
    let main = files.first().map_or("", |(path, _)| *path);
    load_from(ModelSource::File(main.into()), options, &Memory::new(files))
}

/// Reads a file of the disk, with all messages.
///
/// # Panics
/// Where there is no such file.
pub fn load_file(path: &Path, options: &LoadOptions) -> Loaded {
    load_from(ModelSource::File(path.into()), options, &Disk)
}

fn load_from(source: ModelSource, options: &LoadOptions, files: &dyn Files) -> Loaded {
    load(source, options, files).unwrap_or_else(|error| panic!("{error}"))
}

/// All messages as plain text.
pub fn messages(loaded: &Loaded) -> String {
    render_all(&loaded.diagnostics, &loaded.sources, Style::Plain)
}
