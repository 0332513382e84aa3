//! Reading models and their flat texts.

use dysim_generated::loading::{load_files, messages};
use engine::LoadOptions;
use engine::internals::load::Loaded;

/// A model of several files, of which the first is the main file; it must be correct.
#[track_caller]
pub fn load(files: &[(&str, &str)]) -> Loaded {
    let loaded = load_files(files, &LoadOptions { expands: true, ..LoadOptions::default() });
    assert_eq!(loaded.diagnostics.errors(), 0, "{}", messages(&loaded));
    loaded
}

/// The flat text of a correct model.
#[track_caller]
pub fn flat(text: &str) -> String {
    flat_of(&load(&[("m.dys", text)]))
}

/// The flat text of a model.
pub fn flat_of(loaded: &Loaded) -> String {
    let index = loaded.flat.expect("a model with components has a flat text");
    loaded.sources.get(index).expect("the text is there").text().to_string()
}

/// A text without white space.
pub fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}
