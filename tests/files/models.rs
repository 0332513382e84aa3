//! The example models: each is right without a warning, formatted, and says what to look at.

use std::fs;
use std::path::{Path, PathBuf};

use dysim_tests::loading::{load_file, messages};
use engine::LoadOptions;
use parser::source::Sources;

fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    let mut all = Vec::new();
    let mut open = vec![root];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).expect("the folder of models") {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "dys") {
                all.push(path);
            }
        }
    }
    all.sort();
    all
}

#[test]
fn every_model_is_right_without_a_warning() {
    let all = models();
    let plugins = engine::plugin::Plugins::Known(user_plugins::PLUGINS);
    assert!(all.len() >= 17, "{} models", all.len());
    let options = LoadOptions { strict: true, plugins, ..LoadOptions::default() };
    for path in all {
        let loaded = load_file(&path, &options);
        let said = messages(&loaded);
        assert!(loaded.model.is_some() && said.is_empty(), "{}: {said}", path.display());
    }
}

#[test]
fn every_model_is_formatted_and_says_what_to_look_at() {
    for path in models() {
        let text = fs::read_to_string(&path).expect("a readable model");
        let mut sources = Sources::default();
        sources.add(path.display().to_string(), text.as_str()).expect("a small text");
        let source = &sources.all()[0];
        let formatted = parser::format(source, &parser::parse(source));
        assert!(formatted.as_deref() == Some(&text), "run `dysim fmt {}`", path.display());
        let comment: String = text.lines().take_while(|line| line.starts_with("//")).collect();
        assert!(
            comment.to_lowercase().contains("look at"),
            "{} does not say what to look at",
            path.display()
        );
    }
}
