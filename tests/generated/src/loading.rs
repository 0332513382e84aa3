//! Texts and files as models: the one way in which tests and benchmarks load them. What cannot be loaded ends the
//! program with its messages.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use engine::load::{Disk, Files, Input, LoadOptions, Loaded, load};
use engine::model::Model;
use engine::system::{System, build};
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

/// Reads a text that includes nothing; messages call it `case.dys`.
///
/// # Panics
/// Never: a text needs no file.
pub fn load_text(text: impl Into<String>, options: &LoadOptions) -> Loaded {
    let input = Input::Text { name: "case.dys".into(), bytes: text.into().into_bytes() };
    load_from(input, options, &Memory::default())
}

/// Reads files that are in memory; the first one is the main file.
///
/// # Panics
/// Where there is no file.
pub fn load_files(files: &[(&str, &str)], options: &LoadOptions) -> Loaded {
    let main = files.first().map_or("", |(path, _)| *path);
    load_from(Input::File(main.into()), options, &Memory::new(files))
}

/// Reads a file of the disk.
///
/// # Panics
/// Where there is no such file.
pub fn load_file(path: &Path, options: &LoadOptions) -> Loaded {
    load_from(Input::File(path.into()), options, &Disk)
}

fn load_from(input: Input, options: &LoadOptions, files: &dyn Files) -> Loaded {
    load(input, options, files).unwrap_or_else(|error| panic!("{error}"))
}

/// All messages as plain text.
pub fn messages(loaded: &Loaded) -> String {
    render_all(&loaded.diagnostics, &loaded.sources, Style::Plain)
}

/// The model that was read; warnings are allowed.
///
/// # Panics
/// With the messages, where there are errors.
pub fn correct(mut loaded: Loaded) -> Arc<Model> {
    loaded.model.take().unwrap_or_else(|| panic!("the model is wrong\n{}", messages(&loaded)))
}

/// The model of a text without errors.
///
/// # Panics
/// With the messages, where the text has errors.
pub fn model(text: impl Into<String>) -> Arc<Model> {
    correct(load_text(text, &LoadOptions::default()))
}

/// The model of a file without errors.
///
/// # Panics
/// With the messages, where the file has errors, or without it.
pub fn model_of_file(path: &Path) -> Arc<Model> {
    correct(load_file(path, &LoadOptions::default()))
}

/// The system of a model.
///
/// # Panics
/// With the mistakes, where it cannot be built.
pub fn system(model: &Arc<Model>) -> System {
    build(model, false).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"))
}
