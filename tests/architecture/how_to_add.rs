//! A new joint, network element or solver touches the files that ARCHITECTURE.md names under "How to add", and no other:
//! the ones that exist are named in these files alone.

use std::fs;

use dysim_generated::root;

use crate::sources::{code, crates, from_root, sources};

/// Something that exists, as an example for what may be added.
struct Example {
    /// How the line of ARCHITECTURE.md begins.
    recipe: &'static str,
    /// The names of its types, its keyword and its module.
    words: &'static [&'static str],
    /// Its file, without `.rs`.
    file: &'static str,
}

const EXAMPLES: &[Example] = &[
    Example {
        recipe: "A joint",
        words: &["Screw", "ScrewAxis", "ScrewParameters", "SCREW", "screw"],
        file: "screw",
    },
    Example {
        recipe: "A joint",
        words: &["Cylindrical", "CylindricalAxis", "CYLINDRICAL", "cylindrical"],
        file: "cylindrical",
    },
    Example {
        recipe: "A joint",
        words: &["Universal", "UniversalAxes", "UNIVERSAL", "universal"],
        file: "universal",
    },
    Example {
        recipe: "A network element",
        words: &["Resistor", "RESISTOR", "mod resistor"],
        file: "resistor",
    },
    Example { recipe: "A network element", words: &["Zener", "ZENER", "zener"], file: "zener" },
    Example {
        recipe: "A network element",
        words: &["Potentiometer", "POTENTIOMETER", "potentiometer"],
        file: "potentiometer",
    },
    Example { recipe: "A solver", words: &["Rk4", "rk4"], file: "rk4" },
    Example {
        recipe: "A solver",
        words: &["CashKarp", "cash_karp", "odeint_rk"],
        file: "cash_karp",
    },
];

/// Users of the language, who write its keywords as any model does: no table is made from them.
const WRITERS_OF_MODELS: &[&str] = &["language/src/spice/", "tests/generated/"];

/// Messages that give examples: file, and the example. A new joint or element needs no place there.
const HINTS: &[(&str, &str)] = &[
    ("language/src/blocks/network/coupling/joint_axis.rs", "cylindrical"),
    ("language/src/blocks/network/coupling/joint_axis.rs", "universal"),
];

/// The paths between backquotes of the recipe that begins with these words.
fn paths_of(recipe: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, recipes) = text.split_once("## How to add").unwrap();
    let (_, rest) = recipes.split_once(&format!("- **{recipe}:**")).unwrap();
    let recipe = rest.split("\n- ").next().unwrap().split("\n\n").next().unwrap();
    let quoted = recipe.split('`').skip(1).step_by(2);
    quoted.filter(|words| words.contains('/')).map(str::to_string).collect()
}

/// Is a file one of the named ones? A folder stands for the file of the example in it, or in a folder below it with the
/// `mod.rs` of that folder.
fn is_named(path: &str, named: &[String], file: &str) -> bool {
    named.iter().any(|at| {
        let Some(inside) = path.strip_prefix(at.as_str()) else { return false };
        if !at.ends_with('/') {
            return inside.is_empty();
        }
        let parts: Vec<&str> = inside.split('/').collect();
        match parts[..] {
            [own] => own == format!("{file}.rs"),
            [_, own] => own == format!("{file}.rs") || own == "mod.rs",
            _ => false,
        }
    })
}

/// Does a text contain a word by itself?
fn contains_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

#[test]
fn what_exists_is_named_only_where_the_recipe_says() {
    let files: Vec<(String, String)> = crates()
        .iter()
        .flat_map(|folder| sources(&root().join(folder)))
        .map(|path| (from_root(&path), code(&path)))
        .collect();
    let mut hints: Vec<(&str, &str)> = Vec::new();
    for example in EXAMPLES {
        let named = paths_of(example.recipe);
        assert!(named.len() > 2, "{named:?}");
        let mut seen = 0;
        for (path, code) in &files {
            let Some(word) = example.words.iter().find(|word| contains_word(code, word)) else {
                continue;
            };
            if is_named(path, &named, example.file) {
                seen += 1;
                continue;
            }
            if WRITERS_OF_MODELS.iter().any(|folder| path.starts_with(folder)) {
                continue;
            }
            let hint = HINTS.iter().find(|(at, of)| path == at && *of == example.file);
            assert!(hint.is_some(), "{}: `{word}` occurs in {path}", example.recipe);
            hints.extend(hint);
        }
        // At least its own file and a list.
        assert!(seen > 1, "{} occurs in {seen} files", example.file);
    }
    assert_eq!(hints.len(), HINTS.len(), "a hint of the list is gone: remove it");
}

#[test]
fn words_and_paths_are_compared_as_wholes() {
    assert!(contains_word("use screw::ScrewAxis;", "screw"));
    assert!(!contains_word("use screw::ScrewAxis;", "Screw"));
    let named = ["a/src/".to_string(), "a/src/mod.rs".to_string()];
    assert!(is_named("a/src/x.rs", &named, "x"));
    assert!(is_named("a/src/deep/x.rs", &named, "x"));
    assert!(is_named("a/src/deep/mod.rs", &named, "x"));
    assert!(is_named("a/src/mod.rs", &named, "x"));
    assert!(!is_named("a/src/y.rs", &named, "x"));
    assert!(!is_named("a/lib.rs", &named, "x"));
}
