//! The corpus of broken models: where it is, and how a case is read.
//!
//! A case is a `.dys` file. Its first line may say how it is loaded: `// arguments: --strict --set L=2`.
//! A table of inputs stands beside it.

use std::io;
use std::path::{Path, PathBuf};

use engine::Inputs;
use engine::LoadOptions;
use engine::internals::load::{Files, Input, LoadError, Loaded, load};
use engine::plugin::Plugins;

/// Files of one folder, named in messages as they are in the folder.
#[derive(Clone, Debug)]
pub struct Folder(pub PathBuf);

impl Files for Folder {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(self.0.join(path))
    }

    fn identity(&self, path: &Path) -> PathBuf {
        let path = self.0.join(path);
        std::fs::canonicalize(&path).unwrap_or(path)
    }
}

/// The folder of the broken models.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("diagnostics")
}

/// The names of all cases, without `.dys`, in alphabetical order.
pub fn names() -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "dys") {
            names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

/// How a case is loaded, from its first line.
fn options(bytes: &[u8]) -> LoadOptions {
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let first = String::from_utf8_lossy(first);
    let plugins = Plugins::Known(user_plugins::PLUGINS);
    let mut options = LoadOptions { plugins, ..LoadOptions::default() };
    let arguments = first.trim_end().strip_prefix("// arguments: ").unwrap_or_default();
    let mut words = arguments.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "--strict" => options.strict = true,
            "--allow-unphysical" => options.allow_unphysical = true,
            "--input" => {
                let name = words.next().unwrap_or_default();
                let text = std::fs::read_to_string(folder().join(name)).unwrap_or_default();
                options.inputs = Some(Inputs::from_text(name, &text));
            }
            "--set" => options.set.extend(words.next().map(str::to_string)),
            _ => {}
        }
    }
    options
}

/// Reads a case.
pub fn load_case(name: &str) -> Result<Loaded, LoadError> {
    let files = Folder(folder());
    let path = PathBuf::from(format!("{name}.dys"));
    let bytes = files.read(&path).unwrap_or_default();
    load(Input::File(path), &options(&bytes), &files)
}
