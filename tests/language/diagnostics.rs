//! Broken models and what is said about them: one file per kind of mistake in `diagnostics/`, and
//! beside it the expected messages with code, place, carets and suggestion.

#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it must be")]

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use dysim_tests::corpus::{folder, load_case, names};
use dysim_tests::expectation;
use dysim_tests::loading::{load_text, messages};
use engine::LoadOptions;
use parser::diagnostic::Code;
use parser::render::{Style, render_all};

/// Codes that no small file can show, and the test that shows them.
const ELSEWHERE: &[(&str, &str)] = &[
    ("A132", "more than 4 GiB of text: the tests of `parser::source` show the limit"),
    ("A181", "what the checks let pass and the tree refuses: the tests of `mechanics::tree`"),
    ("A182", "needs the initial positions: `loop_failures.rs`"),
    ("S201", "arises while time passes: `failures.rs`"),
    ("S202", "arises while time passes: `failures.rs`"),
    ("S203", "needs the initial positions: `loop_failures.rs`"),
    ("S204", "arises while time passes: `loop_failures.rs`"),
    ("S205", "arises while time passes: `plugins/faults.rs`"),
    ("S206", "arises while time passes: `switching/progress.rs`"),
    ("S207", "arises while time passes: `actions/failures.rs`"),
    ("S210", "arises in an analysis: `analyses.rs`"),
    ("S211", "arises in an analysis: `analyses.rs`"),
    ("S212", "arises in an analysis: `analyses.rs`"),
];

/// Longest time for one case. Each takes milliseconds; this allows for a machine under load.
const PATIENCE: Duration = Duration::from_secs(2);

fn all_codes() -> impl Iterator<Item = Code> {
    let lists = [
        parser::codes::ALL,
        equations::codes::ALL,
        language::codes::ALL,
        engine::internals::codes::ALL,
    ];
    lists.into_iter().flatten().copied()
}

/// The codes of the messages about a case.
fn codes_of(name: &str) -> Vec<&'static str> {
    let loaded = load_case(name).unwrap();
    loaded.diagnostics.iter().map(|diagnostic| diagnostic.code.id()).collect()
}

#[test]
fn every_case_says_what_is_expected() {
    let mut wrong = Vec::new();
    for name in names().unwrap() {
        let started = Instant::now();
        let loaded = load_case(&name).unwrap();
        let found = render_all(&loaded.diagnostics, &loaded.sources, Style::Plain);
        let took = started.elapsed();
        if took > PATIENCE {
            wrong.push(format!("{name}.dys took {took:?}"));
        }
        if found.is_empty() {
            wrong.push(format!("{name}.dys: nothing is said about it"));
        }
        wrong.extend(expectation::check(&folder().join(format!("{name}.expected")), &found).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_expectation_has_its_case() {
    let names: BTreeSet<String> = names().unwrap().into_iter().collect();
    assert!(names.len() >= 70, "the corpus has {} cases", names.len());
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "expected") {
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            assert!(names.contains(&stem), "{stem}.expected has no {stem}.dys");
        }
    }
}

#[test]
fn every_code_occurs_in_the_corpus() {
    let found: BTreeSet<&str> = names().unwrap().iter().flat_map(|name| codes_of(name)).collect();
    let elsewhere: BTreeSet<&str> = ELSEWHERE.iter().map(|(id, _)| *id).collect();
    let missing: Vec<&str> = all_codes()
        .map(Code::id)
        .filter(|id| !found.contains(id) && !elsewhere.contains(id))
        .collect();
    assert!(missing.is_empty(), "no case shows {missing:?}");
    let known: BTreeSet<&str> = all_codes().map(Code::id).collect();
    for id in elsewhere {
        assert!(known.contains(id), "{id} is no code");
        assert!(!found.contains(id), "{id} is in the corpus: take it off the list");
    }
}

#[test]
fn every_code_stands_for_one_kind_of_mistake() {
    let mut ids = BTreeSet::new();
    for code in all_codes() {
        assert!(ids.insert(code.id()), "{} is there twice", code.id());
        assert!(!code.title().is_empty() && !code.title().ends_with('.'), "{}", code.id());
    }
}

#[test]
fn all_mistakes_of_a_file_are_reported_in_one_run() {
    let codes: BTreeSet<&str> = codes_of("many_mistakes").into_iter().collect();
    assert!(codes.len() >= 12, "only {codes:?}");
}

/// The words, numbers and signs of a text, white space between them dropped from the places.
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut tokens: Vec<std::ops::Range<usize>> = Vec::new();
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut last_part = false;
    for (at, c) in text.char_indices() {
        match tokens.last_mut() {
            Some(token) if part(c) && last_part => token.end = at + c.len_utf8(),
            _ if c.is_whitespace() => {}
            _ => tokens.push(at..at + c.len_utf8()),
        }
        last_part = part(c);
    }
    tokens
}

/// One slip of the finger is one mistake, or two: not a page of messages that follow from it.
#[test]
fn a_token_left_out_gives_few_messages() {
    let read = |name: &str| std::fs::read_to_string(folder().join("includes").join(name)).unwrap();
    let text = read("settings.dys") + &read("bare_pendulum.dys");
    for token in tokens(&text) {
        let broken = format!("{}{}", &text[..token.start], &text[token.end..]);
        let loaded = load_text(&broken, &LoadOptions::default());
        let count = loaded.diagnostics.iter().count();
        let left_out = &text[token.clone()];
        assert!(count <= 3, "without `{left_out}` at {}:\n{}", token.start, messages(&loaded));
    }
}

/// Messages are lower case without a full stop, and places lie in the texts.
#[test]
fn messages_keep_the_style() {
    for name in names().unwrap() {
        let loaded = load_case(&name).unwrap();
        for diagnostic in loaded.diagnostics.iter() {
            let said = std::iter::once(&diagnostic.message).chain(&diagnostic.help);
            for text in said {
                assert!(!text.ends_with('.') || text.ends_with("..."), "{name}: {text}");
                assert!(!text.contains('\n') && !text.is_empty(), "{name}: {text}");
            }
            let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
            for label in labels {
                assert!(loaded.sources.source_of(label.span).is_some(), "{name}: {diagnostic:?}");
            }
        }
    }
}
