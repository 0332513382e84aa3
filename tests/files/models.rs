//! The example models: each is right without a warning, formatted, and says what to look at.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dysim_tests::loading::{load_file, load_text, messages};
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

/// Also where all signals are asked for, and where a node has the name of an element.
#[test]
fn every_column_has_a_name_of_its_own() {
    let plugins = engine::plugin::Plugins::Known(user_plugins::PLUGINS);
    let options = LoadOptions { plugins, ..LoadOptions::default() };
    let twice = "VoltageSource \"a\" { p = a; n = gnd; V = 2; } Resistor \"b\" { p = a; n = b; R = 1; }
        Resistor \"c\" { p = b; n = gnd; R = 1; } Inertia \"d\" { a = s; J = 1; } TorsionSpring \"e\" { a = s; b = base; c = 1; }
        Mass \"f\" { a = r; m = 1; } LinearSpring \"g\" { a = r; b = base; c = 1; }";
    let of_files = models().into_iter().map(|path| load_file(&path, &options));
    let all = of_files.chain([load_text(twice, &options)]);
    for mut loaded in all {
        let model = Arc::make_mut(loaded.model.as_mut().expect("a right model"));
        model.output = None;
        let columns = engine::internals::output::columns(model);
        let mut names: Vec<String> =
            columns.iter().map(|&signal| model.signal_name(signal)).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "{}", model.name);
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
