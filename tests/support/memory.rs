//! Models in memory: files that exist only in a test.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use engine::model::{Files, Input, LoadOptions, Loaded, Model, load};
use parser::render::{Style, render_all};

/// Files by path.
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

/// Reads a model from a text alone.
pub fn load_text(text: &str, options: &LoadOptions) -> Loaded {
    load_files(&[("model.dys", text)], options)
}

/// Reads a model whose main file is the first one.
///
/// # Panics
/// Where there is no file.
#[allow(clippy::expect_used, reason = "the first file is there by construction")]
pub fn load_files(files: &[(&str, &str)], options: &LoadOptions) -> Loaded {
    let main = files.first().map_or("", |(path, _)| *path);
    load(Input::File(main.into()), options, &Memory::new(files)).expect("the first file is there")
}

/// All messages as plain text.
pub fn messages(loaded: &Loaded) -> String {
    render_all(&loaded.diagnostics, &loaded.sources, Style::Plain)
}

/// The model of a text without errors; warnings are allowed.
///
/// # Panics
/// With the messages, where the text has errors.
#[allow(clippy::panic, reason = "a test ends here")]
pub fn model(text: &str) -> std::sync::Arc<Model> {
    let loaded = load_text(text, &LoadOptions::default());
    let messages = messages(&loaded);
    loaded.model.unwrap_or_else(|| panic!("errors in\n{text}\n{messages}"))
}
