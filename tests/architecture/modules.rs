//! Modules use each other in one direction: no cycles between the top modules of a crate, and no use against the order
//! that ARCHITECTURE.md states.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use dysim_generated::root;

use crate::sources::{code, crates, sources};

/// For each module of a folder the modules that its files name.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// The word at the beginning of a text.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    &text[..end]
}

/// The words that follow a path, also words in braces: `a` of `crate::a::b`, `a` and `b` of `crate::{a, b::c}`.
fn named<'t>(code: &'t str, path: &str) -> Vec<&'t str> {
    let mut all = Vec::new();
    for rest in code.split(path).skip(1) {
        let Some(list) = rest.strip_prefix('{') else {
            all.push(word(rest));
            continue;
        };
        let (mut depth, mut start) = (0, 0);
        for (at, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    all.push(word(list[start..at].trim_start()));
                    start = at + 1;
                }
                _ => {}
            }
            if c == '}' && depth == 0 && start == at + 1 {
                break;
            }
        }
    }
    all
}

/// Which modules of a crate use which, by paths that begin with `crate::`.
fn uses(folder: &Path) -> Uses {
    let module = |path: &Path| {
        let first = path.strip_prefix(folder).unwrap().iter().next().unwrap();
        first.to_string_lossy().trim_end_matches(".rs").to_string()
    };
    let files: Vec<(String, String)> =
        sources(folder).iter().map(|path| (module(path), code(path))).collect();
    let is_root = |name: &str| ["lib", "main", "mod"].contains(&name);
    let mut uses: Uses = files
        .iter()
        .filter(|(name, _)| !is_root(name))
        .map(|(name, _)| (name.clone(), BTreeSet::new()))
        .collect();
    let modules: BTreeSet<String> = uses.keys().cloned().collect();
    for (name, code) in &files {
        let Some(own) = uses.get_mut(name) else { continue };
        let used = named(code, "crate::").into_iter().filter(|used| modules.contains(*used));
        own.extend(used.filter(|used| used != name).map(str::to_string));
    }
    uses
}

/// A way from a module back to itself.
fn cycle(uses: &Uses) -> Option<Vec<String>> {
    fn walk(at: &str, uses: &Uses, path: &mut Vec<String>, done: &mut BTreeSet<String>) -> bool {
        if let Some(first) = path.iter().position(|name| name == at) {
            path.drain(..first);
            return true;
        }
        if !done.insert(at.to_string()) {
            return false;
        }
        path.push(at.to_string());
        if uses[at].iter().any(|next| walk(next, uses, path, done)) {
            return true;
        }
        path.pop();
        false
    }
    let mut done = BTreeSet::new();
    uses.keys().find_map(|name| {
        let mut path = Vec::new();
        walk(name, uses, &mut path, &mut done).then_some(path)
    })
}

#[test]
fn no_module_uses_itself_by_way_of_others() {
    let all = crates();
    assert!(all.len() > 8, "{all:?}");
    for folder in all {
        let uses = uses(&root().join(&folder));
        assert_eq!(cycle(&uses), None, "a cycle between modules of {folder}");
    }
}

#[test]
fn modules_use_each_other_in_the_order_that_is_stated() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let folders = crates();
    let mut stated = 0;
    for folder in &folders {
        let Some(line) = text.lines().find(|line| line.trim().starts_with(&format!("{folder}:")))
        else {
            continue;
        };
        stated += 1;
        let order: Vec<&str> =
            line.split_once(':').unwrap().1.split(['<', ' ']).filter(|w| !w.is_empty()).collect();
        let uses = uses(&root().join(folder));
        let missing: Vec<&String> =
            uses.keys().filter(|name| !order.contains(&name.as_str())).collect();
        assert!(missing.is_empty(), "{folder}: no place is stated for {missing:?}");
        let place = |name: &str| order.iter().position(|known| *known == name);
        for (name, used) in &uses {
            for used in used {
                assert!(place(used) < place(name), "{folder}: `{name}` uses `{used}`");
            }
        }
    }
    assert!(stated >= 4, "ARCHITECTURE.md states the order of {stated} crates");
}

#[test]
fn the_search_for_cycles_finds_them() {
    let of = |pairs: &[(&str, &[&str])]| -> Uses {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect();
        pairs.iter().map(|(name, uses)| ((*name).to_string(), set(uses))).collect()
    };
    assert_eq!(cycle(&of(&[("a", &["b"]), ("b", &["c"]), ("c", &[])])), None);
    let found = cycle(&of(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])]));
    assert_eq!(found, Some(vec!["b".to_string(), "c".to_string()]));
    let words = named("use crate::{a, b::{c, d}, e};\nlet x = crate::f::g();", "crate::");
    assert_eq!(words, ["a", "b", "e", "f"]);
}
