//! ARCHITECTURE.md and README.md say what is really there: paths exist, crates use what is stated.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail like the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use dysim_tests::programs::root;

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// What stands between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_path_of_the_architecture_exists() {
    let text = page("ARCHITECTURE.md");
    let paths: Vec<&str> = quoted(&text).filter(|words| words.contains('/')).collect();
    assert!(paths.len() > 20, "{paths:?}");
    for path in paths {
        assert!(root().join(path).exists(), "ARCHITECTURE.md names `{path}`");
    }
}

#[test]
fn every_link_of_the_papers_leads_somewhere() {
    for name in ["README.md", "docs/README.md"] {
        let text = page(name);
        let folder = root().join(name).parent().unwrap().to_path_buf();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let exists = target.starts_with("https://") || folder.join(target).exists();
            assert!(exists, "{name} links to `{target}`");
        }
    }
}

/// The crates of the workspace, each with the crates that it names in these sections of its manifest.
fn edges_of_manifests(sections: &[&str]) -> BTreeMap<String, Vec<String>> {
    let workspace = page("Cargo.toml");
    let (_, members) = workspace.split_once("members = [").unwrap();
    let (members, _) = members.split_once(']').unwrap();
    let folders = members.split('"').skip(1).step_by(2);
    let manifests: Vec<String> =
        folders.map(|folder| page(&format!("{folder}/Cargo.toml"))).collect();
    // What code says: the name of the library if it has one of its own.
    let name = |manifest: &str| {
        let library = manifest.find("[lib]\nname = ").unwrap_or(0);
        let line = manifest[library..].lines().find(|line| line.starts_with("name = ")).unwrap();
        line.split('"').nth(1).unwrap().to_string()
    };
    let names: Vec<String> = manifests.iter().map(|manifest| name(manifest)).collect();
    let uses = |manifest: &String| {
        let parts = manifest.split("\n[").filter_map(|part| part.split_once("]\n"));
        let parts = parts.filter(|(section, _)| sections.contains(section));
        let lines = parts.flat_map(|(_, lines)| lines.lines());
        let keys = lines.filter_map(|line| line.split(['.', ' ']).next());
        let mut used: Vec<String> =
            keys.filter(|key| names.iter().any(|name| name == key)).map(str::to_string).collect();
        used.sort();
        used
    };
    names.iter().cloned().zip(manifests.iter().map(uses)).collect()
}

#[test]
fn crates_use_each_other_as_stated() {
    let text = page("ARCHITECTURE.md");
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let stated: BTreeMap<String, Vec<String>> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').collect();
            let name = quoted(cells[1]).next().unwrap().to_string();
            let mut uses: Vec<String> = quoted(cells[2]).map(str::to_string).collect();
            uses.sort();
            (name, uses)
        })
        .collect();
    assert_eq!(stated, edges_of_manifests(&["dependencies", "dev-dependencies"]));
}

#[test]
fn the_animator_builds_neither_networks_nor_integrators() {
    let edges = edges_of_manifests(&["dependencies"]);
    let built_for = |program: &'static str| {
        let mut built: BTreeSet<&str> = BTreeSet::new();
        let mut open = vec![program];
        while let Some(name) = open.pop() {
            open.extend(edges[name].iter().map(String::as_str).filter(|used| built.insert(*used)));
        }
        built
    };
    let absent = ["network", "integrate", "engine"];
    let (simulator, animator) = (built_for("dysim"), built_for("anidysim"));
    assert!(absent.iter().all(|name| simulator.contains(name)), "{simulator:?}");
    assert!(animator.contains("language"), "{animator:?}");
    assert!(absent.iter().all(|name| !animator.contains(name)), "{animator:?}");
}

#[test]
fn the_tests_of_the_readme_are_those_of_the_integration_server() {
    let command = "cargo test --workspace";
    assert!(page("README.md").lines().any(|line| line == command));
    assert!(page(".ci/run").contains(command));
}
